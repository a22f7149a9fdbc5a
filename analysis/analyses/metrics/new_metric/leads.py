"""The table of how each new metric stands to the best other one."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import NamedTuple

from analysis.analyses.metric_titles import MetricName
from analysis.analyses.metrics.new_metric.compared import ComparedMetric, Lead, NewMetric
from core.columns import AsidePValue, Column, Number, Text
from core.results import Computed
from core.tables import Table
from figures.metrics.metrics_people import SIGNIFICANT
from metrics.meta_evaluation import Estimate

FIGURES = {"accuracy": "Accuracy by sentence", "spa": "SPA by system", "pearson": "Pearson’s r"}
"""Figures in which a new metric is held against the best other one."""


class Held(NamedTuple):
    """A new metric held against the best other one. Attributes: figure: its name in `FIGURES`."""

    row: ComparedMetric
    figure: str
    other: ComparedMetric

    @property
    def lead(self) -> Lead:
        """How it stands."""
        return self.row.leads[self.figure]

    @property
    def standing(self) -> str:
        """How it stands, in words."""
        if not self.lead.is_clear:
            return "not told apart"
        return "clearly ahead" if self.lead.is_ahead else "clearly behind"


def held(result: NewMetric) -> list[Held]:
    """Each new metric against the best other one by each figure."""
    named = {each.metric: each for each in result.metrics}
    return [
        Held(row, figure, named[row.leads[figure].other])
        for row in result.new
        for figure in FIGURES
        if figure in row.leads
    ]


def estimate_of(row: ComparedMetric, figure: str) -> Estimate | None:
    """The figure of this name in `FIGURES`."""
    estimate: Estimate | None = row.accuracy if figure == "accuracy" else getattr(row.agreement, figure)
    return estimate


def _columns_of_leads(computed: Computed) -> Sequence[Column]:
    of = [MetricName("", "New metric", lambda each: each.row.metric)] if len(computed.result.new) > 1 else []
    return (
        *of,
        Text("", "Measure", lambda each: FIGURES[each.figure]),
        Text("", "The new metric is", attrgetter("standing")),
        AsidePValue("", "p", attrgetter("lead.p_value")),
        Number("", "New", lambda each: _value(each.row, each.figure), digits=2),
        MetricName("", "Best other", attrgetter("other.metric"), note=_its_value),
    )


def _its_value(each: Held) -> str:
    value = _value(each.other, each.figure)
    return "" if value is None else f"{value:.2f}"


def _value(row: ComparedMetric, figure: str) -> float | None:
    """The value alone; the table of all metrics has its interval."""
    estimate = estimate_of(row, figure)
    return None if estimate is None else estimate.value


LEADS = Table(
    rows=lambda computed: held(computed.result),
    columns=_columns_of_leads,
    caption="The new metric and the best other one",
    in_files=False,
    note=f"*Clearly*: p ≤ {SIGNIFICANT}, two-sided. The best other metric is the one of the highest value, "
    "so chance favours it.",
)
