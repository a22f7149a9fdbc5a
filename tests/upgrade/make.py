"""Keep a small database of an earlier commit, made by its own code, for `test_upgrade` to migrate.

    git worktree add ../before COMMIT
    DATABASE_URL=postgres://USER@HOST/ANY .venv/bin/python -m tests.upgrade.make ../before

DATABASE_URL names a PostgreSQL server, on which a database is made and dropped again; `pg_dump` must be
installed. The other commit runs in this environment, which must have what it requires. What is written is
`tests/upgrade/stored/COMMIT.tar.xz`: for SQLite and PostgreSQL a dump as SQL, and the facts that
`test_upgrade` expects to find again. The same commit gives the same facts each time.
"""

import argparse
import io
import os
import re
import sqlite3
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

import psycopg
from psycopg import sql

from tests.upgrade.then import SECRET_KEY

STORED = Path(__file__).parent / "stored"
ROOT = Path(__file__).parents[2]
SETTING = re.compile(r"^(SET [a-z_]+ = .*;|\\.*)\n", re.MULTILINE)
"""Lines of a dump that only some versions of the server, or only its own client, understand."""


def keep(old: Path, server: str) -> Path:
    """Make the database twice, on SQLite and on PostgreSQL, and store both.

    Args:
        old: the folder of the other commit's checkout.
        server: address of a PostgreSQL database, beside which one is made.

    Returns:
        The archive.
    """
    files = {}
    with TemporaryDirectory() as folder, _postgresql(server) as address:
        path = Path(folder, "site.sqlite3")
        files["facts.json"] = facts = _facts(old, f"sqlite:///{path}", Path(folder, "sqlite"))
        with closing(sqlite3.connect(path)) as database:
            files["sqlite.sql"] = "\n".join(database.iterdump()).encode()
        assert facts == _facts(old, address, Path(folder, "postgresql")), "The databases differ."
        options = ["--inserts", "--rows-per-insert=500", "--no-owner", "--no-privileges", "--no-comments"]
        dump = subprocess.check_output(["pg_dump", *options, address], text=True)  # noqa: S607
        files["postgresql.sql"] = SETTING.sub("", dump).encode()
    commit = subprocess.check_output(["git", "-C", old, "rev-parse", "--short", "HEAD"], text=True)  # noqa: S607
    archive = STORED / f"{commit.strip()}.tar.xz"
    archive.parent.mkdir(exist_ok=True)
    with tarfile.open(archive, "w:xz", preset=9) as tar:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))
    return archive


def _facts(old: Path, database: str, folder: Path) -> bytes:
    """Have the old code fill the database, and say what it shows."""
    folder.mkdir()
    environment = {
        "PATH": os.environ["PATH"],
        "PYTHONHASHSEED": "0",
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "VAR_DIR": str(folder),
        "SECRET_KEY": SECRET_KEY,
        "DATABASE_URL": database,
        "CELERY_BROKER_URL": "",
        "DEBUG": "1",  # Static files need not be collected.
        # Numba draws a name from the seed for each function that it compiles and keeps.
        "NUMBA_CACHE_DIR": str(folder),
        "LOG_LEVEL": "CRITICAL",  # What has no page is a fact, and no news.
    }
    facts = folder / "facts.json"
    command = [sys.executable, "-m", "tests.upgrade.then", str(old.resolve()), str(facts)]
    subprocess.run(command, cwd=ROOT, env=environment, check=True)
    return facts.read_bytes()


@contextmanager
def _postgresql(server: str) -> Iterator[str]:
    """The address of an empty database beside the one of the address, which is dropped in the end."""
    name = f"assay-upgrade-{os.getpid()}"
    identifier = sql.Identifier(name)
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(identifier))
        try:
            yield urlsplit(server)._replace(path=f"/{name}").geturl()
        finally:
            connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(identifier))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        prog="python -m tests.upgrade.make",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("old", type=Path, help="folder of the other commit's checkout")
    server = os.environ.get("DATABASE_URL", "")
    arguments = parser.parse_args()
    if not server.startswith("postgres"):
        parser.error(
            "DATABASE_URL must name a PostgreSQL server, such as postgres://postgres@127.0.0.1/postgres."
        )
    archive = keep(arguments.old, server)
    sys.stdout.write(f"Stored {archive}, {archive.stat().st_size // 1000} kB.\n")
