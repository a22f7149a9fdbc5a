"""Draws figures: one specification for pages (light and dark) and for papers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal, Union, cast

from core.later import alt, vl_convert
from core.results import Layout
from figures.colours import Theme, colours

Chart = Union["alt.Chart", "alt.LayerChart", "alt.HConcatChart", "alt.VConcatChart"]


Format = Literal["svg", "png", "pdf"]


def render(
    chart: Chart,
    *,
    theme: Theme,
    format: Format,  # noqa: A002
    signature: str = "",
    layout: Layout = "wide",
    fills: bool = False,
) -> bytes:
    """The chart as a file, in the colours of the page; with the signature in small print below the title.

    One that `fills` is as wide as a card of a page on a wide screen.
    """
    if fills:
        chart = _filling(chart)
    elif layout == "narrow":
        chart = _narrowed(chart)
    # Validating takes a quarter of the time. The access tests validate every figure that a page shows.
    specification = chart.to_dict(validate=False)
    if isinstance(chart.title, str) or signature:
        title = chart.title if isinstance(chart.title, str) else ""
        specification["title"] = heading([title], signature, chars=_TITLE_CHARS[layout]).to_dict()
    # Altair would copy the chart with its data for each of these.
    configuration = specification["config"]
    configuration |= _configuration(colours(theme))
    configuration["view"]["stroke"] = None
    if format == "svg":
        return _renumbered(str(vl_convert.vegalite_to_svg(specification))).encode()
    if format == "pdf":
        return bytes(vl_convert.vegalite_to_pdf(specification))
    return bytes(vl_convert.vegalite_to_png(specification, scale=2))


_NUMBERED = re.compile(r'(id="|url\(#)(clip|gradient_)([0-9]+)')


def _renumbered(svg: str) -> str:
    """The figure with its parts numbered from 0; Vega numbers them over all figures of a process."""
    places: dict[str, int] = {}

    def number(part: re.Match[str]) -> str:
        return f"{part[1]}{part[2]}{places.setdefault(part[3], len(places))}"

    return _NUMBERED.sub(number, svg)


NARROW = 230
"""Width of the panels of a narrow figure, in pixels: with the names of its rows it fits a phone."""


def _narrowed(chart: Any) -> Chart:
    """The figure for a phone: panels below each other unless they fit, none wider than `NARROW`."""
    if isinstance(chart, alt.HConcatChart | alt.VConcatChart):
        is_row = isinstance(chart, alt.HConcatChart)
        if is_row and _fits(chart.hconcat):
            return cast(Chart, chart)
        panels = [_as_wide_as_a_phone(panel) for panel in chart.hconcat] if is_row else chart.vconcat
        return _below(chart, [_narrowed(panel) for panel in panels])
    is_wide = isinstance(chart.width, int) and chart.width > NARROW
    return _as_wide_as_a_phone(chart) if is_wide else cast(Chart, chart)


def _fits(panels: Sequence[Any]) -> bool:
    """Whether the panels have room beside each other on a phone."""
    widths = [panel.width for panel in panels]
    return all(isinstance(width, int) for width in widths) and sum(widths) <= NARROW


def _as_wide_as_a_phone(panel: Any) -> Chart:
    return cast(Chart, panel.properties(width=NARROW) if isinstance(panel.width, int) else panel)


FULL = 1120
"""Width of a figure that fills a card, in pixels."""

_AXES = 50
"""Room for the numbers of the axis of each panel, or the names of its rows, in pixels."""

_TALLER = 1.4
"""How much taller a figure becomes at most when it is widened, so that its lines do not become flat."""


def _filling(chart: Any) -> Chart:
    """The figure as wide as a card: panels of a row share the width, and keep their proportions."""
    if isinstance(chart, alt.VConcatChart):
        return _below(chart, [_filling_panel(panel) for panel in chart.vconcat])
    if isinstance(chart, alt.HConcatChart):
        widths = [panel.width for panel in chart.hconcat]
        if not all(isinstance(width, int) for width in widths):
            return chart
        factor = max((FULL - _AXES * len(widths)) / sum(widths), 1)
        return _beside(chart, [_enlarged(panel, round(panel.width * factor)) for panel in chart.hconcat])
    if isinstance(chart.width, int) or isinstance(chart.height, int):  # Other figures have cells of one size.
        exactly = alt.AutoSizeParams(type="fit-x", contains="padding")
        return _enlarged(chart, FULL).properties(width=FULL, autosize=exactly)
    return cast(Chart, chart)


def _filling_panel(panel: Any) -> Chart:
    """A panel of a figure that fills a card. Only a figure as a whole can be fitted to an exact width."""
    if isinstance(panel, alt.HConcatChart | alt.VConcatChart):
        return _filling(panel)
    return _enlarged(panel, FULL - _AXES) if isinstance(panel.width, int) else cast(Chart, panel)


def _enlarged(panel: Any, width: int) -> Chart:
    height = panel.height
    if isinstance(height, int):
        taller = width / panel.width if isinstance(panel.width, int) else _TALLER
        height = round(height * min(taller, _TALLER))
    return cast(Chart, panel.properties(width=width, height=height))


def _below(chart: Any, panels: Sequence[Chart]) -> Chart:
    """The panels below each other, with everything else that the figure has."""
    return alt.VConcatChart(vconcat=list(panels), **_kept(chart))


def _beside(chart: Any, panels: Sequence[Chart]) -> Chart:
    """The panels beside each other, with everything else that the figure has."""
    return alt.HConcatChart(hconcat=list(panels), **_kept(chart))


def _kept(chart: Any) -> dict[str, Any]:
    return {name: chart[name] for name in ("data", "title", "spacing", "resolve", "datasets")}


PADDING = 12
"""Around a figure, in pixels."""

FONTS = ("Liberation Sans", "Arial", "DejaVu Sans Condensed", "sans-serif")
"""Figures are laid out in the first; the next two are about as wide, so a browser without it cuts no text."""

_TITLE_CHARS: Mapping[Layout, int] = {"wide": 60, "narrow": 36}
_SIGNATURE_CHARS = 90
"""Maximum length of a line of a title and of a signature.

