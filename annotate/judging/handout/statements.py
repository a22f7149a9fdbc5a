"""The number of database statements of an annotator's request: never more than `MOST`.

On a busy site they are most of a request's cost. Work that rarely coincides is left to the next request.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection

MOST = 12
FOR_WHO_HAS_COME = 2
FOR_NEXT_SCREEN = 2


class Statements:
    """Counts the statements that are sent while it is in place."""

    def __init__(self) -> None:
        self._sent = 0

    def __call__(self, execute: Callable[..., Any], *statement: object) -> Any:
        self._sent += 1
        return execute(*statement)

    @property
    def leave_room_for_next_screen(self) -> bool:
        """Whether the next screen can come with the answer that took these statements."""
        return self._sent <= MOST - FOR_WHO_HAS_COME - FOR_NEXT_SCREEN


@contextmanager
def counted_statements() -> Iterator[Statements]:
    """Count the statements within the block."""
    statements = Statements()
    with connection.execute_wrapper(statements):
        yield statements
