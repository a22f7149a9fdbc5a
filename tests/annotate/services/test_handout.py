"""What annotators are given, and what becomes of what they answer."""

from collections.abc import Callable
from datetime import datetime, timedelta
from uuid import uuid4

import pytest

from annotate.assignment import REPEAT_DISTANCE
from annotate.models import (
    Annotator,
    Assignment,
    AssignmentState,
    Judgment,
    JudgmentState,
    Rating,
    Revision,
    Sampling,
    Showing,
    Slot,
    SlotState,
)
from annotate.protocols import RatingValue
from annotate.queries import snapshot
from annotate.services.campaigns import close, pause, resume
from annotate.services.handout import next_showing, release_held, save_draft, shown_outputs
from tests.annotate.running import (
    LEASE,
    NOON,
    ONE_OUTPUT,
    answer,
    answer_all,
    cast,
    pass_over,
    ranks,
    running,
    shown,
)

pytestmark = pytest.mark.django_db

SECOND = timedelta(seconds=1)
TOO_LATE = NOON + LEASE + SECOND


def item_of(showing: Showing) -> int:
    return showing.slot.item.number


def state_of(showing: Showing) -> str:
    return Slot.objects.get(pk=showing.slot_id).state


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

    def test_answers_what_has_one_output_without_showing_it(self) -> None:
        listed = [ONE_OUTPUT, 0, ONE_OUTPUT]
        campaign = running(sampling=Sampling.LISTED, listed_sentences=listed, batch_size=3)
        [anna] = cast(campaign, "anna")
        assert item_of(shown(anna)) == 1
        autos = Judgment.objects.filter(state=JudgmentState.AUTO, annotator=anna)
        assert sorted(autos.values_list("item__number", flat=True)) == [0, 2]
        assert Rating.objects.filter(rank=1, position=0).count() == 2
        assert Annotator.objects.get().screens == 0
        assert Showing.objects.count() == 1

    def test_goes_on_where_nothing_of_a_batch_needs_a_person(self) -> None:
        listed = [ONE_OUTPUT] * 4
        campaign = running(sampling=Sampling.LISTED, listed_sentences=listed, batch_size=2)
        [anna] = cast(campaign, "anna")
        assert next_showing(anna, now=NOON) is None
        assert Judgment.objects.filter(state=JudgmentState.AUTO).count() == 4
        assert set(Assignment.objects.values_list("state", flat=True)) == {AssignmentState.DONE}


