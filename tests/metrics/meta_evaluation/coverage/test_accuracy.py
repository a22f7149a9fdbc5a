"""A perfect corrector against M references: published figures, brute force, SciPy's distribution."""

from itertools import product
from math import comb
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import poisson_binom

from metrics.meta_evaluation.coverage import (
    CorrectionDistribution,
    accuracy_distribution,
    coverage_without_replacement,
    coverages,
    expected_coverage,
    matches_of_test_set,
)
from tests.metrics.meta_evaluation.coverage.released import histograms, released_distributions

REFERENCES = (1, 2, 5, 10, 15, 20)
TWO_AND_FOUR = CorrectionDistribution(np.array([0.1, 0.3]), np.array([4.0, 2.0]))


def test_expected_accuracy_as_published(reference_data: Path) -> None:
    """Figure 3 of the paper, "around 0.5" at 20 references with a slope of .004."""
    by_sentence = coverages(released_distributions(reference_data, "exact"), (*REFERENCES, 19))
    *expected, before = by_sentence.mean(axis=0)
    assert np.round(expected, 3).tolist() == [0.141, 0.225, 0.346, 0.423, 0.461, 0.487]
    assert expected[-1] - before == pytest.approx(0.004, abs=0.001)


def test_against_few_references_the_published_accuracy_is_too_high(reference_data: Path) -> None:
    """An answer is among M others of its sentence this often, which estimates the accuracy without bias."""

    def unbiased(histogram: list[int], references: int) -> float:
        given = list(enumerate(histogram, start=1))
        answers = sum(times * number for times, number in given)
        return sum(
            number * times / answers * (1 - comb(answers - times, references) / comb(answers - 1, references))
            for times, number in given
        )

    answered = histograms(reference_data, "exact")
    expected = [
        np.mean([unbiased(histogram, references) for histogram in answered])
        for references in (1, 2, 5, 10, 20)
    ]
    assert np.round(expected, 3).tolist() == [0.121, 0.198, 0.319, 0.407, 0.483]


def test_exact_index_match_as_published(reference_data: Path) -> None:
    [expected] = coverages(released_distributions(reference_data, "index"), [10]).mean(axis=0)
    assert round(expected, 3) == 0.533


@pytest.mark.parametrize("references", [1, 2, 3])
def test_coverage_equals_enumeration(references: int) -> None:
    frequencies = [0.1] * 4 + [0.3] * 2
    enumerated = sum(
        np.prod([frequencies[each] for each in drawn]) * sum(frequencies[each] for each in set(drawn))
        for drawn in product(range(6), repeat=references)
    )
    assert expected_coverage(TWO_AND_FOUR, references) == pytest.approx(enumerated, abs=1e-12)


def test_coverage_without_replacement_equals_enumeration() -> None:
    """The first two draws by hand; .01 is three standard errors of 20,000 sequences."""
    frequencies = np.array([0.1] * 4 + [0.3] * 2)
    second = sum(
        first
        * (first + sum(other**2 for number, other in enumerate(frequencies) if number != place) / (1 - first))
        for place, first in enumerate(frequencies)
    )
    drawn = coverage_without_replacement(TWO_AND_FOUR, 8, draws=20_000, seed=1)
    assert drawn[0] == pytest.approx((frequencies**2).sum(), abs=0.01)
    assert drawn[1] == pytest.approx(second, abs=0.01)
    assert drawn[5] == pytest.approx(1)
    assert drawn[7] == pytest.approx(1)
    np.testing.assert_array_equal(drawn, coverage_without_replacement(TWO_AND_FOUR, 8, draws=20_000, seed=1))


def test_the_distribution_of_accuracy_equals_enumeration() -> None:
    matches = np.random.default_rng(2).random(12)
    enumerated = np.zeros(13)
    for outcome in product((0, 1), repeat=12):
        enumerated[sum(outcome)] += np.where(outcome, matches, 1 - matches).prod()
    np.testing.assert_allclose(accuracy_distribution(matches).probabilities, enumerated, atol=1e-12)


def test_the_distribution_of_accuracy_equals_that_of_scipy() -> None:
    matches = np.random.default_rng(3).random(300)
    distribution = accuracy_distribution(matches)
    np.testing.assert_allclose(
        distribution.probabilities, poisson_binom.pmf(np.arange(301), matches), atol=1e-12
    )
    assert distribution.mean == pytest.approx(matches.mean())
    low, high = distribution.interval()
    between = distribution.probabilities[round(low * 300) : round(high * 300) + 1].sum()
    assert 0.95 <= between < 0.98


def test_a_test_set_has_sentences_that_need_no_correction() -> None:
    matches = matches_of_test_set([0.25, 0.75], sentences=10, correct=2)
    assert matches.tolist() == [0.25, 0.75] * 4 + [1, 1]
    assert accuracy_distribution(matches).probabilities[:2].tolist() == [0, 0]
