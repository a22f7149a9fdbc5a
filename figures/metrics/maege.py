"""Metrics without people: correlations with the order of corrections, and sensitivity to types of edits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

from core.later import alt, pd
from core.results import Layout
from figures.metrics.metrics_people import SCATTER_HEIGHT, scatter_figure
from figures.metrics.uncertain_numbers import is_certain, opacity
from metrics.meta_evaluation.maege import SeedEstimate, TypeChange

STRONGEST = 2.0
"""Colours reach half their strength at the largest change of a metric, so that text stays readable."""

MOST_TYPES = 60

MOST_TIMES = 10
"""Changes that are more times as large as the usual one are written as more than this."""

CELL_WIDTHS: Mapping[Layout, int] = {"wide": 56, "narrow": 34}
"""Of a cell with a number in pixels."""

METRICS_ON_A_PHONE, TYPES_ON_A_PHONE = 5, 8

ROW = 22
"""Height of a type in pixels."""

NAMES, BETWEEN = 58, 14
"""Height of the names of metrics above a panel, and between panels, in pixels."""

AROUND: Mapping[Layout, int] = {"wide": 65, "narrow": 80}
"""Height of the title and the edges in pixels."""


@dataclass(frozen=True, slots=True)
class DrawnMetric:
    """A metric as figures show it.

    Attributes:
        name: as shown.
        spearman: of corpora.
        pearson: of sentences.
        tau: of pairs of sentences.
        changes: by type of edit.
    """

    name: str
    spearman: SeedEstimate
    pearson: SeedEstimate
    tau: SeedEstimate
    changes: Mapping[str, TypeChange]


def correlations_figure(
    metrics: Sequence[DrawnMetric], *, title: str, is_narrow: bool = False
) -> alt.HConcatChart:
    """Three panels with a row for each metric: the mean over seeds with its interval.

    Metrics stand in the order given. If the panels are below each other, all have their names.
    """
    columns = ("Spearman’s ρ, corpora", "Pearson’s r, sentences", "Kendall’s τ, pairs of sentences")
    order = [metric.name for metric in metrics]
    panels = []
    for place, column in enumerate(columns):
        frame = pd.DataFrame(
            [
                (metric.name, each.value, each.low, each.high)
                for metric in metrics
                for each in [(metric.spearman, metric.pearson, metric.tau)[place]]
            ],
            columns=["metric", "value", "low", "high"],
        )
        x = alt.X("value:Q", title=column, scale=alt.Scale(domain=[-1, 1]), axis=alt.Axis(tickCount=5))
        y = alt.Y(
            "metric:N",
            title=None,
            sort=order,
            axis=alt.Axis(labelLimit=200) if is_narrow or not place else alt.Axis(labels=False, ticks=False),
        )
        base = alt.Chart(frame, width=210, height=alt.Step(24))
        zero = alt.Chart(pd.DataFrame({"x": [0.0]})).mark_rule(opacity=0.35).encode(x="x:Q")
        intervals = base.mark_rule(strokeWidth=2).encode(x=alt.X("low:Q", title=column), x2="high:Q", y=y)
        dots = base.mark_point(filled=True, size=60, opacity=1).encode(x=x, y=y)
        panels.append(alt.LayerChart(layer=[zero, intervals, dots]))
    return alt.HConcatChart(hconcat=panels, title=title, spacing=14)


def sensitivity_figure(
    metrics: Sequence[DrawnMetric], types: Mapping[str, int], *, title: str, layout: Layout = "wide"
) -> alt.LayerChart | alt.VConcatChart:
    """A cell for each type of edit and metric, blue where correcting raises the score, else red.

    Cells show the mean change as a multiple of the metric's usual one, those whose interval has 0 in it
    faintly and without colour. Colours are relative to the largest certain change of the metric. Metrics have
    different scales.

    Args:
        metrics: columns, from left to right.
        types: rows from top to bottom, with their numbers of edits.
        title: of the chart.
        layout: a phone has a few metrics at a time, below each other, and the first few types only.
    """
    if layout == "wide":
        return _cells(metrics, types, layout).properties(title=title)
    panels = [
        _cells(metrics[begin : begin + METRICS_ON_A_PHONE], types, layout)
        for begin in range(0, len(metrics), METRICS_ON_A_PHONE)
    ]
    return alt.VConcatChart(vconcat=panels, title=title, spacing=BETWEEN)


def sensitivity_height(metrics: int, types: int, layout: Layout) -> int:
    """The height of the heat map of so many metrics and types in pixels, about."""
    if layout == "wide":
        return AROUND[layout] + NAMES + ROW * min(types, MOST_TYPES)
    panels = -(-metrics // METRICS_ON_A_PHONE)
    return AROUND[layout] + panels * (NAMES + ROW * min(types, TYPES_ON_A_PHONE)) + (panels - 1) * BETWEEN


def _cells(metrics: Sequence[DrawnMetric], types: Mapping[str, int], layout: Layout) -> alt.LayerChart:
    shown = dict(list(types.items())[: MOST_TYPES if layout == "wide" else TYPES_ON_A_PHONE])
    rows = []
    for metric in metrics:
        usual = usual_change(metric.changes.values())
        largest = _largest([metric.changes[kind] for kind in shown if kind in metric.changes])
        for kind, number in shown.items():
            change = metric.changes.get(kind)
            if change is None or change.value is None:
                continue
            rows.append(
                (
                    metric.name,
                    f"{kind} ({number:,})",
                    max(-1.0, min(1.0, change.value / largest)) * is_shown(change, usual),
                    _times(change.value / usual),
                    opacity(change),
                )
            )
    frame = pd.DataFrame(rows, columns=["metric", "type", "strength", "shown", "certain"])
    y = alt.Y(
        "type:N",
        title="type of edit (number)",
        sort=[f"{kind} ({number:,})" for kind, number in shown.items()],
        axis=alt.Axis(labelLimit=220),
    )
    x = alt.X(
        "metric:N",
        title=None,
        sort=[metric.name for metric in metrics],
        axis=alt.Axis(orient="top", labelAngle=-45, labelLimit=160),
    )
    scale = alt.Scale(domain=[-STRONGEST, 0, STRONGEST], range="diverging", interpolate="rgb")
    base = alt.Chart(frame, width=alt.Step(CELL_WIDTHS[layout]), height=alt.Step(ROW))
    cells = base.mark_rect().encode(x=x, y=y, color=alt.Color("strength:Q", scale=scale, legend=None))
    texts = base.mark_text(fontSize=11).encode(
        x=x, y=y, text="shown:N", opacity=alt.Opacity("certain:Q", scale=None, legend=None)
    )
    return alt.LayerChart(layer=[cells, texts], data=frame)


def is_shown(change: TypeChange, usual: float) -> bool:
    """Whether a change has a colour: it is certain, and not 0 as it is written."""
    return is_certain(change) and round((change.value or 0.0) / usual, 1) != 0


def people_figure(judged: Mapping[str, Sequence[tuple[str, float, float]]]) -> alt.VConcatChart:
    """Metrics by MAEGE and by people, a panel for each campaign (Figure 4 of the paper).

    Args:
        judged: by campaign, metrics with MAEGE's ρ and people's r.
    """
    panels = [
        scatter_figure(
            {name: theirs for name, _, theirs in metrics},
            {name: ours for name, ours, _ in metrics},
            roles={},
            human_name="Pearson’s r with people, systems",
            metric_name="Spearman’s ρ by MAEGE, corpora",
            title=f"{campaign}: metrics judged by people and by MAEGE",
        )
        for campaign, metrics in judged.items()
    ]
    return alt.VConcatChart(vconcat=panels, spacing=22)


def people_height(campaigns: int, layout: Layout) -> int:
    """The height of the figure of so many campaigns in pixels, about."""
    return campaigns * (SCATTER_HEIGHT + (206 if layout == "wide" else 78))


def _largest(changes: Sequence[TypeChange]) -> float:
    """The largest change that is certain, so that one outlier does not make all others pale; else of all."""
    certain = [abs(each.value) for each in changes if each.value is not None and is_certain(each)]
    return max(certain or [abs(each.value or 0.0) for each in changes], default=0.0) or 1.0


def usual_change(changes: Iterable[TypeChange]) -> float:
    """The root mean square of the changes by type that are certain, each as often as it has edits.

    Of all changes if none is certain, and 1 if it is 0.
    """
    every = [each for each in changes if each.value is not None]
    there = [each for each in every if is_certain(each)] or every
    squares = sum((each.value or 0.0) ** 2 * each.edits for each in there)
    return sqrt(squares / max(sum(each.edits for each in there), 1)) or 1.0


def _times(change: float) -> str:
    """Such as "+1.3"; changes of more than 10 times as much are written as that."""
    if abs(change) > MOST_TIMES:
        return f"> +{MOST_TIMES}" if change > 0 else f"< -{MOST_TIMES}"
    return f"{change:+z.1f}"
