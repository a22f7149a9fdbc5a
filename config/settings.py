"""Settings, all from the environment, with safe defaults.

`docs/settings.md` explains each variable; a test fails when one is missing there.
"""

from pathlib import Path

import environ

from config.database_url import read_database_url
from config.secret_key import read_or_make_secret_key
from figures.page_font import source_of_style

BASE_DIR = Path(__file__).resolve().parent.parent
env = environ.Env()
env_file = BASE_DIR / ".env"
if env_file.is_file():
    env.read_env(env_file)

VAR_DIR = Path(env.str("VAR_DIR", default=str(BASE_DIR / "var"))).resolve()
VAR_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)

SECRET_KEY = env.str("SECRET_KEY", default="") or read_or_make_secret_key(VAR_DIR / "secret-key")
DEBUG = env.bool("DEBUG", default=False)
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
ENGLISH_PIPELINE = env.str("ENGLISH_PIPELINE", default="") or "assay_en_ewt"
TOKENISERS = env.dict("TOKENISERS", default={})
TAGGERS = env.dict("TAGGERS", default={})
GEC_METRICS_PYTHON = env.str("GEC_METRICS_PYTHON", default="")
GEC_METRICS_SECONDS = env.float("GEC_METRICS_SECONDS", default=600.0)
REFERENCE_DATA = Path(env.str("REFERENCE_DATA", default=str(BASE_DIR.parent / "shared" / "data")))

INSTALLED_APPS = [
    "config",
    "operation",
    "analysis",
    "annotate",
    "jobs",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
]

MIDDLEWARE = [
    "config.request_log.RequestIds",
    "django.middleware.security.SecurityMiddleware",
    "config.content_policy.ContentPolicy",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "annotate.web.interface_languages.english_first",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": False,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
            "builtins": ["django.templatetags.i18n", "annotate.templatetags.texts"],
            "libraries": {"texts": "annotate.templatetags.texts"},
        },
    }
]

# --- Database -------------------------------------------------------------------------------------

database_url = env.str("DATABASE_URL", default="") or f"sqlite:///{VAR_DIR / 'assay.sqlite3'}"
DATABASES = {"default": read_database_url(database_url)}
DATABASES["default"]["CONN_MAX_AGE"] = 60
DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    # Readers never wait for a writer (WAL), and writers queue instead of failing with "database is locked".
    DATABASES["default"]["ENGINE"] = "config.sqlite_queue"
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
    }
elif DATABASES["default"]["ENGINE"] == "django.db.backends.postgresql":
    DATABASES["default"]["ENGINE"] = "config.watched_postgres"
    DATABASES["default"]["OPTIONS"] = {
        # Nothing waits for long for a server whose machine has gone (requests: config/request_limits.py).
        "connect_timeout": 10,
        "keepalives_idle": 30,
        "keepalives_interval": 10,
        "keepalives_count": 3,
        "tcp_user_timeout": 30_000,
        **DATABASES["default"].get("OPTIONS", {}),
        # The queries of screens and answers are planned once per connection (annotate/judging/prepared.py).
        "prepare_threshold": 0,
    }
REQUEST_STATEMENT_SECONDS = env.int("REQUEST_STATEMENT_SECONDS", default=20)
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# --- Jobs -----------------------------------------------------------------------------------------

ANSWERS_BY_THEMSELVES = env.bool("ANSWERS_BY_THEMSELVES", default=True)

CELERY_BROKER_URL = env.str("CELERY_BROKER_URL", default="") or "filesystem://localhost"
if CELERY_BROKER_URL.startswith("filesystem:"):
    BROKER_DIR = VAR_DIR / "broker"
    CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, str | float] = {
        "data_folder_in": str(BROKER_DIR),
        "data_folder_out": str(BROKER_DIR),
        "control_folder": str(BROKER_DIR),
    }
else:
    # Queueing a job does not wait for an unavailable broker: the next sweep wakes the workers.
    CELERY_BROKER_TRANSPORT_OPTIONS = {"max_retries": 1, "interval_start": 0, "interval_max": 0.2}
    if CELERY_BROKER_URL.startswith("redis"):
        CELERY_BROKER_TRANSPORT_OPTIONS |= {"socket_connect_timeout": 1, "socket_timeout": 1}
