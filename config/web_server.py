"""gunicorn's settings, wherever Assay is served: `gunicorn config.wsgi --config python:config.web_server`."""

import os
from typing import Any

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
# Nobody uses it, and the sites of a machine would share it.
control_socket_disable = True
loglevel = "warning"
# The same log as Django's.
_ITS_OWN = {name: {"propagate": True, "handlers": []} for name in ("gunicorn.error", "gunicorn.access")}
_LOGGING: dict[str, Any] = settings.LOGGING
logconfig_dict = {**_LOGGING, "loggers": {**_LOGGING["loggers"], **_ITS_OWN}}
