"""Tables of a bundle as CSV: writing, and reading with checks."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO, StringIO
from pathlib import Path

import numpy as np

from analysis.publishing.stated import BundleError
from core.arrays import IntArray
from core.later import pd

Rows = Iterable[Iterable[object]]


@contextmanager
def opened_table(path: Path, columns: Sequence[str]) -> Iterator[Callable[[Rows], object]]:
    """A new table with these columns; gives the function that adds rows."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        yield writer.writerows


def write_table(path: Path, columns: Sequence[str], rows: Rows) -> None:
    """Write the rows below the names of the columns."""
    with opened_table(path, columns) as add:
        add(rows)


@dataclass(frozen=True, slots=True)
class Run:
    """Rows of a table that follow each other and agree in their first cells.

    Attributes:
        cells: the first cells.
        begin: where the rows begin in the file, in bytes.
        end: where they end.
    """

    cells: tuple[str, ...]
    begin: int
    end: int


def runs_of(path: Path, columns: Sequence[str], cells: int) -> list[Run]:
    """The runs of a table by this many first cells, which hold no line ends.

    Raises:
        BundleError: the file cannot be read, or has other columns.
    """
    runs: list[Run] = []
    found: tuple[str, ...] = ()
    try:
        with path.open("rb") as file:
            if _cells(file.readline()) != tuple(columns):
                raise _other_columns(path, columns)
            begin = end = file.tell()
            start = b""
            for line in file:
                if not (start and line.startswith(start)):
                    if start:
                        runs.append(Run(found, begin, end))
                    found, begin = _cells(line)[:cells], end
                    start = _begin(line, found)
                end += len(line)
            if start:
                runs.append(Run(found, begin, end))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise BundleError(f"{path.name} cannot be read: {error}") from error
    return runs


def _cells(line: bytes) -> tuple[str, ...]:
    return tuple(next(csv.reader([line.decode()]), ()))


def _begin(line: bytes, cells: tuple[str, ...]) -> bytes:
    """How lines with these first cells begin, as bundles are written; else the whole line."""
    written = StringIO()
    csv.writer(written).writerow([*cells, ""])
    begin = written.getvalue().rstrip("\r\n").encode()
    return begin if line.startswith(begin) else line


def read_table(path: Path, columns: Sequence[str], runs: Iterable[Run] | None = None) -> pd.DataFrame:
    """A table of texts, or some runs of its rows; empty cells are empty texts.

    Raises:
        BundleError: the file cannot be read, or has other columns.
    """
    try:
        read = path if runs is None else BytesIO(_text(path, runs))
        table = pd.read_csv(read, dtype="str", keep_default_na=False, encoding="utf-8")
    except (OSError, ValueError, UnicodeDecodeError) as error:
        raise BundleError(f"{path.name} cannot be read: {error}") from error
    if tuple(table.columns) != tuple(columns):
        raise _other_columns(path, columns)
    return table


def _text(path: Path, runs: Iterable[Run]) -> bytes:
    """The heading of a table and these rows."""
    with path.open("rb") as file:
        parts = [file.readline()]
        for run in runs:
            file.seek(run.begin)
            parts.append(file.read(run.end - run.begin))
    return b"".join(parts)


def _other_columns(path: Path, columns: Sequence[str]) -> BundleError:
    return BundleError(f"{path.name} should have the columns {', '.join(columns)}")


def whole_numbers(cells: pd.Series[str], file: str) -> IntArray:
    """The numbers of sentences, outputs or references.

    Raises:
        BundleError: a cell is not a whole number of at most nine digits.
    """
    if len(cells) and not cells.str.fullmatch("[0-9]{1,9}").all():
        raise BundleError(f"{file}: a number of a sentence, an output or a reference is not a whole number")
    return np.array(cells.tolist() or [], dtype=np.int64)
