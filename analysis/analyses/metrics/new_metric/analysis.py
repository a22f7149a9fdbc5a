"""Analysis of a new metric beside those that are known: does it agree better with people?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import cast

from analysis.analyses.base import Analysis, AnyChunks, Group, register
from analysis.analyses.metric_titles import title_of_metric
from analysis.analyses.metrics.against_people import (
    CHOOSING,
    HUMAN_SCORES,
    OF_METRICS,
    RENEWED_AFTER_SECONDS,
    left_out_in_words,
    left_out_on_pages,
    resolved_of_systems,
)
from analysis.analyses.metrics.metrics_people import METRICS_PEOPLE
from analysis.analyses.metrics.metrics_people import methods as methods_of_all
from analysis.analyses.metrics.new_metric.compared import (
    TIES,
    ComparedMetric,
    Lead,
    NewMetric,
    NewMetricParameters,
    estimate_of,
    new_metric,
)
from analysis.analyses.metrics.new_metric.table import DRAWN, METRICS, is_of_uploaded
from analysis.analyses.metrics.scored_judgments import ScoresBesideEdits
from core.names import Naming
from core.results import Computed, Figure, Layout, Section
from core.wording import counted, listed, literal
from figures.drawing import Chart
from figures.metrics.metric_scores import DrawnScore, metric_scores_figure

TESTS = {"pearson": "r, Williams' test", "spa": "SPA, PERM-BOTH", "accuracy": "accuracy, bootstrap"}
"""Figures in which a new metric is held against the best other, and the test of each, by name."""


def sentences(result: NewMetric, title: Callable[[str], str] = str) -> Iterator[str]:
    """How each new metric stands to the best others."""
    for row in result.new:
        if row.leads:
            said = "; ".join(
                f"{replace(lead, other=title(lead.other))} ({TESTS[figure]})"
                for figure, lead in row.leads.items()
            )
            yield f"{title(row.metric)} is {said}."
        else:
            yield f"{title(row.metric)} has no figures: {row.agreement.pearson.reason}."


LEVELS = {"by sentence": ("accuracy",), "by system": ("spa", "pearson")}
"""The figures that a headline is about, by level the first that there is."""


def headline(computed: Computed, naming: Naming) -> str:
    """How the best new metric stands to the best other one, by sentence and by system."""
    result: NewMetric = computed.result
    rows = [row for row in result.new if row.leads]
    if not rows:
        return "There is no other metric to compare with"
    best = max(rows, key=lambda row: _value(row, next(each for each in BEST_BY if each in row.leads)))
    said: dict[str, list[tuple[str, str]]] = {}
    for level, figures in LEVELS.items():
        for figure in [figure for figure in figures if figure in best.leads][:1]:
            lead = best.leads[figure]
            said.setdefault(_standing(lead), []).append((level, _both(result, best, figure)))
    metric = title_of_metric(best.metric)
    if len(said) == 1:
        [(standing, values)] = said.items()
        return f"{metric} {standing} the best other metric: {', '.join(both for _, both in values)}"
    parts = [
        f"{standing} the best other metric {level}, {both}"
        for standing, values in said.items()
        for level, both in values
    ]
    return f"{metric} {', and '.join(parts)}"


BRIEFLY = {"accuracy": "accuracy", "spa": "SPA", "pearson": "r"}
BEST_BY = ("accuracy", "spa", "pearson")


def _standing(lead: Lead) -> str:
    if not lead.is_clear:
        return "is not told apart from"
    return f"is clearly {'ahead of' if lead.is_ahead else 'behind'}"


def _both(result: NewMetric, row: ComparedMetric, figure: str) -> str:
    """A figure of a new metric, and that of the best other one."""
    other = next(each for each in result.metrics if each.metric == row.leads[figure].other)
    own, its = _value(row, figure), _value(other, figure)
    return f"{BRIEFLY[figure]} {own:.2f} ({title_of_metric(other.metric)} {its:.2f})"


def _value(row: ComparedMetric, figure: str) -> float:
    estimate = estimate_of(row, figure)
    return estimate.value if estimate and estimate.value is not None else float("-inf")


def lead(computed: Computed, naming: Naming) -> str:
    """What is compared."""
    result: NewMetric = computed.result
    pairs = next((row.pairs for row in result.metrics if row.pairs), 0)
    return (
        f"{_taken_as_new(result)}{counted(len(result.systems), 'system')} by {HUMAN_SCORES[result.human]} on "
        f"{counted(result.compared_sentences, 'sentence')}, and {counted(pairs, 'pair')} of outputs that "
        f"people ordered; ties of metrics count {TIES[computed.parameters.ties]}."
        f"{left_out_on_pages(computed, naming)}"
    )


def _taken_as_new(result: NewMetric) -> str:
    """What is compared where nobody uploaded a metric's scores."""
    if is_of_uploaded(result):
        return ""
    names = literal(listed([title_of_metric(row.metric) for row in result.new]))
    return f"No uploaded metric is chosen, so {names} is taken as the new one. "


