"""The accuracy of a perfect corrector by number of references."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.later import alt, pd
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
    points: Sequence[DrawnCoverage], *, loss: float | None, title: str, width: int = WIDTHS["wide"]
) -> alt.LayerChart:
    """A curve with its interval, a dashed one where all references differ, and a line where `loss` is lost.

    Accuracies end a little above the highest of these. There is no line if `loss` is None.

    Choshen and Abend 2018, "Inherent Biases in Reference-based Evaluation", Figure 3.
    """
    frame = pd.DataFrame(
        [(each.references, each.accuracy, each.low, each.high, each.different) for each in points],
        columns=["references", "accuracy", "low", "high", "different"],
    )
    base = alt.Chart(frame, width=width, height=260)
    x = references_axis(points[-1].references, width)
    goal = () if loss is None else (1 - loss,)
    highest = max(*goal, *(end or 0 for each in points for end in (each.accuracy, each.high, each.different)))
    scale = alt.Scale(domain=[0, min(1, highest + 0.05)], nice=False)
    y = alt.Y("accuracy:Q", title="accuracy of a perfect corrector", scale=scale)
    band = base.mark_area(opacity=0.15).encode(x=x, y="low:Q", y2="high:Q")
    curve = base.mark_line(strokeWidth=2).encode(x=x, y=y)
    different = base.mark_line(strokeDash=[5, 4], strokeWidth=1.5).encode(x=x, y="different:Q")
    line = alt.Chart(pd.DataFrame({"accuracy": goal, "text": [f"{loss} lost" for _ in goal]}))
    lost = line.mark_rule(strokeWidth=1, strokeDash=[2, 3], opacity=0.7).encode(y="accuracy:Q")
    lost_name = line.mark_text(align="left", dx=4, dy=-7).encode(
        x=alt.value(0), y="accuracy:Q", text="text:N"
    )
    ends = named_ends(
        frame, x, upper=("different", "all different"), lower=("accuracy", "drawn anew"), width=width
    )
    return alt.LayerChart(
        layer=[curve, band, *([lost, lost_name] if goal else []), different, *ends], title=title
    )
