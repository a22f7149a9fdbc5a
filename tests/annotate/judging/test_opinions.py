"""A machine's opinion: shown once the annotator's answer is stored, never before, and noted with it."""

import re
from collections.abc import Callable, Mapping
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from annotate.campaigns.lifecycle import clone, close
from annotate.design.protocols import PROTOCOLS, Practisable
from annotate.judging.entering import add_annotator, mint_personal_link
from annotate.judging.stored_answers import stored_answer
from annotate.judgments.queries import snapshot
from annotate.machines.answering import MachineAnswer, store_answers
from annotate.models import Annotator, Campaign, Design, Judgment, Revision, Slot, SlotState
from tests.annotate import protocols
from tests.annotate.designs import running_campaign
from tests.annotate.judging.at_work import JSON, address, answer, on_screen
from tests.annotate.machine_judges import machine_of
from tests.annotate.protocols import said
from tests.annotate.samples import SYSTEMS, sentence, small_corpus

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("protocol")]

TEXTS = [sentence(f"Say {n} .", f"Say {n} !", f"Say {n} ?", f"Says {n} .") for n in range(4)]
MOST_QUERIES = 12


def launched(**design: Any) -> Campaign:
    usual = {"items": 4, "annotators_per_item": 1, "repeat_percent": 0, "opinion_of": "gpt"}
    return running_campaign(small_corpus(sentences=TEXTS), **{**usual, **design})


@pytest.fixture
def campaign() -> Campaign:
    return launched()


@pytest.fixture
def machine(campaign: Campaign) -> Annotator:
    """It has answered everything, with the outputs in another order than any person sees them."""
    machine = machine_of(campaign)
    answer_everything(machine)
    return machine


def answer_everything(machine: Annotator, first_rank: int = 2) -> None:
    asked_by = PROTOCOLS[machine.campaign.protocol]
    ranks = [first_rank, 1, 3, 4]
    store_answers(
        machine,
        [
            MachineAnswer(item.number, uuid4(), asked_by.fields(said(ranks, item.outputs.count())))
            for item in machine.campaign.items.all()
        ],
    )


@pytest.fixture
def work(campaign: Campaign) -> Client:
    return worker(campaign, "ada")


def worker(campaign: Campaign, name: str) -> Client:
    client = Client()
    client.post(f"/join/{mint_personal_link(add_annotator(campaign, name=name))}/")
    return client


def send(work: Client, campaign: Campaign, at: str = "", **extra: str) -> dict[str, Any]:
    """Answer the screen, or the one at the address, as the script does; the server's confirmation."""
    at = at or on_screen(work, campaign)
    shown = work.get(at).context
    ranks = range(1, len(shown["outputs"]) + 1)
    fields = {"key": str(uuid4()), **protocols.filled_in(ranks), **extra}
    reply: dict[str, Any] = work.post(at, fields, headers=JSON).json()
    return reply


def opinions(**of: object) -> list[str | None]:
    """What each answer says, in the order of judgments and revisions."""
    rows = Revision.objects.filter(**{"judgment__by_machine": 0, **of}).order_by("judgment", "number")
    return list(rows.values_list("opinion", flat=True))


def test_it_comes_after_the_answer_and_says_what_the_machine_said_of_each_output(
    campaign: Campaign, machine: Annotator, work: Client
) -> None:
    at = on_screen(work, campaign)
    reply = send(work, campaign, at)
    assert reply == {"next": f"{at}opinion/"}, "no screen comes with it"
    assert opinions() == ["shown-after"]
    response = work.get(reply["next"])
    page = response.content.decode()
    assert response["Cache-Control"] == "no-store"
    assert not any(name in page for name in (*SYSTEMS, "gpt", "Machine"))
    assert f'href="{address(campaign)}" data-next' in page
    own = Revision.objects.get(judgment__by_machine=0)
    item = own.judgment.item
    theirs = Revision.objects.get(judgment__annotator=machine, judgment__item=item)
    asked_by = PROTOCOLS[campaign.protocol]
    if isinstance(asked_by, Practisable):
        marks = asked_by.marks(stored_answer(theirs))
        outputs = theirs.ratings.order_by("position").values_list("item_output", flat=True)
        by_output = dict(zip(outputs, marks, strict=True))
        rated = own.ratings.order_by("position")
        for output, rating in zip(response.context["outputs"], rated, strict=True):
            assert output["text"] == rating.item_output.output.text
            assert output["opinion"].replace(" ", "-") == by_output[rating.item_output_id].replace(" ", "-")
    else:
        assert [said["texts"] for said in response.context["written"]] == [own.texts, theirs.texts]
    assert not Judgment.objects.filter(annotator=machine).exists()


