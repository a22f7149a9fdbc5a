"""Handing out slots to annotators, and their leases."""

from collections.abc import Callable
from datetime import datetime

import pytest

from annotate.judging.handout import give_next_showing, shown_outputs
from annotate.judgments.queries import snapshot
from annotate.models import (
    Annotator,
    Assignment,
    AssignmentState,
    Judgment,
    JudgmentState,
    Showing,
    Slot,
    SlotState,
)
from tests.annotate.running import (
    LEASE,
    NOON,
    SECOND,
    TOO_LATE,
    answer,
    answer_all,
    answer_to,
    cast,
    enter,
    pass_over,
    running,
    shown,
    state_of,
)

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("protocol"), pytest.mark.any_protocol]


class TestGivingOut:
    """Slots, batches, assignments."""

    def test_shows_the_same_until_it_is_answered(self) -> None:
        [anna] = cast(running(), "anna")
        first = shown(anna)
        assert shown(anna, NOON + SECOND) == first
        answer(first)
        assert shown(anna) != first

    def test_gives_everybody_a_batch_of_their_own(self) -> None:
        anna, ben = cast(running(items=4, batch_size=2))
        assert shown(anna).slot.batch != shown(ben).slot.batch
        assert len(answer_all(anna)) == len(answer_all(ben)) == 2

    def test_follows_the_order_of_the_batch(self) -> None:
        [anna] = cast(running(items=6, batch_size=3), "anna")
        places = [
            judgment.slot and (judgment.slot.batch.number, judgment.slot.position)  # type: ignore[union-attr]
            for judgment in answer_all(anna)
        ]
        assert places == [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)]

    def test_gives_nobody_an_item_twice(self) -> None:
        campaign = running(items=4, annotators_per_item=2, shared_percent=100)
        anna, ben = cast(campaign)
        assert len(answer_all(anna)) == 4
        assert len(answer_all(ben)) == 4
        assert not campaign.slots.exclude(state=SlotState.FILLED).exists()
        assert Judgment.objects.values("annotator", "item").distinct().count() == 8

    def test_finishes_the_assignment_with_its_last_slot(self) -> None:
        [anna] = cast(running(items=2), "anna")
        answer(shown(anna))
        assert Assignment.objects.get().state == AssignmentState.ACTIVE
        answer(shown(anna))
        assert Assignment.objects.get().state == AssignmentState.DONE

    def test_shows_the_outputs_in_an_order_that_is_stored(self) -> None:
        anna, ben = cast(running(items=3, annotators_per_item=2, shared_percent=100))
        for annotator in (anna, ben):
            showing = shown(annotator)
            outputs = shown_outputs(Showing.objects.get(pk=showing.pk))
            assert outputs == shown_outputs(showing)
            ratings = answer(showing).revisions.get().ratings.order_by("position")
            assert [rating.item_output for rating in ratings] == outputs


class TestLeases:
    """An absent annotator loses the items not begun, but no answers."""

    def test_every_action_renews_the_lease(self) -> None:
        anna, ben = cast(running(items=2, batch_size=2))
        showing = shown(anna)
        activities: list[Callable[[datetime], object]] = [
            lambda now: give_next_showing(anna, now=now),
            lambda now: enter(showing, {"rank-0": "1"}, now),
            lambda now: answer(showing, now),
        ]
        for hours, activity in enumerate(activities, start=1):
            activity(NOON + hours * (LEASE - SECOND))
            assert give_next_showing(ben, now=NOON + hours * (LEASE - SECOND) + LEASE) is None

    def test_slots_of_an_expired_lease_go_to_others_and_answers_stay(self) -> None:
        anna, ben = cast(running(items=3, batch_size=3))
        done = answer(shown(anna))
        assert give_next_showing(ben, now=NOON + LEASE) is None
        assert {judgment.item_id for judgment in answer_all(ben, TOO_LATE)}.isdisjoint({done.item_id})
        assert Assignment.objects.get(annotator=anna).state == AssignmentState.ABANDONED
        assert Judgment.objects.count() == 3

    def test_abandoned_slots_come_first(self) -> None:
        anna, ben, cleo = cast(running(items=8, batch_size=2), "anna ben cleo")
        answer(shown(anna))
        abandoned = shown(anna)
        shown(ben)
        enter(shown(ben), {}, NOON + LEASE)
        assert shown(cleo, TOO_LATE).slot == abandoned.slot

    def test_an_expired_lease_that_nobody_wanted_goes_on(self) -> None:
        [anna] = cast(running(items=2), "anna")
        showing = shown(anna)
        assert shown(anna, NOON + 5 * LEASE) == showing
        assert Assignment.objects.count() == 1

    def test_late_but_still_free_counts(self) -> None:
        anna, ben = cast(running(items=4, batch_size=2))
        showing = shown(anna)
        shown(ben)
        # Ben is given his second batch: what Anna left. He skips it, and so it is free once more.
        answer_all_but_skip(ben, showing.slot, TOO_LATE)
        assert state_of(showing) == SlotState.FREE
        assert answer(showing, TOO_LATE).state == JudgmentState.COMPLETE
        assert state_of(showing) == SlotState.FILLED

    @pytest.mark.parametrize("ben_answers", [False, True])
    def test_late_and_given_on_is_surplus(self, ben_answers: bool) -> None:
        campaign = running(items=1)
        anna, ben = cast(campaign)
        showing = shown(anna)
        taken_over = shown(ben, TOO_LATE)
        if ben_answers:
            answer(taken_over, TOO_LATE)
        late = answer(showing, TOO_LATE)
        assert late.state == JudgmentState.SURPLUS
        assert late.revisions.get().ratings.count() == len(answer_to(showing).ratings)
        if not ben_answers:
            assert answer(taken_over, TOO_LATE).state == JudgmentState.COMPLETE
        assert set(snapshot(campaign, names=True)["annotator"]) == {"ben"}

    def test_an_item_with_a_surplus_answer_is_not_shown_again(self) -> None:
        anna, ben = cast(running(items=1, annotators_per_item=2, shared_percent=100))
        showing = shown(anna)
        shown(ben, TOO_LATE)
        answer(showing, TOO_LATE)
        assert give_next_showing(anna, now=TOO_LATE) is None

    def test_an_item_that_is_met_again_through_another_slot_is_taken_up_where_it_was_left(self) -> None:
        anna, ben = cast(running(items=1, annotators_per_item=2, shared_percent=100))
        left = shown(anna)
        enter(left, {"rank-0": "2"})
        shown(ben, TOO_LATE)
        again = shown(anna, TOO_LATE)
        assert again == left
        assert again.draft == {"rank-0": "2"}
        assert again.slot != left.slot
        assert answer(left, TOO_LATE).state == JudgmentState.COMPLETE
        assert answer(shown(ben, TOO_LATE), TOO_LATE).state == JudgmentState.COMPLETE


def answer_all_but_skip(annotator: Annotator, slot: Slot, now: datetime) -> None:
    """Answer what there is, but skip this slot when it comes."""
    while (showing := give_next_showing(annotator, now=now)) is not None:
        (pass_over if showing.slot == slot else answer)(showing, now)
