"""SQLite allows one writer at a time. By default, the others sleep and retry.

Here they wait for a lock on a file next to the database, and the kernel wakes the next one as soon as a
writer is done, in any thread or process, even if the writer was killed. SQLite's own lock remains, so a
program that does not use the queue does no harm.
"""

import fcntl
import os
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from django.db.backends.sqlite3 import base

WRITING = ("INSERT", "UPDATE", "DELETE", "REPLACE")


class Queue:
    """A place in the queue for one connection.

    The file is the database's with `-queue` behind its name; it stays empty, and may be deleted when nothing
    runs.
    """

    def __init__(self, database: str) -> None:
        self._file = os.open(f"{database}-queue", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)

    def enter(self) -> None:
        """Wait for our turn to write; does nothing if we already have it."""
        fcntl.flock(self._file, fcntl.LOCK_EX)

    def leave(self) -> None:
        """Let the next one write."""
        fcntl.flock(self._file, fcntl.LOCK_UN)

    def close(self) -> None:
        """Leave the queue for good."""
        os.close(self._file)


def _create_for_owner(database: Path) -> None:
    """Create the file, readable by its owner only, unless it exists.

    An existing file is not opened: closing it would drop the locks that SQLite holds on it in this process.
    """
    if database.exists():
        return
    new = Path(f"{database}-new-{os.getpid()}-{threading.get_ident()}")
    os.close(os.open(new, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
    with suppress(FileExistsError):  # Another process or thread was first.
        database.hardlink_to(new)
    new.unlink()


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection whose transactions, and single statements that write, wait for their turn."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._queue: Queue | None = None
        self.execute_wrappers.append(self._in_turn)

    def get_new_connection(self, conn_params: Any) -> Any:
        """A connection to SQLite, and a place in the queue. A new database is for its owner only."""
        if not self.is_in_memory_db():
            _create_for_owner(Path(self.settings_dict["NAME"]))
        connection = super().get_new_connection(conn_params)
        if self._queue is None and not self.is_in_memory_db():
            self._queue = Queue(str(self.settings_dict["NAME"]))
        return connection

    def _start_transaction_under_autocommit(self) -> None:
        self._enter()
        try:
            super()._start_transaction_under_autocommit()  # type: ignore[misc]  # not in the stubs
        except BaseException:
            self._leave()
            raise

    def _commit(self) -> None:
        try:
            super()._commit()  # type: ignore[misc]  # not in the stubs
        finally:
            self._leave()

    def _rollback(self) -> None:
        try:
            super()._rollback()  # type: ignore[misc]  # not in the stubs
        finally:
            self._leave()

    def _close(self) -> None:
        try:
            super()._close()  # type: ignore[misc]  # not in the stubs
        finally:
            if self._queue is not None:
                self._queue.close()
                self._queue = None

    def _in_turn(self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        if self.in_atomic_block or not sql.startswith(WRITING):
            return execute(sql, params, many, context)
        self._enter()
        try:
            return execute(sql, params, many, context)
        finally:
            self._leave()

    def _enter(self) -> None:
        if self._queue is not None:
            self._queue.enter()

    def _leave(self) -> None:
        if self._queue is not None:
            self._queue.leave()
