"""Exported tables of judgments as CSV and as JSON Lines, one row a line."""

import csv
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from core.formulas import unguarded
from core.progress import Progress
from formats.exported.exported_rows import PlacedRow, Row, check_columns, judgments_of
from formats.jsonl import kind_of, strict_json, strict_object
from formats.records import FormatError, JudgmentRecord
from formats.snapshot.judgment_columns import COLUMNS, Column, Kind
from formats.text.characters import named
from formats.text.checks import Place, quoted
from formats.text.csv_texts import csv_rows_reader, fault_in_words

_NUMBER = re.compile(r"-?[0-9]{1,19}")
_FLAGS = {"true": True, "false": False}
_TYPES = {
    Kind.TEXT: str,
    Kind.NUMBER: int,
    Kind.FLAG: bool,
    Kind.TIME: str,
    Kind.NAMES: list,
    Kind.TEXTS: list,
    Kind.DETAILS: dict,
    Kind.PROPENSITIES: dict,
}
_EXPECTED = {
    Kind.TEXT: "a string",
    Kind.NUMBER: "a whole number",
    Kind.FLAG: "true or false",
    Kind.TIME: "a time with its zone (ISO 8601)",
    Kind.NAMES: "a list of strings",
    Kind.TEXTS: "a list of strings",
    Kind.DETAILS: "an object",
    Kind.PROPENSITIES: "an object",
}


def parse_exported_csv(text: str, path: Path, progress: Progress) -> tuple[JudgmentRecord, ...]:
    """The judgments in the text of an exported CSV file; columns may stand in any order.

    Progress is reported as by `judgments_of`.

    Raises:
        FormatError: malformed CSV; a column that is missing, unknown or there twice; rows of another length
            than the header; a cell that is not what its column holds; and all faults of `judgments_of`.
    """
    return judgments_of(_csv_rows(text, path), Place(path), progress, total=text.count("\n") - 1)


def parse_exported_jsonl(text: str, path: Path, progress: Progress) -> tuple[JudgmentRecord, ...]:
    """The judgments in the text of an exported JSON Lines file; keys may stand in any order.

    Progress is reported as by `judgments_of`.

    Raises:
        FormatError: anything that is not one strict JSON object a line; a key that is missing or unknown; a
            value that is not what its column holds; and all faults of `judgments_of`.
    """
    return judgments_of(_json_rows(text, path), Place(path), progress, total=text.count("\n"))


def _csv_rows(text: str, path: Path) -> Iterator[PlacedRow]:
    reader = csv_rows_reader(text)
    line = 1
    try:
        header = next(reader, [])
        check_columns(header, Place(path, line))
        line = reader.line_num + 1
        for cells in reader:
            place = Place(path, line)
            if len(cells) != len(header):
                raise place.fault(f"{len(cells)} fields, but {len(header)} in the header")
            by_column = dict(zip(header, cells, strict=True))
            yield place, Row(_of_cell(by_column.get(name, ""), name, place) for name in COLUMNS)
            line = reader.line_num + 1
    except csv.Error as error:
        raise Place(path, line).fault(fault_in_words(error, "CSV")) from error


def _of_cell(cell: str, name: str, place: Place) -> Any:
    column = COLUMNS[name]
    text = unguarded(cell)
    if column.kind is Kind.NAMES:
        return tuple(text.split(" ")) if text else ()
    if text is None:
        return _missing(name, column, place)
    match column.kind:
        case Kind.TEXT:
            return text
        case Kind.NUMBER if _NUMBER.fullmatch(cell):
            return int(cell)
        case Kind.FLAG if cell in _FLAGS:
            return _FLAGS[cell]
        case Kind.TIME:
            return _time(cell, name, place)
        case Kind.TEXTS | Kind.DETAILS | Kind.PROPENSITIES:
            return value_of_json(strict_json(text, place), name, place)
    raise _misfit(cell, name, place)


def _json_rows(text: str, path: Path) -> Iterator[PlacedRow]:
    for number, line in enumerate(text.removesuffix("\n").split("\n"), start=1):
        place = Place(path, number)
        if "\r" in line.removesuffix("\r"):
            raise place.fault(named("\r"))
        values = strict_object(line, place)
        check_columns(values, place)
        yield place, Row(value_of_json(values.get(name), name, place) for name in COLUMNS)


def value_of_json(value: object, name: str, place: Place) -> Any:
    """The value of the column that this JSON value stands for.

    Raises:
        FormatError: it is not what the column holds.
    """
    column = COLUMNS[name]
    if value is None:
        return _missing(name, column, place)
    if type(value) is not _TYPES[column.kind]:
        raise place.fault(f"{name} must be {_EXPECTED[column.kind]}, not {kind_of(value)}")
    match value:
        case str() if column.kind is Kind.TIME:
            return _time(value, name, place)
        case [*strings]:
            for one in strings:
                if not isinstance(one, str):
                    raise place.fault(f"{name} must be {_EXPECTED[column.kind]}, not of {kind_of(one)}")
            return tuple(strings)
        case _:
            return value


def _missing(name: str, column: Column, place: Place) -> None:
    if not column.nullable:
        raise place.fault(f"{name} is missing")


def _time(text: str, name: str, place: Place) -> datetime:
    try:
        time = datetime.fromisoformat(text)
        if time.tzinfo:
            return time.astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise _misfit(text, name, place) from error
    raise _misfit(text, name, place)


def _misfit(text: str, name: str, place: Place) -> FormatError:
    return place.fault(f"{name} is not {_EXPECTED[COLUMNS[name].kind]}: {quoted(text)}")