def test_nothing_tells_it_before_the_answer(campaign: Campaign, machine: Annotator, work: Client) -> None:
    """Neither a page, nor any reply to what a script can send about an item that is not answered."""
    silent = Client()
    Design.objects.filter(campaign=campaign).update(opinion_of="")
    at = on_screen(work, campaign)
    plain = work.get(at).content
    Design.objects.filter(campaign=campaign).update(opinion_of="gpt")
    assert without_keys(work.get(at).content) == without_keys(plain)
    before = work.get(f"{at}opinion/")
    assert (before.status_code, before["Location"]) == (302, address(campaign))
    draft = work.post(f"{at}draft/", answer(work, campaign))
    assert (draft.status_code, draft.content) == (204, b"")
    refused = work.post(at, {"key": str(uuid4())}, headers=JSON)
    assert set(refused.json()) == {"fault", "positions"}
    assert work.get(f"{at}opinion/")["Location"] == address(campaign)
    assert silent.get(f"{at}opinion/").status_code == 403


def without_keys(page: bytes) -> str:
    """The page without what differs each time it is loaded, and without screens that come ahead."""
    differing = r'name="(csrfmiddlewaretoken|key)" value="[^"]*"| data-ahead="[^"]*"'
    return re.sub(differing, "", page.decode())


def test_another_annotator_does_not_see_it(campaign: Campaign, machine: Annotator, work: Client) -> None:
    reply = send(work, campaign)
    assert worker(campaign, "ben").get(reply["next"])["Location"] == address(campaign)


def test_an_answer_that_is_sent_twice_leads_to_it_twice_and_is_stored_once(
    campaign: Campaign, machine: Annotator, work: Client
) -> None:
    at, key = on_screen(work, campaign), str(uuid4())
    assert send(work, campaign, at, key=key) == send(work, campaign, at, key=key)
    assert opinions() == ["shown-after"]


def test_a_change_after_it_says_so_and_shows_it_no_second_time(
    campaign: Campaign, machine: Annotator, work: Client
) -> None:
    at = on_screen(work, campaign)
    send(work, campaign, at)
    assert send(work, campaign, at, note="on second thoughts")["next"] == address(campaign)
    assert opinions() == ["shown-after", "shown-before"]
    assert work.get(f"{at}opinion/").status_code == 200, "it may be looked at again"
    assert set(snapshot(campaign)["opinion"]) == {"shown-before"}


def test_without_scripts_the_browser_is_led_to_it(
    campaign: Campaign, machine: Annotator, work: Client
) -> None:
    at = on_screen(work, campaign)
    assert work.post(at, answer(work, campaign))["Location"] == f"{at}opinion/"


def test_a_skip_shows_nothing(campaign: Campaign, machine: Annotator, work: Client) -> None:
    at = on_screen(work, campaign)
    fields = {"key": str(uuid4()), "reason": "The text is broken"}
    assert work.post(f"{at}skip/", fields, headers=JSON).json()["next"] == address(campaign)
    assert opinions() == ["not-shown"]
    assert work.get(f"{at}opinion/")["Location"] == address(campaign)
    assert send(work, campaign, at)["next"] == f"{at}opinion/", "they judged it after all"
    assert opinions() == ["not-shown", "shown-after"]


def test_an_item_that_the_machine_has_not_answered_shows_none(campaign: Campaign, work: Client) -> None:
    machine = machine_of(campaign)
    at = on_screen(work, campaign)
    assert send(work, campaign, at)["next"] == address(campaign)
    answer_everything(machine)
    assert work.get(f"{at}opinion/")["Location"] == address(campaign), "it came too late"
    assert opinions() == ["not-shown"]


