"""Systems beside people, by score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.later import alt, pd
from metrics.meta_evaluation import Estimate


@dataclass(frozen=True, slots=True)
class DrawnScorer:
    """A system or a person with a score."""

    name: str
    is_person: bool
    score: Estimate


def scorers_figure(scorers: Sequence[DrawnScorer], *, title: str) -> alt.LayerChart:
    """A row for each scorer, in the order given: a dot and its interval; people are hollow.

    Choshen and Abend 2018, "Inherent Biases in Reference-based Evaluation", Figure 1.
    """
    there = [each for each in scorers if each.score.value is not None]
    frame = pd.DataFrame(
        [(each.name, each.is_person, each.score.value, each.score.low, each.score.high) for each in there],
        columns=["name", "person", "value", "low", "high"],
    )
    order = list(dict.fromkeys(each.name for each in there))
    x = alt.X("value:Q", title="score", scale=alt.Scale(zero=False))
    y = alt.Y("name:N", title=None, sort=order, axis=alt.Axis(labelLimit=200))
    base = alt.Chart(frame, width=460, height=alt.Step(20))
    lines = base.mark_rule(strokeWidth=2, opacity=0.5).encode(x="low:Q", x2="high:Q", y=y)
    systems = base.transform_filter("!datum.person").mark_point(filled=True, size=60, opacity=1)
    people = base.transform_filter("datum.person").mark_point(filled=False, size=60, strokeWidth=2, opacity=1)
    dots = [mark.encode(x=x, y=y) for mark in (systems, people)]
    return alt.LayerChart(layer=[*dots, lines], data=frame, title=title)
