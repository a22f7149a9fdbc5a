"""The picture by which links to a published result are previewed."""

import struct

import pytest

from figures.drawing import render
from figures.preview import MOST_ROWS, PreviewedRow, preview_figure

ROWS = [
    PreviewedRow(f"system {number}", 1.0 - number / 20, 0.9 - number / 20, 1.1, number == 1)
    for number in range(13)
]


@pytest.mark.parametrize("rows", [ROWS, ROWS[:1], [PreviewedRow("<b>" * 90, 0.5, None, None, False)] * 2, []])
@pytest.mark.parametrize("finding", ["Alder is ranked first", "very " * 90, "x" * 400])
def test_its_size_is_that_which_open_graph_recommends(rows: list[PreviewedRow], finding: str) -> None:
    chart = preview_figure(finding, "t" * 700, rows)
    picture = render(chart, theme="light", format="png")
    assert struct.unpack(">II", picture[16:24]) == (1200, 630)


def names_in(rows: list[PreviewedRow]) -> list[str]:
    """The names of the rows that are drawn."""
    [drawn] = preview_figure("A finding", "a title", rows).to_dict()["datasets"].values()
    return [row["name"] for row in drawn]


def test_names_that_are_cut_keep_rows_of_their_own() -> None:
    rows = [PreviewedRow("n" * 60 + end, 0.5, 0.4, 0.6, False) for end in "ab"]
    names = names_in(rows)
    assert len(set(names)) == 2
    assert all(len(name) < 30 for name in names)


def test_the_first_rows_are_drawn() -> None:
    assert names_in(ROWS) == [f"system {number}" for number in range(MOST_ROWS)]
