"""What a learned metric has learned: how far a usual change of each feature moves its score."""

from collections.abc import Sequence

import altair as alt
import numpy as np
import pandas as pd

MOST_DRAWN = 30


def coefficients_figure(features: Sequence[str], effects: Sequence[float], *, title: str) -> alt.LayerChart:
    """A bar from 0 for each of the features that move the score most, the largest effect first.

    Args:
        features: names.
        effects: coefficient times spread of each.
        title: of the chart.
    """
    order = np.argsort(-np.abs(effects), kind="stable")[:MOST_DRAWN].tolist()
    frame = pd.DataFrame(
        [(features[place], effects[place]) for place in order], columns=["feature", "effect"]
    )
    y = alt.Y("feature:N", title=None, sort=None, axis=alt.Axis(labelLimit=320))
    x = alt.X("effect:Q", title="coefficient times spread of the feature", axis=alt.Axis(tickCount=5))
    base = alt.Chart(frame, width=360, height=alt.Step(20))
    bars = base.mark_bar(opacity=0.4, height={"band": 0.7}).encode(x=x, y=y)
    zero = alt.Chart(pd.DataFrame({"zero": [0.0]})).mark_rule(strokeWidth=1).encode(x="zero:Q")
    return alt.LayerChart(layer=[bars, zero], title=title)
