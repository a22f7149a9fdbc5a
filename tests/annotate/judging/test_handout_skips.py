"""Skipped items, and how they return: to others, to an admin, or as a planned repeat."""

import pytest

from annotate.design.assignment import REPEAT_DISTANCE
from annotate.judging.handout import give_next_showing
from annotate.judging.skipped_items import drop, release
from annotate.judgments.queries import snapshot
from annotate.models import (
    Annotator,
    Judgment,
    JudgmentState,
    Revision,
    Slot,
    SlotState,
)
from tests.annotate.running import (
    NOON,
    TOO_LATE,
    answer,
    answer_all,
    cast,
    item_of,
    pass_over,
    running,
    shown,
    state_of,
)

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("protocol"), pytest.mark.any_protocol]


class TestSkips:
    """A skip frees the slot; two hold the item."""

    def test_a_skip_frees_the_slot_for_somebody_else_first_of_all(self) -> None:
        campaign = running(items=8, batch_size=2)
        anna, ben = cast(campaign)
        skipped = pass_over(shown(anna), note="No sentence.")
        assert skipped.state == JudgmentState.SKIPPED
        assert skipped.revisions.get().note == "No sentence."
        assert shown(anna).slot.item != skipped.item
        assert shown(ben).slot.item == skipped.item
        assert snapshot(campaign)["state"].tolist() == ["skipped"]

    def test_a_skipped_item_is_not_assigned_to_its_annotator_again(self) -> None:
        anna, _ = cast(running(items=1, annotators_per_item=2, shared_percent=100))
        pass_over(shown(anna))
        assert give_next_showing(anna, now=NOON) is None

    def test_two_skips_hold_the_item_with_all_its_free_slots(self) -> None:
        anna, ben, cleo = cast(running(items=1, annotators_per_item=3, shared_percent=100), "anna ben cleo")
        for annotator in (anna, ben):
            pass_over(shown(annotator))
        assert set(Slot.objects.values_list("state", flat=True)) == {SlotState.HELD}
        assert Slot.objects.count() == 3
        assert give_next_showing(cleo, now=NOON) is None

    def test_a_slot_of_a_held_item_that_is_abandoned_is_held_too(self) -> None:
        anna, ben, cleo = cast(running(items=1, annotators_per_item=3, shared_percent=100), "anna ben cleo")
        left = shown(cleo)
        for annotator in (anna, ben):
            pass_over(shown(annotator))
        assert state_of(left) == SlotState.LEASED
        assert give_next_showing(anna, now=TOO_LATE) is None
        assert state_of(left) == SlotState.HELD
        assert answer(left, TOO_LATE).state == JudgmentState.COMPLETE

    def test_the_admin_gives_a_held_item_out_again(self) -> None:
        anna, ben, cleo = cast(running(items=1), "anna ben cleo")
        for annotator in (anna, ben):
            skipped = pass_over(shown(annotator))
        release(skipped.item)
        assert give_next_showing(anna, now=NOON) is None
        assert answer(shown(cleo)).state == JudgmentState.COMPLETE

    def test_a_dropped_item_is_assigned_to_nobody_and_can_be_put_back(self) -> None:
        campaign = running(items=1, annotators_per_item=3, shared_percent=100, batch_size=1)
        anna, ben, cleo = cast(campaign, "anna ben cleo")
        pass_over(shown(anna))
        pass_over(shown(ben))
        item = campaign.items.get()
        drop(item)
        assert give_next_showing(cleo, now=NOON) is None
        assert set(campaign.slots.values_list("state", flat=True)) == {SlotState.DROPPED}
        release(item)
        assert item_of(shown(cleo)) == item.number

    def test_a_dropped_slot_accepts_an_answer_that_replaces_a_skip(self) -> None:
        campaign = running(items=1)
        anna, ben = cast(campaign)
        showing = shown(anna)
        pass_over(showing)
        pass_over(shown(ben))
        drop(campaign.items.get())
        assert answer(showing).state == JudgmentState.COMPLETE

    def test_one_more_skip_brings_a_released_item_back(self) -> None:
        anna, ben, cleo = cast(running(items=1), "anna ben cleo")
        for annotator in (anna, ben):
            skipped = pass_over(shown(annotator))
        release(skipped.item)
        pass_over(shown(cleo))
        skipped.item.refresh_from_db()
        assert skipped.item.is_held

    def test_an_answer_that_replaces_a_skip_fills_the_slot_if_it_is_free(self) -> None:
        anna, ben = cast(running(items=2))
        one, other = shown(anna), pass_over(shown(anna))
        assert answer(one) == other
        other.refresh_from_db()
        assert (other.state, other.revisions.count()) == (JudgmentState.COMPLETE, 2)
        assert give_next_showing(ben, now=NOON) is None

    def test_an_answer_cannot_become_a_skip(self) -> None:
        [anna] = cast(running(), "anna")
        showing = shown(anna)
        answer(showing)
        assert pass_over(showing).state == JudgmentState.COMPLETE
        assert Revision.objects.count() == 1


class TestRepeats:
    """Items that come back to the same annotator, at a distance."""

    def test_comes_to_the_same_annotator_at_least_ten_screens_later(self) -> None:
        campaign = running(items=60, batch_size=5, repeat_percent=20)
        anna, ben = cast(campaign)
        met: dict[Annotator, list[int]] = {anna: [], ben: []}
        while rest := [
            (who, showing) for who in met if (showing := give_next_showing(who, now=NOON)) is not None
        ]:
            for who, showing in rest:
                met[who].append(answer(showing).item_id)
        repeated = Judgment.objects.exclude(slot__repeats=None)
        assert repeated.count() > 3
        for judgment in repeated:
            items = met[judgment.annotator]
            first, again = (place for place, item in enumerate(items) if item == judgment.item_id)
            assert again - first > REPEAT_DISTANCE
        assert snapshot(campaign)["judgment"].nunique() == 60 + repeated.count()

    def test_waits_for_an_annotator_who_left(self) -> None:
        campaign = running(items=30, batch_size=1, repeat_percent=100)
        anna, ben = cast(campaign)
        answer(shown(anna))
        answer_all(ben)
        waiting = Slot.objects.get(annotator=anna, state=SlotState.RESERVED)
        assert not Judgment.objects.filter(annotator=ben, item=waiting.item).exists()

    def test_is_not_asked_where_too_few_screens_follow(self) -> None:
        campaign = running(items=5, repeat_percent=100)
        [anna] = cast(campaign, "anna")
        assert len(answer_all(anna)) == 5

    def test_can_be_skipped_and_is_not_given_to_others(self) -> None:
        campaign = running(items=12, batch_size=12, repeat_percent=100)
        anna, ben = cast(campaign)
        for _ in range(11):
            answer(shown(anna))
        repeat = shown(anna)
        assert repeat.slot.repeats is not None
        pass_over(repeat)
        assert shown(anna) != repeat
        assert give_next_showing(ben, now=NOON) is None
        release(repeat.slot.item)
        while shown(anna) != repeat:
            answer(shown(anna))
        pass_over(repeat)
        assert repeat.slot not in [judgment.slot for judgment in answer_all(anna)]

    def test_belongs_to_the_annotator_who_fills_the_slot(self) -> None:
        campaign = running(items=1, repeat_percent=100)
        anna, ben = cast(campaign)
        shown(anna)
        answer(shown(ben, TOO_LATE), TOO_LATE)
        assert Slot.objects.exclude(repeats=None).get().annotator == ben
