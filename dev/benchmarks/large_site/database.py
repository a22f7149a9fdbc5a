"""The databases of large sites, created once and kept."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

from dev.benchmarks.large_site.size import Size

PROJECT = Path(__file__).resolve().parents[3]


def database_url(kind: str, size: Size) -> str:
    """The address of the database, created and migrated if needed.

    Args:
        kind: `sqlite`, or `postgresql` on the server that DATABASE_URL names.
        size: size of its contents.
    """
    if kind == "sqlite":
        return _sqlite(size)
    return _postgresql(size)


def folder_beside(url: str) -> Path:
    """The folder for files of the site with this database."""
    folder = _folder() / f"files of {Path(urlsplit(url).path).stem}"
    folder.mkdir(exist_ok=True)
    return folder


def copy_of(url: str, name: str, *, anew: bool = False) -> tuple[str, bool]:
    """The address of a copy of the database, and whether it was made now.

    Args:
        url: address of the database, which nobody uses meanwhile.
        name: of the copy, beside that of the database.
        anew: whether to replace an earlier copy.
    """
    if url.startswith("sqlite"):
        path = Path(urlsplit(url).path)
        copy = path.with_suffix(f".{name}{path.suffix}")
        is_new = anew or not copy.exists()
        if is_new:
            shutil.copyfile(path, copy)
        return _migrated(f"sqlite:///{copy}"), is_new
    import psycopg

    server, _, original = url.rpartition("/")
    copied = f"{original}_{name}"
    with psycopg.connect(f"{server}/postgres", autocommit=True) as connection:
        is_there = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [copied]).fetchone()
        is_new = anew or not is_there
        if is_new:
            connection.execute(f'DROP DATABASE IF EXISTS "{copied}" WITH (FORCE)')
            connection.execute(f'CREATE DATABASE "{copied}" TEMPLATE "{original}"')
    return _migrated(f"{server}/{copied}"), is_new


def _migrated(url: str) -> str:
    """The address of the database, whose tables are now those of this version."""
    _run(url, "manage.py", "migrate", "--verbosity", "0")
    return url


def _folder() -> Path:
    folder = Path(os.environ.get("VAR_DIR", PROJECT / "var")) / "benchmarks"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _sqlite(size: Size) -> str:
    folder = _folder()
    path = folder / f"{size.name}.sqlite3"
    if not path.exists():
        making = path.with_suffix(".making")
        making.unlink(missing_ok=True)
        _run(f"sqlite:///{making}", "-m", "dev.benchmarks.large_campaign", "--fill", *_arguments(size))
        making.rename(path)
    return _migrated(f"sqlite:///{path}")


def _postgresql(size: Size) -> str:
    import psycopg

    base = os.environ.get("DATABASE_URL", "")
    if not base.startswith("postgres"):
        sys.exit("--database postgresql needs DATABASE_URL to name a database of the server to use.")
    server = base.rpartition("/")[0]
    name = f"{urlsplit(base).path.strip('/')}_{size.name}"
    with psycopg.connect(base, autocommit=True) as connection:
        if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone():
            connection.execute(f'DROP DATABASE IF EXISTS "{name}_making" WITH (FORCE)')
            connection.execute(f'CREATE DATABASE "{name}_making"')
            _run(
                f"{server}/{name}_making", "-m", "dev.benchmarks.large_campaign", "--fill", *_arguments(size)
            )
            connection.execute(f'ALTER DATABASE "{name}_making" RENAME TO "{name}"')
    return _migrated(f"{server}/{name}")


def _arguments(size: Size) -> list[str]:
    return [
        *("--judgments", str(size.judgments), "--annotators", str(size.annotators)),
        *("--machine-judgments", str(size.machine_judgments)),
    ]


def _run(url: str, *arguments: str) -> None:
    environment = os.environ | {"DATABASE_URL": url, "DJANGO_SETTINGS_MODULE": "config.settings"}
    subprocess.run([sys.executable, *arguments], check=True, cwd=PROJECT, env=environment)  # noqa: S603
