"""Reading DATABASE_URL."""

from typing import Any
from urllib.parse import urlsplit

from environ import Env

EXAMPLES = "postgres://user:password@host:5432/assay, or sqlite:////srv/assay/assay.sqlite3"
SCHEMES = ("postgres", "postgresql", "sqlite")


def read_database_url(url: str) -> dict[str, Any]:
    """The settings of the database with this address.

    Raises:
        SystemExit: the address is malformed, or of another kind of database; says what to write. Nothing can
            start without it.
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise _malformed(str(error)) from error
    if (scheme := parts.scheme) not in SCHEMES:
        raise _malformed(f"it begins with {scheme!r}" if scheme else "it has no scheme")
    settings: dict[str, Any] = Env.db_url_config(url)
    if not settings.get("NAME") or (port is not None and not 0 < port < 2**16):
        raise _malformed("it does not name a database")
    return settings


def _malformed(reason: str) -> SystemExit:
    # The address itself may hold a password.
    return SystemExit(f"DATABASE_URL cannot be understood: {reason}. Write it like {EXAMPLES}.")
