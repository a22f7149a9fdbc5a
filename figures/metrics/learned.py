"""Effects of the features of a learned metric on its score."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.later import alt, pd

MOST_DRAWN = 15

WIDTHS = {"wide": 360, "narrow": 130}
FEWEST_TICKS = 3
LONGEST_LABEL = 170
"""Pixels, on a phone."""

CHARACTER = 6.5
"""Pixels that a character of a label takes at most, on average; browsers may lack the font of the figure."""


def coefficients_figure(
    features: Sequence[str], effects: Sequence[float], *, title: str, width: int = WIDTHS["wide"]
) -> alt.LayerChart:
    """A bar from 0 for each of the features that move the score most, the largest effect first.

    Args:
        features: names.
        effects: coefficient times spread of each.
        title: of the chart.
        width: of the panel in pixels.
    """
    order = np.argsort(-np.abs(effects), kind="stable")[:MOST_DRAWN].tolist()
    frame = pd.DataFrame(
        [(features[place], effects[place]) for place in order], columns=["feature", "effect"]
    )
    room = CHARACTER * max(map(len, frame["feature"]), default=0)
    if width < WIDTHS["wide"]:
        room = min(room, LONGEST_LABEL)
    y = alt.Y("feature:N", title=None, sort=None, axis=alt.Axis(labelLimit=room, minExtent=room))
    x = alt.X("effect:Q", title="effect", axis=alt.Axis(tickCount=max(width // 60, FEWEST_TICKS)))
    base = alt.Chart(frame, width=width, height=alt.Step(20))
    bars = base.mark_bar(opacity=0.4, height={"band": 0.7}).encode(x=x, y=y)
    zero = alt.Chart(pd.DataFrame({"zero": [0.0]})).mark_rule(strokeWidth=1).encode(x="zero:Q")
    return alt.LayerChart(layer=[bars, zero], title=title)
