"""Intervals of mean kappas, over sentences.

A mean kappa is a function of sums over sentences: of comparisons, agreements and outcomes of each two
annotators. Its variance follows from its derivative at these sums (the infinitesimal jackknife): the
influence of a sentence is the derivative in the direction of its own sums, and sentences are independent.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.arrays import FloatArray, IntArray
from core.later import pd, sparse, special

FEWEST_SENTENCES = 10
"""With fewer sentences there is no interval."""

CONFIDENCE = 0.95

CELLS_AT_ONCE = 4_000_000
"""Cells of dense tables of annotators by pairs of outputs that are in memory at once."""


class Sums(NamedTuple):
    """Sums over pairs of outputs for each two of J annotators.

    Attributes:
        comparisons: shape (J, J).
        agreements: shape (J, J).
        outcomes: shape (3, J, J), those that entered a comparison.
    """

    comparisons: IntArray
    agreements: IntArray
    outcomes: IntArray


class Slopes(NamedTuple):
    """The derivative of a mean kappa with respect to each of the sums, of their shapes."""

    comparisons: FloatArray
    agreements: FloatArray
    outcomes: FloatArray


def slopes(sums: Sums, used: NDArray[np.bool_]) -> Slopes:
    """The derivative of the mean kappa, weighted by comparisons, of each two annotators that are used.

    `used` has the shape (J, J), and is True once for each two.
    """
    n, agreed, outcomes = (np.where(used, each, 1).astype(np.float64) for each in sums)
    given = outcomes.sum(axis=0)
    observed, expected = agreed / n, (outcomes**2).sum(axis=0) / given**2
    kappa = (observed - expected) / (1 - expected)
    weight = np.where(used, n, 0) / n[used].sum()
    mean = (weight * kappa).sum()
    by_agreements = weight / n / (1 - expected)
    by_expected = weight * (observed - 1) / (1 - expected) ** 2
    return Slopes(
        comparisons=weight / n * (kappa - mean) - by_agreements * observed,
        agreements=by_agreements,
        outcomes=by_expected * 2 * (outcomes / given - expected) / given,
    )


def influences(counts: Sequence[sparse.csr_array], slope: Slopes) -> FloatArray:
    """The influence of each of P pairs of outputs, shape (P,).

    `counts` has how often each annotator gave each of three outcomes, of the shape (J, P).
    """
    annotators, pairs = counts[0].shape
    size = max(1, CELLS_AT_ONCE // max(annotators, 1))
    parts = [
        _influences([count[:, first : first + size] for count in counts], slope)
        for first in range(0, pairs, size)
    ]
    return np.concatenate(parts)


def _influences(counts: Sequence[sparse.csr_array], slope: Slopes) -> FloatArray:
    judged = counts[0] + counts[1] + counts[2]
    found = _between(judged, judged, slope.comparisons) + _within(judged, slope.comparisons)
    once, twice = judged > 0, judged > 1
    for count, by_outcome in zip(counts, slope.outcomes, strict=True):
        found += _between(count, count, slope.agreements) + _within(count, slope.agreements)
        both_ways = by_outcome + by_outcome.T
        found += _between(count, once, both_ways) + count.multiply(twice).T @ by_outcome.diagonal()
    return found


def _between(counts: sparse.csr_array, others: sparse.csr_array, slope: FloatArray) -> FloatArray:
    """The sum over two different annotators of the product of their counts and the slope."""
    different = slope * ~np.eye(len(slope), dtype=bool)
    summed: FloatArray = others.multiply(different.T @ counts).sum(axis=0)
    return np.asarray(summed).ravel()


def _within(counts: sparse.csr_array, slope: FloatArray) -> FloatArray:
    """The sum over annotators of their pairs of counts and the slope."""
    pairs_of_counts = counts.multiply(counts) - counts
    found: FloatArray = pairs_of_counts.T @ (slope.diagonal() / 2)
    return found


def reach(influence: FloatArray, sentence: IntArray) -> float | None:
    """Half the width of the interval, from the influences of pairs of outputs and their sentences.

    None with fewer than `FEWEST_SENTENCES` sentences that have any influence, or where nothing varies.
    """
    place, distinct = pd.factorize(sentence[influence != 0])
    units = len(distinct)
    of_sentence = np.bincount(place, influence[influence != 0], minlength=units)
    error = sqrt(float(of_sentence @ of_sentence) * units / (units - 1)) if units > 1 else 0.0
    if units < FEWEST_SENTENCES or not error:
        return None
    return float(special.stdtrit(units - 1, (1 + CONFIDENCE) / 2)) * error
