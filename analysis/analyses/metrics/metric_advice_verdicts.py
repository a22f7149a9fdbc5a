"""The verdicts on metrics: what the advice on them gives, and its tables."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import inf
from typing import NamedTuple

from analysis.analyses.metric_titles import MetricName
from analysis.analyses.metrics import stress
from core.columns import Column, Count, Number, Prose, Text
from core.names import Naming
from core.results import Computed
from core.wording import listed
from metrics.meta_evaluation import Check, CheckLine, Estimate, Outcome, deciding

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
        return _faults(line)
    value = "" if line.value is None else f"{line.value:z.2f}"
    if line.check is Check.ONE_LEFT_OUT and line.without:
        value += f" without {listed(line.without)}"
    if line.ranks is None:
        return value
    best, worst = line.ranks
    ranks = f"ranks{NBSP}{best}–{worst}" if best != worst else f"rank{NBSP}{best}"
    return f"{value}, {ranks}"


def _faults(line: CheckLine) -> str:
    """The faults under stress in the words of *Metrics under stress*; empty if a metric was not tried."""
    if line.outcome is Outcome.UNCHECKED:
        return ""
    if line.outcome is not Outcome.PASSED:
        return stress.Verdict.LARGE_UNSURE if line.is_perhaps else stress.Verdict.LARGE
    if not line.faults:
        return "no fault"
    return stress.Verdict.SMALL_UNSURE if line.is_perhaps else stress.Verdict.SMALL


def _reason(place: int, metric: str, computed: Computed) -> str:
    return _line(place, metric, computed).reason


def outcome(result: MetricAdvice, metric: str) -> Outcome:
    """The outcome of all checks of a metric together."""
    if metric not in result.rejected:
        return Outcome.PASSED
    return Outcome.FAILED if has_failed(result.lines[metric]) else Outcome.UNDECIDED


VERDICTS = {Outcome.PASSED: "recommended", Outcome.FAILED: "fails", Outcome.UNDECIDED: "undecided"}


def _verdict(metric: str, computed: Computed) -> str:
    return VERDICTS[outcome(computed.result, metric)]


def _why(metric: str, computed: Computed) -> str:
    """Why a metric does not pass, in short; empty if it does."""
    line = deciding(computed.result.lines[metric])
    return "" if line is None else line.in_short or line.reason


def _name(computed: Computed) -> Column:
    return MetricName("", "Metric", str, note=partial(_verdict, computed=computed))


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


MARKS = {Outcome.PASSED: "✓", Outcome.FAILED: "✗", Outcome.UNDECIDED: "?", Outcome.UNCHECKED: "–"}


class CheckMark(Checked):
    """The outcome of a check as a mark, with the word for those who hear the page."""

    css = "check"
    cell = "analysis/cells/outcome.html"

    def css_of(self, value: CheckOutcome) -> str:
        """As of the word, in a narrow column."""
        return f"{self.css} {Checked.css_of(self, value)}"

    def shown(self, value: CheckOutcome, naming: Naming) -> tuple[str, str]:
        """The mark and the word."""
        return MARKS[value.outcome], str(value.outcome)


def _checks(result: MetricAdvice) -> list[tuple[int, str]]:
    """The place and the title of each check; without that of stress if nobody tried it."""
    return [
        (place, title)
        for place, (check, title) in enumerate(CHECKS.items())
        if check is not Check.STRESS or is_tried(result)
    ]


def _r(metric: str, result: MetricAdvice) -> float | None:
    """Pearson's r over the systems that count."""
    estimate = result.pearson.get(metric)
    return None if estimate is None else estimate.value


def verdict_columns(computed: Computed) -> tuple[Column, ...]:
    """Each metric with its verdict, and a mark for each check."""
    result: MetricAdvice = computed.result
    return (
        _name(computed),
        Number("", "r", lambda metric: _r(metric, result), digits=2, is_aside=True),
        *(
            CheckMark(
                "",
                title,
                partial(_outcome, place, computed=computed),
                hint=partial(_reason, place, computed=computed),
            )
            for place, title in _checks(result)
        ),
    )


def outcome_columns(computed: Computed) -> tuple[Column, ...]:
    """Why each metric does not pass, and the outcome of each check with its numbers."""
    result: MetricAdvice = computed.result
    return (
        _name(computed),
        Prose("", "Why not", partial(_why, computed=computed)),
        *(
            Checked(
                "",
                title,
                partial(_outcome, place, computed=computed),
                note=partial(_value_and_ranks, place, computed=computed),
                hint=partial(_reason, place, computed=computed),
            )
            for place, title in _checks(result)
        ),
    )


def in_order(computed: Computed) -> list[str]:
    """The metrics: those to report, those that are undecided, and the others, each by r."""
    result: MetricAdvice = computed.result

    def place(metric: str) -> tuple[bool, bool, float]:
        lines = result.lines[metric]
        r = next((line.value for line in lines if line.check is Check.COUNTED_SYSTEMS), None)
        return metric in result.rejected, has_failed(lines), inf if r is None else -r

    return sorted(result.lines, key=place)


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


def is_tried(result: MetricAdvice) -> bool:
    """Whether some metric was tried under stress."""
    return len(untried(result)) < len(result.lines)


def untried(result: MetricAdvice) -> list[str]:
    """The metrics that were not tried under stress."""
    return [metric for metric, lines in result.lines.items() if is_untried(lines)]
