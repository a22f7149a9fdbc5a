"""Figures as images, shown on pages and for download."""

from collections.abc import Mapping
from typing import cast

from django.http import Http404, HttpRequest, HttpResponse

from annotate.models import Campaign
from annotate.web.figure_sizes import remember_size
from core.results import LAYOUTS, Layout
from figures.colours import Theme
from figures.drawing import Chart, Format, render

CONTENT_TYPES = {"svg": "image/svg+xml", "png": "image/png", "pdf": "application/pdf"}


def title_of(campaign: Campaign) -> str:
    """The title of a campaign's figures, which states if the judgments are simulated."""
    return f"{campaign} (synthetic)" if campaign.synthetic else str(campaign)


OF_IMAGES = ("theme", "bare", "layout", "fills")
"""Parameters in addresses of images that decide how these look."""


def layout_of(request: HttpRequest) -> Layout:
    """The layout in the query; 404 for others."""
    layout = request.GET.get("layout", "wide")
    if layout not in LAYOUTS:
        raise Http404
    return layout


def width_of(request: HttpRequest, widths: Mapping[str, int]) -> int:
    """The width of the layout in the query; 404 for others."""
    return widths[layout_of(request)]


def image_of(chart: Chart | None, request: HttpRequest, image: str, *, signature: str = "") -> HttpResponse:
    """The chart in the format `image`, and in the theme and layout given in the query.

    404 for other formats, themes and layouts, and if there is nothing to draw. The image carries the
    signature, unless the query says `bare`: pages show it in text.
    """
    theme = request.GET.get("theme", "light")
    if chart is None or theme not in ("light", "dark") or image not in CONTENT_TYPES:
        raise Http404
    signature = "" if "bare" in request.GET else signature
    content = render(
        chart,
        theme=cast(Theme, theme),
        format=cast(Format, image),
        signature=signature,
        layout=layout_of(request),
        fills="fills" in request.GET,
    )
    if image == "svg" and "bare" in request.GET:
        remember_size(request.path, request.META["QUERY_STRING"], content)
    return HttpResponse(content, content_type=CONTENT_TYPES[image])
