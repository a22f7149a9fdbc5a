"""The server of `make run`: slow clients do not occupy its threads."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from http.client import HTTPConnection, HTTPException
from time import monotonic, sleep
from types import SimpleNamespace
from typing import Any

import pytest
from django.conf import settings
from waitress.adjustments import Adjustments

from config import web_worker
from config.web_worker import BYTES_PER_SECOND, FIRST_SECONDS, BufferedWorker, TimedChannel
from dev.benchmarks.processes import children, resident_megabytes
from jobs import memory
from tests.config.small_site import PIECE, PIECES

PATIENCE_SECONDS = 60
RETURNED_WITHIN_SECONDS = 20
MOST_LEFT_MB = 40
RETIRED_AFTER_SECONDS = 4


@pytest.fixture(scope="module")
def server() -> Iterator[tuple[int, "subprocess.Popen[bytes]"]]:
    """Port and process of a server with one worker of one thread."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "gunicorn", "tests.config.small_site"]
    command += ["--config", "python:config.web_server", "--bind", f"127.0.0.1:{port}"]
    command += ["--workers", "1", "--threads", "1"]
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings"}
    process = subprocess.Popen(command, cwd=settings.BASE_DIR, env=environment)
    try:
        yield port, process
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=PATIENCE_SECONDS) == 0
    finally:
        process.kill()
        process.wait()


def ask(port: int, path: str = "/", body: str | None = None, **headers: str) -> bytes:
    """The answer to a request, once the server is there."""
    deadline = monotonic() + PATIENCE_SECONDS
    while True:
        connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE_SECONDS)
        try:
            connection.request("GET" if body is None else "POST", path, body, headers)
            return connection.getresponse().read()
        except (HTTPException, ConnectionError):
            if monotonic() > deadline:
                raise
            sleep(0.02)
        finally:
            connection.close()


HALF_A_HEADER = b"POST / HTTP/1.1\r\nHost: localhost\r\nX-Slow: "
HALF_A_BODY = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nkey=1"


@pytest.mark.parametrize("half", [b"", HALF_A_HEADER, HALF_A_BODY], ids=["nothing", "header", "body"])
def test_requests_that_are_sent_in_part_hold_no_thread(
    server: tuple[int, "subprocess.Popen[bytes]"], half: bytes
) -> None:
    port, _ = server
    ask(port)
    with ExitStack() as open_ones:
        for _ in range(20):
            slow = open_ones.enter_context(socket.create_connection(("127.0.0.1", port)))
            slow.sendall(half)
        assert ask(port, body="answer") == b"nobody sent answer"


def test_an_answer_that_is_read_slowly_holds_no_thread(
    server: tuple[int, "subprocess.Popen[bytes]"],
) -> None:
    port, _ = server
    ask(port)
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_SECONDS) as slow:
        slow.sendall(b"GET /long HTTP/1.0\r\n\r\n")
        begun = slow.recv(1)
        assert ask(port, body="answer") == b"nobody sent answer"
        answer = begun + b"".join(iter(lambda: slow.recv(2**20), b""))
    assert answer.partition(b"\r\n\r\n")[2] == PIECE * PIECES


def test_the_address_that_a_proxy_hands_on_arrives(server: tuple[int, "subprocess.Popen[bytes]"]) -> None:
    """PROXIES says whether it counts."""
    assert ask(server[0], body="", **{"X-Forwarded-For": "192.0.2.7"}) == b"192.0.2.7 sent "


def test_the_answer_to_head_is_a_header_and_the_next_one_follows(
    server: tuple[int, "subprocess.Popen[bytes]"],
) -> None:
    """A body would be read as the beginning of the next answer."""
    ask(server[0])
    with socket.create_connection(("127.0.0.1", server[0]), timeout=PATIENCE_SECONDS) as asking:
        for request in ("HEAD /measured HTTP/1.1", "GET /measured HTTP/1.0"):
            asking.sendall(f"{request}\r\nHost: localhost\r\n\r\n".encode())
        answers = b"".join(iter(lambda: asking.recv(2**20), b""))
    head, between, answer = answers.split(b"\r\n\r\n")
    assert b"Content-Length: 12" in head
    assert between.startswith(b"HTTP/1.0 200 OK")
    assert answer == b"nobody sent "


