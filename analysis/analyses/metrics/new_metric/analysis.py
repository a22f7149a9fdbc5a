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
    new_metric,
)
from analysis.analyses.metrics.new_metric.leads import LEADS, estimate_of
from analysis.analyses.metrics.new_metric.table import METRICS, is_of_uploaded
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
    """How the best new metric stands to the best known one, by sentence and by system."""
    result: NewMetric = computed.result
    rows = [row for row in result.new if row.leads]
    if not rows:
        return "There is no other metric to compare with"
    best = max(rows, key=lambda row: _value(row, next(each for each in BEST_BY if each in row.leads)))
    decisive = {
        f"{level} ({BRIEFLY[figure]})": figure
        for level, figures in LEVELS.items()
        for figure in [figure for figure in figures if figure in best.leads][:1]
    }
    said: dict[str, list[str]] = {}
    for level, figure in decisive.items():
        said.setdefault(_standing(best.leads[figure]), []).append(level)
    open_to = {
        level: title_of_metric(best.leads[figure].other)
        for level, figure in decisive.items()
        if not best.leads[figure].is_clear
    }
    if len(set(open_to.values())) > 1:
        others = " and ".join(f"{other} {level}" for level, other in open_to.items())
        parts = [f"neither clearly better nor worse than {others}"]
    else:
        parts = [f"{standing} {' and '.join(levels)}" for standing, levels in said.items()]
    start = title_of_metric(best.metric)
    if not is_of_uploaded(result):
        start = f"Taken as new, {start}"
    return f"{start} agrees with people {', and '.join(parts)}"


BRIEFLY = {"accuracy": "accuracy", "spa": "SPA", "pearson": "r"}
BEST_BY = ("accuracy", "spa", "pearson")


def _standing(lead: Lead) -> str:
    other = title_of_metric(lead.other)
    if not lead.is_clear:
        return f"neither clearly better nor worse than {other}"
    return f"{'better' if lead.is_ahead else 'less'} than {other}"


def _value(row: ComparedMetric, figure: str) -> float:
    estimate = estimate_of(row, figure)
    return estimate.value if estimate and estimate.value is not None else float("-inf")


def lead(computed: Computed, naming: Naming) -> str:
    """What is compared."""
    result: NewMetric = computed.result
    pairs = next((row.pairs for row in result.metrics if row.pairs), 0)
    return (
        f"{counted(len(result.systems), 'system')} by {HUMAN_SCORES[result.human]} on "
        f"{counted(result.compared_sentences, 'sentence')}, and {counted(pairs, 'pair')} of outputs that "
        f"people ordered; ties of metrics count {TIES[computed.parameters.ties]}. Accuracy and tau by "
        "sentence are of these pairs, not of systems as in *Metrics against people*."
        f"{left_out_on_pages(computed, naming)}{_taken_as_new(result)}"
    )


def _taken_as_new(result: NewMetric) -> str:
    """What is compared where nobody uploaded a metric's scores."""
    if is_of_uploaded(result):
        return ""
    names = literal(listed([title_of_metric(row.metric) for row in result.new]))
    return f"\n\nNo uploaded metric is chosen, so {names} is taken as the new one. Choose any below."


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
        "Williams' test, in SPA by PERM-BOTH, in accuracy by the bootstrap over sentences. P-values are of "
        "one side, that of the metric with the higher figure."
    )
    return [*every[: len(every) - len(left_out)], by_sentence, against, *left_out]


EXPLANATION = """
A new metric is held against the best of the others, figure by figure: in r by Williams' test, in soft
pairwise accuracy (SPA) by PERM-BOTH, in accuracy by the bootstrap over sentences. P-values are of one side,
that of the metric with the higher figure. Accuracy is over the pairs of outputs that people ordered and all
metrics score; tau is twice the accuracy minus 1. One of the others is always *most edits*, by which the
output that changes more is better: a learned metric behind it has learnt nothing.
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
        tables={"leads": LEADS, "metrics": METRICS},
        figures={
            "agreement": Figure(
                caption="Agreement of metrics with people",
                draw=draw,
                has_content=lambda computed: any(drawn_scores(computed.result, each) for each in PANELS),
            )
        },
        headline=headline,
        lead=lead,
        sections=[Section(title="Figure", figures=["agreement"], is_folded=True)],
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
