"""Which metric to report: one that is among the best in every check, or none."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import inf
from operator import attrgetter
from typing import NamedTuple

from analysis.analyses.base import Analysis, Group, register, stated
from analysis.analyses.metric_titles import MetricName, title_of_metric
from analysis.analyses.metrics.against_people import (
    RENEWED_AFTER_SECONDS,
    EverySystemAgainstPeople,
    left_out_on_pages,
    resolved_of_systems,
    too_much,
)
from analysis.analyses.metrics.scored_judgments import StressedMetrics
from analysis.analyses.systems.ranking import RATED, THREADS
from analysis.analyses.systems.ranking_headline import NO_SYSTEMS
from core.columns import Column, Count, Number, Prose, Text
from core.names import Naming
from core.parameters import ParameterError
from core.progress import Progress
from core.results import Computed
from core.tables import Table
from core.wording import briefly, counted, listed, literal
from metrics import InputError
from metrics.meta_evaluation import (
    Advice,
    Check,
    CheckLine,
    Counted,
    HumanScore,
    MetricsAndPeople,
    Outcome,
    ResampledScores,
    SystemScores,
    advice,
    deciding,
    judged_anew,
    people,
)
from metrics.meta_evaluation.advice import FEWEST_SYSTEMS, LEAST_AGREEMENT
from metrics.meta_evaluation.comparison import MARGIN, SENTENCE_MARGIN
from ranking import without_systems

CHECKS = {
    Check.ALL_SYSTEMS: "All systems",
    Check.COUNTED_SYSTEMS: "Without source and references",
    Check.ONE_LEFT_OUT: "Each system left out",
    Check.ENDS_LEFT_OUT: "Ends left out",
    Check.SENTENCES: "By sentence",
    Check.STRESS: "Under stress",
}

NBSP = "\N{NO-BREAK SPACE}"


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricAdviceParameters(EverySystemAgainstPeople):
    """Parameters of the advice. The help of each describes it."""


@dataclass(frozen=True, slots=True)
class MetricAdvice:
    """Result of the analysis.

    Attributes:
        signature: computation, judgments and scores; equal signatures mean equal numbers.
        left_out: systems that were judged and not scored, or scored and not judged.
        apart: judged systems that do not count: the source, references and controls.
        recommended: metrics that passed each check that could be made, the highest r first.
        rejected: by name of every other metric, why.
        lines: by metric, the checks in order; empty where none could be made.
        reason: why no metric is recommended, in words; None where one is.
    """

    signature: str
    left_out: tuple[str, ...]
    apart: tuple[str, ...]
    recommended: tuple[str, ...]
    rejected: Mapping[str, str]
    lines: Mapping[str, tuple[CheckLine, ...]]
    reason: str | None


def metric_advice(
    inputs: StressedMetrics, parameters: MetricAdviceParameters, progress: Progress
) -> MetricAdvice:
    """Compare the metrics in every check (`metrics.meta_evaluation.advice`).

    Raises:
        ParameterError: judgments and scores have nothing in common.
        SnapshotError: the judgments lack something.
    """
    progress.begin("Preparing")
    human = parameters.human or HumanScore.EXPECTED_WINS
    try:
        data = inputs.compared(tie_width=parameters.tie_width or 0.0)
        resampled = ResampledScores(data, human, whole_set=parameters.whole_set, threads=THREADS)
    except InputError as error:
        raise ParameterError(str(error)) from error
    progress.begin("Resampling sentences", total=parameters.replicates)
    drawn = resampled.draw(range(parameters.replicates), parameters.seed, progress=progress.advance)
    scores = resampled.scores([drawn])
    roles = inputs.judgments.roles
    apart = tuple(system for system in data.systems if roles.get(system) in NO_SYSTEMS)
    progress.begin("Comparing metrics")
    alone = None
    if apart and len(data.systems) - len(apart) >= FEWEST_SYSTEMS:
        alone = _counted_alone(inputs, parameters, human, data, apart, scores)
    titles = {metric.name: title_of_metric(metric.name) for metric in data.metrics}
    given: Advice = advice(
        data,
        scores,
        human,
        apart=apart,
        counted_alone=alone,
        stress=inputs.stress,
        titles=titles,
    )
    return MetricAdvice(
        signature=inputs.signature(stated("metric-advice", parameters)),
        left_out=inputs.unmatched,
        apart=apart,
        recommended=given.recommended,
        rejected=dict(given.rejected),
        lines=dict(given.lines),
        reason=given.reason,
    )


def _counted_alone(
    inputs: StressedMetrics,
    parameters: MetricAdviceParameters,
    human: HumanScore,
    data: MetricsAndPeople,
    apart: Sequence[str],
    scores: SystemScores,
) -> Counted:
    """The systems that count, judged without those apart, as in *Metrics against people*."""
    snapshot = without_systems(inputs.judged_and_scored, apart)
    judged = people(snapshot, inputs.sentences, tie_width=parameters.tie_width or 0.0, step=inputs.step)
    places = [data.systems.index(system) for system in judged.systems]
    alone = MetricsAndPeople(judged, tuple(metric.in_order(places) for metric in data.metrics), data.domains)
    return Counted(
        alone,
        judged_anew(
            scores,
            data.systems,
            alone,
            human,
            whole_set=parameters.whole_set,
            replicates=parameters.replicates,
            seed=parameters.seed,
            threads=THREADS,
        ),
    )


def _line(place: int, metric: str, computed: Computed) -> CheckLine:
    line: CheckLine = computed.result.lines[metric][place]
    return line


class CheckOutcome(NamedTuple):
    """Attributes: outcome: of a check; is_deciding: whether the verdict on the metric rests on it."""

    outcome: Outcome
    is_deciding: bool


def _outcome(place: int, metric: str, computed: Computed) -> CheckOutcome:
    line = _line(place, metric, computed)
    return CheckOutcome(line.outcome, line is deciding(computed.result.lines[metric]))


def _value_and_ranks(place: int, metric: str, computed: Computed) -> str:
    """The value of a check and the rank, or the best and the worst one; under stress, the faults.

    With each system left out, also the one without which the metric has this value.
    """
    line = _line(place, metric, computed)
    if line.check is Check.STRESS:
        smaller = "smaller " if line.outcome is Outcome.PASSED else ""
        return counted(line.faults, f"{smaller}fault") if line.faults else ""
    value = "" if line.value is None else f"{line.value:z.2f}"
    if line.check is Check.ONE_LEFT_OUT and line.without:
        value += f" without {listed(line.without)}"
    if line.ranks is None:
        return value
    best, worst = line.ranks
    ranks = f"ranks{NBSP}{best}–{worst}" if best != worst else f"rank{NBSP}{best}"
    return f"{value}, {ranks}"


def _reason(place: int, metric: str, computed: Computed) -> str:
    return _line(place, metric, computed).reason


def _verdict(metric: str, computed: Computed) -> str:
    """Whether the metric is recommended, or whether that is open."""
    result: MetricAdvice = computed.result
    if metric not in result.rejected:
        return "Yes"
    return "No" if _has_failed(result.lines[metric]) else "Undecided"


def _has_failed(lines: Sequence[CheckLine]) -> bool:
    return any(line.outcome is Outcome.FAILED for line in lines)


class Checked(Text):
    """The outcome of a check in a word, which stands out if the metric passed or if it decides."""

    def css_of(self, value: CheckOutcome) -> str:
        """The outcome, as styles know it, and whether it decides."""
        return f"{value.outcome} deciding" if value.is_deciding else str(value.outcome)

    def text(self, value: CheckOutcome, naming: Naming) -> str:
        """The outcome."""
        return str(value.outcome)


def verdict_columns(computed: Computed) -> tuple[Column, ...]:
    """The verdict, and a column for each check."""
    checks = (
        Checked(
            "",
            title,
            partial(_outcome, place, computed=computed),
            note=partial(_value_and_ranks, place, computed=computed),
            hint=partial(_reason, place, computed=computed),
            on_paper=False,
        )
        for place, title in enumerate(CHECKS.values())
    )
    return (
        MetricName("", "Metric", lambda metric: metric, on_paper=False),
        Text("", "Report it?", partial(_verdict, computed=computed), on_paper=False),
        *checks,
    )


def _in_order(computed: Computed) -> list[str]:
    """The metrics: those to report, those that are undecided, and the others, each by r."""
    result: MetricAdvice = computed.result

    def place(metric: str) -> tuple[bool, bool, float]:
        lines = result.lines[metric]
        r = next((line.value for line in lines if line.check is Check.COUNTED_SYSTEMS), None)
        return metric in result.rejected, _has_failed(lines), inf if r is None else -r

    return sorted(result.lines, key=place)


class Reason(NamedTuple):
    """Attributes: words: why, in a sentence; metrics: of which this is true."""

    words: str
    metrics: list[str]


def _reasons(computed: Computed) -> list[Reason]:
    """Why metrics are not recommended; those with one reason together, in the order of the table."""
    result: MetricAdvice = computed.result
    together: dict[str, list[str]] = {}
    for metric in _in_order(computed):
        line = deciding(result.lines[metric])
        if line is not None:
            together.setdefault(line.in_short or line.reason, []).append(metric)
    return [
        Reason(words if len(metrics) > 1 else result.rejected[metrics[0]], metrics)
        for words, metrics in together.items()
    ]


REASONS = Table(
    rows=_reasons,
    columns=(
        Text(
            "",
            "Metrics",
            lambda reason: briefly([title_of_metric(metric) for metric in reason.metrics]),
            on_paper=False,
        ),
        Prose("", "Reason", attrgetter("words"), on_paper=False),
    ),
    caption="Why a metric is not recommended",
    in_files=False,
)


def _checks(computed: Computed) -> list[tuple[str, CheckLine]]:
    return [(metric, line) for metric in _in_order(computed) for line in computed.result.lines[metric]]


CHECKED: tuple[Column, ...] = (
    MetricName("metric", "Metric", lambda row: row[0], on_page=False),
    Text("check", "Check", lambda row: str(row[1].check), on_page=False),
    Text("outcome", "Outcome", lambda row: str(row[1].outcome), on_page=False),
    Number("value", "Value", lambda row: row[1].value, on_page=False),
    Count("best_rank", "Best rank", lambda row: row[1].ranks and row[1].ranks[0], on_page=False),
    Count("worst_rank", "Worst rank", lambda row: row[1].ranks and row[1].ranks[1], on_page=False),
    Text("without", value=lambda row: " ".join(row[1].without)),
    Text("reason", value=lambda row: row[1].reason),
    Count("faults", value=lambda row: row[1].faults if row[1].check is Check.STRESS else None),
)


def _untried(lines: Sequence[CheckLine]) -> bool:
    """Whether a metric was not tried under stress."""
    return any(line.check is Check.STRESS and line.outcome is Outcome.UNCHECKED for line in lines)


def untried(result: MetricAdvice) -> list[str]:
    """The metrics that were not tried under stress."""
    return [metric for metric, lines in result.lines.items() if _untried(lines)]


def headline(computed: Computed, naming: Naming) -> str:
    """The metrics to report, or why none."""
    result: MetricAdvice = computed.result
    if result.reason:
        return f"None: {result.reason}"
    names = [title_of_metric(metric) for metric in result.recommended]
    if any(_untried(result.lines.get(metric, ())) for metric in result.recommended):
        those = briefly(names, "is", "are")
        return f"{those} among the best in every check but stress, which was not tried"
    if len(names) == 1:
        return f"{names[0]} is the metric to report: it is among the best in every check"
    return f"{briefly(names)} are among the best in every check"


def lead(computed: Computed, naming: Naming) -> str:
    """What the outcomes of checks mean, and which systems count."""
    result: MetricAdvice = computed.result
    said = (
        "Report a metric only if it passed every check.\n\n"
        f"- *passed*: it is shown to fall short of no other metric by more than {MARGIN:g} of r, or "
        f"{SENTENCE_MARGIN:g} of acc\\*eq\n"
        "- *failed*: another metric surely agrees more with people, by more than that; or it hardly agrees "
        f"(r below {LEAST_AGREEMENT:g}), or rewards degenerate outputs\n"
        "- *undecided*: these judgments do not tell\n\n"
        "Bold: the check that decides. Below each outcome are r (by sentence, acc\\*eq) and the rank among "
        "all metrics; where systems are left out, those with which the metric does worst."
    )
    if result.apart:
        apart = listed([literal(naming.label(system)) for system in result.apart], "counts", "count")
        said += f" {apart} only in *{CHECKS[Check.ALL_SYSTEMS]}*."
    return f"{said}{left_out_on_pages(computed, naming)}"


EXPLANATION = """
Each check compares all metrics on a set of systems, by Pearson's r with people, or on the outputs of each
sentence, by acc\\*eq, with bootstrap errors of the differences. A metric passes if it is shown to fall short
of no other one by more than the margin, fails if it is shown to do so, and is undecided otherwise; without
the ends of the ranking, where r is uncertain, it passes unless it fails. The checks: all systems; those that
count; each system left out in turn; outlying systems and the ends of the ranking left out; by sentence; and
under stress, where that was tried. With systems left out, the value is the one where the metric does worst.

