"""Figures, drawn on the server: one specification for the page, light and dark, and for the paper."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

import altair as alt
import numpy as np
import pandas as pd
import vl_convert

from ranking import Agreement, Method, Standings, SweepPoint

MOST_POINTS = 100
"""Of a line; more make it a band, and the file large."""

Chart = alt.Chart | alt.LayerChart | alt.HConcatChart | alt.VConcatChart
Theme = Literal["light", "dark"]
Format = Literal["svg", "png"]
LayoutName = Literal["wide", "narrow"]


@dataclass(frozen=True, slots=True)
class _Colours:
    ink: str
    line: str
    accent: str
    ground: str


_COLOURS: Mapping[str, _Colours] = {
    "light": _Colours(ink="#1c2430", line="#d5dae2", accent="#1d4ed8", ground="#ffffff"),
    "dark": _Colours(ink="#e6e9ee", line="#3a4352", accent="#93b4ff", ground="#161b22"),
}


def render(chart: Chart, *, theme: Theme, format: Format) -> bytes:  # noqa: A002
    """The chart as a file, in the colours of the page."""
    specification = _themed(chart, _COLOURS[theme]).to_dict()
    if format == "svg":
        return str(vl_convert.vegalite_to_svg(specification)).encode()
    return bytes(vl_convert.vegalite_to_png(specification, scale=2))


@dataclass(frozen=True, slots=True)
class _Layout:
    """Where the panels of a ranking stand.

    Attributes:
        stacked: one below the other, for a phone, rather than side by side.
        name_chars: after so many characters a name goes on in the next line.
        title_chars: likewise the title.
        scores: width of the panel of scores in pixels, where names are short.
        ranks: that of the panel of rank ranges.
        ticks: about so many mark the scale of the scores.
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
"""A narrow figure is at most 358 pixels wide, as is the text on a phone of 390."""

_PADDING = 12
_LINE, _CHARACTER, _SPARE = 14, 6.5, 1.1
"""Pixels of a label: height of a line, usual width of a character, and the factor that another font may need.

A browser that has not the font of the figure takes a wider one, and labels grow to the left.
"""


def ranking_figure(
    found: Standings, *, title: str, score_name: str, layout: LayoutName = "wide"
) -> alt.HConcatChart | alt.VConcatChart:
    """Systems, best first, by their score and, where there are any, their rank ranges, parted by cluster.

    The dashed line is where a system is as good as the others on average. Mean scores stand in their
    intervals instead. Long names of systems are broken into lines.
    """
    laid_out = _LAYOUTS[layout]
    level = 0.5 if found.method is Method.EXPECTED_WINS else 0.0
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
        for standing, begins in zip(found.systems, _cluster_begins(found), strict=True)
        if standing.score is not None
    ]
    systems = pd.DataFrame(
        rows, columns=["system", "score", "score_low", "score_high", "level", "low", "high", "begins"]
    )
    if found.method is Method.MEAN_SCORE:
        scores = _mean_scores(systems, score_name, laid_out)
    else:
        scores = _scores(systems, score_name, level, laid_out)
    panels = [scores] if found.reason else [scores, _rank_ranges(systems, laid_out)]
    heading = alt.Title(wrapped(title, laid_out.title_chars))
    sides = dict.fromkeys(("top", "right", "bottom"), _PADDING)
    padding = {**sides, "left": _PADDING + _SPARE * _longest_line(systems)}
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


def _cluster_begins(found: Standings) -> list[bool]:
    numbers = [standing.cluster for standing in found.systems]
    return [above is not None and above != own for above, own in zip([None, *numbers], numbers, strict=False)]


def _lines(systems: pd.DataFrame) -> int:
    """Of the longest name."""
    return max((name.count("\n") + 1 for name in systems["system"]), default=1)


def _width(systems: pd.DataFrame, full: int, layout: _Layout) -> float:
    """Of a panel: what a phone leaves beside the names."""
    if not layout.stacked:
        return full
    return full - (_CHARACTER + _SPARE) * _longest_line(systems)


def _longest_line(systems: pd.DataFrame) -> int:
    """Of all names, in characters."""
    return max((len(line) for name in systems["system"] for line in name.split("\n")), default=0)


def _step(systems: pd.DataFrame) -> alt.Step:
    """The height of a row, which holds the lines of every name."""
    return alt.Step(10 + _LINE * _lines(systems))


def _names(systems: pd.DataFrame) -> alt.Y:
    """Names along the axis, each centred on its row whatever its number of lines."""
    lines = "split(datum.label, '\\n')"
    # The first line of a label stands where a label of one line would.
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
    # On a phone the panel has no room to spare, so the figures stand beside it.
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


def distinct_outputs_figure(histogram: Mapping[int, int], *, title: str) -> alt.LayerChart:
    """Number of sentences by their number of distinct outputs (GJG15, Figure 1)."""
    counts = pd.DataFrame(list(histogram.items()), columns=["distinct outputs", "sentences"])
    x = alt.X("distinct outputs:O", title="distinct outputs", axis=alt.Axis(labelAngle=0))
    y = alt.Y("sentences:Q", title="sentences")
    base = alt.Chart(counts, width=alt.Step(32), height=180)
    bars = base.mark_bar().encode(x=x, y=y)
    labels = base.mark_text(dy=-7).encode(x=x, y=y, text="sentences:Q")
    return alt.LayerChart(layer=[bars, labels], data=counts, title=title)


