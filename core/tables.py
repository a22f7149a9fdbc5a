"""Tables that are declared once, and become parts of pages and terminals, CSV, JSON and LaTeX."""

import csv
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from io import StringIO
from itertools import chain, islice, repeat
from typing import Any, NamedTuple

from core.columns import UNKNOWN, UNKNOWN_ON_PAPER, Column, Estimated
from core.latex import tabular
from core.marks import Mark, Scale, scale_of, shade_of
from core.names import Naming
from core.results import Computed, NamedWords, Words, said

SIGNATURE = "signature"
"""Last column of every CSV."""

MOST_IN_A_LINE = 5
"""Columns of a table whose notes stand beside the numbers."""

LINES_AT_ONCE = 256
"""Lines of a CSV file that are made together, which is faster than one by one."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell on a page or in a terminal.

    Attributes:
        column: its column.
        value: its value; None where it is unknown.
        text: the value in words; a dash for an unknown one.
        note: words that qualify it; may be empty.
        hint: words that pages show where the pointer is, and read aloud; may be empty.
        shown: the value as the template of the column needs it; None for an unknown one.
        mark: what the cell before it draws, or the cell itself if it is shaded; None if nothing is drawn.
        shade: from 0 to 5, the darker the higher the value; None if the column is not shaded.
    """

    column: Column
    value: Any
    text: str
    note: str
    hint: str
    shown: Any
    mark: Mark | None = None
    shade: int | None = None

    @property
    def css(self) -> str:
        """Its classes on pages."""
        css = self.column.css if self.value is None else self.column.css_of(self.value)
        css = self.column.with_aside(css)
        return f"{css} shade-{self.shade}" if self.shade else css

    @property
    def is_filled(self) -> bool:
        """Whether it says anything."""
        return (self.value is not None and self.text != "") or bool(self.note)


@dataclass(frozen=True, slots=True)
class PageTable:
    """A table on a page or in a terminal.

    Attributes:
        caption: what it shows.
        columns: with their headings.
        rows: the cells of each row; the first heads it.
        total: the cells of the row about all together, without its heading; empty if there is none.
        scales: the scale of each column, None if it is not drawn.
        is_shaded: whether a column is shaded.
    """

    caption: str
    columns: list[Column]
    rows: list[list[Cell]]
    total: list[Cell]
    scales: list[Scale | None]
    is_shaded: bool

    @property
    def is_wide(self) -> bool:
        """Whether it has so many columns that notes have to stand below the numbers."""
        return len(self.columns) > MOST_IN_A_LINE

    @property
    def is_drawn(self) -> bool:
        """Whether a column is drawn."""
        return any(self.scales)

    @property
    def scaled(self) -> list[tuple[Column, Scale | None]]:
        """Each column with its scale."""
        return list(zip(self.columns, self.scales, strict=True))


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """The declaration of a table.

    Attributes:
        rows: gives the rows of a result; a row is any object that the columns can read.
        columns: all columns, for pages, paper and files, the heading of the row first; a function of the
            result where they depend on it.
        caption: what it shows.
        page_rows: the rows of pages and terminals, if they are others or in another order.
        total: the row below the others on pages, which is about all of them together.
        by: name of the choice whose option it shows, if terminals and published results have a table of
            each option.
        order: what rows are sorted by everywhere, if it depends on names; by default as the result has them.
        long: the table that CSV and JSON hold instead, if they have rows or columns of another shape.
        in_files: whether there are files of it.
        is_published: whether a published result has these files.
        comment: line above the LaTeX table, before the signature.
        remark: line above it after the signature.
        note: how to read it, below it on pages, in Markdown.
        is_of_beside: whether its numbers are those of the result beside, whose signature it bears.
        signature: reads the signature of a row of files, if rows are of several results.
    """

    rows: Callable[[Computed], Iterable[Any]]
    columns: Sequence[Column] | Callable[[Computed], Sequence[Column]]
    caption: Words
    page_rows: Callable[[Computed], Iterable[Any]] | None = None
    total: Callable[[Computed], Any] | None = None
    by: str = ""
    order: Callable[[Any, Naming], Any] | None = None
    long: "Table | None" = None
    in_files: bool = True
    is_published: bool = True
    comment: Words = ""
    remark: Words = ""
    note: NamedWords = ""
    is_of_beside: bool = False
    signature: Callable[[Any], str | None] | None = None

    def of(self, computed: Computed, naming: Naming) -> "FilledTable":
        """The table of this result."""
        return FilledTable(self, computed, naming)

    def columns_of(self, computed: Computed) -> Sequence[Column]:
        """The columns for this result."""
        return self.columns(computed) if callable(self.columns) else self.columns


