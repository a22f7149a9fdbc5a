"""Correlation of two sets of scores: coefficients, their uncertainty, and the comparison of two metrics.

A coefficient is between the scores of n systems (or sentences) given by two sources, say annotators and a
metric, both of shape (n,) in the same order (GJG15, section 6.1; Macháček and Bojar 2013).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import permutations as all_orders
from math import factorial, sqrt

import numpy as np
from numpy.typing import ArrayLike

from core.arrays import FloatArray
from core.later import stats

ROUNDING = 1e-12
"""Coefficients that differ by less are equal: they differ by the order in which they were summed up."""


SCORES_PER_BLOCK = 1_000_000
"""Scores shuffled at a time; 8 MB. Part of what a seed means: another number, other permutations."""


MOST_SYSTEMS_BY_SIGNS = 100
"""Up to so many systems Kendall's tau takes the signs of all pairs, for many replicates at once."""

SIGNS_PER_BLOCK = 2_000_000


TOO_FEW = "a correlation needs at least two systems"


class Coefficient(StrEnum):
    """Pearson's r of scores; Spearman's rho, which is r of their ranks; Kendall's tau-b of their pairs."""

    PEARSON = "pearson"
    SPEARMAN = "spearman"
    KENDALL = "kendall"


@dataclass(frozen=True, slots=True)
class Correlation:
    """A coefficient of correlation.

    Attributes:
        value: from -1 to 1; None if it cannot be computed.
        n: the number of systems it rests on.
        reason: why there is no value, in words; None if there is one.
    """

    value: float | None
    n: int
    reason: str | None


@dataclass(frozen=True, slots=True)
class CorrelationInterval:
    """A percentile interval of a coefficient.

    Attributes:
        low: its lower end; None if it cannot be computed.
        high: its upper end; None where `low` is.
        replicates: the replicates in which the coefficient is defined; the interval is over these.
        reason: why there is no interval, in words; None if there is one.
    """

    low: float | None
    high: float | None
    replicates: int
    reason: str | None


@dataclass(frozen=True, slots=True)
class PermutationTest:
    """A permutation test of a correlation.

    Attributes:
        p_value: two-sided; None if it cannot be computed.
        permutations: the number of permutations it rests on.
        exact: whether these are all there are; otherwise they were drawn at random.
        reason: why there is no p-value, in words; None if there is one.
    """

    p_value: float | None
    permutations: int
    exact: bool
    reason: str | None


@dataclass(frozen=True, slots=True)
class WilliamsTest:
    """Williams' test: the correlations of two metrics with the same human scores, compared.

    Attributes:
        first: Pearson's r of the first metric with the human scores.
        second: Pearson's r of the second metric with the human scores.
        between: Pearson's r of the two metrics.
        t: the statistic, positive where the first is better; None if it cannot be computed.
        p_value: two-sided; None where `t` is.
        p_first_better: one-sided, against the first being no better than the second; None where `t` is.
        degrees_of_freedom: of t.
        reason: why there is no t, in words; None if there is one.
    """

    first: Correlation
    second: Correlation
    between: Correlation
    t: float | None
    p_value: float | None
    p_first_better: float | None
    degrees_of_freedom: int
    reason: str | None


def correlation(first: ArrayLike, second: ArrayLike, coefficient: Coefficient) -> Correlation:
    """The correlation of two sets of scores, shape (n,) each; equal scores share the mean of their ranks.

    Raises `ValueError` for scores that are not numbers and for shapes that differ.
    """
    one, other = _scores(first, second)
    fault = _fault(one, other)
    if fault is not None:
        return Correlation(None, len(one), fault)
    return Correlation(float(_coefficients(one, other, coefficient)), len(one), None)


def jackknife(first: ArrayLike, second: ArrayLike, coefficient: Coefficient) -> FloatArray:
    """The coefficient without each one of the systems, shape (n,); NaN if it cannot be computed.

    Scores have the shape (n,) and are not recomputed. A value far from the others belongs to a system that
    decides the correlation alone (Mathur et al. 2020).

    Raises `ValueError` as `correlation` does.
    """
    one, other = _scores(first, second)
    if len(one) < 3:
        return np.full(len(one), np.nan)
    kept = np.array([np.delete(np.arange(len(one)), system) for system in range(len(one))])
    return _coefficients(one[kept], other[kept], coefficient)


