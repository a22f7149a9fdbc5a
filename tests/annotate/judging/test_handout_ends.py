"""Campaigns end: nothing waits for annotators who have left, or for repeats that cannot come due."""

from datetime import timedelta

import pytest

from annotate.campaigns import progress
from annotate.campaigns.lifecycle import pause
from annotate.judging.entering import revoke_links
from annotate.judging.exclusions import exclude
from annotate.judging.handout import earliest_return, give_next_showing, stop_waiting
from annotate.judging.skipped_items import drop, release
from annotate.models import Annotator, Campaign, Judgment, JudgmentState, Slot, SlotState
from tests.annotate.running import (
    LEASE,
    NOON,
    SECOND,
    TOO_LATE,
    answer,
    answer_all,
    cast,
    pass_over,
    running,
    shown,
    state_of,
)

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("protocol"), pytest.mark.any_protocol]

LATER = TOO_LATE + LEASE


def counts(campaign: Campaign) -> tuple[int, int, int, int]:
    """Filled, wanted in all, planned repeats to come, and planned repeats dropped."""
    slots = progress.slot_counts(campaign)
    return slots.filled, slots.total, slots.reserved, slots.lapsed


class TestRepeats:
    """Planned repeats lapse when nobody is going to answer them."""

    def test_those_that_cannot_come_due_lapse_with_the_last_screen(self) -> None:
        campaign = running(items=5, repeat_percent=100)
        [anna] = cast(campaign, "anna")
        for _ in range(5):
            answer(shown(anna))
        assert counts(campaign) == (5, 10, 5, 0)
        assert give_next_showing(anna, now=NOON) is None
        assert counts(campaign) == (5, 5, 0, 5)

    def test_none_lapse_while_there_are_screens_to_give_out(self) -> None:
        campaign = running(items=4, repeat_percent=100)
        anna, ben = cast(campaign)
        for _ in range(2):
            answer(shown(anna))
        shown(ben)
        assert give_next_showing(anna, now=NOON) is None
        assert counts(campaign) == (2, 8, 4, 0)

    def test_those_of_an_annotator_who_is_away_lapse_after_the_lease(self) -> None:
        campaign = running(items=12, repeat_percent=100, batch_size=1)
        anna, ben = cast(campaign)
        for _ in range(11):
            answer(shown(anna))
        answer(shown(ben))
        assert give_next_showing(ben, now=NOON + LEASE) is None
        due = Slot.objects.get(annotator=anna, due_at_screen__lte=11, state=SlotState.RESERVED)
        assert due.lapsed_at is None
        assert give_next_showing(ben, now=TOO_LATE) is None
        assert counts(campaign) == (12, 12, 0, 12)

    def test_an_annotator_who_returns_is_asked_after_all(self) -> None:
        campaign = running(items=12, repeat_percent=100, batch_size=1)
        anna, ben = cast(campaign)
        for _ in range(11):
            answer(shown(anna))
        answer_all(ben)
        stop_waiting(campaign, now=TOO_LATE)
        answered = answer_all(anna, LATER)
        # Each answer brings the next repeat within reach.
        assert len(answered) == 11
        assert {judgment.state for judgment in answered} == {JudgmentState.COMPLETE}
        assert counts(campaign) == (23, 23, 0, 1)

    def test_that_of_a_dropped_item_lapses(self) -> None:
        campaign = running(items=1, repeat_percent=100)
        anna, ben = cast(campaign)
        pass_over(shown(anna))
        pass_over(shown(ben))
        stop_waiting(campaign, now=TOO_LATE)
        assert counts(campaign) == (0, 2, 1, 0), "the admin may still release it"
        drop(campaign.items.get())
        stop_waiting(campaign, now=TOO_LATE)
        assert counts(campaign) == (0, 0, 0, 1)

    def test_a_skipped_one_that_is_released_is_waited_for_again(self) -> None:
        campaign = running(items=12, repeat_percent=100, batch_size=1)
        anna, ben = cast(campaign)
        for _ in range(11):
            answer(shown(anna))
        answer_all(ben)
        stop_waiting(campaign, now=TOO_LATE)
        repeat = shown(anna, LATER)
        pass_over(repeat, LATER)
        assert state_of(repeat) == SlotState.HELD
        release(repeat.slot.item)
        assert Slot.objects.get(pk=repeat.slot_id).lapsed_at is None

    def test_nothing_lapses_while_the_campaign_is_paused(self) -> None:
        campaign = running(items=5, repeat_percent=100)
        [anna] = cast(campaign, "anna")
        for _ in range(5):
            answer(shown(anna))
        pause(campaign)
        stop_waiting(campaign, now=LATER)
        assert counts(campaign) == (5, 10, 5, 0)


class TestLeases:
    """Open items of annotators who leave go to others."""

    def test_opening_the_first_screen_and_leaving_blocks_nothing(self) -> None:
        campaign = running(items=6, repeat_percent=50, annotators_per_item=2, shared_percent=100)
        phantom, anna, ben = cast(campaign, "phantom anna ben")
        shown(phantom)
        answer_all(anna)
        answer_all(ben)
        answer_all(anna, TOO_LATE)
        answer_all(ben, TOO_LATE)
        assert counts(campaign) == (12, 12, 0, 3)

    def test_pages_count_what_was_left_as_free(self) -> None:
        campaign = running(items=4, batch_size=4)
        [anna] = cast(campaign, "anna")
        shown(anna)
        stop_waiting(campaign, now=NOON + LEASE)
        assert progress.slot_counts(campaign).leased == 4
        stop_waiting(campaign, now=TOO_LATE)
        assert (progress.slot_counts(campaign).leased, progress.slot_counts(campaign).free) == (0, 4)

    @pytest.mark.parametrize("way", ["exclude", "revoke"])
    def test_slots_of_an_excluded_annotator_are_free_at_once(self, way: str) -> None:
        anna, ben = cast(running(items=2))
        left = shown(anna)
        if way == "exclude":
            exclude(anna, reason="Clicks at random.")
        else:
            revoke_links(anna)
        assert shown(ben).slot == left.slot
        assert Judgment.objects.count() == 0

    def test_annotators_are_told_when_more_may_come(self) -> None:
        anna, ben = cast(running(items=2, batch_size=2))
        shown(anna)
        assert give_next_showing(ben, now=NOON + SECOND) is None
        assert earliest_return(ben) == NOON + LEASE
        assert earliest_return(anna) is None
        answer_all(anna)
        assert earliest_return(ben) is None


class TestNewcomers:
    """Some judgments can be given by nobody who is here."""

    def test_further_annotators_are_needed_if_all_have_seen_the_free_items(self) -> None:
        campaign = running(items=3, annotators_per_item=2, shared_percent=100)
        anna, _phantom = cast(campaign, "anna phantom")
        assert not progress.needs_newcomers(campaign, campaign.annotators.all()), "nobody has begun"
        answer(shown(anna))
        assert not progress.needs_newcomers(campaign, campaign.annotators.all())
        answer_all(anna)
        assert progress.needs_newcomers(campaign, campaign.annotators.all())

    def test_they_are_not_where_one_has_something_left(self) -> None:
        campaign = running(items=3, annotators_per_item=2, shared_percent=100)
        anna, ben = cast(campaign)
        answer(shown(ben))
        answer_all(anna)
        Annotator.objects.filter(pk=ben.pk).update(shown_at=NOON - timedelta(days=1))
        assert not progress.needs_newcomers(campaign, campaign.annotators.all())
