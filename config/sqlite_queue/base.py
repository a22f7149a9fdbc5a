"""SQLite allows one writer at a time. By default, the others sleep and retry.

Here they wait for a lock on a file next to the database, and the kernel wakes the next one as soon as a
writer is done, in any thread or process, even if the writer was killed. SQLite's own lock remains, so a
program that does not use the queue does no harm.

A connection with an unfinished SELECT keeps to the state of the database at its beginning, and SQLite refuses
it at once to write when anybody else has written since. So rows that are read bit by bit come over a
connection of their own, and a job may report its progress and store results meanwhile.

Jobs and commands wait for their turn until it comes. Requests wait for a few seconds
(`config.request_limits` sets the option `impatient` in the web server), and not at all while a writer or
another program holds the database for longer.
"""

import fcntl
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic
from typing import Any

from django.db import OperationalError
from django.db.backends.sqlite3 import base
from django.db.backends.utils import CursorWrapper

from config.patience import Patience
from config.sqlite_queue.timed_lock import lock_within

WRITING = ("INSERT", "UPDATE", "DELETE", "REPLACE")
LOCKED = "database is locked"
OPTION = "impatient"
TURN_SECONDS = 4.0
LONG_TURN_SECONDS = 0.5

the_patience = Patience(TURN_SECONDS)
"""The patience that all requests of this process share."""


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

    def enter_within(self, seconds: float) -> bool:
        """Wait for our turn for this long. Returns whether it has come."""
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return seconds > 0 and lock_within(self._file, seconds)
        return True

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


class ReadingCursor(CursorWrapper):
    """A cursor that closes its connection with itself."""

    def close(self) -> None:
        """Close both."""
        self.cursor.close()
        self.db.close()


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection whose transactions, and single statements that write, wait for their turn."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._queue: Queue | None = None
        self._patience: Patience | None = None
        self._busy_seconds = 0.0
        self.execute_wrappers.append(self._in_turn)

    def get_new_connection(self, conn_params: Any) -> Any:
        """A connection to SQLite, and a place in the queue. A new database is for its owner only."""
        if not self.is_in_memory_db():
            _create_for_owner(Path(self.settings_dict["NAME"]))
        parameters = dict(conn_params)
        self._patience = the_patience if parameters.pop(OPTION, False) else None
        self._busy_seconds = parameters.get("timeout", 0)
        connection = super().get_new_connection(parameters)
        if self._queue is None and not self.is_in_memory_db():
            self._queue = Queue(str(self.settings_dict["NAME"]))
        return connection

    def chunked_cursor(self) -> CursorWrapper:
        """A cursor for rows that are read bit by bit; that of a transaction sees what it has written."""
        if self.in_atomic_block or self.is_in_memory_db():
            return super().chunked_cursor()
        apart = self.copy()
        return ReadingCursor(apart.cursor().cursor, apart)

    def _start_transaction_under_autocommit(self) -> None:
        with self._turn():
            super()._start_transaction_under_autocommit()  # type: ignore[misc]  # not in the stubs

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

    def _in_turn(
        self, execute: Callable[..., Any], sql: str, params: object, many: bool, context: object
    ) -> Any:
        if self.in_atomic_block or not sql.startswith(WRITING):
            return execute(sql, params, many, context)
        with self._turn():
            done = execute(sql, params, many, context)
        self._leave()
        return done

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """Begin our turn before the block; an error in the block ends it.

        Raises:
            OperationalError: it has not come, and we wait no longer.
        """
        began = monotonic()
        try:
            self._enter()
            yield
        except BaseException as error:
            # Known to the next one before it has its turn.
            if self._patience is not None and isinstance(error, OperationalError) and LOCKED in str(error):
                self._patience.miss(began)
            self._leave()
            raise
        if self._patience is not None:
            self._patience.find()

    def _enter(self) -> None:
        if self._queue is None:
            return
        if self._patience is None:
            self._queue.enter()
            return
        began = monotonic()
        if not self._queue.enter_within(self._patience.left):
            raise OperationalError(f"{LOCKED}: others have been writing for too long")
        waited = monotonic() - began
        # Nearly always none, so that the limit nearly never changes.
        left = self._patience.left - (waited if waited > LONG_TURN_SECONDS else 0)
        self._wait_for_other_programs(max(0.0, left))

    def _wait_for_other_programs(self, seconds: float) -> None:
        """Set how long SQLite waits for programs that do not queue."""
        if seconds != self._busy_seconds:
            self.connection.execute(f"PRAGMA busy_timeout = {seconds * 1000:.0f}")
            self._busy_seconds = seconds

    def _leave(self) -> None:
        if self._queue is not None:
            self._queue.leave()
