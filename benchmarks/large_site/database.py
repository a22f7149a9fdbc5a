"""The databases of large sites, created once and kept."""

import os
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

from benchmarks.large_site.size import Size

PROJECT = Path(__file__).resolve().parents[2]


def database_url(kind: str, size: Size) -> str:
    """The address of the database, created and migrated if needed.

    Args:
        kind: `sqlite`, or `postgresql` on the server that DATABASE_URL names.
        size: size of its contents.
    """
    if kind == "sqlite":
        return _sqlite(size)
    return _postgresql(size)


def _sqlite(size: Size) -> str:
    folder = Path(os.environ.get("VAR_DIR", PROJECT / "var")) / "benchmarks"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{size.name}.sqlite3"
    if not path.exists():
        making = path.with_suffix(".making")
        making.unlink(missing_ok=True)
        _run(f"sqlite:///{making}", "-m", "benchmarks.large_campaign", "--fill", *_arguments(size))
        making.rename(path)
    url = f"sqlite:///{path}"
    _run(url, "manage.py", "migrate", "--verbosity", "0")
    return url


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
            _run(f"{server}/{name}_making", "-m", "benchmarks.large_campaign", "--fill", *_arguments(size))
            connection.execute(f'ALTER DATABASE "{name}_making" RENAME TO "{name}"')
    url = f"{server}/{name}"
    _run(url, "manage.py", "migrate", "--verbosity", "0")
    return url


def _arguments(size: Size) -> list[str]:
    return ["--judgments", str(size.judgments), "--annotators", str(size.annotators)]


def _run(url: str, *arguments: str) -> None:
    environment = os.environ | {"DATABASE_URL": url, "DJANGO_SETTINGS_MODULE": "config.settings"}
    subprocess.run([sys.executable, *arguments], check=True, cwd=PROJECT, env=environment)  # noqa: S603
