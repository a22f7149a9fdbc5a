"""The answer to which metric should be reported."""

from analysis.analyses.metric_titles import title_of_metric
from analysis.analyses.metrics.metric_advice import verdict_in_words
from analysis.analyses.metrics.metric_advice_verdicts import CHECKS, MetricAdvice, outcome
from analysis.answers.answer import ROWS, Answer, rows_on_one_scale
from core.wording import listed
from metrics.meta_evaluation import Check
from metrics.meta_evaluation.comparison import Outcome

WHICH_METRIC = "Which metric should I report?"

STANDINGS = {Outcome.FAILED: "fails", Outcome.UNDECIDED: "is undecided"}

COLUMN = "Pearson’s r with interval; hollow: not recommended"


def which_metric(result: MetricAdvice) -> Answer:
    """The metrics that are safe to report, or none with the reason."""
    facts = {
        "recommended": list(result.recommended),
        "rejected": dict(result.rejected),
        "reason": result.reason,
    }
    if not result.lines:
        return Answer(WHICH_METRIC, f"{verdict_in_words(result)}.", facts=facts)
    counted = {name: {line.check: line for line in lines} for name, lines in result.lines.items()}
    ranked = sorted(
        (
            (line.value, name)
            for name, lines in counted.items()
            if (line := lines[Check.COUNTED_SYSTEMS]).value is not None
        ),
        reverse=True,
    )
    rows = rows_on_one_scale(
        (
            (
                f"{title_of_metric(name)} ({outcome(result, name)})",
                f"{value:.2f}",
                value,
                *_interval(result, name),
                name not in result.recommended,
            )
            for value, name in ranked[:ROWS]
        ),
        around=[0.0, 1.0],
    )
    unchecked = [
        title.lower()
        for check, title in CHECKS.items()
        if any(counted[name][check].outcome is Outcome.UNCHECKED for name in result.recommended)
    ]
    further = [f"Not checked: {listed(unchecked)}."] if unchecked else []
    return Answer(
        WHICH_METRIC,
        f"{verdict_in_words(result)}.",
        [*further, *_why_not_first(result, ranked)],
        rows,
        column=COLUMN,
        facts=facts,
    )


def _interval(result: MetricAdvice, metric: str) -> tuple[float | None, float | None]:
    """The ends of the interval of a metric's r; None where there is none."""
    estimate = result.pearson.get(metric)
    return (estimate.low, estimate.high) if estimate else (None, None)


def no_metric(reason: str) -> Answer:
    """The answer where no metric could be compared with people; `reason` is a sentence."""
    return Answer(WHICH_METRIC, reason, facts={"recommended": [], "rejected": {}, "reason": reason})


def _why_not_first(result: MetricAdvice, ranked: list[tuple[float, str]]) -> list[str]:
    """Why the metric of the highest correlation is not recommended, if it is not."""
    if not ranked or ranked[0][1] in result.recommended:
        return []
    name = ranked[0][1]
    return [f"{title_of_metric(name)} {STANDINGS[outcome(result, name)]}: {_lowered(result.rejected[name])}"]


def _lowered(sentence: str) -> str:
    """The sentence after a colon."""
    return sentence[:1].lower() + sentence[1:]
