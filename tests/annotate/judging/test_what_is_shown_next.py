"""The page after an answer: the next screen, or why there is none."""

import re
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from annotate.campaigns.lifecycle import close
from annotate.judging.entering import add_annotator, mint_personal_link
from annotate.models import Annotator, Campaign, CampaignState, Revision, User
from tests.annotate.designs import running_campaign
from tests.annotate.judging.at_work import JSON, address, answer, next_showing_in, on_screen

pytestmark = pytest.mark.any_protocol


@pytest.mark.parametrize(("state", "words"), [("paused", "is paused"), ("closed", "is closed")])
def test_a_campaign_that_gives_nothing_out_says_so(
    ada: Annotator, work: Client, state: str, words: str
) -> None:
    Campaign.objects.filter(pk=ada.campaign_id).update(state=state)
    assert words in work.get(address(ada.campaign), follow=True).content.decode()


def test_the_logo_leads_annotators_without_account_to_their_work(campaign: Campaign, work: Client) -> None:
    to_work = f'<a class="home" href="{address(campaign)}">'
    assert to_work in work.get(address(campaign), follow=True).content.decode()
    assert to_work in work.get(address(campaign, "answers")).content.decode()
    work.force_login(User.objects.create_user("carl"))
    assert '<a class="home" href="/">' in work.get(address(campaign), follow=True).content.decode()


def test_a_script_is_given_the_next_screen_with_the_confirmation(campaign: Campaign, work: Client) -> None:
    response = work.post(on_screen(work, campaign), answer(work, campaign), headers=JSON)
    reply = response.json()
    page = work.get(address(campaign), follow=True)
    assert next_showing_in(reply) == str(page.context["showing"].uuid)
    assert all(asset in page.content.decode() for asset in reply["assets"])
    assert "guidelines" not in re.sub("data-open=.*", "", reply["screen"]), "it stays on the page"
    assert response["Cache-Control"] == "no-store"


def test_a_new_batch_needs_a_request_of_its_own(campaign: Campaign, work: Client) -> None:
    reply: dict[str, Any] = {"screen": ""}
    while "screen" in reply:
        reply = work.post(on_screen(work, campaign), answer(work, campaign), headers=JSON).json()
    assert reply == {"next": address(campaign)}


def test_a_skip_is_followed_by_the_next_screen_too(campaign: Campaign, work: Client) -> None:
    skipped = {"key": str(uuid4()), "note": "garbled"}
    reply = work.post(f"{on_screen(work, campaign)}skip/", skipped, headers=JSON).json()
    assert f"/{next_showing_in(reply)}/" in on_screen(work, campaign)


def test_a_skip_is_not_counted_as_an_answer(campaign: Campaign, work: Client) -> None:
    skipped = on_screen(work, campaign)
    judged_after_all = answer(work, campaign, revises="1")
    work.post(f"{skipped}skip/", {"key": str(uuid4()), "note": "garbled"}, headers=JSON)
    assert counted(campaign) == (0, 1)
    work.post(on_screen(work, campaign), answer(work, campaign), headers=JSON)
    assert counted(campaign) == (1, 1)
    work.post(skipped, judged_after_all)
    assert counted(campaign) == (2, 0)


def counted(campaign: Campaign) -> tuple[int, int]:
    """How many screens the annotator answered and skipped."""
    annotator = campaign.annotators.get()
    return annotator.answered, annotator.skipped


def test_the_end_counts_answers_and_skips_apart(campaign: Campaign, work: Client) -> None:
    while (context := work.get(address(campaign), follow=True).context).get("showing"):
        screen = address(campaign, context["showing"].uuid)
        work.post(f"{screen}skip/", {"key": str(uuid4()), "note": "garbled"})
        number = context["annotator"].skipped + 1
    page = work.get(address(campaign), follow=True).content.decode()
    assert f"You answered 0 screens and skipped {number}." in page
    assert "Your last answers" in page


def test_who_has_answered_nothing_is_not_told_so(campaign: Campaign, work: Client) -> None:
    campaign.slots.all().delete()
    page = work.get(address(campaign), follow=True).content.decode()
    assert "All done" in page
    assert "You answered" not in page
    assert "Your last answers" not in page


def test_nothing_more_is_given_while_the_campaign_is_paused(campaign: Campaign, work: Client) -> None:
    screen, fields = on_screen(work, campaign), answer(work, campaign)
    Campaign.objects.filter(pk=campaign.pk).update(state=CampaignState.PAUSED)
    assert work.post(screen, fields, headers=JSON).json() == {"next": address(campaign)}


def test_a_closed_campaign_offers_no_revision_and_keeps_one_that_arrives(
    campaign: Campaign, work: Client
) -> None:
    screen, fields = on_screen(work, campaign), answer(work, campaign)
    work.post(screen, fields)
    close(campaign)
    assert work.get(screen)["Location"] == address(campaign, "answers")
    assert screen not in work.get(address(campaign, "answers")).content.decode()
    work.post(screen, {**fields, "key": str(uuid4())})
    assert Revision.objects.filter(judgment__showing__uuid=screen.split("/")[-2]).count() == 2


@pytest.mark.usefixtures("noon")
def test_an_annotator_of_one_domain_is_asked_to_come_back_for_the_other(campaign: Campaign) -> None:
    separated = running_campaign(
        campaign.corpus, "separated", separates_domains=True, time_zone="Pacific/Auckland"
    )
    ada = add_annotator(separated, name="ada")
    work = Client()
    work.post(f"/join/{mint_personal_link(ada)}/")
    while "showing" in work.get(address(separated), follow=True).context:
        work.post(on_screen(work, separated), answer(work, separated))
    page = work.get(address(separated)).content.decode()
    ada.refresh_from_db()
    other = {"private": "other texts", "": "private"}[ada.domain]
    assert "Come back tomorrow" in page
    assert f"come back tomorrow for <strong>{other}</strong>" in page
    assert "midnight (Pacific/Auckland)" in page
