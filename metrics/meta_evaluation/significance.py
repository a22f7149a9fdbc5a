"""Tests of which of two metrics agrees better with people, as matrices, and the resulting clusters.

Every matrix has one-sided p-values against "the metric of the row agrees no better than that of the column".
"""

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import combinations
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from core.arrays import FloatArray, IntArray
from core.progress import Advance
from metrics.base.resampling import REPLICATES_PER_CHUNK, SIGNIFICANT
from metrics.meta_evaluation.intervals import FEWEST_REPLICATES
from metrics.meta_evaluation.soft_accuracy import ROUNDING, Signs, system_pairs
from metrics.meta_evaluation.tie_calibration import ItemPairs
from ranking import holm_correction, williams_test

WIDENED = 1.11
"""Standard deviations of differences in r times this, as much as intervals are widened (`SHARE_OF_TAILS`)."""

SMALLEST_DIFFERENCE = 1e-12
"""Differences of agreement smaller than this count as 0."""

PAIRS_AT_A_TIME = 50_000

SWAPS_AT_A_TIME = 10
"""They are held for all metrics at once; the number has no influence on them."""


@dataclass(frozen=True, slots=True)
class PairwiseTests:
    """K metrics, each tested against each other metric.

    Attributes:
        metrics: their names.
        p_values: by row and column; None on the diagonal and for impossible tests.
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
    """Williams' test of each pair of metrics (Graham and Baldwin 2014).

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


def bootstrap_tests(
    agreement: Mapping[str, tuple[float, FloatArray]],
    metrics: Sequence[str],
    without: Mapping[str, str] = MappingProxyType({}),
) -> PairwiseTests:
    """The bootstrap of the difference in agreement with people of each pair of metrics.

    The difference is compared with a normal distribution that has the standard deviation of the differences
    in the replicates (Efron and Tibshirani 1993, section 13.3), times `WIDENED`. Percentiles would be misled
    by replicates, in which metrics lose agreement to errors, and one of them more than the other.

    Args:
        agreement: by metric, its agreement and that in B resamples of the same sentences for all metrics,
            shape (B,), corrected for errors; NaN where it has none.
        metrics: their names in order.
        without: by name of a metric without agreement, why, in words.
    """
    from scipy.stats import norm

    table = np.full((len(metrics), len(metrics)), np.nan)
    reasons = {}
    for (row, first), (column, second) in combinations(enumerate(metrics), 2):
        if fault := without.get(first, without.get(second)):
            reasons[first, second] = fault
            continue
        (one, one_drawn), (other, other_drawn) = agreement[first], agreement[second]
        leads = one_drawn - other_drawn
        leads = leads[np.isfinite(leads)]
        if len(leads) < FEWEST_REPLICATES:
            reasons[first, second] = f"fewer than {FEWEST_REPLICATES} resamples have a value of both"
            continue
        lead, spread = one - other, max(WIDENED * float(leads.std(ddof=1)), SMALLEST_DIFFERENCE)
        table[row, column], table[column, row] = norm.sf(lead / spread), norm.cdf(lead / spread)
    return pairwise_tests(metrics, table, reasons)


class SwappedScores:
    """PERM-BOTH of soft pairwise accuracy (Deutsch, Dror and Roth 2021; Thompson et al. 2024).

    Scores of both metrics are standardised; then each output's two scores are swapped with probability 1/2.
    The p-value is the share of the permutations whose difference in accuracy is at least the one observed.
    Sentences of which one of the two metrics does not score all systems are left out for both. Permutations
    may be counted in parts; the same swaps serve all pairs of metrics.

    Attributes:
        metrics: K names.
    """

    def __init__(
        self,
        people: FloatArray,
        scores: Sequence[FloatArray],
        metrics: Sequence[str],
        signs: Signs,
        *,
        threads: int = 1,
    ) -> None:
        """Prepare the test.

        Args:
            people: shape (P,), of `metrics.meta_evaluation.soft_accuracy.p_values_of_people`.
            scores: K arrays of shape (n, S), NaN where there is no score.
            metrics: K names.
            signs: shape (k, n), those that gave `people`.
            threads: how many pairs of metrics are compared at a time.
        """
        self.metrics = tuple(metrics)
        self._threads = threads
        self._shape = scores[0].shape if scores else (0, 0)
        self._reasons: dict[tuple[str, str], str] = {}
        self._tests: list[tuple[int, int]] = []
        same_sentences: dict[bytes, list[tuple[int, int]]] = {}
        whole = [np.isfinite(each).all(axis=1) for each in scores]
        for row, column in combinations(range(len(metrics)), 2):
            both = whole[row] & whole[column]
            if fault := _why_not_swapped(people, scores[row][both], scores[column][both]):
                self._reasons[metrics[row], metrics[column]] = fault
            else:
                same_sentences.setdefault(both.tobytes(), []).append((row, column))
        self._groups = []
        for mask, tests in same_sentences.items():
            sentences = np.frombuffer(mask, dtype=bool)
            self._groups.append(_SwappedGroup(people, scores, tests, sentences, signs))
            self._tests += tests

    def counts(self, permutations: range, seed: int, *, progress: Advance | None = None) -> IntArray:
        """Numbers of permutations that are at least as large as observed, and at most as large, by test.

        Shape (T, 2). Permutation r is the same in any range that contains it. `progress` gets the
        number of permutations finished.
        """
        counts = np.zeros((len(self._tests), 2), dtype=np.int64)
        if not self._tests:
            return counts
        with ThreadPoolExecutor(self._threads) as pool:
            for chunk in _swap_chunks(self._shape, permutations, seed):
                for begin in range(0, len(chunk), SWAPS_AT_A_TIME):
                    swaps = chunk[begin : begin + SWAPS_AT_A_TIME]
                    counts += [count for group in self._groups for count in group.counts(swaps, pool)]
                    if progress is not None:
                        progress(len(swaps))
        return counts

    def tests(self, counts: IntArray, permutations: int) -> PairwiseTests:
        """The tests by the counts of all permutations."""
        return _permutation_tests(self.metrics, self._tests, counts, permutations, self._reasons)


