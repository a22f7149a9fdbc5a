"""The ways to rank systems, each with its scores and its replicates, under one name each."""

from enum import StrEnum

import numpy as np

from ranking.arrays import FloatArray
from ranking.bootstrap import (
    ResamplingError,
    bradley_terry_replicates,
    bradley_terry_strengths,
    expected_wins_replicates,
)
from ranking.expected_wins import mean_shares_won
from ranking.pairs import PairCounts
from ranking.resampling import GroupedPairs, Progress, Unit
from ranking.trueskill import trueskill_replicates, trueskill_runs


class Method(StrEnum):
    """How systems are scored: by the pairs that they win, or by the mean of the scores they were given."""

    EXPECTED_WINS = "ew"
    TRUESKILL = "trueskill"
    BRADLEY_TERRY = "bradley-terry"
    MEAN_SCORE = "mean"


PAIRWISE_METHODS = (Method.EXPECTED_WINS, Method.TRUESKILL, Method.BRADLEY_TERRY)
"""Those that score pairs, be they of ranks or of scores; the other takes scores as they are."""


def replicate_scores(
    method: Method,
    pairs: GroupedPairs,
    replicates: range,
    seed: int,
    *,
    threads: int = 1,
    progress: Progress | None = None,
) -> FloatArray:
    """Scores of resampled pairs, shape (B, S), the systems as in `pairs`; NaN where a system has none.

    TrueSkill resamples pairs by WMT's procedure (`trueskill_runs`), other units by playing what was drawn
    (`trueskill_replicates`). `threads` are used by TrueSkill and change nothing but the time; `progress` is
    told the number of replicates finished.

    Raises `ResamplingError` for the mean score, which no pairs tell (`ranking.mean_replicates`).
    """
    _refuse_means(method)
    if method is Method.TRUESKILL and pairs.unit is Unit.PAIR:
        return trueskill_runs(pairs.counts, replicates, seed, threads=threads, progress=progress)
    if method is Method.TRUESKILL:
        return trueskill_replicates(pairs, replicates, seed, threads=threads, progress=progress)
    draw = expected_wins_replicates if method is Method.EXPECTED_WINS else bradley_terry_replicates
    scores = draw(pairs, replicates, seed)
    if progress is not None:
        progress(len(replicates))
    return scores


def point_scores(method: Method, counts: PairCounts, replicates: FloatArray) -> FloatArray:
    """The score of each system, shape (S,); NaN where it has none.

    ExpectedWins and Bradley-Terry score the counts. TrueSkill has no score but the mean of its replicates.

    Raises `ResamplingError` for the mean score, which no pairs tell (`ranking.system_means`).
    """
    _refuse_means(method)
    if method is Method.EXPECTED_WINS:
        return mean_shares_won(counts.wins)
    if method is Method.BRADLEY_TERRY:
        return bradley_terry_strengths(counts)
    compared = (counts.decided + counts.ties).sum(axis=1) > 0
    scores = np.full(len(counts.systems), np.nan)
    scores[compared] = replicates[:, compared].mean(axis=0)
    return scores


def _refuse_means(method: Method) -> None:
    if method not in PAIRWISE_METHODS:
        raise ResamplingError("mean scores are of ratings, not of pairs")
