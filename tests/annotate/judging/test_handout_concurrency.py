"""Several annotators, and one annotator several times, at the same instant, each in a separate thread."""

from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Barrier
from typing import TypeVar
from uuid import uuid4

import pytest
from django.db import connections
from django.test import Client

from annotate.judging.entering import mint_personal_link
from annotate.judging.handout import give_next_showing, shown_outputs
from annotate.judging.skipped_items import release
from annotate.judgments.queries import snapshot
from annotate.models import (
    Annotator,
    Assignment,
    AssignmentState,
    Campaign,
    Item,
    Judgment,
    JudgmentState,
    Revision,
    Showing,
    Slot,
    SlotState,
)
from tests.annotate.protocols import filled_in
from tests.annotate.running import (
    LEASE,
    NOON,
    answer,
    answer_all,
    answer_to,
    cast,
    pass_over,
    running,
    shown,
)

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("protocol"),
    pytest.mark.any_protocol,
]

Result = TypeVar("Result")

TOO_LATE = NOON + 2 * LEASE


def at_once(verbs: Sequence[Callable[[], Result]]) -> list[Result]:
    """Run the verbs at one instant, and give back what they returned, or raise what one of them raised."""
    start = Barrier(len(verbs))

    def run(verb: Callable[[], Result]) -> Result:
        try:
            start.wait()
            return verb()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(verbs)) as pool:
        return list(pool.map(run, verbs))


def nothing_is_filled_twice(campaign: Campaign) -> None:
    counting = Judgment.objects.filter(state__in=(JudgmentState.COMPLETE, JudgmentState.AUTO))
    filled = campaign.slots.filter(state=SlotState.FILLED)
    assert sorted(counting.values_list("slot", flat=True)) == sorted(filled.values_list("pk", flat=True))
    firsts = Counter(counting.filter(slot__repeats=None).values_list("annotator", "item"))
    assert set(firsts.values()) <= {1}


def test_annotators_who_ask_at_once_get_different_slots() -> None:
    people = cast(running(items=24, batch_size=3), "a b c d e f g h")
    showings = at_once([partial(shown, person) for person in people])
    assert len({showing.slot_id for showing in showings}) == 8
    leased = Slot.objects.filter(state=SlotState.LEASED)
    assert Counter(leased.values_list("annotator", flat=True)) == {person.pk: 3 for person in people}
    assert Assignment.objects.count() == 8


def test_two_tabs_that_ask_at_once_get_the_same() -> None:
    [anna] = cast(running(items=12), "anna")
    showings = at_once([lambda: shown(anna)] * 6)
    assert len(set(showings)) == 1
    assert Showing.objects.count() == Assignment.objects.count() == 1


@pytest.mark.parametrize("attempt", range(3))
def test_one_answer_that_is_sent_several_times_at_once_is_stored_once(attempt: int) -> None:
    [anna] = cast(running(secret=str(attempt)), "anna")
    showing = shown(anna)
    key, said = uuid4(), answer_to(showing)
    judgments = at_once([lambda: answer(showing, key=key, said=said)] * 6)
    assert len(set(judgments)) == 1
    assert Revision.objects.count() == 1
    assert Annotator.objects.get().screens == 1


def test_one_answer_that_the_browser_sends_several_times_at_once_is_stored_once() -> None:
    [anna] = cast(running(), "anna")
    showing = shown(anna)
    entered = Client()
    entered.post(f"/join/{mint_personal_link(anna)}/")
    fields = {"key": str(uuid4()), **filled_in(1 for _ in shown_outputs(showing))}

    def send() -> int:
        browser = Client(headers={"Accept": "application/json"})
        browser.cookies = entered.cookies
        return browser.post(f"/judge/{anna.campaign.uuid}/{showing.uuid}/", fields).status_code

    assert at_once([send] * 6) == [200] * 6
    assert Revision.objects.count() == 1
    counted = Annotator.objects.get()
    assert (counted.screens, counted.complete, counted.answers_sent) == (1, 1, 1)


