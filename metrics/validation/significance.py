"""Which of two metrics agrees better with people, by tests in matrices, and the clusters that follow.

Every matrix has one-sided p-values against "the metric of the row agrees no better than that of the column".
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from metrics.base import FloatArray
from metrics.resampling import REPLICATES_PER_CHUNK
from metrics.scoring import Progress
from metrics.validation.soft_accuracy import ROUNDING, system_pairs
from metrics.validation.tie_calibration import ItemPairs
from ranking import holm_correction, williams_test

SIGNIFICANT = 0.05

SMALLEST_DIFFERENCE = 1e-12
"""Differences of agreement smaller than this are none."""


@dataclass(frozen=True, slots=True)
class PairwiseTests:
    """K metrics, each tested against each other one.

    Attributes:
        metrics: their names.
        p_values: by row and column; None on the diagonal and where a test cannot be done.
        holm: the same corrected for all tests of the matrix (`ranking.holm_correction`).
        reasons: by the names of row and then column, why there is no p-value.
    """

    metrics: tuple[str, ...]
    p_values: tuple[tuple[float | None, ...], ...]
    holm: tuple[tuple[float | None, ...], ...]
    reasons: Mapping[str, Mapping[str, str]]


def williams_tests(
    human: FloatArray, scores: FloatArray, metrics: Sequence[str], *, degrees_lost: int = 3
) -> PairwiseTests:
    """Williams' test of each two metrics (Graham and Baldwin 2014).

    Pearson's correlations with the same human scores, shape (S,), are compared; scores of the metrics have
    the shape (K, S), all finite. There are S - `degrees_lost` degrees of freedom.
    """
    table = np.full((len(metrics), len(metrics)), np.nan)
    reasons = {}
    for row, column in combinations(range(len(metrics)), 2):
        test = williams_test(human, scores[row], scores[column], degrees_lost=degrees_lost)
        if test.p_first_better is None:
            reasons[metrics[row], metrics[column]] = test.reason or ""
        else:
            table[row, column], table[column, row] = test.p_first_better, 1 - test.p_first_better
    return pairwise_tests(metrics, table, reasons)


def bootstrap_tests(replicates: FloatArray, metrics: Sequence[str]) -> PairwiseTests:
    """The bootstrap of the difference of each two metrics' agreement with people.

    `replicates` has the shape (B, K): agreement in resamples of the same sentences for all metrics. The
    p-value is (b + 1) / (B + 1), b being the number of replicates in which the row is no better than the
    column (Davison and Hinkley 1997, section 4.4). Replicates in which one of the two is NaN are left out.
    """
    table = np.full((len(metrics), len(metrics)), np.nan)
    reasons = {}
    for row, column in combinations(range(len(metrics)), 2):
        lead = replicates[:, row] - replicates[:, column]
        lead = lead[np.isfinite(lead)]
        if not len(lead):
            reasons[metrics[row], metrics[column]] = "no replicate has a value of both"
            continue
        behind, ahead = (np.count_nonzero(sign * lead <= SMALLEST_DIFFERENCE) for sign in (1, -1))
        table[row, column] = (behind + 1) / (len(lead) + 1)
        table[column, row] = (ahead + 1) / (len(lead) + 1)
    return pairwise_tests(metrics, table, reasons)


def soft_accuracy_tests(
    people: FloatArray,
    scores: Sequence[FloatArray],
    metrics: Sequence[str],
    signs: FloatArray,
    *,
    permutations: int,
    seed: int,
    progress: Progress | None = None,
) -> PairwiseTests:
    """PERM-BOTH of soft pairwise accuracy (Deutsch, Dror and Roth 2021; Thompson et al. 2024).

    Scores of both metrics are standardised; then each output's two scores are swapped with probability 1/2.
    The p-value is the share of the permutations whose difference in accuracy is at least the one observed.
    Sentences of which one of the two metrics does not score all systems are left out for both.

    Args:
        people: shape (P,), of `metrics.validation.soft_accuracy.p_values_of_people`.
        scores: K arrays of shape (n, S), NaN where there is no score.
        metrics: K names.
        signs: shape (k, n), those that gave `people`.
        permutations: how often scores are swapped; the same swaps serve all pairs of metrics.
        seed: of the swaps.
        progress: told the number of permutations finished, of `permutations` a pair of metrics.
    """
    table = np.full((len(metrics), len(metrics)), np.nan)
    reasons = {}
    for row, column in combinations(range(len(metrics)), 2):
        if fault := _why_not_swapped(people, scores[row], scores[column]):
            reasons[metrics[row], metrics[column]] = fault
            continue
        swaps = _Swaps(people, scores[row], scores[column], signs)
        [observed] = swaps.differences(np.zeros((1, *scores[row].shape), dtype=bool))
        differences = [
            swaps.differences(chunk)
            for chunk in _swap_chunks(scores[row].shape, permutations, seed, progress)
        ]
        table[row, column], table[column, row] = _shares(np.concatenate(differences), float(observed))
    return pairwise_tests(metrics, table, reasons)


def calibrated_accuracy_tests(
    pairs: ItemPairs,
    ordered: Sequence[NDArray[np.bool_]],
    metrics: Sequence[str],
    *,
    permutations: int,
    seed: int,
    progress: Progress | None = None,
) -> PairwiseTests:
    """PERM-BOTH of pairwise accuracy with tie calibration, as in WMT24.

    Scores of metrics with different epsilons cannot be swapped; so it is swapped, for each pair of outputs
    with probability 1/2, whether each metric orders it as people do, epsilon staying what it is.

    Args:
        pairs: of outputs.
        ordered: K arrays of shape (P,), of `metrics.validation.tie_calibration.ordered_as_people`.
        metrics: K names.
        permutations: how often they are swapped; the same swaps serve all pairs of metrics.
        seed: of the swaps.
        progress: told the number of permutations finished.
    """
    table = np.full((len(metrics), len(metrics)), np.nan)
    tests = list(combinations(range(len(metrics)), 2))
    if not len(pairs.weight) or not tests:
        reason = "no sentence has two different outputs with scores"
        return pairwise_tests(
            metrics, table, {(metrics[row], metrics[column]): reason for row, column in tests}
        )
    leads = np.stack(
        [(ordered[row].astype(np.float64) - ordered[column]) * pairs.weight for row, column in tests],
        axis=1,
    )
    differences = np.concatenate(
        [(1.0 - 2.0 * chunk) @ leads for chunk in _swap_chunks((len(leads),), permutations, seed, progress)]
    )
    for (row, column), drawn, observed in zip(tests, differences.T, leads.sum(axis=0), strict=True):
        table[row, column], table[column, row] = _shares(drawn, float(observed))
    return pairwise_tests(metrics, table, {})


def clusters(
    values: Sequence[float], p_values: Sequence[Sequence[float | None]], *, alpha: float = SIGNIFICANT
) -> tuple[int, ...]:
    """The cluster of each of K metrics, 1 being the best, as WMT ranks metrics (Freitag et al. 2024).

    From the best metric down, a new cluster begins with each metric that some metric of the current cluster
    beats with a p-value of at most `alpha`. Metrics of a cluster are therefore not told apart, and one of
    a lower cluster may yet be no worse than some of a higher one.

    Args:
        values: of the K metrics, higher being better.
        p_values: by row and column, that the row is no better; None where there is no test, which separates
            nothing.
        alpha: significance level.
    """
    order = sorted(range(len(values)), key=lambda metric: -values[metric])
    numbers = [0] * len(values)
    current: list[int] = []
    cluster = 1
    for metric in order:
        tested = [p_values[better][metric] for better in current]
        if any(p_value is not None and p_value <= alpha for p_value in tested):
            cluster, current = cluster + 1, []
        current.append(metric)
        numbers[metric] = cluster
    return tuple(numbers)


def pairwise_tests(
    metrics: Sequence[str], table: FloatArray, reasons: dict[tuple[str, str], str]
) -> PairwiseTests:
    """The tests of a table of p-values, shape (K, K), NaN where there is none."""
    tested = np.isfinite(table)
    corrected = np.full(table.shape, np.nan)
    corrected[tested] = holm_correction(table[tested])
    both_ways = {(column, row): reason for (row, column), reason in reasons.items()} | reasons
    by_row: dict[str, dict[str, str]] = {}
    for (row, column), reason in sorted(both_ways.items()):
        by_row.setdefault(row, {})[column] = reason
    return PairwiseTests(tuple(metrics), _cells(table), _cells(corrected), by_row)


def _cells(table: FloatArray) -> tuple[tuple[float | None, ...], ...]:
    return tuple(tuple(None if np.isnan(cell) else cell for cell in row) for row in table.tolist())


def _shares(differences: FloatArray, observed: float) -> tuple[float, float]:
    """The shares of permutations that are at least as large as observed, and at most."""
    large = np.mean(differences >= observed - SMALLEST_DIFFERENCE)
    small = np.mean(differences <= observed + SMALLEST_DIFFERENCE)
    return float(large), float(small)


def _swap_chunks(
    shape: tuple[int, ...], permutations: int, seed: int, progress: Progress | None
) -> Iterator[NDArray[np.bool_]]:
    for chunk, begin in enumerate(range(0, permutations, REPLICATES_PER_CHUNK)):
        rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(chunk,)))
        swaps = rng.integers(2, size=(REPLICATES_PER_CHUNK, *shape), dtype=np.int8).astype(bool)
        yield swaps[: permutations - begin]
        if progress is not None:
            progress(len(swaps[: permutations - begin]))


class _Swaps:
    """Two metrics whose scores are swapped."""

    def __init__(self, people: FloatArray, one: FloatArray, other: FloatArray, signs: FloatArray) -> None:
        from metrics.validation.swap_kernel import soft_accuracies

        self._soft_accuracies = soft_accuracies
        self._people = people
        whole = np.isfinite(one + other).all(axis=1)
        self._whole = whole
        self._one, self._other = _standard(one[whole]), _standard(other[whole])
        self._signs = np.ascontiguousarray(signs[:, whole].T)
        both = self._one + self._other
        self._sums = both.sum(axis=0)
        self._flipped = both.T @ self._signs
        self._slack = float(ROUNDING * (np.abs(self._one) + np.abs(self._other)).sum())
        self._pairs = system_pairs(one.shape[1])

    def differences(self, swaps: NDArray[np.bool_]) -> FloatArray:
        """The lead of the first metric, shape (R,), after swaps of shape (R, n, S)."""
        one = np.where(swaps[:, self._whole], self._other, self._one)
        sums = one.sum(axis=1)
        rows, _, systems = one.shape
        flipped = (one.transpose(0, 2, 1).reshape(rows * systems, -1) @ self._signs).reshape(
            rows, systems, -1
        )
        return self._accuracies(flipped, sums) - self._accuracies(self._flipped - flipped, self._sums - sums)

    def _accuracies(self, flipped: FloatArray, sums: FloatArray) -> FloatArray:
        return self._soft_accuracies(flipped, sums, self._slack, self._people, *self._pairs)


def _standard(scores: FloatArray) -> FloatArray:
    return np.asarray((scores - scores.mean()) / scores.std())


def _why_not_swapped(people: FloatArray, one: FloatArray, other: FloatArray) -> str | None:
    if not np.isfinite(people).any():
        return "people have no scores of two systems in the same sentence"
    whole = np.isfinite(one + other).all(axis=1)
    if not whole.any():
        return "there is no sentence of which both metrics score all systems"
    if any(np.ptp(scores[whole]) <= SMALLEST_DIFFERENCE for scores in (one, other)):
        return "one of the two metrics gives every output the same score"
    return None
