"""gunicorn's workers with waitress inside: gunicorn keeps processes running, waitress talks to clients.

A request occupies a thread only from when it has arrived completely until its response is made:
waitress keeps both in buffers, large ones in temporary files. So a client that sends or reads slowly costs a
connection, not a thread (`dev/benchmarks/slow_clients.py`).
"""

import os
import sys
from collections.abc import Callable, Iterable
from threading import Thread
from time import monotonic
from typing import Any

from django.conf import settings
from gunicorn.workers.base import Worker
from waitress import wasyncore
from waitress.channel import HTTPChannel
from waitress.server import BaseWSGIServer, create_server
from waitress.task import WSGITask

from jobs import memory

CONNECTIONS = 500
"""Most connections of a worker. Each takes one to three file descriptors, of usually 1024."""

IDLE_SECONDS = 60
"""How long a browser's connection is kept open for its next request."""

FIRST_SECONDS, BYTES_PER_SECOND = 20, 500
"""Time limit for receiving a request: seconds, and a number of bytes that earns one more second.

The figures are the defaults of Apache's mod_reqtimeout.
"""

LARGEST_ANSWER = 2**30
"""Bytes of an answer that are kept for a client that reads slowly. Beyond that its thread waits."""

LOOK_EVERY_SECONDS = 1

GROWTH_BYTES = 16 * 2**20
"""Growth of a worker after which it returns freed memory to the system."""

MOST_BYTES = 400 * 2**20
"""Memory of a worker above which it is replaced: libraries that a few pages need stay loaded otherwise."""

LARGE_SECONDS = 60
"""How long a worker above the limit waits for a moment without requests."""

SWITCH_SECONDS = 0.0005
"""How long a thread computes while another, back from the database, waits: a tenth of Python's default.

The waiting thread may hold the lock that all writers wait for.
"""


def without_bodies_for_head(application: Callable[..., Iterable[bytes]]) -> Callable[..., Iterable[bytes]]:
    """The application, whose responses to HEAD have no body (RFC 9110, 9.3.2).

    Django leaves that to the server, and waitress to the application.
    """

    def respond(environ: dict[str, object], start_response: object) -> Iterable[bytes]:
        body = application(environ, start_response)
        if environ["REQUEST_METHOD"] != "HEAD":
            return body
        if hasattr(body, "close"):
            body.close()
        return []

    return respond


class TaskOfRequest(WSGITask):  # type: ignore[misc]  # waitress is not typed
    """A request that is being answered."""

    @property
    def has_body(self) -> bool:
        """Whether there is one, or, where its length is unknown, the mark of its end."""
        ends_with_header = self.request.command == "HEAD" and self.content_length is None
        return super().has_body and not ends_with_header


class TimedChannel(HTTPChannel):  # type: ignore[misc]  # waitress is not typed
    """A client's connection, which measures how long its request has been arriving or being answered."""

    task_class = TaskOfRequest

    def __init__(self, *args: object, **options: object) -> None:
        self.arriving_since: float | None = monotonic()
        self.arrived_bytes = 0
        self.silent_since: float | None = None
        super().__init__(*args, **options)

    def received(self, data: bytes) -> bool:
        """Receive a part of a request."""
        if self.arriving_since is None:
            self.arriving_since, self.arrived_bytes = monotonic(), 0
        self.arrived_bytes += len(data)
        taken: bool = super().received(data)
        if self.request is None:
            self.arriving_since = None
        return taken

    def service(self) -> None:
        """Answer a request, in one of the threads."""
        self.silent_since = monotonic()
        try:
            super().service()
        finally:
            self.silent_since = None

    def write_soon(self, data: object) -> int:
        """Buffer a piece of the response."""
        self.silent_since = monotonic()
        written: int = super().write_soon(data)
        return written

    @property
    def is_at_work(self) -> bool:
        """Whether a request is waiting or being answered, or its answer is not yet sent."""
        return bool(self.requests or self.total_outbufs_len)

    def is_too_slow(self, now: float) -> bool:
        """Whether a request has been arriving for too long."""
        if self.arriving_since is None:
            return False
        return now > self.arriving_since + FIRST_SECONDS + self.arrived_bytes / BYTES_PER_SECOND

    def is_stuck(self, now: float, seconds: float) -> bool:
        """Whether a thread has worked this long without producing a piece of the response."""
        silent_since = self.silent_since
        return silent_since is not None and now > silent_since + seconds


def _load_the_rest() -> None:
    from config.warm_up import warm_up  # Needs the settings, which gunicorn's master has not read yet.

    warm_up()


