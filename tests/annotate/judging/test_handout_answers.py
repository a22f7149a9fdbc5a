"""Answers that arrive twice, late, revised, or after a pause."""

from collections.abc import Callable
from dataclasses import replace
from uuid import uuid4

import pytest

from annotate.campaigns.lifecycle import close, pause, resume
from annotate.design.protocols import RatingValue
from annotate.judging.handout import give_next_showing, shown_outputs
from annotate.judgments.queries import snapshot
from annotate.models import (
    Annotator,
    Judgment,
    JudgmentState,
    Revision,
    Showing,
    SlotState,
)
from tests.annotate.protocols import exported, in_frame, said
from tests.annotate.running import (
    NOON,
    SECOND,
    TOO_LATE,
    answer,
    cast,
    enter,
    pass_over,
    running,
    shown,
    state_of,
)

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("protocol")]


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
        tied = said([2] * 9, len(shown_outputs(first)))
        revised = answer(first, NOON + SECOND, said=tied)
        assert revised.state == JudgmentState.COMPLETE
        assert [revision.number for revision in revised.revisions.filter(is_current=True)] == [2]
        frame = snapshot(campaign)
        assert set(frame["revision"]) == {2}
        assert in_frame(frame) == replace(exported(tied), details={})
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

    def test_a_draft_is_kept_and_a_later_one_takes_its_place(self) -> None:
        [anna] = cast(running(), "anna")
        showing = shown(anna)
        enter(showing, {"rank-0": "3"})
        enter(showing, {"rank-1": "2"})
        assert shown(anna).draft == {"rank-1": "2"}

    def test_an_item_that_was_not_shown_cannot_be_answered(self) -> None:
        anna, ben = cast(running())
        showing = shown(anna)
        showing.annotator = ben
        verbs: list[Callable[[], object]] = [
            lambda: answer(showing),
            lambda: pass_over(showing),
            lambda: enter(showing, {}),
        ]
        for verb in verbs:
            with pytest.raises(Showing.DoesNotExist):
                verb()
        assert not Judgment.objects.exists()

    def test_ratings_of_other_outputs_are_no_answer(self) -> None:
        [anna] = cast(running(), "anna")
        showing = shown(anna)
        with pytest.raises(ValueError, match="zip"):
            answer(showing, ratings=[RatingValue(rank=1)] * 9)
        assert not Judgment.objects.exists()
        assert state_of(showing) == SlotState.LEASED

    def test_times_are_stored_as_measured(self) -> None:
        [anna] = cast(running(), "anna")
        revision = answer(shown(anna), NOON + SECOND).revisions.get()
        assert revision.submitted_at == NOON + SECOND
        assert Showing.objects.get(slot__state=SlotState.FILLED).shown_at == NOON


class TestPausing:
    """A campaign that rests."""

    def test_assigns_nothing_and_accepts_answers_to_earlier_screens(self) -> None:
        campaign = running()
        [anna] = cast(campaign, "anna")
        showing = shown(anna)
        pause(campaign)
        assert give_next_showing(anna, now=NOON) is None
        assert answer(showing).state == JudgmentState.COMPLETE
        resume(campaign)
        assert give_next_showing(anna, now=NOON) is not None

    def test_a_closed_one_takes_answers_as_surplus(self) -> None:
        campaign = running()
        [anna] = cast(campaign, "anna")
        showing = shown(anna)
        close(campaign)
        assert give_next_showing(anna, now=NOON) is None
        assert answer(showing).state == JudgmentState.SURPLUS
