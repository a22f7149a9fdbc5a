"""Many rows of the database as arrays, one for each column, without an object for each number or time.

A million answers may have five million ratings. PostgreSQL collects each column into one array and sends it
in binary format, which takes a twentieth of the time of rows; SQLite returns plain rows.
"""

import json
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC
from itertools import chain
from math import isnan
from typing import Any

import numpy as np
from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Lookup, QuerySet
from django.db.models.sql.compiler import SQLCompiler

from core.arrays import AnyArray


@dataclass(frozen=True, slots=True, eq=False)
class Kind:
    """Kind of value in a column.

    Attributes:
        dtype: type of its array.
        sqlite_null: value that SQLite sends in place of null.
        postgresql_null: value that PostgreSQL sends in place of null.
        cast: PostgreSQL's cast to the type that it sends.
    """

    dtype: np.dtype[Any]
    sqlite_null: str
    postgresql_null: str
    cast: str


NUMBER = Kind(np.dtype(np.int64), "-1", "-1", "::bigint")
"""A whole number from 0; null is -1."""
REAL = Kind(np.dtype(np.float64), "NULL", "'NaN'", "::float8")
"""A real number; null is NaN."""
FLAG = Kind(np.dtype(np.int8), "-1", "-1", "::int::bigint")
"""1 or 0; null is -1."""
TIME = Kind(np.dtype("datetime64[us]"), "'NaT'", "'-infinity'", "::timestamptz")
"""A time in UTC; null is NaT."""
UUID = Kind(np.dtype("V16"), "NULL", "NULL", "::uuid")
"""The bytes of a UUID, which is never null."""
TEXT = Kind(np.dtype(object), "NULL", "NULL", "::text")
"""A text; null is None."""
JSON = Kind(np.dtype(object), "NULL", "NULL", "::text")
"""A parsed JSON value, lists as tuples; equal JSON gives the same object. Null is None."""

ROWS_PER_FETCH = 20_000

_ARRAY_HEADER = 20
_POSTGRESQL_EPOCH = np.datetime64("2000-01-01", "us")


