"""Queueing a job does not wait for a broker that takes connections and then says nothing."""

import os
import socket
import subprocess
import sys

from django.conf import settings

PROGRAM = """
from time import monotonic
import django
django.setup()
import config.celery
from jobs.queue import wake_a_worker
wake_a_worker()
began = monotonic()
wake_a_worker()
print(monotonic() - began)
"""
WITHIN_SECONDS = 4
"""Two attempts of a second each, on a machine that has other things to do."""


def test_a_page_that_queues_a_job_is_there_within_seconds() -> None:
    with socket.create_server(("127.0.0.1", 0)) as broker:
        run = subprocess.run(
            [sys.executable, "-c", PROGRAM],
            cwd=settings.BASE_DIR,
            env={
                **os.environ,
                "DJANGO_SETTINGS_MODULE": "tests.settings",
                "CELERY_BROKER_URL": f"redis://127.0.0.1:{broker.getsockname()[1]}/0",
            },
            capture_output=True,
            text=True,
            check=True,
        )
    assert float(run.stdout) < WITHIN_SECONDS
    assert "queued jobs start when it is back" in run.stderr