def replicate_coefficients(first: FloatArray, second: FloatArray, coefficient: Coefficient) -> FloatArray:
    """The coefficient in each of B replicates, shape (B,), of scores of shape (B, n) each.

    NaN if it cannot be computed: where a system has no finite score, or one side is constant.
    """
    finite = np.isfinite(first).all(axis=1) & np.isfinite(second).all(axis=1)
    values = np.full(len(first), np.nan)
    if first.shape[1] >= 2 and finite.any():
        values[finite] = _coefficients(first[finite], second[finite], coefficient)
    return values


def replicate_interval(
    first: ArrayLike, second: ArrayLike, coefficient: Coefficient, *, confidence: float = 0.95
) -> CorrelationInterval:
    """The interval of a correlation over B replicates of the scores.

    `first` has the shape (B, n), such as the human scores in the replicates of a bootstrap over judgments.
    `second` has the shape (n,), or (B, n) if it differs between replicates. Replicates in which a system has
    no finite score are left out.

    Raises `ValueError` for shapes that do not fit.
    """
    one, other = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    if one.ndim != 2 or other.shape not in (one.shape, one.shape[1:]):
        raise ValueError(f"{one.shape} and {other.shape} are not the shapes (B, n) and (n,), or both (B, n)")
    if one.shape[1] < 2:
        return CorrelationInterval(None, None, 0, TOO_FEW)
    values = replicate_coefficients(one, np.broadcast_to(other, one.shape), coefficient)
    values = values[~np.isnan(values)]
    if not len(values):
        return CorrelationInterval(None, None, 0, "the coefficient is defined in no replicate")
    low, high = np.quantile(values, [(1 - confidence) / 2, (1 + confidence) / 2])
    return CorrelationInterval(float(low), float(high), len(values), None)


def bootstrap_interval(
    first: ArrayLike,
    second: ArrayLike,
    coefficient: Coefficient,
    *,
    seed: int,
    replicates: int = 1000,
    confidence: float = 0.95,
) -> CorrelationInterval:
    """The interval of a correlation over systems drawn with replacement, `replicates` times.

    The interval shows how the correlation would vary with other systems like these n. With other judgments of
    the same systems, it varies as `replicate_interval` of resampled judgments shows. Scores have the shape
    (n,).

    Raises `ValueError` as `correlation` does.
    """
    one, other = _scores(first, second)
    fault = _fault(one, other)
    if fault is not None:
        return CorrelationInterval(None, None, 0, fault)
    drawn = np.random.default_rng(seed).integers(len(one), size=(replicates, len(one)))
    return replicate_interval(one[drawn], other[drawn], coefficient, confidence=confidence)


def permutation_test(
    first: ArrayLike,
    second: ArrayLike,
    coefficient: Coefficient,
    *,
    seed: int,
    permutations: int = 9999,
) -> PermutationTest:
    """Whether two sets of scores, shape (n,) each, go together more than at random.

    The p-value is the share of the orders of `second` that correlate as much as the given one, or more, with
    either sign: of all n! orders where there are no more than `permutations`, else of that many at random
    and the given one.

    Raises `ValueError` as `correlation` does.
    """
    one, other = _scores(first, second)
    fault = _fault(one, other)
    if fault is not None:
        return PermutationTest(None, 0, False, fault)
    exact = len(one) <= permutations and factorial(len(one)) <= permutations
    number = factorial(len(one)) if exact else permutations
    least = abs(float(_coefficients(one, other, coefficient))) - ROUNDING
    blocks = [np.array(list(all_orders(other)))] if exact else _shuffled(other, permutations, seed)
    as_much = sum(
        int(np.count_nonzero(np.abs(_coefficients(one, block, coefficient)) >= least)) for block in blocks
    )
    p_value = as_much / number if exact else (as_much + 1) / (number + 1)
    return PermutationTest(p_value, number, exact, None)


