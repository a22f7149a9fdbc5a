"""Tags for links to registered pages and figures."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django import template
from django.urls import reverse

from annotate.models import Campaign, Corpus
from annotate.web import registered_pages
from annotate.web.registered_pages import CampaignPage, CorpusPage

register = template.Library()


@dataclass(frozen=True, slots=True)
class Place:
    """A link to a page about a campaign or corpus.

    Attributes:
        title: of the page.
        url: its address.
        current: `aria-current`: whether the visitor is on the page, or on a part of it; else empty.
        count: shown beside the title; None where there is none, or it was not read.
    """

    title: str
    url: str
    current: str
    count: int | None


@register.simple_tag(takes_context=True)
def campaign_places(context: dict[str, Any], campaign: Campaign) -> list[Place]:
    """The pages about the campaign that the visitor may see."""
    pages = registered_pages.campaign_pages(context["request"].user, campaign)
    return [_place(page, campaign, context) for page in pages]


@register.simple_tag(takes_context=True)
def corpus_places(context: dict[str, object], corpus: Corpus) -> list[Place]:
    """The pages about the corpus."""
    return [_place(page, corpus, context) for page in registered_pages.corpus_pages()]


def _place(page: CampaignPage | CorpusPage, subject: Campaign | Corpus, context: Mapping[str, Any]) -> Place:
    """The place of a page; a view says as `stands_under` if the visited page is a part of another place."""
    match = context["request"].resolver_match
    visited = match.url_name if match else None
    under = context.get("stands_under") or visited
    is_part = under == page.url_name or under in page.parts
    current = "page" if visited == page.url_name else "true" if is_part else ""
    count = vars(subject).get(page.count)
    return Place(page.title, reverse(page.url_name, args=[subject.uuid]), current, count)


@register.simple_tag
def site_links() -> list[dict[str, str]]:
    """Title and address of the pages about several campaigns."""
    return [{"title": page.title, "url": reverse(page.url_name)} for page in registered_pages.site_pages()]


@register.simple_tag
def result_link(campaign: Campaign) -> dict[str, str]:
    """Title and address of the page with the campaign's result."""
    page = registered_pages.result_page()
    return {"title": page.title, "url": reverse(page.url_name, args=[campaign.uuid])}


@register.simple_tag
def figure_url(subject: str, uuid: UUID, image: str) -> str:
    """The address of the figure of this subject as an image of this type, svg or png."""
    return reverse(registered_pages.figure_url_name(subject), args=[uuid, image])


@register.simple_tag
def analysis_url(subject: Campaign | Corpus, name: str) -> str:
    """The page of an analysis of a campaign or corpus."""
    return registered_pages.address_of_analysis(subject, name)
