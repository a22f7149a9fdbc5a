"""Analysis of a metric against people over the values of one of its parameters."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from operator import itemgetter

import numpy as np

from analysis.analyses.base import Analysis, Group, register, stated
from analysis.analyses.metric_titles import title_of_metric
from analysis.analyses.metrics.against_people import (
    CHOOSING,
    CORRELATIONS,
    OF_METRICS,
    SystemsAgainstPeople,
    human_scores_of_systems,
    left_out_in_words,
    left_out_on_pages,
    resolved_of_systems,
    true_intervals_in_words,
)
from analysis.analyses.metrics.scored_judgments import ScoredJudgments
from analysis.analyses.systems.ranking import THREADS
from core.columns import Column, Estimated, Number, PValue, Text
from core.names import Naming
from core.parameters import ParameterError, ParameterField, parameter
from core.progress import Progress
from core.results import Choice, Computed, Figure, Layout, Section
from core.tables import Table
from core.wording import counted, listed, percent
from figures.drawing import Chart
from figures.metrics.sweep import sweep_figure
from metrics import in_usual_order
from metrics.base.resampling import SIGNIFICANT
from metrics.meta_evaluation import (
    BestValue,
    Estimate,
    HumanScore,
    MetricsAndPeople,
    MetricScores,
    Sweep,
    sweep,
    swept_parameters,
    usual_values,
)
from ranking import Coefficient

MOST_VALUES = 1000
SYMBOLS = {each: CORRELATIONS[each.value] for each in (Coefficient.SPEARMAN, Coefficient.PEARSON)}

ON_PAGES = Coefficient.PEARSON, Coefficient.SPEARMAN
"""The coefficients in the order of headings and figures; files have that of Figure 3 of GJG15."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricSweepParameters(SystemsAgainstPeople):
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
    """Correlate a metric with people at each value of a parameter
    (`metrics.meta_evaluation.sensitivity.sweep`).

    Raises:
        ParameterError: there is no such metric or parameter, a value is impossible, or judgments and scores
            have nothing in common.
        SnapshotError: the judgments lack something.
    """
    human = parameters.human or HumanScore.EXPECTED_WINS
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
            for metric in _in_usual_order(data.metrics)
            for each in swept_parameters(metric)
        ),
    )


def _in_usual_order(metrics: Sequence[MetricScores]) -> list[MetricScores]:
    names = in_usual_order(metric.name for metric in metrics)
    return sorted(metrics, key=lambda metric: names.index(metric.name))


def _chosen(data: MetricsAndPeople, parameters: MetricSweepParameters) -> tuple[str, ParameterField]:
    """The scores and the parameter that are asked for, or the first in the usual order.

    Beta comes before other weights, and these before whole numbers, such as iterations.
    """
    there = [
        (metric.name, each)
        for metric in _in_usual_order(data.metrics)
        for each in swept_parameters(metric)
        if parameters.of in (None, metric.name) and parameters.over in (None, each.name)
    ]
    if there:
        return min(there, key=_place)
    every = [f"{metric.name} ({each.name})" for metric in data.metrics for each in swept_parameters(metric)]
    asked = " ".join(filter(None, (parameters.of, parameters.over))) or "a metric"
    raise ParameterError(
        f"no scores here are by {asked} with a numeric parameter; there are: {', '.join(every) or 'none'}"
    )


def _place(offered: tuple[str, ParameterField]) -> tuple[bool, ...]:
    field = offered[1]
    return field.changes_statistics, field.name != "beta", field.type is int


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


class Setting(Column):
    """A value of the parameter, as people write it."""

    css = "number"

    def text(self, value: float, naming: Naming) -> str:
        """Without needless decimals."""
        return f"{value:g}"


VALUES = Table(
    rows=lambda computed: [
        (value, {name: curve[place] for name, curve in computed.result.sweep.correlations.items()})
        for place, value in enumerate(computed.result.sweep.values)
    ],
    columns=lambda computed: (
        Setting("value", computed.result.sweep.parameter, itemgetter(0)),
        *(
            Estimated(
                name.value,
                name.value.capitalize(),
                partial(_of_coefficient, name),
                digits=4,
                ends_on_paper=("low", "high"),
                heading=SYMBOLS[name],
                is_shaded=True,
            )
            for name in SYMBOLS
        ),
    ),
    caption="Correlations at each value",
    comment=lambda computed: computed.result.sweep.metric,
)


