"""Errors of the database that are no fault of the program."""

from django.db import InterfaceError, OperationalError

NOT_LOST = "no such "
"""How SQLite's errors about missing tables and columns begin."""


def is_lost(error: BaseException | None) -> bool:
    """Whether the error says that the database is away, locked, full or too slow."""
    if isinstance(error, OperationalError):
        return not str(error).startswith(NOT_LOST)
    return isinstance(error, InterfaceError)


def first_line(error: object) -> str:
    """The first line of its message."""
    return str(error).strip().partition("\n")[0]
