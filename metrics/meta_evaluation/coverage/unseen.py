"""UnseenEst: the distribution of valid corrections of a sentence, including those that nobody gave.

Zou et al. 2016, "Quantifying unobserved protein-coding variants in human populations provides a roadmap for
large-scale sequencing projects", as Choshen and Abend 2018 use it ("Inherent Biases in Reference-based
Evaluation for Grammatical Error Correction and Text Simplification", section 2.1).
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, log, sqrt

import numpy as np

from core.arrays import FloatArray
from core.later import optimize, stats

LEAST_SHARE_OF_ONE_ANSWER = 0.01
"""The rarest correction considered is this much rarer than a correction given once."""

GRID_RATIO = 1.05
MOST_CORRECTIONS = 6.5e7
"""Bound on the number of corrections of a sentence, as in the released program."""


class CoverageError(ValueError):
    """Nothing can be estimated from these answers; the message names the sentence and the reason."""


@dataclass(frozen=True, slots=True)
class CorrectionDistribution:
    """Numbers of corrections of a sentence by frequency.

    Attributes:
        frequencies: shape (K,), ascending: the probability that an annotator gives one particular correction.
        counts: shape (K,): the expected number of corrections of that frequency; not necessarily whole.
    """

    frequencies: FloatArray
    counts: FloatArray

    def variants(self, threshold: float = 0.0) -> float:
        """The number of corrections with at least this frequency."""
        return float(self.counts[self.frequencies >= threshold].sum())

    def mass(self, threshold: float = 0.0) -> float:
        """The probability that an answer is a correction with at least this frequency."""
        common = self.frequencies >= threshold
        return float(self.frequencies[common] @ self.counts[common])


def answer_histogram(given: Mapping[Hashable, int]) -> tuple[int, ...]:
    """Number of corrections given once, twice, three times, and so on.

    Args:
        given: for each correction, the number of people who gave it.
    """
    return tuple(np.bincount(list(given.values()))[1:].tolist()) if given else ()


def unseen_distribution(histogram: Sequence[int]) -> CorrectionDistribution:
    """The distribution that best explains how often corrections were given.

    A linear program. Frequencies are a geometric grid. The numbers of corrections on it minimise the sum,
    over i, of |expected - observed number of corrections given i times| / sqrt(observed + 1), with a total
    mass of 1. i runs to m + ceil(sqrt(m)), where m is the largest number of times that a correction was
    given, because it is informative that none was given more often.

    Args:
        histogram: at position i - 1, the number of corrections that were given i times.

    Raises:
        CoverageError: no answers, a negative number, or a single answer, from which nothing can be estimated.
    """
    observed = _checked(histogram)
    most_times = len(observed)
    observed = np.concatenate([observed, np.zeros(ceil(sqrt(most_times)))])
    times = np.arange(1, len(observed) + 1)
    answers = int(times @ observed)
    frequencies = _grid(answers, most_times)
    # The unknowns are masses, not numbers of corrections, so that all columns have similar magnitude.
    expected = stats.binom.pmf(times[:, None], answers, frequencies) / frequencies
    rows, columns = expected.shape
    slack = np.eye(rows)
    solved = optimize.linprog(
        c=np.concatenate([np.zeros(columns), 1 / np.sqrt(observed + 1)]),
        A_ub=np.block(
            [
                [expected, -slack],
                [-expected, -slack],
                [1 / frequencies, np.zeros(rows)],
            ]
        ),
        b_ub=np.concatenate([observed, -observed, [MOST_CORRECTIONS]]),
        A_eq=np.concatenate([np.ones(columns), np.zeros(rows)])[None],
        b_eq=[1],
        method="highs",
    )
    masses: FloatArray = np.asarray(solved.x)[:columns]
    return CorrectionDistribution(frequencies, masses / frequencies)


def _checked(histogram: Sequence[int]) -> FloatArray:
    observed = np.trim_zeros(np.asarray(histogram, dtype=float), "b")
    if not len(observed):
        raise CoverageError("there are no answers")
    if (observed < 0).any():
        raise CoverageError("a number of corrections is negative")
    if observed.sum() == 1 and len(observed) == 1:
        raise CoverageError("there is one answer; at least two are needed")
    return observed


def _grid(answers: int, most_times: int) -> FloatArray:
    """Frequencies from a hundredth of one answer's share to just above the most frequent correction."""
    least = LEAST_SHARE_OF_ONE_ANSWER / answers
    steps = ceil(log(most_times / LEAST_SHARE_OF_ONE_ANSWER) / log(GRID_RATIO))
    grid: FloatArray = least * np.power(GRID_RATIO, np.arange(steps + 1))
    return np.minimum(grid, 1)
