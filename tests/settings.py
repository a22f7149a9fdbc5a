"""The settings of the tests: the real ones, without what only costs tests time.

Nothing here is shared with a running instance or with another test process: each process, and what it starts,
has a folder of its own in place of `var/`. Only machine code is kept from run to run.
"""

import os
import tempfile
from hashlib import sha256
from pathlib import Path

PROCESS = os.environ.get("PYTEST_XDIST_WORKER", "main")
FOLDER = Path(os.environ.get("TESTS_DIR") or tempfile.mkdtemp(prefix="assay-tests-"))
os.environ["TESTS_DIR"] = str(FOLDER)  # Inherited by the processes that this one starts.
os.environ["VAR_DIR"] = str(FOLDER / PROCESS)

# Numba notices a change in the file of a compiled function, which uses nothing of another file (see
# tests/ranking/test_compilation.py), but none in how functions are compiled.
COMPILATION = sha256((Path(__file__).parents[1] / "ranking" / "compilation.py").read_bytes()).hexdigest()[:16]
os.environ.setdefault("NUMBA_CACHE_DIR", str(Path.home() / ".cache" / "assay-tests" / COMPILATION))

from config.settings import *  # noqa: E402, F403
from config.settings import BASE_DIR, DATABASES, STORAGES, TEMPLATES, VAR_DIR  # noqa: E402

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]

# A connection that outlives its request would keep the test database from being dropped.
DATABASES["default"]["CONN_MAX_AGE"] = 0

# A test database need not survive a power cut, so nothing waits for the disk.
if DATABASES["default"]["ENGINE"] == "config.sqlite_queue":
    # A file, as in real life: threads of a database in memory would share one connection. The first name is
    # what the live server goes by where it starts before the test database is made.
    if DATABASES["default"]["NAME"] == ":memory:":
        DATABASES["default"]["NAME"] = VAR_DIR / "never-made.sqlite3"
    DATABASES["default"]["TEST"] = {"NAME": VAR_DIR / "tests.sqlite3"}
    # A dozen threads may queue for the lock on a machine that has other things to do.
    DATABASES["default"]["OPTIONS"] |= {
        "timeout": 300,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF;",
    }
else:
    DATABASES["default"]["OPTIONS"] |= {"options": "-c synchronous_commit=off"}

# Workers of tests compute what a test asked for.
ANSWERS_BY_THEMSELVES = False

UPLOADS_DIR = VAR_DIR / "uploads"
SNAPSHOTS_DIR = VAR_DIR / "snapshots"

# Workers of tests leave alone what others wait for.
CELERY_TASK_DEFAULT_QUEUE = f"assay-tests-{FOLDER.name}-{PROCESS}"

# With the templates of toy protocols: to change this setting for a test has all templates compiled again.
TEMPLATES[0]["DIRS"] = [BASE_DIR / "templates", BASE_DIR / "tests" / "annotate" / "templates"]

# Pages name static files as they are, so that no test needs `collectstatic` before it.
STORAGES = {
    **STORAGES,
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = True  # Else each new client of a test looks at all files first.
STATIC_ROOT = VAR_DIR / "static"
STATIC_ROOT.mkdir(exist_ok=True)

# The tables of the tests are made from the models, in a tenth of the time that the migrations take;
# `tests.upgrade` shows that these lead to the same tables.
DATABASES["default"].setdefault("TEST", {})["MIGRATE"] = False
