"""Rank ranges, clusters, probabilities of winning and stability of borders, from replicates of a ranking.

Everything here starts from the scores of B replicates, shape (B, S), NaN where a system has no score in a
replicate: such a system ranks last there. Systems with equal scores share all their places: two that tie
at the top are both first and second.
"""

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import chain

import numpy as np

from core.arrays import CountArray, FloatArray, IntArray
from core.later import stats
from core.progress import Advance
from ranking.judgments.grouped_pairs import GroupedPairs
from ranking.judgments.pairs import PairCounts
from ranking.models.bradley_terry import bradley_terry, limiting_strengths
from ranking.models.expected_wins import mean_shares_won
from ranking.models.trueskill import trueskill_scores
from ranking.uncertainty.resampling import resampled_counts

DECIMALS = 12
"""Scores that differ only beyond are equal: they differ by the order in which they were summed up."""


class ResamplingError(ValueError):
    """Judgments that cannot be resampled as asked; the message says why."""


@dataclass(frozen=True, slots=True)
class Border:
    """The border between a cluster and the one below.

    Attributes:
        below: the number of the cluster above the border; 1 is the best.
        stability: the share of replicates in which each system above the border has a better score than each
            one below.
    """

    below: int
    stability: float


def expected_wins_replicates(pairs: GroupedPairs, replicates: range, seed: int) -> FloatArray:
    """ExpectedWins of resampled pairs, shape (B, S), the systems as in `pairs`; NaN without a decided pair.

    Works on counts (`resampled_counts`): the time for pairs drawn one by one does not grow with their number.
    """
    return shares_won(resampled_counts(pairs, replicates, seed), pairs.systems)


def shares_won(
    blocks: Iterable[CountArray], systems: tuple[str, ...], progress: Advance | None = None
) -> FloatArray:
    """ExpectedWins of the counts of B replicates, shape (B, S); NaN without a decided pair.

    The counts come in blocks, as `resampled_counts` draws them.
    `progress` gets the number of replicates finished.
    """
    shares = [np.empty((0, len(systems)))]
    for counts in blocks:
        shares.append(mean_shares_won(counts[:, 0]))
        if progress is not None:
            progress(len(counts))
    return np.concatenate(shares)


def bradley_terry_replicates(pairs: GroupedPairs, replicates: range, seed: int) -> FloatArray:
    """Log strengths of resampled pairs, shape (B, S), the systems as in `pairs`; NaN if there is none.

    A fit for each replicate (`bradley_terry`), on its counts; infinite for a system that won, or lost, all in
    a replicate (`limiting_strengths`).
    """
    return log_strengths(resampled_counts(pairs, replicates, seed), pairs.systems)


def log_strengths(
    blocks: Iterable[CountArray], systems: tuple[str, ...], progress: Advance | None = None
) -> FloatArray:
    """Log strengths of the counts of B replicates, shape (B, S); NaN where there is none.

    The counts come in blocks, as `resampled_counts` draws them.
    `progress` gets the number of replicates finished.
    """
    strengths = []
    for wins, ties in chain.from_iterable(blocks):
        strengths.append(limiting_strengths(PairCounts(systems, wins, ties + ties.T)))
        if progress is not None:
            progress(1)
    return np.array(strengths).reshape(len(strengths), len(systems))


def trueskill_replicates(
    pairs: GroupedPairs, replicates: range, seed: int, *, threads: int = 1
) -> FloatArray:
    """TrueSkill's scores of resampled pairs, shape (B, S), the systems as in `pairs`; NaN if never compared.

    The counts of each replicate are scored by `ranking.trueskill_scores`, in any number of threads.
    """
    return skills(resampled_counts(pairs, replicates, seed), pairs.systems, threads=threads)


def skills(
    blocks: Iterable[CountArray],
    systems: tuple[str, ...],
    progress: Advance | None = None,
    *,
    threads: int = 1,
) -> FloatArray:
    """TrueSkill's scores of the counts of B replicates, shape (B, S); NaN for a system never compared.

    The counts come in blocks, as `resampled_counts` draws them.
    `progress` gets the number of replicates finished.
    """

    def scores(counts: CountArray) -> FloatArray:
        wins, ties = counts
        return trueskill_scores(PairCounts(systems, wins, ties + ties.T))

    found = []
    with ThreadPoolExecutor(threads) as pool:
        for block in blocks:
            for scored in pool.map(scores, block):
                found.append(scored)
                if progress is not None:
                    progress(1)
    return np.array(found).reshape(len(found), len(systems))


