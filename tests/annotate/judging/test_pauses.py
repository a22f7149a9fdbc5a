"""The pause between two batches: work done, and the next batch or stopping for now."""

from uuid import uuid4

import pytest
from django.test import Client

from annotate.judging.entering import add_annotator, mint_personal_link
from annotate.models import Annotator, Assignment, Campaign, Showing, Slot, SlotState
from tests.annotate.designs import running_campaign
from tests.annotate.judging.at_work import address, answer, on_screen
from tests.annotate.samples import sentence, small_corpus

pytestmark = [pytest.mark.django_db, pytest.mark.any_protocol]

TEXTS = [sentence(f"Say {n} .", f"Say {n} !", f"Say {n} ?", f"Says {n} .") for n in range(10)]


@pytest.fixture
def campaign(protocol: str) -> Campaign:
    """Two batches of five screens."""
    return running_campaign(
        small_corpus(sentences=TEXTS),
        items=10,
        sampling="uniform",
        annotators_per_item=1,
        repeat_percent=0,
        batch_size=5,
    )


@pytest.fixture
def ada(campaign: Campaign) -> Annotator:
    return add_annotator(campaign, name="ada")


@pytest.fixture
def work(ada: Annotator) -> Client:
    client = Client()
    client.post(f"/join/{mint_personal_link(ada)}/")
    return client


def judge(work: Client, campaign: Campaign, screens: int, **extra: str) -> None:
    for _ in range(screens):
        work.post(on_screen(work, campaign), answer(work, campaign, **extra))


def page(work: Client, campaign: Campaign) -> str:
    return work.get(address(campaign), follow=True).content.decode()


def test_it_shows_the_finished_screens_and_takes_no_batch(campaign: Campaign, work: Client) -> None:
    judge(work, campaign, 5, active_ms="60000")
    shown = page(work, campaign)
    assert "This batch is done" in shown
    assert "<b>5 screens</b> in about 5 minutes" in shown
    assert "up to 5 screens, about 5 minutes at your pace" in shown
    assert not Slot.objects.filter(state=SlotState.LEASED).exists()
    assert Assignment.objects.count() == 1


def test_without_measured_times_it_says_none(campaign: Campaign, work: Client) -> None:
    judge(work, campaign, 5)
    assert "<b>5 screens</b>. All of them are saved." in page(work, campaign)


def test_the_next_batch_is_begun_by_a_click(campaign: Campaign, work: Client) -> None:
    judge(work, campaign, 5)
    begun = work.get(address(campaign, "next-batch"))
    assert begun["Location"] == address(campaign)
    assert "<b>0 of 5</b> in this batch" in page(work, campaign)
    assert work.get(address(campaign, "next-batch"))["Location"] == address(campaign)
    assert Slot.objects.filter(state=SlotState.LEASED).count() == 5


def test_the_last_batch_ends_without_a_pause(campaign: Campaign, work: Client) -> None:
    judge(work, campaign, 5)
    work.get(address(campaign, "next-batch"))
    judge(work, campaign, 5)
    assert "All done" in page(work, campaign)


def test_an_unfinished_batch_continues_without_a_pause(campaign: Campaign, work: Client) -> None:
    judge(work, campaign, 3)
    Assignment.objects.update(state="abandoned")
    Slot.objects.filter(state=SlotState.LEASED).update(state=SlotState.FREE, annotator=None, assignment=None)
    assert "in this batch" in page(work, campaign)


def test_no_pause_where_most_of_a_batch_was_skipped(campaign: Campaign, work: Client) -> None:
    work.post(f"{on_screen(work, campaign)}skip/", {"key": str(uuid4()), "note": "garbled"})
    judge(work, campaign, 4)
    assert "This batch is done" not in page(work, campaign)


def test_stopping_says_how_to_come_back(campaign: Campaign, work: Client) -> None:
    judge(work, campaign, 5)
    stopped = work.get(address(campaign, "stop")).content.decode()
    assert "You answered 5 screens." in stopped
    assert "open the same link again" in stopped


def test_the_last_answer_is_one_click_away(campaign: Campaign, work: Client) -> None:
    assert work.get(address(campaign, "answers", "last"))["Location"] == address(campaign, "answers")
    assert address(campaign, "answers", "last") not in page(work, campaign)
    answered = on_screen(work, campaign)
    judge(work, campaign, 1)
    assert address(campaign, "answers", "last") in page(work, campaign)
    assert work.get(address(campaign, "answers", "last"))["Location"] == answered
    assert Showing.objects.count() == 2, "the next screen is there all the same"
