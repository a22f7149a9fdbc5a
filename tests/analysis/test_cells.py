"""Agreement of computed with published figures."""

import json

import pytest

from analysis.reproduction.cells import (
    Cause,
    Cell,
    Verdict,
    exact,
    known,
    not_comparable,
    rounded,
    unpublished,
    within,
)

CAUSE = Cause("other gold edits", "from the released scores", 0.701)


def test_a_printed_figure_stands_for_all_that_round_to_it() -> None:
    assert rounded(0.29, 0.2927, 2).ok is True
    assert rounded(0.29, 0.2951, 2).ok is False
    assert rounded(0.29, 0.2927, 2).tolerance == 0.005


def test_the_edge_of_rounding_agrees_in_spite_of_binary_fractions() -> None:
    assert abs(0.29 - 0.285) > 0.005
    assert rounded(0.29, 0.285, 2).ok is True


def test_counts_and_signs_agree_when_they_are_equal() -> None:
    assert exact(400, 400) == Cell(400, 400, 0, Verdict.AGREES)
    assert exact("†", "‡").ok is False


def test_cells_that_cannot_be_computed_do_not_agree() -> None:
    assert rounded(0.29, None, 2).ok is False
    assert exact(400, None).ok is False
    assert within(0.29, None, 0.01).verdict is Verdict.DIFFERS


def test_figures_that_are_known_or_cannot_be_compared_have_no_verdict() -> None:
    assert known(0.7, 0.6, CAUSE).ok is None
    assert not_comparable(0.7, 0.6, "other sentences").ok is None
    assert unpublished(0.6, "no table has it").printed is False


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        (lambda: Cell(0.7, 0.6, 0, Verdict.KNOWN, "the cause is not known"), "a known deviation has a cause"),
        (lambda: Cell(0.7, 0.6, 0, Verdict.DIFFERS, cause=CAUSE), "nothing else has"),
        (lambda: Cause("other gold edits", "", 0.7), "needs words and a number"),
        (lambda: Cause("other gold edits", "difference", float("nan")), "needs words and a number"),
        (lambda: within(0.7, 0.6, 0.051), "needs a reason"),
        (lambda: not_comparable(0.7, 0.6, ""), "why the figure cannot be compared"),
        (lambda: Cell(None, 0.6, 0, Verdict.CANNOT, "no table has it"), "no figure is printed"),
        (lambda: Cell(None, 0.6, 0, Verdict.AGREES, "", printed=False), "none can be compared"),
        (lambda: rounded(0.7, 0.7, 2, printed=False), "where a figure comes from"),
    ],
)
def test_what_a_report_must_say_cannot_be_left_out(cell: object, message: str) -> None:
    """Cells of all reports are made here, so none can have an excuse without a number."""
    assert callable(cell)
    with pytest.raises(ValueError, match=message):
        cell()


def test_remarks_hold_the_cause_and_the_reason_of_a_large_tolerance() -> None:
    assert known(0.7, 0.6, CAUSE, "of one draw").remarks == (
        "of one draw; other gold edits: from the released scores 0.701"
    )
    assert within(7, 7.1, 0.2, reason="one draw").remarks == "±0.2: one draw"


def test_a_cell_as_json() -> None:
    assert json.loads(json.dumps(known(0.701, 0.7004, CAUSE).as_json())) == {
        "published": 0.701,
        "ours": 0.7004,
        "tolerance": 0.0,
        "verdict": "known",
        "ok": None,
        "note": "",
        "printed": True,
        "reason": "",
        "cause": {"why": "other gold edits", "shown_by": "from the released scores", "number": 0.701},
    }
