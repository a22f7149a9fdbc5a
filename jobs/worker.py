"""What workers do: claim jobs, run them, and put back those of workers that died."""

import logging
from typing import Any
from uuid import uuid4

from django.db import InterfaceError, OperationalError
from django.db.models import F, QuerySet
from django.utils import timezone

from jobs.kinds import clear_up_behind, kinds
from jobs.memory import give_back
from jobs.models import Job, JobState
from jobs.queue import wake_a_worker
from jobs.refusals import RefusedError
from jobs.running import (
    LEASE,
    JobCancelledError,
    JobLostError,
    RunningJob,
    WorkerStopsError,
)
from jobs.stopping import stopping

MOST_ATTEMPTS = 3
PUT_BACK = {"state": JobState.QUEUED, "claim": None, "leased_until": None}

logger = logging.getLogger(__name__)


def run_queued_jobs() -> None:
    """Run one job after the other, the oldest first, until none is queued."""
    while not stopping.is_set() and (job := claim_next()) is not None:
        run(job)


def claim_next() -> Job | None:
    """The oldest queued job, from now on ours; None where nothing is queued."""
    while (job := Job.objects.filter(state=JobState.QUEUED).order_by("created_at", "pk").first()) is not None:
        now = timezone.now()
        claimed = Job.objects.filter(pk=job.pk, state=JobState.QUEUED).update(
            state=JobState.RUNNING,
            claim=uuid4(),
            attempts=F("attempts") + 1,
            started_at=now,
            heartbeat_at=now,
            leased_until=now + LEASE,
            step="",
            step_started_at=None,
            done=0,
            total=0,
        )
        if claimed:
            job.refresh_from_db()
            return job
    return None


def run(job: Job) -> None:
    """Do the work of a claimed job and store how it ended, unless the job was given on meanwhile."""
    held = Job.objects.filter(pk=job.pk, claim=job.claim)
    try:
        with RunningJob(job) as running:
            result = kinds()[job.kind].work(running)
    except RefusedError as error:
        _finish(held, JobState.FAILED, error=str(error))
    except JobCancelledError:
        _finish(held, JobState.CANCELLED)
    except JobLostError:
        logger.warning("Job %s stood still for longer than its lease and was given on.", job.uuid)
    except (WorkerStopsError, KeyboardInterrupt, SystemExit) as error:
        # Nobody died over it, so the attempt does not count.
        held.update(**PUT_BACK, attempts=F("attempts") - 1)
        if not isinstance(error, WorkerStopsError):
            raise
    except (OperationalError, InterfaceError):
        # The database is away, or locked for long. The lease runs out, and then there is another attempt.
        logger.exception("Job %s lost its database.", job.uuid)
    except Exception as error:
        logger.exception("Job %s failed.", job.uuid)
        _finish(
            held, JobState.FAILED, error=f"The program failed ({type(error).__name__}), its log says more."
        )
    else:
        _finish(held, JobState.DONE, result=result, done=F("total"))
    finally:
        give_back()


def sweep() -> None:
    """Put back, or give up, what dead workers left running, and wake workers for what is queued."""
    now = timezone.now()
    for job in Job.objects.filter(state=JobState.RUNNING, leased_until__lt=now):
        abandoned = Job.objects.filter(pk=job.pk, claim=job.claim, leased_until__lt=now)
        if job.cancel_requested:
            _finish(abandoned, JobState.CANCELLED)
        elif job.attempts < MOST_ATTEMPTS:
            abandoned.update(**PUT_BACK)
        else:
            _finish(
                abandoned,
                JobState.FAILED,
                error=f"It was begun {job.attempts} times; each time its worker died or lost the database.",
            )
    if Job.objects.filter(state=JobState.QUEUED).exists():
        wake_a_worker()


def _finish(jobs: QuerySet[Job], state: JobState, **outcome: Any) -> None:
    job = jobs.first()
    if job is None or not jobs.update(state=state, claim=None, finished_at=timezone.now(), **outcome):
        return  # It was given on, and somebody else finishes it.
    job.refresh_from_db()
    clear_up_behind(job)
