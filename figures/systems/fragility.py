"""The fewest judgments that decide each place of a ranking."""

from __future__ import annotations

from collections.abc import Sequence

from core.later import alt, pd
from figures.rows import ROW

WIDTH = 460


def fragility_figure(
    rows: Sequence[tuple[str, int]], *, groups: int, unit: str, title: str
) -> alt.LayerChart:
    """A dot for each border, on a logarithmic axis up to the number of all groups.

    Args:
        rows: the border in words and its number of removals, from the best down.
        groups: how many judgments, sentences or annotators there are.
        unit: what is removed, in the plural.
        title: of the chart.
    """
    frame = pd.DataFrame(rows, columns=["border", "removals"])
    y = alt.Y("border:N", title=None, sort=[border for border, _ in rows], axis=alt.Axis(labelLimit=260))
    scale = alt.Scale(type="log", domain=[0.5, max(groups, 1)], nice=False)
    x = alt.X("removals:Q", title=f"{unit} removed, of {groups:,}", scale=scale, axis=_axis(groups))
    base = alt.Chart(frame, width=WIDTH, height=alt.Step(ROW)).encode(x=x, y=y)
    dots = base.mark_circle(size=80, opacity=1)
    numbers = base.mark_text(align="left", dx=9).encode(text=alt.Text("removals:Q", format=","))
    return alt.LayerChart(layer=[dots, numbers], data=frame, title=title)


def _axis(groups: int) -> alt.Axis:
    """Ticks at powers of ten."""
    ticks = [1]
    while ticks[-1] * 10 <= groups:
        ticks.append(ticks[-1] * 10)
    return alt.Axis(values=ticks, format=",d")
