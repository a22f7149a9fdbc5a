"""Reads of accounts and of the audit."""

from django.db.models import QuerySet

from annotate.models import (
    AuditEntry,
    User,
)


def accounts(*, name: str = "", role: str = "") -> QuerySet[User]:
    """Accounts by name; only those with these letters in it, upper and lower case alike, or of this role."""
    found = User.objects.order_by("username")
    if name:
        found = found.filter(username__icontains=name)
    if role:
        found = found.filter(role=role)
    return found


def audit_entries(*, action: str = "", who: str = "", about: str = "") -> QuerySet[AuditEntry]:
    """What was done, the newest first.

    Args:
        action: only this one.
        who: only by this account.
        about: only to what has these letters in its name, upper and lower case alike.
    """
    found = AuditEntry.objects.order_by("-at", "-pk")
    if action:
        found = found.filter(action=action)
    if who:
        found = found.filter(who=who)
    if about:
        found = found.filter(name__icontains=about)
    return found
