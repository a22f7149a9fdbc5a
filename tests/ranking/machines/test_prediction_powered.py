"""Prediction-powered means and ratios: what they do to intervals. Worked examples are in `reproduce`."""

import numpy as np
import pytest

from core.arrays import FloatArray
from ranking.machines import (
    Powered,
    Tallies,
    Tuning,
    Units,
    actively_sampled_mean,
    correlation_of,
    prediction_powered_means,
    prediction_powered_ratios,
    share_needed,
    stratified,
    worth,
)

RNG = np.random.default_rng(5)
TRUTH = RNG.normal(size=(300, 2))
MACHINE = TRUTH + RNG.normal(size=(300, 2)) / 2 + 3
SLICES = slice(0, 40), slice(40, 80)


def powered(machine: FloatArray, tuning: Tuning | float = Tuning.CROSS_FITTED, seed: int = 0) -> Powered:
    return prediction_powered_means(TRUTH[:60], machine[:60], machine[60:], tuning, seed=seed)


def test_a_machine_that_predicts_people_narrows_intervals_whatever_its_bias() -> None:
    alone, both = powered(MACHINE, Tuning.PEOPLE), powered(MACHINE)
    assert 0.4 < both.weight < 0.8
    assert np.all(both.errors < 0.7 * alone.errors)
    assert np.all(np.abs(both.estimates - TRUTH.mean(axis=0)) < 3 * both.errors)
    assert worth(np.diag(alone.covariance), np.diag(both.covariance), 60) > 120


def test_a_machine_that_says_the_opposite_or_always_the_same_has_no_weight() -> None:
    for useless in (-MACHINE, np.ones_like(MACHINE)):
        both, alone = powered(useless), powered(useless, Tuning.PEOPLE)
        assert both.weight == 0
        assert both.estimates == pytest.approx(alone.estimates)
        assert both.covariance == pytest.approx(alone.covariance)


def test_a_lambda_can_be_given_and_halves_depend_on_the_seed_alone() -> None:
    assert powered(MACHINE, 1.0).estimates == pytest.approx(powered(MACHINE, Tuning.PLAIN).estimates)
    assert (
        powered(MACHINE, seed=3).weight == powered(MACHINE, seed=3).weight != powered(MACHINE, seed=4).weight
    )


def test_cross_fitted_intervals_are_those_of_t() -> None:
    both = powered(MACHINE)
    assert both.degrees == 59
    low, high = both.intervals()
    assert (high - low) / both.errors == pytest.approx(2 * 2.00099538, abs=1e-6)


def test_ratios_do_not_depend_on_the_scale_of_their_denominators() -> None:
    of = RNG.integers(1, 5, size=(80, 1)).astype(float)
    won = of * RNG.random((80, 1))

    def estimated(scale: float) -> Powered:
        tallies = [Tallies.of_arrays(scale * won[rows], scale * of[rows]) for rows in SLICES]
        return prediction_powered_ratios(Units(tallies[0], tallies[0], tallies[1]))

    assert estimated(7).estimates == pytest.approx(estimated(1).estimates)
    assert estimated(7).errors == pytest.approx(estimated(1).errors)


def test_units_of_a_random_sample_among_all_give_almost_what_disjoint_units_do() -> None:
    ones = np.ones_like(TRUTH)
    people, machine = (Tallies.of_arrays(each[:60], ones[:60]) for each in (TRUTH, MACHINE))
    everything = Tallies.of_arrays(MACHINE, ones)
    shared = prediction_powered_ratios(Units(people, machine, everything, np.arange(60)), Tuning.TUNED)
    apart = powered(MACHINE, Tuning.TUNED)
    assert shared.weight == pytest.approx(apart.weight, abs=0.1)
    assert shared.estimates == pytest.approx(apart.estimates, abs=0.05)
    assert shared.errors == pytest.approx(apart.errors, rel=0.05)


def test_judgments_needed_follow_from_the_correlation() -> None:
    """As of the variances that a large sample has."""
    rng = np.random.default_rng(2)
    truth = rng.normal(size=44_000)
    machine = 0.6 * truth + 0.8 * rng.normal(size=44_000)
    alone, both = (
        prediction_powered_means(truth[:4000], machine[:4000], machine[4000:], tuning)
        for tuning in (Tuning.PEOPLE, Tuning.TUNED)
    )
    share = share_needed(0.6, 10)
    assert float(both.covariance[0, 0] / alone.covariance[0, 0]) == pytest.approx(share, abs=0.02)
    assert correlation_of(share, 10) == pytest.approx(0.6)
    assert (share_needed(0, 10), correlation_of(1.2, 10)) == (1, 0)


def test_strata_are_summed_with_their_shares() -> None:
    parts = [powered(MACHINE), powered(MACHINE, Tuning.PEOPLE)]
    whole = stratified(parts, [0.25, 0.75])
    assert whole.estimates == pytest.approx(0.25 * parts[0].estimates + 0.75 * parts[1].estimates)
    assert whole.errors**2 == pytest.approx((0.25 * parts[0].errors) ** 2 + (0.75 * parts[1].errors) ** 2)


def test_an_active_sample_is_not_cross_fitted() -> None:
    with pytest.raises(ValueError, match="not cross-fitted"):
        actively_sampled_mean([1, np.nan], [1, 0], [0.5, 0.5], Tuning.CROSS_FITTED)
