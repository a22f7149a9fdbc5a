"""Writers of SQLite queue: threads and processes wait for each other; a dead one blocks nobody."""

import fcntl
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from time import monotonic

import pytest
from django.db import DatabaseError, IntegrityError, OperationalError, connections, transaction
from pytest_django import DjangoDbBlocker

from config.patience import Patience
from config.sqlite_queue.base import DatabaseWrapper, Queue
from config.sqlite_queue.timed_lock import allow_limits

PATIENCE_SECONDS = 60
TABLE = "CREATE TABLE line (number INTEGER PRIMARY KEY)"
INSERT = "INSERT INTO line VALUES (%s)"


def connect(path: Path) -> DatabaseWrapper:
    """A connection to the database in this file."""
    settings = {
        **connections["default"].settings_dict,
        "ENGINE": "config.sqlite_queue",
        "NAME": str(path),
        "OPTIONS": {"transaction_mode": "IMMEDIATE"},
    }
    return DatabaseWrapper(settings, alias="queue")


@pytest.fixture(autouse=True)
def databases_of_our_own(django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """No test here touches the one of the tests."""
    with django_db_blocker.unblock():
        yield


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "lines.sqlite3"


@pytest.fixture
def connection(path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[DatabaseWrapper]:
    """A connection with an empty table, which `transaction.atomic` knows as "queue"."""
    connection = connect(path)
    connection.cursor().execute(TABLE)
    connections["queue"] = connection
    try:
        yield connection
    finally:
        connection.close()
        del connections["queue"]


def is_free(path: Path) -> bool:
    """Whether somebody else could write now."""
    with Path(f"{path}-queue").open() as place:
        try:
            fcntl.flock(place, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


def test_a_transaction_has_its_turn_until_it_ends(connection: DatabaseWrapper, path: Path) -> None:
    with transaction.atomic(using="queue"):
        assert not is_free(path)
        with transaction.atomic(using="queue"):
            connection.cursor().execute(INSERT, [1])
        assert not is_free(path)
    assert is_free(path)


def test_a_transaction_that_fails_gives_its_turn_away(connection: DatabaseWrapper, path: Path) -> None:
    with pytest.raises(IntegrityError), transaction.atomic(using="queue"):
        connection.cursor().executemany(INSERT, [[1], [1]])
    assert is_free(path)


def test_a_transaction_that_cannot_begin_gives_its_turn_away(connection: DatabaseWrapper, path: Path) -> None:
    connection.connection.execute("BEGIN")
    with pytest.raises(DatabaseError):
        connection._start_transaction_under_autocommit()
    assert is_free(path)


def test_a_single_statement_that_writes_waits_for_its_turn(connection: DatabaseWrapper, path: Path) -> None:
    stored: list[int] = []

    def store() -> None:
        other = connect(path)
        other.cursor().execute(INSERT, [2])
        stored.append(2)
        other.close()

    thread = threading.Thread(target=store)
    with transaction.atomic(using="queue"):
        thread.start()
        connection.cursor().execute(INSERT, [1])
        thread.join(0.05)
        assert not stored
    thread.join(PATIENCE_SECONDS)
    assert stored == [2]
    assert is_free(path)


def test_reading_waits_for_nobody(connection: DatabaseWrapper, path: Path) -> None:
    with Path(f"{path}-queue").open() as place:
        fcntl.flock(place, fcntl.LOCK_EX)
        assert connection.cursor().execute("SELECT count(*) FROM line").fetchone() == (0,)


def test_a_connection_that_is_closed_within_a_transaction_gives_its_turn_away(
    connection: DatabaseWrapper, path: Path
) -> None:
    connection.set_autocommit(False, force_begin_transaction_with_broken_autocommit=True)
    assert not is_free(path)
    connection.close()
    assert is_free(path)


def test_a_writer_that_is_killed_gives_its_turn_away(connection: DatabaseWrapper, path: Path) -> None:
    program = (
        f"import fcntl; f = open({str(path) + '-queue'!r}); fcntl.flock(f, 2); print(flush=True); input()"
    )
    writer = subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert writer.stdout is not None
    writer.stdout.readline()
    assert not is_free(path)
    writer.kill()
    writer.communicate()
    connection.cursor().execute(INSERT, [1])
    assert is_free(path)


def test_a_database_in_memory_has_no_queue() -> None:
    connection = connect(Path(":memory:"))
    connection.cursor().execute(TABLE)
    assert not Path(":memory:-queue").exists()
    connection.close()


def test_a_second_connection_keeps_the_locks_of_the_first(connection: DatabaseWrapper, path: Path) -> None:
    """A process that closes the database's file loses its locks, and others may take its log away."""
    connection.cursor().execute("PRAGMA journal_mode=WAL")
    connection.cursor().execute(INSERT, [1])
    connect(path).cursor().execute("SELECT * FROM line")
    alone = (
        "import sqlite3, sys; sqlite3.connect(sys.argv[1], timeout=0).execute('PRAGMA journal_mode=DELETE')"
    )
    other = subprocess.run([sys.executable, "-c", alone, path], capture_output=True, check=False)
    assert b"database is locked" in other.stderr


def test_a_reader_may_write_although_others_have_written_since(
    connection: DatabaseWrapper, path: Path
) -> None:
    """Such as a job that reports its progress while it reads and people answer."""
    write = connection.cursor().execute
    write("PRAGMA journal_mode=WAL")
    for number in range(3):
        write(INSERT, [number])
    with connection.chunked_cursor() as reading:
        reading.execute("SELECT number FROM line")
        assert reading.fetchone() == (0,)
        with closing(connect(path)) as other:
            other.cursor().execute(INSERT, [10])
        write(INSERT, [11])
        with transaction.atomic(using="queue"):
            write(INSERT, [12])
        assert reading.fetchall() == [(1,), (2,)], "as they were at the beginning"
    assert reading.db.connection is None


def test_a_transaction_reads_what_it_has_written(connection: DatabaseWrapper) -> None:
    with transaction.atomic(using="queue"):
        connection.cursor().execute(INSERT, [1])
        with connection.chunked_cursor() as reading:
            assert reading.execute("SELECT number FROM line").fetchall() == [(1,)]
    assert connection.cursor().execute("SELECT number FROM line").fetchall() == [(1,)]


def test_a_new_database_is_for_its_owner_only(path: Path) -> None:
    connect(path).cursor().execute(TABLE)
    assert path.stat().st_mode & 0o777 == 0o600
    assert [file.name for file in path.parent.iterdir() if "-new-" in file.name] == []


class TestARequest:
    """It waits for its turn for a short time, and not at all when others have waited in vain."""

    @pytest.fixture(autouse=True)
    def short_patience(self, monkeypatch: pytest.MonkeyPatch) -> Patience:
        allow_limits()
        patience = Patience(0.5)
        monkeypatch.setattr("config.sqlite_queue.base.the_patience", patience)
        return patience

    @pytest.fixture
    def request_connection(self, connection: DatabaseWrapper, path: Path) -> Iterator[DatabaseWrapper]:
        wrapper = connect(path)
        wrapper.settings_dict["OPTIONS"] |= {"impatient": True, "timeout": 0.5}
        wrapper.connect()
        try:
            yield wrapper
        finally:
            wrapper.close()

    def insert(self, wrapper: DatabaseWrapper) -> float:
        """Try to write, in vain; the seconds that it takes."""
        began = monotonic()
        with pytest.raises(OperationalError, match="database is locked"):
            wrapper.cursor().execute(INSERT, [1])
        return monotonic() - began

    def test_behind_a_writer_that_hangs(self, request_connection: DatabaseWrapper, path: Path) -> None:
        with closing(Queue(str(path))) as hung:
            hung.enter()
            assert 0.5 <= self.insert(request_connection) < 5
            assert self.insert(request_connection) < 0.4
        request_connection.cursor().execute(INSERT, [1])
        assert is_free(path)

    def test_behind_another_program(self, request_connection: DatabaseWrapper, path: Path) -> None:
        with closing(sqlite3.connect(path, isolation_level=None)) as program:
            program.execute("BEGIN IMMEDIATE")
            assert 0.5 <= self.insert(request_connection) < 5
            assert self.insert(request_connection) < 0.4
            assert is_free(path)
            program.execute("ROLLBACK")
        request_connection.cursor().execute(INSERT, [1])

    def test_behind_a_writer_that_is_done_soon(
        self, request_connection: DatabaseWrapper, path: Path, short_patience: Patience
    ) -> None:
        short_patience.seconds = PATIENCE_SECONDS
        with closing(Queue(str(path))) as writer:
            writer.enter()
            done = threading.Timer(0.3, writer.leave)
            done.start()
            request_connection.cursor().execute(INSERT, [1])
            done.join()
        assert is_free(path)

    def test_of_another_process_does_not_begin_to_wait_when_it_has_its_turn(
        self,
        request_connection: DatabaseWrapper,
        path: Path,
        short_patience: Patience,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        short_patience.seconds = 2
        monkeypatch.setattr("config.sqlite_queue.base.the_patience", Patience(2))
        other = connect(path)
        other.settings_dict["OPTIONS"] |= {"impatient": True, "timeout": 2}
        other.connect()
        other.inc_thread_sharing()
        with closing(other), closing(sqlite3.connect(path, isolation_level=None)) as program:
            program.execute("BEGIN IMMEDIATE")
            first = threading.Thread(target=self.insert, args=[other])
            first.start()
            first.join(0.6)  # Then its turn ends within the patience of the second.
            assert self.insert(request_connection) < 3
            first.join()
