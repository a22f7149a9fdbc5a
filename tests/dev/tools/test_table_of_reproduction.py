"""The page on reproduction lists every table that `reproduce` computes, with the verdicts that it gives."""

import re
from collections import Counter
from pathlib import Path

import pytest

from analysis.management.commands.reproduce import PAPERS
from analysis.reproduction.contents import CONTENTS, Item
from dev.tools.table_of_reproduction import DOCUMENT, TABLES, document, row
from tests.depth import DEEP

QUICK = {
    "gjg15": ("1", "2", "3a", "3d", "5", "6", "figure 3", "sampling"),
    "coverage": ("1", "accuracy"),
    "maege": ("figure 1", "figure 5"),
}
"""Tables of each command that take seconds."""

ITEMS = [item for items in CONTENTS.values() for item in items]
RUN = "write results of `reproduce --json` into a folder: see `dev.tools.table_of_reproduction`"


def written() -> str:
    found = TABLES.search(DOCUMENT.read_text(encoding="utf-8"))
    assert found is not None
    return found[0]


def without_figures(line: str) -> list[str]:
    """A line, or a row of the table without the verdict and how many figures have it."""
    cells = line.split("|")
    return cells[:3] + cells[5:]


def test_each_table_stands_in_one_row() -> None:
    listed = Counter((item.command, table) for item in ITEMS for table in item.tables)
    assert listed == Counter((name, table) for name, paper in PAPERS.items() for table in paper.tables)


def test_what_is_not_compared_has_a_reason() -> None:
    assert all(item.tables or item.cannot for item in ITEMS)


def test_the_page_has_the_rows_of_the_code() -> None:
    """Numbers apart, which the next tests compare."""
    everything = Counter({"agrees": 1})
    made = document(
        {name: dict.fromkeys(paper.tables, everything) for name, paper in PAPERS.items()}
    ).splitlines()
    rows = written().splitlines()
    assert len(rows) == len(made), RUN
    for ours, theirs in zip(made, rows, strict=True):
        assert without_figures(theirs) == without_figures(ours), RUN


@pytest.mark.slow
@pytest.mark.parametrize("command", QUICK)
def test_verdicts_are_those_of_the_code(command: str, reference_data: Path) -> None:
    check(command, QUICK[command], reference_data)


@pytest.mark.deep
@pytest.mark.skipif(not DEEP, reason="all tables of all papers")
@pytest.mark.parametrize("command", PAPERS)
def test_all_verdicts_are_those_of_the_code(command: str, reference_data: Path) -> None:
    check(command, tuple(PAPERS[command].tables), reference_data)


def check(command: str, tables: tuple[str, ...], reference_data: Path) -> None:
    paper = PAPERS[command]
    made = paper.reproduce(paper.data(reference_data), tables)
    verdicts = {table: Counter(str(cell.verdict) for cell in cells.values()) for table, cells in made.items()}
    rows = written().splitlines()
    for item in ITEMS:
        if item.command == command and set(item.tables) <= verdicts.keys():
            assert row(item, {command: verdicts}) in rows, RUN


def test_a_row_says_the_gravest_verdict() -> None:
    item = Item("Table 1", "scores", "gjg15", ("1", "2 x"), "and some not")
    verdicts = {"gjg15": {"1": Counter(agrees=2, cannot=1), "2 x": Counter(differs=1, known=3)}}
    said = row(item, verdicts)
    assert said == (
        "| Table 1 | scores | **differs** | 2 agree, 3 known, 1 differ, 1 not compared | "
        '`reproduce gjg15 --tables 1 "2 x"` | and some not |'
    )
    known = {"gjg15": {"1": Counter(known=2), "2 x": Counter[str]()}}
    assert re.search(r"\| agrees \| 2 known \|", row(item, known))
    nothing = {"gjg15": {"1": Counter(cannot=2), "2 x": Counter[str]()}}
    assert "| cannot | 2 not compared |" in row(item, nothing)