CELERY_BROKER_CONNECTION_TIMEOUT = 2
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_TASK_DEFAULT_QUEUE = "assay"
# A worker imports all of this when it starts, not with its first job.
CELERY_IMPORTS = ("jobs.tasks", "annotate.tasks", "analysis.tasks")
CELERY_TASK_IGNORE_RESULT = True
CELERY_WORKER_ENABLE_REMOTE_CONTROL = False
# A worker is one process, which runs one job at a time. For more at a time, start more workers.
CELERY_WORKER_POOL = "solo"

# --- Uploads --------------------------------------------------------------------------------------

UPLOADS_DIR = Path(env.str("UPLOADS_DIR", default=str(VAR_DIR / "uploads")))
UPLOAD_MAX_MB = env.int("UPLOAD_MAX_MB", default=100)
FILE_UPLOAD_HANDLERS = [
    "annotate.web.uploads.WholeForms",
    "annotate.web.uploads.CappedUploads",
    "django.core.files.uploadhandler.MemoryFileUploadHandler",
    "django.core.files.uploadhandler.TemporaryFileUploadHandler",
]
DATA_UPLOAD_MAX_NUMBER_FILES = 1000
DATA_UPLOAD_MAX_NUMBER_FIELDS = 2500
"""The plan of an import has three fields a system, and there may be 500 systems."""

# --- Analyses ---------------------------------------------------------------------------------------

SNAPSHOTS_DIR = VAR_DIR / "snapshots"
SNAPSHOT_MAX_RATINGS = env.int("SNAPSHOT_MAX_RATINGS", default=10_000_000)

# --- Accounts -------------------------------------------------------------------------------------

AUTH_USER_MODEL = "annotate.User"
LOGIN_FAILURES = max(env.int("LOGIN_FAILURES", default=5), 1)
LOGIN_BLOCK_MINUTES = env.int("LOGIN_BLOCK_MINUTES", default=15)
PROXIES = env.int("PROXIES", default=0)
WITHOUT_PROXY = env.bool("WITHOUT_PROXY", default=False)
PASSWORD_RESET_TIMEOUT = env.int("PASSWORD_LINK_HOURS", default=72) * 60 * 60
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "login"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]

# --- Operation ------------------------------------------------------------------------------------

METRICS_TOKEN = env.str("METRICS_TOKEN", default="")
DISK_FREE_MB = env.int("DISK_FREE_MB", default=500)
KEEP_ADDRESSES_DAYS = env.int("KEEP_ADDRESSES_DAYS", default=90)
KEEP_JOBS_DAYS = env.int("KEEP_JOBS_DAYS", default=365)
KEEP_AUDIT_DAYS = env.int("KEEP_AUDIT_DAYS", default=0)

# --- Safety ---------------------------------------------------------------------------------------

HTTPS = env.bool("HTTPS", default=False)
SECURE_SSL_REDIRECT = SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
# Monitors on this machine ask without the proxy, and see nothing that has to be encrypted but their token.
SECURE_REDIRECT_EXEMPT = ["^healthz$", "^metrics$"]
SECURE_HSTS_SECONDS = 60 * 60 * 24 * 30 if HTTPS else 0
# Only the owner of the domain may extend this to its other hosts, or make it permanent.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
CSRF_FAILURE_VIEW = "config.refused_request.forged"
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
# Mechanical Turk takes an assignment at the first two; browsers check where it then leads as well.
MECHANICAL_TURK = ["https://www.mturk.com", "https://workersandbox.mturk.com", "https://worker.mturk.com"]
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'none'"],
        "script-src": ["'self'"],
        # Figures carry their font, which shows where one is opened alone.
        "style-src": ["'self'", source_of_style()],
        "img-src": ["'self'"],
        "font-src": ["'self'", "data:"],
        "connect-src": ["'self'"],
        "form-action": ["'self'"],
        "base-uri": ["'none'"],
        "frame-ancestors": ["'none'"],
    }
}
# Exceptions for single pages, by the name of their URL. There are no others.
CONTENT_POLICY_EXCEPTIONS = {
    # Mechanical Turk shows a task in a frame of its workers' and requesters' pages. The page uses no cookie
    # and has nothing to click but a link that opens a window, and the form that submits the assignment.
    "crowd-frame": {
        "frame-ancestors": [
            "https://www.mturk.com",
            "https://worker.mturk.com",
            "https://workersandbox.mturk.com",
            "https://requester.mturk.com",
            "https://requestersandbox.mturk.com",
        ],
        "form-action": MECHANICAL_TURK,
    },
    # The same form, in the worker's own window.
    "visit-end": {"form-action": MECHANICAL_TURK},
    "crowd": {"form-action": ["'self'", *MECHANICAL_TURK]},
}

