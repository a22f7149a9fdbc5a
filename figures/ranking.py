"""Systems by score and rank range."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import altair as alt
import pandas as pd

from figures.drawing import _PADDING
from ranking import Method, Standings

LayoutName = Literal["wide", "narrow"]


@dataclass(frozen=True, slots=True)
class _Layout:
    """Layout of the panels of a ranking.

    Attributes:
        stacked: one below the other, for phones, instead of side by side.
        name_chars: maximum length of a line of a name.
        title_chars: maximum length of a line of the title.
        scores: width of the panel of scores in pixels, if names are short.
        ranks: width of the panel of rank ranges.
        ticks: approximate number of ticks on the scale of scores.
    """

    stacked: bool
    name_chars: int
    title_chars: int
    scores: int
    ranks: int
    ticks: int


_LAYOUTS: Mapping[str, _Layout] = {
    "wide": _Layout(stacked=False, name_chars=28, title_chars=80, scores=320, ranks=200, ticks=5),
    "narrow": _Layout(stacked=True, name_chars=18, title_chars=42, scores=282, ranks=324, ticks=3),
}
"""A narrow figure is at most 358 pixels wide, like the text on a phone 390 pixels wide."""


_LINE, _CHARACTER, _SPARE = 14, 6.5, 1.1
"""Size of labels in pixels: height of a line, usual width of a character, and room for wider characters.

