"""Agreement of a metric with people, with one thing changed at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor

from core.later import alt, pd
from metrics.meta_evaluation import Estimate

WIDTH, ON_A_PHONE = 420, 170
"""Width of the panel; names of changes are long, so little is left of a phone."""


@dataclass(frozen=True, slots=True)
class DrawnChange:
    """A change by its name, with r, the difference from r as measured, and whether tests tell it from 0."""

    name: str
    value: float
    difference: Estimate
    is_clear: bool


def causes_figure(
    changes: Sequence[DrawnChange], *, measured: float, title: str, is_narrow: bool = False
) -> alt.LayerChart:
    """A row for each change: a dot for r, the interval of its difference around it, and r as measured dashed.

    Dots of differences that are not clear are hollow. Ends beyond -1 and 1 are cut off.
    """
    rows = [
        (
            each.name,
            each.value,
            _end(measured, each.difference.low),
            _end(measured, each.difference.high),
            each.is_clear,
        )
        for each in changes
    ]
    frame = pd.DataFrame(rows, columns=["change", "value", "low", "high", "clear"]).astype(
        {"value": float, "low": float, "high": float}
    )
    lowest = min([0.0, measured, *frame[["value", "low"]].min().dropna()])
    scale = alt.Scale(domain=[floor(5 * lowest) / 5, 1])
    x = alt.X("value:Q", title="Pearson’s r with people", scale=scale)
    y = alt.Y("change:N", title=None, sort=[each.name for each in changes], axis=alt.Axis(labelLimit=200))
    base = alt.Chart(frame, width=ON_A_PHONE if is_narrow else WIDTH, height=alt.Step(24))
    lines = base.mark_rule(strokeWidth=2, opacity=0.5).encode(x=alt.X("low:Q", scale=scale), x2="high:Q", y=y)
    dots = [
        base.transform_filter(f"datum.clear == {str(is_clear).lower()}")
        .mark_point(filled=is_clear, size=60, opacity=1)
        .encode(x=x, y=y)
        for is_clear in (True, False)
    ]
    at = alt.Chart(pd.DataFrame([(measured,)], columns=["measured"]))
    baseline = at.mark_rule(strokeDash=[4, 4], strokeWidth=1).encode(x=alt.X("measured:Q", scale=scale))
    return alt.LayerChart(layer=[baseline, lines, *dots], title=title)


def _end(measured: float, difference: float | None) -> float | None:
    return None if difference is None else min(max(measured + difference, -1.0), 1.0)
