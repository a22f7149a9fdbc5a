"""Rankings of systems, for pages and commands."""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from analysis.analyses.base import (
    UNWEIGHTED,
    WEIGHTED,
    Analysis,
    Chunks,
    Group,
    register,
)
from analysis.analyses.from_judgments import FOR_SCORES, FromWeightedJudgments
from analysis.analyses.judgment_inputs import Judgments
from analysis.analyses.ranking_words import (
    MEANINGS,
    METHODS,
    RANGES_OF_RUNS,
    SOURCES,
    UNIT_MEANINGS,
    UNITS,
    Z_SCORES_MEANING,
    in_words,
)
from analysis.analyses.resampling import CONFIDENCES, confidence_of_intervals, seed_of
from analysis.analyses.rules import stated_rule
from analysis.analyses.systems.ranking_headline import headline
from analysis.analyses.systems.ranking_tables import FIGURES, TABLES
from core.arrays import FloatArray
from core.parameters import ParameterError, parameter
from formats.snapshot.vocabulary import AnswerKind
from ranking import (
    MEAN_UNITS,
    RANKING_COLUMNS,
    SCORING_COLUMNS,
    Method,
    Ranker,
    ResamplingError,
    Standings,
    Unit,
    holds_propensities,
    standardised,
)

RATED = tuple(dict.fromkeys((*RANKING_COLUMNS, *SCORING_COLUMNS)))
"""The columns of a snapshot that hold ratings; the others only enter its hash."""

WEIGHTED_COLUMNS = (*RATED, "campaign", "propensities")
"""The columns that rankings use."""

REPLICATES = {
    Method.MEAN_SCORE: 1000,
    Method.EXPECTED_WINS: 1000,
    Method.TRUESKILL: 200,
    Method.BRADLEY_TERRY: 300,
}
"""Default number of replicates, and the maximum on pages and in the API; `manage.py rank` allows more."""

FEW_UNITS = 20
"""Number of units below which 95 % intervals hold less than 95 % in simulations (docs/ranking.md)."""

REPLICATES_PER_PART = 50
"""Number of replicates in a part of a run, which share a random generator."""

MOST_REPLICATES = 100_000

THREADS = os.cpu_count() or 1


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingParameters(FromWeightedJudgments):
    """How to rank systems. Attributes: see each parameter's help."""

    method: Method | None = parameter(
        None,
        label="Method",
        help="How systems are scored.",
        labels=METHODS,
        placeholder="mean for scores, ew for rankings",
    )
    unit: Unit = parameter(
        Unit.SENTENCE,
        label="Resampled by",
        help="What is resampled for intervals, rank ranges and clusters. All except pair keep the pairs of a "
        "judgment together. Most published rankings resample pairs. Mean scores are resampled by sentence or "
        "annotator.",
        labels=UNITS,
    )
    replicates: int | None = parameter(
        None,
        label="Replicates",
        help="Number of bootstrap replicates; 0 for scores only.",
        minimum=0,
        maximum=MOST_REPLICATES,
        placeholder=", ".join(f"{number} for {method}" for method, number in REPLICATES.items()),
    )
    confidence: float = confidence_of_intervals("the intervals and rank ranges", offered=CONFIDENCES)
    seed: int = seed_of("the resampling")
    z_scores: bool = parameter(
        False,
        label="Mean of",
        help="Mean scores of z-scores within each annotator.",
        labels={"no": "scores as given", "yes": "z-scores within each annotator"},
    )

    def __str__(self) -> str:
        """The part of a signature that states the computation."""
        resampled = (
            f"unit:{self.unit}|replicates:{self.replicates}|confidence:{self.confidence:g}|seed:{self.seed}"
        )
        if self.method is Method.MEAN_SCORE:
            return f"{self.method}|scores:{'z' if self.z_scores else 'raw'}|{resampled}"
        pairs = "expanded" if self.tie_width is None else f"expanded|by:scores|tie-width:{self.tie_width:g}"
        ties = "dropped" if self.method is Method.EXPECTED_WINS else "kept"
        return f"{self.method}|pairs:{pairs}|ties:{ties}|{resampled}"

    @property
    def tested_by(self) -> str:
        """The unit that tests of two systems exchange: pairs if these are resampled, else sentences."""
        return (Unit.PAIR if self.unit is Unit.PAIR else Unit.SENTENCE).value

    @property
    def score_name(self) -> str:
        """Name of the scores."""
        return "Mean z-score" if self._z_scored else METHODS[self.scored_by]

    @property
    def unit_meaning(self) -> str:
        """The resampled unit, and the meaning of the ranges."""
        meaning = UNIT_MEANINGS[self.unit]
        by_runs = self.method is Method.TRUESKILL and self.unit is Unit.PAIR
        return f"{meaning} {RANGES_OF_RUNS}" if by_runs else meaning

    @property
    def meaning(self) -> str:
        """Meaning of the scores in words."""
        meaning = MEANINGS[self.scored_by]
        return f"{meaning} {Z_SCORES_MEANING}" if self._z_scored else meaning

    @property
    def scored_by(self) -> Method:
        """The method, once resolved."""
        return self.method or Method.EXPECTED_WINS

    @property
    def _z_scored(self) -> bool:
        return self.method is Method.MEAN_SCORE and self.z_scores


