"""Draws figures: one specification for pages (light and dark) and for papers."""

from collections.abc import Mapping
from typing import Any, Literal

import altair as alt
import vl_convert

from figures.colours import Theme, colours

Chart = alt.Chart | alt.LayerChart | alt.HConcatChart | alt.VConcatChart


Format = Literal["svg", "png", "pdf"]


def render(chart: Chart, *, theme: Theme, format: Format) -> bytes:  # noqa: A002
    """The chart as a file, in the colours of the page."""
    specification = _themed(chart, colours(theme)).to_dict()
    if format == "svg":
        return str(vl_convert.vegalite_to_svg(specification)).encode()
    if format == "pdf":
        return bytes(vl_convert.vegalite_to_pdf(specification))
    return bytes(vl_convert.vegalite_to_png(specification, scale=2))


_PADDING = 12


def _themed(chart: Any, colour: Mapping[str, str]) -> Any:
    text = {"labelColor": colour["soft"], "titleColor": colour["ink"]}
    return (
        chart.configure(
            background=colour["surface"], font="Liberation Sans, Arial, sans-serif", padding=_PADDING
        )
        .configure_axis(
            **text,
            gridColor=colour["line"],
            domainColor=colour["line"],
            tickColor=colour["line"],
            labelFontSize=12,
            titleFontSize=12,
            titleFontWeight="normal",
        )
        .configure_legend(**text, labelFontSize=12, symbolStrokeColor=colour["accent"])
        .configure_title(color=colour["ink"], fontSize=13, fontWeight="normal", anchor="start")
        .configure_view(stroke=None)
        .configure_mark(color=colour["accent"])
        .configure_text(color=colour["ink"], fontSize=12)
        .configure_rule(color=colour["accent"])
        .configure_range(diverging=[colour["bad"], colour["surface"], colour["accent"]])
    )
