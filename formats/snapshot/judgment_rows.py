"""The rows of a judgment in exported tables and in the snapshot."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from operator import attrgetter, itemgetter
from typing import Any

from formats.records import AnswerRecord, JudgmentRecord
from formats.snapshot.answer_details import Details, json_text
from formats.snapshot.judgment_columns import (
    COLUMNS,
    IN_DETAILS,
    OF_JUDGMENTS,
    SCHEMA_VERSION,
    SNAPSHOT_COLUMNS,
    Column,
    Kind,
    Part,
    Value,
    columns_of,
)
from formats.snapshot.propensities_json import propensities_text

Cells = Callable[[Any], tuple[Value, ...]]
"""Gives the values of a record as they stand in a row."""

_WRITTEN: Mapping[Kind, Callable[[Any], str]] = {
    Kind.TEXTS: json_text,
    Kind.DETAILS: json_text,
    Kind.PROPENSITIES: propensities_text,
}


def _cells(*parts: Part) -> Cells:
    """The function that reads the columns of these parts from a record."""
    columns = columns_of(*parts)
    read = attrgetter(*(column.field for column in columns.values()))
    written = [(place, column) for place, column in enumerate(columns.values()) if _is_written(column)]

    def cells(record: object) -> tuple[Value, ...]:
        values = list(read(record))
        for place, column in written:
            values[place] = _cell(values[place], column)
        return tuple(values)

    return cells if written else read


def _is_written(column: Column) -> bool:
    """Whether the values in rows differ from those of records."""
    return column.nullable and (column.kind in _WRITTEN or column.empty is not None)


def _cell(value: Any, column: Column) -> Value:
    if not value:
        return None
    write = _WRITTEN.get(column.kind)
    return write(value) if write else value


def without_columns(details: Details | None) -> tuple[Details | None, dict[str, int | None]]:
    """The details without the values that have columns of their own, and these values by column.

    A value that its column cannot hold stays in the details.
    """
    if not details:
        return None, dict.fromkeys(IN_DETAILS)
    values = {name: _fitting(details.get(name), column) for name, column in IN_DETAILS.items()}
    rest = {name: value for name, value in details.items() if values.get(name) is None}
    return rest or None, values


def _fitting(value: object, column: Column) -> int | None:
    lowest, highest = column.limits or (0, 0)
    return value if type(value) is int and lowest <= value <= highest else None


def with_columns(details: Details | None, values: Mapping[str, int | None]) -> Details | None:
    """The details of an answer whose columns hold these values, the inverse of `without_columns`."""
    return {**(details or {}), **{name: value for name, value in values.items() if value is not None}} or None


def answer_fields(answer: AnswerRecord) -> dict[str, Any]:
    """The values of the columns of an answer, by field; those that come from details by name, at the end."""
    fields = {column.field: getattr(answer, column.field) for column in columns_of(Part.ANSWER).values()}
    details, values = without_columns(answer.details)
    return {**fields, "details": details, **values}


_of_judgment, _of_rating = _cells(*OF_JUDGMENTS), _cells(Part.RATING)
_beside_details = _cells(Part.ANSWER)
_UNRATED = (None, *(column.empty for column in columns_of(Part.RATING).values()))

_READ = (
    *("schema_version", "campaign", *columns_of(*OF_JUDGMENTS), *columns_of(Part.ANSWER), *IN_DETAILS),
    *("position", *columns_of(Part.RATING)),
)
_in_table = itemgetter(*(_READ.index(name) for name in COLUMNS))
_in_snapshot = itemgetter(*(_READ.index(name) for name in SNAPSHOT_COLUMNS))


def table_rows(judgment: JudgmentRecord, *, campaign: str) -> Iterator[tuple[Value, ...]]:
    """The rows of all answers of a judgment, with their values in the order of `COLUMNS`."""
    for answer in judgment.answers:
        yield from map(_in_table, _rows_of_answer(judgment, answer, campaign))


def snapshot_rows(
    judgment: JudgmentRecord, answer: AnswerRecord, *, campaign: str
) -> Iterator[tuple[Value, ...]]:
    """The rows of one answer of a judgment, with their values in the order of `SNAPSHOT_COLUMNS`."""
    return map(_in_snapshot, _rows_of_answer(judgment, answer, campaign))


def _rows_of_answer(
    judgment: JudgmentRecord, answer: AnswerRecord, campaign: str
) -> Iterator[tuple[Value, ...]]:
    """The rows of one answer, with their values in the order of `_READ`."""
    details, values = without_columns(answer.details)
    plain = answer if details == answer.details else replace(answer, details=details)
    of_answer = (*_beside_details(plain), *values.values())
    head = (SCHEMA_VERSION, campaign, *_of_judgment(judgment), *of_answer)
    for position, rating in enumerate(answer.ratings):
        yield (*head, position, *_of_rating(rating))
    if not answer.ratings:
        yield (*head, *_UNRATED)
