"""Floor 5: settings, URLs and start-up."""

from config.celery import app as celery_app

__all__ = ["celery_app"]
