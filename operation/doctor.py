"""Checks of an installation: what is wrong, and what to do about it."""

import os
import stat
from pathlib import Path

from celery import current_app
from django.conf import settings
from django.db import connection
from django.utils import timezone
from kombu.exceptions import KombuError
from tzlocal import get_localzone_name

from operation.backup.postgresql import client_version
from operation.health import Finding, health

LOCAL = {"localhost", "127.0.0.1", "[::1]", "::1"}
FEWEST_KEY_CHARS = 50
OLDEST_POSTGRESQL = 14
MOST_CLOCK_SECONDS = 5
BROKER_SECONDS = 3


def examine() -> list[Finding]:
    """The findings of all checks, as far as they can be made."""
    *of_database, disk = health()
    return [
        check_https(),
        check_proxies(),
        check_hosts(),
        check_debug(),
        check_secret_key(),
        check_private_files(),
        check_user(),
        check_time_zone(),
        disk,
        check_broker(),
        *of_database,
        *([] if of_database[0].fault else [check_database_version(), check_clock()]),
    ]


def check_https() -> Finding:
    """Whether visitors from elsewhere come by HTTPS."""
    if settings.HTTPS or not _is_public():
        return Finding("HTTPS")
    return Finding(
        "HTTPS",
        "The site answers to a public name, and HTTPS is not set: cookies and passwords may cross the "
        "network unencrypted.",
        "Run a proxy that terminates TLS, and set HTTPS=True and PROXIES=1 in .env.",
    )


def check_proxies() -> Finding:
    """Whether the number of proxies is set where there is one."""
    if settings.PROXIES or not settings.HTTPS:
        return Finding("PROXIES")
    return Finding(
        "PROXIES",
        "HTTPS needs a proxy, and PROXIES is 0: all visitors seem to have the proxy's address, so one who "
        "guesses passwords blocks the logins of all.",
        "Set PROXIES in .env to the number of your proxies, usually 1.",
    )


def check_hosts() -> Finding:
    """Whether the site answers to its own names only."""
    if "*" in settings.ALLOWED_HOSTS:
        return Finding(
            "ALLOWED_HOSTS",
            "The site answers to any host name, so links in its pages can be made to lead elsewhere.",
            "Set ALLOWED_HOSTS in .env to the names of the site, such as assay.example.org.",
        )
    if settings.HTTPS and not _is_public():
        return Finding(
            "ALLOWED_HOSTS",
            "The site answers to local names only, although HTTPS is set.",
            "Set ALLOWED_HOSTS in .env to the names of the site, such as assay.example.org.",
        )
    return Finding("ALLOWED_HOSTS")


def check_debug() -> Finding:
    """Whether error pages hide internals."""
    if not settings.DEBUG:
        return Finding("DEBUG")
    return Finding("DEBUG", "Error pages show settings and code.", "Remove DEBUG from .env.")


def check_secret_key() -> Finding:
    """Whether the secret key is long enough."""
    if len(settings.SECRET_KEY) >= FEWEST_KEY_CHARS:
        return Finding("secret key")
    return Finding(
        "secret key",
        f"The secret key has {len(settings.SECRET_KEY)} characters and may be guessed: then anyone can log "
        "in as anyone.",
        f"Remove SECRET_KEY from .env, so that a random one is kept in {settings.VAR_DIR}/secret-key. "
        "docs/settings.md says what changing it does.",
    )


def check_private_files() -> Finding:
    """Whether other users of the machine can read the data or the secrets."""
    files = [settings.BASE_DIR / ".env", settings.VAR_DIR, settings.VAR_DIR / "secret-key"]
    if connection.vendor == "sqlite":
        files.append(Path(connection.settings_dict["NAME"]))
    open_to_others = [str(file) for file in files if file.exists() and _others_may_read(file)]
    if not open_to_others:
        return Finding("private files")
    return Finding(
        "private files",
        f"Other users of this machine can read {', '.join(open_to_others)}.",
        f"Run: chmod go-rwx {' '.join(open_to_others)}",
    )


def check_user() -> Finding:
    """Whether an unprivileged user runs this."""
    if os.geteuid() != 0:
        return Finding("user")
    return Finding(
        "user",
        "This runs as root: anyone who breaks into the site controls the machine.",
        "Run the site, and this command, as a user of its own, such as assay.",
    )


def check_time_zone() -> Finding:
    """Whether pages show the time of this machine, unless a time zone was chosen."""
    machine = get_localzone_name()
    if os.environ.get("TIME_ZONE") or machine in ("UTC", "Etc/UTC", settings.TIME_ZONE):
        return Finding("time zone")
    return Finding(
        "time zone",
        f"Pages show times in {settings.TIME_ZONE}, and this machine is in {machine}.",
        f"Set TIME_ZONE={machine} in .env, or TIME_ZONE=UTC if that is meant.",
    )


def check_broker() -> Finding:
    """Whether the broker takes messages."""
    try:
        with current_app.connection_for_write(connect_timeout=BROKER_SECONDS) as broker:
            broker.ensure_connection(max_retries=1, interval_start=0, timeout=BROKER_SECONDS)
    except (OSError, KombuError) as error:
        return Finding(
            "broker",
            f"The message broker does not answer ({error}): jobs start up to a minute late.",
            "Start it, compare CELERY_BROKER_URL with its address, or remove that to use files.",
        )
    return Finding("broker")


def check_database_version() -> Finding:
    """Whether the database server is supported, and can be backed up with the programs that are here."""
    if connection.vendor != "postgresql":
        return Finding("database version")
    server: int = connection.pg_version // 10000  # type: ignore[attr-defined]  # of PostgreSQL's
    if server < OLDEST_POSTGRESQL:
        return Finding(
            "database version",
            f"PostgreSQL {server} is too old.",
            f"Upgrade the server to PostgreSQL {OLDEST_POSTGRESQL} or later.",
        )
    client = client_version()
    if client is None or client < server:
        return Finding(
            "database version",
            f"The server is PostgreSQL {server}, and pg_dump is {client or 'missing'}: the commands backup "
            "and restore fail.",
            f"Install PostgreSQL's client programs {server}: apt-get install postgresql-client-{server}",
        )
    return Finding("database version")


def check_clock() -> Finding:
    """Whether this machine and the database agree on the time."""
    if connection.vendor != "postgresql":
        return Finding("clock")
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        [theirs] = cursor.fetchone()
    seconds = abs((timezone.now() - theirs).total_seconds())
    if seconds <= MOST_CLOCK_SECONDS:
        return Finding("clock")
    return Finding(
        "clock",
        f"The clocks of this machine and of the database server differ by {seconds:.0f} s.",
        "Run a time service (chrony, systemd-timesyncd) on both.",
    )


def _is_public() -> bool:
    return any(host not in LOCAL for host in settings.ALLOWED_HOSTS)


def _others_may_read(file: Path) -> bool:
    return bool(file.stat().st_mode & (stat.S_IRGRP | stat.S_IROTH))
