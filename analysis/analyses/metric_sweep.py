"""Analysis of a metric against people over the values of one of its parameters."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from analysis.analyses.base import Analysis, Table, register, stated, with_controls, with_excluded
from analysis.analyses.metrics_people import resolved, too_much
from analysis.analyses.metrics_people_parameters import (
    confidence_of_intervals,
    human_score,
    replicates_of_intervals,
    seed_of_everything,
    true_intervals_in_words,
    with_references,
    with_whole_set,
    without_named_systems,
    without_the_source,
)
from analysis.analyses.metrics_people_result import HUMAN_SCORES, left_out_in_words
from analysis.analyses.ranking import RATED, THREADS, tie_width_parameter
from analysis.analyses.scored_judgments import ScoredJudgments
from core.parameters import ParameterError, ParameterField, parameter
from core.progress import Progress
from metrics import InputError
from metrics.validation import (
    HumanScore,
    MetricsAndPeople,
    Sweep,
    sweep,
    swept_parameters,
    usual_values,
)
from ranking import Coefficient

MOST_VALUES = 1000
NAMES = {Coefficient.SPEARMAN: "Spearman's rho", Coefficient.PEARSON: "Pearson's r"}


@dataclass(frozen=True, slots=True)
class MetricSweepParameters:
    """The metric, its parameter and the values. The help of each parameter describes it."""

    of: str | None = parameter(
        None,
        label="Metric",
        help="The metric whose parameter varies, as its scores are named.",
        placeholder="the first one with a numeric parameter",
    )
    over: str | None = parameter(
        None, label="Parameter", help="The parameter that varies.", placeholder="beta, or the first one"
    )
    low: float | None = parameter(
        None, label="From", help="The smallest value.", placeholder="the smallest usual one"
    )
    high: float | None = parameter(
        None, label="To", help="The largest value.", placeholder="twice the default"
    )
    step: float | None = parameter(
        None,
        label="Step",
        help="Difference between two neighbouring values.",
        minimum=1e-6,
        placeholder="a round one",
    )
    human: HumanScore | None = human_score()
    whole_set: bool = with_whole_set()
    replicates: int = replicates_of_intervals()
    confidence: float = confidence_of_intervals()
    tie_width: float | None = tie_width_parameter()
    seed: int = seed_of_everything()
    without_source: bool = without_the_source()
    references: bool = with_references()
    exclude_systems: str | None = without_named_systems()
    controls: bool = with_controls()
    excluded: bool = with_excluded()


@dataclass(frozen=True, slots=True)
class Sweepable:
    """A numeric parameter of a metric that has scores.

    Attributes:
        metric: the name of the scores.
        parameter: the name of the parameter.
        label: of the parameter, as shown to people.
        reduces_anew: whether outputs have to be scored again for each value.
    """

    metric: str
    parameter: str
    label: str
    reduces_anew: bool


@dataclass(frozen=True, slots=True)
class SweptMetric:
    """A metric against people over the values of a parameter.

    Attributes:
        signature: what was computed; equal signatures mean equal numbers.
        human: how systems are scored by people.
        systems: how many are compared.
        left_out: systems that were judged and not scored, or scored and not judged.
        compared_sentences: how many the metric scores.
        label: of the parameter, as shown to people.
        sweep: values, correlations, and where they are highest.
        available: all parameters of metrics that could vary here.
    """

    signature: str
    human: HumanScore
    systems: int
    left_out: tuple[str, ...]
    compared_sentences: int
    label: str
    sweep: Sweep
    available: tuple[Sweepable, ...]


def metric_sweep(
    inputs: ScoredJudgments, parameters: MetricSweepParameters, progress: Progress
) -> SweptMetric:
    """Correlate a metric with people at each value of a parameter (`metrics.validation.sweep`).

    Raises:
        ParameterError: there is no such metric or parameter, a value is impossible, or judgments and scores
            have nothing in common.
        SnapshotError: the judgments lack something.
    """
    human = parameters.human or HumanScore.EXPECTED_WINS
    try:
        data = inputs.compared(tie_width=parameters.tie_width or 0.0)
        name, field = _chosen(data, parameters)
        swept = sweep(
            data,
            human,
            name,
            field.name,
            _values(parameters, field),
            whole_set=parameters.whole_set,
            replicates=parameters.replicates,
            confidence=parameters.confidence,
            seed=parameters.seed,
            threads=THREADS,
            begin=lambda step, total: progress.begin(step, total=total),
            progress=progress.advance,
        )
        sentences = len(data.compared_sentences(whole_set=parameters.whole_set))
    except InputError as error:
        raise ParameterError(str(error)) from error
    return SweptMetric(
        signature=inputs.signature(stated("metric-sweep", parameters)),
        human=human,
        systems=len(data.systems),
        left_out=inputs.unmatched,
        compared_sentences=sentences,
        label=field.label,
        sweep=swept,
        available=tuple(
            Sweepable(metric.name, each.name, each.label, each.changes_statistics)
            for metric in data.metrics
            for each in swept_parameters(metric)
        ),
    )


def _chosen(data: MetricsAndPeople, parameters: MetricSweepParameters) -> tuple[str, ParameterField]:
    """The scores and the parameter that are asked for, or the first ones; a beta comes before others."""
    there = [
        (metric.name, each)
        for metric in data.metrics
        for each in swept_parameters(metric)
        if parameters.of in (None, metric.name) and parameters.over in (None, each.name)
    ]
    if there:
        return min(there, key=lambda item: (item[1].changes_statistics, item[1].name != "beta"))
    every = [f"{metric.name} ({each.name})" for metric in data.metrics for each in swept_parameters(metric)]
    asked = " ".join(filter(None, (parameters.of, parameters.over))) or "a metric"
    raise ParameterError(
        f"no scores here are by {asked} with a numeric parameter; there are: {', '.join(every) or 'none'}"
    )


def _values(parameters: MetricSweepParameters, field: ParameterField) -> Sequence[float] | None:
    if parameters.low is None and parameters.high is None and parameters.step is None:
        return None
    usual = usual_values(field)
    step = (usual[1] - usual[0]) if parameters.step is None else parameters.step
    first = max(usual[0], step) if field.type is float and not field.minimum else usual[0]
    low = first if parameters.low is None else parameters.low
    high = usual[-1] if parameters.high is None else parameters.high
    if low >= high:
        raise ParameterError(faults={"high": f"to should be more than {low:g}, the smallest value"})
    number = int(np.floor(round((high - low) / step, 6))) + 1
    if number > MOST_VALUES:
        fault = f"from {low:g} to {high:g} are {number:,} values, and at most {MOST_VALUES:,} are possible"
        raise ParameterError(faults={"step": fault})
    values = [round(low + place * step, 9) for place in range(number)]
    if field.type is int and any(value != int(value) for value in values):
        raise ParameterError(faults={"step": f"{field.name} takes whole numbers only"})
    return values


def tables(result: SweptMetric) -> tuple[Table, ...]:
    """The result for the terminal."""
    swept = result.sweep
    how = "outputs scored anew for each value" if swept.reduced_anew else "from statistics"
    best = tuple(
        (
            NAMES[coefficient],
            each.value,
            each.low,
            each.high,
            each.correlation.value,
            each.correlation.low,
            each.correlation.high,
            each.correlation.reason if each.value is None else None,
        )
        for coefficient, each in swept.best.items()
    )
    columns = (
        swept.parameter,
        *(f"{name}{end}" for name in NAMES.values() for end in ("", " low", " high")),
    )
    rows = tuple(
        (
            f"{value:g}",
            *(
                figure
                for coefficient in NAMES
                for estimate in [swept.correlations[coefficient][place]]
                for figure in (estimate.value, estimate.low, estimate.high)
            ),
        )
        for place, value in enumerate(swept.values)
    )
    return (
        Table(
            f"{swept.metric} over {swept.parameter}, {how}: {result.systems} systems by "
            f"{HUMAN_SCORES[result.human]}, {result.compared_sentences:,} sentences",
            columns,
            rows,
        ),
        Table(
            "The highest correlations",
            ("", f"at {swept.parameter}", "low", "high", "correlation", "low", "high", "reason"),
            best,
        ),
    )


def methods(parameters: MetricSweepParameters, result: SweptMetric) -> list[str]:
    """The comparison in sentences for a paper."""
    swept = result.sweep
    sentences = [
        f"{swept.metric} is correlated with the {HUMAN_SCORES[result.human]} of people at "
        f"{len(swept.values)} values of {swept.parameter} from {swept.values[0]:g} to {swept.values[-1]:g}, "
        f"over {result.systems} systems and {result.compared_sentences:,} sentences."
    ]
    return [*sentences, *true_intervals_in_words(parameters), *left_out_in_words(result.left_out)]


METRIC_SWEEP = register(
    Analysis(
        name="metric-sweep",
        title="Agreement by parameter",
        help="How far a metric agrees with people for each value of one of its parameters, such as beta.",
        parameters=MetricSweepParameters,
        result=SweptMetric,
        inputs=ScoredJudgments,
        columns=RATED,
        compute=metric_sweep,
        tables=tables,
        methods=methods,
        resolve=resolved,
        too_much=too_much,
        at_once=False,
    )
)
