"""The worker's side of the broker: messages wake it, and a thread sweeps every minute."""

import logging
from threading import Thread
from time import monotonic

from celery import shared_task
from celery.signals import worker_init, worker_ready, worker_shutting_down
from django.db import connection

from jobs import memory
from jobs.priority import give_way
from jobs.queue import WORK
from jobs.shutdown import stopping
from jobs.signals import daily, every_minute
from jobs.signs import give_sign
from jobs.starting_anew import is_worker
from jobs.worker import run_queued_jobs, sweep

SWEEP_EVERY_SECONDS = 60
SECONDS_A_DAY = 24 * 60 * 60

logger = logging.getLogger(__name__)


@shared_task(name=WORK, ignore_result=True)  # type: ignore[untyped-decorator]
def work() -> None:
    """Run queued jobs."""
    run_queued_jobs()


def _set_up(**about: object) -> None:
    is_worker()
    give_way()
    memory.share_one_arena(memory.LARGE_IN_JOBS)


def _stop(**about: object) -> None:
    stopping.set()


def _sweep_from_now_on(**about: object) -> None:
    """Sweep at worker start and every minute; in a thread, because messages can be lost."""
    Thread(target=sweep_every_minute, name="sweeper", daemon=True).start()


def sweep_every_minute() -> None:
    """Sweep and send `every_minute` until the worker stops, despite errors; once a day send `daily` too."""
    chores_at = monotonic()
    while True:
        try:
            give_sign()
            sweep()
            every_minute.send(sender=None)
            if monotonic() >= chores_at:
                chores_at = monotonic() + SECONDS_A_DAY
                daily.send(sender=None)
        except Exception:
            logger.exception("A sweep failed; the next one is in a minute.")
        finally:
            connection.close()
        if stopping.wait(SWEEP_EVERY_SECONDS):
            return


worker_init.connect(_set_up)
worker_ready.connect(_sweep_from_now_on)
worker_shutting_down.connect(_stop)
