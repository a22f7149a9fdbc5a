"""How many references are needed: SciPy's interval, a search one by one, a loss out of reach."""

import numpy as np
import pytest
from scipy.stats import bootstrap

from metrics.meta_evaluation.coverage import (
    CorrectionDistribution,
    coverages,
    expected_accuracy,
    references_needed,
)


def even(corrections: int) -> CorrectionDistribution:
    """All corrections are equally frequent."""
    return CorrectionDistribution(np.array([1 / corrections]), np.array([float(corrections)]))


PILOT = [even(number) for number in (2, 4, 5, 8, 10, 20)]


def test_the_interval_is_that_of_scipy() -> None:
    [coverage] = coverages(PILOT, [3]).T
    estimate = expected_accuracy(coverage, seed=4)
    scipy = bootstrap(
        (coverage,), np.mean, n_resamples=1000, method="BCa", rng=np.random.default_rng(4)
    ).confidence_interval
    assert (estimate.value, estimate.low, estimate.high) == (coverage.mean(), scipy.low, scipy.high)


@pytest.mark.parametrize(
    ("sentences", "reason"), [(1, "there is one sentence"), (3, "all sentences have the same coverage")]
)
def test_there_is_no_interval(sentences: int, reason: str) -> None:
    estimate = expected_accuracy(coverages([even(4)] * sentences, [2])[:, 0])
    assert (estimate.low, estimate.high, estimate.reason) == (None, None, reason)


def test_references_needed_equal_a_search_one_by_one() -> None:
    needed = references_needed(PILOT, 0.2, seed=5)
    one_by_one = next(m for m in range(1, 100) if 1 - coverages(PILOT, [m]).mean() <= 0.2)
    assert needed.references == one_by_one
    assert needed.low is not None
    assert needed.high is not None
    assert needed.low < one_by_one < needed.high


def test_each_loss_asks_for_at_least_as_many() -> None:
    numbers = [references_needed(PILOT, loss, replicates=10).references for loss in (0.5, 0.3, 0.1, 0.01)]
    assert numbers == [4, 8, 20, 56]


def test_a_loss_out_of_reach() -> None:
    needed = references_needed([even(10**9), even(10**9)], 0.5, replicates=10)
    assert (needed.references, needed.low, needed.high) == (None, None, None)
