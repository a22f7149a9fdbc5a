"""Analysis of which automatic metrics agree with people."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from math import inf
from typing import Any

import numpy as np

from analysis.analyses.base import Analysis, Chunks, Group, register, stated
from analysis.analyses.metric_titles import METRIC
from analysis.analyses.metrics.against_people import (
    CHOOSING,
    INTERVALS_OF_TRUE_SCORES,
    OF_METRICS,
    RENEWED_AFTER_SECONDS,
    SystemsAgainstPeople,
    by_system,
    degrees_lost_by_williams,
    human_score,
    human_scores_of_systems,
    left_out_in_words,
    resolved_of_systems,
    with_whole_set,
)
from analysis.analyses.metrics.metric_parts import BOOTSTRAP, CALIBRATED, SOFT, WILLIAMS
from analysis.analyses.metrics.metrics_people_page import FIGURES, SECTIONS, explanation, headline, lead
from analysis.analyses.metrics.metrics_people_result import MetricAgainstPeople, MetricsAgainstPeople
from analysis.analyses.metrics.metrics_people_tables import TABLES
from analysis.analyses.metrics.scored_judgments import ScoredJudgments
from analysis.analyses.resampling import confidence_of_intervals, replicates_of_intervals
from analysis.analyses.systems.ranking import THREADS
from core.arrays import IntArray
from core.parameters import parameter
from metrics.meta_evaluation import (
    Estimate,
    HumanScore,
    MetricsAndPeople,
    PairwiseTests,
    Replicates,
    ResampledScores,
    SentenceAgreement,
    SwappedOutcomes,
    SwappedScores,
    SystemAgreement,
    SystemScores,
    bootstrap_of_differences,
    ceiling_of_sentences,
    ceiling_of_systems,
    clusters,
    scored_by_comparisons,
    sentence_agreement,
    swapped_outcomes,
    swapped_scores,
    system_agreement,
    williams,
)
from ranking import Coefficient, Method

DRAWN_PER_PART = 50
"""Replicates or permutations in a part of a run, stored when it is done: those that share a generator."""


class SystemScoring(StrEnum):
    """How a metric scores a system: as the metric itself does, or by comparing sentence scores."""

    METRIC = "metric"
    EXPECTED_WINS = "ew"
    TRUESKILL = "trueskill"


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricsPeopleParameters(SystemsAgainstPeople):
    """Parameters of metrics against people. The help of each describes it."""

    human: HumanScore | None = human_score()
    systems_by: SystemScoring = parameter(
        SystemScoring.METRIC,
        label="Metrics score systems",
        help="The metric's own corpus score, or ExpectedWins or TrueSkill of the systems' sentence scores.",
        labels={
            SystemScoring.METRIC: "as the metric does",
            SystemScoring.EXPECTED_WINS: "by ExpectedWins of sentence scores",
            SystemScoring.TRUESKILL: "by TrueSkill of sentence scores",
        },
    )
    whole_set: bool = with_whole_set()
    replicates: int = replicates_of_intervals()
    permutations: int = parameter(
        1000,
        label="Permutations",
        help="Number of permutations for soft pairwise accuracy and the tests between metrics.",
        minimum=100,
        maximum=100_000,
    )
    confidence: float = confidence_of_intervals()
    degrees_lost: int = degrees_lost_by_williams()


class Prepared:
    """Prepared judgments and scores, which all parts of a run need.

    Attributes:
        data: metrics and people.
        human: how people score systems.
        resampled: what draws replicates.
    """

    def __init__(self, inputs: ScoredJudgments, parameters: MetricsPeopleParameters) -> None:
        """Prepare judgments and scores.

        Raises:
            InputError: judgments and scores have nothing in common.
            SnapshotError: the judgments lack something.
        """
        self.human = parameters.human or HumanScore.EXPECTED_WINS
        self._parameters = parameters
        data = inputs.compared(tie_width=parameters.tie_width or 0.0, only_judged=not parameters.whole_set)
        self.data = _scored_by(data, parameters.systems_by)
        self.resampled = ResampledScores(
            self.data, self.human, whole_set=parameters.whole_set, threads=THREADS
        )

    @cached_property
    def swapped_scores(self) -> SwappedScores:
        """The tests of soft pairwise accuracy."""
        parameters = self._parameters
        return swapped_scores(
            self.data,
            self.resampled.scores([]),
            permutations=parameters.permutations,
            seed=parameters.seed,
            threads=THREADS,
        )

    @cached_property
    def swapped_outcomes(self) -> SwappedOutcomes:
        """The tests of acc*eq."""
        return swapped_outcomes(self.data, self.human)


@dataclass(frozen=True, slots=True, eq=False)
class Permuted:
    """Some permutations of the tests between metrics.

    Attributes:
        soft: shape (T, 2), of `SwappedScores.counts`.
        calibrated: the same of `SwappedOutcomes.counts`.
    """

    soft: IntArray
    calibrated: IntArray


Part = Replicates | Permuted


def portions(parameters: MetricsPeopleParameters) -> list[tuple[type[Part], range]]:
    """The draws of each part of a run, in order: replicates or permutations, and their range."""
    return [
        (kind, range(first, min(first + DRAWN_PER_PART, number)))
        for kind, number in ((Replicates, parameters.replicates), (Permuted, parameters.permutations))
        for first in range(0, number, DRAWN_PER_PART)
    ]


def _draw(
    prepared: Prepared, parameters: MetricsPeopleParameters, part: int, advance: Callable[[int], None]
) -> Part:
    """Some replicates, or some permutations."""
    kind, drawn = portions(parameters)[part]
    if kind is Replicates:
        return prepared.resampled.draw(drawn, parameters.seed, progress=advance)
    calibrated = prepared.swapped_outcomes.counts(drawn, parameters.seed)
    soft = prepared.swapped_scores.counts(drawn, parameters.seed, progress=advance)
    return Permuted(soft, calibrated)


def compare(
    inputs: ScoredJudgments, prepared: Prepared, parameters: MetricsPeopleParameters, parts: Sequence[Part]
) -> MetricsAgainstPeople:
    """Compare metrics with people by systems and by sentences (`metrics.meta_evaluation`)."""
    data, human = prepared.data, prepared.human
    scores = prepared.resampled.scores([part for part in parts if isinstance(part, Replicates)])
    systems = system_agreement(
        data,
        scores,
        confidence=parameters.confidence,
        permutations=parameters.permutations,
        seed=parameters.seed,
    )
    inputs.step()
    sentences = sentence_agreement(
        data,
        human,
        replicates=parameters.replicates,
        confidence=parameters.confidence,
        seed=parameters.seed,
        progress=lambda pairs: inputs.step(),
    )
    inputs.step()
    ceiling, annotators = _ceiling(inputs, prepared, parameters)
    inputs.step()
    permuted = [part for part in parts if isinstance(part, Permuted)]
    tests = {
        WILLIAMS: williams(data, scores, degrees_lost=parameters.degrees_lost),
        BOOTSTRAP: bootstrap_of_differences(data, scores),
        SOFT: _tests(prepared.swapped_scores, [part.soft for part in permuted], parameters),
        CALIBRATED: _tests(prepared.swapped_outcomes, [part.calibrated for part in permuted], parameters),
    }
    return MetricsAgainstPeople(
        signature=inputs.signature(stated("metrics-people", parameters)),
        level="system",
        human=human,
        systems=by_system(data.systems, scores.human),
        left_out=inputs.unmatched,
        judged_sentences=len(data.people.judged_sentences),
        compared_sentences=len(scores.sentences),
        judged_pairs=len(data.people.judged.outcome),
        permutations=parameters.permutations,
        without_z_scores=data.people.without_z_scores if human is HumanScore.Z else {},
        metrics=_metrics(systems, sentences, _scored_sentences(data, scores), tests),
        ceiling=ceiling,
        ceiling_annotators=annotators,
        tests=tests,
    )


def _ceiling(
    inputs: ScoredJudgments, prepared: Prepared, parameters: MetricsPeopleParameters
) -> tuple[MetricAgainstPeople, int]:
    """One annotator against the others in place of a metric, and how many annotators it is the mean of."""
    systems = ceiling_of_systems(
        prepared.data,
        inputs.judged_and_scored,
        prepared.human,
        tie_width=parameters.tie_width or 0.0,
        replicates=parameters.replicates,
        confidence=parameters.confidence,
        seed=parameters.seed,
        threads=THREADS,
        progress=lambda parts: inputs.step(),
    )
    inputs.step()
    sentences = ceiling_of_sentences(
        prepared.data,
        replicates=parameters.replicates,
        confidence=parameters.confidence,
        seed=parameters.seed,
        progress=lambda pairs: inputs.step(),
    )
    agreed = MetricAgainstPeople(
        signature="",
        cluster=None,
        pearson=systems.correlations[Coefficient.PEARSON],
        spearman=systems.correlations[Coefficient.SPEARMAN],
        kendall=systems.correlations[Coefficient.KENDALL],
        accuracy=systems.accuracy,
        spa=Estimate(None, None, None, None),
        jackknife={},
        resampled=True,
        scored_sentences=None,
        scores={},
        sentences=sentences,
        sentence_cluster=None,
    )
    return agreed, systems.annotators


def _tests(
    swapped: SwappedScores | SwappedOutcomes, counts: Sequence[IntArray], parameters: MetricsPeopleParameters
) -> PairwiseTests:
    # A single metric has no tests, and JSON keeps no shape of an empty array.
    every = np.zeros((0, 2), dtype=np.int64) if not counts[0].size else np.sum(counts, axis=0)
    return swapped.tests(every, parameters.permutations)


def _scored_by(data: MetricsAndPeople, by: SystemScoring) -> MetricsAndPeople:
    if by is SystemScoring.METRIC:
        return data
    method = Method(by.value)
    metrics = tuple(
        scored_by_comparisons(metric, method, data.systems, threads=THREADS) for metric in data.metrics
    )
    return replace(data, metrics=metrics)


def _scored_sentences(data: MetricsAndPeople, scores: SystemScores) -> list[int | None]:
    return [
        None
        if metric.sentences is None
        else int(np.isfinite(metric.sentences[scores.sentences]).all(axis=1).sum())
        for metric in data.metrics
    ]


def _metrics(
    systems: Sequence[SystemAgreement],
    sentences: Sequence[SentenceAgreement],
    scored_sentences: Sequence[int | None],
    tests: Mapping[str, PairwiseTests],
) -> dict[str, MetricAgainstPeople]:
    """Metrics by name, ordered by soft pairwise accuracy, then Pearson's r; those without come last."""
    by_systems = _clusters({each.metric: each.soft_accuracy.value for each in systems}, tests[SOFT])
    by_sentences = _clusters(
        {each.metric: each.calibrated.accuracy for each in sentences if each.calibrated}, tests[CALIBRATED]
    )
    made = {
        each.metric: MetricAgainstPeople(
            signature=each.signature,
            cluster=by_systems.get(each.metric),
            pearson=each.correlations[Coefficient.PEARSON],
            spearman=each.correlations[Coefficient.SPEARMAN],
            kendall=each.correlations[Coefficient.KENDALL],
            accuracy=each.accuracy,
            spa=each.soft_accuracy,
            jackknife=each.jackknife,
            resampled=each.resampled,
            scored_sentences=scored,
            scores=each.scores,
            sentences=of_sentences,
            sentence_cluster=by_sentences.get(each.metric),
        )
        for each, of_sentences, scored in zip(systems, sentences, scored_sentences, strict=True)
    }
    return dict(sorted(made.items(), key=lambda item: _best_first(item[1])))


