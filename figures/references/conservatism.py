"""Changes by systems and people, and the types of errors that systems leave."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.later import alt, pd
from figures.references.edit_types import BESIDE_NAMES
from figures.rows import ROW
from metrics.edits.errant_types import CATEGORIES
from metrics.meta_evaluation import Estimate

WIDTH = 340


@dataclass(frozen=True, slots=True)
class DrawnCorrector:
    """A system or a person: words changed per sentence, and the share of sentences without a changed one."""

    name: str
    is_person: bool
    words: Estimate
    unchanged: Estimate


def correctors_figure(
    correctors: Sequence[DrawnCorrector], *, title: str, is_narrow: bool = False
) -> alt.HConcatChart:
    """Two panels with a row for each corrector, in the order given; people are hollow.

    If the panels are below each other, both have the names.

    Choshen and Abend 2018, "Inherent Biases in Reference-based Evaluation", appendix B.
    """
    order = [each.name for each in correctors]
    panels = []
    for place, (column, axis) in enumerate(
        (("words", "words changed per sentence"), ("unchanged", "share of sentences without a changed word"))
    ):
        frame = pd.DataFrame(
            [
                (each.name, each.is_person, estimate.value, estimate.low, estimate.high)
                for each in correctors
                for estimate in [each.words if column == "words" else each.unchanged]
            ],
            columns=["name", "person", "value", "low", "high"],
        )
        labels = alt.Axis(labelLimit=180) if place == 0 or is_narrow else None
        y = alt.Y("name:N", title=None, sort=order, scale=alt.Scale(domain=order), axis=labels)
        base = alt.Chart(frame, width=WIDTH, height=alt.Step(20))
        lines = base.mark_rule(strokeWidth=2, opacity=0.5).encode(
            x=alt.X("low:Q", title=axis, scale=alt.Scale(zero=True)), x2="high:Q", y=y
        )
        systems = base.transform_filter("!datum.person").mark_point(filled=True, size=60, opacity=1)
        people = base.transform_filter("datum.person").mark_point(
            filled=False, size=60, strokeWidth=2, opacity=1
        )
        dots = [mark.encode(x=alt.X("value:Q", title=axis), y=y) for mark in (systems, people)]
        panels.append(alt.LayerChart(layer=[lines, *dots], data=frame))
    return alt.HConcatChart(hconcat=panels, title=title, spacing=24)


def type_ratios_figure(
    rows: Sequence[tuple[str, Estimate]], *, title: str, is_narrow: bool = False
) -> alt.LayerChart:
    """A row for each type of edit: edits of systems over those of people; a line at 1, where both are equal.

    The same paper, Table 6.
    """
    frame = pd.DataFrame(
        [
            (CATEGORIES.get(name, name), each.value, each.low, each.high)
            for name, each in rows
            if each.value is not None
        ],
        columns=["type", "value", "low", "high"],
    )
    x = alt.X("value:Q", title="edits of systems ÷ edits of references")
    y = alt.Y("type:N", title=None, sort=None)
    base = alt.Chart(frame, width=BESIDE_NAMES if is_narrow else WIDTH, height=alt.Step(ROW))
    lines = base.mark_rule(strokeWidth=2, opacity=0.5).encode(x="low:Q", x2="high:Q", y=y)
    dots = base.mark_point(filled=True, size=60, opacity=1).encode(x=x, y=y)
    equal = base.mark_rule(strokeDash=[4, 4], strokeWidth=1).encode(x=alt.XDatum(1))
    return alt.LayerChart(layer=[dots, lines, equal], data=frame, title=title)
