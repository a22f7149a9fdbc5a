"""The comparison of two systems by people, by metrics, and sentence by sentence: what it computes."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from analysis.analyses.analysis_inputs import DIGITS_OF_DIGEST
from analysis.analyses.base import WEIGHTED, stated
from analysis.analyses.from_judgments import (
    FromFollowedJudgments,
    method_of_neighbours,
)
from analysis.analyses.judgment_inputs import JudgmentsBesideScores, ScoresOfTwo
from analysis.analyses.resampling import CONFIDENCES, confidence_of_intervals, seed_of
from analysis.analyses.watched_pairs import LOOKS, Border, judgments_planned
from core.arrays import FloatArray
from core.parameters import ParameterError, parameter
from core.progress import Progress
from formats.digests import content_digest
from ranking import (
    Comparison,
    Lead,
    Method,
    Remaining,
    TwoSystems,
    Watched,
    WatchedPair,
    holds_propensities,
    judgments_until_settled,
    two_systems,
    watch,
)
from ranking.judgments.snapshot import system_names

KEPT = 100
"""Sentences that are listed because they decide, and because metrics and people differ."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CompareSystemsParameters(FromFollowedJudgments):
    """The two systems, and how they are scored and watched. Attributes: see each parameter's help."""

    first: str | None = parameter(
        None, label="First system", help="Name of a system.", placeholder="the best"
    )
    second: str | None = parameter(
        None, label="Second system", help="Name of another system.", placeholder="the next one"
    )
    method: str = method_of_neighbours()
    planned: int = judgments_planned()
    confidence: float = confidence_of_intervals(offered=CONFIDENCES)
    seed: int = seed_of("the simulations")


@dataclass(frozen=True, slots=True)
class MetricOnTwo:
    """A metric on the two systems.

    Attributes:
        metric: name of the scores.
        first: score of the first system, on all sentences; None if there is none.
        second: that of the second.
        agreed: number of sentences in which it prefers the output that people prefer.
        against: number of those in which it prefers the other one.
        tied: number of those in which it scores both alike.
    """

    metric: str
    first: float | None
    second: float | None
    agreed: int
    against: int
    tied: int

    @property
    def difference(self) -> float | None:
        """Score of the first minus score of the second; None where one has no score."""
        return None if self.first is None or self.second is None else self.first - self.second

    @property
    def decided(self) -> int:
        """Number of sentences in which people prefer one, and the metric scores both."""
        return self.agreed + self.against + self.tied


@dataclass(frozen=True, slots=True)
class ComparedSentence:
    """A sentence in which people prefer the output of one of the two.

    Attributes:
        sentence: its number.
        wins: how often the first was judged better.
        losses: how often the second was.
        ties: how often they were judged equal.
        against: the metrics that prefer the other output.
        scored: number of metrics that score both.
    """

    sentence: int
    wins: int
    losses: int
    ties: int
    against: tuple[str, ...]
    scored: int

    @property
    def clarity(self) -> int:
        """The lead of the preferred output, in judgments."""
        return abs(self.wins - self.losses)

    @property
    def dispute(self) -> float:
        """The lead in judgments times the share of metrics that prefer the other output."""
        return self.clarity * len(self.against) / max(self.scored, 1)


@dataclass(frozen=True, slots=True)
class ComparedSystems:
    """Result of the analysis.

    Attributes:
        signature: computation, judgments and scores; equal signatures mean equal numbers.
        first: name of the first system; empty if no two systems were judged.
        second: name of the second.
        judged: the systems that were judged, in alphabetical order.
        watched: the difference of the two over time; without a pair if no two systems were judged.
        remaining: how many more judgments settle it; None without a pair.
        comparison: how often people judged the first better than the second; None without a pair.
        ahead: number of sentences in which more judgments prefer the first.
        behind: number of those in which more prefer the second.
        even: number of the others in which they were compared.
        metrics: in the order of the scores.
        sentences: those that people judge most clearly, then further ones of most dispute.
        lead: of the first in all comparisons; None without a decided one, and for results stored without it.
        lead_in_sentences: of the first in sentences that more judgments decide for one of the two.
    """

    signature: str
    first: str
    second: str
    judged: tuple[str, ...]
    watched: Watched
    remaining: Remaining | None
    comparison: Comparison | None
    ahead: int
    behind: int
    even: int
    metrics: tuple[MetricOnTwo, ...]
    sentences: tuple[ComparedSentence, ...]
    lead: Lead | None = None
    lead_in_sentences: Lead | None = None

    @property
    def differing(self) -> list[ComparedSentence]:
        """Sentences in which metrics and people differ, most dispute first."""
        disputed = [each for each in self.sentences if each.against]
        return sorted(disputed, key=lambda each: -each.dispute)

    @property
    def pair(self) -> WatchedPair | None:
        """The two, the better one first; None if no two systems were judged."""
        return next(iter(self.watched.pairs), None)

    @property
    def difference(self) -> float | None:
        """Score of the first minus score of the second; None where one has no score."""
        if self.pair is None or self.pair.last_difference is None:
            return None
        return self.pair.last_difference * (1 if self.pair.above == self.first else -1)

    @property
    def border(self) -> Border | None:
        """The pair with how many more judgments settle it."""
        return None if self.pair is None or self.remaining is None else Border(self.pair, self.remaining)

    @property
    def half_width(self) -> float | None:
        """Half the width of the interval for a single look; None without one."""
        return self.border.half_width(self.watched.ordinary) if self.border else None

    @property
    def anytime_half_width(self) -> float | None:
        """Half the width of the interval for every look; None without one."""
        return self.border.half_width(float(self.watched.anytime[-1])) if self.border else None