def williams_test(
    human: ArrayLike, first: ArrayLike, second: ArrayLike, *, degrees_lost: int = 3
) -> WilliamsTest:
    """Whether one metric correlates better with human scores than another (Williams 1959).

    Both correlations share the human scores, so that they are not independent (Graham and Baldwin 2014). All
    scores have the shape (n,). The statistic has n - `degrees_lost` degrees of freedom: n - 3; the example
    that Graham and Baldwin released has p-values of n - 2.

    Raises `ValueError` as `correlation` does.
    """
    one = correlation(human, first, Coefficient.PEARSON)
    other = correlation(human, second, Coefficient.PEARSON)
    between = correlation(first, second, Coefficient.PEARSON)
    n = one.n
    degrees = n - degrees_lost
    if one.value is None or other.value is None or between.value is None:
        reason = one.reason or other.reason or between.reason
        return WilliamsTest(one, other, between, None, None, None, degrees, reason)
    if n < 4:
        reason = "the test needs at least four systems"
        return WilliamsTest(one, other, between, None, None, None, degrees, reason)
    determinant = (
        1 - one.value**2 - other.value**2 - between.value**2 + 2 * one.value * other.value * between.value
    )
    mean = (one.value + other.value) / 2
    spread = 2 * determinant * (n - 1) / (n - 3) + mean**2 * (1 - between.value) ** 3
    if spread < ROUNDING:
        reason = "the three sets of scores lie on a line or plane, which leaves no variance"
        return WilliamsTest(one, other, between, None, None, None, degrees, reason)
    t = (one.value - other.value) * sqrt((n - 1) * (1 + between.value) / spread)
    return WilliamsTest(
        first=one,
        second=other,
        between=between,
        t=t,
        p_value=float(2 * stats.t.sf(abs(t), degrees)),
        p_first_better=float(stats.t.sf(t, degrees)),
        degrees_of_freedom=degrees,
        reason=None,
    )


def _scores(first: ArrayLike, second: ArrayLike) -> tuple[FloatArray, FloatArray]:
    one, other = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    if one.ndim != 1 or one.shape != other.shape:
        raise ValueError(f"scores have the shapes {one.shape} and {other.shape}, which should both be (n,)")
    return _numbers(one), _numbers(other)


def _numbers(scores: FloatArray) -> FloatArray:
    if not np.isfinite(scores).all():
        raise ValueError("some scores are not numbers: leave out the systems without scores")
    return scores


def _fault(first: FloatArray, second: FloatArray) -> str | None:
    """Why scores of shape (n,) have no correlation."""
    if len(first) < 2:
        return TOO_FEW
    constant = [place for place, scores in (("first", first), ("second", second)) if np.ptp(scores) == 0]
    return f"all {' and '.join(constant)} scores are equal" if constant else None


def _shuffled(scores: FloatArray, times: int, seed: int) -> Iterator[FloatArray]:
    """The scores in random orders, shape (block, n), until there are so many."""
    rng = np.random.default_rng(seed)
    block = max(1, SCORES_PER_BLOCK // len(scores))
    for begin in range(0, times, block):
        yield rng.permuted(np.tile(scores, (min(block, times - begin), 1)), axis=1)


def _coefficients(first: FloatArray, second: FloatArray, coefficient: Coefficient) -> FloatArray:
    """Coefficients along the last axis, shape (...); NaN where one side is constant."""
    if coefficient is Coefficient.KENDALL:
        return _kendall(first, second)
    if coefficient is Coefficient.SPEARMAN:
        first, second = stats.rankdata(first, axis=-1), stats.rankdata(second, axis=-1)
    one, other = (scores - scores.mean(axis=-1, keepdims=True) for scores in (first, second))
    norms = np.sqrt(np.sum(one**2, axis=-1) * np.sum(other**2, axis=-1))
    varied = (np.ptp(first, axis=-1) > 0) & (np.ptp(second, axis=-1) > 0)
    values: FloatArray = np.where(varied, np.sum(one * other, axis=-1) / np.where(varied, norms, 1), np.nan)
    return np.clip(values, -1, 1)


def _kendall(first: FloatArray, second: FloatArray) -> FloatArray:
    """Kendall's tau-b along the last axis, shape (...)."""
    first, second = np.broadcast_arrays(first, second)
    shape, n = first.shape[:-1], first.shape[-1]
    one, other = first.reshape(-1, n), second.reshape(-1, n)
    if n > MOST_SYSTEMS_BY_SIGNS:
        pairs = zip(one, other, strict=True)
        return np.reshape([stats.kendalltau(*pair).statistic for pair in pairs], shape)
    upper, lower = np.triu_indices(n, 1)
    taus = np.empty(len(one))
    block = max(1, SIGNS_PER_BLOCK // max(len(upper), 1))
    for begin in range(0, len(one), block):
        rows = slice(begin, begin + block)
        order, other_order = (np.sign(each[rows, upper] - each[rows, lower]) for each in (one, other))
        norms = np.sqrt(np.count_nonzero(order, axis=1) * np.count_nonzero(other_order, axis=1))
        agreed = np.sum(order * other_order, axis=1)
        taus[rows] = np.where(norms > 0, agreed / np.maximum(norms, 1), np.nan)
    return taus.reshape(shape)