def bradley_terry_strengths(counts: PairCounts) -> FloatArray:
    """The log strengths of `bradley_terry`, shape (S,), systems as in `counts`; NaN if there is none."""
    strengths = {row.system: row.strength for row in bradley_terry(counts).strengths}
    return np.array([strengths[system] for system in counts.systems], dtype=np.float64)


def expanded_tails(confidence: float, units: IntArray) -> FloatArray:
    """The share of replicates below an interval, and above it, for each number of resampled units.

    The bootstrap divides the sum of squares by n, not n - 1, and treats the variance as known: with few
    units, its percentiles lie too close together. Expanded ones are those at which a normal distribution has
    the width of Student's interval (Hesterberg 2015, "What teachers should know about the bootstrap", section
    5.3): of 1,000 replicates 25 at 95 % for many units, 11 for 12. A single unit counts as two.
    """
    number = np.maximum(units, 2)
    width = stats.t.ppf((1 + confidence) / 2, number - 1) * np.sqrt(number / (number - 1))
    return np.asarray(stats.norm.cdf(-width))


def rank_ranges(
    scores: FloatArray, confidence: float = 0.95, units: IntArray | None = None
) -> tuple[IntArray, IntArray]:
    """The lowest and the highest rank of each system, shape (S,) each; 1 is best (GJG15, section 5.2).

    The ranks of a system in all replicates are sorted, and of B replicates ceil(B (1 - confidence) / 2) are
    dropped at either end: 25 of 1000 at 95 %, as in the paper. With the number of resampled `units` of each
    system, shape (S,), fewer are dropped if these are few (`expanded_tails`).

    Raises `ResamplingError` where nothing would be left, and for a confidence not between 0 and 1.
    """
    if not 0 < confidence < 1:
        raise ResamplingError(f"confidence must be between 0 and 1, not {confidence}")
    replicates = len(scores)
    tails = np.asarray((1 - confidence) / 2) if units is None else expanded_tails(confidence, units)
    dropped = np.ceil(np.round(replicates * tails, 9)).astype(np.int64).clip(1)
    if replicates <= 2 * dropped.max(initial=0):
        raise ResamplingError(f"{replicates} replicates are too few for ranges at confidence {confidence:g}")
    losses = -_comparable(scores)
    best, worst = (np.sort(stats.rankdata(losses, rule, axis=1), axis=0) for rule in ("min", "max"))
    systems = np.arange(best.shape[1])
    low, high = best[dropped, systems], worst[replicates - 1 - dropped, systems]
    return low.astype(np.int64), high.astype(np.int64)


def rank_clusters(low: IntArray, high: IntArray) -> IntArray:
    """The cluster of each system, shape (S,), from 1 for the best, by its rank range (Koehn 2012, section 3).

    The finest clusters such that ranges of different clusters do not overlap: a border stands wherever all
    ranges so far end before all others begin. The scripts in use compare less: WMT's `cluster.py` only the
    end of the last range with all beginnings after it, that of GJG15 only neighbours. On GJG15 all three give
    the same.
    """
    order = np.lexsort((high, low))
    ends = np.maximum.accumulate(high[order])
    clusters = np.empty(len(order), dtype=np.int64)
    clusters[order] = 1 + np.cumsum(np.concatenate([[False], low[order][1:] > ends[:-1]])[: len(order)])
    return clusters


def win_probabilities(scores: FloatArray) -> FloatArray:
    """The share of replicates in which system i scores better than system j, shape (S, S).

    Equal scores count half, so [i, j] and [j, i] add up to 1; the diagonal is .5.
    """
    comparable = _comparable(scores)
    better = np.array([np.mean(system[:, np.newaxis] > comparable, axis=0) for system in comparable.T])
    return (1 + better - better.T) / 2 if len(better) else np.empty((0, 0))


def cluster_borders(scores: FloatArray, clusters: IntArray) -> tuple[Border, ...]:
    """The borders between `clusters` (shape (S,), from 1), from the best down, with their stability."""
    comparable = _comparable(scores)
    return tuple(
        Border(
            below=cluster,
            stability=float(
                np.mean(
                    comparable[:, clusters <= cluster].min(axis=1)
                    > comparable[:, clusters > cluster].max(axis=1)
                )
            ),
        )
        for cluster in range(1, int(clusters.max(initial=0)))
    )


def _comparable(scores: FloatArray) -> FloatArray:
    return np.where(np.isnan(scores), -np.inf, np.round(scores, DECIMALS))
