"""Two metrics on the same judged pairs: McNemar's exact test, and a bootstrap over sentences.

McNemar's test takes pairs as independent. Those of one sentence are not: annotators compare the same outputs
of it, and a metric that gets one wrong gets others wrong. So its p-values are too small, and the bootstrap of
whole sentences stands beside it.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.arrays import FloatArray, IntArray
from core.later import stats
from metrics.base.resampling import replicates_of, sentence_draws
from metrics.meta_evaluation.estimates import Estimate, estimated
from metrics.meta_evaluation.sensitivity.paired_differences import p_of_difference


@dataclass(frozen=True, slots=True)
class McNemar:
    """McNemar's exact test of two metrics.

    Attributes:
        first_only: pairs that the first metric alone orders as people did.
        second_only: pairs that the second alone does.
        p_value: two-sided, of the binomial distribution with p = 1/2; 1 where they never differ.
    """

    first_only: int
    second_only: int
    p_value: float


@dataclass(frozen=True, slots=True)
class PairedComparison:
    """Two metrics on the same pairs.

    Attributes:
        first: name.
        second: name.
        mcnemar: the test that takes pairs as independent.
        difference: tau of the first minus that of the second (ties of a metric discordant), with its interval
            over resampled sentences.
        clustered_p_value: two-sided, by the deviation of the differences in the same resamples; None where
            nothing was resampled.
    """

    first: str
    second: str
    mcnemar: McNemar
    difference: Estimate
    clustered_p_value: float | None


def mcnemar(first_only: int, second_only: int) -> McNemar:
    """The exact test (Siegel and Castellan 1988; Parton et al. 2011, section 6)."""
    differing = first_only + second_only
    p_value = min(1.0, 2 * float(stats.binom.cdf(min(first_only, second_only), differing, 0.5)))
    return McNemar(first_only, second_only, p_value)


def taus(
    sentence: IntArray,
    times: IntArray,
    agreed: Mapping[str, NDArray[np.bool_]],
    *,
    replicates: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
) -> dict[str, Estimate]:
    """Tau of each metric, ties discordant, with its interval over resampled sentences.

    Args:
        sentence: shape (P,), the sentence of each pair.
        times: shape (P,), how many judgments order it so.
        agreed: by metric, shape (P,), whether it orders a pair as they do.
        replicates: of the bootstrap; 0 for no intervals, as with few sentences (`replicates_of`).
        confidence: of the intervals.
        seed: of the bootstrap.
    """
    names = list(agreed)
    values, drawn = _drawn_taus(sentence, times, [agreed[name] for name in names], replicates, seed)
    return {
        name: estimated(float(values[place]), drawn[:, place], confidence) for place, name in enumerate(names)
    }


def paired_comparisons(
    sentence: IntArray,
    times: IntArray,
    agreed: Mapping[str, NDArray[np.bool_]],
    *,
    replicates: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
) -> tuple[PairedComparison, ...]:
    """All metrics against all later ones, see `taus`.

    The p-value of the bootstrap compares the difference with a normal distribution, as
    `metrics.meta_evaluation.significance.bootstrap_tests` does: no number of replicates bounds it, so it can
    be corrected for many comparisons.
    """
    names = list(agreed)
    values, drawn = _drawn_taus(sentence, times, [agreed[name] for name in names], replicates, seed)
    comparisons = []
    for one, first in enumerate(names):
        for other, second in enumerate(names[one + 1 :], start=one + 1):
            difference = float(values[one] - values[other])
            of_draws = drawn[:, one] - drawn[:, other]
            comparisons.append(
                PairedComparison(
                    first,
                    second,
                    mcnemar(
                        int(times[agreed[first] & ~agreed[second]].sum()),
                        int(times[~agreed[first] & agreed[second]].sum()),
                    ),
                    estimated(difference, of_draws, confidence),
                    p_of_difference(difference, of_draws),
                )
            )
    return tuple(comparisons)


def _drawn_taus(
    sentence: IntArray, times: IntArray, agreed: list[NDArray[np.bool_]], replicates: int, seed: int
) -> tuple[FloatArray, FloatArray]:
    """Tau of each metric, shape (K,), and in each resample of the sentences, shape (B, K)."""
    sentences, place = np.unique(sentence, return_inverse=True)
    size = len(sentences)
    pairs = np.bincount(place, times, size)
    right = np.stack([np.bincount(place[each], times[each], size) for each in agreed], axis=1)
    drawn = [np.empty((0, len(agreed)))]
    for draws in sentence_draws(size, range(replicates_of(size, replicates)), seed):
        weights = np.stack([np.bincount(draw, minlength=size) for draw in draws]).astype(np.float64)
        drawn.append(2 * (weights @ right) / (weights @ pairs)[:, None] - 1)
    return 2 * right.sum(axis=0) / pairs.sum() - 1, np.concatenate(drawn)
