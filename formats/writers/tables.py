"""Tables of judgments as CSV and as JSON Lines: one row per rating, all columns."""

import json
import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from itertools import islice
from typing import Any

from core.formulas import guarded
from formats import JudgmentRecord
from formats.snapshot.judgment_columns import AS_JSON, COLUMNS, Value
from formats.snapshot.judgment_rows import table_rows
from formats.writers.heading import Heading
from formats.writers.pieces import in_pieces

ROWS_AT_ONCE = 500

QUOTE = '"'
IN_QUOTES = re.compile('[,"\r\n]')
"""Characters that a cell of CSV has only within quotes."""


def write_csv(judgments: Iterable[JudgmentRecord], heading: Heading) -> Iterator[bytes]:
    """CSV (RFC 4180) with a header. An empty cell is no value; texts are guarded against spreadsheets."""
    return in_pieces(_csv(all_rows(judgments, heading)))


def write_jsonl(judgments: Iterable[JudgmentRecord], heading: Heading) -> Iterator[bytes]:
    """JSON Lines: one object a row, with all the columns as keys."""
    return in_pieces(
        json.dumps(_object(row), ensure_ascii=False, default=_timestamp) + "\n"
        for row in all_rows(judgments, heading)
    )


def _object(row: tuple[Value, ...]) -> dict[str, Any]:
    values: dict[str, Any] = dict(zip(COLUMNS, row, strict=True))
    for name in AS_JSON:
        if (text := values[name]) is not None:
            values[name] = json.loads(text)
    return values


def all_rows(judgments: Iterable[JudgmentRecord], heading: Heading) -> Iterator[tuple[Value, ...]]:
    """The rows of all answers, with their values in the order of `COLUMNS`."""
    for judgment in judgments:
        yield from table_rows(judgment, campaign=heading.campaign)


def _csv(rows: Iterator[tuple[Value, ...]]) -> Iterator[str]:
    """The text of the file, ROWS_AT_ONCE lines at once."""
    yield _lines([COLUMNS])
    while some := list(islice(rows, ROWS_AT_ONCE)):
        yield _lines(zip(*map(_cells, zip(*some, strict=True)), strict=True))


def _lines(rows: Iterable[Iterable[str]]) -> str:
    return "".join([f"{','.join(cells)}\r\n" for cells in rows])


def _cells(column: tuple[Value, ...]) -> Iterator[str]:
    """The values of a column as CSV has them. Few of them differ, and each is written once."""
    cells = {value: _quoted(_cell(value)) for value in set(column)}
    return map(cells.__getitem__, column)


def _quoted(cell: str) -> str:
    return f'"{cell.replace(QUOTE, QUOTE * 2)}"' if IN_QUOTES.search(cell) else cell


def _cell(value: Value) -> str:
    match value:
        case None | str():
            return guarded(value)
        case bool():
            return str(value).lower()
        case datetime():
            return _timestamp(value)
        case tuple():
            return guarded(" ".join(value) or None)
        case _:
            return str(value)


def _timestamp(time: datetime) -> str:
    return f"{time.astimezone(UTC).replace(tzinfo=None).isoformat(timespec='microseconds')}Z"
