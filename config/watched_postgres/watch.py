"""Notices that PostgreSQL has gone, whichever way, so that a request is refused within seconds.

- It refuses connections: they are tried again for a moment, which bridges a restart. After that, a request
  that needs a new connection fails at once, while one thread looks whether the server is back.
- It hangs, or its packets are lost: a statement that takes long makes the thread ask for a connection of its
  own. If the server does not answer that either, all connections are cut, which ends the waiting of their
  threads.

A slow statement of a server that answers is left alone: `statement_timeout` is its limit.
"""

import logging
import os
import socket
from collections.abc import Callable, Mapping
from contextlib import suppress
from threading import Lock, Thread
from time import monotonic, sleep
from typing import Any
from weakref import WeakSet

import psycopg
from psycopg.errors import ConnectionTimeout

from config.patience import Patience
from jobs.database_errors import first_line

RESTART_SECONDS = 2.0
"""How long requests wait for a server that is away."""

SLOW_SECONDS = 0.75
"""After this time without a response, the server is asked for another sign of life."""

LOOK_EVERY_SECONDS = 0.2
TRY_AGAIN_SECONDS = 0.1

logger = logging.getLogger(__name__)


class WatchedConnection(psycopg.Connection[Any]):
    """A connection that knows how long it has been waiting, and can be cut by another thread.

    Attributes:
        waiting_since: when it began to wait for the server, by the monotonic clock; None while it does not.
    """

    waiting_since: float | None = None
    _line: socket.socket | None = None

    def wait(self, *arguments: Any, **options: Any) -> Any:
        """Wait for the server's response."""
        self.waiting_since = monotonic()
        try:
            return super().wait(*arguments, **options)
        finally:
            self.waiting_since = None

    def let_cut(self) -> None:
        """Keep a handle on the socket, which stays the same when the number of the first is used again."""
        self._line_lock = Lock()
        self._line = socket.socket(fileno=os.dup(self.fileno()))

    def cut(self) -> None:
        """End whatever it waits for; it cannot be used any more."""
        if self._line is not None:
            with self._line_lock, suppress(OSError):
                self._line.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Close it."""
        super().close()
        if self._line is not None:
            with self._line_lock:
                self._line.close()


class Watch:
    """Whether the server answers this process, and the connections of the process."""

    def __init__(self) -> None:
        self._patience = Patience(RESTART_SECONDS)
        self._connections: WeakSet[WatchedConnection] = WeakSet()
        self._parameters: Mapping[str, Any] = {}
        self._lock = Lock()
        self._watching_process = 0

    def connect(
        self, connect: Callable[[], WatchedConnection], parameters: Mapping[str, object]
    ) -> WatchedConnection:
        """A new connection, made by `connect`. The parameters are for asking for signs of life.

        Raises:
            psycopg.OperationalError: the server is away.
        """
        self._parameters = parameters
        self._begin()
        while True:
            began = monotonic()
            if not self._patience.left:
                raise psycopg.OperationalError("The database server does not answer.")
            try:
                connection = connect()
            except psycopg.OperationalError as error:
                self._miss(began, error)
                if not self._patience.left:
                    raise
                sleep(TRY_AGAIN_SECONDS)
            else:
                self._find()
                connection.let_cut()
                with self._lock:
                    self._connections.add(connection)
                return connection

    def _begin(self) -> None:
        """Start the thread, once in each process: forks have none."""
        with self._lock:
            if self._watching_process != os.getpid():
                self._watching_process = os.getpid()
                Thread(target=self._watch, daemon=True).start()

    def _watch(self) -> None:
        while True:
            sleep(LOOK_EVERY_SECONDS)
            since = self._slow_since()
            if since is None and not self._patience.is_missed:
                continue
            began = monotonic()
            try:
                psycopg.connect(**self._parameters).close()
            except ConnectionTimeout as error:
                self._miss(since or began, error)
                self._cut_all()
            except psycopg.Error:
                pass  # It has answered that it has no connection left, or the kernel that it is not there.
            else:
                self._find()
                sleep(SLOW_SECONDS)

    def _slow_since(self) -> float | None:
        """When the slowest waiting began, if it is slow."""
        since = min(filter(None, (one.waiting_since for one in self._open())), default=None)
        return since if since is not None and monotonic() > since + SLOW_SECONDS else None

    def _cut_all(self) -> None:
        for connection in self._open():
            connection.cut()

    def _open(self) -> list[WatchedConnection]:
        with self._lock:
            return [connection for connection in self._connections if not connection.closed]

    def _miss(self, since: float, error: psycopg.Error) -> None:
        if self._patience.miss(since):
            logger.error("The database server does not answer (%s); requests are refused.", first_line(error))

    def _find(self) -> None:
        if self._patience.find():
            logger.error("The database server answers again.")
