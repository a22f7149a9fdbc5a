"""Figures, drawn on the server: one specification for the page, light and dark, and for the paper."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import altair as alt
import pandas as pd
import vl_convert

from analysis.rankings import Ranking

Theme = Literal["light", "dark"]
Format = Literal["svg", "png"]


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


def render(chart: alt.Chart | alt.LayerChart, *, theme: Theme, format: Format) -> bytes:  # noqa: A002
    """The chart as a file, in the colours of the page."""
    specification = _themed(chart, _COLOURS[theme]).to_dict()
    if format == "svg":
        return str(vl_convert.vegalite_to_svg(specification)).encode()
    return bytes(vl_convert.vegalite_to_png(specification, scale=2))


def expected_wins_figure(ranking: Ranking, *, title: str) -> alt.LayerChart:
    """Systems, best first, by their ExpectedWins; at the line a system wins as often as it loses."""
    scores = pd.DataFrame(
        [(score.system, score.score) for score in ranking.expected_wins.scores if score.score is not None],
        columns=["system", "score"],
    )
    x = alt.X("score:Q", title="ExpectedWins", scale=alt.Scale(domain=[0, 1]))
    y = alt.Y("system:N", title=None, sort=None)
    base = alt.Chart(scores, width=420, height=alt.Step(24))
    half = base.mark_rule(strokeDash=[4, 4]).encode(x=alt.XDatum(0.5, type="quantitative"))
    stems = base.mark_rule(strokeWidth=2, opacity=0.35).encode(x=x, x2=alt.X2Datum(0.5), y=y)
    dots = base.mark_point(filled=True, size=90, opacity=1).encode(x=x, y=y)
    labels = base.mark_text(align="right").encode(
        x=alt.value(420), y=y, text=alt.Text("score:Q", format=".3f")
    )
    return alt.LayerChart(layer=[half, stems, dots, labels], data=scores, title=title)


def distinct_outputs_figure(histogram: Mapping[int, int], *, title: str) -> alt.LayerChart:
    """Number of sentences by their number of distinct outputs (GJG15, Figure 1)."""
    counts = pd.DataFrame(list(histogram.items()), columns=["distinct outputs", "sentences"])
    x = alt.X("distinct outputs:O", title="distinct outputs", axis=alt.Axis(labelAngle=0))
    y = alt.Y("sentences:Q", title="sentences")
    base = alt.Chart(counts, width=alt.Step(32), height=180)
    bars = base.mark_bar().encode(x=x, y=y)
    labels = base.mark_text(dy=-7).encode(x=x, y=y, text="sentences:Q")
    return alt.LayerChart(layer=[bars, labels], data=counts, title=title)


def _themed(chart: Any, colours: _Colours) -> Any:
    text = {"labelColor": colours.ink, "titleColor": colours.ink}
    return (
        chart.configure(background=colours.ground, font="Liberation Sans, Arial, sans-serif", padding=12)
        .configure_axis(
            **text,
            gridColor=colours.line,
            domainColor=colours.line,
            tickColor=colours.line,
            labelFontSize=12,
            titleFontSize=12,
            titleFontWeight="normal",
        )
        .configure_title(color=colours.ink, fontSize=13, fontWeight="normal", anchor="start")
        .configure_view(stroke=None)
        .configure_mark(color=colours.accent)
        .configure_text(color=colours.ink, fontSize=12)
        .configure_rule(color=colours.accent)
    )