def progress_figure(answered: Mapping[datetime, int], *, wanted: int, title: str) -> alt.LayerChart:
    """Judgments that are in, over the time as the clock shows it; the dashed line is how many are wanted."""
    times = pd.to_datetime([f"{time:%Y-%m-%dT%H:%M}" for time in answered])
    sums = pd.DataFrame({"time": times, "judgments": np.cumsum(list(answered.values()), dtype=int)})
    axis = alt.Axis(format=_clock(times), tickCount=6)
    # The clock's own times: the scale must not shift them to where the server stands.
    x = alt.X("time:T", title=None, scale=alt.Scale(type="utc"), axis=axis)
    base = alt.Chart(sums, width=560, height=160)
    line = base.mark_line(interpolate="step-after", point=len(sums) <= MOST_POINTS).encode(
        x=x, y=alt.Y("judgments:Q", title="judgments", axis=alt.Axis(tickMinStep=1, format="d"))
    )
    goal = base.mark_rule(strokeDash=[4, 4]).encode(y=alt.YDatum(wanted, type="quantitative"))
    return alt.LayerChart(layer=[line, goal], data=sums, title=title)


def _clock(times: pd.DatetimeIndex) -> str:
    """How times are written along an axis over them: as much as tells them apart."""
    if not len(times) or (span := times.max() - times.min()) > pd.Timedelta(days=31):
        return "%e %b %Y"
    if span > pd.Timedelta(days=4):
        return "%e %b"
    return "%H:%M" if times.min().date() == times.max().date() else "%e %b, %H:%M"


def agreement_figure(found: Agreement, *, labels: Mapping[str, str], title: str) -> alt.LayerChart:
    """Kappas of each judge with each other, and with themselves on the diagonal; few comparisons are pale.

    `labels` says what each judge is called, in the order in which they stand.
    """
    places = {judge: place for place, judge in enumerate(labels)}
    rows = [
        (
            *(labels[judge] for judge in sorted((pair.first, pair.second), key=places.__getitem__)),
            pair.kappa.value,
            pair.kappa.n >= found.min_comparisons,
        )
        for pair in found.pairs
        if pair.kappa.value is not None
    ]
    kappas = pd.DataFrame(rows, columns=["first", "second", "kappa", "enough"])
    order = list(labels.values())
    x = alt.X("second:N", title=None, sort=order, axis=alt.Axis(orient="top", labelAngle=-40))
    y = alt.Y("first:N", title=None, sort=order)
    base = alt.Chart(kappas, width=alt.Step(56), height=alt.Step(28))
    shades = base.mark_rect().encode(
        x=x,
        y=y,
        opacity=alt.Opacity(
            "kappa:Q", scale=alt.Scale(domain=[0, 1], range=[0, 0.6], clamp=True), legend=None
        ),
    )
    labels = base.mark_text().encode(
        x=x,
        y=y,
        text=alt.Text("kappa:Q", format=".2f"),
        opacity=alt.condition("datum.enough", alt.value(1), alt.value(0.55)),
    )
    return alt.LayerChart(layer=[shades, labels], data=kappas, title=title)


def f_beta_figure(
    curves: Mapping[str, Sequence[SweepPoint]], *, title: str, marked: float
) -> alt.VConcatChart:
    """Both correlations of F-beta with human scores over beta, a line a curve; a dashed rule at `marked`."""
    points = pd.DataFrame(
        [
            (curve, point.beta, point.spearman.value, point.pearson.value)
            for curve, sweep in curves.items()
            for point in sweep
        ],
        columns=["edits", "beta", "Spearman’s ρ", "Pearson’s r"],
    )
    base = alt.Chart(points, width=420, height=200)
    rule = base.mark_rule(strokeDash=[4, 4], strokeWidth=1).encode(x=alt.XDatum(marked, type="quantitative"))
    panels = [
        base.mark_line().encode(
            x=alt.X("beta:Q", title="β"),
            y=alt.Y(f"{coefficient}:Q", scale=alt.Scale(zero=False)),
            strokeDash=alt.StrokeDash("edits:N", title=None, sort=list(curves)),
        )
        for coefficient in ("Spearman’s ρ", "Pearson’s r")
    ]
    return alt.VConcatChart(vconcat=[alt.layer(panel, rule) for panel in panels], title=title)


def _themed(chart: Any, colours: _Colours) -> Any:
    text = {"labelColor": colours.ink, "titleColor": colours.ink}
    return (
        chart.configure(
            background=colours.ground, font="Liberation Sans, Arial, sans-serif", padding=_PADDING
        )
        .configure_axis(
            **text,
            gridColor=colours.line,
            domainColor=colours.line,
            tickColor=colours.line,
            labelFontSize=12,
            titleFontSize=12,
            titleFontWeight="normal",
        )
        .configure_legend(**text, labelFontSize=12, symbolStrokeColor=colours.accent)
        .configure_title(color=colours.ink, fontSize=13, fontWeight="normal", anchor="start")
        .configure_view(stroke=None)
        .configure_mark(color=colours.accent)
        .configure_text(color=colours.ink, fontSize=12)
        .configure_rule(color=colours.accent)
    )