# --- API ------------------------------------------------------------------------------------------

API_REQUESTS_PER_MINUTE = env.int("API_REQUESTS_PER_MINUTE", default=600)
API_REQUESTS_PER_MINUTE_OF_STRANGERS = env.int("API_REQUESTS_PER_MINUTE_OF_STRANGERS", default=60)
CROWD_NEWCOMERS_PER_HOUR = env.int("CROWD_NEWCOMERS_PER_HOUR", default=30)

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "annotate.api.authentication.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    # Views that take a body name its parser.
    "DEFAULT_PARSER_CLASSES": [],
    "DEFAULT_THROTTLE_CLASSES": [
        "annotate.api.throttling.AccountThrottle",
        "annotate.api.throttling.StrangerThrottle",
    ],
    "DEFAULT_THROTTLE_RATES": {
        "user": f"{API_REQUESTS_PER_MINUTE}/min",
        "anon": f"{API_REQUESTS_PER_MINUTE_OF_STRANGERS}/min",
    },
    "DEFAULT_SCHEMA_CLASS": "annotate.api.openapi.Schema",
    "DEFAULT_METADATA_CLASS": None,
    "URL_FORMAT_OVERRIDE": None,
    "EXCEPTION_HANDLER": "annotate.api.errors.answer",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Assay",
    "VERSION": "1",
    "DESCRIPTION": "Corpora, campaigns, judgments and analyses for programs of researchers and admins.",
    "SCHEMA_PATH_PREFIX": "/api/v1/",
    "SERVE_INCLUDE_SCHEMA": False,
    "POSTPROCESSING_HOOKS": [
        "analysis.api.openapi.document_analyses",
        "annotate.api.openapi.document_problems",
    ],
}

# --- Language, time, files ------------------------------------------------------------------------

LANGUAGE_CODE = "en-gb"
LOCALE_PATHS = [BASE_DIR / "locale"]
INTERFACE_LANGUAGES = {"en": "English", "cs": "Čeština", "de": "Deutsch", "es": "Español", "ar": "العربية"}
"""Languages of annotators' pages, by tag; all but English have a complete translation in `locale/`."""
TIME_ZONE = env.str("TIME_ZONE", default="UTC")
USE_I18N = True
USE_TZ = True

STATIC_URL = "static/"
STATIC_ROOT = VAR_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "config.static_files.StaticFiles"
    },
}

CACHES: dict[str, dict[str, object]] = {
    "default": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "OPTIONS": {"MAX_ENTRIES": 200},
    },
    # All server processes of a machine count requests of programs together.
    "throttling": {
        "BACKEND": "django.core.cache.backends.filebased.FileBasedCache",
        "LOCATION": VAR_DIR / "throttling",
        "OPTIONS": {"MAX_ENTRIES": 1000},
    },
    # A page leaves room for figures that another process has drawn.
    "figure-sizes": {
        "BACKEND": "django.core.cache.backends.filebased.FileBasedCache",
        "LOCATION": VAR_DIR / "figure-sizes",
        "TIMEOUT": None,
        "OPTIONS": {"MAX_ENTRIES": 2000},
    },
}

LOG_FORMAT = env.str("LOG_FORMAT", default="") or "text"
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {
        "one-line": {"()": "config.request_log.OneLine"},
        "request": {"()": "config.request_log.WithRequestId"},
    },
    "formatters": {
        "text": {"()": "config.request_log.LineFormatter"},
        "json": {
            "()": "pythonjsonlogger.json.JsonFormatter",
            "fmt": "%(levelname)s %(name)s %(request_id)s %(message)s",
            "rename_fields": {"levelname": "level", "name": "logger"},
            "timestamp": "time",
        },
    },
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "filters": ["request", "one-line"],
            "formatter": LOG_FORMAT,
        }
    },
    "root": {"handlers": ["console"], "level": env.str("LOG_LEVEL", default="WARNING").upper()},
    # Requests that wait for a thread are normal under load.
    "loggers": {"waitress.queue": {"level": "ERROR"}},
}
