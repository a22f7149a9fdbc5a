"""The faults. Each is a context manager: entering it causes the fault, leaving it cleans up."""

import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass, field
from time import monotonic, sleep

from django.conf import settings

from annotate.models import Corpus
from config.sqlite_queue.base import Queue
from dev.benchmarks.slow_clients import slow_clients
from dev.faults.campaign import LaunchJob
from dev.faults.services import Disk, Postgres, Redis, wait_until
from dev.faults.site import Site, kill

SLOW_CLIENTS = 100
HOUR = 3600
FULL_SECONDS = 4
AWAY_SECONDS = 12
QUEUED_WITHIN_SECONDS = 5
JOB_SECONDS = 150
"""A job whose message is lost is started by the next sweep, within a minute."""


@dataclass
class Scene:
    """Access to the parts of the site for a fault.

    Attributes:
        notes: remarks on the course of the fault.
        troubles: problems other than with answers.
    """

    site: Site
    corpus: Corpus
    postgres: Postgres | None = None
    redis: Redis | None = None
    disk: Disk | None = None
    notes: list[str] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)

    def expect(self, job: LaunchJob) -> None:
        """Note what is wrong with a job."""
        if trouble := job.trouble(JOB_SECONDS):
            self.troubles.append(trouble)


Fault = Callable[[Scene], AbstractContextManager[None]]


@contextmanager
def web_worker_killed(scene: Scene) -> Iterator[None]:
    """SIGKILL for one of the processes that answer requests."""
    kill(scene.site.web_workers()[0])
    yield


@contextmanager
def web_master_killed(scene: Scene) -> Iterator[None]:
    """SIGKILL for the process of gunicorn that starts the others."""
    kill(scene.site.web_master())
    yield


@contextmanager
def job_worker_killed(scene: Scene) -> Iterator[None]:
    """SIGKILL for the job worker in the middle of a job; the clock is then set past the job's lease."""
    job = LaunchJob(scene.corpus)
    if not wait_until(job.has_begun):
        scene.troubles.append("The job has not begun.")
    worker = scene.site.job_worker()
    scene.site.set_clock(jobs=120)
    kill(worker)
    yield
    scene.expect(job)
    scene.site.set_clock()


@contextmanager
def postgres_restarted(scene: Scene) -> Iterator[None]:
    """An orderly restart, which cuts every connection."""
    assert scene.postgres is not None
    scene.postgres.stop("fast")
    scene.postgres.start()
    yield


@contextmanager
def postgres_crashed(scene: Scene) -> Iterator[None]:
    """SIGKILL for all its processes, and a start with recovery from the log."""
    assert scene.postgres is not None
    for process in scene.postgres.processes():
        kill(process)
    scene.postgres.start()
    yield


@contextmanager
def postgres_away(scene: Scene) -> Iterator[None]:
    """SIGKILL for all its processes, and nobody starts it for some seconds."""
    assert scene.postgres is not None
    for process in scene.postgres.processes():
        kill(process)
    sleep(AWAY_SECONDS)
    scene.postgres.start()
    yield


@contextmanager
def postgres_hung(scene: Scene) -> Iterator[None]:
    """All its processes are stopped for some seconds (SIGSTOP): connections stay open and unanswered."""
    assert scene.postgres is not None
    with scene.postgres.hung():
        sleep(AWAY_SECONDS)
    yield


@contextmanager
def postgres_full(scene: Scene) -> Iterator[None]:
    """Others take all its connections for some seconds; those of the site are cut."""
    assert scene.postgres is not None
    with scene.postgres.without_connections():
        sleep(AWAY_SECONDS)
    yield


@contextmanager
def postgres_process_crashed(scene: Scene) -> Iterator[None]:
    """SIGKILL for one of its processes, after which PostgreSQL restarts all of them itself."""
    assert scene.postgres is not None
    kill(scene.postgres.processes()[-1])
    yield


@contextmanager
def redis_restarted(scene: Scene) -> Iterator[None]:
    """SIGKILL for Redis, and an empty one in its place; a job that is queued meanwhile is still done."""
    assert scene.redis is not None
    scene.redis.kill()
    job = LaunchJob(scene.corpus)
    scene.redis.start()
    yield
    scene.expect(job)