class Among(Lookup):
    """Condition that a number is among these, which may be many thousands: they are one parameter.

    Given a long list, PostgreSQL estimates from its statistics that reading whole tables is faster. It cannot
    estimate an array made by a subquery, and uses the index.
    """

    prepare_rhs = False

    def as_sqlite(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> tuple[str, list[object]]:
        column, parameters = self.process_lhs(compiler, connection)
        them = "(SELECT value FROM json_each(%s))"
        return f"{column} IN {them}", [*parameters, json.dumps(self.rhs)]

    def as_postgresql(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper
    ) -> tuple[str, list[object]]:
        column, parameters = self.process_lhs(compiler, connection)
        them = f"{{{','.join(map(str, self.rhs))}}}"
        return f"{column} = ANY(ARRAY(SELECT unnest(%s::bigint[])))", [*parameters, them]


def read_columns(rows: "QuerySet[Any, tuple[object, ...]]", kinds: Sequence[Kind]) -> list[AnyArray]:
    """The columns of a `values_list`, rows in any order.

    `kinds` gives the kind of each column.
    """
    query, parameters = rows.order_by().query.sql_with_params()
    names = [f"column_{place}" for place in range(len(kinds))]
    read = _read_from_sqlite if connection.vendor == "sqlite" else _read_from_postgresql
    return read(f"WITH found({', '.join(names)}) AS ({query})", parameters, names, kinds)


def _read_from_sqlite(
    found: str, parameters: Sequence[Any], names: Sequence[str], kinds: Sequence[Kind]
) -> list[AnyArray]:
    values = (f"coalesce({name}, {kind.sqlite_null})" for name, kind in zip(names, kinds, strict=True))
    with connection.cursor() as cursor:
        cursor.execute(f"{found} SELECT {', '.join(values)} FROM found", parameters)  # noqa: S608
        fetches = iter(lambda: cursor.fetchmany(ROWS_PER_FETCH), [])
        rows: Iterator[tuple[object, ...]] = chain.from_iterable(fetches)
        if all(kind in (NUMBER, FLAG) for kind in kinds):
            numbers = np.fromiter(chain.from_iterable(rows), dtype=NUMBER.dtype).reshape(-1, len(kinds))
            columns = zip(np.ascontiguousarray(numbers.T), kinds, strict=True)
            return [column.astype(kind.dtype, copy=False) for column, kind in columns]
        values_of = list(zip(*rows, strict=True)) or [()] * len(kinds)
    return [_array_of(column, kind) for column, kind in zip(values_of, kinds, strict=True)]


def _array_of(column: Sequence[Any], kind: Kind) -> AnyArray:
    """A column of SQLite's rows."""
    if kind is UUID:
        return np.frombuffer(bytes.fromhex("".join(column)), dtype=UUID.dtype)
    if kind is JSON:
        return _loaded(column)
    return np.array(column, dtype=kind.dtype)


def _read_from_postgresql(
    found: str, parameters: Sequence[Any], names: Sequence[str], kinds: Sequence[Kind]
) -> list[AnyArray]:
    from psycopg import Cursor
    from psycopg.pq import Format

    values = (
        f"{'json_agg' if kind in (TEXT, JSON) else 'array_agg'}"
        f"(coalesce({name}{kind.cast}, {kind.postgresql_null}))"
        for name, kind in zip(names, kinds, strict=True)
    )
    connection.ensure_connection()
    # Django's cursor interpolates parameters into the statement, which allows text results only.
    binary: Cursor[tuple[object, ...]] = Cursor(connection.connection)
    binary.format = Format.BINARY
    with connection._prepare_cursor(binary) as cursor:  # type: ignore[attr-defined]
        cursor.execute(f"{found} SELECT {', '.join(values)} FROM found", parameters)  # noqa: S608
        result = cursor.pgresult
        return [_array_from(result.get_value(0, place), kind) for place, kind in enumerate(kinds)]


def _array_from(sent: bytes | None, kind: Kind) -> AnyArray:
    """A column as PostgreSQL sends it.

    Texts come as JSON, everything else as an array without nulls: a header, then each element after its
    length.
    """
    if sent is None:
        return np.empty(0, dtype=kind.dtype)
    if kind is TEXT:
        return np.array(json.loads(sent), dtype=TEXT.dtype)
    if kind is JSON:
        return _loaded(json.loads(sent))
    value = {UUID: UUID.dtype, REAL: np.dtype(">f8")}.get(kind, np.dtype(">i8"))
    elements = np.frombuffer(sent, dtype=[("length", ">i4"), ("value", value)], offset=_ARRAY_HEADER)["value"]
    if kind is not TIME:
        return elements.astype(kind.dtype)
    since = elements.astype(np.int64)
    return np.where(since == np.iinfo(np.int64).min, np.datetime64("NaT"), _POSTGRESQL_EPOCH + since)


def _loaded(texts: Sequence[str | None]) -> AnyArray:
    """The values of JSON texts."""
    values: dict[str | None, object] = {None: None}
    for text in {text for text in texts if text is not None}:
        value = json.loads(text)
        values[text] = tuple(value) if isinstance(value, list) else value
    return np.fromiter((values[text] for text in texts), dtype=JSON.dtype, count=len(texts))


def python_values(column: AnyArray) -> list[object]:
    """A column as Python values: None for null, times in UTC, UUIDs as text."""
    values = column.tolist()
    if column.dtype == REAL.dtype:
        return [None if isnan(value) else value for value in values]
    if column.dtype == NUMBER.dtype:
        return [None if value < 0 else value for value in values]
    if column.dtype == FLAG.dtype:
        return [(False, True, None)[value] for value in values]
    if column.dtype == TIME.dtype:
        return [value and value.replace(tzinfo=UTC) for value in values]
    if column.dtype == UUID.dtype:
        return [str(uuid.UUID(bytes=value)) for value in values]
    return list(values)
