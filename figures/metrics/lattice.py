"""A lattice of corrections as a picture, once for each metric."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from core.later import alt, pd
from core.results import Layout
from metrics.meta_evaluation.maege.lattice_scores import Node, Step, direction

WIDTH, STEP = 220, 46
"""Width of a panel and height of a level, in pixels."""

WIDTH_OF_A_SCORE = 40
"""Room for a score, in pixels."""

ROOMS: Mapping[Layout, int] = {"wide": 1120, "narrow": 340}
"""The width in which panels are side by side, in pixels."""

WIDTHS_BESIDE: Mapping[Layout, int] = {"wide": WIDTH, "narrow": 112}
"""Of a panel beside others, in pixels."""

TALLER, AROUND = 1.4, 45
"""How much taller panels are on a card, and what is above and below each, in pixels."""


def panels_a_row(nodes: Sequence[Node], layout: Layout) -> int:
    """How many panels have room for the scores of a level beside each other."""
    widest = max(Counter(len(node.edits) for node in nodes).values())
    return min(3, max(1, ROOMS[layout] // (WIDTH_OF_A_SCORE * widest + AROUND)))


def lattice_height(nodes: Sequence[Node], metrics: int, layout: Layout) -> int:
    """Height of the figure of so many metrics on a wide screen or a phone, in pixels."""
    levels = max(len(node.edits) for node in nodes) + 1
    rows = -(-metrics // panels_a_row(nodes, layout))
    return round(rows * (STEP * levels * (TALLER if layout == "wide" else 1) + AROUND) + AROUND)


def lattice_figure(
    nodes: Sequence[Node],
    steps: Sequence[Step],
    letters: Sequence[str],
    metrics: Sequence[tuple[str, str]],
    *,
    title: str,
    layout: Layout = "wide",
) -> alt.VConcatChart:
    """A panel for each metric: corrections with their scores, the original at the bottom, and the steps up.

    A step that lowers the score is red and dashed, one that raises it blue, one that leaves it thin.

    Args:
        nodes: corrections.
        steps: between those that differ by one edit.
        letters: what each correction is called.
        metrics: as in the scores, and as shown.
        title: of the chart.
        layout: a phone has fewer panels beside each other, which are narrower.
    """
    places = _places(nodes)
    across = panels_a_row(nodes, layout)
    width = WIDTHS_BESIDE[layout] if across > 1 else WIDTH
    panels = [_panel(tuple(nodes), steps, letters, places, *metric, width=width) for metric in metrics]
    rows = [
        alt.HConcatChart(hconcat=panels[begin : begin + across], spacing=28 if layout == "wide" else 8)
        for begin in range(0, len(panels), across)
    ]
    return alt.VConcatChart(vconcat=rows, title=title, spacing=22)


def _places(nodes: Sequence[Node]) -> list[tuple[float, int]]:
    """The place of each correction: those with equally many edits are side by side, on one level."""
    widths = Counter(len(node.edits) for node in nodes)
    met: Counter[int] = Counter()
    places = []
    for node in nodes:
        level = len(node.edits)
        places.append(((met[level] + 0.5) / widths[level], level))
        met[level] += 1
    return places


def _panel(
    nodes: tuple[Node, ...],
    steps: Sequence[Step],
    letters: Sequence[str],
    places: Sequence[tuple[float, int]],
    metric: str,
    name: str,
    *,
    width: int,
) -> alt.LayerChart:
    lines = pd.DataFrame(
        [(*places[step.worse], *places[step.better], direction(nodes, step, metric)) for step in steps],
        columns=["x", "y", "x2", "y2", "direction"],
    )
    points = pd.DataFrame(
        [
            (*place, letter, "–" if (score := node.scores[metric]) is None else f"{score:.3f}", 0)
            for node, place, letter in zip(nodes, places, letters, strict=True)
        ],
        columns=["x", "y", "letter", "score", "level"],
    )
    levels = max(level for _, level in places)
    x = alt.X("x:Q", axis=None, scale=alt.Scale(domain=[0, 1]))
    y = alt.Y(
        "y:Q",
        title="edits",
        scale=alt.Scale(domain=[-0.3, levels + 0.3], nice=False),
        axis=alt.Axis(values=list(range(levels + 1)), format="d", grid=False),
    )
    scale = alt.Scale(domain=[-1, 0, 1], range="diverging", interpolate="rgb")
    colour = alt.Color("direction:Q", scale=scale, legend=None)
    # The middle of the colours is that of the page: a rim around texts, so that lines do not cross them.
    surface = alt.Stroke("level:Q", scale=scale, legend=None)
    base = alt.Chart(lines, width=width, height=STEP * (levels + 1))
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
    texts = []
    for text, style in (
        ("letter:N", {"dx": -9, "dy": -9, "fontSize": 11, "fontWeight": "bold"}),
        ("score:N", {"dy": 13, "fontSize": 10}),
    ):
        rim = of_points.mark_text(**style, strokeWidth=4, strokeJoin="round").encode(
            x=x, y=y, text=text, stroke=surface
        )
        texts += [rim, of_points.mark_text(**style).encode(x=x, y=y, text=text)]
    return alt.LayerChart(layer=[*drawn, dots, *texts], title=name)
