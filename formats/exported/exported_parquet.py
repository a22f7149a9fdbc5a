"""Exported tables of judgments as Parquet."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from core.later import pa, pc, pq
from formats.exported.exported_rows import PlacedRow, Row, check_columns, judgments_of
from formats.exported.exported_text import value_of_json
from formats.jsonl import strict_json
from formats.records import MAX_FILE_BYTES, MAX_LINES, MAX_TEXT_CHARS, FormatError, JudgmentRecord
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


def parse_exported_parquet(raw: bytes, path: Path) -> tuple[JudgmentRecord, ...]:
    """The judgments in the bytes of an exported Parquet file; columns may stand in any order.

    Line numbers in messages are those of rows, from 1.

    Raises:
        FormatError: no Parquet, or a broken one; more than MAX_LINES rows, or more than MAX_FILE_BYTES when
            unpacked; a column that is missing, unknown or there twice; a value that is missing, or not what
            its column holds; and all faults of `judgments_of`.
    """
    whole = Place(path)
    try:
        return judgments_of(_placed_rows(raw, path), whole)
    except (pa.ArrowException, OSError, ValueError, OverflowError) as error:
        [cause, *_] = str(error).splitlines() or ["it is broken"]
        raise whole.fault(f"cannot be read as Parquet: {cause}") from error


def _placed_rows(raw: bytes, path: Path) -> Iterator[PlacedRow]:
    # Texts stay as Parquet has them, each distinct one once: a short file cannot unfold to a huge one.
    metadata = pq.read_metadata(pa.BufferReader(raw))
    _check_size(metadata, path)
    names = metadata.schema.to_arrow_schema().names
    check_columns(names, Place(path))
    texts = [name for name in _TEXTS if name in names]
    file = pq.ParquetFile(pa.BufferReader(raw), metadata=metadata, read_dictionary=texts)
    number = 0
    parsed: dict[tuple[str, str], object] = {}
    for batch in file.iter_batches(batch_size=_ROWS_AT_ONCE):
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


def _check_size(metadata: pq.FileMetaData, path: Path) -> None:
    if metadata.num_rows > MAX_LINES:
        raise FormatError(path, None, f"{metadata.num_rows} rows, at most {MAX_LINES} are allowed")
    unpacked = sum(metadata.row_group(number).total_byte_size for number in range(metadata.num_row_groups))
    if unpacked > MAX_FILE_BYTES:
        raise FormatError(path, None, f"unpacked it is larger than {MAX_FILE_BYTES // 2**20} MiB")


def _plain(batch: pa.RecordBatch, path: Path) -> pa.RecordBatch:
    """The rows in the columns and types of `schema`."""
    columns = []
    for field in schema():
        if field.name not in batch.schema.names:
            columns.append(pa.nulls(len(batch), field.type))
            continue
        column = batch.column(field.name)
        if field.name in _TEXTS:
            _check_lengths(column, field.name, path)
        try:
            columns.append(column.cast(field.type))
        except pa.ArrowException as error:
            kind = COLUMNS[field.name].kind.value
            raise FormatError(path, None, f"{field.name} must be {kind}: {error}") from error
    return pa.RecordBatch.from_arrays(columns, names=schema().names)


def _check_lengths(column: pa.Array, name: str, path: Path) -> None:
    distinct = column.dictionary if isinstance(column, pa.DictionaryArray) else column
    if pa.types.is_string(distinct.type) or pa.types.is_large_string(distinct.type):
        longest = pc.max(pc.utf8_length(distinct)).as_py() or 0
        most = _LONGEST[COLUMNS[name].kind]
        if longest > most:
            cause = f"{name} has {longest} characters, at most {most} are allowed"
            raise FormatError(path, None, cause)
