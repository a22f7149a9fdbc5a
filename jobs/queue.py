"""Queueing, finding and cancelling jobs."""

import hashlib
import json
import logging
from collections.abc import Mapping
from typing import Any

from celery import current_app
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone
from kombu.exceptions import KombuError

from jobs.kinds import clear_up_behind, kinds
from jobs.models import UNFINISHED, Job, JobState
from jobs.refusals import RefusedError

WORK = "jobs.work"
"""Name of the message that wakes a worker, which then reads the jobs from the database."""

logger = logging.getLogger(__name__)


class CancelRefusedError(RefusedError):
    """Raised if it is too late to cancel a job; the message says why."""


def queue(*, kind: str, title: str, parameters: Mapping[str, Any], owner: Any) -> Job:
    """Queue a job. An unfinished job with the same kind and parameters is the same job."""
    key = _key(kind, parameters)
    job = Job(kind=kind, title=title[:300], parameters=dict(parameters), key=key, owner=owner)
    try:
        with transaction.atomic():
            job.save(force_insert=True)
    except IntegrityError:
        if same := Job.objects.filter(key=key, state__in=UNFINISHED).first():
            return same
        raise
    transaction.on_commit(wake_a_worker)
    return job


def jobs_like(*, kind: str, parameters: Mapping[str, object]) -> QuerySet[Job]:
    """The jobs of this kind with these parameters, the newest first."""
    return Job.objects.filter(key=_key(kind, parameters)).order_by("-created_at", "-pk")


def cancel(job: Job) -> None:
    """Cancel a job: at once if it is queued, at its next heartbeat if it runs.

    Raises:
        CancelRefusedError: it has already ended, or it has begun and cannot stop midway.
    """
    stoppable = Job.objects.filter(pk=job.pk)
    if (kind := kinds().get(job.kind)) and not kind.can_stop:
        stoppable = stoppable.filter(started_at=None)
    now = timezone.now()
    if stoppable.filter(state=JobState.QUEUED).update(state=JobState.CANCELLED, finished_at=now):
        job.refresh_from_db()
        clear_up_behind(job)
    elif stoppable.filter(state=JobState.RUNNING).update(cancel_requested=True):
        job.refresh_from_db()
    else:
        job.refresh_from_db()
        raise CancelRefusedError(
            f"“{job}” has already ended."
            if job.is_finished
            else f"“{job}” has begun and cannot be cancelled."
        )


def wake_a_worker() -> None:
    """Wake a worker. If the broker is not available, the next sweep tries again."""
    try:
        current_app.send_task(WORK, retry=False)
    except (KombuError, OSError) as error:
        logger.warning("The broker is not available (%s); queued jobs start when it is back.", error)


def _key(kind: str, parameters: Mapping[str, object]) -> str:
    return hashlib.sha256(json.dumps([kind, parameters], sort_keys=True).encode()).hexdigest()
