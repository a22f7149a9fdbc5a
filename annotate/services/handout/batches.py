"""Batches: an annotator takes the next one, and what it has to ask is on lease to them."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db.models import Case, Count, Exists, Min, OuterRef, QuerySet, Subquery, Value, When

from annotate.models import (
    Annotator,
    Assignment,
    AssignmentState,
    Campaign,
    CampaignState,
    Judgment,
    Showing,
    Slot,
    SlotState,
)
from annotate.protocols import PROTOCOLS
from annotate.services.domains import free_of_day
from annotate.services.handout.ends import lapse_repeats
from annotate.services.handout.leases import expired, free_abandoned, lease_of
from annotate.services.handout.locks import locked_campaign
from annotate.services.single_outputs import answer_single_outputs


def take_batch(annotator: Annotator, now: datetime) -> int | None:
    """Give the annotator a batch on lease; batches that others left come first.

    Items with nothing to ask are answered at once.

    Returns:
        The key of its first slot that has something to ask; None when nothing is left for them.
    """
    some_left = Exists(expired(annotator.campaign_id, now))
    campaign = locked_campaign(annotator.campaign_id, some_left=some_left)
    if campaign.state != CampaignState.RUNNING:
        return None
    if campaign.some_left:
        free_abandoned(campaign, now)
    in_first_batch = _in_first_batch(campaign, annotator, now)
    asks_of_one = not PROTOCOLS[campaign.protocol].only_compares
    while slots := list(in_first_batch.all()):
        asked = [slot for slot in slots if asks_of_one or slot.outputs > 1]
        single: dict[Slot, int] = {slot: slot.only_output for slot in slots if slot not in asked}
        _assign(slots, asked, annotator, now)
        answer_single_outputs(single, annotator, now)
        # Who met an item before and left it unanswered takes it up where they stood, whichever slot it is.
        for slot in asked:
            if slot.unanswered is not None:
                Showing.objects.filter(pk=slot.unanswered).update(slot=slot)
        if asked:
            return int(asked[0].pk)
    lapse_repeats(campaign, lease_of(annotator), now)
    return None


def _in_first_batch(campaign: Campaign, annotator: Annotator, now: datetime) -> QuerySet[Any]:
    """The free slots of the batch that comes next for the annotator, with what is known of their items."""
    met = Judgment.objects.filter(annotator=annotator, item=OuterRef("item"))
    free = Slot.objects.filter(~Exists(met), campaign=campaign, state=SlotState.FREE)
    free = free_of_day(free, annotator, now)
    first = free.order_by("-left_over", "batch_id", "position").values("batch")[:1]
    unanswered = Showing.objects.filter(annotator=annotator, slot__item=OuterRef("item"), judgment=None)
    return (
        free.filter(batch=Subquery(first))
        .select_related("item__sentence")
        .annotate(
            outputs=Count("item__item_outputs"),
            only_output=Min("item__item_outputs"),
            unanswered=Subquery(unanswered.order_by().values("pk")[:1]),
        )
        .order_by("position")
    )


def _assign(slots: Sequence[Slot], asked: Sequence[Slot], annotator: Annotator, now: datetime) -> None:
    batch = slots[0].batch_id
    assert batch is not None, "only repeats are in no batch"  # noqa: S101
    assignment = Assignment.objects.create(
        batch_id=batch,
        annotator=annotator,
        state=AssignmentState.ACTIVE if asked else AssignmentState.DONE,
        leased_until=now + lease_of(annotator),
    )
    leased = When(pk__in=[slot.pk for slot in asked], then=Value(SlotState.LEASED))
    Slot.objects.filter(pk__in=[slot.pk for slot in slots], state=SlotState.FREE).update(
        state=Case(leased, default=Value(SlotState.FILLED)), assignment=assignment, annotator=annotator
    )