def test_the_answers_of_another_machine_and_what_it_skipped_are_not_shown(
    campaign: Campaign, work: Client
) -> None:
    answer_everything(machine_of(campaign, "other"))
    skipping = machine_of(campaign)
    numbers = campaign.items.values_list("number", flat=True)
    store_answers(skipping, [MachineAnswer(number, uuid4(), None, "refused") for number in numbers])
    assert send(work, campaign)["next"] == address(campaign)
    assert opinions() == ["not-shown"]


def test_a_planned_repeat_is_answered_before_it_is_shown() -> None:
    """Else the second answer would not be independent of what the machine said."""
    campaign = launched(repeat_percent=100)
    answer_everything(machine_of(campaign))
    work = worker(campaign, "ada")
    first = on_screen(work, campaign)
    assert "opinion" not in send(work, campaign, first)["next"]
    repeat = Slot.objects.filter(repeats__isnull=False, state=SlotState.RESERVED, annotator__name="ada")
    repeat.update(due_at_screen=0)
    again = on_screen(work, campaign)
    assert send(work, campaign, again)["next"] == f"{again}opinion/"
    assert opinions() == ["not-shown", "shown-after"]
    send(work, campaign, first)
    assert opinions() == ["not-shown", "shown-before", "shown-after"]


def test_another_item_of_the_sentence_says_that_it_was_seen_before(
    campaign: Campaign, machine: Annotator, work: Client
) -> None:
    """What the machine says of some outputs tells about the others, so nothing is shown after that."""
    first, second = campaign.items.order_by("number")[:2]
    campaign.items.filter(pk=second.pk).update(sentence=first.sentence)
    for _ in range(4):
        send(work, campaign)
    noted = dict(Revision.objects.filter(judgment__by_machine=0).values_list("judgment__item", "opinion"))
    assert {noted.pop(item.pk) for item in (first, second)} == {"shown-after", "shown-before"}
    assert set(noted.values()) == {"shown-after"}


def test_a_campaign_without_the_option_says_nothing(
    work: Client, campaign: Campaign, machine: Annotator
) -> None:
    Design.objects.filter(campaign=campaign).update(opinion_of="")
    at = on_screen(work, campaign)
    assert "opinion" not in send(work, campaign, at)["next"]
    assert opinions() == [None]
    assert opinions(judgment__by_machine=1) == [None] * 4
    assert work.get(f"{at}opinion/")["Location"] == address(campaign)


def test_answers_that_come_after_the_end_show_it_too(
    campaign: Campaign, machine: Annotator, work: Client
) -> None:
    at = on_screen(work, campaign)
    fields = answer(work, campaign)
    close(campaign)
    reply = work.post(at, fields, headers=JSON).json()
    page = work.get(reply["next"]).content.decode()
    assert "Change my answer" not in page
    assert opinions() == ["shown-after"]


@pytest.mark.any_protocol
def test_a_clone_shows_the_machine_of_the_same_name(campaign: Campaign) -> None:
    assert clone(campaign, name="again").design.opinion_of == "gpt"


@pytest.mark.parametrize("way_in", ["link", "account"])
def test_no_request_takes_more_queries_than_it_may(
    way_in: str, django_user_model: Any, campaign: Campaign, machine: Annotator, work: Client
) -> None:
    if way_in == "account":
        ada = Annotator.objects.get(name="ada")
        ada.user = django_user_model.objects.create_user("ada")
        ada.save()
        work = Client()
        work.force_login(ada.user)
    at = on_screen(work, campaign)
    fields: Mapping[str, str] = answer(work, campaign)
    asks: list[Callable[[], Any]] = [
        lambda: work.post(at, fields, headers=JSON),
        lambda: work.get(f"{at}opinion/"),
        lambda: work.get(address(campaign)),
    ]
    for ask in asks:
        with CaptureQueriesContext(connection) as queries:
            response = ask()
        assert response.status_code == 200
        sent = [query for query in queries if not query["sql"].startswith(("SAVEPOINT", "RELEASE"))]
        assert len(sent) <= MOST_QUERIES
