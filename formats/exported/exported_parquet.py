"""Exported tables of judgments as Parquet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from core.later import pa, pc, pq
from core.progress import NoProgress, Progress
from formats.exported.exported_rows import PlacedRow, Row, check_columns, judgments_of
from formats.exported.exported_text import value_of_json
from formats.jsonl import strict_json
from formats.records import (
    MAX_FILE_BYTES,
    MAX_LINES,
    MAX_NAME_CHARS,
    MAX_SYSTEMS,
    MAX_TEXT_CHARS,
    FormatError,
    JudgmentRecord,
)
from formats.snapshot.answer_details import MAX_DETAILS_CHARS, MAX_FURTHER_TEXTS_CHARS
from formats.snapshot.judgment_columns import AS_JSON, COLUMNS, Kind
from formats.snapshot.propensities_json import MAX_PROPENSITIES_CHARS
from formats.text.checks import Place

_ROWS_AT_ONCE = 1000
_LONGEST = {
    Kind.TEXT: MAX_TEXT_CHARS,
    Kind.TEXTS: MAX_FURTHER_TEXTS_CHARS,
    Kind.DETAILS: MAX_DETAILS_CHARS,
    Kind.PROPENSITIES: MAX_PROPENSITIES_CHARS,
}
_TEXTS = [name for name, column in COLUMNS.items() if column.kind in _LONGEST]
_NAMES = [name for name, column in COLUMNS.items() if column.kind is Kind.NAMES]
MOST_VALUES = MAX_FILE_BYTES // 4
"""Most values of a column, which are more than its rows if it holds lists."""


@cache
def schema() -> pa.Schema:
    """The columns of an exported table with their types."""
    types = {
        Kind.TEXT: pa.string(),
        Kind.NUMBER: pa.int64(),
        Kind.FLAG: pa.bool_(),
        Kind.TIME: pa.timestamp("us", tz="UTC"),
        Kind.NAMES: pa.list_(pa.string()),
        Kind.TEXTS: pa.string(),
        Kind.DETAILS: pa.string(),
        Kind.PROPENSITIES: pa.string(),
    }
    return pa.schema(
        [pa.field(name, types[column.kind], column.nullable) for name, column in COLUMNS.items()]
    )


def parse_exported_parquet(raw: bytes, path: Path, progress: Progress) -> tuple[JudgmentRecord, ...]:
    """The judgments in the bytes of an exported Parquet file; columns may stand in any order.

    Line numbers in messages are those of rows, from 1. Progress is reported as by `judgments_of`.

    Raises:
        FormatError: no Parquet, or a broken one; more than MAX_LINES rows, or more than MAX_FILE_BYTES when
            unpacked; a column that is missing, unknown or there twice; a value that is missing, or not what
            its column holds; and all faults of `judgments_of`.
    """
    with _faults_named(path):
        metadata = pq.read_metadata(pa.BufferReader(raw))
        check_parquet_size(metadata, path)
        check_columns(metadata.schema.to_arrow_schema().names, Place(path))
        texts = [each for each in columns_of_texts(metadata) if each.partition(".")[0] in (*_TEXTS, *_NAMES)]
        file = pq.ParquetFile(pa.BufferReader(raw), metadata=metadata, read_dictionary=texts)
        rows = _placed_rows(file.iter_batches(_ROWS_AT_ONCE), path)
        return judgments_of(rows, Place(path), progress, total=metadata.num_rows)


def judgments_of_table(table: pa.Table, path: Path) -> tuple[JudgmentRecord, ...]:
    """The judgments in a table with the columns of an export, which was read from this path.

    Raises:
        FormatError: as for `parse_exported_parquet`.
    """
    with _faults_named(path):
        rows = _placed_rows(table.to_batches(_ROWS_AT_ONCE), path)
        return judgments_of(rows, Place(path), NoProgress(), total=len(table))


@contextmanager
def _faults_named(path: Path) -> Iterator[None]:
    try:
        yield
    except (pa.ArrowException, OSError, ValueError, OverflowError) as error:
        [cause, *_] = str(error).splitlines() or ["it is broken"]
        raise FormatError(path, None, f"cannot be read as Parquet: {cause}") from error


def _placed_rows(batches: Iterable[pa.RecordBatch], path: Path) -> Iterator[PlacedRow]:
    number = 0
    parsed: dict[tuple[str, str], object] = {}
    for batch in batches:
        for values in _plain(batch, path).to_pylist():
            number += 1
            place = Place(path, number)
            for name, column in COLUMNS.items():
                if values[name] is None and not column.nullable:
                    raise place.fault(f"{name} is missing")
            if None in values["systems"]:
                raise place.fault("systems must be a list of strings, not of null")
            for name in AS_JSON:
                if (text := values[name]) is not None:
                    if (name, text) not in parsed:
                        parsed[name, text] = value_of_json(strict_json(text, place), name, place)
                    values[name] = parsed[name, text]
            values["systems"] = tuple(values["systems"])
            yield place, Row(values.values())


def check_parquet_size(metadata: pq.FileMetaData, path: Path) -> None:
    """FormatError for more than MAX_LINES rows, or more than MAX_FILE_BYTES when unpacked."""
    if metadata.num_rows > MAX_LINES:
        raise FormatError(path, None, f"{metadata.num_rows} rows, at most {MAX_LINES} are allowed")
    groups = [metadata.row_group(number) for number in range(metadata.num_row_groups)]
    values = [
        sum(group.column(column).num_values for group in groups) for column in range(metadata.num_columns)
    ]
    if (
        sum(group.total_byte_size for group in groups) > MAX_FILE_BYTES
        or max(values, default=0) > MOST_VALUES
    ):
        raise FormatError(path, None, f"unpacked it is larger than {MAX_FILE_BYTES // 2**20} MiB")


def columns_of_texts(metadata: pq.FileMetaData) -> list[str]:
    """The columns that hold texts, or lists of texts, by their paths.

    Read as dictionaries, they have each distinct text once, so that a short file does not unfold to a huge
    one.
    """
    columns = [metadata.schema.column(number) for number in range(metadata.num_columns)]
    return [column.path for column in columns if column.physical_type == "BYTE_ARRAY"]


def _plain(batch: pa.RecordBatch, path: Path) -> pa.RecordBatch:
    """The rows in the columns and types of `schema`."""
    columns = []
    for field in schema():
        if field.name not in batch.schema.names:
            columns.append(pa.nulls(len(batch), field.type))
            continue
        column = batch.column(field.name)
        if field.name in _TEXTS:
            _check_lengths(column, field.name, path, _LONGEST[COLUMNS[field.name].kind])
        if field.name in _NAMES and pa.types.is_list(column.type):
            if (pc.max(pc.list_value_length(column)).as_py() or 0) > MAX_SYSTEMS:
                raise FormatError(path, None, f"{field.name} has more than {MAX_SYSTEMS} names")
            _check_lengths(column.flatten(), field.name, path, MAX_NAME_CHARS)
        try:
            columns.append(column.cast(field.type))
        except pa.ArrowException as error:
            kind = COLUMNS[field.name].kind.value
            raise FormatError(path, None, f"{field.name} must be {kind}: {error}") from error
    return pa.RecordBatch.from_arrays(columns, names=schema().names)


def _check_lengths(column: pa.Array, name: str, path: Path, most: int) -> None:
    distinct = column.dictionary if isinstance(column, pa.DictionaryArray) else column
    if pa.types.is_string(distinct.type) or pa.types.is_large_string(distinct.type):
        longest = pc.max(pc.utf8_length(distinct)).as_py() or 0
        if longest > most:
            cause = f"{name} has {longest} characters, at most {most} are allowed"
            raise FormatError(path, None, cause)