@dataclass(frozen=True, slots=True, eq=False)
class FilledTable:
    """A table of a result.

    Attributes:
        table: its declaration.
        computed: the result.
        naming: names of systems and annotators.
    """

    table: Table
    computed: Computed
    naming: Naming

    @property
    def signature(self) -> str:
        """The signature of the result that the table's numbers come from."""
        return self.computed.signature(of_beside=self.table.is_of_beside)

    @property
    def has_page(self) -> bool:
        """Whether pages and terminals show it, or files alone."""
        return any(each.label and each.on_page for each in self.table.columns_of(self.computed))

    def page(self) -> "PageTable":
        """The table on a page, without empty columns that it need not keep."""
        return self._shown([each for each in self._labelled if each.on_page])

    def printed(self) -> "PageTable":
        """The table in a terminal: that of a page with what pages only draw or show as hints."""
        return self._shown([each for each in self._labelled if each.on_page or each.is_printed])

    @property
    def _labelled(self) -> Iterator[Column]:
        return (each for each in self.table.columns_of(self.computed) if each.label)

    def _shown(self, columns: list[Column]) -> "PageTable":
        rows = list(self._page_rows()) if columns else []
        scales = [column.scale(rows) for column in columns]
        shadings = list(_shadings(columns, rows))
        cells = [list(map(self._cell, columns, repeat(row), scales, shadings)) for row in rows]
        cells.sort(key=lambda row: columns[0].place(row[0].value, self.naming))
        filled = [
            place
            for place, column in enumerate(columns)
            if column.is_kept or any(row[place].is_filled for row in cells)
        ]
        total = []
        if self.table.total is not None and cells:
            row = self.table.total(self.computed)
            total = [self._cell(columns[place], row) for place in filled[1:]]
        return PageTable(
            said(self.table.caption, self.computed),
            [columns[place] for place in filled],
            [[row[place] for place in filled] for row in cells],
            total,
            [scales[place] for place in filled],
            is_shaded=any(shadings),
        )

    def csv(self) -> Iterator[str]:
        """The text of a CSV file, many lines at once, each with its line end."""
        table = self._in_files
        columns = [column for column in table.columns_of(self.computed) if column.name]
        names = [name for column in columns for name in column.names()]
        own = self.signature
        signature = table.signature or (lambda row: own)
        rows = ([*self._csv(columns, row), signature(row)] for row in self._rows(table))
        yield from csv_text([*names, SIGNATURE], rows)

    def latex(self) -> Iterator[str]:
        """The lines of a LaTeX table."""
        columns = [each for each in self.table.columns_of(self.computed) if each.label and each.on_paper]
        headings = [heading for column in columns for heading in column.paper_headings()]
        rows = (
            [cell for column in columns for cell in self._on_paper(column, row)]
            for row in self._rows(self.table)
        )
        before, after = (said(words, self.computed) for words in (self.table.comment, self.table.remark))
        yield from tabular(headings, rows, comments=filter(None, [before, self.signature, after]))

    def records(self) -> Iterator[dict[str, object]]:
        """The rows for JSON: values by name of the column."""
        table = self._in_files
        for row in self._rows(table):
            yield {
                name: value
                for column in table.columns_of(self.computed)
                if column.name
                for name, value in _named(column, column.of(row))
            }

    @property
    def _in_files(self) -> Table:
        return self.table.long or self.table

    def _page_rows(self) -> Iterable[object]:
        rows = self.table.page_rows
        return self._rows(self.table) if rows is None else rows(self.computed)

    def _rows(self, table: Table) -> Iterable[object]:
        rows, order = table.rows(self.computed), table.order
        return rows if order is None else sorted(rows, key=lambda row: order(row, self.naming))

    def _cell(
        self,
        column: Column,
        row: object,
        scale: Scale | None = None,
        shading: "_Shading | None" = None,
    ) -> Cell:
        value, hint = column.of(row), column.hint_of(row)
        note = self.naming.with_annotators(column.note_of(row))
        if value is None:
            return Cell(column, None, UNKNOWN, note, hint, None)
        text, shown = column.text(value, self.naming), column.shown(value, self.naming)
        if shading is not None:
            scale = shading.scale
            shade = shading.of(value)
            return Cell(column, value, text, note, hint, shown, column.mark(row, scale), shade)
        mark = None if scale is None else column.mark(row, scale)
        return Cell(column, value, text, note, hint, shown, mark)

    def _csv(self, columns: Sequence[Column], row: object) -> Iterator[object]:
        for column in columns:
            value = column.of(row)
            yield from ((None,) * len(column.names()) if value is None else column.cells(value, self.naming))

    def _on_paper(self, column: Column, row: object) -> tuple[str, ...]:
        value = column.of(row)
        if value is None:
            return (UNKNOWN_ON_PAPER,) * len(column.paper_headings())
        return column.paper_cells(value, self.naming)