*Metrics under stress* names more faults than fail here. Under stress, a metric passes if it scores a person's
corrections above no change, over-edited corrections below these, and no other degenerate output a tenth of
the way up from no change to these, or more. Faults that are smaller change no winner; they are counted.
"""

METRIC_ADVICE = register(
    Analysis(
        name="metric-advice",
        title="Which metric to report",
        group=Group.METRICS,
        question="Which metric should I report?",
        defined_in="metrics-against-people.md#which-metric-to-report",
        help="Checks of each metric with systems left out, by sentence and under stress.",
        parameters=MetricAdviceParameters,
        result=MetricAdvice,
        inputs=StressedMetrics,
        columns=RATED,
        compute=metric_advice,
        tables={
            "verdicts": Table(
                rows=_in_order, columns=verdict_columns, caption="Outcome of each check", in_files=False
            ),
            "reasons": REASONS,
            "checks": Table(rows=_checks, columns=CHECKED, caption="All checks of all metrics"),
        },
        headline=headline,
        lead=lead,
        explanation=EXPLANATION,
        template="analysis/metric_advice.html",
        fields=("human", "exclude_systems", "domain", "excluded"),
        resolve=resolved_of_systems,
        too_much=too_much,
        tabs="metrics",
        tab="Agreement",
        label="Which to report",
        place=5,
        at_once=False,
        renewed_after=RENEWED_AFTER_SECONDS,
    )
)