def _of_coefficient(name: Coefficient, row: tuple[float, Mapping[Coefficient, Estimate]]) -> Estimate:
    return row[1][name]


def _range(best: BestValue) -> str:
    return "" if best.low is None else f"{best.low:g} to {best.high:g}"


BEST = Table(
    rows=lambda computed: [
        (SYMBOLS[name], computed.result.sweep.best[name], computed.result.sweep.at_default[name])
        for name in ON_PAGES
    ],
    columns=lambda computed: (
        Text("", "Correlation", itemgetter(0)),
        PValue("", "p", lambda row: row[1].p_value, heading="p"),
        Setting(
            "",
            f"at {computed.result.sweep.parameter}",
            lambda row: row[1].value,
            heading=f"Highest at {computed.result.sweep.parameter}",
            note=lambda row: _range(row[1]),
        ),
        Number("", "Highest", lambda row: row[1].correlation.value, digits=2, heading="Highest value"),
        Number(
            "",
            f"at {computed.result.sweep.default:g}",
            lambda row: row[2].value,
            digits=2,
            heading=f"Value at {computed.result.sweep.default:g}",
        ),
    ),
    caption="The highest correlation, and whether it is clearly higher than at the default",
    in_files=False,
    note=lambda computed, naming: about_best(computed),
)


def about_best(computed: Computed) -> str:
    """What p is of, and that the highest correlation is too high."""
    swept: Sweep = computed.result.sweep
    said = (
        f"The highest of {len(swept.values)} correlations with the same judgments flatters the metric: on "
        "other judgments, expect less."
    )
    if not computed.parameters.replicates:
        return said
    confidence = percent(computed.parameters.confidence)
    return (
        f"{said} *p* takes that into account. Beside the best {swept.parameter}: those that were best in "
        f"{confidence} of the resamples."
    )


def _clear(swept: Sweep) -> list[Coefficient]:
    """The coefficients by which some value is clearly better than that of the scores."""
    p_values = {each: swept.best[each].p_value for each in ON_PAGES}
    return [each for each, p in p_values.items() if p is not None and p <= SIGNIFICANT]


def headline(computed: Computed, naming: Naming) -> str:
    """Whether some value is clearly better than the one of the scores, by each coefficient."""
    swept: Sweep = computed.result.sweep
    name, over, default = title_of_metric(swept.metric), swept.parameter, f"{swept.default:g}"
    best, r = swept.best, swept.best[Coefficient.PEARSON]
    if r.value is None:
        return f"{name} cannot be correlated with people"
    if clear := _clear(swept):
        first, *further = clear
        of_best, of_default = _both(swept, first)
        said = (
            f"By {SYMBOLS[first]}, {name} agrees clearly better with people at {over} = "
            f"{best[first].value:g} ({of_best}) than at {default} ({of_default})"
        )
        for each in further:
            said += f"; by {SYMBOLS[each]}, at {best[each].value:g} ({' against '.join(_both(swept, each))})"
        others = [SYMBOLS[each] for each in ON_PAGES if each not in clear]
        return f"{said}; not by {listed(others)}" if others else said
    if r.p_value is None and r.value != swept.default:
        return f"{name} has its highest r with people at {over} = {r.value:g}, which is not tested"
    more = "clearly better" if any(each.value != swept.default for each in best.values()) else "better"
    there, highest = swept.at_default[Coefficient.PEARSON].value, r.correlation.value
    said = "" if there is None else f": r is {there:.2f} there and {highest:.2f} at most"
    return f"No {over} agrees {more} with people than the {default} of {name}{said}"


def _both(swept: Sweep, coefficient: Coefficient) -> tuple[str, str]:
    """The highest correlation, and that at the default."""
    highest, default = swept.best[coefficient].correlation.value, swept.at_default[coefficient].value
    return f"{highest:.2f}", f"{default:.2f}"


