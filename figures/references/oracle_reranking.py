"""Changes of the best candidates, by the number of references that they are picked against."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.later import alt, pd
from figures.curves import whole_ticks

LEFT = 300
"""Width of the left panel in pixels."""


@dataclass(frozen=True, slots=True)
class DrawnReranking:
    """A point: references, words changed per sentence with its interval, and sentences by words changed."""

    references: int
    words: float
    low: float
    high: float
    by_words: Sequence[float]


def reranking_figure(points: Sequence[DrawnReranking], *, title: str) -> alt.HConcatChart:
    """Words changed over references; beside it, sentences by words changed, less those of one reference.

    The right panel is Figure 2 of Choshen and Abend 2018, "Inherent Biases in Reference-based Evaluation".
    """
    frame = pd.DataFrame(
        [(each.references, each.words, each.low, each.high) for each in points],
        columns=["references", "words", "low", "high"],
    )
    ticks = whole_ticks(points[-1].references, LEFT)
    x = alt.X("references:Q", title="references", axis=alt.Axis(values=ticks, format="d"))
    y = alt.Y("words:Q", title="words changed per sentence", scale=alt.Scale(zero=True))
    base = alt.Chart(frame, width=LEFT, height=240)
    left = alt.LayerChart(
        layer=[
            base.mark_line(strokeWidth=2).encode(x=x, y=y),
            base.mark_area(opacity=0.15).encode(x=x, y="low:Q", y2="high:Q"),
        ],
        data=frame,
    )
    first = points[0].by_words
    last = len(first) - 1
    changed = pd.DataFrame(
        [
            (each.references, f"{words}+" if words == last else str(words), number - before)
            for each in points[1:]
            for words, (number, before) in enumerate(zip(each.by_words, first, strict=True))
        ],
        columns=["references", "words", "sentences"],
    )
    right = (
        alt.Chart(changed, width=340, height=240, title="Sentences by number of words changed")
        .mark_bar()
        .encode(
            x=alt.X("words:N", title="words changed", sort=None, axis=alt.Axis(labelAngle=0)),
            xOffset=alt.XOffset("references:O"),
            y=alt.Y("sentences:Q", title="sentences more than against one reference"),
        )
    )
    if len(points) > 2:
        right = right.encode(
            opacity=alt.Opacity(
                "references:O",
                title="references",
                scale=alt.Scale(range=[0.25, 1]),
                sort="ascending",
                legend=alt.Legend(orient="bottom"),
            )
        )
    return alt.HConcatChart(hconcat=[left, right], title=title, spacing=24)
