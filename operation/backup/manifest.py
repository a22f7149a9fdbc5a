"""The manifest of a backup: its versions and contents."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from jobs.refusals import RefusedError

FORMAT = 1
MANIFEST, DATABASE, KEY, UPLOADS = "manifest.json", "database", "secret-key", "uploads"
"""Names within the archive."""

COUNTED = {"accounts": "annotate_user", "campaigns": "annotate_campaign", "judgments": "annotate_judgment"}


class BackupRefusedError(RefusedError):
    """No backup can be made or restored; nothing was changed. The message says why, and what to do."""


@dataclass(frozen=True, slots=True)
class Contents:
    """The contents of a database.

    Attributes:
        migrations: those that were applied, each by its app and name.
        rows: number of accounts, campaigns and judgments.
    """

    migrations: list[tuple[str, str]]
    rows: dict[str, int]

    @property
    def in_words(self) -> str:
        """The numbers in words."""
        return ", ".join(f"{count:,} {what}" for what, count in self.rows.items())


@dataclass(frozen=True, slots=True)
class Manifest:
    """The versions and contents of a backup.

    Attributes:
        format: version of the archive's layout.
        assay: version of Assay that made it.
        database: `sqlite` or `postgresql`.
        made_at: when, in ISO format.
        contents: of the database.
    """

    format: int
    assay: str
    database: str
    made_at: str
    contents: Contents


def contents_of(rows_of: Callable[[str], Sequence[Sequence[Any]]]) -> Contents:
    """The contents of the database that answers these queries."""
    migrations = rows_of("SELECT app, name FROM django_migrations ORDER BY app, name")
    counts = {what: rows_of(f"SELECT count(*) FROM {table}")[0][0] for what, table in COUNTED.items()}  # noqa: S608
    return Contents([(app, name) for app, name in migrations], counts)