def lead(computed: Computed, naming: Naming) -> str:
    """Which values, systems and sentences are compared."""
    result: SweptMetric = computed.result
    how = (
        "; all outputs were scored again for each"
        if result.sweep.reduced_anew
        else ", computed from statistics without scoring again"
    )
    return (
        f"{len(result.sweep.values)} values of {result.sweep.parameter}{how}; against "
        f"{human_scores_of_systems(result.human)} of {counted(result.systems, 'system')}, on "
        f"{counted(result.compared_sentences, 'sentence')}.{left_out_on_pages(computed, naming)}"
    )


def methods(parameters: MetricSweepParameters, result: SweptMetric) -> list[str]:
    """The comparison in sentences for a paper."""
    swept = result.sweep
    sentences = [
        f"{swept.metric} is correlated with {human_scores_of_systems(result.human)} from people at "
        f"{len(swept.values)} values of {swept.parameter} from {swept.values[0]:g} to {swept.values[-1]:g}, "
        f"over {result.systems} systems and {result.compared_sentences:,} sentences."
    ]
    return [*sentences, *true_intervals_in_words(parameters), *left_out_in_words(result.left_out)]


def draw(computed: Computed, naming: Naming, layout: Layout) -> Chart:
    """The chosen correlation over the values."""
    swept: Sweep = computed.result.sweep
    shown = Coefficient(computed.chosen["coefficient"])
    people = human_scores_of_systems(computed.result.human)
    return sweep_figure(
        swept.values,
        swept.correlations[shown],
        swept.best[shown],
        coefficient=SYMBOLS[shown],
        name=swept.parameter,
        default=swept.default,
        title=f"{naming.title}: {title_of_metric(swept.metric)} with {people}",
    )


COEFFICIENT = Choice(
    "Correlation",
    lambda computed: {each.value: SYMBOLS[each] for each in ON_PAGES},
    usual=lambda computed: next(iter([*_clear(computed.result.sweep), *ON_PAGES])).value,
)
"""The correlation that the figure shows: at first the one that the heading is about."""


def figure_note(computed: Computed, naming: Naming) -> str:
    """The meaning of dashes and shades in the figure."""
    note = f"Dashed: the value of the stored scores, {computed.result.sweep.default:g}."
    if not computed.parameters.replicates:
        return note
    confidence = percent(computed.parameters.confidence)
    return f"{note} Shaded: {confidence} intervals of the correlation on all sentences like these."


EXPLANATION = """
The metric scores the systems with each value of the parameter, and its scores are correlated with people’s
(Grundkiewicz et al. 2015, section 6.3 and Figure 3). A value that is chosen by its correlation agrees too
well with these very judgments, so its lead over the default is tested with the choice in mind: it is compared
with the largest lead of any value in each resample of the sentences, so p is the chance of so large a lead
if no value agreed better than the default. Leads in resamples are less their mean,
and all leads are multiples of their standard deviations (Romano and Wolf 2005, after White 2000). If the
values that were best in the resamples lie far apart, these judgments do not say which value is best.
"""

METRIC_SWEEP = register(
    Analysis(
        **OF_METRICS,
        name="metric-sweep",
        title="Agreement by parameter",
        group=Group.METRICS,
        question="Which value of a metric’s parameter agrees best with people?",
        defined_in="metrics-against-people.md#over-the-values-of-a-parameter",
        help="Correlations for each value of one parameter, such as beta.",
        parameters=MetricSweepParameters,
        result=SweptMetric,
        compute=metric_sweep,
        tables={"best": BEST, "sweep": VALUES},
        figures={
            "sweep": Figure(
                caption=lambda computed: (
                    f"{SYMBOLS[Coefficient(computed.chosen['coefficient'])]} of "
                    f"{title_of_metric(computed.result.sweep.metric)} with people over "
                    f"{computed.result.label.lower()}"
                ),
                draw=draw,
                has_content=lambda computed: (
                    computed.result.sweep.best[Coefficient(computed.chosen["coefficient"])].value is not None
                ),
                by="coefficient",
                note=figure_note,
            )
        },
        choices={"coefficient": COEFFICIENT},
        headline=headline,
        lead=lead,
        sections=[Section(title="All values", tables=["sweep"], is_folded=True)],
        explanation=EXPLANATION,
        fields=("low", "high", "step", "human", "whole_set", *CHOOSING),
        template="analysis/against_people.html",
        route="metric-sweep",
        tab="Sensitivity",
        label="By parameter",
        place=40,
        methods=methods,
        resolve=resolved_of_systems,
    )
)
