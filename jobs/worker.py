"""Workers claim jobs, run them, and requeue those of dead workers."""

import logging
from functools import partial
from uuid import uuid4

from django.db import InterfaceError, OperationalError
from django.db.models import Case, F, QuerySet, When
from django.utils import timezone

from jobs import memory
from jobs.kinds import clear_up_behind, kinds
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
from jobs.shutdown import stopping
from jobs.starting_anew import start_anew

MOST_ATTEMPTS = 3
PUT_BACK = {"state": JobState.QUEUED, "claim": None, "leased_until": None}

logger = logging.getLogger(__name__)


def run_queued_jobs() -> None:
    """Run one job after the other until none is queued."""
    while not stopping.is_set() and (job := claim_next()) is not None:
        run(job)


def claim_next() -> Job | None:
    """Claim the oldest queued job of those that go first, or else of all; None if nothing is queued."""
    go_first = [name for name, kind in kinds().items() if kind.goes_first]
    turn = Case(When(kind__in=go_first, then=0), default=1)
    waiting = Job.objects.filter(state=JobState.QUEUED).order_by(turn, "created_at", "pk")
    while (job := waiting.first()) is not None:
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
    """Do the work of a claimed job and store its outcome, unless another worker has taken it over."""
    held = Job.objects.filter(pk=job.pk, claim=job.claim)
    try:
        with RunningJob(job, partial(_end_cancelled, held)) as running:
            result = kinds()[job.kind].work(running)
    except RefusedError as error:
        _finish(held, JobState.FAILED, error=str(error))
    except JobCancelledError:
        _finish(held, JobState.CANCELLED)
    except JobLostError:
        logger.warning("Job %s made no progress for longer than its lease and was taken over.", job.uuid)
    except (WorkerStopsError, KeyboardInterrupt, SystemExit) as error:
        # The worker did not die, so the attempt does not count.
        held.update(**PUT_BACK, attempts=F("attempts") - 1)
        if not isinstance(error, WorkerStopsError):
            raise
    except (OperationalError, InterfaceError):
        # The database is not available, or locked for long. The lease expires, and then there is another
        # attempt.
        logger.exception("Job %s lost its database connection.", job.uuid)
    except Exception as error:
        logger.exception("Job %s failed.", job.uuid)
        _finish(
            held,
            JobState.FAILED,
            error=f"Internal error ({type(error).__name__}); the server's log has details.",
        )
    else:
        _finish(held, JobState.DONE, result=result, done=F("total"))
    finally:
        memory.give_back()


def sweep() -> None:
    """Requeue or fail the jobs of dead workers, and wake workers for queued jobs."""
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
                error=f"It was started {job.attempts} times; each time its worker died or lost the database.",
            )
    if Job.objects.filter(state=JobState.QUEUED).exists():
        wake_a_worker()


def _end_cancelled(held: QuerySet[Job]) -> None:
    """End a job whose work has not noticed that it was cancelled, and if possible the work as well."""
    job = _finish(held, JobState.CANCELLED)
    if job is not None and kinds()[job.kind].only_computes:
        start_anew()


def _finish(jobs: QuerySet[Job], state: JobState, **outcome: object) -> Job | None:
    """The job, which has now ended; None if another worker has taken it over and finishes it."""
    job = jobs.first()
    if job is None or not jobs.update(state=state, claim=None, finished_at=timezone.now(), **outcome):
        return None
    job.refresh_from_db()
    clear_up_behind(job)
    return job
