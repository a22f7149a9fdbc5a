"""Two values of each system: what it has by references alone, and with people's verdicts as weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.later import alt, pd
from core.results import Layout
from figures.drawing import wrapped
from figures.systems.ranking import NAME_CHARS, WIDTH_OF_A_TICK

_WIDTHS = {"wide": 420, "narrow": 190}


@dataclass(frozen=True, slots=True)
class DrawnPair:
    """A row: the label of a system, and its value before and after."""

    label: str
    before: float
    after: float


def pairs_figure(
    systems: Sequence[DrawnPair], *, title: str, axis: str, layout: Layout = "wide"
) -> alt.LayerChart:
    """A hollow dot for each value before, a filled one after, and the line between, in the order given."""
    names = {each.label: "\n".join(wrapped(each.label, NAME_CHARS[layout])) for each in systems}
    frame = pd.DataFrame(
        [(names[each.label], each.before, each.after) for each in systems],
        columns=["system", "before", "after"],
    )
    width = _WIDTHS[layout]
    lines = wrapped(axis, 26 if layout == "narrow" else 70)
    scale, ticks = alt.Scale(zero=False, nice=True, padding=8), alt.Axis(tickCount=width // WIDTH_OF_A_TICK)
    labels = alt.Axis(labelExpr="split(datum.label, '\\n')")
    y = alt.Y("system:N", title=None, sort=list(names.values()), axis=labels)
    base = alt.Chart(frame, width=width, height=alt.Step(28))
    before, after = (alt.X(f"{name}:Q", title=lines, scale=scale, axis=ticks) for name in ("before", "after"))
    line = base.mark_rule(strokeWidth=2, opacity=0.5).encode(x=before, x2="after:Q", y=y)
    hollow = base.mark_point(filled=False, size=60, strokeWidth=2, opacity=1).encode(x=before, y=y)
    filled = base.mark_point(filled=True, size=60, opacity=1).encode(x=after, y=y)
    return alt.LayerChart(layer=[line, hollow, filled], data=frame, title=title)
