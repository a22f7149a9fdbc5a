"""Figures as images, shown on pages and for download."""

from collections.abc import Mapping
from typing import cast

from django.http import Http404, HttpRequest, HttpResponse

from annotate.models import Campaign
from annotate.web.figure_sizes import remember_size
from core.names import SYNTHETIC
from core.results import LAYOUTS, Layout
from figures.colours import Theme
from figures.drawing import Chart, Format, Width, render
from figures.paper_widths import MILLIMETRES

CONTENT_TYPES = {"svg": "image/svg+xml", "png": "image/png", "pdf": "application/pdf"}


def title_of(campaign: Campaign) -> str:
    """The title of a campaign's figures, which states if the judgments are simulated."""
    return f"{campaign} {SYNTHETIC}" if campaign.synthetic else str(campaign)


OF_IMAGES = ("theme", "bare", "layout", "fills", "width")
"""Parameters in addresses of images that decide how these look."""


def layout_of(request: HttpRequest) -> Layout:
    """The layout in the query, which is narrow for a column of a paper; 404 for others."""
    layout = request.GET.get("layout", "narrow" if request.GET.get("width") == "column" else "wide")
    if layout not in LAYOUTS:
        raise Http404
    return layout


def width_of(request: HttpRequest, widths: Mapping[str, int]) -> int:
    """The width of the layout in the query; 404 for others."""
    return widths[layout_of(request)]


def image_of(
    chart: Chart | None, request: HttpRequest, image: str, *, signature: str = "", caption: str = ""
) -> HttpResponse:
    """The chart in the format `image`, and in the theme, layout and width given in the query.

    404 for other formats, themes, layouts and widths, and if there is nothing to draw. The image shows the
    signature, unless the query says `bare`: pages show it in text. Its file has signature and caption
    in any case.
    """
    theme, width = request.GET.get("theme", "light"), request.GET.get("width")
    is_known = theme in ("light", "dark") and width in (None, *MILLIMETRES) and image in CONTENT_TYPES
    if chart is None or not is_known:
        raise Http404
    if "fills" in request.GET:
        width = "card"
    content = render(
        chart,
        theme=cast(Theme, theme),
        format=cast(Format, image),
        signature=signature,
        caption=caption,
        layout=layout_of(request),
        width=cast(Width | None, width),
        is_bare="bare" in request.GET,
    )
    if image == "svg" and "bare" in request.GET:
        remember_size(request.path, request.META["QUERY_STRING"], content)
    return HttpResponse(content, content_type=CONTENT_TYPES[image])
