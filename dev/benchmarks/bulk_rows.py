"""Writes millions of rows directly into tables: no objects, no signals, no checks."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import count, islice, repeat
from typing import Any
from uuid import NAMESPACE_OID, uuid5

from django.apps import apps
from django.core.management.color import no_style
from django.db import connection, transaction
from django.db.models import Field, JSONField, Max, Model, UUIDField

ROWS_PER_INSERT = 50_000
SQLITE_LOADS = ("journal_mode=OFF", "synchronous=OFF", "foreign_keys=OFF", "cache_size=-1000000")
POSTGRESQL_LOADS = ("synchronous_commit = off", "session_replication_role = replica")


@contextmanager
def bulk_writing() -> Iterator[None]:
    """A connection for filling a new database: not crash-safe, foreign keys unchecked.

    Afterwards, table statistics are updated. On PostgreSQL it needs a superuser.
    """
    is_sqlite = connection.vendor == "sqlite"
    with connection.cursor() as cursor:
        for setting in SQLITE_LOADS if is_sqlite else POSTGRESQL_LOADS:
            cursor.execute(f"PRAGMA {setting}" if is_sqlite else f"SET {setting}")
    yield
    with connection.cursor() as cursor:
        if is_sqlite:
            cursor.execute("PRAGMA journal_mode=WAL")
            cursor.execute("ANALYZE")
        else:
            cursor.execute("VACUUM ANALYZE")
    connection.close()


def count_keys_on() -> None:
    """Set the database's sequences to continue after the stored keys."""
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), list(apps.get_models())):
            cursor.execute(statement)


def store(model: type[Model], rows: int, **columns: Any) -> range:
    """Append rows to the table of a model, and return their keys.

    Args:
        model: model of the table.
        rows: number of rows.
        columns: by attribute (such as `item_id`), a list with one value per row, or one value for all rows.
            Times are texts without a zone, in UTC. Other fields get their default, UUIDs a value made from
            the key.
    """
    first = (model._base_manager.aggregate(newest=Max("pk"))["newest"] or 0) + 1
    names, values = ["id"], [iter(range(first, first + rows))]
    for field in model._meta.local_concrete_fields:
        if not field.primary_key:
            names.append(str(field.column))
            values.append(_values(field, columns, first))
        columns.pop(field.attname, None)
    assert not columns, f"{model.__name__} has no fields {sorted(columns)}"
    _insert(model._meta.db_table, names, islice(zip(*values, strict=False), rows))
    return range(first, first + rows)


def _values(field: "Field[Any, Any]", columns: dict[str, Any], first: int) -> Iterator[Any]:
    if field.attname in columns:
        column = columns[field.attname]
        if isinstance(column, Sequence) and not isinstance(column, str):
            return iter(column)
        return repeat(column)
    if isinstance(field, UUIDField) and field.has_default():
        name = str(field)
        return (uuid5(NAMESPACE_OID, f"{name} {key}").hex for key in count(first))
    default = field.get_default()
    if isinstance(field, JSONField) and default is not None:
        return repeat("[]" if default == [] else "{}")
    return repeat(field.get_db_prep_save(default, connection))


def _insert(table: str, names: list[str], rows: Iterator[tuple[object, ...]]) -> None:
    columns = ", ".join(f'"{name}"' for name in names)
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            with cursor.copy(f'COPY "{table}" ({columns}) FROM STDIN') as copy:
                for row in rows:
                    copy.write_row(row)
            return
        statement = f'INSERT INTO "{table}" ({columns}) VALUES ({", ".join("?" * len(names))})'  # noqa: S608
        with transaction.atomic():
            while piece := list(islice(rows, ROWS_PER_INSERT)):
                connection.connection.executemany(statement, piece)
