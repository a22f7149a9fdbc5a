"""Texts of CSV files that may hold lone carriage returns within quotes."""

import csv
import re
from typing import TYPE_CHECKING

from formats.text.characters import named

if TYPE_CHECKING:
    from _csv import Reader


_LINE = re.compile(r"[^\n]*\n|[^\n]+")


def csv_rows_reader(text: str, delimiter: str = ",") -> "Reader":
    """A strict reader of rows, whose lines end at LF or CRLF and nowhere else.

    It takes one line at a time: a `StringIO` would hold the text again, at four bytes a character.
    """
    return csv.reader((line[0] for line in _LINE.finditer(text)), strict=True, delimiter=delimiter)


def fault_in_words(error: csv.Error, what: str) -> str:
    """The reader's error in words; `what` names the kind of file."""
    return named("\r") if str(error).startswith("new-line character") else f"malformed {what}: {error}"
