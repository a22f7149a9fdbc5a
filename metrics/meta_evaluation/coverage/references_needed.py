"""Number of references that a test set needs, from a pilot with several corrections of each sentence."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.arrays import FloatArray, IntArray
from core.later import stats
from metrics.meta_evaluation.coverage.accuracy import expected_coverages
from metrics.meta_evaluation.coverage.unseen import CorrectionDistribution
from metrics.meta_evaluation.estimates import Estimate

MOST_REFERENCES = 1_000_000
"""Maximum number of references; a loss that needs more is out of reach."""


def coverages(estimated: Sequence[CorrectionDistribution], references: Sequence[int]) -> FloatArray:
    """Expected coverage by sentence and number of references, shape (sentences, references)."""
    return np.array([expected_coverages(each, references) for each in estimated])


def expected_accuracy(
    coverage: FloatArray, *, confidence: float = 0.95, replicates: int = 1000, seed: int = 0
) -> Estimate:
    """The expected accuracy of a perfect corrector, with the BCa interval over sentences.

    Args:
        coverage: shape (sentences,), as of one column of `coverages`.
    """
    value = float(coverage.mean())
    if len(coverage) < 2:
        return Estimate(value, None, None, "there is one sentence")
    if np.ptp(coverage) == 0:
        return Estimate(value, None, None, "all sentences have the same coverage")
    interval = stats.bootstrap(
        (coverage,),
        np.mean,
        confidence_level=confidence,
        n_resamples=replicates,
        method="BCa",
        rng=np.random.default_rng(seed),
    ).confidence_interval
    return Estimate(value, float(interval.low), float(interval.high), None)


@dataclass(frozen=True, slots=True)
class ReferencesNeeded:
    """The smallest number of references with which a perfect corrector loses at most the given share.

    Attributes:
        loss: 1 minus the expected accuracy.
        references: None if even a million are not enough.
        low: lower end of the percentile interval over resampled sentences; None if out of reach.
        high: upper end; None if out of reach.
    """

    loss: float
    references: int | None
    low: int | None
    high: int | None


def references_needed(
    estimated: Sequence[CorrectionDistribution],
    loss: float,
    *,
    confidence: float = 0.95,
    replicates: int = 1000,
    seed: int = 0,
) -> ReferencesNeeded:
    """The number of references at which the expected loss falls to the given one.

    Loss falls with each reference, so a binary search finds the number, on a geometric grid of coverages that
    is exact up to 100 references and in steps of one percent beyond.
    """
    numbers = _numbers()
    by_sentence = coverages(estimated, numbers)
    draws = np.random.default_rng(seed).integers(len(estimated), size=(replicates, len(estimated)))
    times = np.stack([np.bincount(draw, minlength=len(estimated)) for draw in draws])
    resampled = times @ by_sentence / len(estimated)
    needed = _first_within(by_sentence.mean(axis=0)[None], loss)[0]
    tail = (1 - confidence) / 2
    ends = np.quantile(_first_within(resampled, loss), [tail, 1 - tail], method="nearest")
    as_number = [int(numbers[end]) if end < len(numbers) else None for end in (needed, *ends.astype(int))]
    return ReferencesNeeded(loss, *as_number)


def _numbers() -> list[int]:
    """Numbers of references: each up to 100, then in steps of one percent."""
    numbers = list(range(1, 101))
    while numbers[-1] < MOST_REFERENCES:
        numbers.append(min(int(numbers[-1] * 1.01) + 1, MOST_REFERENCES))
    return numbers


def _first_within(accuracies: FloatArray, loss: float) -> IntArray:
    """The first column of each row with at most this loss; the number of columns if there is none."""
    within = 1 - accuracies <= loss
    first: IntArray = np.where(within.any(axis=1), within.argmax(axis=1), accuracies.shape[1])
    return first
