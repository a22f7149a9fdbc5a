"""Many rows of the database as arrays, one for each column, without an object for each value.

A million answers may have five million ratings. PostgreSQL puts each column together as one array and sends
it in its binary format, which costs a twentieth of what rows cost; SQLite hands out plain rows.
"""

import json
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

import numpy as np
from django.db import connection
from django.db.models import Lookup, QuerySet
from numpy.typing import NDArray

NUMBER = np.dtype(np.int64)
"""A whole number; null is -1."""
TIME = np.dtype("datetime64[us]")
"""A time in UTC; null is NaT."""
UUID = np.dtype("V16")
"""The bytes of a UUID, which is never null."""

ROWS_PER_FETCH = 20_000

_NULLS = {
    "sqlite": {NUMBER: "-1", TIME: "'NaT'", UUID: "''"},
    "postgresql": {NUMBER: "-1", TIME: "'-infinity'", UUID: "NULL"},
}
_CASTS = {NUMBER: "::bigint", TIME: "::timestamptz", UUID: "::uuid"}
_ARRAY_HEADER = 20
_POSTGRESQL_EPOCH = np.datetime64("2000-01-01", "us")


class Among(Lookup):
    """Whether a number is among these, which may be many thousands: they are one parameter.

    PostgreSQL would compare each of them with its statistics, and then read whole tables once they are many;
    of an array that a subquery makes it knows nothing, and takes the index.
    """

    prepare_rhs = False

    def as_sqlite(self, compiler: Any, connection: Any) -> tuple[str, list[Any]]:
        column, parameters = self.process_lhs(compiler, connection)
        them = "(SELECT value FROM json_each(%s))"
        return f"{column} IN {them}", [*parameters, json.dumps(self.rhs)]

    def as_postgresql(self, compiler: Any, connection: Any) -> tuple[str, list[Any]]:
        column, parameters = self.process_lhs(compiler, connection)
        them = f"{{{','.join(map(str, self.rhs))}}}"
        return f"{column} = ANY(ARRAY(SELECT unnest(%s::bigint[])))", [*parameters, them]


def read_columns(
    rows: "QuerySet[Any, tuple[Any, ...]]", kinds: Sequence[np.dtype[Any]]
) -> list[NDArray[Any]]:
    """The columns of the rows of a `values_list`, in whatever order the rows come.

    `kinds` says what each column holds: `NUMBER`, `TIME` or `UUID`.
    """
    query, parameters = rows.order_by().query.sql_with_params()
    names = [f"column_{place}" for place in range(len(kinds))]
    is_sqlite = connection.vendor == "sqlite"
    values = [
        f"coalesce({name}{'' if is_sqlite else _CASTS[kind]}, {_NULLS[connection.vendor][kind]})"
        for name, kind in zip(names, kinds, strict=True)
    ]
    selected = ", ".join(values if is_sqlite else (f"array_agg({value})" for value in values))
    statement = f"WITH found({', '.join(names)}) AS ({query}) SELECT {selected} FROM found"  # noqa: S608
    read = _read_from_sqlite if is_sqlite else _read_from_postgresql
    return read(statement, parameters, kinds)


def _read_from_sqlite(
    statement: str, parameters: Sequence[Any], kinds: Sequence[np.dtype[Any]]
) -> list[NDArray[Any]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        fetches = iter(lambda: cursor.fetchmany(ROWS_PER_FETCH), [])
        rows: Iterator[tuple[Any, ...]] = chain.from_iterable(fetches)
        if all(kind == NUMBER for kind in kinds):
            numbers = np.fromiter(chain.from_iterable(rows), dtype=NUMBER).reshape(-1, len(kinds))
            return list(np.ascontiguousarray(numbers.T))
        columns = list(zip(*rows, strict=True)) or [()] * len(kinds)
    return [
        np.frombuffer(bytes.fromhex("".join(column)), dtype=UUID)
        if kind == UUID
        else np.array(column, dtype=kind)
        for column, kind in zip(columns, kinds, strict=True)
    ]


def _read_from_postgresql(
    statement: str, parameters: Sequence[Any], kinds: Sequence[np.dtype[Any]]
) -> list[NDArray[Any]]:
    from psycopg import Cursor
    from psycopg.pq import Format

    connection.ensure_connection()
    # Django's own cursor puts parameters into the statement, and so can only have its answer as text.
    binary: Cursor[Any] = Cursor(connection.connection)
    binary.format = Format.BINARY
    with connection._prepare_cursor(binary) as cursor:  # type: ignore[attr-defined]
        cursor.execute(statement, parameters)
        result = cursor.pgresult
        return [_array(result.get_value(0, place), kind) for place, kind in enumerate(kinds)]


def _array(sent: bytes | None, kind: np.dtype[Any]) -> NDArray[Any]:
    """An array without nulls as PostgreSQL sends it: a header, then each element after its length."""
    if sent is None:
        return np.empty(0, dtype=kind)
    value = UUID if kind == UUID else np.dtype(">i8")
    elements = np.frombuffer(sent, dtype=[("length", ">i4"), ("value", value)], offset=_ARRAY_HEADER)["value"]
    if kind != TIME:
        return elements.astype(kind)
    since = elements.astype(np.int64)
    return np.where(since == np.iinfo(np.int64).min, np.datetime64("NaT"), _POSTGRESQL_EPOCH + since)
