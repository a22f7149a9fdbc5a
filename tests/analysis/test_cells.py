"""Agreement of computed with published figures."""

import json

from analysis.reproduction.cells import Cell, exact, rounded


def test_a_printed_figure_stands_for_all_that_round_to_it() -> None:
    assert rounded(0.29, 0.2927, 2).ok is True
    assert rounded(0.29, 0.2951, 2).ok is False
    assert rounded(0.29, 0.2927, 2).tolerance == 0.005


def test_the_edge_of_rounding_agrees_in_spite_of_binary_fractions() -> None:
    assert abs(0.29 - 0.285) > 0.005
    assert rounded(0.29, 0.285, 2).ok is True


def test_counts_and_signs_agree_when_they_are_equal() -> None:
    assert exact(400, 400) == Cell(400, 400, tolerance=0, ok=True)
    assert exact("†", "‡").ok is False


def test_cells_that_cannot_be_computed_do_not_agree() -> None:
    assert rounded(0.29, None, 2).ok is False
    assert exact(400, None).ok is False


def test_a_cell_as_json() -> None:
    assert json.loads(json.dumps(Cell(0.701, 0.7004, 0.0005, None, "maxima taken apart").as_json())) == {
        "published": 0.701,
        "ours": 0.7004,
        "tolerance": 0.0005,
        "ok": None,
        "note": "maxima taken apart",
        "printed": True,
    }
