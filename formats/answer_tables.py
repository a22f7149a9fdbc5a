"""Tables of people's answers with tabs or commas, whose heading names the columns.

Cells may be quoted as in CSV, and then span lines; white space of any kind within them is one blank.
"""

import csv
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from formats.records import FormatError
from formats.text.checks import Place, quoted
from formats.text.csv_texts import csv_rows_reader, fault_in_words
from formats.text.lines import read_bytes, text_as_it_is

MAX_CELLS = 5_000_000
"""A table is kept as a whole, which takes about 100 bytes a cell; published ones have under 200,000."""


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """A row of a table.

    Attributes:
        place: where it begins, for messages about it.
        cells: by the name of the column, in lower case.
    """

    place: Place
    cells: Mapping[str, str]

    def filled(self, column: str, name: str) -> str:
        """The cell of a column, which must not be empty.

        Raises:
            FormatError: it is; `name` is what the message calls it.
        """
        if text := self.cells[column]:
            return text
        beginning = " ".join(" ".join(self.cells.values()).split())
        raise self.place.fault(f"the {name} is empty; the row begins {quoted(beginning)}")


def read_answer_rows(
    path: Path, check: Callable[[Sequence[str], Place], None] = lambda columns, place: None
) -> tuple[AnswerRow, ...]:
    """The rows in the order of the file; at least one.

    Args:
        path: the file.
        check: gets the names of the columns, and raises `FormatError` if one is missing.

    Raises:
        FormatError: malformed; more than MAX_CELLS cells; a column twice; rows of another length than the
            heading; no row; and all faults of `check`, `read_bytes` and `text_as_it_is`.
    """
    text = text_as_it_is(read_bytes(path), path)
    delimiter = "\t" if "\t" in text.partition("\n")[0] else ","
    rows = tuple(_answer_rows(text, delimiter, path, check))
    if not rows:
        raise FormatError(path, None, "the file holds a heading, but no answer")
    return rows


def columns_of(beginning: str) -> tuple[str, ...]:
    """The names of the columns in the first line of a table, unchecked."""
    delimiter = "\t" if "\t" in beginning else ","
    try:
        cells = next(csv.reader([beginning], delimiter=delimiter), [])
    except csv.Error:
        return ()
    return tuple(cell.strip().lower() for cell in cells)


def _answer_rows(
    text: str, delimiter: str, path: Path, check: Callable[[Sequence[str], Place], None]
) -> Iterator[AnswerRow]:
    reader = csv_rows_reader(text, delimiter)
    read = read_cells = 0
    try:
        columns = [cell.strip().lower() for cell in next(reader, [])]
        check(columns, Place(path, 1))
        if len(set(columns)) < len(columns):
            raise Place(path, 1).fault("a column occurs twice in the heading")
        read = reader.line_num
        for cells in reader:
            read_cells += len(cells)
            if read_cells > MAX_CELLS:
                raise Place(path, read + 1).fault(f"more than {MAX_CELLS:,} cells")
            place, read = Place(path, read + 1), reader.line_num
            if not cells:
                continue
            if len(cells) != len(columns):
                raise place.fault(f"{len(cells)} cells, but {len(columns)} columns in the heading")
            yield AnswerRow(
                place, {name: " ".join(cell.split()) for name, cell in zip(columns, cells, strict=True)}
            )
    except csv.Error as error:
        raise FormatError(path, read + 1, fault_in_words(error, "table")) from error
