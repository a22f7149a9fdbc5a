"""Reads of accounts and of the audit."""

from django.db.models import QuerySet

from annotate.models import (
    AuditEntry,
    User,
)


def accounts(*, name: str = "", role: str = "") -> QuerySet[User]:
    """Accounts by name; only those with these letters in it, upper and lower case alike, or of this role."""
    users = User.objects.order_by("username")
    if name:
        users = users.filter(username__icontains=name)
    if role:
        users = users.filter(role=role)
    return users


def audit_entries(*, action: str = "", who: str = "", about: str = "") -> QuerySet[AuditEntry]:
    """What was done, the newest first.

    Args:
        action: only this one.
        who: only by this account.
        about: only to what has these letters in its name, upper and lower case alike.
    """
    entries = AuditEntry.objects.order_by("-at", "-pk")
    if action:
        entries = entries.filter(action=action)
    if who:
        entries = entries.filter(who=who)
    if about:
        entries = entries.filter(name__icontains=about)
    return entries
