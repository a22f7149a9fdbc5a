"""Judgments collected over time."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta

import numpy as np

from core.later import alt, pd

MOST_POINTS = 100
"""Maximum number of points of a line; more would only make the file larger."""

MOST_TICKS = 6
WIDTH_OF_A_TICK = 90
LONGEST_WITH_HOURS = timedelta(days=4)
"""Longer spans have tick labels without the time of day."""


WIDTHS = {"wide": 560, "narrow": 270}
"""Width of the panel in pixels, on a desktop and on a phone."""


def progress_figure(
    answered: Mapping[datetime, int], *, wanted: int, title: str, width: int = WIDTHS["wide"]
) -> alt.LayerChart:
    """Number of judgments over local time; the dashed line is the number wanted."""
    times = pd.to_datetime([f"{time:%Y-%m-%dT%H:%M}" for time in answered])
    sums = pd.DataFrame({"time": times, "judgments": np.cumsum(list(answered.values()), dtype=int)})
    ticks = min(_ticks(times), width // WIDTH_OF_A_TICK)
    axis = alt.Axis(format=_clock(times), tickCount=ticks)
    # Local times without a zone, so that the scale does not shift them to the server's time zone.
    x = alt.X("time:T", title=None, scale=alt.Scale(type="utc"), axis=axis)
    base = alt.Chart(sums, width=width, height=160)
    line = base.mark_line(interpolate="step-after", point=len(sums) <= MOST_POINTS).encode(
        x=x, y=alt.Y("judgments:Q", title="judgments", axis=alt.Axis(tickMinStep=1, format="d"))
    )
    goal = base.mark_rule(strokeDash=[4, 4]).encode(y=alt.YDatum(wanted, type="quantitative"))
    return alt.LayerChart(layer=[line, goal], data=sums, title=title)


def _ticks(times: pd.DatetimeIndex) -> int:
    """Approximate number of ticks for an axis over these times, without repeated labels."""
    if not len(times):
        return MOST_TICKS
    span = times.max() - times.min()
    step = pd.Timedelta(days=1) if span > LONGEST_WITH_HOURS else pd.Timedelta(minutes=1)
    return min(max(span // step, 1), MOST_TICKS)


def _clock(times: pd.DatetimeIndex) -> str:
    """Format of the tick labels over these times, just precise enough to distinguish them."""
    if not len(times) or (span := times.max() - times.min()) > pd.Timedelta(days=31):
        return "%e %b %Y"
    if span > LONGEST_WITH_HOURS:
        return "%e %b"
    return "%H:%M" if times.min().date() == times.max().date() else "%e %b, %H:%M"
