"""Scores of systems in replicates whose groups of pairs are drawn elsewhere, together with something else.

The bootstraps of `ranking.uncertainty.resampling` draw by themselves. To resample metrics and judgments
together, the sentences are drawn once, and the judgments of these sentences are scored here.
"""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from core.arrays import FloatArray, IntArray
from ranking.judgments.grouped_pairs import GroupedPairs, cells_of_groups
from ranking.uncertainty.bootstrap import ResamplingError, log_strengths, shares_won, skills
from ranking.uncertainty.methods import PAIRWISE_METHODS, Method

ScoreDraws = Callable[[IntArray], FloatArray]
"""Computes scores of systems, (B, S), from numbers of groups, (B, m); NaN where a system has none."""


def scores_of_draws(method: Method, pairs: GroupedPairs, *, threads: int = 1) -> ScoreDraws:
    """The function that scores draws of the groups of `pairs`; a group counts as often as it is drawn.

    The counts of each draw are scored as `ranking.point_scores` does; a system of unlimited strength by
    Bradley-Terry is infinitely strong. `threads` are used by TrueSkill and change nothing but the time.

    Raises `ResamplingError` for the mean score, which no pairs tell.
    """
    if method not in PAIRWISE_METHODS:
        raise ResamplingError("mean scores are of ratings, not of pairs")
    counts_of, systems = _counting(pairs), pairs.systems
    if method is Method.EXPECTED_WINS:
        return lambda draws: shares_won([counts_of(draws)], systems)
    if method is Method.BRADLEY_TERRY:
        return lambda draws: log_strengths([counts_of(draws)], systems)
    return lambda draws: skills([counts_of(draws)], systems, threads=threads)


def _counting(pairs: GroupedPairs) -> Callable[[IntArray], IntArray]:
    """The function that counts wins and ties of draws, shape (B, 2, S, S) as in `resampled_counts`."""
    size, groups = len(pairs.systems), len(pairs.starts) - 1
    filled = np.flatnonzero(np.diff(pairs.starts))
    compact = replace(pairs, starts=np.append(pairs.starts[filled], pairs.starts[-1]))
    cells = np.flatnonzero(pairs.totals)
    table = cells_of_groups(compact, cells).T.astype(np.float64)

    def counts_of(draws: IntArray) -> IntArray:
        weights = np.empty((len(filled), len(draws)))
        for replicate, draw in enumerate(draws):
            weights[:, replicate] = np.bincount(draw, minlength=groups)[filled]
        counts = np.zeros((len(draws), 2 * size * size), dtype=np.int64)
        counts[:, cells] = np.rint(table @ weights).T
        return counts.reshape(len(draws), 2, size, size)

    return counts_of
