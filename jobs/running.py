"""A job as the function sees it that does the work: its parameters, and how to tell how far it is."""

from datetime import timedelta
from threading import Event, Thread
from time import monotonic
from types import TracebackType
from typing import Any
from uuid import UUID

from django.db import DatabaseError, connection
from django.utils import timezone

from jobs.models import Job
from jobs.refusals import RefusedError
from jobs.stopping import stopping

LEASE = timedelta(seconds=60)
"""A worker that has not been heard of for so long is dead, or as good as dead."""

BEAT_SECONDS = 10
TOLD_EVERY_SECONDS = 0.5


class JobFailedError(RefusedError):
    """The work cannot be done; the message tells the owner why. It is not tried again."""


class JobCancelledError(Exception):
    """Somebody asked for an end of the job."""


class JobLostError(Exception):
    """The lease ran out and the job was given on: whatever is done now, somebody else does."""


class WorkerStopsError(Exception):
    """The worker is shut down; the job will be begun anew."""


class RunningJob:
    """A claimed job. While the block lasts, a thread of its own renews the lease.

    Attributes:
        uuid: of the job; what the job stores may carry it, so that a rerun knows what is its own.
        parameters: what to do, as JSON.
        owner: who asked for it; None if the account is gone.
        is_rerun: whether a process died over this job before, and may have left something behind.
    """

    def __init__(self, job: Job) -> None:
        self.uuid: UUID = job.uuid
        self.parameters: dict[str, Any] = job.parameters
        self.owner = job.owner
        self.is_rerun: bool = job.attempts > 1
        self._held = Job.objects.filter(pk=job.pk, claim=job.claim, state=job.state)
        self._done = 0
        self._told_at = monotonic()
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
        """Say what comes now, and of how many parts it is, where that is known.

        Raises:
            JobCancelledError, JobLostError, WorkerStopsError: to be let through.
        """
        self._done = 0
        self._tell(step=step, step_started_at=timezone.now(), total=total)

    def advance(self, parts: int) -> None:
        """Say that so many more parts are done. It is cheap to say so often.

        Raises:
            JobCancelledError, JobLostError, WorkerStopsError: to be let through.
        """
        self._done += parts
        if monotonic() - self._told_at >= TOLD_EVERY_SECONDS:
            self._tell()

    def _tell(self, **news: Any) -> None:
        self._told_at = monotonic()
        if not self._renew(done=self._done, **news):
            raise JobLostError
        if self._held.filter(cancel_requested=True).exists():
            raise JobCancelledError
        if stopping.is_set():
            raise WorkerStopsError

    def _renew(self, **news: Any) -> bool:
        now = timezone.now()
        return self._held.update(heartbeat_at=now, leased_until=now + LEASE, **news) == 1

    def _beat(self) -> None:
        """Renew the lease until the work is over; a database that is away just now is tried again."""
        try:
            while not self._over.wait(BEAT_SECONDS):
                try:
                    self._renew()
                except DatabaseError:
                    connection.close()
        finally:
            connection.close()
