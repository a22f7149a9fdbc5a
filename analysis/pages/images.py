"""Figures as the images that pages show and people take away."""

from typing import cast

from django.http import Http404, HttpRequest, HttpResponse

from annotate.models import Campaign
from figures.drawing import Chart, Format, Theme, render

CONTENT_TYPES = {"svg": "image/svg+xml", "png": "image/png"}


def title_of(campaign: Campaign) -> str:
    """The title of a campaign's figures, which says when the judgments are made up."""
    return f"{campaign} (synthetic)" if campaign.synthetic else str(campaign)


def image_of(chart: Chart, request: HttpRequest, image: str) -> HttpResponse:
    """The chart in the format `image` and the theme that the address asks for; 404 for others."""
    theme = request.GET.get("theme", "light")
    if theme not in ("light", "dark") or image not in CONTENT_TYPES:
        raise Http404
    content = render(chart, theme=cast(Theme, theme), format=cast(Format, image))
    return HttpResponse(content, content_type=CONTENT_TYPES[image])
