"""Analysis of metrics against people with synthetic systems."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf

import numpy as np

from analysis.analyses.base import Analysis, Table, register, stated, with_controls, with_excluded
from analysis.analyses.metrics_people import NEED_SCORES, too_much
from analysis.analyses.metrics_people_parameters import (
    confidence_of_intervals,
    degrees_lost_by_williams,
    mean_human_score,
    named_systems,
    replicates_of_intervals,
    seed_of_everything,
    synthetic_systems,
    true_intervals_in_words,
    with_references,
    with_the_source,
    without_named_systems,
)
from analysis.analyses.metrics_people_result import HUMAN_SCORES, TITLES, WILLIAMS, left_out_in_words
from analysis.analyses.ranking import RATED, THREADS
from analysis.analyses.scored_judgments import ScoredJudgments
from core.parameters import ParameterError
from core.progress import Progress
from metrics import InputError
from metrics.base import FloatArray, IntArray
from metrics.validation import (
    Estimate,
    HumanScore,
    MixedAgreement,
    PairwiseTests,
    mixed_agreement,
    mixed_scores,
    mixed_williams,
)
from ranking import Coefficient


@dataclass(frozen=True, slots=True)
class HybridsParameters:
    """How synthetic systems are made. The help of each parameter describes it."""

    human: HumanScore = mean_human_score()
    draws: int = synthetic_systems(maximum=100)
    replicates: int = replicates_of_intervals(200)
    confidence: float = confidence_of_intervals()
    degrees_lost: int = degrees_lost_by_williams()
    seed: int = seed_of_everything()
    with_source: bool = with_the_source()
    references: bool = with_references()
    exclude_systems: str | None = without_named_systems()
    controls: bool = with_controls()
    excluded: bool = with_excluded()


@dataclass(frozen=True, slots=True)
class MetricWithHybrids:
    """One metric against people, with synthetic systems and without.

    Attributes:
        signature: signature for repeating its scores; "" if not known.
        pearson: Pearson's r over systems and synthetic systems.
        spearman: Spearman's rho over them.
        judged_pearson: Pearson's r over the systems alone.
        judged_spearman: Spearman's rho over these.
        scores: by system.
        hybrids: shape (H,), the scores of synthetic systems; NaN where there is none.
    """

    signature: str
    pearson: Estimate
    spearman: Estimate
    judged_pearson: Estimate
    judged_spearman: Estimate
    scores: Mapping[str, float | None]
    hybrids: FloatArray


@dataclass(frozen=True, slots=True)
class MetricsWithHybrids:
    """All metrics against people, with synthetic systems.

    Attributes:
        signature: what was computed; equal signatures mean equal numbers.
        human: how systems are scored by people.
        systems: by name, the human score; None where there is none.
        left_out: systems that were judged and not scored, or scored and not judged.
        sentences: how many were judged.
        first: shape (H,), the number among the systems of the first system of each synthetic one.
        second: shape (H,), that of the second system.
        percent: shape (H,), the percentage of sentences taken from the first system.
        draw: shape (H,), number of the draw of the same two systems and percentage, from 0.
        hybrids: shape (H,), people's scores of synthetic systems; NaN where there is none.
        metrics: by name, the highest Pearson's r first.
        tests: Williams' test over systems and synthetic systems.
    """

    signature: str
    human: HumanScore
    systems: Mapping[str, float | None]
    left_out: tuple[str, ...]
    sentences: int
    first: IntArray
    second: IntArray
    percent: IntArray
    draw: IntArray
    hybrids: FloatArray
    metrics: Mapping[str, MetricWithHybrids]
    tests: PairwiseTests


def hybrids(inputs: ScoredJudgments, parameters: HybridsParameters, progress: Progress) -> MetricsWithHybrids:
    """Compare metrics with people over systems and mixtures of them (`metrics.validation.hybrids`).

    Raises:
        ParameterError: judgments and scores have nothing in common, or do not allow what was asked.
        SnapshotError: the judgments lack something.
    """
    try:
        data = inputs.compared()
        progress.begin("Scoring synthetic systems", total=parameters.replicates * len(data.metrics))
        scores = mixed_scores(
            data,
            parameters.human,
            draws=parameters.draws,
            replicates=parameters.replicates,
            seed=parameters.seed,
            threads=THREADS,
            progress=progress.advance,
        )
    except InputError as error:
        raise ParameterError(str(error)) from error
    size = len(data.systems)
    mixed = scores.hybrids
    metrics = {
        each.metric: _metric(each, data.systems, of_metric)
        for each, of_metric in zip(
            mixed_agreement(data, scores, confidence=parameters.confidence, seed=parameters.seed),
            scores.metrics,
            strict=True,
        )
    }
    return MetricsWithHybrids(
        signature=inputs.signature(stated("hybrids", parameters)),
        human=parameters.human,
        systems=_by_system(data.systems, scores.human),
        left_out=inputs.unmatched,
        sentences=len(scores.sentences),
        first=mixed.first,
        second=mixed.second,
        percent=mixed.percent,
        draw=mixed.draw,
        hybrids=scores.human[size:],
        metrics=dict(sorted(metrics.items(), key=lambda item: _best_first(item[1].pearson))),
        tests=mixed_williams(data, scores, degrees_lost=parameters.degrees_lost),
    )


def _metric(agreed: MixedAgreement, systems: Sequence[str], scores: FloatArray) -> MetricWithHybrids:
    return MetricWithHybrids(
        signature=agreed.signature,
        pearson=agreed.correlations[Coefficient.PEARSON],
        spearman=agreed.correlations[Coefficient.SPEARMAN],
        judged_pearson=agreed.judged[Coefficient.PEARSON],
        judged_spearman=agreed.judged[Coefficient.SPEARMAN],
        scores=_by_system(systems, scores),
        hybrids=scores[len(systems) :],
    )


def _by_system(systems: Sequence[str], scores: FloatArray) -> dict[str, float | None]:
    return {
        system: score if np.isfinite(score) else None
        for system, score in zip(systems, scores.tolist(), strict=False)
    }


def _best_first(estimate: Estimate) -> float:
    return inf if estimate.value is None else -estimate.value


def resolved(parameters: HybridsParameters, scored: bool) -> HybridsParameters:
    """With the names of systems in order.

    Raises:
        ParameterError: z-scores of rankings.
    """
    if not scored and parameters.human is HumanScore.Z:
        raise ParameterError(faults={"human": NEED_SCORES})
    excluded = ", ".join(named_systems(parameters)) or None
    return replace(parameters, human=HumanScore(parameters.human), exclude_systems=excluded)


def tables(result: MetricsWithHybrids) -> tuple[Table, ...]:
    """The result for the terminal."""
    rows = tuple(
        (
            name,
            *(
                figure
                for estimate in (each.pearson, each.spearman, each.judged_pearson, each.judged_spearman)
                for figure in (estimate.value, estimate.low, estimate.high)
            ),
        )
        for name, each in result.metrics.items()
    )
    interval = ("low", "high")
    shown = [
        Table(
            f"{len(result.systems)} systems and {len(result.hybrids):,} synthetic ones by "
            f"{HUMAN_SCORES[result.human]}, {result.sentences:,} sentences",
            (
                "Metric",
                *("Pearson", *interval, "Spearman", *interval),
                *("Pearson, systems alone", *interval, "Spearman, systems alone", *interval),
            ),
            rows,
        ),
        Table(
            f"{TITLES[WILLIAMS]}: p that the row agrees no better than the column",
            ("Metric", *result.tests.metrics),
            tuple(
                (row, *cells) for row, cells in zip(result.tests.metrics, result.tests.p_values, strict=True)
            ),
        ),
    ]
    reasons = tuple(
        (name, each.pearson.reason or "")
        for name, each in result.metrics.items()
        if each.pearson.value is None
    )
    if reasons:
        shown.append(Table("What is missing", ("Metric", "Reason"), reasons))
    if result.left_out:
        names = ", ".join(result.left_out)
        shown.append(Table("Left out, since not both judged and scored", ("Systems",), ((names,),)))
    return tuple(shown)


def methods(parameters: HybridsParameters, result: MetricsWithHybrids) -> list[str]:
    """The comparison in sentences for a paper."""
    sentences = [
        f"{len(result.metrics)} metrics are correlated with the {HUMAN_SCORES[result.human]} of people over "
        f"{len(result.systems)} systems and {len(result.hybrids):,} synthetic ones, on {result.sentences:,} "
        f"sentences."
    ]
    if len(result.percent):
        sentences.append(
            f"A synthetic system takes {result.percent.min()} % to {result.percent.max()} % of the "
            "sentences from one system and the others from another, "
            f"in {parameters.draws} draws (seed {parameters.seed})."
        )
    return [*sentences, *true_intervals_in_words(parameters), *left_out_in_words(result.left_out)]


HYBRIDS = register(
    Analysis(
        name="hybrids",
        title="Metrics against people with synthetic systems",
        help="Correlations of metrics with people over the judged systems and mixtures of each pair of them.",
        parameters=HybridsParameters,
        result=MetricsWithHybrids,
        inputs=ScoredJudgments,
        columns=RATED,
        compute=hybrids,
        tables=tables,
        methods=methods,
        resolve=resolved,
        too_much=too_much,
        at_once=False,
    )
)
