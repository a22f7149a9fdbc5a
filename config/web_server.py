"""gunicorn's settings, wherever Assay is served: `gunicorn config.wsgi --config python:config.web_server`."""

import os

from django.conf import settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

worker_class = "config.web_worker.BufferedWorker"
workers = 2
threads = 4
# A new worker is a fork of the master, so a killed one is replaced within a moment.
preload_app = True
# Limit between two heartbeats of a worker, and between two pieces of a response.
timeout = 60
# Less than the time that `config.side_by_side` allows the server to end.
graceful_timeout = 8
# The same log as Django's.
logconfig_dict = settings.LOGGING | {
    "loggers": settings.LOGGING["loggers"]
    | {name: {"propagate": True, "handlers": []} for name in ("gunicorn.error", "gunicorn.access")}
}
