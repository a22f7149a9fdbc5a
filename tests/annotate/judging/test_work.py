"""The annotator's pages without a browser: ways in, answers that do not fit, a plain form without scripts."""

import re
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

import pytest
from django.db.models import QuerySet
from django.test import Client

from annotate.campaigns.lifecycle import close
from annotate.judging.entering import (
    add_annotator,
    join,
    mint_personal_link,
    mint_shared_link,
    returning,
    revoke_links,
    valid_link,
)
from annotate.models import Annotator, Campaign, CampaignState, Judgment, Link, Revision, User
from tests.annotate.designs import running_campaign
from tests.annotate.protocols import filled_in
from tests.annotate.samples import SYSTEMS, small_corpus

JSON = {"Accept": "application/json"}


@pytest.fixture
def campaign(db: None, protocol: str) -> Campaign:
    return running_campaign(small_corpus(), repeat_percent=0, annotators_per_item=1)


@pytest.fixture
def ada(campaign: Campaign) -> Annotator:
    return add_annotator(campaign, name="ada")


@pytest.fixture
def work(ada: Annotator) -> Client:
    """Ada's browser, after she followed her link."""
    client = Client()
    assert client.post(f"/join/{mint_personal_link(ada)}/").status_code == 302
    return client


def address(campaign: Campaign, *rest: object) -> str:
    return "/".join(["/judge", str(campaign.uuid), *map(str, rest), ""])


def on_screen(client: Client, campaign: Campaign) -> str:
    """The address of the screen that is shown now."""
    return address(campaign, client.get(address(campaign), follow=True).context["showing"].uuid)


def answer(client: Client, campaign: Campaign, **extra: str) -> dict[str, str]:
    outputs = client.get(address(campaign), follow=True).context["outputs"]
    return {"key": str(uuid4()), **filled_in(range(1, len(outputs) + 1)), **extra}


def next_showing_in(reply: dict[str, Any]) -> str:
    """The showing of the screen that came with a confirmation."""
    [showing] = re.findall('data-showing="([^"]+)"', reply["screen"])
    return str(showing)


# --- Ways in --------------------------------------------------------------------------------------


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


def test_who_comes_by_account_is_not_kept_out_by_an_old_link(campaign: Campaign) -> None:
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


@pytest.mark.parametrize(("state", "words"), [("paused", "is paused"), ("closed", "is closed")])
def test_a_campaign_that_gives_nothing_out_says_so(
    ada: Annotator, work: Client, state: str, words: str
) -> None:
    Campaign.objects.filter(pk=ada.campaign_id).update(state=state)
    assert words in work.get(address(ada.campaign), follow=True).content.decode()


def test_the_logo_leads_to_the_work_of_who_has_no_account(campaign: Campaign, work: Client) -> None:
    to_work = f'<a class="home" href="{address(campaign)}">'
    assert to_work in work.get(address(campaign), follow=True).content.decode()
    assert to_work in work.get(address(campaign, "answers")).content.decode()
    work.force_login(User.objects.create_user("carl"))
    assert '<a class="home" href="/">' in work.get(address(campaign), follow=True).content.decode()


# --- Answers --------------------------------------------------------------------------------------


def test_without_scripts_the_form_is_a_plain_form(campaign: Campaign, work: Client) -> None:
    screen = on_screen(work, campaign)
    response = work.post(screen, answer(work, campaign))
    assert response["Location"] == address(campaign)
    assert Judgment.objects.get(showing__isnull=False).state == "complete"
    assert on_screen(work, campaign) != screen


@pytest.mark.parametrize("value", ["", "-1", "101", "x", "1.5"])
def test_what_is_missing_or_wrong_is_named_and_nothing_is_stored(
    campaign: Campaign, work: Client, value: str
) -> None:
    screen = on_screen(work, campaign)
    rated, *_ = [name for name in answer(work, campaign) if name.endswith("-1")]
    fields = answer(work, campaign, **{rated: value})
    response = work.post(screen, fields, headers=JSON)
    assert response.status_code == 422
    assert response.json()["positions"] == [1]
    page = work.post(screen, fields).content.decode()
    assert "correction 2." in page
    assert not Revision.objects.filter(judgment__showing__isnull=False).exists()


def given() -> QuerySet[Revision]:
    """What was answered on screens; the rest had nothing to ask."""
    return Revision.objects.filter(judgment__showing__isnull=False)


def test_an_answer_from_another_tab_replaces_nothing_unasked(campaign: Campaign, work: Client) -> None:
    """Without scripts: the form comes back as it was filled in, and sending it again replaces the answer."""
    screen = on_screen(work, campaign)
    first = answer(work, campaign, revises="0")
    second = {**first, "key": str(uuid4()), "note": "from the second tab"}
    work.post(screen, first)
    told = work.post(screen, second)
    assert told.status_code == 422
    page = told.content.decode()
    assert "already answered or skipped this item in another tab" in page
    assert "from the second tab" in page
    assert f'<p data-onwards><a href="{address(campaign)}">' in page
    assert given().count() == 1
    assert "Your answer again: " in work.get(screen).content.decode()
    assert "Your answer again: " not in work.get(address(campaign), follow=True).content.decode()
    again = {**second, "key": str(told.context["key"]), "revises": str(told.context["revises"])}
    assert work.post(screen, again).status_code == 302
    assert given().get(is_current=True).note == "from the second tab"


