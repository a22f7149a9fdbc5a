"""A lattice of corrections as a picture, once for each metric."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from core.later import alt, pd
from core.results import Layout
from metrics.meta_evaluation.maege.lattice_scores import Node, Step, direction

WIDTH, HEIGHT = 210, 200
"""Of a panel, in pixels."""

ACROSS = 3
"""Panels beside each other, but on a phone."""

TALLER, AROUND = 1.4, 86
"""How much taller panels are on a card that they fill, and what is around, in pixels."""


def lattice_height(panels: int, layout: Layout) -> int:
    """Height of the figure of so many panels on a wide screen or a phone, in pixels."""
    if layout == "narrow":
        return panels * (HEIGHT + AROUND)
    return round(-(-panels // ACROSS) * (HEIGHT * TALLER + AROUND))


def lattice_figure(
    nodes: Sequence[Node],
    steps: Sequence[Step],
    letters: Sequence[str],
    metrics: Sequence[tuple[str, str]],
    *,
    title: str,
) -> alt.VConcatChart:
    """A panel for each metric: scores of corrections by their number of edits, joined by the steps.

    A step that lowers the score is red and dashed, one that raises it blue, one that leaves it thin.

    Args:
        nodes: corrections.
        steps: between those that differ by one edit.
        letters: what each correction is called.
        metrics: as in the scores, and as shown.
        title: of the chart.
    """
    panels = [_panel(tuple(nodes), steps, letters, *metric) for metric in metrics]
    rows = [
        alt.HConcatChart(hconcat=panels[begin : begin + ACROSS], spacing=28)
        for begin in range(0, len(panels), ACROSS)
    ]
    return alt.VConcatChart(vconcat=rows, title=title, spacing=22)


def _panel(
    nodes: tuple[Node, ...], steps: Sequence[Step], letters: Sequence[str], metric: str, name: str
) -> alt.LayerChart:
    places = [(len(node.edits), node.scores[metric]) for node in nodes]
    named = defaultdict(list)
    for place, letter in zip(places, letters, strict=True):
        named[place].append(letter)
    lines = pd.DataFrame(
        [
            (*places[step.worse], *places[step.better], direction(nodes, step, metric))
            for step in steps
            if None not in (*places[step.worse], *places[step.better])
        ],
        columns=["x", "y", "x2", "y2", "direction"],
    )
    points = pd.DataFrame(
        [(*place, ", ".join(those), 0) for place, those in named.items() if place[1] is not None],
        columns=["x", "y", "letters", "level"],
    )
    most = max(edits for edits, _ in places)
    x = alt.X(
        "x:Q",
        title="edits applied",
        scale=alt.Scale(domain=[-0.2, most + 0.2], nice=False),
        axis=alt.Axis(values=list(range(most + 1)), format="d"),
    )
    y = alt.Y("y:Q", title=None, scale=alt.Scale(zero=False, padding=16))
    scale = alt.Scale(domain=[-1, 0, 1], range="diverging", interpolate="rgb")
    colour = alt.Color("direction:Q", scale=scale, legend=None)
    # The middle of the colours is that of the page: a rim around letters, so that lines do not cross them.
    surface = alt.Stroke("level:Q", scale=scale, legend=None)
    base = alt.Chart(lines, width=WIDTH, height=HEIGHT)
    styles: tuple[tuple[str, dict[str, Any]], ...] = (
        ("== 0", {"strokeWidth": 0.7, "opacity": 0.5}),
        ("> 0", {"strokeWidth": 1.4, "opacity": 0.7}),
        ("< 0", {"strokeWidth": 2.6, "strokeDash": [5, 3]}),
    )
    drawn = []
    for test, style in styles:
        rules = base.transform_filter(f"datum.direction {test}").mark_rule(**style)
        rules = rules.encode(x=x, y=y, x2="x2:Q", y2="y2:Q")
        drawn.append(rules if test == "== 0" else rules.encode(color=colour))
    of_points = alt.Chart(points)
    dots = of_points.mark_point(filled=True, size=50, opacity=1).encode(x=x, y=y)
    style = {"dy": -12, "fontSize": 11, "fontWeight": "bold"}
    rim = of_points.mark_text(**style, strokeWidth=5, strokeJoin="round").encode(
        x=x, y=y, text="letters:N", stroke=surface
    )
    texts = of_points.mark_text(**style).encode(x=x, y=y, text="letters:N")
    return alt.LayerChart(layer=[*drawn, dots, rim, texts], title=name)
