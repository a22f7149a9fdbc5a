"""Registered pages about a campaign and the links to them, from any app."""

import re

import pytest
from django.test import Client

from annotate.models import Campaign
from annotate.web import registered_pages
from annotate.web.registered_pages import CampaignPage, register_campaign_page
from tests.annotate.designs import running_campaign
from tests.annotate.samples import small_campaign, small_corpus

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def places(client: Client, campaign: Campaign) -> list[str]:
    """Their titles on the page of its judgments."""
    page = client.get(campaign.get_absolute_url()).content.decode()
    [nav] = re.findall(r'<nav class="places".*?</nav>', page, re.DOTALL)
    return re.findall(r"<a [^>]*>([^<]+?)\s*<", nav)


def test_an_admin_has_places_for_all_pages(admin: Client) -> None:
    assert places(admin, running_campaign(small_corpus())) == [
        "Answers",
        "Overview",
        "Judgments",
        "Reports and skips",
        "Ranking",
        "Metrics",
        "Quality",
        "Analyses",
        "Published",
        "Export",
        "Data releases",
    ]


def test_a_researcher_has_none_for_pages_of_admins(researcher: Client) -> None:
    assert places(researcher, running_campaign(small_corpus())) == [
        "Answers",
        "Judgments",
        "Reports and skips",
        "Ranking",
        "Metrics",
        "Analyses",
        "Export",
    ]


def test_imported_judgments_have_none_for_running_a_campaign(admin: Client) -> None:
    assert "Overview" not in places(admin, small_campaign(small_corpus()))


def test_the_place_of_the_page_itself_is_marked_and_counts_judgments(researcher: Client) -> None:
    campaign = running_campaign(small_corpus())
    page = researcher.get(campaign.get_absolute_url()).content.decode()
    assert f'<a href="{campaign.get_absolute_url()}" aria-current="page">Judgments <span' in page
    assert '<span class="count">0</span>' in page


def test_a_page_that_an_app_registers_is_listed_where_it_says(
    researcher: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registered_pages, "_campaign_pages", dict(registered_pages._campaign_pages))
    register_campaign_page(CampaignPage("Items", "api-items", place=25))
    assert places(researcher, running_campaign(small_corpus())) == [
        "Answers",
        "Judgments",
        "Items",
        "Reports and skips",
        "Ranking",
        "Metrics",
        "Analyses",
        "Export",
    ]
