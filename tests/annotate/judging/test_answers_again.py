"""Answers that are sent twice, or from two tabs."""

from uuid import uuid4

from django.db.models import QuerySet
from django.test import Client

from annotate.models import Campaign, Revision
from tests.annotate.judging.at_work import JSON, address, answer, next_showing_in, on_screen


def given() -> QuerySet[Revision]:
    """The answers given on screens; the other items had nothing to ask."""
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
    assert f'href="{address(campaign)}" data-cancel aria-keyshortcuts="Escape">Cancel' in page
    assert given().count() == 1
    assert "Change your answer: " in work.get(screen).content.decode()
    assert "Change your answer: " not in work.get(address(campaign), follow=True).content.decode()
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


def test_the_same_answer_twice_is_stored_once(campaign: Campaign, work: Client) -> None:
    screen, fields = on_screen(work, campaign), answer(work, campaign)
    following = [work.post(screen, fields, headers=JSON).json() for _ in range(2)]
    assert [reply["next"] for reply in following] == [address(campaign)] * 2
    assert len({next_showing_in(reply) for reply in following}) == 1
    assert Revision.objects.filter(judgment__showing__isnull=False).count() == 1
