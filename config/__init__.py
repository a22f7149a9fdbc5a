"""Settings, URLs and start-up."""

import os

# Several processes share the cores, and matrices here are small: more threads take twice the processor time
# for the same products. NumPy reads it when it is loaded.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from config.celery import app as celery_app

__all__ = ["celery_app"]
