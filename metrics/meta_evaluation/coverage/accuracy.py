"""The accuracy of a perfect corrector against M references: expected value and distribution.

A perfect corrector corrects as annotators do: its output is drawn from the same distribution as references.
Choshen and Abend 2018, "Inherent Biases in Reference-based Evaluation for Grammatical Error Correction and
Text Simplification", section 2.2 and appendix F.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.arrays import FloatArray
from metrics.meta_evaluation.coverage.unseen import CorrectionDistribution


def expected_coverage(distribution: CorrectionDistribution, references: int) -> float:
    """The probability that a correction is among this many references, drawn with replacement."""
    return float(expected_coverages(distribution, [references])[0])


def expected_coverages(distribution: CorrectionDistribution, references: Sequence[int]) -> FloatArray:
    """The probability that a correction is among each of these numbers of references, shape (references,).

    In closed form: the sum over corrections of x (1 - (1 - x)^M).
    """
    x = distribution.frequencies
    covered: FloatArray = -np.expm1(np.outer(references, np.log1p(-np.minimum(x, 1 - 1e-15))))
    return covered @ (distribution.counts * x)


def coverage_without_replacement(
    distribution: CorrectionDistribution, references: int, *, draws: int = 1000, seed: int = 0
) -> FloatArray:
    """The probability that a correction is among 1, 2, … `references` distinct references.

    References are drawn one after the other, each in proportion to the frequencies of those not drawn yet.
    The mean over `draws` such sequences, shape (references,). The fractional rest of a count is one
    correction that is rarer by this fraction.
    """
    generator = np.random.default_rng(seed)
    x = distribution.frequencies
    left = np.tile(distribution.counts, (draws, 1))
    rows = np.arange(draws)
    covered = np.zeros(draws)
    means = np.empty(references)
    for number in range(references):
        cumulative = np.cumsum(left * x, axis=1)
        points = generator.random(draws) * cumulative[:, -1]
        drawn = np.minimum((cumulative <= points[:, None]).sum(axis=1), len(x) - 1)
        taken = np.minimum(left[rows, drawn], 1.0)
        left[rows, drawn] -= taken
        covered += taken * x[drawn]
        means[number] = covered.mean()
    return means


@dataclass(frozen=True, slots=True, eq=False)
class AccuracyDistribution:
    """The probability of each number of matched sentences: a Poisson binomial distribution.

    Attributes:
        probabilities: shape (N + 1,), of 0, 1, … N matched sentences.
    """

    probabilities: FloatArray

    @property
    def mean(self) -> float:
        """The expected share of matched sentences."""
        shares = np.arange(len(self.probabilities)) / (len(self.probabilities) - 1)
        return float(shares @ self.probabilities)

    def interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """The smallest and largest share of the central interval with at least this probability."""
        cumulative = np.cumsum(self.probabilities)
        tail = (1 - confidence) / 2
        low, high = np.searchsorted(cumulative, [tail, 1 - tail])
        sentences = len(self.probabilities) - 1
        return float(low / sentences), float(min(high, sentences) / sentences)


def accuracy_distribution(matches: Sequence[float] | FloatArray) -> AccuracyDistribution:
    """The distribution of accuracy on sentences that match a reference with these probabilities.

    The convolution of all sentences, one after the other, which is exact to rounding.

    Args:
        matches: shape (N,), each in [0, 1].
    """
    probabilities = np.zeros(len(matches) + 1)
    probabilities[0] = 1
    for number, p in enumerate(np.asarray(matches, dtype=float).tolist()):
        matched = probabilities[: number + 1] * p
        probabilities[: number + 1] *= 1 - p
        probabilities[1 : number + 2] += matched
    return AccuracyDistribution(probabilities)


def matches_of_test_set(
    coverages: Sequence[float] | FloatArray, *, sentences: int = 1312, correct: int = 136
) -> FloatArray:
    """The match probabilities of a test set whose sentences are like those of a pilot, shape (sentences,).

    Sentences that need no correction always match. The others take the coverages of the pilot's sentences in
    turn.
    """
    needed = np.resize(np.asarray(coverages, dtype=float), sentences - correct)
    return np.concatenate([needed, np.ones(correct)])
