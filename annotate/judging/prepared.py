"""Queries of the hot path: their SQL is compiled once, and run with different values.

Django compiles the SQL of a query each time it is run, which takes longer than a database needs to answer it
from an index. Each screen and each answer runs the same few queries, so this would be most of their cost.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar
from uuid import UUID

from django.db import connection
from django.db.backends.utils import CursorWrapper
from django.db.models import BigIntegerField, CharField, Field, Model, QuerySet, UUIDField

Kind: TypeAlias = "Field[Any, Any]"
KEY: Kind = BigIntegerField()
UNIQUE_ID: Kind = UUIDField()
TEXT: Kind = CharField()

Row = Mapping[str, Any]
"""A row by the names of its columns, as `values` gives it."""

Stored = TypeVar("Stored", bound=Model)

_FIRST_STAND_IN = 2_000_000_000


def columns_of(model: type[Model], prefix: str = "") -> list[str]:
    """The names of all columns of a model, behind the path that leads to it in a query."""
    return [f"{prefix}{field.attname}" for field in model._meta.concrete_fields]


def instance_in(row: Row, model: type[Stored], prefix: str = "") -> Stored:
    """The instance of the model that a row holds in `columns_of` it."""
    names = columns_of(model)
    return model.from_db(connection.alias, names, [row[f"{prefix}{name}"] for name in names])


@dataclass(frozen=True, slots=True)
class _Compiled:
    """The SQL for one kind of database.

    Attributes:
        parameters: the name of a value, or a constant.
        named: which of them are names.
    """

    sql: str
    parameters: Sequence[Any]
    named: Sequence[bool]
    read: Callable[[Sequence[Any]], list[Row]]


class PreparedQuery:
    """A query of named columns (`values`) that `build` makes from values that vary, by name and kind.

    Everything else about the query must be constant; the values must not be None.
    """

    def __init__(self, build: Callable[..., QuerySet[Any, Any]], **kinds: Kind) -> None:
        self._build, self._kinds = build, kinds
        self._compiled: dict[str, _Compiled] = {}

    def rows(self, *, locks: type[Model] | None = None, **values: Any) -> list[Row]:
        """The rows for these values.

        `locks` is the model whose rows are locked until the transaction ends. SQLite has no row locks; there
        the whole transaction is exclusive from its beginning.
        """
        compiled = self._compiled.get(connection.vendor) or self._compile()
        prepared = {
            name: self._kinds[name].get_db_prep_value(value, connection) for name, value in values.items()
        }
        parameters = [
            prepared[parameter] if is_name else parameter
            for parameter, is_name in zip(compiled.parameters, compiled.named, strict=True)
        ]
        with connection.cursor() as cursor:
            # A record of queries shows them with their values.
            if connection.vendor == "postgresql" and not connection.queries_logged:
                _let_server_prepare(cursor)
            cursor.execute(compiled.sql + _locking(locks), parameters)
            return compiled.read(cursor.fetchall())

    def _compile(self) -> _Compiled:
        stand_ins = {
            name: _stand_in(kind, _FIRST_STAND_IN + number)
            for number, (name, kind) in enumerate(self._kinds.items())
        }
        names = {
            self._kinds[name].get_db_prep_value(value, connection): name for name, value in stand_ins.items()
        }
        query = self._build(**stand_ins).query
        compiler = query.get_compiler(connection=connection)
        sql, parameters = compiler.as_sql()
        converters = compiler.get_converters([column for column, _, _ in compiler.select])
        columns = tuple(query.selected or ())

        def read(rows: Sequence[Any]) -> list[Row]:
            converted = compiler.apply_converters(rows, converters) if converters else rows
            return [dict(zip(columns, row, strict=True)) for row in converted]

        compiled = _Compiled(
            sql,
            [names.get(parameter, parameter) for parameter in parameters],
            [parameter in names for parameter in parameters],
            read,
        )
        self._compiled[connection.vendor] = compiled
        return compiled


def _locking(model: type[Model] | None) -> str:
    if model is None or not connection.features.has_select_for_no_key_update:
        return ""
    return f" FOR NO KEY UPDATE OF {connection.ops.quote_name(model._meta.db_table)}"


def _let_server_prepare(cursor: CursorWrapper) -> None:
    """Have PostgreSQL plan the query once for the connection: planning takes longer than running it.

    Django's own cursors put the values into the SQL, which then differs each time.
    """
    from django.db.backends.postgresql.base import ServerBindingCursor

    cursor.cursor = ServerBindingCursor(connection.connection)  # type: ignore[call-arg]  # its stub is wrong


def _stand_in(kind: Kind, number: int) -> int | str | UUID:
    """A marker value, by which a parameter's position in the SQL is recognised."""
    if kind is UNIQUE_ID:
        return UUID(int=number)
    return number if kind is KEY else f"stand-in-{number}"
