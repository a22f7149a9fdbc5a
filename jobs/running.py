"""A job as seen by the function that does the work: its parameters, and progress reports."""

from collections.abc import Callable
from datetime import timedelta
from threading import Event, Thread
from time import monotonic
from types import TracebackType
from typing import Any
from uuid import UUID

from django.db import DatabaseError, connection
from django.utils import timezone

from core.progress import Progress
from jobs import memory
from jobs.models import Job, JobState
from jobs.refusals import RefusedError
from jobs.shutdown import stopping

LEASE = timedelta(seconds=60)
"""A worker without a heartbeat for this long is considered dead."""

BEAT_SECONDS = 10
REPORT_EVERY_SECONDS = 0.5

LISTEN_SECONDS = 0.75
"""Work that has not reported for up to twice this after a user cancelled is cancelled without its help."""


class JobFailedError(RefusedError):
    """The work cannot be done; the message is for the owner. It is not tried again."""


class JobCancelledError(Exception):
    """A user cancelled the job."""


class JobLostError(Exception):
    """The lease expired and another worker has taken over the job."""


class WorkerStopsError(Exception):
    """The worker is being shut down; the job will be restarted."""


class RunningJob(Progress):
    """A claimed job. Within the block, a thread renews the lease and listens for a user who cancels.

    Work usually notices that it was cancelled, by reporting. If it does not for too long, the thread ends the
    job: its owner sees it cancelled. A worker whose job only computes then starts anew; others are free as
    soon as the work reports or ends.

    Attributes:
        uuid: of the job; stored objects may carry it, so that a rerun recognises its own.
        claim: of this worker on the job; another worker that takes it over has another one.
        parameters: what to do, as JSON.
        owner: the user who started it; None if the account was deleted.
        is_rerun: whether a process died over this job before, and may have left something behind.
    """

    def __init__(self, job: Job, end_cancelled: Callable[[], None]) -> None:
        """`end_cancelled` stores that the job was cancelled, and ends the work if it can."""
        self.uuid: UUID = job.uuid
        self.claim = job.claim
        self.parameters: dict[str, Any] = job.parameters
        self.owner = job.owner
        self.is_rerun: bool = job.attempts > 1
        self._held = Job.objects.filter(pk=job.pk, claim=job.claim, state=job.state)
        self._end_cancelled = end_cancelled
        self._done = 0
        self._reported_at = monotonic()
        self._over = Event()
        self._heart = Thread(target=self._beat, name=f"heart of {job.uuid}", daemon=True)

    def __enter__(self) -> "RunningJob":
        self._heart.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        self._heart.join()

    def begin(self, step: str, *, total: int = 0) -> None:
        """Report the next step, and its number of parts if known.

        Raises:
            JobCancelledError, JobLostError, WorkerStopsError: must not be caught by the caller.
        """
        self._done = 0
        memory.trim()
        self._report(step=step, step_started_at=timezone.now(), total=total)

    def advance(self, parts: int) -> None:
        """Report that this many more parts are done. Frequent calls are cheap.

        Raises:
            JobCancelledError, JobLostError, WorkerStopsError: must not be caught by the caller.
        """
        self._done += parts
        if monotonic() - self._reported_at >= REPORT_EVERY_SECONDS:
            self._report()

    def renew(self) -> None:
        """Renew the lease now. Within a transaction, no other worker takes the job over before its end.

        Raises:
            JobCancelledError, JobLostError, WorkerStopsError: must not be caught by the caller.
        """
        self._report()

    def _report(self, **news: object) -> None:
        self._reported_at = monotonic()
        if not self._renew(done=self._done, **news):
            cancelled = Job.objects.filter(uuid=self.uuid, state=JobState.CANCELLED)
            raise JobCancelledError if cancelled.exists() else JobLostError
        if self._held.filter(cancel_requested=True).exists():
            raise JobCancelledError
        if stopping.is_set():
            raise WorkerStopsError

    def _renew(self, **news: object) -> bool:
        now = timezone.now()
        return self._held.update(heartbeat_at=now, leased_until=now + LEASE, **news) == 1

    def _beat(self) -> None:
        """Renew the lease and listen until the work is over; retries if the database is not available."""
        renewed_at, was_cancelled = monotonic(), False
        try:
            while not self._over.wait(LISTEN_SECONDS):
                try:
                    if was_cancelled:
                        self._end_cancelled()
                        return
                    was_cancelled = self._held.filter(cancel_requested=True).exists()
                    if monotonic() - renewed_at >= BEAT_SECONDS:
                        self._renew()
                        renewed_at = monotonic()
                except DatabaseError:
                    connection.close()
        finally:
            connection.close()
