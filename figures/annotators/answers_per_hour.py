"""Answers that annotators give per hour."""

from __future__ import annotations

from collections.abc import Sequence

from core.later import alt, pd
from figures.rows import ROW


def pace_figure(rows: Sequence[tuple[str, float]], *, longest: float, title: str) -> alt.LayerChart:
    """A bar for each annotator, in the order of `rows`: the name and the answers per hour.

    Bars are cut off at `longest` answers per hour, and say so, so that one does not flatten the others.
    """
    frame = pd.DataFrame(rows, columns=["annotator", "pace"])
    frame["bar"] = frame["pace"].clip(upper=longest)
    frame["shown"] = [f"{pace:,.1f}{' (cut off)' if pace > longest else ''}" for _, pace in rows]
    y = alt.Y("annotator:N", title=None, sort=[name for name, _ in rows], axis=alt.Axis(labelLimit=260))
    x = alt.X("bar:Q", title="answers per hour")
    base = alt.Chart(frame, width=460, height=alt.Step(ROW))
    bars = base.mark_bar(height=12).encode(y=y, x=x)
    numbers = base.mark_text(align="left", dx=5).encode(y=y, x=x, text="shown:N")
    return alt.LayerChart(layer=[bars, numbers], data=frame, title=title)
