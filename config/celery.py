"""The Celery app: `celery -A config worker` starts a worker, `CELERY_BROKER_URL` names its broker."""

import os

from celery import Celery
from celery.signals import setup_logging
from kombu.transport import TRANSPORT_ALIASES

TRANSPORT_ALIASES["filesystem"] = "config.folder_broker:Transport"
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
app = Celery("assay")
app.config_from_object("django.conf:settings", namespace="CELERY")


def _log_as_django(**about: object) -> None:
    """The log is Django's, set up with it: Celery sets up its own only if nobody answers this signal."""


setup_logging.connect(_log_as_django)