class BufferedWorker(Worker):  # type: ignore[misc]  # gunicorn is not typed
    """One process: waitress's loop in the main thread, `threads` threads for requests."""

    def run(self) -> None:
        """Serve until told to stop, until gunicorn's master is gone, until grown too large, or all stuck."""
        sys.setswitchinterval(SWITCH_SECONDS)
        memory.share_one_arena(memory.LARGE_IN_REQUESTS)
        self.held_bytes = memory.resident_bytes()
        self.large_since: float | None = None
        self.is_warm = False
        self.connections: dict[int, Any] = {}
        self.server = create_server(
            without_bodies_for_head(self.wsgi),
            map=self.connections,
            sockets=[listener.sock for listener in self.sockets],
            threads=self.cfg.threads,
            backlog=self.cfg.backlog,
            connection_limit=CONNECTIONS,
            channel_timeout=IDLE_SECONDS,
            cleanup_interval=10,
            inbuf_overflow=2**16,
            outbuf_high_watermark=LARGEST_ANSWER,
            max_request_header_size=2**16,
            # The application itself refuses slightly larger requests with its own message.
            max_request_body_size=2 * settings.UPLOAD_MAX_MB * 2**20,
            clear_untrusted_proxy_headers=False,  # The setting PROXIES says what counts.
            log_socket_errors=False,
            ident=None,
        )
        self.listeners = [one for one in self.connections.values() if isinstance(one, BaseWSGIServer)]
        for listener in self.listeners:
            listener.channel_class = TimedChannel
        while self.alive and self.ppid == os.getppid():
            self._turn()
            self._close_slow_ones()
            self._give_back()
            self._warm_up()
            if self._is_stuck():
                self.log.error(
                    "All threads of a worker have been busy for %s s; the worker ends.", self.cfg.timeout
                )
                return
            if self._is_too_large():
                self.log.info("A worker ends because of its size; another takes its place.")
                # Requests that were cut off would hold locks of the database until the process has gone.
                self._finish(self.cfg.timeout)
                return
        self._finish(self.cfg.graceful_timeout)

    def handle_exit(self, sig: int, frame: object) -> None:
        """Stop soon: SIGTERM came."""
        super().handle_exit(sig, frame)
        self.listeners[0].pull_trigger()

    def _turn(self) -> None:
        """Send and receive available data, for at most a second."""
        self.notify()
        until = monotonic() + LOOK_EVERY_SECONDS
        while self.alive and (left := until - monotonic()) > 0:
            wasyncore.loop(timeout=left, use_poll=True, map=self.connections, count=1)

    def _close_slow_ones(self) -> None:
        now = monotonic()
        for channel in self._channels():
            if channel.is_too_slow(now):
                channel.will_close = True

    def _give_back(self) -> None:
        """Return freed memory to the system if the worker has grown."""
        if memory.resident_bytes() > self.held_bytes + GROWTH_BYTES:
            memory.trim()
            # Memory of requests at work is returned later.
            if not self._is_at_work():
                self.held_bytes = memory.resident_bytes()

    def _warm_up(self) -> None:
        """Load what the first requests did not need, as soon as nobody waits."""
        if not (self.is_warm or self._is_at_work()):
            self.is_warm = True
            Thread(target=_load_the_rest, name="warm-up", daemon=True).start()

    def _is_too_large(self) -> bool:
        """Whether to end because of its size: when there is nothing to do, or after a while all the same."""
        now = monotonic()
        if memory.resident_bytes() <= MOST_BYTES:
            self.large_since = None
            return False
        self.large_since = now if self.large_since is None else self.large_since
        return not self._is_at_work() or now > self.large_since + LARGE_SECONDS

    def _is_at_work(self) -> bool:
        return any(channel.is_at_work for channel in self._channels())

    def _finish(self, seconds: float) -> None:
        """Take no more connections, and answer what has arrived, for at most this long."""
        for listener in self.listeners:
            wasyncore.dispatcher.close(listener)
        deadline = monotonic() + seconds
        while self._channels() and monotonic() < deadline:
            self.notify()
            for channel in self._channels():
                if not channel.is_at_work:
                    channel.will_close = True
            wasyncore.loop(timeout=0.1, use_poll=True, map=self.connections, count=1)

    def _is_stuck(self) -> bool:
        now = monotonic()
        stuck = sum(channel.is_stuck(now, self.cfg.timeout) for channel in self._channels())
        return stuck >= int(self.cfg.threads)

    def _channels(self) -> list[TimedChannel]:
        return [one for one in self.connections.values() if isinstance(one, TimedChannel)]
