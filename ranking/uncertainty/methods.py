"""The ways to rank systems, each with its scores and its replicates, under one name each."""

from collections.abc import Callable
from enum import StrEnum
from functools import partial
from typing import Protocol

from core.arrays import FloatArray
from core.progress import Advance
from ranking.judgments.grouped_pairs import GroupedPairs, Unit
from ranking.judgments.pairs import PairCounts
from ranking.models.expected_wins import mean_shares_won
from ranking.models.trueskill import trueskill_runs, trueskill_scores
from ranking.uncertainty.bootstrap import (
    ResamplingError,
    bradley_terry_strengths,
    log_strengths,
    shares_won,
    skills,
)
from ranking.uncertainty.resampling import CountDraws


class Method(StrEnum):
    """How systems are scored: by the pairs that they win, or by the mean of the scores they were given."""

    EXPECTED_WINS = "ew"
    TRUESKILL = "trueskill"
    BRADLEY_TERRY = "bradley-terry"
    MEAN_SCORE = "mean"


PAIRWISE_METHODS = (Method.EXPECTED_WINS, Method.TRUESKILL, Method.BRADLEY_TERRY)
"""Methods that score pairs, be they of ranks or of scores; the other takes scores as they are."""

WEIGHTED_METHODS = (Method.EXPECTED_WINS, Method.BRADLEY_TERRY)
"""Methods in which comparisons can have weights (`ranking.judgments.propensities`)."""


def replicate_scores(
    method: Method,
    pairs: GroupedPairs,
    replicates: range,
    seed: int,
    *,
    threads: int = 1,
    progress: Advance | None = None,
) -> FloatArray:
    """Scores of resampled pairs, shape (B, S), the systems as in `pairs`; NaN where a system has none.

    Where pairs are drawn one by one, TrueSkill's replicates are runs of WMT's procedure (`trueskill_runs`),
    which draws them itself. `threads` are used by TrueSkill and change nothing but the time; `progress` gets
    the number of replicates finished.

    Raises `ResamplingError` for the mean score, which is not computed from pairs (`ranking.mean_replicates`).
    """
    return drawing(method, pairs)(replicates, seed, threads=threads, progress=progress)


class Drawing(Protocol):
    """Draws scores of replicates."""

    def __call__(
        self, replicates: range, seed: int, *, threads: int = 1, progress: Advance | None = None
    ) -> FloatArray:
        """The scores of these replicates, shape (B, S), as `replicate_scores` gives them.

        Replicate r is the same in any range and with any number of threads.
        """


def drawing(method: Method, pairs: GroupedPairs, *, step: Callable[[], None] = lambda: None) -> Drawing:
    """Draws replicates of the pairs, range by range; what all of them share is made once. No pair is kept.

    `step` is called while that is made; it may stop it by raising an error.

    Raises `ResamplingError` for the mean score, which is not computed from pairs (`ranking.mean_replicates`).
    """
    _refuse_means(method)
    if method is Method.TRUESKILL and pairs.unit is Unit.PAIR:
        return partial(trueskill_runs, pairs.counts)
    draws, systems = CountDraws(pairs, step=step), pairs.systems

    def scores(
        replicates: range, seed: int, *, threads: int = 1, progress: Advance | None = None
    ) -> FloatArray:
        counts = draws.counts(replicates, seed)
        if method is Method.TRUESKILL:
            return skills(counts, systems, progress, threads=threads)
        score = shares_won if method is Method.EXPECTED_WINS else log_strengths
        return score(counts, systems, progress)

    return scores


def point_scores(method: Method, counts: PairCounts) -> FloatArray:
    """The score of each system, shape (S,); NaN if it has none.

    Raises `ResamplingError` for the mean score, which is not computed from pairs (`ranking.system_means`).
    """
    _refuse_means(method)
    if method is Method.EXPECTED_WINS:
        return mean_shares_won(counts.wins)
    if method is Method.BRADLEY_TERRY:
        return bradley_terry_strengths(counts)
    return trueskill_scores(counts)


def _refuse_means(method: Method) -> None:
    if method not in PAIRWISE_METHODS:
        raise ResamplingError("mean scores are of ratings, not of pairs")
