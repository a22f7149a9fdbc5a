"""Scores of systems in replicates whose groups of pairs are drawn elsewhere, together with something else.

The bootstraps of `ranking.resampling` draw by themselves. To resample metrics and judgments together, the
sentences are drawn once, and the judgments of these sentences are scored here.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from ranking.arrays import FloatArray, IntArray
from ranking.bootstrap import ResamplingError
from ranking.bradley_terry import limiting_strengths
from ranking.expected_wins import mean_shares_won
from ranking.methods import PAIRWISE_METHODS, Method
from ranking.pairs import PairCounts
from ranking.resampling import GroupedPairs, cells_of_groups
from ranking.trueskill import wmt_parameters

RUNS_PER_BLOCK = 10
"""Runs of TrueSkill that a thread takes at a time; it has no influence on them."""

ScoreDraws = Callable[[IntArray], FloatArray]
"""From numbers of groups, shape (B, m), to scores of systems, shape (B, S); NaN where one has none."""


def scores_of_draws(method: Method, pairs: GroupedPairs, *, threads: int = 1) -> ScoreDraws:
    """The function that scores draws of the groups of `pairs`; a group counts as often as it is drawn.

    ExpectedWins and Bradley-Terry score the counts, as `ranking.replicate_scores` does. TrueSkill plays the
    groups in the order drawn, with `wmt_parameters` of the number of all pairs.

    Raises `ResamplingError` for the mean score, which no pairs tell.
    """
    if method not in PAIRWISE_METHODS:
        raise ResamplingError("mean scores are of ratings, not of pairs")
    if method is Method.TRUESKILL:
        return _playing(pairs, threads)
    counts_of = _counting(pairs)
    if method is Method.EXPECTED_WINS:
        return lambda draws: mean_shares_won(counts_of(draws)[:, 0])

    def strengths(draws: IntArray) -> FloatArray:
        fits = [
            limiting_strengths(PairCounts(pairs.systems, wins, ties + ties.T))
            for wins, ties in counts_of(draws)
        ]
        return np.array(fits).reshape(len(draws), len(pairs.systems))

    return strengths


def _counting(pairs: GroupedPairs) -> Callable[[IntArray], IntArray]:
    """The function that counts wins and ties of draws, shape (B, 2, S, S) as in `resampled_counts`."""
    size, groups = len(pairs.systems), len(pairs.starts) - 1
    cells = np.flatnonzero(pairs.totals)
    table = cells_of_groups(pairs, cells).T.astype(np.float64)

    def counts_of(draws: IntArray) -> IntArray:
        weights = np.empty((groups, len(draws)))
        for replicate, draw in enumerate(draws):
            weights[:, replicate] = np.bincount(draw, minlength=groups)
        counts = np.zeros((len(draws), 2 * size * size), dtype=np.int64)
        counts[:, cells] = np.rint(table @ weights).T
        return counts.reshape(len(draws), 2, size, size)

    return counts_of


def _playing(pairs: GroupedPairs, threads: int) -> ScoreDraws:
    from ranking.trueskill_kernel import play_groups

    parameters = wmt_parameters(len(pairs.codes))
    skills = (parameters.sigma, parameters.beta, parameters.draw_margin)
    starts = pairs.starts.astype(np.int64)
    size = len(pairs.systems)
    counts = pairs.counts
    never_met = (counts.decided + counts.ties).sum(axis=1) == 0

    def scores(draws: IntArray) -> FloatArray:
        means = np.empty((len(draws), size))

        def play(first: int) -> None:
            block = slice(first, first + RUNS_PER_BLOCK)
            play_groups(np.ascontiguousarray(draws[block]), starts, pairs.codes, *skills, means[block])

        if size:
            with ThreadPoolExecutor(threads) as pool:
                list(pool.map(play, range(0, len(draws), RUNS_PER_BLOCK)))
        means[:, never_met] = np.nan
        return means

    return scores
