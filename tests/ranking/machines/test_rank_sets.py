"""Rank sets, and the quantiles that they take."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from ranking.machines import chi_square_quantile, rank_sets, tukey_quantile


@pytest.mark.parametrize(("systems", "degrees"), [(2, np.inf), (12, np.inf), (5, 29.0), (40, 400.0)])
def test_the_studentised_range_is_that_of_scipy(systems: int, degrees: float) -> None:
    expected = stats.studentized_range.ppf(0.95, systems, degrees) / np.sqrt(2)
    assert tukey_quantile(systems, 0.95, degrees) == pytest.approx(expected, rel=2e-3)


def test_published_quantiles_of_twelve_systems() -> None:
    assert round(tukey_quantile(12), 4) == 3.2680
    assert round(chi_square_quantile(12), 4) == 4.5854
    assert tukey_quantile(1) == 0


def test_systems_far_apart_have_one_rank_and_equal_ones_all() -> None:
    low, high = rank_sets(np.array([3.0, 1.0, 2.0]), np.eye(3) / 100, 3)
    assert low.tolist() == high.tolist() == [1, 3, 2]
    low, high = rank_sets(np.zeros(3), np.eye(3), 3)
    assert (low.tolist(), high.tolist()) == ([1] * 3, [3] * 3)


def test_estimates_that_move_together_are_told_apart() -> None:
    together = np.full((2, 2), 1.0) + np.eye(2) / 1e4
    assert rank_sets(np.array([0.1, 0.0]), together, 3)[1].tolist() == [1, 2]


@given(st.lists(st.floats(-5, 5), min_size=1, max_size=6))
def test_each_order_of_the_estimates_is_within_the_sets(estimates: list[float]) -> None:
    low, high = rank_sets(np.array(estimates), np.eye(len(estimates)), 1.0)
    ranks = stats.rankdata(-np.array(estimates), method="ordinal")
    assert np.all(low <= high)
    assert np.all((low <= stats.rankdata(-np.array(estimates), method="max")) & (ranks <= high))
