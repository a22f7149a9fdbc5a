"""Real workers, in processes of their own, on the database and the broker of the tests."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from time import monotonic, sleep

import pytest
from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone

from jobs.models import Job, JobState

PATIENCE_SECONDS = 180
"""Nothing takes so long, but on a machine that has much else to do."""

ARGUMENTS = ("-A", "config", "worker", "--without-gossip", "--without-mingle", "--without-heartbeat")


class Worker:
    """A Celery worker."""

    def __init__(self, environment: dict[str, str]) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "celery", "--quiet", *ARGUMENTS],
            cwd=settings.BASE_DIR,
            env={
                **os.environ,
                "DATABASE_URL": database_url(),
                "DJANGO_SETTINGS_MODULE": "tests.settings",
                **environment,
            },
            stderr=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )

    def kill(self) -> None:
        """As `kill -9` does, or a machine without memory."""
        self.process.kill()
        self.process.wait()

    def freeze(self) -> None:
        """Put it to sleep, just where it is."""
        self.process.send_signal(signal.SIGSTOP)

    def wake_up(self) -> None:
        """Let it go on after `freeze`."""
        self.process.send_signal(signal.SIGCONT)

    def ask_to_end(self) -> None:
        """As `make run` does."""
        self.process.terminate()

    @property
    def is_alive(self) -> bool:
        return self.process.poll() is None


@contextmanager
def worker(**environment: str) -> Iterator[Worker]:
    """A worker, dead at the end of the block."""
    started = Worker(environment)
    try:
        yield started
    finally:
        started.kill()


def database_url() -> str:
    """Where the tests keep their rows."""
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


def kill_in_the_middle(
    victim: Worker, job: Job, *, step: str, when: Callable[[], bool] = lambda: True
) -> None:
    """Kill the worker at this step of the job, when something is there to be seen.

    It is let go on for moments only, and sleeps while we look, so that it cannot come to the end meanwhile.
    """

    def caught() -> bool:
        victim.freeze()
        row = Job.objects.get(pk=job.pk)
        assert not row.is_finished, "the job was faster"
        if row.step == step and when():
            victim.kill()
            return True
        victim.wake_up()
        return False

    wait_until(caught, f"the step {step!r}")


def while_it_waits(happens: Callable[[], None], job: Job, *, step: str) -> None:
    """Something happens when the worker is at this step and waits for the row, which we hold."""

    def caught() -> bool:
        with transaction.atomic():
            row = Job.objects.select_for_update().get(pk=job.pk)
            assert not row.is_finished, "the job was faster"
            if row.step != step:
                return False
            wait_until(_others_wait, "the worker's wait for us")
            happens()
            return True

    wait_until(caught, f"the step {step!r}")


def run_out(job: Job) -> None:
    """The lease of the dead worker ends now, and not in a minute."""
    wait_until(_nobody_else_is_served, "the end of what the dead worker had asked of the database")
    running = Job.objects.filter(pk=job.pk, state=JobState.RUNNING)
    assert running.update(leased_until=timezone.now() - timedelta(seconds=1)) == 1


def _others_wait() -> bool:
    """Whether somebody waits for a lock, and nobody else has a transaction open."""
    if connection.vendor == "sqlite":
        return True  # There is one lock for all who write, and we have it.
    others = _others()
    return any(wait == "Lock" for _, wait in others) and all(
        state == "idle" or wait == "Lock" for state, wait in others
    )


def _nobody_else_is_served() -> bool:
    return connection.vendor == "sqlite" or all(state != "active" for state, _ in _others())


def _others() -> list[tuple[str, str | None]]:
    """Of whom else PostgreSQL serves in this database: the state, and what kind of thing they wait for."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_clear_snapshot()")  # Else a transaction always sees the same.
        cursor.execute(
            "SELECT state, wait_event_type FROM pg_stat_activity WHERE datname = current_database()"
            " AND backend_type = 'client backend' AND pid <> pg_backend_pid()"
        )
        others: list[tuple[str, str | None]] = cursor.fetchall()
    return others
