"""Correlation of scores: coefficients, intervals, permutations, and two metrics against each other."""

from collections.abc import Callable
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from core.arrays import FloatArray
from ranking import (
    Coefficient,
    bootstrap_interval,
    correlation,
    jackknife,
    permutation_test,
    replicate_coefficients,
    replicate_interval,
    williams_test,
)
from tests.ranking.frames import few_examples

SCIPY: dict[Coefficient, Callable[..., Any]] = {
    Coefficient.PEARSON: stats.pearsonr,
    Coefficient.SPEARMAN: stats.spearmanr,
    Coefficient.KENDALL: stats.kendalltau,
}
COEFFICIENTS = st.sampled_from(Coefficient)
EIGHT = [0.1, 0.4, 0.2, 0.9, 0.5, 0.3, 0.8, 0.7]
WITH_NOISE = [0.2, 0.3, 0.4, 0.8, 0.9, 0.1, 0.5, 0.6]


def vectors(size: int) -> st.SearchStrategy[list[float]]:
    """Scores with ties that are not all the same."""
    scores = st.lists(st.integers(-3, 3).map(lambda score: score / 4), min_size=size, max_size=size)
    return scores.filter(lambda drawn: len(set(drawn)) > 1)


def with_correlations(between: list[list[float]], n: int) -> FloatArray:
    """Three sets of n scores that correlate exactly so, shape (3, n)."""
    noise = np.random.default_rng(7).normal(size=(n, 3))
    orthonormal, _ = np.linalg.qr(noise - noise.mean(axis=0))
    scores: FloatArray = np.linalg.cholesky(np.array(between)) @ orthonormal.T
    return scores


@pytest.mark.parametrize(
    ("coefficient", "value"),
    [(Coefficient.PEARSON, 0.5), (Coefficient.SPEARMAN, 0.5), (Coefficient.KENDALL, 1 / 3)],
)
def test_three_systems_of_which_two_change_places(coefficient: Coefficient, value: float) -> None:
    result = correlation([1, 2, 3], [1, 3, 2], coefficient)
    assert result.value == pytest.approx(value)
    assert (result.n, result.reason) == (3, None)


@few_examples
@given(COEFFICIENTS, vectors(6), vectors(6))
def test_coefficients_are_those_of_scipy(
    coefficient: Coefficient, first: list[float], second: list[float]
) -> None:
    expected = SCIPY[coefficient](first, second).statistic
    assert correlation(first, second, coefficient).value == pytest.approx(expected, abs=1e-12)


def test_undefined_correlations_have_a_reason() -> None:
    cases = {
        ((), ()): "a correlation needs at least two systems",
        ((1,), (2,)): "a correlation needs at least two systems",
        ((0.1,) * 3, (1, 2, 3)): "all first scores are equal",
        ((1, 2, 3), (0.1,) * 3): "all second scores are equal",
        ((1, 1), (2, 2)): "all first and second scores are equal",
    }
    for (first, second), reason in cases.items():
        for coefficient in Coefficient:
            assert correlation(first, second, coefficient).reason == reason
            assert bootstrap_interval(first, second, coefficient, seed=1).reason == reason
            assert permutation_test(first, second, coefficient, seed=1).reason == reason
    assert replicate_interval(np.empty((9, 0)), [], Coefficient.PEARSON).reason == cases[(), ()]


def test_scores_must_be_numbers_in_pairs() -> None:
    with pytest.raises(ValueError, match="leave out the systems without scores"):
        correlation([1, float("nan")], [1, 2], Coefficient.PEARSON)
    with pytest.raises(ValueError, match=r"\(2,\) and \(3,\)"):
        correlation([1, 2], [1, 2, 3], Coefficient.PEARSON)
    with pytest.raises(ValueError, match=r"\(2,\) and \(2,\)"):
        replicate_interval([1, 2], [1, 2], Coefficient.PEARSON)


