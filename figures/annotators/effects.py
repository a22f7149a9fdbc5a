"""Coefficients with intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.later import alt, pd

WIDTH = 300


@dataclass(frozen=True, slots=True)
class EffectsPanel:
    """A panel of coefficients.

    Attributes:
        title: along the axis.
        neutral: the value that means no effect, as a dashed line.
        rows: name, value and interval of each, from the top down; bounds are None where there is no interval.
    """

    title: str
    neutral: float
    rows: Sequence[tuple[str, float, float | None, float | None]]


def effects_figure(panels: Sequence[EffectsPanel], *, title: str) -> alt.VConcatChart:
    """A dot with its interval for each coefficient, a panel for each kind."""
    return alt.VConcatChart(vconcat=[_panel(panel) for panel in panels], title=title, spacing=22)


def _panel(panel: EffectsPanel) -> alt.LayerChart:
    frame = pd.DataFrame(panel.rows, columns=["name", "value", "low", "high"]).astype(
        {"value": float, "low": float, "high": float}
    )
    order = [name for name, *_ in panel.rows]
    scale = alt.Scale(zero=False)
    y = alt.Y("name:N", title=None, sort=order, axis=alt.Axis(labelLimit=200))
    base = alt.Chart(frame, width=WIDTH, height=alt.Step(22))
    axis = alt.Axis(tickCount=5, labelOverlap=True)
    intervals = base.mark_rule(strokeWidth=2, opacity=0.5).encode(
        y=y, x=alt.X("low:Q", title=panel.title, scale=scale, axis=axis), x2="high:Q"
    )
    dots = base.mark_point(filled=True, size=60, opacity=1).encode(
        y=y, x=alt.X("value:Q", title=panel.title, axis=axis)
    )
    neutral = base.mark_rule(strokeDash=[4, 4], strokeWidth=1).encode(x=alt.XDatum(panel.neutral))
    return alt.LayerChart(layer=[neutral, intervals, dots], data=frame)
