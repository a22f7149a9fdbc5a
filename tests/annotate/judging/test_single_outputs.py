"""Items with one output: nothing to rank, but something to score."""

from typing import Any

import pytest

from annotate.judging.handout import batches, give_next_showing, locked_campaign
from annotate.models import (
    Annotator,
    Assignment,
    Judgment,
    JudgmentState,
    Rating,
    Sampling,
    Showing,
    SlotState,
)
from tests.annotate.protocols import SCALARS
from tests.annotate.running import NOON, ONE_OUTPUT, answer_all, cast, running, shown

pytestmark = pytest.mark.django_db


def test_they_are_answered_without_being_shown() -> None:
    listed = [ONE_OUTPUT, 0, ONE_OUTPUT]
    campaign = running(sampling=Sampling.LISTED, listed_sentences=listed, batch_size=3)
    [anna] = cast(campaign, "anna")
    assert shown(anna).slot.item.number == 1
    autos = Judgment.objects.filter(state=JudgmentState.AUTO, annotator=anna)
    assert sorted(autos.values_list("item__number", flat=True)) == [0, 2]
    assert Rating.objects.filter(rank=1, position=0).count() == 2
    assert Annotator.objects.get().screens == 0
    assert Showing.objects.count() == 1


def test_hand_out_goes_on_where_nothing_of_a_batch_needs_a_person() -> None:
    listed = [ONE_OUTPUT] * 4
    campaign = running(sampling=Sampling.LISTED, listed_sentences=listed, batch_size=2)
    [anna] = cast(campaign, "anna")
    assert give_next_showing(anna, now=NOON) is None
    assert Judgment.objects.filter(state=JudgmentState.AUTO).count() == 4
    assert not Assignment.objects.exists(), "nobody was asked anything"


def test_others_may_have_answered_them_while_a_lock_was_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_late(campaign: int, **questions: Any) -> Any:
        locked = locked_campaign(campaign, **questions)
        locked.begins_with_comparison = False
        return locked

    monkeypatch.setattr(batches, "locked_campaign", too_late)
    campaign = running(sampling=Sampling.LISTED, listed_sentences=[0, 1, 3], batch_size=2)
    [anna] = cast(campaign, "anna")
    assert shown(anna).slot.batch == campaign.batches.first()
    assert anna.slots.filter(state=SlotState.LEASED).count() == 2


def test_a_score_is_asked_of_one_output_too() -> None:
    listed = [ONE_OUTPUT] * 2
    campaign = running(protocol=SCALARS, sampling=Sampling.LISTED, listed_sentences=listed)
    [anna] = cast(campaign, "anna")
    assert len(answer_all(anna)) == 2
    assert not Judgment.objects.filter(state=JudgmentState.AUTO).exists()
