"""Whether a database can be brought up to date: migrations before the first release are squashed."""

from collections.abc import Collection, Sequence
from importlib import import_module

from django.core.checks import CheckMessage, Error
from django.db import connections
from django.db.migrations.recorder import MigrationRecorder

LAST_COMMIT = "a0a9a5c5"
"""The last commit that holds the migrations one by one."""

SQUASHED = ("annotate", "analysis", "jobs")


def upgradable(databases: Sequence[str] | None = None, **options: object) -> list[CheckMessage]:
    """An error for each database that is too old to be upgraded in one step."""
    return [
        Error(
            f"The database {alias!r} is older than commit {LAST_COMMIT}, and cannot be upgraded in one step.",
            hint=f"Check out {LAST_COMMIT}, run `manage.py migrate` there, then upgrade again.",
            id="operation.E001",
        )
        for alias in databases or ()
        if is_too_old(MigrationRecorder(connections[alias]).applied_migrations())
    ]


def is_too_old(applied: Collection[tuple[str, str]]) -> bool:
    """Whether only a part of the squashed migrations has been applied, each by its app and name."""
    replaced = [import_module(f"{app}.migrations.0001_squashed").Migration.replaces for app in SQUASHED]
    return any(0 < len(set(names).intersection(applied)) < len(names) for names in replaced)