def compare_systems(
    inputs: JudgmentsBesideScores, parameters: CompareSystemsParameters, progress: Progress
) -> ComparedSystems:
    """Compare two systems (`ranking.watch`, `ranking.uncertainty.two_systems`).

    Raises:
        ParameterError: a system was not judged.
        SnapshotError: as `ranking.count_pairs`.
    """
    snapshot = inputs.snapshot
    judged = system_names(snapshot)
    _check(parameters, judged)
    progress.begin("Following the difference over time", total=LOOKS)
    watched = watch(
        snapshot,
        Method(parameters.method),
        by=parameters.by,
        looks=LOOKS,
        confidence=parameters.confidence,
        planned=parameters.planned,
        pair=(parameters.first, parameters.second) if parameters.first and parameters.second else None,
        progress=progress.advance,
    )
    what = stated("compare-systems", parameters)
    what += f"|weights:{WEIGHTED}" if holds_propensities(snapshot) else ""
    pair = _chosen(watched.pairs, parameters)
    if pair is None:
        none = replace(watched, pairs=())
        signature = inputs.signature(what)
        return ComparedSystems(signature, "", "", judged, none, None, None, 0, 0, 0, (), ())
    watched = replace(watched, pairs=(pair,))
    first = parameters.first or (pair.above if parameters.second != pair.above else pair.below)
    second = pair.below if first == pair.above else pair.above
    progress.begin("Comparing sentences")
    compared = two_systems(snapshot, first, second, parameters.by, step=progress.step)
    progress.begin("Reading the scores")
    scores = inputs.scores(first, second)
    leads = _leads_of_metrics(compared, scores)
    if scores:
        what += f"|scores:{content_digest([each.digest for each in scores])[:DIGITS_OF_DIGEST]}"
    return ComparedSystems(
        signature=inputs.signature(what),
        first=first,
        second=second,
        judged=judged,
        watched=watched,
        remaining=judgments_until_settled(watched, pair, seed=parameters.seed),
        comparison=compared.comparison,
        ahead=int(np.count_nonzero(compared.leads > 0)),
        behind=int(np.count_nonzero(compared.leads < 0)),
        even=int(np.count_nonzero(compared.leads == 0)),
        metrics=tuple(_on_two(each, compared, lead) for each, lead in zip(scores, leads, strict=True)),
        sentences=_sentences(compared, scores, leads),
        lead=compared.lead(parameters.confidence),
        lead_in_sentences=compared.lead_in_sentences(parameters.confidence),
    )


def _check(parameters: CompareSystemsParameters, judged: Sequence[str]) -> None:
    asked = {"first": parameters.first, "second": parameters.second}
    faults = {
        attribute: f"{name} was not compared with any system; these were: {', '.join(judged) or 'none'}"
        for attribute, name in asked.items()
        if name is not None and name not in judged
    }
    if faults:
        raise ParameterError(faults=faults)


def _chosen(pairs: Sequence[WatchedPair], parameters: CompareSystemsParameters) -> WatchedPair | None:
    """The pair that is asked for; of one system, that with the next one; else the first."""
    if parameters.first:
        above = [pair for pair in pairs if pair.above == parameters.first]
        return next(iter([*above, *(pair for pair in pairs if pair.below == parameters.first)]), None)
    if parameters.second:
        below = [pair for pair in pairs if pair.below == parameters.second]
        return next(iter([*below, *(pair for pair in pairs if pair.above == parameters.second)]), None)
    return next(iter(pairs), None)


def _leads_of_metrics(compared: TwoSystems, scores: Sequence[ScoresOfTwo]) -> FloatArray:
    """Lead of the first system by each of K metrics in each of n sentences, shape (K, n).

    NaN where a metric does not score both.
    """
    leads = np.full((len(scores), len(compared.sentences)), np.nan)
    for lead, each in zip(leads, scores, strict=True):
        _, place, other = np.intersect1d(
            compared.sentences, each.sentences, assume_unique=True, return_indices=True
        )
        lead[place] = each.leads[other]
    return leads


def _on_two(scores: ScoresOfTwo, compared: TwoSystems, lead: FloatArray) -> MetricOnTwo:
    there = np.isfinite(lead) & (compared.leads != 0)
    same = np.sign(lead[there]) * np.sign(compared.leads[there])
    return MetricOnTwo(
        metric=scores.metric,
        first=scores.first,
        second=scores.second,
        agreed=int(np.count_nonzero(same > 0)),
        against=int(np.count_nonzero(same < 0)),
        tied=int(np.count_nonzero(same == 0)),
    )


def _sentences(
    compared: TwoSystems, scores: Sequence[ScoresOfTwo], leads: FloatArray
) -> tuple[ComparedSentence, ...]:
    """The sentences that decide, then further ones in which people and metrics differ most."""
    people = compared.leads
    against = np.sign(leads) * np.sign(people) < 0
    scored = np.isfinite(leads).sum(axis=0)
    clear = np.abs(people).astype(np.float64)
    names = np.array([each.metric for each in scores], dtype=object)
    rows: dict[int, None] = {}
    for sizes in (clear, clear * against.sum(axis=0) / np.maximum(scored, 1)):
        order = np.lexsort((compared.sentences, -sizes))[:KEPT]
        rows |= dict.fromkeys(order[sizes[order] > 0].tolist())
    return tuple(
        ComparedSentence(
            int(compared.sentences[row]),
            int(compared.wins[row]),
            int(compared.losses[row]),
            int(compared.ties[row]),
            tuple(names[against[:, row]].tolist()),
            int(scored[row]),
        )
        for row in rows
    )