A browser without the font of the figure uses another, and labels grow to the left.
"""


def ranking_figure(
    standings: Standings, *, title: str, score_name: str, layout: LayoutName = "wide"
) -> alt.HConcatChart | alt.VConcatChart:
    """Systems, best first, by score and, if there are any, rank ranges; lines separate clusters.

    The dashed line marks a system that is as good as the others on average. Mean scores are shown in their
    intervals instead. Long names of systems are broken into lines.
    """
    laid_out = _LAYOUTS[layout]
    level = 0.5 if standings.method is Method.EXPECTED_WINS else 0.0
    rows = [
        (
            "\n".join(wrapped(standing.system, laid_out.name_chars)),
            standing.score,
            standing.score_low,
            standing.score_high,
            level,
            standing.rank_low,
            standing.rank_high,
            begins,
        )
        for standing, begins in zip(standings.systems, _cluster_begins(standings), strict=True)
        if standing.score is not None
    ]
    systems = pd.DataFrame(
        rows, columns=["system", "score", "score_low", "score_high", "level", "low", "high", "begins"]
    )
    if standings.method is Method.MEAN_SCORE:
        scores = _mean_scores(systems, score_name, laid_out)
    else:
        scores = _scores(systems, score_name, level, laid_out)
    panels = [scores] if standings.reason else [scores, _rank_ranges(systems, laid_out)]
    heading = alt.Title(wrapped(title, laid_out.title_chars))
    sides = dict.fromkeys(("top", "right", "bottom"), _PADDING)
    padding = {**sides, "left": round(_PADDING + _SPARE * _longest_line(systems))}
    if laid_out.stacked:
        return alt.VConcatChart(vconcat=panels, title=heading, spacing=16, padding=padding)
    return alt.HConcatChart(hconcat=panels, title=heading, spacing=16, padding=padding)


def wrapped(name: str, width: int) -> list[str]:
    """The name in lines of at most `width` characters, broken after blanks and marks where possible."""
    lines = [""]
    for part in re.findall(r"[^-_.+/ ]*[-_.+/ ]+|[^-_.+/ ]+", name):
        if lines[-1] and len(lines[-1]) + len(part.rstrip()) > width:
            lines.append("")
        while len(part) > width and part.strip():
            lines[-1:] = [part[:width], ""]
            part = part[width:]
        lines[-1] += part
    return [line.rstrip() for line in lines if line.strip()]


def _cluster_begins(standings: Standings) -> list[bool]:
    numbers = [standing.cluster for standing in standings.systems]
    return [
        above is not None and above != cluster
        for above, cluster in zip([None, *numbers], numbers, strict=False)
    ]


def _lines(systems: pd.DataFrame) -> int:
    """Length of the longest line of a name."""
    return max((name.count("\n") + 1 for name in systems["system"]), default=1)


def _width(systems: pd.DataFrame, full: int, layout: _Layout) -> float:
    """Width of a panel; on a phone, what the names leave."""
    if not layout.stacked:
        return full
    return full - (_CHARACTER + _SPARE) * _longest_line(systems)


def _longest_line(systems: pd.DataFrame) -> int:
    """Width of the names, in characters."""
    return max((len(line) for name in systems["system"] for line in name.split("\n")), default=0)


def _step(systems: pd.DataFrame) -> alt.Step:
    """The height of a row, which has room for all lines of a name."""
    return alt.Step(10 + _LINE * _lines(systems))


def _names(systems: pd.DataFrame) -> alt.Y:
    """Names along the axis, each centred on its row for any number of lines."""
    lines = "split(datum.label, '\\n')"
    # The first line of a label is placed like a label of one line.
    offsets = [
        {"test": f"length({lines}) == {number}", "value": -_LINE / 2 * (number - 1)}
        for number in range(2, _lines(systems) + 1)
    ]
    axis = alt.Axis(labelExpr=lines, labelLimit=0, labelLineHeight=_LINE)
    if offsets:
        axis["labelOffset"] = {"condition": offsets, "value": 0}
    return alt.Y("system:N", title=None, sort=None, axis=axis)


def _scores(systems: pd.DataFrame, name: str, level: float, layout: _Layout) -> alt.LayerChart:
    domain = [0, 1] if level else [-(reach := 1.1 * systems["score"].abs().max() or 1), reach]
    x = alt.X("score:Q", title=name, scale=alt.Scale(domain=domain), axis=alt.Axis(tickCount=layout.ticks))
    y = _names(systems)
    width = _width(systems, layout.scores, layout)
    base = alt.Chart(systems, width=width, height=_step(systems))
    even = base.mark_rule(strokeDash=[4, 4]).encode(x=alt.XDatum(level, type="quantitative"))
    stems = base.mark_rule(strokeWidth=2, opacity=0.35).encode(x=x, x2="level:Q", y=y)
    dots = base.mark_point(filled=True, size=90, opacity=1).encode(x=x, y=y)
    # On a phone the panel is too narrow for the figures, so they are placed beside it.
    text = base.mark_text(align="left", dx=6) if layout.stacked else base.mark_text(align="right")
    labels = text.encode(x=alt.value(width), y=y, text=alt.Text("score:Q", format=".3f"))
    return alt.LayerChart(layer=[even, stems, dots, labels, _borders(systems)], data=systems)


def _mean_scores(systems: pd.DataFrame, name: str, layout: _Layout) -> alt.LayerChart:
    x = alt.X("score:Q", title=name, scale=alt.Scale(zero=False, padding=24))
    y = _names(systems)
    width = _width(systems, layout.scores, layout)
    base = alt.Chart(systems, width=width, height=_step(systems))
    bars = base.mark_rule(strokeWidth=2, opacity=0.5).encode(
        x=alt.X("score_low:Q", title=name), x2="score_high:Q", y=y
    )
    dots = base.mark_point(filled=True, size=90, opacity=1).encode(x=x, y=y)
    labels = base.mark_text(align="left", dx=8).encode(
        x=alt.value(width), y=y, text=alt.Text("score:Q", format=".2f")
    )
    return alt.LayerChart(layer=[bars, dots, labels, _borders(systems)], data=systems)


def _rank_ranges(systems: pd.DataFrame, layout: _Layout) -> alt.LayerChart:
    axis = alt.Axis(tickMinStep=1, format="d")
    x = alt.X("low:Q", title="rank", scale=alt.Scale(domain=[0.5, len(systems) + 0.5]), axis=axis)
    y = _names(systems) if layout.stacked else alt.Y("system:N", sort=None, axis=None)
    base = alt.Chart(systems, width=_width(systems, layout.ranks, layout), height=_step(systems))
    bars = base.mark_rule(strokeWidth=6, strokeCap="round").encode(x=x, x2="high:Q", y=y)
    return alt.LayerChart(layer=[bars, _borders(systems)], data=systems)


def _borders(systems: pd.DataFrame) -> alt.Chart:
    """A line above each system that begins a cluster."""
    lines = alt.Chart(systems).transform_filter("datum.begins").mark_rule(strokeWidth=1, opacity=0.5)
    borders: alt.Chart = lines.encode(y=alt.Y("system:N", sort=None, bandPosition=0))
    return borders
