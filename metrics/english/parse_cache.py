"""Parsed texts kept on disk, by their content and the pipeline that parsed them.

One SQLite file, shared by all processes of a machine. It may be deleted at any time, and a process that is
killed while it writes leaves it as it was. Where the file cannot be read or written, texts are parsed again.
"""

import json
import logging
import sqlite3
import sys
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from hashlib import sha256
from itertools import islice
from pathlib import Path
from time import time

from metrics.english.parses import ParsedText

FORMAT = "1"
"""Part of each key: another form of entries, other keys."""

MOST_BYTES = 512 * 2**20
"""Size from which the older half of the entries goes; a text of 23 words takes about 300 bytes."""

KEYS_A_QUERY = 500
SECONDS_A_DAY = 86_400
BUSY_SECONDS = 10

TABLE = """
create table if not exists parses (
    key blob primary key, parse blob not null, used integer not null
) without rowid
"""

log = logging.getLogger(__name__)


class ParseCache:
    """Parsed texts of any number of pipelines.

    Args:
        path: the file; its folder is made.
        most_bytes: size that it may have, about.
    """

    def __init__(self, path: Path, *, most_bytes: int = MOST_BYTES) -> None:
        self._path = path
        self._most_bytes = most_bytes

    def get(self, pipeline: str, texts: Iterable[str]) -> dict[str, ParsedText]:
        """The stored parses of the texts, by text."""
        keys = {_key(pipeline, text): text for text in texts}
        cached: dict[str, ParsedText] = {}
        today = int(time()) // SECONDS_A_DAY
        with self._opened("read") as connection:
            if connection is None:
                return {}
            stale: list[tuple[int, bytes]] = []
            for part in _parts(keys, KEYS_A_QUERY):
                marks = ",".join("?" * len(part))
                query = f"select key, parse, used from parses where key in ({marks})"  # noqa: S608 (marks)
                for key, parse, used in connection.execute(query, part):
                    cached[keys[key]] = unpacked(keys[key], parse)
                    if used < today:
                        stale.append((today, key))
            if stale:
                connection.executemany("update parses set used = ? where key = ?", stale)
        return cached

    def missing(self, pipeline: str, texts: Iterable[str]) -> list[str]:
        """The texts whose parses are not stored."""
        keys = {_key(pipeline, text): text for text in texts}
        with self._opened("read") as connection:
            if connection is None:
                return [*keys.values()]
            for part in _parts([*keys], KEYS_A_QUERY):
                marks = ",".join("?" * len(part))
                query = f"select key from parses where key in ({marks})"  # noqa: S608 (marks)
                for (key,) in connection.execute(query, part):
                    del keys[key]
        return [*keys.values()]

    def put(self, pipeline: str, parses: Mapping[str, ParsedText]) -> None:
        """Keep parses by text, and let the older half go where the file has grown too large."""
        today = int(time()) // SECONDS_A_DAY
        rows = [(_key(pipeline, text), packed(parse), today) for text, parse in parses.items()]
        with self._opened("write") as connection:
            if connection is None:
                return
            connection.executemany("insert or replace into parses values (?, ?, ?)", rows)
            if self._size(connection) > self._most_bytes:
                connection.execute(
                    "delete from parses where key in (select key from parses order by used, key "
                    "limit (select count(*) / 2 from parses))"
                )

    @contextmanager
    def _opened(self, purpose: str) -> Iterator[sqlite3.Connection | None]:
        """A connection, its changes committed at the end; None where there can be none."""
        try:
            connection = self._connected()
        except (OSError, sqlite3.Error) as error:
            log.warning("%s: no parses are kept: %s", self._path, error)
            yield None
            return
        with closing(connection):
            try:
                with connection:
                    yield connection
            except sqlite3.Error as error:
                log.warning("%s: cannot %s parses: %s", self._path, purpose, error)

    def _connected(self) -> sqlite3.Connection:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        try:
            return self._set_up()
        except sqlite3.DatabaseError as error:
            if isinstance(error, sqlite3.OperationalError):
                raise
            log.warning("%s is damaged and is created again: %s", self._path, error)
            self._path.unlink()
            return self._set_up()

    def _set_up(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self._path, timeout=BUSY_SECONDS)
        try:
            connection.execute("pragma auto_vacuum = full")
            connection.execute("pragma journal_mode = wal")
            connection.execute("pragma synchronous = normal")
            connection.execute(TABLE)
        except sqlite3.Error:
            connection.close()
            raise
        return connection

    def _size(self, connection: sqlite3.Connection) -> int:
        [[pages]] = connection.execute("pragma page_count")
        [[bytes_a_page]] = connection.execute("pragma page_size")
        return int(pages) * int(bytes_a_page)


def packed(parse: ParsedText) -> bytes:
    """A parse without its words, which its text has."""
    columns = [parse.tags, parse.pos, parse.lemmas, parse.labels, parse.heads]
    return zlib.compress(json.dumps(columns, ensure_ascii=False, separators=(",", ":")).encode(), 1)


def unpacked(text: str, entry: bytes) -> ParsedText:
    """The parsed text from the bytes that `packed` made."""
    tags, pos, lemmas, labels, heads = json.loads(zlib.decompress(entry))
    return ParsedText(
        interned(text.split()),
        interned(tags),
        interned(pos),
        interned(lemmas),
        interned(labels),
        tuple(heads),
    )


def interned(strings: Iterable[str]) -> tuple[str, ...]:
    """Each different string is kept once: texts of a corpus share most words."""
    return tuple(map(sys.intern, strings))


def _key(pipeline: str, text: str) -> bytes:
    return sha256("\0".join((FORMAT, pipeline, text)).encode("utf-8", "surrogatepass")).digest()[:16]


def _parts(keys: Iterable[bytes], size: int) -> Iterator[list[bytes]]:
    remaining = iter(keys)
    while part := list(islice(remaining, size)):
        yield part
