"""Differences between neighbouring systems over time, with the line at which they are settled."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import numpy as np

from core.later import alt, pd
from core.results import Layout
from figures.drawing import wrapped
from ranking import Watched, WatchedPair

COLUMNS: Mapping[Layout, int] = {"wide": 3, "narrow": 2}
"""Panels beside each other; fewer panels are wider."""

WIDTHS: Mapping[Layout, int] = {"wide": 210, "narrow": 108}
HEIGHT = 120
WIDTH_OF_A_TICK = 50

TITLE_CHARS: Mapping[Layout, int] = {"wide": 36, "narrow": 18}
"""Maximum length of a line of the title of a panel."""

WIDTHS_SHOWN = 1.5
"""How many half widths of the last interval fit into a panel."""


def stopping_figure(
    watched: Watched, labels: Mapping[str, str], *, title: str, layout: Layout = "wide"
) -> alt.VConcatChart:
    """A panel for each pair of neighbours: difference, ordinary interval, and the one to watch around it.

    A dashed line at 0 is the value that the outer band has to leave; a vertical line marks where it did.
    The first column and the last row of panels have the titles of the axes.

    Args:
        watched: the ranking over time, with at least one pair.
        labels: of systems; those without one are shown by name.
        title: of the chart.
        layout: for a desktop or a phone.
    """
    reach, columns = _reach(watched), min(COLUMNS[layout], len(watched.pairs))
    panels = [
        _panel(
            watched,
            pair,
            reach,
            f"{labels.get(pair.above, pair.above)} over {labels.get(pair.below, pair.below)}",
            columns,
            layout,
            is_leftmost=place % columns == 0,
            is_lowest=place + columns >= len(watched.pairs),
        )
        for place, pair in enumerate(watched.pairs)
    ]
    rows = [
        alt.HConcatChart(hconcat=panels[first : first + columns], spacing=18)
        for first in range(0, len(panels), columns)
    ]
    return alt.VConcatChart(vconcat=rows, title=title, spacing=14)


def _reach(watched: Watched) -> float:
    """The largest difference that panels show: wide intervals of the first looks are cut off."""
    widths = [
        abs(pair.difference[-1]) + WIDTHS_SHOWN * pair.standard_error[-1] * watched.anytime[-1]
        for pair in watched.pairs
    ]
    return float(np.nanmax([*widths, 0.01]))


def _panel(
    watched: Watched,
    pair: WatchedPair,
    reach: float,
    title: str,
    columns: int,
    layout: Layout,
    *,
    is_leftmost: bool,
    is_lowest: bool,
) -> alt.LayerChart:
    narrow, wide = pair.standard_error * watched.ordinary, pair.standard_error * watched.anytime
    known = np.isfinite(pair.difference) & np.isfinite(narrow)
    frame = pd.DataFrame(
        {
            "judgments": watched.judgments,
            "difference": pair.difference,
            "low": pair.difference - narrow,
            "high": pair.difference + narrow,
            "lowest": pair.difference - wide,
            "highest": pair.difference + wide,
        }
    )[known]
    width = WIDTHS[layout] * COLUMNS[layout] // columns
    x = alt.X(
        "judgments:Q",
        title="judgments" if is_lowest else None,
        axis=alt.Axis(tickCount=width // WIDTH_OF_A_TICK, format=",d"),
        scale=alt.Scale(domain=[0, int(watched.judgments[-1])], nice=False),
    )
    y = partial(
        alt.Y,
        title="difference" if is_leftmost else None,
        axis=alt.Axis(tickCount=4, labels=is_leftmost),
        scale=alt.Scale(domain=[-reach, reach], nice=False),
    )
    base = alt.Chart(frame, width=width, height=HEIGHT)
    layers = [
        base.mark_area(opacity=0.12, clip=True).encode(x=x, y=y("lowest:Q"), y2="highest:Q"),
        base.mark_area(opacity=0.25, clip=True).encode(x=x, y=y("low:Q"), y2="high:Q"),
        base.mark_line(clip=True).encode(x=x, y=y("difference:Q")),
        base.mark_rule(strokeDash=[4, 4]).encode(y=alt.YDatum(0)),
    ]
    if pair.settled_at is not None:
        layers.append(base.mark_rule(strokeWidth=1).encode(x=alt.XDatum(pair.settled_at)))
    return alt.LayerChart(
        layer=layers,
        data=frame,
        title=alt.Title(
            wrapped(title, TITLE_CHARS[layout] * COLUMNS[layout] // columns), fontSize=12, anchor="start"
        ),
    )