@pytest.mark.parametrize("path", ["/", "/long"])
def test_nothing_follows_the_answer_to_head_if_the_length_is_unknown(
    server: tuple[int, "subprocess.Popen[bytes]"], path: str
) -> None:
    ask(server[0])
    with socket.create_connection(("127.0.0.1", server[0]), timeout=PATIENCE_SECONDS) as asking:
        asking.sendall(f"HEAD {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        answer = b"".join(iter(lambda: asking.recv(2**20), b""))
    assert answer.startswith(b"HTTP/1.1 200")
    assert answer.partition(b"\r\n\r\n")[2] == b""


def test_a_worker_returns_the_memory_of_a_heavy_request(
    server: tuple[int, "subprocess.Popen[bytes]"],
) -> None:
    port, master = server
    ask(port)
    [worker] = children(master.pid)
    before = resident_megabytes(worker)
    ask(port, "/heavy")
    deadline = monotonic() + RETURNED_WITHIN_SECONDS
    while resident_megabytes(worker) > before + MOST_LEFT_MB:
        assert monotonic() < deadline, resident_megabytes(worker) - before
        sleep(0.1)


def test_a_worker_that_has_grown_too_large_is_replaced_when_it_has_nothing_to_do(
    server: tuple[int, "subprocess.Popen[bytes]"],
) -> None:
    port, master = server
    ask(port)
    [worker] = children(master.pid)
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_SECONDS) as slow:
        slow.sendall(b"GET /long HTTP/1.0\r\n\r\n")
        answer = slow.recv(1)
        ask(port, "/leaking")
        sleep(RETIRED_AFTER_SECONDS)
        assert worker in children(master.pid)
        answer += b"".join(iter(lambda: slow.recv(2**20), b""))
    assert answer.endswith(PIECE * PIECES)
    deadline = monotonic() + PATIENCE_SECONDS
    while worker in children(master.pid):
        assert monotonic() < deadline
        ask(port)
        sleep(0.1)
    ask(port)
    [another] = children(master.pid)
    assert resident_megabytes(another) < 250


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """A clock that is set by hand."""
    clock = SimpleNamespace(now=1000.0)
    monkeypatch.setattr(web_worker, "monotonic", lambda: clock.now)
    return clock


def test_a_large_worker_that_always_has_something_to_do_ends_after_a_while(
    clock: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = SimpleNamespace(bytes=0)
    monkeypatch.setattr(memory, "resident_bytes", lambda: held.bytes)
    worker: Any = SimpleNamespace(large_since=None, _is_at_work=lambda: True)
    ends = []
    for seconds, is_large in [(0, True), (50, True), (1, False), (1, True), (50, True), (20, True)]:
        clock.now += seconds
        held.bytes = web_worker.MOST_BYTES + is_large
        ends.append(BufferedWorker._is_too_large(worker))
    assert ends == [False, False, False, False, False, True]


@pytest.fixture
def channel() -> Iterator[TimedChannel]:
    """A connection whose requests nobody answers."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        waiting: list[Any] = []
        yield TimedChannel(
            SimpleNamespace(active_channels={}, add_task=waiting.append, pull_trigger=lambda: None),
            ours,
            ("127.0.0.1", 1),
            Adjustments(),
            map={},
        )


def test_a_connection_on_which_no_request_comes_is_too_slow(
    clock: SimpleNamespace, channel_in_time: TimedChannel
) -> None:
    assert not channel_in_time.is_too_slow(clock.now + FIRST_SECONDS)
    assert channel_in_time.is_too_slow(clock.now + FIRST_SECONDS + 1)


@pytest.fixture
def channel_in_time(clock: SimpleNamespace, channel: TimedChannel) -> TimedChannel:
    """A connection that was made just now."""
    channel.arriving_since = clock.now
    return channel


@pytest.mark.parametrize(("bytes_each_second", "slow"), [(1, True), (2 * BYTES_PER_SECOND, False)])
def test_a_request_may_take_as_long_as_its_bytes_come(
    clock: SimpleNamespace, channel_in_time: TimedChannel, bytes_each_second: int, *, slow: bool
) -> None:
    body = 100 * bytes_each_second
    channel_in_time.received(f"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: {body}\r\n\r\n".encode())
    for _ in range(FIRST_SECONDS + 10):
        clock.now += 1
        channel_in_time.received(b"x" * bytes_each_second)
    assert channel_in_time.is_too_slow(clock.now) is slow


def test_a_connection_that_waits_for_its_next_request_is_not_slow(
    clock: SimpleNamespace, channel_in_time: TimedChannel
) -> None:
    channel_in_time.received(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    assert channel_in_time.is_at_work
    assert not channel_in_time.is_too_slow(clock.now + 1000)
    channel_in_time.received(b"GET / HT")
    assert channel_in_time.is_too_slow(clock.now + 1000)


def test_a_thread_that_gives_no_piece_of_its_answer_is_stuck(
    clock: SimpleNamespace, channel_in_time: TimedChannel
) -> None:
    assert not channel_in_time.is_stuck(clock.now + 1000, 60)
    channel_in_time.silent_since = clock.now
    assert not channel_in_time.is_stuck(clock.now + 60, 60)
    assert channel_in_time.is_stuck(clock.now + 61, 60)
    clock.now += 50
    channel_in_time.write_soon(b"a piece")
    assert not channel_in_time.is_stuck(clock.now + 60, 60)
