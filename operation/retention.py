"""Deleting what is no longer needed: ended sessions, addresses, old jobs and audit entries."""

from dataclasses import dataclass
from datetime import timedelta
from typing import TypeVar

from django.conf import settings
from django.contrib.sessions.models import Session
from django.db.models import Model, QuerySet
from django.utils import timezone

from annotate.models import AuditAction, AuditEntry, LoginAttempt
from jobs.models import UNFINISHED, Job

FORGOTTEN = "(forgotten)"

M = TypeVar("M", bound=Model)


@dataclass(frozen=True, slots=True)
class Deleted:
    """Numbers of deleted rows.

    Attributes:
        sessions: that have ended.
        login_attempts: failed ones that no longer count, each with an address.
        addresses: replaced in entries of the audit log about blocked logins, after `KEEP_ADDRESSES_DAYS`.
        jobs: that ended more than `KEEP_JOBS_DAYS` ago.
        audit_entries: older than `KEEP_AUDIT_DAYS`.
    """

    sessions: int
    login_attempts: int
    addresses: int
    jobs: int
    audit_entries: int


def apply_retention() -> Deleted:
    """Delete what the settings say; 0 days keep it forever."""
    now = timezone.now()
    window = timedelta(minutes=settings.LOGIN_BLOCK_MINUTES)
    blocks = AuditEntry.objects.filter(action=AuditAction.BLOCK_LOGINS).exclude(name=FORGOTTEN)
    jobs = Job.objects.exclude(state__in=UNFINISHED)
    return Deleted(
        sessions=Session.objects.filter(expire_date__lt=now).delete()[0],
        login_attempts=LoginAttempt.objects.filter(at__lt=now - window).delete()[0],
        addresses=_older(blocks, "at", settings.KEEP_ADDRESSES_DAYS).update(name=FORGOTTEN),
        jobs=_older(jobs, "finished_at", settings.KEEP_JOBS_DAYS).delete()[0],
        audit_entries=_older(AuditEntry.objects.all(), "at", settings.KEEP_AUDIT_DAYS).delete()[0],
    )


def _older(rows: QuerySet[M], field: str, days: int) -> QuerySet[M]:
    if not days:
        return rows.none()
    return rows.filter(**{f"{field}__lt": timezone.now() - timedelta(days=days)})
