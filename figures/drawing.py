"""Draws figures: one specification for pages (light and dark) and for papers."""

import re
from collections.abc import Mapping, Sequence
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


PADDING = 12
"""Around a figure, in pixels."""

_SIGNATURE_CHARS = 100
"""Maximum length of a line of a signature."""


def heading(title: Sequence[str], signature: str) -> alt.Title:
    """The lines of the title, and below them in small print the signature by which the figure is repeated."""
    lines = [""]
    for part in re.findall(r"[^|]+\|?", signature):
        if lines[-1] and len(lines[-1]) + len(part) > _SIGNATURE_CHARS:
            lines.append("")
        lines[-1] += part
    return alt.Title(list(title), subtitle=lines if signature else alt.Undefined)


def _themed(chart: Any, colour: Mapping[str, str]) -> Any:
    text = {"labelColor": colour["soft"], "titleColor": colour["ink"]}
    return (
        chart.configure(
            background=colour["surface"], font="Liberation Sans, Arial, sans-serif", padding=PADDING
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
        .configure_title(
            color=colour["ink"],
            fontSize=13,
            fontWeight="normal",
            anchor="start",
            subtitleColor=colour["soft"],
            subtitleFontSize=9,
            subtitlePadding=6,
        )
        .configure_view(stroke=None)
        .configure_mark(color=colour["accent"])
        .configure_text(color=colour["ink"], fontSize=12)
        .configure_rule(color=colour["accent"])
        .configure_range(diverging=[colour["bad"], colour["surface"], colour["accent"]])
    )