class _SwappedGroup:
    """Pairs of metrics that score the same sentences.

    The effect of a swap is linear in the scores, so the sums over all permutations of signs are computed for
    each metric and not for each pair of metrics.
    """

    def __init__(
        self,
        people: FloatArray,
        scores: Sequence[FloatArray],
        tests: Sequence[tuple[int, int]],
        sentences: NDArray[np.bool_],
        signs: Signs,
    ) -> None:
        self._sentences = sentences
        self._signs = np.ascontiguousarray(signs[:, sentences].T)
        self._scores = {each: _standard(scores[each][sentences]) for test in tests for each in test}
        self._flipped = {each: standard.T @ self._signs for each, standard in self._scores.items()}
        self._tests = tests
        first, second = system_pairs(scores[0].shape[1])
        compared = np.isfinite(people)
        self._people, self._pairs = people[compared], (first[compared], second[compared])
        nothing = np.zeros((1, len(sentences), scores[0].shape[1]), dtype=bool)
        moved = self._moved(nothing)
        self._observed = [float(self._leads(moved, test)[0]) for test in tests]

    def counts(self, swaps: NDArray[np.bool_], pool: Executor) -> Iterator[tuple[int, int]]:
        """Numbers of leads after swaps (R, n, S) at least and at most the observed one, for each test."""
        moved = self._moved(swaps)
        leads = pool.map(lambda test: self._leads(moved, test), self._tests)
        for drawn, observed in zip(leads, self._observed, strict=True):
            yield (
                int(np.count_nonzero(drawn >= observed - SMALLEST_DIFFERENCE)),
                int(np.count_nonzero(drawn <= observed + SMALLEST_DIFFERENCE)),
            )

    def _moved(self, swaps: NDArray[np.bool_]) -> dict[int, tuple[FloatArray, FloatArray]]:
        """Sums of the scores that swaps move away from each metric, signed and absolute."""
        rows, _, systems = swaps.shape
        chosen = swaps[:, self._sentences].transpose(0, 2, 1)
        signs = self._signs.astype(np.float64)
        moved = {}
        for metric, scores in self._scores.items():
            away = chosen * scores.T
            flipped = away.reshape(rows * systems, -1) @ signs
            moved[metric] = flipped.reshape(rows, systems, -1), away.sum(axis=2)
        return moved

    def _leads(self, moved: Mapping[int, tuple[FloatArray, FloatArray]], test: tuple[int, int]) -> FloatArray:
        from metrics.meta_evaluation.swap_kernel import leads_of_swaps

        one, other = (self._scores[metric] for metric in test)
        (flipped, sums), (other_flipped, other_sums) = (moved[metric] for metric in test)
        return leads_of_swaps(
            np.stack([self._flipped[metric] for metric in test]),
            np.stack([one.sum(axis=0), other.sum(axis=0)]),
            other_flipped - flipped,
            other_sums - sums,
            float(ROUNDING * (np.abs(one) + np.abs(other)).sum()),
            self._people,
            *self._pairs,
        )


def soft_accuracy_tests(
    people: FloatArray,
    scores: Sequence[FloatArray],
    metrics: Sequence[str],
    signs: Signs,
    *,
    permutations: int,
    seed: int,
) -> PairwiseTests:
    """PERM-BOTH of soft pairwise accuracy, of all permutations; arguments as of `SwappedScores`."""
    swapped = SwappedScores(people, scores, metrics, signs)
    return swapped.tests(swapped.counts(range(permutations), seed), permutations)


