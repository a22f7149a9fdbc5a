"""Texts of CSV files that may hold lone carriage returns within quotes."""

import csv
from io import StringIO
from typing import TYPE_CHECKING

from formats.text.characters import named

if TYPE_CHECKING:
    from _csv import Reader


def csv_rows_reader(text: str, delimiter: str = ",") -> "Reader":
    """A strict reader of rows, whose lines end at LF or CRLF and nowhere else."""
    return csv.reader(StringIO(text, newline="\n"), strict=True, delimiter=delimiter)


def fault_in_words(error: csv.Error, what: str) -> str:
    """The reader's error in words; `what` names the kind of file."""
    return named("\r") if str(error).startswith("new-line character") else f"malformed {what}: {error}"
