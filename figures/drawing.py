"""Draws figures: one specification for pages (light and dark) and for papers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Literal

from core.later import alt
from core.names import SYNTHETIC
from core.results import Layout
from figures.chart_types import Chart as Chart
from figures.chart_types import Specification
from figures.colours import Theme, colours
from figures.metadata import Words, in_pdf, in_png, in_svg
from figures.names_beside_dots import with_placed_names
from figures.page_font import NAME
from figures.paper_heights import Size
from figures.paper_widths import (
    MILLIMETRES,
    POINTS_A_MILLIMETRE,
    PaperWidth,
    fitted,
    pixels_of,
)
from figures.renderer import svg_to_pdf, svg_to_png, vegalite_to_svg
from figures.screen_widths import filling, narrowed

Format = Literal["svg", "png", "pdf"]

Width = Literal["card", "column", "page"]
"""A card on a wide screen, or a column or page of a paper."""

DOTS_PER_INCH = 300
"""Of a PNG file for a paper."""


def render(
    chart: Chart,
    *,
    theme: Theme,
    format: Format,  # noqa: A002
    signature: str = "",
    caption: str = "",
    layout: Layout = "wide",
    width: Width | None = None,
    is_bare: bool = False,
) -> bytes:
    """The chart as a file, in the colours of the page; with the signature in small print below the title.

    Title, caption and signature are also stated where the format has a place for them. A page or a paper says
    them in text, so there the picture is without them, unless the title says that data are synthetic.

    Args:
        chart: drawn for the layout.
        theme: of the colours.
        format: of the file.
        signature: by which the figure is repeated.
        caption: what it shows, for people who cannot see it.
        layout: for a desktop or a phone.
        width: of a card of a page on a wide screen, or of a column or page of a paper; None for the figure's
            own.
        is_bare: whether a page shows it, in its font and beside its words.
    """
    if width == "card":
        chart = filling(chart)
    elif layout == "narrow":
        chart = narrowed(chart)
    # Validating takes a quarter of the time. The access tests validate every figure that a page shows.
    specification = chart.to_dict(validate=False)
    title = _in_one_line(chart.title)
    words = Words(title, caption, signature)
    is_beside_text = is_bare or width in MILLIMETRES
    if is_beside_text and SYNTHETIC not in title:
        specification.pop("title", None)
    elif isinstance(chart.title, str) or (signature and not is_beside_text):
        below = "" if is_beside_text else signature
        lines = heading([title], below, chars=_TITLE_CHARS["narrow" if width == "column" else layout])
        specification["title"] = lines.to_dict()
    # Altair would copy the chart with its data for each of these.
    configuration = specification["config"]
    configuration |= _configuration(colours(theme), FONTS_ON_PAGES if is_bare else FONTS)
    configuration["axisX"] = {"tickCount": 4 if layout == "narrow" or width == "column" else 8}
    configuration["view"]["stroke"] = None
    if width == "column" or width == "page":
        configuration["padding"] = 1
        specification = fitted(specification, width, _measured)
    svg = _renumbered(vegalite_to_svg(with_placed_names(specification)))
    if width == "column" or width == "page":
        return _for_paper(svg, width, format, words)
    if format == "svg":
        return in_svg(svg, words, has_font=is_bare).encode()
    if format == "pdf":
        return in_pdf(svg_to_pdf(svg), words)
    return in_png(svg_to_png(svg, scale=2), words)


def _in_one_line(title: object) -> str:
    """The title of a chart, which may have several lines."""
    if isinstance(title, list):
        return ", ".join(title)
    return title if isinstance(title, str) else ""


_SIZE = re.compile(r'width="([0-9.]+)" height="([0-9.]+)" viewBox="[^"]*"><rect width="[0-9.]+"')


def _measured(specification: Specification) -> Size:
    return _size(vegalite_to_svg(specification))


def _size(svg: str) -> Size:
    width, height = _SIZE.findall(svg)[0]
    return Size(float(width), float(height))


def _for_paper(svg: str, width: PaperWidth, format: Format, words: Words) -> bytes:  # noqa: A002
    """The figure exactly as wide as a column or a page; one that is wider is made smaller with its type."""
    found, down = _size(svg)
    across = max(found, pixels_of(width))
    tall = MILLIMETRES[width] * down / across
    view = f'viewBox="0 0 {across:g} {down:g}"><rect width="{across:g}"'
    if format == "svg":
        sized = f'width="{MILLIMETRES[width]}mm" height="{tall:.2f}mm" {view}'
        return in_svg(_SIZE.sub(sized, svg, count=1), words).encode()
    size = [POINTS_A_MILLIMETRE * millimetres for millimetres in (MILLIMETRES[width], tall)]
    svg = _SIZE.sub('width="{:.3f}" height="{:.3f}" '.format(*size) + view, svg, count=1)
    if format == "pdf":
        return in_pdf(svg_to_pdf(svg), words)
    return in_png(svg_to_png(svg, ppi=DOTS_PER_INCH), words)


_NUMBERED = re.compile(r'(id="|url\(#)(clip|gradient_)([0-9]+)')


def _renumbered(svg: str) -> str:
    """The figure with its parts numbered from 0; Vega numbers them over all figures of a process."""
    places: dict[str, int] = {}

    def number(part: re.Match[str]) -> str:
        return f"{part[1]}{part[2]}{places.setdefault(part[3], len(places))}"

    return _NUMBERED.sub(number, svg)


PADDING = 12
"""Around a figure, in pixels."""

FONTS = ("Liberation Sans", "Arial", "DejaVu Sans Condensed", "sans-serif")
"""Figures are laid out in the first; the next two are about as wide, so a browser without it cuts no text."""

FONTS_ON_PAGES = (NAME, *FONTS)

_TITLE_CHARS: Mapping[Layout, int] = {"wide": 84, "narrow": 36}
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


def _configuration(colour: Mapping[str, str], fonts: Sequence[str]) -> dict[str, object]:
    """Vega-Lite's configuration for the figures of a theme."""
    text = {"labelColor": colour["soft"], "titleColor": colour["ink"]}
    return {
        "background": colour["surface"],
        "font": ", ".join(fonts),
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
