"""Edits of systems compared with people's, by type."""

import numpy as np
import pytest
from scipy.stats import spearmanr

from metrics.validation.correction_types import type_ratios

TYPES = ("DET", "NOUN", "VERB", "X")
PEOPLE = np.array([[1.0, 2, 0, 0], [1, 1, 1, 0], [2, 3, 1, 0]])
SYSTEMS = np.array([[1.0, 0, 0, 0], [0.5, 0.5, 1, 0.5], [1.5, 1, 0, 0]])


def test_ratios_are_of_totals() -> None:
    ratios = type_ratios(SYSTEMS, PEOPLE, TYPES, replicates=0)
    assert [(row.type, row.ratio.value) for row in ratios.types] == [
        ("DET", 0.75),
        ("VERB", 0.5),
        ("NOUN", 0.25),
        ("X", None),
    ]
    assert ratios.types[-1].ratio.reason == "people make no edit of this type"
    expected = spearmanr([0.75, 0.5, 0.25], [4, 2, 6])
    assert (ratios.frequency, ratios.p_value) == pytest.approx((expected.statistic, expected.pvalue))


def test_intervals_resample_sentences() -> None:
    """If systems make half of people's edits in each sentence, every resample has the same ratio."""
    people = np.random.default_rng(1).poisson(2.0, size=(200, 4)).astype(float)
    same = type_ratios(people / 2, people, TYPES, replicates=300)
    assert {(row.ratio.low, row.ratio.high) for row in same.types} == {(0.5, 0.5)}
    systems = np.random.default_rng(2).poisson(1.0, size=(200, 4)).astype(float)
    first = type_ratios(systems, people, TYPES, replicates=300, seed=3)
    assert first == type_ratios(systems, people, TYPES, replicates=300, seed=3)
    for row in first.types:
        assert row.ratio.low is not None
        assert row.ratio.value is not None
        assert row.ratio.high is not None
        assert 0.3 < row.ratio.low < row.ratio.value < row.ratio.high < 0.8


def test_two_types_have_no_correlation() -> None:
    ratios = type_ratios(SYSTEMS[:, :2], PEOPLE[:, :2], TYPES[:2], replicates=10)
    assert (ratios.frequency, ratios.p_value) == (None, None)


def test_types_that_nobody_corrects_are_left_out() -> None:
    none = np.zeros((3, 1))
    assert type_ratios(none, none, ["WO"], replicates=10).types == ()