class SwappedOutcomes:
    """PERM-BOTH of pairwise accuracy with tie calibration, as in WMT24.

    Scores of metrics with different epsilons cannot be swapped; so it is swapped, for each pair of outputs
    with probability 1/2, whether each metric orders it as people do, epsilon staying what it is. Permutations
    may be counted in parts; the same swaps serve all pairs of metrics.

    Attributes:
        metrics: K names.
    """

    def __init__(
        self, pairs: ItemPairs, ordered: Sequence[NDArray[np.bool_]], metrics: Sequence[str]
    ) -> None:
        """Prepare the test.

        Args:
            pairs: of outputs.
            ordered: K arrays of shape (P,), of `metrics.meta_evaluation.tie_calibration.ordered_as_people`.
            metrics: K names.
        """
        self.metrics = tuple(metrics)
        tests = list(combinations(range(len(metrics)), 2))
        self._reasons: dict[tuple[str, str], str] = {}
        if not len(pairs.weight):
            reason = "no sentence has two different outputs with scores"
            self._reasons = {(metrics[row], metrics[column]): reason for row, column in tests}
            tests = []
        self._tests = tests
        self._ordered, self._weight = np.array(ordered, dtype=bool), pairs.weight

    def counts(self, permutations: range, seed: int) -> IntArray:
        """Numbers of leads after swaps that are at least, and at most, the observed one; shape (tests, 2)."""
        counts = np.zeros((len(self._tests), 2), dtype=np.int64)
        if not self._tests:
            return counts
        observed = self._leads(np.zeros((1, len(self._weight)), dtype=bool))
        for swaps in _swap_chunks(self._weight.shape, permutations, seed):
            drawn = self._leads(swaps)
            counts[:, 0] += np.count_nonzero(drawn >= observed - SMALLEST_DIFFERENCE, axis=0)
            counts[:, 1] += np.count_nonzero(drawn <= observed + SMALLEST_DIFFERENCE, axis=0)
        return counts

    def _leads(self, swaps: NDArray[np.bool_]) -> FloatArray:
        """The leads after swaps of shape (R, P), by test, shape (R, T); in blocks, as P may be a million."""
        accuracies = np.zeros((len(swaps), len(self._ordered)))
        for begin in range(0, len(self._weight), PAIRS_AT_A_TIME):
            some = slice(begin, begin + PAIRS_AT_A_TIME)
            accuracies += (1.0 - 2.0 * swaps[:, some]) @ (self._ordered[:, some] * self._weight[some]).T
        first, second = np.array(self._tests).T
        return np.asarray(accuracies[:, first] - accuracies[:, second])

    def tests(self, counts: IntArray, permutations: int) -> PairwiseTests:
        """The tests by the counts of all permutations."""
        return _permutation_tests(self.metrics, self._tests, counts, permutations, self._reasons)


def calibrated_accuracy_tests(
    pairs: ItemPairs,
    ordered: Sequence[NDArray[np.bool_]],
    metrics: Sequence[str],
    *,
    permutations: int,
    seed: int,
) -> PairwiseTests:
    """PERM-BOTH of acc*eq, of all permutations; arguments as of `SwappedOutcomes`."""
    swapped = SwappedOutcomes(pairs, ordered, metrics)
    return swapped.tests(swapped.counts(range(permutations), seed), permutations)


def clusters(
    values: Sequence[float], p_values: Sequence[Sequence[float | None]], *, alpha: float = SIGNIFICANT
) -> tuple[int, ...]:
    """The cluster of each of K metrics, 1 being the best, as WMT ranks metrics (Freitag et al. 2024).

    From the best metric down, a new cluster begins with each metric that some metric of the current cluster
    beats with a p-value of at most `alpha`. So the tests do not separate the metrics of a cluster, and a
    metric of a lower cluster need not be worse than every metric of a higher one.

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


def _permutation_tests(
    metrics: Sequence[str],
    tests: Sequence[tuple[int, int]],
    counts: IntArray,
    permutations: int,
    reasons: dict[tuple[str, str], str],
) -> PairwiseTests:
    table = np.full((len(metrics), len(metrics)), np.nan)
    for (row, column), (large, small) in zip(tests, (counts / permutations).tolist(), strict=True):
        table[row, column], table[column, row] = large, small
    return pairwise_tests(metrics, table, reasons)


def _swap_chunks(shape: tuple[int, ...], permutations: range, seed: int) -> Iterator[NDArray[np.bool_]]:
    first = permutations.start // REPLICATES_PER_CHUNK
    for chunk in range(first, -(-permutations.stop // REPLICATES_PER_CHUNK)):
        rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(chunk,)))
        swaps = rng.integers(2, size=(REPLICATES_PER_CHUNK, *shape), dtype=np.int8).astype(bool)
        begin = chunk * REPLICATES_PER_CHUNK
        yield swaps[max(permutations.start - begin, 0) : permutations.stop - begin]


def _standard(scores: FloatArray) -> FloatArray:
    return np.asarray((scores - scores.mean()) / scores.std())


def _why_not_swapped(people: FloatArray, one: FloatArray, other: FloatArray) -> str | None:
    """Reason why two metrics with scores of the same sentences cannot be compared."""
    if not np.isfinite(people).any():
        return "people have no scores of two systems in the same sentence"
    if not len(one):
        return "no sentence has scores of all systems by both metrics"
    if any(np.ptp(scores) <= SMALLEST_DIFFERENCE for scores in (one, other)):
        return "one of the two metrics gives every output the same score"
    return None
