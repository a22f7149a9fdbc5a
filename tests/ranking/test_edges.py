"""Edge cases of judgments: a result is always defined or says why it is not."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from math import isfinite

import numpy as np
import pandas as pd
import pytest

from ranking import (
    Unit,
    agreement,
    alpha_over_pairs,
    alpha_over_ranks,
    annotator_correlations,
    annotator_counts,
    annotators_against_rest,
    bradley_terry,
    count_pairs,
    expected_wins,
    group_pairs,
    head_to_head,
)
from tests.ranking.frames import Judgment, snapshot

TWO_SYSTEMS = [("anna", 0, "A > B"), ("ben", 0, "A > B"), ("ben", 1, "B > A"), ("anna", 1, "A = B")]

JUDGMENTS: dict[str, list[Judgment]] = {
    "nothing": [],
    "an empty judgment": [("anna", 0, "")],
    "one system": [("anna", 0, "A")],
    "two systems": TWO_SYSTEMS,
    "two systems that were judged once": [("anna", 0, "A > B")],
    "two identical systems": [("anna", 0, "A B"), ("ben", 0, "A B")],
    "one judge": [("anna", 0, "A > B > C"), ("anna", 0, "C > B > A"), ("anna", 1, "B > A = C")],
    "only ties": [("anna", 0, "A = B = C"), ("ben", 0, "A = B = C"), ("ben", 1, "A B")],
    "a system never compared": [*TWO_SYSTEMS, ("cleo", 2, "D")],
    "systems that never met": [*TWO_SYSTEMS, ("anna", 2, "C > D"), ("ben", 2, "D > C")],
    "a judge who gave one rating": [*TWO_SYSTEMS, ("cleo", 0, "A")],
    "a judge who gave none": [*TWO_SYSTEMS, ("cleo", 0, "")],
}

FUNCTIONS: dict[str, Callable[[pd.DataFrame], object]] = {
    "agreement": lambda judged: agreement(judged, min_comparisons=1),
    "alpha_over_pairs": alpha_over_pairs,
    "alpha_over_ranks": alpha_over_ranks,
    "bradley_terry": lambda judged: bradley_terry(count_pairs(judged)),
    "expected_wins": lambda judged: expected_wins(count_pairs(judged)),
    "head_to_head": lambda judged: head_to_head(group_pairs(judged, Unit.SENTENCE)),
    "annotator_correlations": annotator_correlations,
    "annotator_counts": annotator_counts,
    "annotators_against_rest": annotators_against_rest,
}


def figures_within(result: object) -> Iterator[dict[str, object]]:
    """The attributes of the dataclasses within a result."""
    if is_dataclass(result) and not isinstance(result, type):
        figures = {field.name: getattr(result, field.name) for field in fields(result)}
        yield figures
        result = figures
    inner = result.values() if isinstance(result, Mapping) else result if isinstance(result, tuple) else ()
    for value in inner:
        yield from figures_within(value)


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("judgments", JUDGMENTS)
def test_values_are_finite_and_missing_ones_have_a_reason(judgments: str, function: str) -> None:
    for figures in figures_within(FUNCTIONS[function](snapshot(*JUDGMENTS[judgments]))):
        assert all(isfinite(figure) for figure in figures.values() if isinstance(figure, float))
        if None in [figures[name] for name in ("value", "score", "strength", "share") if name in figures]:
            assert figures["reason"]


@pytest.mark.parametrize("judgments", JUDGMENTS)
def test_strengths_and_errors_come_together(judgments: str) -> None:
    ranked = bradley_terry(count_pairs(snapshot(*JUDGMENTS[judgments])))
    assert np.isfinite(ranked.covariance).all()
    assert len(ranked.covariance) == sum(row.strength is not None for row in ranked.strengths)
    for row in ranked.strengths:
        assert (row.strength is None) == (row.standard_error is None) == (row.reason is not None)
