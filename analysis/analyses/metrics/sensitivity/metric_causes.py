"""Analysis of why a metric agrees with people as it does: the agreement with one thing changed at a time."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import partial

from analysis.analyses.base import Analysis, Group, register, stated
from analysis.analyses.metric_titles import title_of_metric
from analysis.analyses.metrics.against_people import (
    OF_METRICS,
    EverySystemAgainstPeople,
    resolved_of_systems,
)
from analysis.analyses.metrics.on_natural_text import on_natural_text
from analysis.analyses.metrics.scored_judgments import ScoredJudgments
from analysis.analyses.metrics.sensitivity.metric_causes_page import (
    CAUSES,
    LEFT_OUT,
    draw,
    explanation,
    has_changes,
    headline,
    lead,
    ties_in_words,
)
from analysis.analyses.systems.ranking import THREADS
from core.parameters import ParameterError, parameter
from core.progress import Progress
from core.results import Figure, Section
from metrics import in_usual_order
from metrics.meta_evaluation import (
    Cause,
    Causes,
    HumanScore,
    MetricsAndPeople,
    MetricScores,
    causes,
)
from ranking import without_systems
from ranking.judgments.snapshot import system_names

ROLES = {Cause.SOURCE: "source", Cause.REFERENCES: "reference"}
NOBODY = "none was judged and scored"


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricCausesParameters(EverySystemAgainstPeople):
    """The metric, and the spread of other systems. The help of each parameter describes it."""

    of: str | None = parameter(
        None,
        label="Metric",
        help="The metric, as its scores are named.",
        placeholder="M2, ERRANT, GLEU, or else the first one",
    )
    spread: float | None = parameter(
        None,
        label="Spread of other systems",
        help="Standard deviation of human scores in another set, to which the range is corrected.",
        minimum=1e-6,
        placeholder="none",
    )


@dataclass(frozen=True, slots=True)
class MetricCauses:
    """A metric against people, with one thing changed at a time.

    Attributes:
        signature: what was computed; equal signatures mean equal numbers.
        human: how systems are scored by people.
        systems: that count, in alphabetical order.
        left_out: systems that were judged and not scored, or scored and not judged.
        compared_sentences: how many the metric scores.
        causes: the correlations with each change.
        available: the names of all metrics with scores.
    """

    signature: str
    human: HumanScore
    systems: tuple[str, ...]
    left_out: tuple[str, ...]
    compared_sentences: int
    causes: Causes
    available: tuple[str, ...]


def metric_causes(
    inputs: ScoredJudgments, parameters: MetricCausesParameters, progress: Progress
) -> MetricCauses:
    """Correlate a metric with people with one thing changed at a time
    (`metrics.meta_evaluation.sensitivity.causes`).

    Raises:
        ParameterError: there is no such metric.
        InputError: judgments and scores have nothing in common.
        SnapshotError: the judgments lack something.
    """
    progress.begin("Preparing")
    signature = inputs.signature(stated("metric-causes", parameters))
    names, chosen = _chosen(inputs, parameters.of)
    one = replace(inputs, metrics=(chosen,))
    roles = inputs.judgments.roles
    there = {*system_names(inputs.judgments.snapshot)}.intersection(inputs.systems)
    apart = {
        cause: {system for system in there if roles.get(system) == role} for cause, role in ROLES.items()
    }

    def compared(left_out: Iterable[str]) -> MetricsAndPeople:
        return _without(one, left_out).compared(tie_width=parameters.tie_width or 0.0)

    data = compared({*apart[Cause.SOURCE], *apart[Cause.REFERENCES]})
    wider = {
        cause: partial(compared, apart[other]) if apart[cause] else NOBODY
        for cause, other in (
            (Cause.SOURCE, Cause.REFERENCES),
            (Cause.REFERENCES, Cause.SOURCE),
        )
    }
    progress.begin("Scoring natural text")
    rescored = on_natural_text(data, inputs, progress)
    human = parameters.human or HumanScore.EXPECTED_WINS
    progress.begin("Resampling", total=parameters.replicates)
    found = causes(
        data,
        human,
        wider=wider,
        natural=rescored,
        spread=parameters.spread,
        whole_set=parameters.whole_set,
        replicates=parameters.replicates,
        confidence=parameters.confidence,
        seed=parameters.seed,
        threads=THREADS,
        progress=progress.advance,
    )
    return MetricCauses(
        signature=signature,
        human=human,
        systems=data.systems,
        left_out=inputs.unmatched,
        compared_sentences=len(data.compared_sentences(whole_set=parameters.whole_set)),
        causes=found,
        available=names,
    )


def _chosen(inputs: ScoredJudgments, name: str | None) -> tuple[tuple[str, ...], MetricScores]:
    """The names of all metrics in the usual order, and the one that is asked for, or else the first."""
    names: list[str] = []
    chosen: MetricScores | None = None
    for metric in inputs.metrics:
        names.append(metric.name)
        if name == metric.name or (name is None and _comes_first(metric, chosen)):
            chosen = metric
    if chosen is None:
        there = ", ".join(names) or "none"
        raise ParameterError(faults={"of": f"there are no scores by {name}; there are: {there}"})
    return tuple(in_usual_order(names)), chosen


def _comes_first(metric: MetricScores, other: MetricScores | None) -> bool:
    """Whether the metric comes before one that was read earlier."""
    return other is None or in_usual_order([other.name, metric.name])[0] == metric.name


def _without(inputs: ScoredJudgments, systems: Iterable[str]) -> ScoredJudgments:
    snapshot = without_systems(inputs.judgments.snapshot, systems)
    return replace(inputs, judgments=replace(inputs.judgments, snapshot=snapshot))


METRIC_CAUSES = register(
    Analysis(
        **OF_METRICS,
        name="metric-causes",
        title="Why a metric disagrees",
        group=Group.METRICS,
        question="Why does this metric agree so little, or so much, with people?",
        defined_in="metrics-against-people.md#why-a-metric-disagrees",
        help="What moves the correlation of a metric with people, such as errors of scores and the range of "
        "systems.",
        parameters=MetricCausesParameters,
        result=MetricCauses,
        compute=metric_causes,
        tables={"causes": CAUSES, "left-out": LEFT_OUT},
        figures={
            "causes": Figure(
                caption=lambda computed: (
                    f"Pearson’s r of {title_of_metric(computed.result.causes.metric)} with people, with one "
                    "thing changed at a time"
                ),
                draw=draw,
                has_content=has_changes,
                of_table="causes",
            )
        },
        headline=headline,
        lead=lead,
        sections=[
            Section(title="Ties of people, by sentence", note=ties_in_words),
            Section(title="Each system left out", tables=["left-out"], is_folded=True),
        ],
        explanation=explanation,
        fields=("spread", "human", "whole_set", "exclude_systems", "domain", "excluded"),
        route="metric-causes",
        tab="Sensitivity",
        label="Causes",
        place=50,
        resolve=resolved_of_systems,
    )
)
