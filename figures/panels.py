"""Small multiples: a panel for each part of the data, such as a domain, with the same rows in one order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.later import alt, pd
from core.results import Layout
from figures.drawing import wrapped
from figures.systems.ranking import NAME_CHARS

PANELS_BESIDE: Mapping[Layout, int] = {"wide": 3, "narrow": 1}
WIDTHS: Mapping[Layout, int] = {"wide": 190, "narrow": 150}

Dot = tuple[str, float, float | None, float | None]
"""A row of a panel: its name, a value, and the ends of the interval."""


def panels_figure(
    panels: Mapping[str, Sequence[Dot]],
    names: Sequence[str],
    *,
    title: str,
    axis: str,
    layout: Layout = "wide",
) -> alt.VConcatChart:
    """A value with its interval for each row, in a panel for each part, on one scale.

    Args:
        panels: the rows of each part, in the order of the panels; at least one has a row.
        names: of all rows, from top to bottom of every panel.
        title: of the chart.
        axis: what the values are.
        layout: a phone has the panels below each other.
    """
    rows = [(panel, _name(name, layout), *dot) for panel, dots in panels.items() for name, *dot in dots]
    frame = pd.DataFrame(rows, columns=["panel", "name", "value", "low", "high"])
    ends = frame[["value", "low", "high"]].to_numpy(dtype=float)
    scale = alt.Scale(domain=[float(np.nanmin(ends)), float(np.nanmax(ends))], zero=False, nice=True)
    shown = [_name(name, layout) for name in names]
    beside = PANELS_BESIDE[layout]
    drawn = [
        _panel(
            frame[frame["panel"] == panel],
            shown,
            title=panel,
            axis=axis,
            scale=scale,
            has_names=place % beside == 0,
            width=WIDTHS[layout],
        )
        for place, panel in enumerate(panels)
    ]
    lines = [drawn[first : first + beside] for first in range(0, len(drawn), beside)]
    return alt.VConcatChart(
        vconcat=[alt.HConcatChart(hconcat=line, spacing=16) for line in lines], title=title
    )


def _name(name: str, layout: Layout) -> str:
    return "\n".join(wrapped(name, NAME_CHARS[layout]))


def _panel(
    frame: pd.DataFrame,
    names: Sequence[str],
    *,
    title: str,
    axis: str,
    scale: alt.Scale,
    has_names: bool,
    width: int,
) -> alt.LayerChart:
    labels = alt.Axis(labelExpr="split(datum.label, '\\n')") if has_names else None
    y = alt.Y("name:N", title=None, sort=list(names), scale=alt.Scale(domain=list(names)), axis=labels)
    base = alt.Chart(frame, width=width, height=alt.Step(22))
    x = alt.X("value:Q", title=axis, scale=scale)
    layers = [base.mark_point(filled=True, size=50, opacity=1).encode(y=y, x=x)]
    if frame["low"].notna().any():
        low = alt.X("low:Q", title=axis, scale=scale)
        layers.insert(0, base.mark_rule(strokeWidth=2).encode(y=y, x=low, x2="high:Q"))
    return alt.LayerChart(layer=layers, title=title)
