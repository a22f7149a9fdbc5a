"""Tags for links to registered pages and figures."""

from typing import Any
from uuid import UUID

from django import template
from django.urls import reverse

from annotate.models import Campaign
from annotate.web import registered_pages

register = template.Library()


@register.simple_tag(takes_context=True)
def campaign_tabs(context: dict[str, Any], campaign: Campaign) -> list[dict[str, Any]]:
    """The pages about the campaign that the visitor may see: title, address, and whether it is this one."""
    request = context["request"]
    return [
        {
            "title": page.title,
            "url": reverse(page.url_name, args=[campaign.uuid]),
            "is_current": request.resolver_match.url_name == page.url_name,
        }
        for page in registered_pages.campaign_pages(request.user, campaign)
    ]


@register.simple_tag
def result_link(campaign: Campaign) -> dict[str, str]:
    """Title and address of the page that shows what came out of the campaign."""
    page = registered_pages.result_page()
    return {"title": page.title, "url": reverse(page.url_name, args=[campaign.uuid])}


@register.simple_tag
def figure_url(subject: str, uuid: UUID, image: str) -> str:
    """The address of the figure of this subject as an image of this type, svg or png."""
    return reverse(registered_pages.figure_url_name(subject), args=[uuid, image])
