"""Weights of edits by verdicts, worked by hand."""

from fractions import Fraction

import pandas as pd
import pytest

from formats.text.edit_spans import SpanEdit
from metrics.references.weighted_edits import MadeEdits, WeightedEdits, made_edits, weighted_edits, wilson

GOLD = SpanEdit(0, 1, "x", "R:OTHER")
MISSED = SpanEdit(4, 5, "y", "R:OTHER")
LIKED = SpanEdit(2, 2, "q", "M:DET")
OPEN = SpanEdit(6, 6, "z", "M:DET")
WRONG = SpanEdit(0, 1, "k", "R:OTHER")


def made(*references: tuple[SpanEdit, ...]) -> MadeEdits:
    """Two sentences: S makes four edits, T one that S makes too."""
    return made_edits(
        {7: references, 9: [()], 11: []},
        {
            (7, "s7"): (GOLD, LIKED, OPEN),
            (7, "t7"): (LIKED,),
            (9, "s9"): (WRONG,),
            (9, "t9"): (),
            (11, "s11"): (WRONG,),
        },
        [(7, "s7", "S"), (9, "s9", "S"), (11, "s11", "S"), (7, "t7", "T"), (9, "t9", "T")],
    )


VERDICTS = pd.DataFrame(
    [
        (7, "s7", 2, 2, 1),
        (7, "s7", 2, 2, -1),
        (7, "t7", 2, 2, 1),
        (7, "s7", 6, 6, 0),
        (7, "s7", 0, 1, -1),
        (9, "s9", 0, 1, -1),
        (9, "control", 0, 1, 1),
    ],
    columns=["sentence", "output", "start", "end", "outcome"],
)
"""The edit of S and T was accepted twice and rejected once; the verdict on an edit of the reference, on one
that nobody could judge, and on a control's, count for nothing."""


def weighed(edits: MadeEdits, verdicts: pd.DataFrame = VERDICTS, replicates: int = 0) -> WeightedEdits:
    return weighted_edits(edits, verdicts, prior=2, replicates=replicates, confidence=0.95, seed=0)


def test_weights_of_types_and_scores_are_those_worked_by_hand() -> None:
    result = weighed(made((GOLD, MISSED)))
    types: list[object] = [
        (each.type, each.judged, each.share.value, each.weight, each.unjudged) for each in result.types
    ]
    # p = (2/3 + 0) / 2; insertions (2/3 + 2 p) / 3, replacements (0 + 2 p) / 3.
    assert types == [
        ("M:DET", 1, pytest.approx(2 / 3), pytest.approx(4 / 9), 1),
        ("R:OTHER", 1, 0.0, pytest.approx(2 / 9), 0),
    ]
    assert result.total.judged == 2
    assert result.total.share.value == pytest.approx(1 / 3)
    first, second = result.systems
    assert (first.edits, first.covered, first.judged) == (4, 1, 2)
    assert (first.precision.value, first.recall.value) == (0.25, 0.5)
    weighted = Fraction(1 + Fraction(2, 3) + Fraction(4, 9)) / 4
    assert first.weighted_precision.value == pytest.approx(float(weighted))
    assert first.f.value == pytest.approx(5 / 18)
    f = Fraction(5, 4) * weighted / 2 / (weighted / 4 + Fraction(1, 2))
    assert first.weighted_f.value == pytest.approx(float(f))
    assert (second.edits, second.precision.value, second.recall.value) == (1, 0.0, 0.0)
    assert second.weighted_precision.value == pytest.approx(2 / 3)


def test_an_edit_of_any_reference_weighs_one() -> None:
    first, second = weighed(made((GOLD, MISSED), (LIKED,))).systems
    assert (first.covered, second.covered) == (2, 1)
    assert second.weighted_precision.value == 1.0
    assert (second.precision.value, second.recall.value) == (1.0, 1.0)


def test_resamples_give_intervals_around_the_scores() -> None:
    edits = made((GOLD, MISSED))
    first, _ = weighed(edits, replicates=200).systems
    assert first.precision.low == 0.0
    assert first.precision.high == pytest.approx(1 / 3)
    assert first == weighed(edits, replicates=200).systems[0]


def test_without_verdicts_there_are_no_weights() -> None:
    result = weighed(made((GOLD, MISSED)), VERDICTS[:0])
    assert result.total.share.value is None
    assert [each.weight for each in result.types] == [None, None]
    assert result.systems[0].precision.value == 0.25
    assert result.systems[0].weighted_precision.value is None


def test_the_interval_is_wilsons() -> None:
    """Wilson's interval of 8 of 10, as R's `prop.test(8, 10, correct = FALSE)` prints it."""
    interval = wilson(8, 10, 0.95)
    assert interval.low == pytest.approx(0.4901625)
    assert interval.high == pytest.approx(0.9433178)
