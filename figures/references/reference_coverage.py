"""The accuracy of a perfect corrector by number of references."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.later import alt, pd
from core.wording import percent
from figures.curves import WIDTHS, named_ends, references_axis


@dataclass(frozen=True, slots=True)
class DrawnCoverage:
    """A point of the curve: references, expected accuracy with its interval, and that of different ones."""

    references: int
    accuracy: float | None
    low: float | None
    high: float | None
    different: float


def coverage_figure(
    points: Sequence[DrawnCoverage],
    *,
    known: int,
    loss: float | None,
    title: str,
    width: int = WIDTHS["wide"],
) -> alt.LayerChart:
    """A curve with its interval, a dotted one where all references differ, and a line where `loss` is lost.

    Beyond `known` references, as many as sentences have, the curve is dashed and named extrapolated. The axis
    ends a little above the highest accuracy. There is no line if `loss` is None.

    Choshen and Abend 2018, "Inherent Biases in Reference-based Evaluation", Figure 3.
    """
    frame = pd.DataFrame(
        [(each.references, each.accuracy, each.low, each.high, each.different) for each in points],
        columns=["references", "accuracy", "low", "high", "different"],
    )
    last = points[-1].references
    base = alt.Chart(frame, width=width, height=260)
    x = references_axis(last, width, known)
    goal = {} if loss is None else {1 - loss: f"loss allowed: {percent(loss)}"}
    highest = max(*goal, *(end or 0 for each in points for end in (each.accuracy, each.high, each.different)))
    scale = alt.Scale(domain=[0, min(1, highest + 0.05)], nice=False)
    y = alt.Y("accuracy:Q", title="sentences with an equal reference", scale=scale, axis=alt.Axis(format="%"))
    within, beyond = f"datum.references <= {known}", f"datum.references >= {known}"
    layers: list[alt.Chart] = [
        base.transform_filter(beyond).mark_line(strokeWidth=2, strokeDash=[8, 5]).encode(x=x, y=y),
        base.transform_filter(within).mark_line(strokeWidth=2.5).encode(x=x, y=y),
        base.transform_filter(beyond).mark_area(opacity=0.08).encode(x=x, y="low:Q", y2="high:Q"),
        base.transform_filter(within).mark_area(opacity=0.2).encode(x=x, y="low:Q", y2="high:Q"),
    ]
    if known < last:
        border = alt.Chart(pd.DataFrame({"references": [known], "text": [f"beyond {known}: extrapolated"]}))
        layers += [
            border.mark_rule(strokeWidth=1, opacity=0.5).encode(x=x),
            border.mark_text(align="left", dx=5, dy=9).encode(x=x, y=alt.value(0), text="text:N"),
        ]
    if goal:
        line = alt.Chart(pd.DataFrame({"references": last, "accuracy": goal.keys(), "text": goal.values()}))
        layers += [
            line.mark_rule(strokeWidth=1, opacity=0.7).encode(y="accuracy:Q"),
            line.mark_text(align="right", dx=-4, dy=-7).encode(x=x, y="accuracy:Q", text="text:N"),
        ]
    different = base.mark_line(strokeDash=[1, 4], strokeCap="round", strokeWidth=2)
    different = different.encode(x=x, y="different:Q")
    ends = named_ends(
        frame, x, upper=("different", "all differ"), lower=("accuracy", "may repeat"), width=width
    )
    return alt.LayerChart(layer=[*layers, different, *ends], title=title)
