"""The verdicts on metrics: what the advice on them gives, and its tables."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import inf
from operator import attrgetter
from typing import NamedTuple

from analysis.analyses.metric_titles import MetricName, title_of_metric
from core.columns import Column, Count, Number, Prose, Text
from core.names import Naming
from core.results import Computed
from core.tables import Table
from core.wording import briefly, counted, listed
from metrics.meta_evaluation import Check, CheckLine, Estimate, Outcome, deciding
from metrics.meta_evaluation.advice import LEAST_AGREEMENT

CHECKS = {
    Check.ALL_SYSTEMS: "All systems",
    Check.COUNTED_SYSTEMS: "Without source and references",
    Check.ONE_LEFT_OUT: "Each system left out",
    Check.ENDS_LEFT_OUT: "Ends left out",
    Check.SENTENCES: "By sentence",
    Check.STRESS: "Under stress",
}

NBSP = "\N{NO-BREAK SPACE}"


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
        pearson: by metric, Pearson's r over the systems that count, with its interval; empty where no check
            could be made.
    """

    signature: str
    left_out: tuple[str, ...]
    apart: tuple[str, ...]
    recommended: tuple[str, ...]
    rejected: Mapping[str, str]
    lines: Mapping[str, tuple[CheckLine, ...]]
    reason: str | None
    pearson: Mapping[str, Estimate] = field(default_factory=dict)


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


def outcome(result: MetricAdvice, metric: str) -> Outcome:
    """The outcome of all checks of a metric together."""
    if metric not in result.rejected:
        return Outcome.PASSED
    return Outcome.FAILED if has_failed(result.lines[metric]) else Outcome.UNDECIDED


VERDICTS = {Outcome.PASSED: "Yes", Outcome.FAILED: "No", Outcome.UNDECIDED: "Undecided"}
"""Whether to report a metric, by the outcome of all its checks."""


def _verdict(metric: str, computed: Computed) -> str:
    return VERDICTS[outcome(computed.result, metric)]


def _decided_by(metric: str, computed: Computed) -> str:
    """The check that decides on the metric, with the value there; empty if it passed all."""
    line = deciding(computed.result.lines[metric])
    if line is None:
        return ""
    return CHECKS[line.check].lower() + ("" if line.value is None else f", {line.value:z.2f}")


def has_failed(lines: Sequence[CheckLine]) -> bool:
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
    """The verdict with what decides it, and a column for each check; that of stress if it was tried."""
    result: MetricAdvice = computed.result
    shown = [
        (place, title)
        for place, (check, title) in enumerate(CHECKS.items())
        if check is not Check.STRESS or len(untried(result)) < len(result.lines)
    ]
    checks = (
        Checked(
            "",
            title,
            partial(_outcome, place, computed=computed),
            note=partial(_value_and_ranks, place, computed=computed),
            hint=partial(_reason, place, computed=computed),
            on_paper=False,
        )
        for place, title in shown
    )
    return (
        MetricName("", "Metric", lambda metric: metric, on_paper=False),
        Text(
            "",
            "Report it?",
            partial(_verdict, computed=computed),
            note=partial(_decided_by, computed=computed),
            on_paper=False,
        ),
        *checks,
    )


def in_order(computed: Computed) -> list[str]:
    """The metrics: those to report, those that are undecided, and the others, each by r."""
    result: MetricAdvice = computed.result

    def place(metric: str) -> tuple[bool, bool, float]:
        lines = result.lines[metric]
        r = next((line.value for line in lines if line.check is Check.COUNTED_SYSTEMS), None)
        return metric in result.rejected, has_failed(lines), inf if r is None else -r

    return sorted(result.lines, key=place)


class Reason(NamedTuple):
    """Attributes: words: why, in a sentence; metrics: of which this is true."""

    words: str
    metrics: list[str]


def _reasons(computed: Computed) -> list[Reason]:
    """Why metrics are not recommended; those with one reason together, in the order of the table."""
    result: MetricAdvice = computed.result
    together: dict[tuple[str, bool], list[str]] = {}
    for metric in in_order(computed):
        line = deciding(result.lines[metric])
        if line is not None:
            together.setdefault((line.in_short or line.reason, _is_low(line, metric, computed)), []).append(
                metric
            )
    return [
        Reason(
            f"{words if len(metrics) > 1 else result.rejected[metrics[0]]}{TOO_LOW if is_low else ''}",
            metrics,
        )
        for (words, is_low), metrics in together.items()
    ]


TOO_LOW = f" Besides, r is below {LEAST_AGREEMENT:g}."


def _is_low(deciding_line: CheckLine, metric: str, computed: Computed) -> bool:
    """Whether a metric fails by its low r too, besides what decides."""
    line: CheckLine = next(
        each for each in computed.result.lines[metric] if each.check is Check.COUNTED_SYSTEMS
    )
    return line is not deciding_line and line.value is not None and line.value < LEAST_AGREEMENT


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
    note="Here each comparison of two metrics is taken alone. *Metrics against people* corrects its tests "
    "for all pairs of metrics, so it may mark fewer as clearly below the highest r.",
)


def checks_of_all(computed: Computed) -> list[tuple[str, CheckLine]]:
    return [(metric, line) for metric in in_order(computed) for line in computed.result.lines[metric]]


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


def is_untried(lines: Sequence[CheckLine]) -> bool:
    """Whether a metric was not tried under stress."""
    return any(line.check is Check.STRESS and line.outcome is Outcome.UNCHECKED for line in lines)


def untried(result: MetricAdvice) -> list[str]:
    """The metrics that were not tried under stress."""
    return [metric for metric, lines in result.lines.items() if is_untried(lines)]