def resolved(parameters: RankingParameters, scored: bool) -> RankingParameters:
    """The parameters for scores or for rankings, with the defaults of each.

    Z-scores apply to mean scores only; other methods ignore them.

    Raises:
        ParameterError: a value is possible only for scores, or not for the chosen method.
    """
    asked = {
        "method": parameters.method is Method.MEAN_SCORE,
        "tie_width": parameters.tie_width is not None,
        "z_scores": parameters.z_scores,
    }
    if not scored and any(asked.values()):
        [name, *_] = (name for name, is_asked in asked.items() if is_asked)
        raise ParameterError(faults={name: FOR_SCORES})
    method = parameters.method or (Method.MEAN_SCORE if scored else Method.EXPECTED_WINS)
    replicates = REPLICATES[method] if parameters.replicates is None else parameters.replicates
    if method is Method.MEAN_SCORE and parameters.unit not in MEAN_UNITS:
        allowed = " or ".join(MEAN_UNITS)
        raise ParameterError(
            faults={"unit": f"mean scores are resampled by {allowed}, not by {parameters.unit}"}
        )
    return replace(
        parameters,
        method=method,
        replicates=replicates,
        tie_width=parameters.tie_width or 0.0 if scored else None,
        z_scores=parameters.z_scores and method is Method.MEAN_SCORE,
    )


def too_much(parameters: RankingParameters) -> Mapping[str, str]:
    """Message for more replicates than pages and the API allow."""
    method, replicates = parameters.method, parameters.replicates
    if method is None or replicates is None or replicates <= REPLICATES[method]:
        return {}
    return {"replicates": f"with {method} there may be {REPLICATES[method]} replicates at most"}


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """A ranking of systems.

    Attributes:
        signature: computation and snapshot; equal signatures mean equal numbers.
        standings: the systems, best first, with rank ranges and clusters.
        warning: a warning about the clusters; None if there is none.
        weights: how comparisons are weighted, of items that were not sampled as usual; None for usual items.
        remark: a remark on intervals that rest on few units; None if there is none.
    """

    signature: str
    standings: Standings
    warning: str | None
    weights: str | None = None
    remark: str | None = None


class Resampled:
    """Judgments prepared for ranking.

    If pairs are resampled, sentences are resampled too, to warn of clusters that rest on treating pairs as
    independent. Each unit is prepared when it is needed; after that, only counts of the pairs are kept.
    """

    def __init__(self, judgments: Judgments, parameters: RankingParameters) -> None:
        self._snapshot = judgments.snapshot
        if parameters.method is Method.MEAN_SCORE and parameters.z_scores:
            self._snapshot = standardised(self._snapshot).snapshot
        self._parameters = parameters
        self._weighted = parameters.weights == WEIGHTED
        self._rankers: dict[Unit, Ranker] = {}

    def ranker(self, unit: Unit, step: Callable[[], None] = lambda: None) -> Ranker:
        """The ranker that resamples this unit; `step` is called between parts of its preparation."""
        if unit not in self._rankers:
            method, by = self._parameters.scored_by, self._parameters.by
            self._rankers[unit] = Ranker(
                self._snapshot, method, unit, by=by, weighted=self._weighted, step=step
            )
        return self._rankers[unit]

    @property
    def weights(self) -> str | None:
        """How comparisons are weighted; None where no item has propensities."""
        if not holds_propensities(self._snapshot):
            return None
        return WEIGHTED if self.ranker(self._parameters.unit).weighted else UNWEIGHTED


def portions(parameters: RankingParameters) -> list[tuple[Unit, range]]:
    """The unit and the replicates that each part of a ranking draws, in order."""
    replicates = parameters.replicates or 0
    units = (Unit.PAIR, Unit.SENTENCE) if parameters.unit is Unit.PAIR else (parameters.unit,)
    size = REPLICATES_PER_PART
    if parameters.method is Method.MEAN_SCORE:
        size = max(replicates, 1)  # These are drawn in one part.
    return [
        (unit, range(first, min(first + size, replicates)))
        for unit in units
        for first in range(0, replicates, size)
    ]