A browser without the font of the figure uses another, and would cut a title that fills the whole width.
"""


def wrapped(text: str, width: int) -> list[str]:
    """The text in lines of at most `width` characters, broken after blanks and marks where possible."""
    lines = [""]
    for part in re.findall(r"[^-_.+/| ]*[-_.+/| ]+|[^-_.+/| ]+", text):
        if lines[-1] and len(lines[-1]) + len(part.rstrip()) > width:
            lines.append("")
        while len(part) > width and part.strip():
            lines[-1:] = [part[:width], ""]
            part = part[width:]
        lines[-1] += part
    return [line.rstrip() for line in lines if line.strip()]


def heading(title: Sequence[str], signature: str, *, chars: int) -> alt.Title:
    """The lines of the title, and below them the signature by which the figure is repeated."""
    below = wrapped(signature, _SIGNATURE_CHARS)
    lines = [line for part in title for line in wrapped(part, chars)]
    return alt.Title(lines, subtitle=below or alt.Undefined)


def _configuration(colour: Mapping[str, str]) -> dict[str, object]:
    """Vega-Lite's configuration for the figures of a theme."""
    text = {"labelColor": colour["soft"], "titleColor": colour["ink"]}
    return {
        "background": colour["surface"],
        "font": ", ".join(FONTS),
        "padding": PADDING,
        "axis": {
            **text,
            "gridColor": colour["line"],
            "domainColor": colour["line"],
            "tickColor": colour["line"],
            "labelFontSize": 12,
            # A browser without the font of the figure may need more room for a number.
            "labelSeparation": 8,
            "titleFontSize": 12,
            "titleFontWeight": "normal",
        },
        "legend": {**text, "labelFontSize": 12, "symbolStrokeColor": colour["accent"]},
        "title": {
            "color": colour["ink"],
            "fontSize": 13,
            "fontWeight": "normal",
            "anchor": "start",
            "offset": 10,
            "subtitleColor": colour["soft"],
            "subtitleFontSize": 9,
            "subtitlePadding": 6,
        },
        "mark": {"color": colour["accent"]},
        "text": {"color": colour["ink"], "fontSize": 12},
        "rule": {"color": colour["accent"]},
        "range": {"diverging": [colour["bad"], colour["surface"], colour["accent"]]},
    }
