"""Which metric to report: one that is among the best in every check, or none."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

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
from core.wording import briefly, listed, literal
from metrics import InputError
from metrics.meta_evaluation import Advice, Check, CheckLine, HumanScore, Outcome, ResampledScores, advice

CHECKS = {
    Check.ALL_SYSTEMS: "All systems",
    Check.COUNTED_SYSTEMS: "Without source and references",
    Check.ONE_LEFT_OUT: "Each system left out",
    Check.ENDS_LEFT_OUT: "Ends left out",
    Check.SENTENCES: "By sentence",
    Check.STRESS: "Under stress",
}


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
    roles = inputs.judgments.roles
    apart = tuple(system for system in data.systems if roles.get(system) in NO_SYSTEMS)
    titles = {metric.name: title_of_metric(metric.name) for metric in data.metrics}
    progress.begin("Comparing metrics")
    given: Advice = advice(
        data, resampled.scores([drawn]), human, apart=apart, stress=inputs.stress, titles=titles
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


def _line(place: int, metric: str, computed: Computed) -> CheckLine:
    line: CheckLine = computed.result.lines[metric][place]
    return line


def _outcome(place: int, metric: str, computed: Computed) -> str:
    return str(_line(place, metric, computed).outcome)


def _value_and_ranks(place: int, metric: str, computed: Computed) -> str:
    """The value of a check and the rank, or the best and the worst one."""
    line = _line(place, metric, computed)
    value = "" if line.value is None else f"{line.value:z.2f}"
    if line.ranks is None:
        return value
    best, worst = line.ranks
    return f"{value}, {f'ranks {best}–{worst}' if best != worst else f'rank {best}'}"


def _reason(place: int, metric: str, computed: Computed) -> str:
    return _line(place, metric, computed).reason


def _verdict(metric: str, computed: Computed) -> str:
    """Whether the metric is recommended, and why not or why that is open."""
    result: MetricAdvice = computed.result
    if metric not in result.rejected:
        return "Yes"
    has_failed = any(line.outcome is Outcome.FAILED for line in result.lines[metric])
    return f"{'No' if has_failed else 'Undecided'}. {result.rejected[metric]}"


class Checked(Text):
    """The outcome of a check in a word, which stands out if the metric passed and recedes if it failed."""

    def css_of(self, value: str) -> str:
        """The outcome, as styles know it."""
        return value


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
        Prose("", "Report it?", partial(_verdict, computed=computed), on_paper=False),
        *checks,
    )


def _in_order(computed: Computed) -> list[str]:
    """The metrics, the recommended ones first, then by how few checks they failed and how well they did."""
    result: MetricAdvice = computed.result

    def place(metric: str) -> tuple[bool, int, float]:
        lines = result.lines[metric]
        values = [line.value for line in lines if line.value is not None]
        failed = sum(line.outcome is Outcome.FAILED for line in lines)
        return metric not in result.recommended, failed, -values[0] if values else 0.0

    return sorted(result.lines, key=place)


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
    """The metrics, systems and judgments that were compared."""
    result: MetricAdvice = computed.result
    apart = listed([literal(naming.label(system)) for system in result.apart])
    counts = "does not count as a system" if len(result.apart) == 1 else "do not count as systems"
    counted = f" {apart} {counts}." if apart else ""
    return (
        "A metric is recommended only if it falls short of no other one by more than a margin in each check. "
        "*undecided* means that these judgments do not tell."
        f"{counted}{left_out_on_pages(computed, naming)}"
    )


EXPLANATION = """
Each check compares all metrics on a set of systems, by Pearson's r with people, or on the outputs of each
sentence, by acc\\*eq, with bootstrap errors of the differences. A metric passes if it is shown to fall short
of no other one by more than a margin, fails if it is shown to do so, and is undecided otherwise. The checks:
all systems; those that count; each system left out in turn; outlying systems and the ends of the ranking left
out; by sentence; and under stress, where that was tried.
"""

METRIC_ADVICE = register(
    Analysis(
        name="metric-advice",
        title="Which metric to report",
        group=Group.METRICS,
        question="Which metric should I report?",
        defined_in="metrics-against-people.md#which-metric-to-report",
        help="Which metric agrees with people whichever systems are left out, by system and by sentence.",
        parameters=MetricAdviceParameters,
        result=MetricAdvice,
        inputs=StressedMetrics,
        columns=RATED,
        compute=metric_advice,
        tables={
            "verdicts": Table(
                rows=_in_order, columns=verdict_columns, caption="Outcome of each check", in_files=False
            ),
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
