"""Copying and replacing a SQLite database."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from django.db import connection

from operation.backup.manifest import BackupRefusedError, Contents, contents_of

BESIDE = ("-wal", "-shm", "-journal")
"""Endings of the files that SQLite keeps beside a database."""


def copy_to(copy: Path) -> Contents:
    """Write a copy of one moment, while others read and write."""
    with (
        closing(sqlite3.connect(f"file:{_file()}?mode=ro", uri=True)) as source,
        closing(sqlite3.connect(copy)) as target,
    ):
        source.backup(target)
        return contents_of(lambda query: target.execute(query).fetchall())


def check_unused() -> None:
    """Refuse while another process has the database open.

    Raises:
        BackupRefusedError: one has.
    """
    connection.close()
    if not _file().exists():
        return
    try:
        with closing(sqlite3.connect(_file(), timeout=0)) as database:
            database.execute("PRAGMA journal_mode=DELETE")  # Only possible for the only connection.
    except sqlite3.OperationalError as error:
        raise BackupRefusedError(
            f"Another process uses {_file()} ({error}). Stop the site, web server and worker, and try again."
        ) from error
    except sqlite3.DatabaseError:
        return  # It is damaged, and about to be replaced.


def put_back(copy: Path) -> None:
    """Replace the database by the copy, at once."""
    beside = Path(f"{_file()}-restored")
    shutil.copyfile(copy, beside)
    beside.chmod(0o600)
    for ending in BESIDE:
        Path(f"{_file()}{ending}").unlink(missing_ok=True)
    beside.replace(_file())


def _file() -> Path:
    return Path(connection.settings_dict["NAME"])
