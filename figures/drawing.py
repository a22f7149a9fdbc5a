"""Draws figures: one specification for pages (light and dark) and for papers."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import altair as alt
import vl_convert

Chart = alt.Chart | alt.LayerChart | alt.HConcatChart | alt.VConcatChart


Theme = Literal["light", "dark"]


Format = Literal["svg", "png", "pdf"]


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
    if format == "pdf":
        return bytes(vl_convert.vegalite_to_pdf(specification))
    return bytes(vl_convert.vegalite_to_png(specification, scale=2))


_PADDING = 12


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
