"""Soft pairwise accuracy, against enumeration and SciPy."""

from itertools import product

import numpy as np
import pytest
from scipy import stats

from core.arrays import FloatArray
from metrics.meta_evaluation import p_values_of_metric, p_values_of_people, sign_flips, soft_accuracy

TWELVE = np.random.default_rng(3).integers(0, 5, size=(12, 4)).astype(float)
OTHER = TWELVE + np.random.default_rng(4).normal(scale=1.5, size=(12, 4))


def enumerated(scores: FloatArray) -> list[float]:
    """The p-value of each pair of systems, by looking at all sign flips."""
    values = []
    for first in range(scores.shape[1]):
        for second in range(first + 1, scores.shape[1]):
            ahead = scores[:, first] - scores[:, second]
            sums = [float(np.dot(signs, ahead)) for signs in product((1, -1), repeat=len(ahead))]
            values.append(float(np.mean([each >= ahead.sum() - 1e-9 for each in sums])))
    return values


def test_twelve_sentences_are_enumerated() -> None:
    signs = sign_flips(12, 2**12, seed=1)
    people, metric = p_values_of_people(TWELVE, signs), p_values_of_metric(OTHER, signs)
    assert people.tolist() == pytest.approx(enumerated(TWELVE))
    assert metric.tolist() == pytest.approx(enumerated(OTHER))
    differences = np.abs(np.array(enumerated(TWELVE)) - enumerated(OTHER))
    assert soft_accuracy(people, metric) == pytest.approx(1 - differences.mean())


def test_a_metric_agrees_fully_with_itself() -> None:
    """With few random permutations too, since the same serve both."""
    for permutations in (100, 2**12):
        signs = sign_flips(12, permutations, seed=1)
        assert soft_accuracy(p_values_of_people(TWELVE, signs), p_values_of_metric(TWELVE, signs)) == 1


def test_p_values_are_those_of_scipy() -> None:
    """Exact ones, and random ones within three standard errors of Monte Carlo."""
    ahead = TWELVE[:, 0] - TWELVE[:, 1]
    exact = stats.permutation_test(
        (ahead,), np.sum, permutation_type="samples", alternative="greater", n_resamples=2**12
    )
    assert p_values_of_people(TWELVE, sign_flips(12, 2**12, 1))[0] == pytest.approx(exact.pvalue)
    drawn = p_values_of_people(TWELVE, sign_flips(12, 4000, 1))[0]
    error = np.sqrt(exact.pvalue * (1 - exact.pvalue) / 4000)
    assert abs(drawn - exact.pvalue) < 3 * error


def test_systems_of_the_same_outputs_are_never_told_apart() -> None:
    same = np.repeat(TWELVE[:, :1], 2, axis=1)
    assert p_values_of_people(same, sign_flips(12, 500, 1)).tolist() == [1]


def test_missing_human_scores_are_left_out_and_are_not_0() -> None:
    """Systems 0 and 1 are tested on the sentences that have both; 0 and 2 have none."""
    scores = TWELVE[:, :3].copy()
    scores[6:, 0] = np.nan
    scores[:6, 2] = np.nan
    signs = sign_flips(12, 2**12, 1)
    with_both = p_values_of_people(TWELVE[:6, :2], sign_flips(6, 2**6, 1))
    p_values = p_values_of_people(scores, signs)
    assert p_values[0] == pytest.approx(with_both[0])
    assert np.isnan(p_values[1])
    metric = p_values_of_metric(OTHER[:, :3], signs)
    assert soft_accuracy(p_values, metric) == pytest.approx(
        1 - np.abs(p_values[[0, 2]] - metric[[0, 2]]).mean()
    )
    assert soft_accuracy(np.full(3, np.nan), metric) is None


def test_a_metric_is_tested_on_sentences_of_which_it_scores_all_systems() -> None:
    scores = OTHER.copy()
    scores[3, 2] = np.nan
    whole = np.delete(OTHER, 3, axis=0)
    assert p_values_of_metric(scores, sign_flips(12, 2**12, 1)).tolist() == pytest.approx(
        p_values_of_metric(whole, sign_flips(11, 2**11, 1)).tolist()
    )
    assert np.isnan(p_values_of_metric(np.full((12, 2), np.nan), sign_flips(12, 100, 1))).all()


def test_negative_scores_are_scores() -> None:
    signs = sign_flips(12, 2**12, 1)
    assert p_values_of_metric(OTHER - 100, signs).tolist() == pytest.approx(
        p_values_of_metric(OTHER, signs).tolist()
    )
