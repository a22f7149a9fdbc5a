"""Items that annotators skipped and that wait for an admin's decision."""

from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from annotate.campaigns.views import HELD_SHOWN
from annotate.judging.handout import Submission, give_next_showing, submit
from annotate.models import Campaign, Corpus, SlotState
from tests.annotate.campaigns.running import (
    address,
    all_alike,
    annotator_of,
    answer,
    held_item,
    skip_item,
)
from tests.annotate.designs import running_campaign


def test_held_items_are_shown_with_the_reasons(admin: Client, campaign: Campaign) -> None:
    item = held_item(campaign)
    page = admin.get(address(campaign)).content.decode()
    assert f'<h3 id="held-{item.number}">' in page
    assert '<bdi>anna</bdi> <small class="unbroken">Annotator 1</small>: “<bdi>two meanings</bdi>”' in page
    assert 'Annotator 2</small>: <span class="absent">no reason given</span>' in page


def test_a_held_item_is_dropped_and_taken_back(admin: Client, campaign: Campaign) -> None:
    item = held_item(campaign)
    admin.post(f"/campaigns/{campaign.uuid}/items/{item.number}/drop/")
    page = admin.get(address(campaign)).content.decode()
    assert f'id="held-{item.number}"' not in page
    assert 'id="dropped"' in page
    admin.post(f"/campaigns/{campaign.uuid}/items/{item.number}/release/")
    assert 'id="dropped"' not in admin.get(address(campaign)).content.decode()


def test_reports_with_an_answer_are_listed_among_the_skips(admin: Client, campaign: Campaign) -> None:
    showing = give_next_showing(annotator_of(campaign, "anna"))
    assert showing is not None
    submit(showing.annotator, showing.uuid, all_alike, Submission(uuid4(), note="<b>odd</b>"))
    skip_item(campaign, "anna", note="not a sentence")
    page = admin.get(address(campaign)).content.decode().partition('id="reports"')[2]
    assert page.index("not a sentence") < page.index("&lt;b&gt;odd&lt;/b&gt;")


@pytest.mark.any_database
def test_many_held_items_show_their_beginning(admin: Client, corpus: Corpus) -> None:
    campaign = running_campaign(corpus, "long", items=30, shared_percent=0)
    held_item(campaign)
    page = admin.get(address(campaign)).content.decode()
    assert page.count("<article") == HELD_SHOWN
    assert f"The first {HELD_SHOWN} of 30 are shown." in page


def test_reasons_are_text(admin: Client, campaign: Campaign) -> None:
    for name in ("anna", "ben"):
        while give_next_showing(annotator_of(campaign, name)) is not None:
            skip_item(campaign, name, note="<script>alert(1)</script>")
    page = admin.get(address(campaign)).content.decode()
    assert "<script>" not in page
    assert "&lt;script&gt;" in page


def test_a_held_item_is_given_out_again(admin: Client, campaign: Campaign) -> None:
    item = held_item(campaign)
    held = item.slots.filter(state=SlotState.HELD)
    assert held.exists()
    url = reverse("release-item", args=[campaign.uuid, item.number])
    assert f'action="{url}"' in admin.get(address(campaign)).content.decode()
    page = admin.post(url, follow=True).content.decode()
    assert f"Item {item.number} is back in the campaign." in page
    assert not held.exists()
    answer(campaign, "carl")
    assert item.judgments.filter(annotator__name="carl", state="complete").exists()


def test_an_item_that_is_not_there_cannot_be_given_out(admin: Client, campaign: Campaign) -> None:
    assert admin.post(reverse("release-item", args=[campaign.uuid, 4])).status_code == 404
    assert admin.post(reverse("release-item", args=[campaign.uuid, 10**30])).status_code == 404


@pytest.mark.any_database
def test_items_that_wait_for_a_decision_take_few_queries_more(
    admin: Client, corpus: Corpus, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for items in (1, 30):
        campaign = running_campaign(corpus, f"of {items}", items=items)
        held_item(campaign)
        with django_assert_max_num_queries(28):
            admin.get(address(campaign))