def test_a_skip_from_another_tab_is_told_likewise_and_kept_as_a_draft(
    campaign: Campaign, work: Client
) -> None:
    screen = on_screen(work, campaign)
    first = answer(work, campaign, revises="0")
    work.post(screen, first)
    skipped = {"key": str(uuid4()), "note": "garbled", "revises": "0"}
    told = work.post(f"{screen}skip/", skipped, headers=JSON)
    assert told.status_code == 422
    assert told.json()["revises"] == 1
    assert given().get().judgment.state == "complete"
    assert work.get(screen).context["fields"]["note"] == "garbled"


def test_the_same_answer_twice_is_no_other_one(campaign: Campaign, work: Client) -> None:
    screen = on_screen(work, campaign)
    fields = answer(work, campaign, revises="0")
    for _ in range(2):
        assert work.post(screen, fields, headers=JSON).status_code == 200
    assert given().count() == 1


def test_a_revision_that_was_refused_is_still_one(campaign: Campaign, work: Client) -> None:
    """Without scripts: the form that comes back with the fault revises the same answer."""
    screen = on_screen(work, campaign)
    fields = answer(work, campaign, revises="0")
    work.post(screen, fields)
    refused = work.post(screen, {"key": str(uuid4()), "revises": "1"})
    assert (refused.status_code, refused.context["revises"]) == (422, 1)


@pytest.mark.parametrize("key", ["", "x", "1"])
def test_an_answer_without_its_key_is_refused(campaign: Campaign, work: Client, key: str) -> None:
    assert work.post(on_screen(work, campaign), answer(work, campaign, key=key)).status_code == 422


@pytest.mark.parametrize(
    "odd",
    [
        {"started_at": "yesterday"},
        {"started_at": "2026-99-99T00:00:00Z"},
        {"started_at": "2026-01-01T00:00:00"},
        {"started_at": "0001-01-01T00:00:00+14:00"},
        {"started_at": "9999-12-31T23:59:59-14:00"},
        {"active_ms": "-1"},
        {"active_ms": "9" * 40},
        {"note": "x" * 5000 + "\0"},
    ],
)
def test_odd_times_and_notes_do_not_cost_the_answer(
    campaign: Campaign, work: Client, odd: dict[str, str]
) -> None:
    work.post(on_screen(work, campaign), answer(work, campaign, **odd))
    revision = Revision.objects.get(judgment__showing__isnull=False)
    assert revision.started_at is None
    assert revision.active_ms is None
    assert len(revision.note) <= 2000


def test_the_same_answer_twice_is_stored_once(campaign: Campaign, work: Client) -> None:
    screen, fields = on_screen(work, campaign), answer(work, campaign)
    following = [work.post(screen, fields, headers=JSON).json() for _ in range(2)]
    assert [reply["next"] for reply in following] == [address(campaign)] * 2
    assert len({next_showing_in(reply) for reply in following}) == 1
    assert Revision.objects.filter(judgment__showing__isnull=False).count() == 1


def test_a_script_is_given_the_next_screen_with_the_confirmation(campaign: Campaign, work: Client) -> None:
    response = work.post(on_screen(work, campaign), answer(work, campaign), headers=JSON)
    reply = response.json()
    page = work.get(address(campaign), follow=True)
    assert next_showing_in(reply) == str(page.context["showing"].uuid)
    assert all(asset in page.content.decode() for asset in reply["assets"])
    assert "guidelines" not in re.sub("data-open=.*", "", reply["screen"]), "it stays on the page"
    assert response["Cache-Control"] == "no-store"


def test_what_begins_a_batch_is_asked_for_by_itself(campaign: Campaign, work: Client) -> None:
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
    reply = work.post(f"{skipped}skip/", {"key": str(uuid4()), "note": "garbled"}, headers=JSON).json()
    assert "0 answered, 1 skipped" in reply["screen"]
    reply = work.post(on_screen(work, campaign), answer(work, campaign), headers=JSON).json()
    assert "1 answered, 1 skipped" in reply["screen"]
    work.post(skipped, judged_after_all)
    page = work.get(address(campaign), follow=True).content.decode()
    assert "2 answered" in page
    assert ", 1 skipped" not in page


def test_the_end_counts_answers_and_skips_apart(campaign: Campaign, work: Client) -> None:
    while (context := work.get(address(campaign), follow=True).context).get("showing"):
        screen = address(campaign, context["showing"].uuid)
        work.post(f"{screen}skip/", {"key": str(uuid4()), "note": "garbled"})
        number = context["annotator"].skipped + 1
    page = work.get(address(campaign), follow=True).content.decode()
    assert f"You answered 0 screens and skipped {number}." in page


