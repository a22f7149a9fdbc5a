"""The picture by which links to a result are previewed: its finding, and the best systems with intervals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from core.later import alt, pd
from figures.drawing import wrapped

WIDTH, HEIGHT = 600, 315
"""Of the figure; as PNG it has twice as many pixels, 1200 × 630, as Open Graph recommends."""

MOST_ROWS = 8
_NAME_CHARS, _FINDING_CHARS, _ABOUT_CHARS = 24, 52, 96
_FINDING_LINES = 3


class PreviewedRow(NamedTuple):
    """A system of the picture.

    Attributes:
        name: as it is shown.
        score: where its dot is.
        low: lower end of the interval; None if there is none.
        high: its upper end.
        is_hollow: whether the dot is hollow, such as that of the source.
    """

    name: str
    score: float
    low: float | None
    high: float | None
    is_hollow: bool


def preview_figure(finding: str, about: str, systems: Sequence[PreviewedRow]) -> alt.LayerChart:
    """The finding as heading, what it is about below, and the first systems with their intervals.

    `systems` are in order, best first; none are drawn for results that are no rankings.
    """
    shown = systems[:MOST_ROWS]
    names = _distinct([_cut(each.name, _NAME_CHARS) for each in shown])
    rows = [(name, *each[1:]) for name, each in zip(names, shown, strict=True)]
    frame = pd.DataFrame(rows, columns=["name", "score", "low", "high", "hollow"]).astype(
        {"score": "float64", "low": "float64", "high": "float64"}
    )
    y = alt.Y(
        "name:N",
        title=None,
        sort=None,
        axis=alt.Axis(ticks=False, domain=False, labelLimit=0, labelFontSize=13) if shown else None,
    )
    x = alt.X("score:Q", title=None, scale=alt.Scale(zero=False, nice=True, padding=8))
    if shown:
        x["axis"] = alt.Axis(labels=False, ticks=False, domain=False, tickCount=5)
    else:
        x["axis"] = None
    base = alt.Chart(frame)
    bars = base.mark_rule(strokeWidth=6, strokeCap="round", opacity=0.3).encode(
        x=alt.X("low:Q", title=None), x2="high:Q", y=y
    )
    dots = base.transform_filter("!datum.hollow").mark_point(filled=True, size=110, opacity=1)
    rings = base.transform_filter("datum.hollow").mark_point(filled=False, size=110, strokeWidth=2, opacity=1)
    return alt.LayerChart(
        layer=[bars.transform_filter("isValid(datum.low)"), dots.encode(x=x, y=y), rings.encode(x=x, y=y)],
        data=frame,
        width=WIDTH,
        height=HEIGHT,
        autosize=alt.AutoSizeParams(type="fit", contains="padding"),
        padding=24,
        title=alt.Title(
            _lines(finding),
            subtitle=_cut(about, _ABOUT_CHARS),
            fontSize=21,
            fontWeight="bold",
            lineHeight=26,
            subtitleFontSize=12,
            offset=16,
        ),
    )


def _lines(finding: str) -> list[str]:
    lines = wrapped(finding, _FINDING_CHARS)
    if len(lines) <= _FINDING_LINES:
        return lines
    return [*lines[: _FINDING_LINES - 1], f"{lines[_FINDING_LINES - 1]} …"]


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


def _distinct(names: Sequence[str]) -> list[str]:
    """The names, with a number after those that are equal since they were cut."""
    return [
        name if names.count(name) == 1 else f"{name} {names[: place + 1].count(name)}"
        for place, name in enumerate(names)
    ]
