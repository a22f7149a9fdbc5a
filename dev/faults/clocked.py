"""Assay with an adjustable clock: `gunicorn dev.faults.clocked`, `celery -A dev.faults.clocked`."""

import os
import sys
from datetime import datetime
from pathlib import Path

from django.utils import timezone

from dev.faults.clock import seconds_ahead

_true_time = timezone.now
_role = "jobs" if "celery" in Path(sys.argv[0]).name else "web"


def now() -> datetime:
    """The time by the adjusted clock."""
    return _true_time() + seconds_ahead(Path(os.environ["FAULTS_CLOCK"]), os.getpid(), _role)


timezone.now = now  # Before the models are imported, because they keep a reference.

from config.celery import app  # noqa: E402
from config.wsgi import application  # noqa: E402

__all__ = ["app", "application"]