PANELS = {"pearson": "Pearson’s r", "spa": "SPA", "accuracy": "Accuracy"}
"""The figures that are drawn, by name in addresses."""


def drawn_scores(result: NewMetric, figure: str) -> list[DrawnScore]:
    """The metrics with this figure, each with its interval."""
    estimates = {row.metric: estimate_of(row, figure) for row in result.metrics}
    return [
        DrawnScore(title_of_metric(name), estimate.value, estimate.low, estimate.high)
        for name, estimate in estimates.items()
        if estimate is not None and estimate.value is not None
    ]


def panels_of_metrics(
    panels: Sequence[tuple[str, Sequence[DrawnScore]]], title: str, layout: Layout
) -> Chart:
    """A panel for each figure, or each judgment set, from 0 (-1 if an interval reaches below 0) to 1."""
    return metric_scores_figure(
        panels,
        order=[*dict.fromkeys(score.system for _, drawn in panels for score in drawn)],
        title=title,
        domain={name: (-1 if _reaches_below_0(drawn) else 0, 1) for name, drawn in panels},
        layout=layout,
    )


def _reaches_below_0(drawn: Sequence[DrawnScore]) -> bool:
    return any(min(score.value, score.low or 0.0) < 0 for score in drawn)


def draw(computed: Computed, naming: Naming, layout: Layout) -> Chart:
    """All metrics, a panel for each figure."""
    panels = [(title, drawn_scores(computed.result, figure)) for figure, title in PANELS.items()]
    return panels_of_metrics(panels, f"{naming.title}: metrics and people", layout)


def methods(parameters: NewMetricParameters, result: NewMetric) -> list[str]:
    """The comparison in sentences for a paper."""
    every = methods_of_all(parameters, result)
    left_out = left_out_in_words(result.left_out)
    by_sentence = (
        f"Accuracy is over the pairs of outputs that people ordered and all metrics score; ties of metrics "
        f"count {TIES[parameters.ties]}."
    )
    against = (
        f"{', '.join(row.metric for row in result.new)}: held against the best other metric in r by "
        "Williams' test, in SPA by PERM-BOTH, in accuracy by the bootstrap over sentences. P-values are "
        "two-sided."
    )
    return [*every[: len(every) - len(left_out)], by_sentence, against, *left_out]


EXPLANATION = """
A new metric is held against the best of the others, figure by figure: in r by Williams' test, in soft
pairwise accuracy (SPA) by PERM-BOTH, in accuracy by the bootstrap over sentences. P-values are two-sided,
twice that of the metric with the higher figure. Accuracy is over the pairs of outputs that people ordered and
all metrics score, not of systems as in *Metrics against people*; tau is twice the accuracy minus 1. One of
the others is always *most edits*, by which the output that changes more is better: a learned metric behind it
has learnt nothing.
"""

NEW_METRIC = register(
    Analysis(
        **{**OF_METRICS, "inputs": ScoresBesideEdits},
        name="new-metric",
        title="A new metric",
        group=Group.METRICS,
        question="Does a new metric agree better with people than the known ones?",
        defined_in="metrics-against-people.md#the-table-of-a-new-metric",
        help="Correlations and accuracy beside those of known metrics, with tests against the best of them.",
        parameters=NewMetricParameters,
        result=NewMetric,
        chunks=replace(cast(AnyChunks, METRICS_PEOPLE.chunks), combine=new_metric),
        tables={"drawn": DRAWN, "metrics": METRICS},
        figures={
            "agreement": Figure(
                caption="Agreement of metrics with people",
                draw=draw,
                has_content=lambda computed: any(drawn_scores(computed.result, each) for each in PANELS),
                of_table="metrics",
            )
        },
        headline=headline,
        lead=lead,
        sections=[Section(title="All measures", tables=["metrics"], is_folded=True)],
        explanation=EXPLANATION,
        fields=("ties", "human", "whole_set", "confidence", *CHOOSING),
        tab="Agreement",
        label="A new metric",
        place=4,
        methods=methods,
        resolve=resolved_of_systems,
        renewed_after=RENEWED_AFTER_SECONDS,
    )
)
