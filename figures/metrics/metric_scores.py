"""Systems by the scores of automatic metrics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.later import alt, pd
from core.results import Layout

PANELS_A_ROW: Mapping[Layout, int] = {"wide": 3, "narrow": 2}
PANEL_WIDTHS: Mapping[Layout, int] = {"wide": 200, "narrow": 110}
ROWS: Mapping[Layout, int] = {"wide": 20, "narrow": 16}
"""Heights of a row in pixels."""

ROOM_AT_ENDS = 12
"""Pixels between the ends of a scale and those of the axis, so that no dot is cut."""


@dataclass(frozen=True, slots=True)
class DrawnScore:
    """A dot with its interval: the system, its score, and the ends of the interval, if known."""

    system: str
    value: float
    low: float | None
    high: float | None


def metric_scores_figure(
    panels: Sequence[tuple[str, Sequence[DrawnScore]]],
    *,
    order: Sequence[str],
    title: str,
    domain: tuple[float, float] | Mapping[str, tuple[float, float]] | None = None,
    layout: Layout = "wide",
) -> alt.VConcatChart:
    """A panel for each metric, with a separate scale: a dot per system, and its interval as a line.

    Args:
        panels: title and scores of each metric; a system without a score is left out of the panel.
        order: systems from top to bottom, the same in all panels.
        title: of the figure.
        domain: ends of the scale of all panels, or of each by its title; by default each has its own.
        layout: for a desktop, or for a phone or a column of a paper.
    """
    of_a_row = PANELS_A_ROW[layout]
    domains = domain if isinstance(domain, Mapping) else dict.fromkeys((name for name, _ in panels), domain)
    rows = [
        alt.HConcatChart(
            hconcat=[
                _panel(name, scores, order, named=place == 0, domain=domains[name], layout=layout)
                for place, (name, scores) in enumerate(panels[begin : begin + of_a_row])
            ],
            spacing=16,
        )
        for begin in range(0, len(panels), of_a_row)
    ]
    return alt.VConcatChart(vconcat=rows, title=title, spacing=24)


def _panel(
    name: str,
    scores: Sequence[DrawnScore],
    order: Sequence[str],
    *,
    named: bool,
    domain: tuple[float, float] | None,
    layout: Layout,
) -> alt.LayerChart:
    frame = pd.DataFrame(
        [(each.system, each.value, each.low, each.high) for each in scores],
        columns=["system", "score", "low", "high"],
    )
    axis = alt.Axis(labelLimit=160) if named else None
    y = alt.Y("system:N", title=None, sort=list(order), scale=alt.Scale(domain=list(order)), axis=axis)
    ends = alt.Undefined if domain is None else list(domain)
    scale = alt.Scale(domain=ends, zero=False, nice=False, padding=ROOM_AT_ENDS)
    base = alt.Chart(frame, width=PANEL_WIDTHS[layout], height=alt.Step(ROWS[layout]))
    lines = base.mark_rule(strokeWidth=2, opacity=0.5).encode(
        x=alt.X("low:Q", title=name, scale=scale, axis=alt.Axis(tickCount=PANEL_WIDTHS[layout] // 50)),
        x2="high:Q",
        y=y,
    )
    dots = base.mark_point(filled=True, size=60, opacity=1).encode(x=alt.X("score:Q", scale=scale), y=y)
    return alt.LayerChart(layer=[lines, dots], data=frame)
