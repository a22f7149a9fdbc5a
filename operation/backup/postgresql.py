"""Copying and replacing a PostgreSQL database, by PostgreSQL's own programs."""

import os
import subprocess
from pathlib import Path

from django.db import connection, transaction
from psycopg.pq import Conninfo

from operation.backup.manifest import BackupRefusedError, Contents, contents_of

OTHERS = """
SELECT count(*) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'
"""


def copy_to(copy: Path) -> Contents:
    """Write a dump of one moment, while others read and write."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        cursor.execute("SELECT pg_export_snapshot()")
        [snapshot] = cursor.fetchone()
        _run(
            "pg_dump",
            "--format=custom",
            "--no-owner",
            "--no-privileges",
            f"--snapshot={snapshot}",
            f"--file={copy}",
        )

        def rows_of(query: str) -> list[tuple[object, ...]]:
            cursor.execute(query)
            return list(cursor.fetchall())

        return contents_of(rows_of)


def check_unused() -> None:
    """Refuse while another process is connected to the database.

    Raises:
        BackupRefusedError: one is.
    """
    with connection.cursor() as cursor:
        cursor.execute(OTHERS)
        [others] = cursor.fetchone()
    if others:
        raise BackupRefusedError(
            f"The database has {others} other connections. Stop the site, web server and worker, "
            "and try again."
        )


def put_back(copy: Path) -> None:
    """Replace all tables by those of the dump, in one transaction."""
    with connection.cursor() as cursor:
        tables = connection.introspection.table_names(cursor)
    drops = "".join(f"DROP TABLE IF EXISTS {connection.ops.quote_name(table)} CASCADE;\n" for table in tables)
    connection.close()
    script = copy.with_name("restore.sql")
    _run("pg_restore", "--no-owner", "--no-privileges", f"--file={script}", str(copy))
    before = copy.with_name("drop.sql")
    before.write_text(drops)
    _run(
        "psql",
        "--quiet",
        "--no-psqlrc",
        "--single-transaction",
        "--set=ON_ERROR_STOP=1",
        "--output=/dev/null",
        f"--file={before}",
        f"--file={script}",
    )


def client_version() -> int | None:
    """Major version of `pg_dump`; None if it is not installed."""
    try:
        said = subprocess.run(["pg_dump", "--version"], capture_output=True, text=True, check=True).stdout  # noqa: S607
    except (OSError, subprocess.CalledProcessError):
        return None
    return int(said.split()[2].partition(".")[0])


def _run(program: str, *arguments: str) -> None:
    try:
        ran = subprocess.run(  # noqa: S603
            [program, *arguments],
            env=os.environ | _environment(),
            capture_output=True,
            text=True,
            check=False,
        )
    except FileNotFoundError as error:
        raise BackupRefusedError(
            f"The program {program} is missing. Install PostgreSQL's client programs in the server's version "
            "or a later one (Debian: apt-get install postgresql-client)."
        ) from error
    if ran.returncode:
        raise BackupRefusedError(f"{program} failed: {ran.stderr.strip()}")


def _environment() -> dict[str, str]:
    """The address of the database as libpq's variables, because arguments are visible to other users."""
    variables = {option.keyword.decode(): option.envvar for option in Conninfo.get_defaults()}
    given = connection.get_connection_params()
    return {
        variable.decode(): str(given[keyword])
        for keyword, variable in variables.items()
        if variable and given.get(keyword) is not None
    }
