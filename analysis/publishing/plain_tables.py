"""Tables of a bundle as CSV: writing, and reading with checks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from analysis.publishing.stated import BundleError
from core.later import pd
from core.tables import csv_text
from ranking.arrays import IntArray


def write_table(path: Path, columns: Sequence[str], rows: Iterable[Iterable[object]]) -> None:
    """Write the rows below the names of the columns."""
    with path.open("w", encoding="utf-8", newline="") as file:
        file.writelines(csv_text(columns, rows))


def read_table(path: Path, columns: Sequence[str]) -> pd.DataFrame:
    """A table of texts; empty cells are empty texts.

    Raises:
        BundleError: the file cannot be read, or has other columns.
    """
    try:
        table = pd.read_csv(path, dtype="str", keep_default_na=False, encoding="utf-8")
    except (OSError, ValueError, UnicodeDecodeError) as error:
        raise BundleError(f"{path.name} cannot be read: {error}") from error
    if tuple(table.columns) != tuple(columns):
        raise BundleError(f"{path.name} should have the columns {', '.join(columns)}")
    return table


def whole_numbers(cells: pd.Series[str], file: str) -> IntArray:
    """The numbers of sentences, outputs or references.

    Raises:
        BundleError: a cell is not a whole number of at most nine digits.
    """
    if len(cells) and not cells.str.fullmatch("[0-9]{1,9}").all():
        raise BundleError(f"{file}: a number of a sentence, an output or a reference is not a whole number")
    return np.array(cells.tolist() or [], dtype=np.int64)