@pytest.mark.parametrize("coefficient", Coefficient)
def test_an_interval_over_systems_holds_the_coefficient(coefficient: Coefficient) -> None:
    interval = bootstrap_interval(EIGHT, WITH_NOISE, coefficient, seed=1)
    value = correlation(EIGHT, WITH_NOISE, coefficient).value
    assert interval.low is not None
    assert interval.high is not None
    assert value is not None
    assert interval.low < value < interval.high
    assert interval == bootstrap_interval(EIGHT, WITH_NOISE, coefficient, seed=1)
    assert interval != bootstrap_interval(EIGHT, WITH_NOISE, coefficient, seed=2)


def test_more_systems_narrow_the_interval() -> None:
    few = bootstrap_interval(EIGHT, WITH_NOISE, Coefficient.PEARSON, seed=1)
    many = bootstrap_interval(EIGHT * 9, WITH_NOISE * 9, Coefficient.PEARSON, seed=1)
    assert (many.high or 0) - (many.low or 0) < ((few.high or 0) - (few.low or 0)) / 2


@pytest.mark.parametrize("coefficient", Coefficient)
def test_replicates_without_a_coefficient_are_left_out(coefficient: Coefficient) -> None:
    """Of two systems drawn twice half the replicates hold one system only."""
    interval = bootstrap_interval([1, 2], [1, 2], coefficient, seed=1, replicates=100)
    assert (interval.low, interval.high) == (1, 1)
    assert 30 < interval.replicates < 70


def test_an_interval_over_resampled_judgments() -> None:
    """90 % of 21 replicates between the second and the last but one: one dropped at either end."""
    human = [[1.0, 2.0, 3.0]] * 18 + [[1.0, 3.0, 2.0]] * 2 + [[3.0, 2.0, 1.0]]
    interval = replicate_interval(human, [1, 2, 3], Coefficient.SPEARMAN, confidence=0.9)
    assert (interval.low, interval.high) == pytest.approx((0.5, 1))
    assert interval.replicates == 21
    unscored = [*human, [float("nan"), 1.0, 2.0]]
    assert replicate_interval(unscored, [1, 2, 3], Coefficient.SPEARMAN, confidence=0.9) == interval
    nothing = replicate_interval([[1.0, 1.0]], [1, 2], Coefficient.PEARSON)
    assert nothing.reason == "the coefficient is defined in no replicate"


@pytest.mark.parametrize("coefficient", Coefficient)
def test_few_systems_are_permuted_in_all_orders(coefficient: Coefficient) -> None:
    """Only the given order of 5 and its reverse correlate fully: 2 of 120."""
    test = permutation_test(range(5), range(5), coefficient, seed=1)
    assert (test.p_value, test.permutations, test.exact) == (2 / 120, 120, True)


@few_examples
@given(COEFFICIENTS, vectors(4), vectors(4))
def test_an_exact_p_value_is_a_share_of_all_orders(
    coefficient: Coefficient, first: list[float], second: list[float]
) -> None:
    values = [round(abs(SCIPY[coefficient](first, order).statistic), 9) for order in permutations(second)]
    as_much = sum(value >= values[0] for value in values)
    test = permutation_test(first, second, coefficient, seed=1)
    assert (test.p_value, test.permutations) == (as_much / 24, 24)


def test_many_systems_are_permuted_at_random_by_the_seed() -> None:
    test = permutation_test(EIGHT, WITH_NOISE, Coefficient.PEARSON, seed=1, permutations=999)
    assert (test.permutations, test.exact) == (999, False)
    assert test == permutation_test(EIGHT, WITH_NOISE, Coefficient.PEARSON, seed=1, permutations=999)
    exact = permutation_test(EIGHT, WITH_NOISE, Coefficient.PEARSON, seed=1, permutations=50_000)
    assert exact.exact
    assert test.p_value == pytest.approx(exact.p_value, abs=0.02)


