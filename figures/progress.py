"""Judgments collected over time."""

from collections.abc import Mapping
from datetime import datetime

import altair as alt
import numpy as np
import pandas as pd

MOST_POINTS = 100
"""Of a line; more make it a band, and the file large."""

MOST_TICKS = 6
WIDTH_OF_A_TICK = 90
LONGEST_WITH_HOURS = pd.Timedelta(days=4)
"""Labels of ticks over a longer span leave the time of day out."""


WIDTHS = {"wide": 560, "narrow": 270}
"""Of the panel, in pixels, on a desktop and on a phone."""


def progress_figure(
    answered: Mapping[datetime, int], *, wanted: int, title: str, width: int = WIDTHS["wide"]
) -> alt.LayerChart:
    """Judgments that are in, over the time as the clock shows it; the dashed line is how many are wanted."""
    times = pd.to_datetime([f"{time:%Y-%m-%dT%H:%M}" for time in answered])
    sums = pd.DataFrame({"time": times, "judgments": np.cumsum(list(answered.values()), dtype=int)})
    ticks = min(_ticks(times), width // WIDTH_OF_A_TICK)
    axis = alt.Axis(format=_clock(times), tickCount=ticks)
    # The clock's own times: the scale must not shift them to where the server stands.
    x = alt.X("time:T", title=None, scale=alt.Scale(type="utc"), axis=axis)
    base = alt.Chart(sums, width=width, height=160)
    line = base.mark_line(interpolate="step-after", point=len(sums) <= MOST_POINTS).encode(
        x=x, y=alt.Y("judgments:Q", title="judgments", axis=alt.Axis(tickMinStep=1, format="d"))
    )
    goal = base.mark_rule(strokeDash=[4, 4]).encode(y=alt.YDatum(wanted, type="quantitative"))
    return alt.LayerChart(layer=[line, goal], data=sums, title=title)


def _ticks(times: pd.DatetimeIndex) -> int:
    """About how many ticks suit an axis over these times: so few that no two have the same label."""
    if not len(times):
        return MOST_TICKS
    span = times.max() - times.min()
    step = pd.Timedelta(days=1) if span > LONGEST_WITH_HOURS else pd.Timedelta(minutes=1)
    return min(max(span // step, 1), MOST_TICKS)


def _clock(times: pd.DatetimeIndex) -> str:
    """How times are written along an axis over them: as much as tells them apart."""
    if not len(times) or (span := times.max() - times.min()) > pd.Timedelta(days=31):
        return "%e %b %Y"
    if span > LONGEST_WITH_HOURS:
        return "%e %b"
    return "%H:%M" if times.min().date() == times.max().date() else "%e %b, %H:%M"
