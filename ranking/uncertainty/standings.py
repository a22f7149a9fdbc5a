"""Rankings as in papers: scores, rank ranges and clusters (GJG15, section 5.2 and Tables 3b, 3c)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from core.arrays import FloatArray, IntArray
from core.later import pd
from core.progress import Advance
from ranking.judgments.grouped_pairs import Unit, group_pairs
from ranking.judgments.pairs import BY_RANKS, PairCounts
from ranking.judgments.propensities import holds_propensities
from ranking.judgments.snapshot import Basis
from ranking.models.bradley_terry import bradley_terry
from ranking.models.expected_wins import expected_wins
from ranking.uncertainty.bootstrap import (
    DECIMALS,
    Border,
    cluster_borders,
    expanded_tails,
    rank_clusters,
    rank_ranges,
    win_probabilities,
)
from ranking.uncertainty.methods import WEIGHTED_METHODS, Method, drawing, point_scores
from ranking.uncertainty.scalars import Interval, MeanDraws, system_means

FEWEST_GROUPS = 2
"""A single group drawn with replacement is always itself, which would pass for certainty."""

NOT_FINITE = "it has no finite score in some replicates, and so no interval"


@dataclass(frozen=True, slots=True)
class Standing:
    """The score, rank range and cluster of a system.

    Attributes:
        system: its name.
        score: by the method of the standings; None if it cannot be computed.
        score_low: lower bound of the bootstrap interval of the score; None where `spread` is.
        score_high: its upper bound; None where `spread` is.
        spread: the standard deviation of the score over the replicates; None if there is no score or no
            bootstrap, and where the system is without a finite score in some replicate. (Resamples without
            a rating of the system do not count for its mean score, as in `ranking.mean_intervals`.)
        rank_low: the best rank it may have, 1 being the best; None if there is no score or no bootstrap.
        rank_high: the worst rank it may have; None where `rank_low` is.
        units: number of resampled units, such as sentences, behind its score. Percentiles are expanded if
            they are few (`ranking.uncertainty.bootstrap.expanded_tails`).
        cluster: the number of its cluster, 1 being the best; None where `rank_low` is.
        reason: why there is no score, or no interval, or what the score leaves out; None if it is
            complete.
    """

    system: str
    score: float | None
    score_low: float | None
    score_high: float | None
    spread: float | None
    rank_low: int | None
    rank_high: int | None
    cluster: int | None
    reason: str | None
    units: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Standings:
    """A ranking of systems with its uncertainty by the bootstrap.

    Attributes:
        method: how systems are scored.
        unit: the unit that was resampled.
        replicates: number of replicates.
        confidence: of the rank ranges and intervals.
        systems: the standings, best first; equal scores in alphabetical order, systems without a score last.
        borders: between clusters, from the best down.
        better: shape (n, n), for the n systems with a score: the share of replicates in which the system of
            the row scores better than that of the column; equal scores count half.
        reason: why there are no ranges, clusters and borders; None if there are.
    """

    method: Method
    unit: Unit
    replicates: int
    confidence: float
    systems: tuple[Standing, ...]
    borders: tuple[Border, ...]
    better: FloatArray
    reason: str | None

    @property
    def clusters(self) -> int | None:
        """The number of clusters; None if there are no ranges."""
        return None if self.reason else max((standing.cluster or 0 for standing in self.systems), default=0)


def standings(
    snapshot: pd.DataFrame,
    method: Method = Method.EXPECTED_WINS,
    unit: Unit = Unit.SENTENCE,
    *,
    by: Basis = BY_RANKS,
    weighted: bool = True,
    replicates: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
    threads: int = 1,
    progress: Advance | None = None,
) -> Standings:
    """Rank the systems of a snapshot, with rank ranges and clusters by the bootstrap (GJG15, section 5.2).

    If `weighted`, ExpectedWins and Bradley-Terry weight comparisons by their inverse propensities, where the
    snapshot holds any (`ranking.judgments.propensities`). Weights are those of the whole snapshot in each
    replicate. Pairs are compared `by` ranks or scores; the mean score is always of scores. Without replicates
    there are only scores. A system without a score does not affect the ranks of the others.

    Raises `ResamplingError` for a mean score by another unit than sentence and annotator, and as
    `ranking.rank_ranges` does; `SnapshotError` as `ranking.judgments.snapshot.compared_outputs` does.
    """
    ranker = Ranker(snapshot, method, unit, by=by, weighted=weighted)
    drawn = ranker.draw(range(replicates), seed, threads=threads, progress=progress)
    return ranker.standings(drawn, confidence)


class Ranker:
    """A snapshot prepared for ranking by numbered replicates, which any number of processes may draw.

    Replicate r is the same in any range, so any partition gives equal standings; only replicates of mean
    scores are drawn as a whole.

    Attributes:
        method: how systems are scored.
        unit: what is resampled.
        weighted: whether comparisons count by weights.

    `step` is called between parts of the preparation; it may stop it by raising an error. Raises as
    `standings` does.
    """

    def __init__(
        self,
        snapshot: pd.DataFrame,
        method: Method = Method.EXPECTED_WINS,
        unit: Unit = Unit.SENTENCE,
        *,
        by: Basis = BY_RANKS,
        weighted: bool = True,
        step: Callable[[], None] = lambda: None,
    ) -> None:
        self.method, self.unit = method, unit
        self.weighted = weighted and method in WEIGHTED_METHODS and holds_propensities(snapshot)
        self._scoring = (
            _ByMeans(snapshot, unit)
            if method is Method.MEAN_SCORE
            else _ByPairs(snapshot, method, unit, by, weighted=self.weighted, step=step)
        )

    def draw(
        self, replicates: range, seed: int, *, threads: int = 1, progress: Advance | None = None
    ) -> FloatArray:
        """Scores of these replicates, shape (B, S), systems in alphabetical order; NaN where one has none.

        `threads` are used by TrueSkill and change nothing but the time; `progress` gets the number of
        replicates finished.

        Raises `ValueError` for mean scores whose first replicate is not wanted.
        """
        return self._scoring.draw(replicates, seed, threads, progress)

    def standings(self, drawn: FloatArray, confidence: float = 0.95) -> Standings:
        """The ranking by all replicates together, in the order of their numbers, shape (B, S).

        Raises `ResamplingError` as `standings` does.
        """
        return standings_of(self.method, self.unit, self._scoring.scored(drawn), confidence)


def standings_of(method: Method, unit: Unit, ranked: Scored, confidence: float) -> Standings:
    """The ranking by these scores and their replicates.

    Raises `ResamplingError` as `standings` does.
    """
    scores, drawn = ranked.scores, ranked.drawn
    replicates = len(drawn)
    order = np.argsort(-np.round(scores, DECIMALS), kind="stable").tolist()
    scored = [row for row in order if not np.isnan(scores[row])]
    fault = _why_no_ranges(ranked.groups, unit, scored, replicates)
    spans = dict.fromkeys(order, _Span())
    borders: tuple[Border, ...] = ()
    better = np.empty((0, 0))
    if fault is None:
        low, high = rank_ranges(drawn[:, scored], confidence, ranked.units[scored])
        clusters = rank_clusters(low, high)
        intervals = ranked.intervals(confidence)
        for place, row in enumerate(scored):
            interval = intervals[ranked.systems[row]]
            spans[row] = _Span(
                low=int(low[place]),
                high=int(high[place]),
                cluster=int(clusters[place]),
                spread=_spread(drawn[:, row], interval),
                interval=interval,
            )
        borders = cluster_borders(drawn[:, scored], clusters)
        better = win_probabilities(drawn[:, scored])
    systems = [
        Standing(
            system=ranked.systems[row],
            score=None if np.isnan(scores[row]) else float(scores[row]),
            score_low=spans[row].interval.low,
            score_high=spans[row].interval.high,
            spread=spans[row].spread,
            rank_low=spans[row].low,
            rank_high=spans[row].high,
            cluster=spans[row].cluster,
            reason=ranked.reasons[ranked.systems[row]] or spans[row].interval.reason,
            units=int(ranked.units[row]),
        )
        for row in order
    ]
    return Standings(method, unit, replicates, confidence, tuple(systems), borders, better, fault)


class Scored(NamedTuple):
    """The S systems by name, their scores and units, shape (S,), scores of B replicates, (B, S), and more."""

    systems: tuple[str, ...]
    scores: FloatArray
    drawn: FloatArray
    units: IntArray
    intervals: Callable[[float], Mapping[str, Interval]]
    groups: int
    reasons: Mapping[str, str | None]


class _Span(NamedTuple):
    low: int | None = None
    high: int | None = None
    cluster: int | None = None
    spread: float | None = None
    interval: Interval = Interval(None, None, None)


class _ByPairs:
    """Scores of expanded pairs, of which no more is kept than replicates are drawn from."""

    def __init__(
        self,
        snapshot: pd.DataFrame,
        method: Method,
        unit: Unit,
        by: Basis,
        *,
        weighted: bool,
        step: Callable[[], None],
    ) -> None:
        pairs = group_pairs(snapshot, unit, by, weighted=weighted, step=step)
        self._method = method
        self._groups = len(pairs.starts) - 1
        self._counts = pairs.counts
        step()
        self._units = pairs.units_of_systems(decided=method is Method.EXPECTED_WINS, step=step)
        step()
        self._draw = drawing(method, pairs, step=step)

    def draw(self, replicates: range, seed: int, threads: int, progress: Advance | None) -> FloatArray:
        return self._draw(replicates, seed, threads=threads, progress=progress)

    def scored(self, drawn: FloatArray) -> Scored:
        systems = self._counts.systems

        def intervals(confidence: float) -> dict[str, Interval]:
            finite = np.asarray(np.isfinite(drawn).all(axis=0))
            tails = expanded_tails(confidence, self._units)
            return {
                system: Interval(float(np.quantile(scores, tail)), float(np.quantile(scores, 1 - tail)), None)
                if is_finite
                else Interval(None, None, NOT_FINITE)
                for system, scores, tail, is_finite in zip(systems, drawn.T, tails, finite, strict=True)
            }

        scores = point_scores(self._method, self._counts)
        reasons = _reasons(self._method, self._counts)
        return Scored(systems, scores, drawn, self._units, intervals, self._groups, reasons)


class _ByMeans:
    """Means of scores."""

    def __init__(self, snapshot: pd.DataFrame, unit: Unit) -> None:
        self._means = {mean.system: mean for mean in system_means(snapshot)}
        self._draws = MeanDraws(snapshot, unit)

    def draw(self, replicates: range, seed: int, threads: int, progress: Advance | None) -> FloatArray:
        if replicates.start:
            raise ValueError("replicates of mean scores are drawn as a whole")
        scores = self._draws.scores(len(replicates), seed)
        if progress is not None:
            progress(len(replicates))
        return scores

    def scored(self, drawn: FloatArray) -> Scored:
        of = self._draws.replicates(drawn)
        scores = np.array([self._means[system].score for system in of.systems], dtype=np.float64)
        reasons = {system: mean.reason for system, mean in self._means.items()}
        return Scored(of.systems, scores, drawn, of.units, of.intervals, of.groups, reasons)


def _spread(scores: FloatArray, interval: Interval) -> float | None:
    """The standard deviation over the replicates that the interval is of."""
    defined = scores[~np.isnan(scores)]
    return None if interval.low is None or len(defined) < 2 else float(np.std(defined, ddof=1))


def _why_no_ranges(groups: int, unit: Unit, scored: list[int], replicates: int) -> str | None:
    if not replicates:
        return "nothing was resampled"
    if not scored:
        return "no system has a score"
    if groups < FEWEST_GROUPS:
        return f"there is only one {unit}, so resampling is impossible"
    return None


def _reasons(method: Method, counts: PairCounts) -> Mapping[str, str | None]:
    if method is Method.EXPECTED_WINS:
        return {score.system: score.reason for score in expected_wins(counts).scores}
    if method is Method.BRADLEY_TERRY:
        return {strength.system: strength.reason for strength in bradley_terry(counts).strengths}
    compared = (counts.decided + counts.ties).sum(axis=1) > 0
    why = "it was never compared" if len(counts.systems) > 1 else "there is no other system"
    return {system: None if met else why for system, met in zip(counts.systems, compared, strict=True)}
