"""Real workers, in processes of their own, on the database and the broker of the tests."""

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from time import monotonic, sleep

import pytest
from django.db import connection
from django.utils import timezone

from jobs.models import Job, JobState
from tests.jobs.forked import be_celery

PATIENCE_SECONDS = 180
"""Nothing takes so long, but on a machine that has much else to do."""

FORKS = multiprocessing.get_context("forkserver")
# Most of a worker's start is imports. These need no settings, of which each worker has its own.
FORKS.set_forkserver_preload(
    [
        "analysis.analyses.metrics.metrics_people",
        "analysis.analyses.systems.ranking",
        "analysis.analyses.planning.when_to_stop",
        "celery.apps.worker",
        "celery.bin.celery",
        "celery.concurrency.solo",
        "celery.worker.consumer",
        "figures.systems.ranking",
    ]
)

ARGUMENTS = ("worker", "--without-gossip", "--without-mingle", "--without-heartbeat")


class Worker:
    """A Celery worker."""

    app = "config"

    def __init__(self, environment: dict[str, str]) -> None:
        self._process = FORKS.Process(
            target=be_celery,
            args=(
                ["--quiet", "-A", self.app, *ARGUMENTS],
                {
                    **os.environ,
                    "DATABASE_URL": database_url(),
                    "DJANGO_SETTINGS_MODULE": "tests.settings",
                    **environment,
                },
            ),
        )
        self._process.start()

    def kill(self) -> None:
        """Kill the process, like `kill -9` or a machine that runs out of memory."""
        self._process.kill()
        self._process.join()

    @property
    def pid(self) -> int:
        """The number of its process."""
        assert self._process.pid
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        return self._process.is_alive()


class HeldWorker(Worker):
    """A worker that stands still within a step of its job: see `tests.jobs.held_worker`."""

    app = "tests.jobs.held_worker"

    def __init__(self, environment: dict[str, str]) -> None:
        self.file = Path(environment["HOLD_FILE"])
        super().__init__(environment)

    def wait_for_the_step(self) -> None:
        """Return when it stands still."""
        wait_until(self.file.exists, "the step to hold at")

    def freeze(self) -> None:
        """Stop its threads as well, which renew the job's lease."""
        os.kill(self.pid, signal.SIGSTOP)

    def wake_up(self) -> None:
        """Let it go on after `freeze`."""
        self.go_on()
        os.kill(self.pid, signal.SIGCONT)

    def go_on(self) -> None:
        """Let it go on with its step."""
        self.file.unlink()

    def end(self) -> None:
        """Ask it to end, as `make run` does, and let it."""
        self._process.terminate()
        if self.file.exists():
            self.go_on()
        self._process.join(timeout=PATIENCE_SECONDS)
        assert not self.is_alive


@contextmanager
def worker(**environment: str) -> Iterator[Worker]:
    """A worker, dead at the end of the block."""
    started = Worker(environment)
    try:
        yield started
    finally:
        started.kill()


@contextmanager
def held_worker(
    folder: Path, *, step: str, after: int = 0, on_entry: bool = False, **environment: str
) -> Iterator[HeldWorker]:
    """A worker that stands still within this step when the block begins.

    It does so `after` so many reports of progress, or `on_entry` to the step.
    """
    held = {"HOLD_AT": step, "HOLD_AFTER": str(after), "HOLD_FILE": str(folder / "held"), **environment}
    started = HeldWorker(held | {"HOLD_ON_ENTRY": "1"} if on_entry else held)
    try:
        started.wait_for_the_step()
        yield started
    finally:
        started.kill()


def database_url() -> str:
    """The address of the tests' database."""
    database = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{database['NAME']}"
    place = f"{database['HOST']}:{database['PORT'] or 5432}/{database['NAME']}"
    return f"postgres://{database['USER']}:{database['PASSWORD']}@{place}"


def wait_until(condition: Callable[[], bool], what: str) -> None:
    """Look at the condition every few milliseconds."""
    deadline = monotonic() + PATIENCE_SECONDS
    while not condition():
        if monotonic() > deadline:
            pytest.fail(f"{what} did not come true; the jobs are {list(Job.objects.values())}")
        sleep(0.005)


def wait_for_the_end(job: Job) -> Job:
    """The job when it is finished."""
    wait_until(lambda: Job.objects.get(pk=job.pk).is_finished, "the end of the job")
    job.refresh_from_db()
    return job


def run_out(job: Job) -> None:
    """The lease of the dead worker ends now, and not in a minute."""
    wait_until(_nobody_else_is_served, "the end of what the dead worker had asked of the database")
    running = Job.objects.filter(pk=job.pk, state=JobState.RUNNING)
    assert running.update(leased_until=timezone.now() - timedelta(seconds=1)) == 1


def _nobody_else_is_served() -> bool:
    if connection.vendor == "sqlite":
        return True
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_clear_snapshot()")  # Else a transaction always sees the same.
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
            " AND backend_type = 'client backend' AND pid <> pg_backend_pid() AND state = 'active'"
        )
        return bool(cursor.fetchone() == (0,))
