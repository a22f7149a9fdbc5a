"""A worker starts anew, to be free of work that cannot be stopped otherwise."""

import logging
import os
import sys

from django.db import connection

from jobs.shutdown import stopping

_command: list[str] = []
"""What starts this process; empty where it is no worker."""

logger = logging.getLogger(__name__)


def is_worker() -> None:
    """This process is a worker, started by the command `celery` or a module with its arguments."""
    _command[:] = [sys.executable, "-m", "celery", *sys.argv[1:]]


def start_anew() -> None:
    """Replace the worker by a fresh one with the same process id; elsewhere, or while it stops, do nothing.

    It may be called from any thread. The database keeps queued jobs, and undoes open transactions.
    """
    if not _command or stopping.is_set():
        return
    logger.info("The worker starts anew, because a cancelled job did not notice that it was cancelled.")
    connection.close()
    sys.stdout.flush()
    sys.stderr.flush()
    os.execv(_command[0], _command)  # noqa: S606  # the command that started this process
