"""The table of a new metric beside those that are known."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from math import inf
from operator import attrgetter
from typing import Any, cast

from analysis.analyses.metric_titles import UPLOADED, MetricName, title_of_metric
from analysis.analyses.metrics.metric_parts import drawn_estimate
from analysis.analyses.metrics.new_metric.compared import ComparedMetric, NewMetric, estimate_of
from analysis.analyses.resampling import STRONGER, UNSHADED
from core.columns import Column, Count, Estimated, Number, PValue, Text
from core.results import Computed
from core.tables import Table
from core.wording import listed, p_is, percent, with_interval
from metrics.base.resampling import SIGNIFICANT
from metrics.meta_evaluation import Estimate
from ranking.machines.baselines import MOST_EDITS

ENDS = ("low", "high")

Of = Callable[[object], ComparedMetric]
"""Reads the metric of a row."""


def _itself(row: object) -> ComparedMetric:
    return cast(ComparedMetric, row)


def first_columns(of: Of = _itself) -> list[Column]:
    """The metric."""
    return [
        MetricName("metric", "Metric", lambda row: of(row).metric, note=lambda row: _standing(of(row))),
        Text("is_new", value=lambda row: "yes" if of(row).is_new else "no"),
    ]


def _standing(row: ComparedMetric) -> str:
    """What a row is, beyond a known metric."""
    if row.is_new:
        return "new" if row.metric.endswith(UPLOADED) else "taken as new"
    return "more edits, higher score" if row.metric == MOST_EDITS else ""


def columns_of_correlations(of: Of = _itself) -> list[Column]:
    """Correlations of the scores of systems."""
    return [
        Estimated(
            "pearson",
            "r",
            _agreement(of, "pearson"),
            heading="Pearson’s r",
            ends_on_paper=ENDS,
            is_shaded=True,
        ),
        *_tested(of, "pearson"),
        Estimated("spearman", "rho", _agreement(of, "spearman"), heading="Spearman’s ρ", is_shaded=True),
        Estimated("kendall", value=_agreement(of, "kendall")),
    ]


def further_columns(of: Of = _itself) -> list[Column]:
    """Soft pairwise accuracy, and the pairs that people ordered."""
    return [
        Estimated("spa", "SPA", _agreement(of, "spa"), is_shaded=True),
        *_tested(of, "spa"),
        Estimated(
            "accuracy",
            "Accuracy",
            lambda row: of(row).accuracy,
            heading="Accuracy by sentence",
            ends_on_paper=ENDS,
            is_shaded=True,
        ),
        *_tested(of, "accuracy"),
        Number("tau", "Tau", lambda row: of(row).tau, heading="Tau by sentence"),
        Count("pairs", value=lambda row: of(row).pairs),
        Count("ties", "Ties", lambda row: of(row).ties, on_paper=False),
    ]


def _agreement(of: Of, figure: str) -> Callable[[object], Estimate | None]:
    def read(row: object) -> Estimate | None:
        estimate: Estimate = getattr(of(row).agreement, figure)
        return None if estimate.value is None else estimate

    return read


def _tested(of: Of, figure: str) -> Iterator[Column]:
    """The test against the best other metric, which pages and the terminal say in sentences."""

    def of_lead(what: str) -> Callable[[object], object]:
        return lambda row: getattr(of(row).leads.get(figure), what, None)

    yield Text(f"{figure}_best_other", value=of_lead("other"))
    yield PValue(f"{figure}_p", "p", of_lead("p_value"), on_page=False)


def about_table(parameters: Any) -> str:
    """What stands above the table in LaTeX."""
    return (
        "Pearson's r, Spearman's rho and soft pairwise accuracy (SPA) of systems; accuracy and tau over the "
        f"pairs that people ordered, ties of metrics: {parameters.ties}. Intervals at "
        f"{100 * parameters.confidence:g} % confidence. p: the metric and the best other one agree equally "
        "with people."
    )


def is_of_uploaded(result: NewMetric) -> bool:
    """Whether the comparison is about a metric that somebody uploaded."""
    return any(row.metric.endswith(UPLOADED) for row in result.new)


def _by_r(computed: Computed) -> list[ComparedMetric]:
    """Uploaded new metrics, then the others, the highest r first, then one annotator against the others."""
    result: NewMetric = computed.result
    new_first = is_of_uploaded(result)

    def place(row: ComparedMetric) -> tuple[bool, float]:
        r = row.agreement.pearson.value
        return new_first and not row.is_new, inf if r is None else -r

    return [*sorted(result.metrics, key=place), *([result.ceiling] if result.ceiling else [])]


ON_PAGES = ("Accuracy", "SPA", "r", "rho", "Tau", "Ties")
"""Labels of columns in the order of pages: what headings are about first. Files have the order of papers."""


def _columns() -> list[Column]:
    figures = [*columns_of_correlations(), *further_columns()]
    shown = {each.label: each for each in figures if each.label and each.on_page}
    return [
        *first_columns(),
        *(replace(shown[label], name="", on_paper=False) for label in ON_PAGES),
        *(replace(each, on_page=False) for each in figures),
    ]


METRICS = Table(
    rows=lambda computed: computed.result.rows,
    page_rows=_by_r,
    columns=_columns(),
    caption="All metrics and people",
    comment=lambda computed: about_table(computed.parameters),
    note=lambda computed, naming: (
        f"{STRONGER} The lines are {percent(computed.parameters.confidence)} intervals. {UNSHADED}"
        if computed.parameters.replicates
        else STRONGER
    ),
)


def _drawn_figure(result: NewMetric) -> str:
    """The figure by which all metrics are drawn: that of sentences, or else one of systems."""
    of_sentences = any(row.accuracy and row.accuracy.value is not None for row in result.metrics)
    return "accuracy" if of_sentences else "pearson"


FIGURES = {"accuracy": "accuracy", "spa": "SPA", "pearson": "r"}
"""Figures in which a new metric is held against the best other one, as notes name them."""


def _in_place(row: ComparedMetric, result: NewMetric) -> str:
    """What a row is, and by which figures it is the best other metric, with p of the difference."""
    best = [
        f"by {title}, {listed(p)}"
        for figure, title in FIGURES.items()
        if (p := [*_p_values(row.metric, figure, result)])
    ]
    found = f"best other {'; '.join(best)}" if best else ""
    return "; ".join(filter(None, [_standing(row), found]))


def _p_values(metric: str, figure: str, result: NewMetric) -> Iterator[str]:
    """P of each new metric against a metric that is the best other one by this figure."""
    for row in result.new:
        lead = row.leads.get(figure)
        if lead is not None and lead.other == metric:
            p = "not tested" if lead.p_value is None else p_is(lead.p_value)
            yield f"{p} for {title_of_metric(row.metric)}" if len(result.new) > 1 else p


def _drawn_columns(computed: Computed) -> list[Column]:
    figure = _drawn_figure(computed.result)
    title = "Accuracy by sentence" if figure == "accuracy" else "Pearson’s r"
    further = [Number("", "r", attrgetter("agreement.pearson.value"), digits=2)]
    return [
        MetricName("", "Metric", attrgetter("metric"), note=partial(_in_place, result=computed.result)),
        drawn_estimate(
            title.split()[0] if figure == "accuracy" else "r",
            partial(estimate_of, figure=figure),
            with_interval(title, computed.parameters.confidence),
            is_hollow=lambda row: not row.is_new,
            digits=2,
        ),
        Number("", "SPA", attrgetter("agreement.spa.value"), digits=2),
        *([] if figure == "pearson" else further),
    ]


def _by_drawn(computed: Computed) -> list[ComparedMetric]:
    """The metrics, the highest of the drawn figure first."""
    figure = _drawn_figure(computed.result)

    def place(row: ComparedMetric) -> float:
        estimate = estimate_of(row, figure)
        return inf if estimate is None or estimate.value is None else -estimate.value

    return sorted(computed.result.metrics, key=place)


DRAWN = Table(
    rows=_by_drawn,
    columns=_drawn_columns,
    caption="The new metric and all others",
    in_files=False,
    note="Filled: the new metric. *Best other*: of the highest value, so chance favours it; p, two-sided and "
    "of each measure alone, is of its difference from the new metric, which is clear if "
    f"p ≤ {SIGNIFICANT}. SPA and r are of systems: SPA, soft pairwise accuracy, compares how sure people and "
    "the metric are of the order of each pair of systems; 1 is best.",
)
