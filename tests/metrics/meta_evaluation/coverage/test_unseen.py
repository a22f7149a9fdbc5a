"""UnseenEst: Table 1 of Choshen and Abend 2018, a known distribution recovered, bad histograms."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from metrics.meta_evaluation.coverage import (
    CorrectionDistribution,
    CoverageError,
    answer_histogram,
    unseen_distribution,
    variants_and_mass,
)
from tests.metrics.meta_evaluation.coverage.released import histograms, released_distributions

THRESHOLDS = (0, 0.001, 0.01, 0.1)
VARIANTS = (1351.24, 74.34, 8.72, 1.35)
MASS = (1, 0.75, 0.58, 0.37)


def table_1(estimated: Sequence[CorrectionDistribution]) -> tuple[list[float], list[float]]:
    numbers, masses = variants_and_mass(estimated, THRESHOLDS)
    return numbers.tolist(), masses.tolist()


def test_table_1_from_the_released_distributions(reference_data: Path) -> None:
    numbers, masses = table_1(released_distributions(reference_data, "exact"))
    assert [round(number, 2) for number in numbers] == list(VARIANTS)
    assert [round(mass, 2) for mass in masses] == list(MASS)


def test_table_1_solved_anew(reference_data: Path) -> None:
    """Some released distributions were estimated from other histograms than the released ones, hence 11 %."""
    numbers, masses = table_1([unseen_distribution(each) for each in histograms(reference_data, "exact")])
    for number, published, tolerance in zip(numbers, VARIANTS, (0.02, 0.11, 0.04, 0.08), strict=True):
        assert number == pytest.approx(published, rel=tolerance)
    assert masses == pytest.approx([1, 0.750, 0.581, 0.373], abs=0.01)


def test_the_released_solution_is_ours_where_the_histogram_is(reference_data: Path) -> None:
    pairs = zip(
        histograms(reference_data, "exact"), released_distributions(reference_data, "exact"), strict=True
    )
    equal = 0
    for histogram, released in pairs:
        ours = unseen_distribution(histogram)
        if len(ours.frequencies) == len(released.frequencies):
            np.testing.assert_allclose(ours.frequencies, released.frequencies, rtol=1e-9)
            gap = ours.frequencies * ours.counts - released.frequencies * released.counts
            equal += bool(np.abs(gap).max() < 1e-3)
    assert equal == 38


@pytest.mark.parametrize("seed", range(10))
def test_a_known_distribution_is_recovered(seed: int) -> None:
    """300 corrections share half of the answers, two have a quarter each.

    About 56 of the rare ones stay unseen in 1,000 answers; the estimate errs by at most a quarter in each of
    these samples. Below a frequency of one answer in the sample it says little: a mass of .01 there may be
    thousands of corrections.
    """
    generator = np.random.default_rng(seed)
    probabilities = np.concatenate([np.full(300, 0.5 / 300), [0.25, 0.25]])
    answers = generator.choice(len(probabilities), size=1000, p=probabilities)
    estimated = unseen_distribution(answer_histogram(Counter(answers.tolist())))
    assert estimated.mass() == pytest.approx(1)
    assert estimated.variants(0.001) == pytest.approx(302, rel=0.25)
    assert estimated.mass(0.001) == pytest.approx(1, abs=0.1)
    assert estimated.mass(0.1) == pytest.approx(0.5, rel=0.25)
    assert estimated.variants(0.1) == pytest.approx(2, rel=0.25)


def test_a_histogram_counts_corrections_by_how_often_they_were_given() -> None:
    assert answer_histogram({"a": 1, "b": 1, "c": 3}) == (2, 0, 1)
    assert answer_histogram({}) == ()


@pytest.mark.parametrize(
    ("histogram", "message"),
    [
        ([], "no answers"),
        ([0, 0], "no answers"),
        ([1], "one answer; at least two"),
        ([3, -1, 1], "negative"),
    ],
)
def test_nothing_can_be_estimated_of(histogram: list[int], message: str) -> None:
    with pytest.raises(CoverageError, match=message):
        unseen_distribution(histogram)


def test_answers_that_are_all_equal_are_one_correction() -> None:
    estimated = unseen_distribution([0, 0, 0, 0, 1])
    assert estimated.mass(0.9) == pytest.approx(1, abs=0.01)
    assert estimated.variants(0.9) == pytest.approx(1, abs=0.01)