def test_williams_on_correlations_of_the_literature() -> None:
    """Steiger's case A: r = .4 and .5 with 103 cases, .1 between the two, gives t = -.89 and p = .37."""
    scores = with_correlations([[1, 0.4, 0.5], [0.4, 1, 0.1], [0.5, 0.1, 1]], 103)
    test = williams_test(*scores)
    assert test.first.value == pytest.approx(0.4)
    assert test.t == pytest.approx(-0.89, abs=0.005)
    assert test.p_value == pytest.approx(0.37, abs=0.01)


def test_williams_turned_round_changes_its_sign() -> None:
    human, first, second = with_correlations([[1, 0.9, 0.3], [0.9, 1, 0.4], [0.3, 0.4, 1]], 13)
    test, turned = williams_test(human, first, second), williams_test(human, second, first)
    assert test.t is not None
    assert turned.t is not None
    assert test.t == pytest.approx(-turned.t)
    assert test.p_value == pytest.approx(turned.p_value)
    assert (test.p_value or 1) < 0.05


def test_williams_needs_four_systems_and_two_different_metrics() -> None:
    assert williams_test([1, 2, 3], [1, 3, 2], [2, 1, 3]).reason == "the test needs at least four systems"
    assert williams_test(EIGHT, WITH_NOISE, [1] * 8).reason == "all second scores are equal"
    same = williams_test(EIGHT, WITH_NOISE, WITH_NOISE)
    assert (same.t, same.p_value) == (None, None)
    assert "no variance" in (same.reason or "")


@few_examples
@given(COEFFICIENTS, vectors(6), vectors(6), st.permutations(range(6)), st.integers(-5, 5))
def test_neither_the_order_of_systems_nor_a_shift_matters(
    coefficient: Coefficient, first: list[float], second: list[float], order: list[int], shift: int
) -> None:
    before = correlation(first, second, coefficient)
    after = correlation(np.array(first)[order] * 2 + shift, np.array(second)[order], coefficient)
    assert after.value == pytest.approx(before.value, abs=1e-9)


def test_williams_has_fewer_degrees_of_freedom_than_systems() -> None:
    human, first, second = with_correlations([[1, 0.9, 0.3], [0.9, 1, 0.4], [0.3, 0.4, 1]], 13)
    test = williams_test(human, first, second)
    assert test.degrees_of_freedom == 10
    assert test.p_first_better == pytest.approx((test.p_value or 0) / 2)
    assert williams_test(human, second, first).p_first_better == pytest.approx(1 - (test.p_value or 0) / 2)
    wider = williams_test(human, first, second, degrees_lost=2)
    assert (wider.t, wider.degrees_of_freedom) == (test.t, 11)
    assert (wider.p_value or 1) < (test.p_value or 0)


@pytest.mark.parametrize("coefficient", Coefficient)
def test_the_jackknife_leaves_out_each_system_in_turn(coefficient: Coefficient) -> None:
    values = jackknife(EIGHT, WITH_NOISE, coefficient)
    for place, value in enumerate(values):
        expected = correlation(np.delete(EIGHT, place), np.delete(WITH_NOISE, place), coefficient).value
        assert value == pytest.approx(expected)
    assert np.isnan(jackknife([1, 2], [2, 1], coefficient)).all()


@pytest.mark.parametrize("systems", [5, 101])
def test_taus_of_few_and_of_many_systems_are_those_of_scipy(systems: int) -> None:
    scores = np.random.default_rng(1).integers(4, size=(2, 3, systems)).astype(float)
    scores[0, 2] = 1
    taus = replicate_coefficients(scores[0], scores[1], Coefficient.KENDALL)
    assert taus[:2] == pytest.approx(
        [stats.kendalltau(*pair).statistic for pair in zip(*scores[:, :2], strict=True)]
    )
    assert np.isnan(taus[2])


def test_replicates_without_a_finite_score_have_no_coefficient() -> None:
    human = np.array([[1.0, 2, 3], [1.0, np.inf, 3], [np.nan, 2, 3]])
    values = replicate_coefficients(human, np.tile([1.0, 2, 4], (3, 1)), Coefficient.SPEARMAN)
    assert values[0] == 1
    assert np.isnan(values[1:]).all()
