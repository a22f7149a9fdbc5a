"""Systems by the scores of automatic metrics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.later import alt, pd

PANELS_A_ROW = 3
PANEL_WIDTH = 200


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
    domain: tuple[float, float] | None = None,
) -> alt.VConcatChart:
    """A panel for each metric, with a separate scale: a dot per system, and its interval as a line.

    Args:
        panels: title and scores of each metric; a system without a score is left out of the panel.
        order: systems from top to bottom, the same in all panels.
        title: of the figure.
        domain: ends of the scale of all panels; by default each has its own.
    """
    rows = [
        alt.HConcatChart(
            hconcat=[
                _panel(name, scores, order, named=place == 0, domain=domain)
                for place, (name, scores) in enumerate(panels[begin : begin + PANELS_A_ROW])
            ],
            spacing=16,
        )
        for begin in range(0, len(panels), PANELS_A_ROW)
    ]
    return alt.VConcatChart(vconcat=rows, title=title, spacing=24)


def _panel(
    name: str,
    scores: Sequence[DrawnScore],
    order: Sequence[str],
    *,
    named: bool,
    domain: tuple[float, float] | None,
) -> alt.LayerChart:
    frame = pd.DataFrame(
        [(each.system, each.value, each.low, each.high) for each in scores],
        columns=["system", "score", "low", "high"],
    )
    axis = alt.Axis(labelLimit=160) if named else None
    y = alt.Y("system:N", title=None, sort=list(order), scale=alt.Scale(domain=list(order)), axis=axis)
    scale = alt.Scale(zero=False, nice=False, padding=12) if domain is None else alt.Scale(domain=domain)
    base = alt.Chart(frame, width=PANEL_WIDTH, height=alt.Step(20))
    lines = base.mark_rule(strokeWidth=2, opacity=0.5).encode(
        x=alt.X("low:Q", title=name, scale=scale, axis=alt.Axis(tickCount=4)), x2="high:Q", y=y
    )
    dots = base.mark_point(filled=True, size=60, opacity=1).encode(x=alt.X("score:Q", scale=scale), y=y)
    return alt.LayerChart(layer=[lines, dots], data=frame)
