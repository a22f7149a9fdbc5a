"""Soft pairwise accuracy: whether a metric is as certain as people that one system is better than another.

Thompson et al. 2024 ("Improving Statistical Significance in Human Evaluation of Automatic Metrics via Soft
Pairwise Accuracy"), the system-level measure of WMT24. For each pair of systems, a one-sided paired
permutation test over sentences measures how certain people, and the metric, are that the first is better;
soft pairwise accuracy is 1 minus the mean absolute difference of the two p-values.
"""

from itertools import product

import numpy as np
from numpy.typing import NDArray

from core.arrays import FloatArray, IntArray

ROUNDING = 1e-9
"""Differences of a system's score that are smaller than this share of it count as 0."""


Signs = NDArray[np.int8]


def sign_flips(sentences: int, permutations: int, seed: int) -> Signs:
    """Rows of signs, shape (k, sentences): -1 where the outputs of two systems are swapped.

    All 2 ** sentences rows if there are at most `permutations`, otherwise this many random rows. The same
    rows serve all pairs of systems, metrics and people, so that a metric compared with itself is equally
    certain.
    """
    if sentences < 60 and 2**sentences <= permutations:
        return np.array(list(product((1, -1), repeat=sentences)), dtype=np.int8).reshape(-1, sentences)
    rng = np.random.default_rng(seed)
    signs = np.empty((permutations, sentences), dtype=np.int8)
    for row in signs:
        row[:] = np.where(rng.integers(2, size=sentences), -1, 1)
    return signs


def p_values_of_people(scores: FloatArray, signs: Signs) -> FloatArray:
    """P-values that the first system of each pair is no better, shape (P,), pairs as of `system_pairs`.

    Each pair is tested on the sentences in which both have a human score; NaN where there are none. Scores
    have the shape (n, S), NaN where missing; signs (k, n).

    The p-value is the share of the permutations whose difference is at least the one observed, as
    `scipy.stats.permutation_test` defines it. So systems that never differ have a p-value of 1.
    """
    first, second = system_pairs(scores.shape[1])
    ahead = scores[:, first] - scores[:, second]
    both = np.isfinite(ahead)
    ahead = np.where(both, ahead, 0.0)
    p_values = _shares(signs @ ahead, ahead.sum(axis=0), np.abs(ahead).sum(axis=0))
    return np.where(np.count_nonzero(both, axis=0) > 0, p_values, np.nan)


def p_values_of_metric(scores: FloatArray, signs: Signs) -> FloatArray:
    """P-values of a metric's system pairs, on sentences where it scores all systems; NaN without any."""
    whole = np.asarray(np.isfinite(scores).all(axis=1))
    scores = np.where(whole[:, None], scores, 0.0)
    first, second = system_pairs(scores.shape[1])
    totals, sizes = scores.sum(axis=0), np.abs(scores).sum(axis=0)
    flipped = signs @ scores
    p_values = _shares(
        flipped[:, first] - flipped[:, second], totals[first] - totals[second], sizes[first] + sizes[second]
    )
    return p_values if whole.any() else np.full(len(first), np.nan)


def soft_accuracy(people: FloatArray, metric: FloatArray) -> float | None:
    """1 minus the mean absolute difference of two sets of p-values, shape (P,); None without pairs.

    Pairs without a p-value of people are left out.
    """
    compared = np.isfinite(people) & np.isfinite(metric)
    if not compared.any():
        return None
    return float(1 - np.abs(people[compared] - metric[compared]).mean())


def system_pairs(systems: int) -> tuple[IntArray, IntArray]:
    """The first and the second system of each of the P pairs."""
    first, second = np.triu_indices(systems, 1)
    return first.astype(np.int64), second.astype(np.int64)


def _shares(flipped: FloatArray, observed: FloatArray, sizes: FloatArray) -> FloatArray:
    """The share of rows of `flipped`, shape (k, P), that are at least as large as `observed`, shape (P,)."""
    return np.asarray((flipped >= observed - ROUNDING * sizes).mean(axis=0))
