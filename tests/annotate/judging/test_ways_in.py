"""Entering the annotator's pages by personal link, account or cookie, and refusals."""

from uuid import uuid4

import pytest
from django.test import Client

from annotate.judging.entering import (
    add_annotator,
    join,
    mint_personal_link,
    mint_shared_link,
    returning,
    revoke_links,
    valid_link,
)
from annotate.models import Annotator, Campaign, CampaignState, Link, User
from tests.annotate.designs import running_campaign
from tests.annotate.judging.at_work import JSON, address, answer, on_screen

pytestmark = pytest.mark.any_protocol


def test_opening_a_link_enters_nobody_before_the_click(ada: Annotator) -> None:
    client = Client()
    token = mint_personal_link(ada)
    assert client.get(f"/join/{token}/").status_code == 200
    assert client.get(address(ada.campaign), follow=True).status_code == 403
    client.post(f"/join/{token}/")
    assert client.get(address(ada.campaign), follow=True).status_code == 200


def test_a_new_personal_link_ends_the_old_one(ada: Annotator) -> None:
    old, new = mint_personal_link(ada), mint_personal_link(ada)
    assert Client().get(f"/join/{old}/").status_code == 404
    assert Client().get(f"/join/{new}/").status_code == 200
    revoke_links(ada)
    assert Client().get(f"/join/{new}/").status_code == 404


def test_only_digests_of_tokens_and_codes_are_stored(campaign: Campaign) -> None:
    token = mint_shared_link(campaign)
    link = valid_link(token)
    assert link is not None
    visit = join(link)
    assert visit is not None
    assert token not in str(Link.objects.values_list())
    assert visit.resume_code not in str(Annotator.objects.values_list())
    assert returning(campaign, f" {visit.resume_code.upper()} ") == visit.annotator


def test_a_link_of_another_campaign_leads_nowhere_here(campaign: Campaign) -> None:
    other = running_campaign(campaign.corpus, "other")
    token = mint_personal_link(add_annotator(other, name="eve"))
    assert returning(campaign, token) is None
    assert returning(campaign, "") is None


def test_an_account_that_was_invited_needs_no_link(campaign: Campaign) -> None:
    user = User.objects.create_user("carl")
    client = Client()
    client.force_login(user)
    assert client.get(address(campaign), follow=True).status_code == 403
    add_annotator(campaign, name="carl", user=user)
    assert client.get(address(campaign), follow=True).status_code == 200


def test_an_account_gets_in_despite_an_old_link(campaign: Campaign) -> None:
    user = User.objects.create_user("carl")
    carl = add_annotator(campaign, name="carl", user=user)
    client = Client()
    client.post(f"/join/{mint_personal_link(carl)}/")
    revoke_links(carl)
    assert client.get(address(campaign), follow=True).status_code == 403
    client.force_login(user)
    assert client.get(address(campaign), follow=True).status_code == 200


def test_a_draft_or_an_import_cannot_be_entered(ada: Annotator, work: Client) -> None:
    for state in (CampaignState.DRAFT, CampaignState.IMPORTED, CampaignState.IMPORTING):
        Campaign.objects.filter(pk=ada.campaign_id).update(state=state)
        assert work.get(address(ada.campaign), follow=True).status_code == 404
        assert work.post(address(ada.campaign, "come-back"), {"code": "x"}).status_code == 404


def test_a_script_whose_session_has_ended_is_told_so(campaign: Campaign, work: Client) -> None:
    screen, fields = on_screen(work, campaign), answer(work, campaign)
    assert Client().post(screen, fields, headers=JSON).status_code == 401


def test_the_screens_of_others_lead_nowhere(campaign: Campaign, ada: Annotator, work: Client) -> None:
    screen = on_screen(work, campaign)
    other = Client()
    other.post(f"/join/{mint_personal_link(add_annotator(campaign, name='bob'))}/")
    for path in (screen, f"{screen}draft/", f"{screen}skip/"):
        for key in (str(uuid4()), "no key"):
            assert other.post(path, {"key": key}, headers=JSON).status_code == 404


def test_revoking_a_link_ends_the_sessions_that_used_it(
    campaign: Campaign, ada: Annotator, work: Client
) -> None:
    assert work.get(address(campaign), follow=True).status_code == 200
    revoke_links(ada)
    assert work.get(address(campaign), follow=True).status_code == 403


def test_nobody_enters_by_a_cookie_of_their_own_making(campaign: Campaign, ada: Annotator) -> None:
    forger = Client()
    forger.cookies[f"annotator-{campaign.uuid}"] = f"{ada.pk}:{ada.revocations}:signed"
    assert forger.get(address(campaign), follow=True).status_code == 403
