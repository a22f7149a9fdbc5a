"""The settings of the tests: the real ones, without what only costs them time."""

import os

from config.settings import *  # noqa: F403
from config.settings import CACHES, DATABASES, STORAGES, VAR_DIR

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]

# A connection that outlives its request would keep the test database from being dropped.
DATABASES["default"]["CONN_MAX_AGE"] = 0

if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    # A file, as in real life: threads of a database in memory would share one connection.
    DATABASES["default"]["TEST"] = {"NAME": VAR_DIR / f"tests-{os.getpid()}.sqlite3"}
    # A dozen threads may queue for the lock on a machine that has other things to do.
    DATABASES["default"]["OPTIONS"]["timeout"] = 300

UPLOADS_DIR = VAR_DIR / "uploads-of-tests"
SNAPSHOTS_DIR = VAR_DIR / "snapshots-of-tests"

CACHES["throttling"]["LOCATION"] = VAR_DIR / "throttling-of-tests"

# Workers of tests leave alone what others wait for.
CELERY_TASK_DEFAULT_QUEUE = "assay-of-tests"

# Pages name static files as they are, so that no test needs `collectstatic` before it.
STORAGES = {
    **STORAGES,
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
WHITENOISE_USE_FINDERS = True
STATIC_ROOT = VAR_DIR / "static-of-tests"
STATIC_ROOT.mkdir(exist_ok=True)
