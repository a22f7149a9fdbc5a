"""Agreement of computed with published figures."""

import json

import pytest

from analysis.reproduction.cells import (
    PRINTED,
    Cause,
    Cell,
    Ours,
    Published,
    Verdict,
    beside,
    compare,
    printed,
    unpublished,
)

CAUSE = Cause("other gold edits", "from the released scores", 0.701)
ROUNDED = Published(0.29, 0.005)


def test_a_printed_figure_stands_for_all_that_round_to_it() -> None:
    assert ROUNDED.cell(0.2927).ok is True
    assert ROUNDED.cell(0.2951).ok is False


def test_the_edge_of_rounding_agrees_in_spite_of_binary_fractions() -> None:
    assert abs(0.29 - 0.285) > 0.005
    assert ROUNDED.cell(0.285).ok is True


def test_counts_and_signs_agree_when_they_are_equal() -> None:
    assert Published(400).cell(400) == Cell(400, 400, 0, Verdict.AGREES)
    assert Published("†").cell("‡").ok is False
    assert Published("").cell("").ok is True
    assert [Published("2-3", other="2-4").cell(ranks).ok for ranks in ("2-4", "2-3", "2")] == [
        True,
        True,
        False,
    ]


def test_a_number_can_stand_for_a_sign() -> None:
    cell = Published("< .05").cell(Ours(0.01, sign="< .05"))
    assert (cell.published, cell.ours, cell.ok) == ("< .05", 0.01, True)
    assert Published("*").cell(Ours(0.7)).ok is False
    assert ROUNDED.cell(Ours(0.29, sign="*")).ok is True


def test_cells_that_cannot_be_computed_do_not_agree() -> None:
    assert ROUNDED.cell(None).ok is False
    assert Published(400).cell(None).ok is False
    assert Published("").cell(None).verdict is Verdict.DIFFERS


def test_a_deviation_is_known_if_a_number_shows_its_cause() -> None:
    published = Published(0.7, 0.05, note="of one draw", why="other gold edits", shown_by="difference")
    assert published.cell(0.6).verdict is Verdict.DIFFERS
    cell = published.cell(Ours(0.6, "by tool", shows=0.01))
    assert (cell.ok, cell.tolerance, cell.note) == (None, 0, "by tool")
    assert cell.cause == Cause("other gold edits", "difference", 0.01)
    assert published.cell(Ours(0.7, "by tool", shows=0.01)).note == "of one draw; by tool"


def test_a_figure_of_other_data_never_agrees() -> None:
    published = Published(0.7, -1, why="other gold edits", shown_by="difference")
    assert published.cell(Ours(0.7, shows=0.01)).verdict is Verdict.KNOWN


def test_a_figure_that_others_found_as_well_is_known() -> None:
    published = Published(58.15, 0.05, why="with ties in training", shown_by="found by others", known=58.36)
    assert [published.cell(ours).verdict for ours in (58.15, 58.38, 58.25)] == ["agrees", "known", "differs"]


def test_figures_that_cannot_be_compared_have_no_verdict() -> None:
    cell = Published(0.7, 0.05, "released", "of one draw").cell(Ours(0.6, cannot="other sentences"))
    assert (cell.ok, cell.note, cell.printed) == (None, "released; other sentences", False)
    assert unpublished(0.6, "no table has it").printed is False


def test_notes_name_the_source_first_or_where_it_leaves_room() -> None:
    assert Published(7, 0, "released").cell(Ours(7, "of 3 sentences")).note == "released; of 3 sentences"
    assert (
        Published(7, 0, "exactly {}; not printed").cell(Ours(7, "14/2")).note == "exactly 14/2; not printed"
    )


def test_a_table_has_the_published_cells_or_all_of_ours() -> None:
    published = {"a": Published(1), "b": Published(2)}
    assert {name: cell.ok for name, cell in compare(published, {"c": 3, "a": 1}).items()} == {
        "a": True,
        "b": False,
    }
    table = beside(published, {"c": Ours(3, "new"), "a": Ours(1)})
    assert {name: cell.ok for name, cell in table.items()} == {"c": None, "a": True}


def test_printed_figures_are_read_with_their_tolerance() -> None:
    table = printed("gjg15", "3b")
    assert table["AMU"] == Published(0.628, 0.0005)
    assert table["AMU ranks"] == Published("1")
    assert table["AMU cluster"] == Published(1)
    assert table["RAC ranks"].other == "2-4"
    assert printed("gjg15", "sampling")["(13) p'"].figure == 5 / 39
    anew, before = printed("coverage", "1", "1 solved anew"), printed("coverage", "1")
    assert {name: each.figure for name, each in anew.items()} == {
        name: each.figure for name, each in before.items()
    }
    assert (before["mass from 0"].tolerance, anew["mass from 0"].tolerance) == (0.005, 0.015)


def test_every_file_of_printed_figures_can_be_read() -> None:
    files = list(PRINTED.glob("*/*.csv"))
    assert len(files) == 68
    for file in files:
        completed = {"1-solved-anew": ["1"], "1-from-the-answers": ["1"], "5-by-Assay": ["5"]}.get(
            file.stem, []
        )
        assert printed(file.parent.name, *completed, file.stem)


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        (lambda: Cell(0.7, 0.6, 0, Verdict.KNOWN, "the cause is not known"), "a known deviation has a cause"),
        (lambda: Cell(0.7, 0.6, 0, Verdict.DIFFERS, cause=CAUSE), "nothing else has"),
        (lambda: Cause("other gold edits", "", 0.7), "needs words and a number"),
        (lambda: Cause("other gold edits", "difference", float("nan")), "needs words and a number"),
        (lambda: Published(0.7, 0.051).cell(0.6), "needs a reason"),
        (lambda: Cell(0.7, 0.6, 0, Verdict.CANNOT), "why the figure cannot be compared"),
        (lambda: Cell(None, 0.6, 0, Verdict.CANNOT, "no table has it"), "no figure is printed"),
        (lambda: Cell(None, 0.6, 0, Verdict.AGREES, "", printed=False), "none can be compared"),
        (lambda: Cell(0.7, 0.7, 0, Verdict.AGREES, printed=False), "where a figure comes from"),
    ],
)
def test_what_a_report_must_say_cannot_be_left_out(cell: object, message: str) -> None:
    """Cells of all reports are made here, so none can have an excuse without a number."""
    assert callable(cell)
    with pytest.raises(ValueError, match=message):
        cell()


def test_remarks_hold_the_cause_and_the_reason_of_a_large_tolerance() -> None:
    cell = Cell(0.7, 0.6, 0, Verdict.KNOWN, "of one draw", cause=CAUSE)
    assert cell.remarks == "of one draw; other gold edits: from the released scores 0.701"
    assert Published(7, 0.2, reason="one draw").cell(7.1).remarks == "±0.2: one draw"


def test_a_cell_as_json() -> None:
    assert json.loads(json.dumps(Cell(0.701, 0.7004, 0.0, Verdict.KNOWN, cause=CAUSE).as_json())) == {
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