def _draw(
    resampled: Resampled, parameters: RankingParameters, part: int, advance: Callable[[int], None]
) -> FloatArray:
    """The scores of some replicates, shape (B, S)."""
    unit, replicates = portions(parameters)[part]
    ranker = resampled.ranker(unit, lambda: advance(0))
    return ranker.draw(replicates, parameters.seed, threads=THREADS, progress=advance)


def _rank(
    judgments: Judgments, resampled: Resampled, parameters: RankingParameters, parts: Sequence[FloatArray]
) -> Ranking:
    """Rank the systems by the drawn replicates.

    Raises:
        ParameterError: if `ranking.uncertainty.standings` raises `ResamplingError`, mostly for too few
            replicates.
    """

    def standings_by(unit: Unit) -> Standings:
        ranker = resampled.ranker(unit)
        portioned = zip(portions(parameters), parts, strict=True)
        drawn = [part for (its_unit, _), part in portioned if its_unit is unit]
        all_drawn = np.concatenate(drawn) if drawn else ranker.draw(range(0), parameters.seed)
        return ranker.standings(all_drawn, parameters.confidence)

    warning = None
    try:
        ranked = standings_by(parameters.unit)
        if parameters.unit is Unit.PAIR and parts:
            warning = _warning(ranked, standings_by(Unit.SENTENCE))
    except ResamplingError as error:
        raise ParameterError(faults={"replicates": str(error)}) from error
    weights = resampled.weights
    weighted = f"|weights:{weights}" if weights else ""
    signature = judgments.signature(f"{parameters}{stated_rule('ranking')}{weighted}")
    return Ranking(signature, ranked, warning, weights, _remark(ranked))


def _remark(ranked: Standings) -> str | None:
    resting = [row.units for row in ranked.systems if row.units is not None and row.rank_low is not None]
    few = sum(units < FEW_UNITS for units in resting)
    if not few:
        return None
    of_systems = "all systems" if few == len(resting) else f"{few} of {len(resting)} systems"
    return (
        f"Intervals and rank ranges of {of_systems} rest on fewer than {FEW_UNITS} {UNITS[ranked.unit]}s. "
        "They may be too narrow: in simulations, 95 % intervals of so few hold in 92 to 95 % of campaigns."
    )


def _warning(by_pair: Standings, by_sentence: Standings) -> str | None:
    if by_pair.clusters is None or by_pair.clusters <= (by_sentence.clusters or 1):
        return None
    of_sentences = "none" if by_sentence.clusters is None else by_sentence.clusters
    why = "" if by_sentence.reason is None else f", since {by_sentence.reason}"
    return (
        f"Resampling pairs claims {by_pair.clusters} clusters, resampling sentences {of_sentences}{why}. "
        "Pairs from one sentence are not independent, so ranges by pair are too narrow."
    )


def methods(parameters: RankingParameters, ranking: Ranking) -> list[str]:
    """The ranking in sentences for a paper."""
    standings = ranking.standings
    sentences = [f"Systems are ranked by {METHODS[standings.method]}{SOURCES[standings.method]}."]
    if standings.reason is not None:
        return [*sentences, f"There are no rank ranges, since {standings.reason}."]
    return [
        *sentences,
        f"Intervals, rank ranges and clusters are at {100 * standings.confidence:g} % confidence from "
        f"{standings.replicates:,} bootstrap replicates that resample {UNITS[standings.unit]}s "
        f"(seed {parameters.seed}), with percentiles expanded for few {UNITS[standings.unit]}s (Hesterberg "
        "2015); systems whose rank ranges overlap, directly or through "
        f"others, form a cluster (Koehn 2012), which gives {standings.clusters}.",
    ]


RANKING = register(
    Analysis(
        name="ranking",
        title="Ranking",
        group=Group.SYSTEMS,
        question="Who wins?",
        defined_in="ranking.md",
        help="Systems by score, with rank ranges and clusters by the bootstrap.",
        parameters=RankingParameters,
        result=Ranking,
        inputs=Judgments,
        columns=WEIGHTED_COLUMNS,
        answers=AnswerKind.RATINGS,
        chunks=Chunks(
            sizes=lambda parameters: [len(replicates) for _, replicates in portions(parameters)],
            prepare=Resampled,
            part=FloatArray,
            compute=_draw,
            combine=_rank,
        ),
        tables=TABLES,
        figures=FIGURES,
        headline=lambda computed, naming: headline(computed.result.standings, naming.roles, naming.labels),
        lead=in_words,
        methods=methods,
        resolve=resolved,
        too_much=too_much,
        beside="agreement",
    )
)
