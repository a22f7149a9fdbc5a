"""The audit log: actions with their time, account and object."""

from collections.abc import Mapping

from annotate.models import AuditAction, AuditEntry, Campaign, Corpus, ScoreSet, User
from metrics.learned.saved import SavedModel


def record(
    *,
    user: User | None,
    action: AuditAction,
    subject: Campaign | Corpus | ScoreSet | User | SavedModel,
    details: Mapping[str, object] | None = None,
) -> AuditEntry:
    """Record an action, in the caller's transaction if there is one.

    Args:
        user: who acts; None for a command.
        action: what is done.
        subject: what it is done to.
        details: more about it, as JSON can hold it.
    """
    return AuditEntry.objects.create(
        user=user,
        who=user.get_username() if user else "",
        action=action,
        kind="learned metric" if isinstance(subject, SavedModel) else str(subject._meta.verbose_name),
        uuid=None if isinstance(subject, User | SavedModel) else subject.uuid,
        name=str(subject),
        details=dict(details or {}),
    )
