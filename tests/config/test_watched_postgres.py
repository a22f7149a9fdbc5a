"""A PostgreSQL that is away or hangs costs a request seconds at most, and the next request nothing."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from selectors import EVENT_READ, DefaultSelector
from time import monotonic, sleep
from typing import Any

import psycopg
import pytest
from django.db import connection, transaction

from config.patience import Patience
from config.watched_postgres import watch
from config.watched_postgres.base import DatabaseWrapper
from config.watched_postgres.watch import Watch, WatchedConnection

WITHIN_SECONDS = 5
"""The site's promise. A hung server costs 3 s, and a busy machine a little more."""

AT_ONCE_SECONDS = 0.5
PATIENCE_SECONDS = 60


def seconds_of(act: Callable[[], object]) -> float:
    """Seconds until it raises, as it should."""
    began = monotonic()
    with pytest.raises(psycopg.OperationalError):
        act()
    return monotonic() - began


def of(port: int) -> dict[str, Any]:
    """Parameters of a server."""
    return {"host": "127.0.0.1", "port": port, "dbname": "nobody", "connect_timeout": 2}


@pytest.fixture
def silent_port() -> Iterator[int]:
    """A server that takes connections, and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield int(server.getsockname()[1])


@pytest.fixture
def closed_port(silent_port: int) -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


def connecting_to(port: int) -> Callable[[], object]:
    watched = Watch()
    return lambda: watched.connect(lambda: WatchedConnection.connect(**of(port)), of(port))


def test_a_server_that_refuses_is_waited_for_once(closed_port: int) -> None:
    connect = connecting_to(closed_port)
    assert watch.RESTART_SECONDS - 0.2 <= seconds_of(connect) < WITHIN_SECONDS
    assert seconds_of(connect) < AT_ONCE_SECONDS


def test_a_server_that_says_nothing_is_waited_for_once(silent_port: int) -> None:
    connect = connecting_to(silent_port)
    assert seconds_of(connect) < WITHIN_SECONDS
    assert seconds_of(connect) < AT_ONCE_SECONDS


def test_those_who_wait_do_so_until_the_same_moment() -> None:
    patience = Patience(10)
    assert (patience.left, patience.is_missed) == (10, False)
    assert patience.miss(monotonic() - 4)
    assert not patience.miss(monotonic())
    assert 5 < patience.left <= 6
    assert patience.find()
    assert not patience.find()
    assert (patience.left, patience.is_missed) == (10, False)
    patience.miss(monotonic() - 11)
    assert patience.left == 0


class Relay:
    """Stands between us and the tests' server, and can stop to pass on anything."""

    def __init__(self) -> None:
        database = connection.settings_dict
        self._server = (database["HOST"] or "127.0.0.1", int(database["PORT"] or 5432))
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listener.getsockname()[1])
        self.passes = threading.Event()
        self.passes.set()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._pass_on)
        self._thread.start()

    def close(self) -> None:
        """Stop."""
        self._over.set()
        self.passes.set()
        self._thread.join()

    def _pass_on(self) -> None:
        with DefaultSelector() as selector, self._listener:
            selector.register(self._listener, EVENT_READ)
            while not self._over.is_set():
                for key, _ in selector.select(0.05):
                    self.passes.wait()
                    if key.data is None:
                        near, _ = self._listener.accept()
                        far = socket.create_connection(self._server)
                        selector.register(near, EVENT_READ, far)
                        selector.register(far, EVENT_READ, near)
                    else:
                        self._pass_one(selector, key.fileobj, key.data)  # type: ignore[arg-type]
            for key in list(selector.get_map().values()):
                if key.data is not None:
                    key.data.close()

    def _pass_one(self, selector: DefaultSelector, here: socket.socket, there: socket.socket) -> None:
        data = b""
        with suppress(OSError):
            data = here.recv(2**16)
            there.sendall(data)
        if not data:
            for end in (here, there):
                with suppress(KeyError, ValueError):
                    selector.unregister(end)
                end.close()


@pytest.fixture
def relay() -> Iterator[Relay]:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has no server.")
    with closing(Relay()) as relay:
        yield relay


@pytest.fixture
def through_relay(relay: Relay, monkeypatch: pytest.MonkeyPatch) -> Iterator[DatabaseWrapper]:
    """A connection of the web server."""
    monkeypatch.setattr("config.watched_postgres.base.the_watch", Watch())
    settings = {**connection.settings_dict, "HOST": "127.0.0.1", "PORT": relay.port}
    settings["OPTIONS"] = {**settings["OPTIONS"], "watched": True, "connect_timeout": 2}
    wrapper = DatabaseWrapper(settings, alias="relayed")
    try:
        yield wrapper
    finally:
        wrapper.close()


@pytest.mark.django_db
class TestAServerThatHangs:
    """With connections that were there before."""

    def test_statements_end_and_the_next_request_is_refused_until_it_is_back(
        self, relay: Relay, through_relay: DatabaseWrapper
    ) -> None:
        self._ask(through_relay)
        relay.passes.clear()
        began = monotonic()
        with pytest.raises(Exception, match="connection"):
            self._ask(through_relay)
        assert monotonic() - began < WITHIN_SECONDS
        through_relay.close()
        began = monotonic()
        with pytest.raises(Exception, match="does not answer"):
            self._ask(through_relay)
        assert monotonic() - began < AT_ONCE_SECONDS
        relay.passes.set()
        assert self._is_back(through_relay)

    def test_a_slow_statement_is_left_alone_while_the_server_answers(
        self, through_relay: DatabaseWrapper
    ) -> None:
        with through_relay.cursor() as cursor:
            cursor.execute(f"SELECT pg_sleep({4 * watch.SLOW_SECONDS}), 'slept'")
            assert cursor.fetchone()[1] == "slept"

    @staticmethod
    def _ask(wrapper: DatabaseWrapper) -> None:
        with wrapper.cursor() as cursor:
            cursor.execute("SELECT 1")

    def _is_back(self, wrapper: DatabaseWrapper) -> bool:
        deadline = monotonic() + PATIENCE_SECONDS
        while monotonic() < deadline:
            with suppress(Exception):
                self._ask(wrapper)
                return True
            sleep(0.1)
        return False


@pytest.mark.django_db(transaction=True)
def test_jobs_and_commands_are_not_watched() -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has no server.")
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        assert connection.connection._line is None