class TestLeases:
    """Who stays away loses what they have not begun, and nothing that they answer."""

    def test_a_lease_is_renewed_by_whatever_the_annotator_does(self) -> None:
        anna, ben = cast(running(items=2, batch_size=2))
        showing = shown(anna)
        activities: list[Callable[[datetime], object]] = [
            lambda now: next_showing(anna, now=now),
            lambda now: save_draft(showing, {"rank-0": "1"}, now=now),
            lambda now: answer(showing, now),
        ]
        for hours, activity in enumerate(activities, start=1):
            activity(NOON + hours * (LEASE - SECOND))
            assert next_showing(ben, now=NOON + hours * (LEASE - SECOND) + LEASE) is None

    def test_an_expired_lease_is_given_on_and_what_was_done_stays(self) -> None:
        anna, ben = cast(running(items=3, batch_size=3))
        done = answer(shown(anna))
        assert next_showing(ben, now=NOON + LEASE) is None
        assert {judgment.item_id for judgment in answer_all(ben, TOO_LATE)}.isdisjoint({done.item_id})
        assert Assignment.objects.get(annotator=anna).state == AssignmentState.ABANDONED
        assert Judgment.objects.count() == 3

    def test_what_was_abandoned_comes_first(self) -> None:
        anna, ben, cleo = cast(running(items=8, batch_size=2), "anna ben cleo")
        answer(shown(anna))
        abandoned = shown(anna)
        shown(ben)
        save_draft(shown(ben), {}, now=NOON + LEASE)
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
        assert late.revisions.get().ratings.count() == 3
        if not ben_answers:
            assert answer(taken_over, TOO_LATE).state == JudgmentState.COMPLETE
        assert set(snapshot(campaign)["annotator"]) == {"ben"}

    def test_who_gave_a_surplus_answer_is_not_asked_again(self) -> None:
        anna, ben = cast(running(items=1, annotators_per_item=2, shared_percent=100))
        showing = shown(anna)
        shown(ben, TOO_LATE)
        answer(showing, TOO_LATE)
        assert next_showing(anna, now=TOO_LATE) is None

    def test_an_item_that_is_met_again_through_another_slot_is_taken_up_where_it_was_left(self) -> None:
        anna, ben = cast(running(items=1, annotators_per_item=2, shared_percent=100))
        left = shown(anna)
        save_draft(left, {"rank-0": "2"}, now=NOON)
        shown(ben, TOO_LATE)
        again = shown(anna, TOO_LATE)
        assert again == left
        assert again.draft == {"rank-0": "2"}
        assert again.slot != left.slot
        assert answer(left, TOO_LATE).state == JudgmentState.COMPLETE
        assert answer(shown(ben, TOO_LATE), TOO_LATE).state == JudgmentState.COMPLETE


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

    def test_who_skipped_an_item_is_not_given_another_slot_of_it(self) -> None:
        anna, _ = cast(running(items=1, annotators_per_item=2, shared_percent=100))
        pass_over(shown(anna))
        assert next_showing(anna, now=NOON) is None

    def test_two_skips_hold_the_item_with_all_its_free_slots(self) -> None:
        anna, ben, cleo = cast(running(items=1, annotators_per_item=3, shared_percent=100), "anna ben cleo")
        for annotator in (anna, ben):
            pass_over(shown(annotator))
        assert set(Slot.objects.values_list("state", flat=True)) == {SlotState.HELD}
        assert Slot.objects.count() == 3
        assert next_showing(cleo, now=NOON) is None

    def test_a_slot_of_a_held_item_that_is_abandoned_is_held_too(self) -> None:
        anna, ben, cleo = cast(running(items=1, annotators_per_item=3, shared_percent=100), "anna ben cleo")
        left = shown(cleo)
        for annotator in (anna, ben):
            pass_over(shown(annotator))
        assert state_of(left) == SlotState.LEASED
        assert next_showing(anna, now=TOO_LATE) is None
        assert state_of(left) == SlotState.HELD
        assert answer(left, TOO_LATE).state == JudgmentState.COMPLETE

    def test_the_admin_gives_a_held_item_out_again(self) -> None:
        anna, ben, cleo = cast(running(items=1), "anna ben cleo")
        for annotator in (anna, ben):
            skipped = pass_over(shown(annotator))
        release_held(skipped.item)
        assert next_showing(anna, now=NOON) is None
        assert answer(shown(cleo)).state == JudgmentState.COMPLETE

    def test_one_more_skip_brings_a_released_item_back(self) -> None:
        anna, ben, cleo = cast(running(items=1), "anna ben cleo")
        for annotator in (anna, ben):
            skipped = pass_over(shown(annotator))
        release_held(skipped.item)
        pass_over(shown(cleo))
        skipped.item.refresh_from_db()
        assert skipped.item.is_held

    def test_who_thinks_better_of_a_skip_fills_the_slot_if_it_is_still_free(self) -> None:
        anna, ben = cast(running(items=2))
        one, other = shown(anna), pass_over(shown(anna))
        assert answer(one) == other
        other.refresh_from_db()
        assert (other.state, other.revisions.count()) == (JudgmentState.COMPLETE, 2)
        assert next_showing(ben, now=NOON) is None

    def test_what_is_answered_stays_answered(self) -> None:
        [anna] = cast(running(), "anna")
        showing = shown(anna)
        answer(showing)
        assert pass_over(showing).state == JudgmentState.COMPLETE
        assert Revision.objects.count() == 1


class TestRepeats:
    """The same item once more, at a distance."""

    def test_comes_to_whoever_judged_it_at_least_ten_screens_later(self) -> None:
        campaign = running(items=60, batch_size=5, repeat_percent=20)
        anna, ben = cast(campaign)
        met: dict[Annotator, list[int]] = {anna: [], ben: []}
        while rest := [(who, found) for who in met if (found := next_showing(who, now=NOON)) is not None]:
            for who, showing in rest:
                met[who].append(answer(showing).item_id)
        repeated = Judgment.objects.exclude(slot__repeats=None)
        assert repeated.count() > 3
        for judgment in repeated:
            own = met[judgment.annotator]
            first, again = (place for place, item in enumerate(own) if item == judgment.item_id)
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
        assert next_showing(ben, now=NOON) is None
        release_held(repeat.slot.item)
        while shown(anna) != repeat:
            answer(shown(anna))
        pass_over(repeat)
        assert repeat.slot not in [judgment.slot for judgment in answer_all(anna)]

    def test_belongs_to_whoever_fills_the_slot_in_the_end(self) -> None:
        campaign = running(items=1, repeat_percent=100)
        anna, ben = cast(campaign)
        shown(anna)
        answer(shown(ben, TOO_LATE), TOO_LATE)
        assert Slot.objects.exclude(repeats=None).get().annotator == ben