@contextmanager
def redis_hung(scene: Scene) -> Iterator[None]:
    """Redis is stopped for some seconds (SIGSTOP); a job is queued at once all the same, and done later."""
    assert scene.redis is not None
    with scene.redis.hung():
        began = monotonic()
        job = LaunchJob(scene.corpus)
        if (seconds := monotonic() - began) > QUEUED_WITHIN_SECONDS:
            scene.troubles.append(f"Queueing a job took {seconds:.1f} s.")
        sleep(AWAY_SECONDS)
    yield
    scene.expect(job)


@contextmanager
def redis_flushed(scene: Scene) -> Iterator[None]:
    """Delete all data in Redis right after a job was queued; the job is still done."""
    assert scene.redis is not None
    job = LaunchJob(scene.corpus)
    scene.redis.flush()
    yield
    scene.expect(job)


@contextmanager
def sqlite_locked(scene: Scene) -> Iterator[None]:
    """Another program holds SQLite's lock for some seconds."""
    with sqlite3.connect(settings.DATABASES["default"]["NAME"], isolation_level=None) as other:
        other.execute("BEGIN IMMEDIATE")
        sleep(AWAY_SECONDS)
        other.execute("ROLLBACK")
    other.close()
    yield


@contextmanager
def sqlite_writer_hung(scene: Scene) -> Iterator[None]:
    """A process that is about to write is stopped for some seconds, and all other writers queue behind it."""
    with closing(Queue(str(settings.DATABASES["default"]["NAME"]))) as queue:
        queue.enter()
        sleep(AWAY_SECONDS)
    yield


@contextmanager
def disk_full(scene: Scene) -> Iterator[None]:
    """No disk space for the database for some seconds. If PostgreSQL stops because of it, restart it."""
    assert scene.disk is not None
    scene.notes.append(scene.disk.means)
    scene.disk.fill(_writers(scene))
    sleep(FULL_SECONDS)
    scene.disk.free(_writers(scene))
    if scene.postgres is not None and not scene.postgres.is_running():
        scene.postgres.start()
        scene.notes.append("PostgreSQL had stopped, and was started as a service manager would")
    yield


def _writers(scene: Scene) -> list[int]:
    if scene.postgres is None:
        return scene.site.processes()
    return scene.postgres.processes() if scene.postgres.is_running() else []


@contextmanager
def half_sent_requests(scene: Scene) -> Iterator[None]:
    """100 clients that send one byte per second, half of them in headers and half in bodies."""
    with slow_clients(scene.site.port, SLOW_CLIENTS):
        sleep(2)
        yield


@contextmanager
def clock_an_hour_ahead(scene: Scene) -> Iterator[None]:
    """Set the server's clock ahead by an hour: every lease expires at once."""
    scene.site.set_clock(web=HOUR)
    yield
    scene.site.set_clock()


@contextmanager
def clock_an_hour_behind(scene: Scene) -> Iterator[None]:
    """Set the server's clock back by an hour: leases last longer than intended."""
    scene.site.set_clock(web=-HOUR)
    yield
    scene.site.set_clock()


@contextmanager
def clocks_an_hour_apart(scene: Scene) -> Iterator[None]:
    """One of two web workers is an hour ahead of the other, and considers its leases expired."""
    scene.site.set_clock_of_one_worker(HOUR)
    yield
    scene.site.set_clock()


ANYWHERE: Mapping[str, Fault] = {
    "web worker killed": web_worker_killed,
    "web master killed": web_master_killed,
    "job worker killed": job_worker_killed,
    "half-sent requests": half_sent_requests,
    "clock an hour ahead": clock_an_hour_ahead,
    "clock an hour behind": clock_an_hour_behind,
    "clocks an hour apart": clocks_an_hour_apart,
}
SERVICES: Mapping[str, Fault] = {
    "PostgreSQL restarted": postgres_restarted,
    "PostgreSQL crashed": postgres_crashed,
    "a process of PostgreSQL crashed": postgres_process_crashed,
    "PostgreSQL away": postgres_away,
    "PostgreSQL hung": postgres_hung,
    "PostgreSQL without connections": postgres_full,
    "Redis restarted": redis_restarted,
    "Redis hung": redis_hung,
    "Redis flushed": redis_flushed,
}
EMBEDDED: Mapping[str, Fault] = {
    "SQLite locked": sqlite_locked,
    "a writer of SQLite hung": sqlite_writer_hung,
}
FULL: Mapping[str, Fault] = {"disk full": disk_full}
