"""Whether the site works: its database, migrations, workers and disk."""

import shutil
from dataclasses import dataclass
from functools import cache

from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from core.wording import counted
from jobs.signs import SILENT_FOR, last_sign

Migrations = frozenset[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Finding:
    """The outcome of a check.

    Attributes:
        check: name of what was checked.
        fault: what is wrong, in a sentence; empty if all is well.
        mend: what to do about it.
    """

    check: str
    fault: str = ""
    mend: str = ""


def health() -> list[Finding]:
    """The findings on database, migrations, worker and disk, as far as these can be checked."""
    database = check_database()
    if database.fault:
        return [database, check_disk()]
    migrations = check_migrations()
    worker = [] if migrations.fault else [check_worker()]  # Its table may be missing.
    return [database, migrations, *worker, check_disk()]


def check_database() -> Finding:
    """Whether the database answers."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except (DatabaseError, InterfaceError) as error:
        return Finding(
            "database",
            f"The database does not answer: {str(error).strip().partition(chr(10))[0]}",
            "Start the database server, and compare DATABASE_URL with its address, name and password.",
        )
    return Finding("database")


def check_migrations() -> Finding:
    """Whether the tables are those of this version."""
    there = applied_migrations()
    if missing := known_migrations() - there:
        return Finding(
            "migrations",
            f"{counted(len(missing), 'migration')} of this version have not been applied.",
            "Run: manage.py migrate",
        )
    if newer := there - known_migrations():
        return Finding(
            "migrations",
            f"The database has {counted(len(newer), 'migration')} of a newer version of Assay.",
            "Run the version that made them, or restore a backup of this version.",
        )
    return Finding("migrations")


def check_worker() -> Finding:
    """Whether a job worker has given a sign of life lately."""
    at = last_sign()
    if at is not None and timezone.now() - at < SILENT_FOR:
        return Finding("worker")
    since = f"since {at:%Y-%m-%d %H:%M} UTC" if at else "within a day"
    return Finding(
        "worker",
        f"No job worker has given a sign of life {since}.",
        "Start one: systemctl restart assay-worker, docker compose restart worker, or make run.",
    )


def check_disk() -> Finding:
    """Whether the disk of `VAR_DIR` has more free space than `DISK_FREE_MB`."""
    free = shutil.disk_usage(settings.VAR_DIR).free // 2**20
    if free >= settings.DISK_FREE_MB:
        return Finding("disk")
    return Finding(
        "disk",
        f"The disk of {settings.VAR_DIR} has {free} MB left.",
        f"Free space until {settings.DISK_FREE_MB} MB (DISK_FREE_MB) are left: delete old backups, or "
        f"{settings.SNAPSHOTS_DIR} and {settings.VAR_DIR}/parses.sqlite3, which are made again.",
    )


@cache
def known_migrations() -> Migrations:
    """The migrations of this version, with those that are squashed in them: databases have both applied."""
    migrations = MigrationLoader(None, ignore_no_migrations=True).disk_migrations
    return frozenset(migrations).union(*(each.replaces for each in migrations.values()))


def applied_migrations() -> Migrations:
    """The migrations of the database, of the apps of this version."""
    apps = {app for app, _ in known_migrations()}
    return frozenset(key for key in MigrationRecorder(connection).applied_migrations() if key[0] in apps)