class TestSubmitting:
    """Exactly what the annotator believes to have given."""

    def test_the_same_key_twice_is_stored_once(self) -> None:
        [anna] = cast(running(), "anna")
        showing, key = shown(anna), uuid4()
        assert answer(showing, key=key) == answer(showing, key=key)
        assert Revision.objects.count() == 1
        assert Annotator.objects.get().screens == 1

    def test_a_key_that_comes_back_after_a_revision_changes_nothing(self) -> None:
        [anna] = cast(running(), "anna")
        showing, key = shown(anna), uuid4()
        answer(showing, key=key)
        answer(showing)
        answer(showing, key=key)
        assert [revision.is_current for revision in Revision.objects.order_by("number")] == [False, True]

    def test_two_tabs_show_the_same_item_and_both_answers_are_kept(self) -> None:
        [anna] = cast(running(), "anna")
        one, other = shown(anna), shown(anna)
        assert answer(one) == answer(other)
        assert Judgment.objects.count() == 1
        assert Revision.objects.count() == 2

    def test_going_back_and_revising_adds_a_revision(self) -> None:
        campaign = running()
        [anna] = cast(campaign, "anna")
        first = shown(anna)
        answer(first)
        standing = shown(anna)
        tied = [RatingValue(rank=1) for _ in shown_outputs(first)]
        revised = answer(first, NOON + SECOND, ratings=tied)
        assert revised.state == JudgmentState.COMPLETE
        assert [revision.number for revision in revised.revisions.filter(is_current=True)] == [2]
        frame = snapshot(campaign)
        assert set(frame["revision"]) == {2}
        assert set(frame["rank"]) == {1}
        assert shown(anna) == standing
        assert Annotator.objects.get().screens == 1

    def test_a_surplus_answer_can_be_revised_and_stays_surplus(self) -> None:
        anna, ben = cast(running(items=1))
        showing = shown(anna)
        pass_over(shown(ben, TOO_LATE), TOO_LATE)
        shown_again = shown(cast(showing.slot.campaign, "cleo")[0], TOO_LATE)
        answer(showing, TOO_LATE)
        pass_over(shown_again, TOO_LATE)
        assert answer(showing, TOO_LATE).state == JudgmentState.SURPLUS
        assert Revision.objects.filter(judgment__annotator=anna).count() == 2

    def test_a_draft_is_kept_until_the_answer_comes(self) -> None:
        [anna] = cast(running(), "anna")
        showing = shown(anna)
        save_draft(showing, {"rank-0": "3"}, now=NOON)
        assert shown(anna).draft == {"rank-0": "3"}
        answer(showing)
        assert Showing.objects.get(pk=showing.pk).draft == {}

    def test_too_few_ratings_are_no_answer(self) -> None:
        [anna] = cast(running(), "anna")
        showing = shown(anna)
        with pytest.raises(ValueError, match="zip"):
            answer(showing, ratings=ranks(showing)[1:])
        assert not Judgment.objects.exists()
        assert state_of(showing) == SlotState.LEASED

    def test_times_are_stored_as_measured(self) -> None:
        [anna] = cast(running(), "anna")
        revision = answer(shown(anna), NOON + SECOND).revisions.get()
        assert revision.submitted_at == NOON + SECOND
        assert Showing.objects.get(slot__state=SlotState.FILLED).shown_at == NOON


class TestPausing:
    """A campaign that rests."""

    def test_gives_out_nothing_and_takes_what_was_given_out(self) -> None:
        campaign = running()
        [anna] = cast(campaign, "anna")
        showing = shown(anna)
        pause(campaign)
        assert next_showing(anna, now=NOON) is None
        assert answer(showing).state == JudgmentState.COMPLETE
        resume(campaign)
        assert next_showing(anna, now=NOON) is not None

    def test_a_closed_one_takes_answers_as_surplus(self) -> None:
        campaign = running()
        [anna] = cast(campaign, "anna")
        showing = shown(anna)
        close(campaign)
        assert next_showing(anna, now=NOON) is None
        assert answer(showing).state == JudgmentState.SURPLUS


def answer_all_but_skip(annotator: Annotator, slot: Slot, now: datetime) -> None:
    """Answer what there is, but skip this slot when it comes."""
    while (showing := next_showing(annotator, now=now)) is not None:
        (pass_over if showing.slot == slot else answer)(showing, now)