def test_nothing_more_is_given_while_the_campaign_is_paused(campaign: Campaign, work: Client) -> None:
    screen, fields = on_screen(work, campaign), answer(work, campaign)
    Campaign.objects.filter(pk=campaign.pk).update(state=CampaignState.PAUSED)
    assert work.post(screen, fields, headers=JSON).json() == {"next": address(campaign)}


def test_a_skip_needs_a_reason(campaign: Campaign, work: Client) -> None:
    screen = on_screen(work, campaign)
    for nothing in (" ", "\0 \0"):
        assert work.post(f"{screen}skip/", {"key": str(uuid4()), "note": nothing}).status_code == 422
    assert work.post(f"{screen}skip/", {"key": str(uuid4()), "note": "garbled"}).status_code == 302
    assert Judgment.objects.get(showing__isnull=False).state == "skipped"


def test_a_draft_is_kept_within_its_bounds(campaign: Campaign, work: Client) -> None:
    screen = on_screen(work, campaign)
    fields = {f"field-{number}": "x" * 9000 for number in range(150)}
    assert work.post(f"{screen}draft/", {"key": "k", "rank-0": "2", **fields}).status_code == 204
    draft = work.get(screen).context["fields"]
    assert draft["rank-0"] == "2"
    assert "key" not in draft
    assert len(draft) <= 100
    assert sum(map(len, draft.values())) <= 100_000
    long = {"field-0": "x" * 10_001}
    assert work.post(f"{screen}draft/", long).status_code == 204
    assert len(work.get(screen).context["fields"]["field-0"]) == 10_000


def test_a_draft_that_comes_after_its_answer_does_not_hide_it(campaign: Campaign, work: Client) -> None:
    screen, fields = on_screen(work, campaign), answer(work, campaign)
    rated, *_ = [name for name in fields if name.endswith("-1")]
    early = {**fields, rated: "1", "revises": "0"}
    work.post(f"{screen}draft/", early)
    assert work.get(screen).context["fields"][rated] == "1"
    work.post(screen, fields)
    work.post(f"{screen}draft/", early)
    again = work.get(screen).context
    assert (again["revises"], again["fields"][rated]) == (1, fields[rated])
    work.post(f"{screen}draft/", {**early, "revises": "1"})
    assert work.get(screen).context["fields"][rated] == "1"


def test_a_draft_holds_what_a_database_can(campaign: Campaign, work: Client) -> None:
    screen = on_screen(work, campaign)
    fields = {"rank-0": "2\0", "rank\0": "1", "x" * 10_000: "1"}
    form = "application/x-www-form-urlencoded"
    assert work.post(f"{screen}draft/", urlencode(fields), content_type=form).status_code == 204
    assert work.get(screen).context["fields"] == {"rank-0": "2"}


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


def test_whoever_entered_by_a_link_is_out_when_it_is_revoked(
    campaign: Campaign, ada: Annotator, work: Client
) -> None:
    assert work.get(address(campaign), follow=True).status_code == 200
    revoke_links(ada)
    assert work.get(address(campaign), follow=True).status_code == 403


def test_nobody_enters_by_a_cookie_of_their_own_making(campaign: Campaign, ada: Annotator) -> None:
    forger = Client()
    forger.cookies[f"annotator-{campaign.uuid}"] = f"{ada.pk}:{ada.revocations}:signed"
    assert forger.get(address(campaign), follow=True).status_code == 403


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
def test_who_has_judged_one_domain_is_asked_to_come_back_for_the_other(campaign: Campaign) -> None:
    separated = running_campaign(
        campaign.corpus, "separated", separates_domains=True, time_zone="Pacific/Auckland"
    )
    ada = add_annotator(separated, name="ada")
    work = Client()
    work.post(f"/join/{mint_personal_link(ada)}/")
    while "showing" in (work.get(address(separated)).context or {}):
        work.post(on_screen(work, separated), answer(work, separated))
    page = work.get(address(separated)).content.decode()
    ada.refresh_from_db()
    other = {"private": "other texts", "": "private"}[ada.domain]
    assert "Come back tomorrow" in page
    assert f"come back tomorrow for <strong>{other}</strong>" in page
    assert "midnight (Pacific/Auckland)" in page


# --- Blindness ------------------------------------------------------------------------------------


def test_no_page_or_header_of_an_annotator_names_a_system(campaign: Campaign, work: Client) -> None:
    screen = on_screen(work, campaign)
    work.post(screen, answer(work, campaign))
    for path in (address(campaign), address(campaign, "answers"), screen):
        response = work.get(path)
        told = response.content.decode() + str(response.headers)
        assert not [name for name in SYSTEMS if name in told]
        assert response["Cache-Control"] == "no-store"
