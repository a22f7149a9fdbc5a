"""The score of a perfect corrector by number of references."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.later import alt, pd
from figures.curves import WIDTHS, named_ends, references_axis
from metrics.meta_evaluation import Estimate


@dataclass(frozen=True, slots=True)
class DrawnPerfect:
    """A point of the curves: references, score with its interval, and score of one of the references."""

    references: int
    score: Estimate
    lucky: float | None


def perfect_corrector_figure(
    points: Sequence[DrawnPerfect], *, metric: str, title: str, width: int = WIDTHS["wide"]
) -> alt.LayerChart:
    """A curve with dots and its interval, and a dashed one of an output that always is a reference.

    Choshen and Abend 2018, "Inherent Biases in Reference-based Evaluation", Figures 4 and 5.
    """
    frame = pd.DataFrame(
        [(each.references, each.score.value, each.score.low, each.score.high, each.lucky) for each in points],
        columns=["references", "score", "low", "high", "lucky"],
    )
    base = alt.Chart(frame, width=width, height=260)
    x = references_axis(points[-1].references, width)
    y = alt.Y("score:Q", title=metric)
    band = base.mark_area(opacity=0.15).encode(x=x, y="low:Q", y2="high:Q")
    curve = base.mark_line(strokeWidth=2, point=alt.OverlayMarkDef(size=40)).encode(x=x, y=y)
    lucky = base.mark_line(strokeDash=[5, 4], strokeWidth=1.5).encode(x=x, y="lucky:Q")
    ends = named_ends(
        frame, x, upper=("lucky", "a reference"), lower=("score", "another person"), width=width
    )
    return alt.LayerChart(layer=[curve, band, lucky, *ends], title=title)
