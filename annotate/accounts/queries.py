"""Queries of accounts and of the audit log."""

from django.db.models import QuerySet

from annotate.models import (
    AuditEntry,
    User,
)


def accounts(*, name: str = "", role: str = "") -> QuerySet[User]:
    """Accounts by name; only those whose name contains this text, ignoring case, or that have this role."""
    users = User.objects.order_by("username")
    if name:
        users = users.filter(username__icontains=name)
    if role:
        users = users.filter(role=role)
    return users


def audit_entries(*, action: str = "", who: str = "", about: str = "") -> QuerySet[AuditEntry]:
    """Entries of the audit log, newest first.

    Args:
        action: only this one.
        who: only by this account.
        about: only objects whose name contains this text, ignoring case.
    """
    entries = AuditEntry.objects.order_by("-at", "-pk")
    if action:
        entries = entries.filter(action=action)
    if who:
        entries = entries.filter(who=who)
    if about:
        entries = entries.filter(name__icontains=about)
    return entries
