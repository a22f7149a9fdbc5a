"""Signs of life of job workers, in the database, so that web servers on other machines see them."""

import os
import socket
from datetime import datetime, timedelta

from django.utils import timezone

from jobs.models import WorkerSign

FORGOTTEN_AFTER = timedelta(days=1)
SILENT_FOR = timedelta(minutes=3)
"""A worker without a sign of life for this long is considered dead."""


def give_sign() -> None:
    """Store that this worker is alive, and forget workers that have been silent for a day."""
    now = timezone.now()
    WorkerSign.objects.update_or_create(
        worker=f"{socket.gethostname()[:80]}:{os.getpid()}", defaults={"at": now}
    )
    WorkerSign.objects.filter(at__lt=now - FORGOTTEN_AFTER).delete()


def living_workers() -> int:
    """The number of workers that have given a sign of life lately."""
    return WorkerSign.objects.filter(at__gt=timezone.now() - SILENT_FOR).count()


def last_sign() -> datetime | None:
    """The time of the last sign of life of any worker; None if there was none within a day."""
    return WorkerSign.objects.order_by("-at").values_list("at", flat=True).first()