def _best_first(metric: MetricAgainstPeople) -> list[float]:
    values = (metric.spa.value, metric.pearson.value)
    return [inf if value is None else -value for value in values]


def _clusters(values: Mapping[str, float | None], tests: PairwiseTests) -> dict[str, int]:
    """The clusters of the metrics that have a value and were tested."""
    there = {name: value for name in tests.metrics if (value := values.get(name)) is not None}
    places = [tests.metrics.index(name) for name in there]
    table = [[tests.p_values[row][column] for column in places] for row in places]
    return dict(zip(there, clusters(list(there.values()), table), strict=True))


def methods(parameters: MetricsPeopleParameters, result: Any) -> list[str]:
    """The comparison of all metrics, with or without a new one, in sentences for a paper."""
    by = parameters.systems_by
    scored_by = "" if by == "metric" else f", by {by} of sentence scores"
    sentences = [
        f"{len(result.metrics)} metrics are compared with people on {len(result.systems)} systems. Human "
        f"scores are {human_scores_of_systems(result.human)} on {result.judged_sentences:,} sentences; "
        f"metrics score {result.compared_sentences:,}{scored_by}.",
        f"By sentences, metrics are compared on {result.judged_pairs:,} judged pairs of outputs by Kendall's "
        "tau and by pairwise accuracy with calibrated ties (acc*eq, Deutsch et al. 2023).",
        f"Soft pairwise accuracy (SPA, Thompson et al. 2024) and the tests between metrics take "
        f"{result.permutations:,} permutations (seed {parameters.seed}).",
    ]
    if parameters.replicates:
        sentences.append(
            f"{INTERVALS_OF_TRUE_SCORES.format(confidence=100 * parameters.confidence)} Errors are "
            f"estimated from {parameters.replicates:,} bootstrap replicates that resample sentences, of "
            "people and metrics together."
        )
    return [*sentences, *left_out_in_words(result.left_out)]


METRICS_PEOPLE = register(
    Analysis(
        **OF_METRICS,
        name="metrics-people",
        title="Metrics against people",
        group=Group.METRICS,
        question="Which metrics agree with people?",
        defined_in="metrics-against-people.md",
        help="Correlations and accuracy by systems and by sentences, with intervals and tests.",
        parameters=MetricsPeopleParameters,
        result=MetricsAgainstPeople,
        chunks=Chunks(
            sizes=lambda parameters: [len(drawn) for _, drawn in portions(parameters)],
            prepare=Prepared,
            part=Part,
            compute=_draw,
            combine=compare,
        ),
        tables=TABLES,
        figures=FIGURES,
        choices={"metric": METRIC},
        headline=headline,
        lead=lead,
        sections=SECTIONS,
        explanation=explanation,
        fields=("human", "systems_by", "whole_set", "confidence", *CHOOSING),
        template="analysis/against_people.html",
        route="metrics",
        tab="Agreement",
        label="All metrics",
        methods=methods,
        resolve=resolved_of_systems,
        renewed_after=RENEWED_AFTER_SECONDS,
    )
)
