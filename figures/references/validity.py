"""Share of outputs judged valid, by how often they were given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.later import alt, pd

WIDTHS = {"wide": 420, "narrow": 180}
"""Width of the panel in pixels, on a desktop and on a phone."""


@dataclass(frozen=True, slots=True)
class DrawnShare:
    """A row: frequency in words, share judged valid with its interval, and number of outputs."""

    given: str
    share: float
    low: float
    high: float
    outputs: int


def validity_figure(
    shares: Sequence[DrawnShare], *, counted: str, title: str, width: int = WIDTHS["wide"]
) -> alt.LayerChart:
    """A dot with its interval for each frequency, the rarest first; the numbers of outputs at the right."""
    frame = pd.DataFrame(
        [(each.given, each.share, each.low, each.high, f"{each.outputs:,} outputs") for each in shares],
        columns=["given", "share", "low", "high", "outputs"],
    )
    base = alt.Chart(frame, width=width, height=alt.Step(34))
    y = alt.Y("given:N", title=None, sort=frame["given"].tolist())
    scale = alt.Scale(domain=[0, 1], nice=False)
    axis = alt.Axis(format="%")
    lines = base.mark_rule(strokeWidth=2).encode(
        y=y, x=alt.X("low:Q", title="share judged valid", scale=scale, axis=axis), x2="high:Q"
    )
    dots = base.mark_circle(size=80, opacity=1).encode(y=y, x=alt.X("share:Q", scale=scale, axis=axis))
    numbers = base.mark_text(align="left", dx=8).encode(y=y, x=alt.value(width), text="outputs:N")
    return alt.LayerChart(layer=[lines, dots, numbers], title=[title, f"given by so many {counted}"])
