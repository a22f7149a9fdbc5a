"""The screens that come next, which a page holds before they are needed."""

from typing import Any
from uuid import UUID

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from annotate.campaigns.lifecycle import close, pause
from annotate.design.assignment import REPEAT_DISTANCE
from annotate.design.protocols import Pairs, RelativeRanking
from annotate.judging.entering import mint_personal_link
from annotate.judging.handout import give_next_screen, give_screens_ahead
from annotate.models import Annotator, Campaign, Showing
from tests.annotate.judging.at_work import address
from tests.annotate.running import NOON, TOO_LATE, answer, cast, pass_over, running
from tests.annotate.samples import sentence, small_corpus

pytestmark = pytest.mark.django_db
MOST_QUERIES = 12


def pairs(sentences: int = 6, **options: Any) -> Campaign:
    """A pair of each sentence, in one batch."""
    texts = [sentence(f"Say {n} .", f"Say {n} !", f"Say {n} ?") for n in range(sentences)]
    wishes = {
        "protocol": Pairs.name,
        "items": sentences,
        "listed_sentences": list(range(sentences)),
        "batch_size": sentences,
        **options,
    }
    return running(corpus=small_corpus(sentences=texts), **wishes)


def client_of(annotator: Annotator) -> Client:
    client = Client()
    client.post(f"/join/{mint_personal_link(annotator)}/")
    client.get(address(annotator.campaign))
    return client


def ahead(client: Client, campaign: Campaign, *held: str) -> dict[str, Any]:
    with CaptureQueriesContext(connection) as queries:
        response = client.get(address(campaign, "ahead"), {"held": held})
    assert response.status_code == 200
    sent = [query["sql"] for query in queries if not query["sql"].startswith(("SAVEPOINT", "RELEASE"))]
    assert len(sent) <= MOST_QUERIES, sent
    words: dict[str, Any] = response.json()
    return words


def test_they_are_those_that_are_shown_one_after_the_other() -> None:
    [anna] = cast(pairs(), "anna")
    give_next_screen(anna, now=NOON)
    expected = give_screens_ahead(anna, 30, now=NOON).showings
    assert len(expected) == 6
    met = []
    while (screen := give_next_screen(anna, now=NOON)) is not None:
        met.append(screen.showing.uuid)
        answer(screen.showing)
        anna.refresh_from_db()
    assert tuple(met) == expected


def test_a_page_gets_those_that_it_does_not_hold() -> None:
    campaign = pairs()
    client = client_of(cast(campaign, "anna")[0])
    words = ahead(client, campaign)
    assert [each["showing"] for each in words["screens"]] == words["ahead"]
    again = ahead(client, campaign, *words["ahead"][:4], "nonsense")
    assert again["ahead"] == words["ahead"], "asking changes nothing"
    assert [each["showing"] for each in again["screens"]] == words["ahead"][4:]
    assert Showing.objects.count() == 6


def test_they_are_screens_as_they_will_be() -> None:
    campaign = pairs()
    client = client_of(cast(campaign, "anna")[0])
    first, *_, last = ahead(client, campaign)["screens"]
    assert "0 of 6" in first["screen"]
    assert "data-last" not in first["screen"]
    assert "5 of 6" in last["screen"]
    assert "data-last" in last["screen"]
    assert f'data-showing="{last["showing"]}"' in last["screen"]


def test_each_is_answered_at_its_address_in_any_order() -> None:
    campaign = pairs()
    client = client_of(cast(campaign, "anna")[0])
    screens = ahead(client, campaign)["ahead"]
    for place, showing in enumerate(reversed(screens)):
        fields = {"key": str(UUID(int=place)), "better": "1", "revises": "0"}
        assert client.post(address(campaign, showing), fields).status_code == 302
    assert ahead(client, campaign)["ahead"] == []
    assert Annotator.objects.get().complete == 6


def test_a_repeat_comes_once_it_is_due() -> None:
    campaign = pairs(12, repeat_percent=100)
    [anna] = cast(campaign, "anna")
    first = give_next_screen(anna, now=NOON)
    assert first is not None
    assert len(give_screens_ahead(anna, 30, now=NOON).showings) == 12
    for _ in range(REPEAT_DISTANCE + 1):
        screen = give_next_screen(anna, now=NOON)
        assert screen is not None
        answer(screen.showing)
        anna.refresh_from_db()
    coming = give_screens_ahead(anna, 30, now=NOON).showings
    slots = [Showing.objects.get(uuid=uuid).slot for uuid in coming]
    assert slots[0].repeats_id == first.showing.slot_id
    assert slots[-1].repeats_id is None


def test_nothing_comes_where_nothing_may_be_answered() -> None:
    campaign = pairs()
    [anna] = cast(campaign, "anna")
    assert give_screens_ahead(anna, 30, now=NOON).showings == (), "they begin no batch"
    client = client_of(anna)
    assert ahead(client, campaign)["ahead"]
    pause(campaign)
    assert ahead(client, campaign)["ahead"] == []
    close(campaign)
    assert ahead(client, campaign)["ahead"] == []


def test_what_others_took_over_is_gone() -> None:
    campaign = pairs()
    anna, ben = cast(campaign)
    give_next_screen(anna, now=NOON)
    mine = give_screens_ahead(anna, 30, now=NOON).showings
    give_next_screen(ben, now=TOO_LATE)
    assert len(mine) == 6
    assert give_screens_ahead(anna, 30, now=TOO_LATE).showings == ()


def test_a_skipped_one_does_not_come_again() -> None:
    [anna] = cast(pairs(), "anna")
    screen = give_next_screen(anna, now=NOON)
    assert screen is not None
    pass_over(screen.showing)
    anna.refresh_from_db()
    assert screen.showing.uuid not in give_screens_ahead(anna, 30, now=NOON).showings


@pytest.mark.parametrize("options", [{"protocol": RelativeRanking.name}, {"opinion_of": "gpt"}])
def test_other_protocols_and_campaigns_with_opinions_have_none(options: dict[str, Any]) -> None:
    campaign = pairs(outputs_per_screen=2, **options)
    client = client_of(cast(campaign, "anna")[0])
    assert ahead(client, campaign)["ahead"] == []


def test_strangers_get_none(client: Client) -> None:
    campaign = pairs()
    assert client.get(address(campaign, "ahead")).status_code == 403
