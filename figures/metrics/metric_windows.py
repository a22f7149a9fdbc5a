"""Automatic metrics against people in windows of neighbouring systems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.later import alt, pd
from figures.metrics.uncertain_numbers import opacity
from metrics.meta_evaluation import Estimate

FAINTEST, STRONGEST = 0.04, 0.5
"""Shades of a cell, from 0 to 1: text stays readable on all of them."""

NARROWEST = 420
"""A chart has room for its title."""

WINDOW = 54
"""Width of a window where there are many, in pixels."""

MOST_ON_A_PHONE = 6
"""Up to so many windows, a chart is narrowed on a phone; with more, their names would cover each other."""


def windows_figure(
    estimates: Mapping[str, Sequence[Estimate]], windows: Sequence[str], *, name: str, title: str
) -> alt.LayerChart:
    """A row for each metric and a column for each window: the value is written, and the higher, the darker.

    Values that may as well be 0, by their intervals, are written fainter.

    Args:
        estimates: by metric, one for each window; a cell without a value stays empty.
        windows: what the columns are called.
        name: of the figure that is drawn.
        title: of the chart.
    """
    cells = [
        (metric, window, each.value, f"{each.value:.2f}", opacity(each))
        for metric, row in estimates.items()
        for window, each in zip(windows, row, strict=True)
        if each.value is not None
    ]
    frame = pd.DataFrame(cells, columns=["metric", "window", "value", "shown", "certain"])
    y = alt.Y("metric:N", title=None, sort=list(estimates), axis=alt.Axis(labelLimit=220))
    x = alt.X(
        "window:N",
        title=f"{name}, by ranks of systems",
        sort=list(windows),
        axis=alt.Axis(orient="top", labelAngle=0),
    )
    scale = alt.Scale(domain=[0, 1], range=[FAINTEST, STRONGEST], clamp=True)
    base = alt.Chart(frame, width=_width(windows), height=alt.Step(28))
    shades = base.mark_rect().encode(x=x, y=y, opacity=alt.Opacity("value:Q", scale=scale, legend=None))
    texts = base.mark_text(fontSize=11).encode(
        x=x, y=y, text="shown:N", opacity=alt.Opacity("certain:Q", scale=None, legend=None)
    )
    return alt.LayerChart(layer=[shades, texts], data=frame, title=title)


def window_course_figure(
    estimates: Sequence[Estimate], windows: Sequence[str], *, whole: Estimate, name: str, title: str
) -> alt.LayerChart:
    """One metric over the windows: dots with intervals, and dashed its value on all systems.

    Hollow dots have no interval, where others have one.

    Args:
        estimates: one for each window; there is no dot where there is no value.
        windows: what they are called, the best systems first.
        whole: of all systems.
        name: of the figure that is drawn, along the axis.
        title: of the chart.
    """
    frame = pd.DataFrame(
        [(window, each.value, each.low, each.high) for window, each in zip(windows, estimates, strict=True)],
        columns=["window", "value", "low", "high"],
    ).astype({"value": float, "low": float, "high": float})
    frame["sure"] = True if frame["low"].isna().all() else frame["low"].notna()
    lowest = min([0.0, *frame[["value", "low"]].min().dropna()])
    scale = alt.Scale(domain=[-1 if lowest < 0 else 0, 1])
    axis = alt.Axis(labelAngle=0, labelOverlap="greedy")
    x = alt.X("window:N", title="ranks of systems", sort=list(windows), axis=axis)
    base = alt.Chart(frame, width=max(NARROWEST, WINDOW * len(windows)), height=240)
    value = alt.Y("value:Q", title=name, scale=scale)
    bands = base.mark_rule(strokeWidth=2, opacity=0.5).encode(
        x=x, y=alt.Y("low:Q", title=name, scale=scale), y2="high:Q"
    )
    layers = [bands]
    for is_sure in (True, False):
        dots = base.transform_filter(f"datum.sure == {str(is_sure).lower()}")
        layers.append(dots.mark_point(filled=is_sure, size=60, opacity=1).encode(x=x, y=value))
    if whole.value is not None:
        all_systems = alt.Chart(pd.DataFrame([(whole.value,)], columns=["value"]))
        layers.append(all_systems.mark_rule(strokeDash=[4, 4]).encode(y=alt.Y("value:Q", scale=scale)))
    return alt.LayerChart(layer=layers, title=title)


def _width(windows: Sequence[str]) -> int | alt.Step:
    return NARROWEST if len(windows) <= MOST_ON_A_PHONE else alt.Step(WINDOW)