class _Shading(NamedTuple):
    """How the shaded columns with equally many decimals are drawn: on one scale, with the same shades.

    Attributes:
        scale: of all of them.
        lowest: the value without a shade.
        highest: the value with the strongest one.
        has_intervals: whether any of these values has one. A value that has none, for a reason, then has no
            shade, because it is hardly more than chance; likewise one whose interval includes 0.
            One whose interval does not has a shade, however low it is.
    """

    scale: Scale
    lowest: float
    highest: float
    has_intervals: bool

    def of(self, estimate: Any) -> int:
        """The shade of a value."""
        if self.has_intervals and estimate.low is None and getattr(estimate, "reason", None):
            return 0
        if estimate.low is not None and estimate.high is not None and estimate.low < 0 < estimate.high:
            return 0
        shade = shade_of(estimate.value, self.lowest, self.highest)
        return shade if estimate.low is None else max(shade, 1)


def _shadings(columns: Sequence[Column], rows: Sequence[object]) -> Iterator[_Shading | None]:
    """The shading of each column; None for those that are not shaded or have no values."""
    alike = defaultdict(list)
    for column in columns:
        if isinstance(column, Estimated) and column.is_shaded:
            alike[column.digits].append(column)
    known = {}
    for digits, shaded in alike.items():
        scale = scale_of(end for column in shaded for end in column.extent(rows))
        found = [each for column in shaded for row in rows if (each := column.of(row)) is not None]
        if scale is not None:
            values = [each.value for each in found]
            has_intervals = any(each.low is not None for each in found)
            known[digits] = _Shading(scale, min(values), max(values), has_intervals)
    for column in columns:
        if isinstance(column, Estimated) and column.is_shaded:
            yield known.get(column.digits)
        else:
            yield None


def _named(column: Column, value: object) -> Iterable[tuple[str, object]]:
    names = column.names()
    return zip(names, (None,) * len(names) if value is None else column.values(value), strict=True)


def csv_text(header: Iterable[str] | None, rows: Iterable[Iterable[object]]) -> Iterator[str]:
    """The text of a CSV file, with or without a header, in pieces of many lines, each with its line end."""
    lines = chain([] if header is None else [header], rows)
    while some := list(islice(lines, LINES_AT_ONCE)):
        piece = StringIO()
        csv.writer(piece).writerows(some)
        yield piece.getvalue()
