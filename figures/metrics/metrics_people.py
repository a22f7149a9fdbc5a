"""Automatic metrics against people: their agreement, scores of systems, and tests between metrics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.later import alt, pd
from figures.names_beside_dots import NAMES
from metrics.base.resampling import SIGNIFICANT
from metrics.meta_evaluation import Estimate, PairwiseTests

HOLLOW = ("source", "reference")
"""Roles of systems that are drawn hollow: they are no competitors."""

FAINTEST, STRONGEST = 0.1, 0.5
"""Shades of a cell, from p = .05 to p = 0: text stays readable on all of them."""
SMALLEST_SHOWN = 0.001
"""P-values below are shown as less than it."""

SCATTER_WIDTH, SCATTER_HEIGHT, SCATTER_PADDING = 420, 320, 24
MOST_IN_CELLS = 15
"""Up to so many metrics a heat map has room for the p-values."""


def agreement_figure(
    estimates: Mapping[str, Estimate],
    *,
    name: str,
    title: str,
    clusters: Mapping[str, int | None] | None = None,
    ceiling: Estimate | None = None,
) -> alt.LayerChart:
    """A row for each metric, the highest first: a bar from 0, and the interval as a line.

    Args:
        estimates: by metric; one without a value is left out.
        name: of the figure that is drawn, along the axis.
        title: of the chart.
        clusters: by metric; a line stands above each metric that begins one in this order.
        ceiling: of one annotator with the others: a dashed line through all rows, and its interval as a band.
    """
    there = [(metric, each) for metric, each in estimates.items() if each.value is not None]
    there.sort(key=lambda item: -(item[1].value or 0.0))
    numbers = [(clusters or {}).get(metric) for metric, _ in there]
    begins = [
        above is not None and above != number
        for above, number in zip([None, *numbers], numbers, strict=False)
    ]
    frame = pd.DataFrame(
        [(metric, each.value, each.low, each.high) for metric, each in there],
        columns=["metric", "value", "low", "high"],
    ).assign(begins=begins, zero=0.0)
    bounds = frame[["value", "low", "high"]].astype(float)
    ends = (0.0,) if ceiling is None else (ceiling.value or 0.0, ceiling.low or 0.0)
    domain = [-1 if min(bounds.min().min(), *ends) < 0 else 0, 1]
    x = alt.X("value:Q", title=name, scale=alt.Scale(domain=domain), axis=alt.Axis(tickCount=5))
    y = alt.Y("metric:N", title=None, sort=None, axis=alt.Axis(labelLimit=260))
    base = alt.Chart(frame, width=360, height=alt.Step(26))
    bars = base.mark_bar(opacity=0.3, height={"band": 0.6}).encode(x=x, x2="zero:Q", y=y)
    intervals = base.mark_rule(strokeWidth=2).encode(x=alt.X("low:Q", title=name), x2="high:Q", y=y)
    dots = base.mark_point(filled=True, size=60, opacity=1).encode(x=x, y=y)
    labels = base.mark_text(align="left", dx=6).encode(
        x=alt.value("width"), y=y, text=alt.Text("value:Q", format=".2f")
    )
    borders = base.transform_filter("datum.begins").mark_rule(strokeWidth=1, opacity=0.5)
    lines = borders.encode(y=alt.Y("metric:N", sort=None, bandPosition=0))
    layers = [*_ceiling(ceiling, name), bars, intervals, dots, labels, lines]
    return alt.LayerChart(layer=layers, data=frame, title=title)


def _ceiling(ceiling: Estimate | None, name: str) -> list[alt.Chart]:
    """A dashed line at the value, and a band from end to end of its interval."""
    if ceiling is None or ceiling.value is None:
        return []
    row = pd.DataFrame([(ceiling.value, ceiling.low, ceiling.high)], columns=["value", "low", "high"])
    base = alt.Chart(row)
    dashed = base.mark_rule(strokeDash=[4, 3], strokeWidth=1.5, opacity=0.8)
    line = dashed.encode(x=alt.X("value:Q", title=name))
    if ceiling.low is None:
        return [line]
    band = base.mark_rect(opacity=0.12).encode(x=alt.X("low:Q", title=name), x2="high:Q")
    return [band, line]


def scatter_figure(
    human: Mapping[str, float | None],
    metric: Mapping[str, float | None],
    *,
    roles: Mapping[str, str],
    human_name: str,
    metric_name: str,
    title: str,
    synthetic: Sequence[tuple[float, float]] = (),
) -> alt.LayerChart:
    """Systems by people's score and by a metric's, each by its name; source and references are hollow.

    Args:
        human: by system; one without a score on either side is left out.
        metric: by system.
        roles: the role of each system that is known to have one.
        human_name: of people's score, along the axis.
        metric_name: of the metric, along the other axis.
        title: of the chart.
        synthetic: scores of synthetic systems by people and by the metric, as small points without names.
    """
    rows = [
        (system, score, metric[system], roles.get(system) in HOLLOW)
        for system, score in human.items()
        if score is not None and metric.get(system) is not None
    ]
    frame = pd.DataFrame(rows, columns=["system", "people", "metric", "hollow"])
    drawn = [*zip(frame["people"], frame["metric"], strict=True), *synthetic]
    x = alt.X(
        "metric:Q",
        title=metric_name,
        scale=_scale([score for _, score in drawn]),
        axis=alt.Axis(tickCount=5),
    )
    y = alt.Y(
        "people:Q",
        title=human_name,
        scale=_scale([score for score, _ in drawn]),
        axis=alt.Axis(tickCount=5),
    )
    base = alt.Chart(frame, width=SCATTER_WIDTH, height=SCATTER_HEIGHT)
    filled = (
        base.transform_filter("!datum.hollow").mark_point(filled=True, size=60, opacity=1).encode(x=x, y=y)
    )
    hollow = (
        base.transform_filter("datum.hollow").mark_point(filled=False, size=60, opacity=1).encode(x=x, y=y)
    )
    names = base.mark_text().encode(x=x, y=y, text="system:N").properties(name=NAMES)
    layers = [filled, hollow, names]
    if synthetic:
        points = alt.Chart(pd.DataFrame(synthetic, columns=["people", "metric"]))
        layers.insert(0, points.mark_point(filled=True, size=8, opacity=0.25).encode(x=x, y=y))
    return alt.LayerChart(layer=layers, data=frame, title=title)


def _scale(values: Sequence[float]) -> alt.Scale:
    """From the lowest to the highest value, with room for dots around."""
    low, high = min(values, default=0.0), max(values, default=1.0)
    if low == high:
        low, high = low - 0.5, high + 0.5
    return alt.Scale(domain=[low, high], zero=False, nice=False, padding=SCATTER_PADDING)


def significance_figure(
    tests: PairwiseTests, *, order: Sequence[str], title: str, smallest: float = SMALLEST_SHOWN
) -> alt.LayerChart:
    """A cell for each pair of metrics: the smaller p is that the row agrees no better, the darker the cell.

    Cells that are not significant at 5 % are empty. P-values are written where there is room.

    Args:
        tests: p-values by row and column.
        order: metrics from top to bottom and from left to right; those that were not tested are left out.
        title: of the chart.
        smallest: the smallest p-value that the tests can tell from 0.
    """
    places = {metric: place for place, metric in enumerate(tests.metrics)}
    tested = [metric for metric in order if metric in places]
    p_values = {
        (row, column): tests.p_values[places[row]][places[column]]
        for row in tested
        for column in tested
        if row != column
    }
    frame = pd.DataFrame(
        [
            (*both, _strength(p_value), "" if p_value is None else shown_p(p_value, smallest))
            for both, p_value in p_values.items()
        ],
        columns=["better", "worse", "strength", "shown"],
    )
    y = alt.Y("better:N", title=None, sort=tested, axis=alt.Axis(labelLimit=200))
    axis = alt.Axis(orient="top", labelAngle=-45, labelLimit=200)
    x = alt.X("worse:N", title=None, sort=tested, axis=axis)
    base = alt.Chart(frame, width=alt.Step(44), height=alt.Step(28))
    cells = base.mark_rect().encode(
        x=x, y=y, opacity=alt.Opacity("strength:Q", scale=alt.Scale(domain=[0, 1], range=[0, 1]), legend=None)
    )
    layers = [cells]
    if len(tested) <= MOST_IN_CELLS:
        layers.append(base.mark_text(fontSize=11).encode(x=x, y=y, text="shown:N"))
    return alt.LayerChart(layer=layers, data=frame, title=title)


def _strength(p_value: float | None) -> float:
    """How dark a cell is, from 0 to 1."""
    if p_value is None or p_value > SIGNIFICANT:
        return 0.0
    return STRONGEST - (STRONGEST - FAINTEST) * p_value / SIGNIFICANT


def shown_p(p_value: float, smallest: float = SMALLEST_SHOWN) -> str:
    """A p-value with three decimals, or that it is less than the smallest one that can be told from 0."""
    if p_value >= smallest:
        return f"{p_value:.3f}".removeprefix("0")
    return f"<{smallest:.2g}".replace("<0", "<")