def test_different_answers_of_two_tabs_at_once_are_revisions_of_one_judgment() -> None:
    [anna] = cast(running(), "anna")
    showing = shown(anna)
    at_once([lambda: answer(showing)] * 4)
    judgment = Judgment.objects.get()
    assert sorted(judgment.revisions.values_list("number", flat=True)) == [1, 2, 3, 4]
    assert judgment.revisions.get(is_current=True).number == 4


@pytest.mark.parametrize("attempt", range(3))
def test_a_late_answer_races_with_the_next_annotator_of_the_slot(attempt: int) -> None:
    campaign = running(items=1, secret=str(attempt))
    anna, ben, cleo = cast(campaign, "anna ben cleo")
    left = shown(anna)
    pass_over(shown(ben, TOO_LATE), TOO_LATE)
    verbs: list[Callable[[], Judgment | Showing | None]] = [
        partial(answer, left, TOO_LATE),
        partial(give_next_showing, cleo, now=TOO_LATE),
    ]
    late, given = at_once(verbs)
    assert isinstance(late, Judgment)
    assert (late.state == JudgmentState.COMPLETE) == (given is None)
    answer_all(cleo, TOO_LATE)
    nothing_is_filled_twice(campaign)
    assert campaign.slots.get().state == SlotState.FILLED


def test_a_returning_annotator_races_with_others_for_the_batch() -> None:
    campaign = running(items=12, batch_size=4)
    people = cast(campaign, "a b c d")
    showings = [shown(person) for person in people[:3]]
    verbs: list[Callable[[], object]] = [
        *(partial(answer, showing, TOO_LATE) for showing in showings),
        *(partial(give_next_showing, person, now=TOO_LATE) for person in people),
    ]
    at_once(verbs)
    nothing_is_filled_twice(campaign)
    for person in people:
        answer_all(person, TOO_LATE)
    nothing_is_filled_twice(campaign)
    assert not campaign.slots.exclude(state=SlotState.FILLED).exists()
    assert not Assignment.objects.filter(state=AssignmentState.ACTIVE).exists()


def test_two_who_skip_at_once_hold_the_item() -> None:
    campaign = running(items=1, annotators_per_item=3, shared_percent=100)
    people = cast(campaign, "a b")
    showings = [shown(person) for person in people]
    at_once([partial(pass_over, showing) for showing in showings])
    assert Item.objects.get().is_held
    assert set(campaign.slots.values_list("state", flat=True)) == {SlotState.HELD}


@pytest.mark.slow
def test_a_whole_campaign_judged_by_all_at_once() -> None:
    campaign = running(items=20, batch_size=3, annotators_per_item=3, shared_percent=50, repeat_percent=20)
    people = cast(campaign, "a b c d e f")
    believed: list[str] = []

    def work(person: Annotator, number: int) -> None:
        now = NOON
        while (showing := give_next_showing(person, now=now)) is not None:
            now += LEASE / 4
            if number == 0 and showing.slot.item.number % 7 == 0:
                pass_over(showing, now)
                release(showing.slot.item)
                continue
            key, said = uuid4(), answer_to(showing)
            for _ in range(2):
                answer(showing, now, key=key, said=said)
            believed.append(str(key))

    # Everybody is there twice, as in two tabs; the clocks of the threads drift apart, so that leases run out.
    at_once([partial(work, person, number) for number, person in enumerate(people)] * 2)
    for person in people:
        answer_all(person, NOON + 100 * LEASE)
    nothing_is_filled_twice(campaign)
    stored = {str(key) for key in Revision.objects.values_list("submission_key", flat=True)}
    assert set(believed) <= stored
    assert len(set(believed)) == len(believed)
    assert not campaign.slots.filter(state=SlotState.LEASED).exists()
    for slot in campaign.slots.filter(state=SlotState.FREE):
        # The late annotator has seen the item as well; nobody is left to judge it.
        assert {judgment.annotator for judgment in slot.item.judgments.all()} == set(people)
    frame = snapshot(campaign)
    answered = frame[frame["state"] == "complete"].drop_duplicates("judgment")
    assert not answered.duplicated(["item", "repetition"]).any()
