"""Tags for links to registered pages and figures."""

from typing import Any
from uuid import UUID

from django import template
from django.http import HttpRequest
from django.urls import reverse

from annotate.models import Campaign, Corpus
from annotate.web import registered_pages
from annotate.web.registered_pages import CampaignPage, CorpusPage

register = template.Library()


@register.simple_tag(takes_context=True)
def campaign_tabs(context: dict[str, Any], campaign: Campaign) -> list[dict[str, str]]:
    """The pages about the campaign that the visitor may see, as tabs."""
    request = context["request"]
    pages = registered_pages.campaign_pages(request.user, campaign)
    return [_tab(page, campaign.uuid, request) for page in pages]


@register.simple_tag(takes_context=True)
def corpus_tabs(context: dict[str, Any], corpus: Corpus) -> list[dict[str, str]]:
    """The pages about the corpus, as tabs."""
    return [_tab(page, corpus.uuid, context["request"]) for page in registered_pages.corpus_pages()]


def _tab(page: CampaignPage | CorpusPage, uuid: UUID, request: HttpRequest) -> dict[str, str]:
    """Title, address and `aria-current`: whether the visitor is on the page, or on a part of it."""
    visited = request.resolver_match.url_name if request.resolver_match else None
    current = "page" if visited == page.url_name else "true" if visited in page.parts else ""
    return {"title": page.title, "url": reverse(page.url_name, args=[uuid]), "current": current}


@register.simple_tag
def result_link(campaign: Campaign) -> dict[str, str]:
    """Title and address of the page with the campaign's result."""
    page = registered_pages.result_page()
    return {"title": page.title, "url": reverse(page.url_name, args=[campaign.uuid])}


@register.simple_tag
def figure_url(subject: str, uuid: UUID, image: str) -> str:
    """The address of the figure of this subject as an image of this type, svg or png."""
    return reverse(registered_pages.figure_url_name(subject), args=[uuid, image])
