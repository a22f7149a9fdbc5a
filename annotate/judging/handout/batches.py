"""Batches: an annotator takes the next one, and gets a lease of its screens.

Preparations are separate steps in separate requests, so that no request takes many statements: ending other
annotators' expired leases, and answering items with nothing to ask.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from enum import Enum
from typing import Any

from django.db.models import Case, Count, Exists, Min, OuterRef, QuerySet, Subquery, Value, When

from annotate.design.protocols import PROTOCOLS
from annotate.judging.handout.ends import lapse_repeats
from annotate.judging.handout.free_slots import free_for
from annotate.judging.handout.leases import expired, free_abandoned, lease_of
from annotate.judging.handout.locks import locked_campaign
from annotate.judging.single_outputs import answer_single_outputs
from annotate.models import (
    Annotator,
    Assignment,
    CampaignState,
    ItemOutput,
    Showing,
    Slot,
    SlotState,
)

IN_ORDER = ("-left_over", "batch_id", "position")
"""The order in which free slots are handed out."""

SINGLE_OUTPUTS_AT_ONCE = 80
"""Items with nothing to ask that are answered in one step: SQLite takes so many rows in one statement."""


class Step(Enum):
    """A step before the batch was done: ask again."""

    DONE = "done"


def take_batch(annotator: Annotator, now: datetime) -> int | Step | None:
    """Lease a batch to the annotator, or do a step before it; batches that others left come first.

    Returns:
        The key of its first slot; None when nothing is left for them.
    """
    free = free_for(annotator, now)
    first_item = free.order_by(*IN_ORDER).values("item")[:1]
    campaign = locked_campaign(
        annotator.campaign_id,
        some_left=Exists(expired(annotator.campaign_id, now)),
        begins_with_comparison=Exists(ItemOutput.objects.filter(item=Subquery(first_item))[1:2]),
    )
    if campaign.state != CampaignState.RUNNING:
        return None
    if campaign.some_left and free_abandoned(campaign, now):
        return Step.DONE
    auto_answer = PROTOCOLS[campaign.protocol].auto_answer
    begins_with_single = auto_answer is not None and not campaign.begins_with_comparison
    ahead = list(_next_slots(free)) if begins_with_single else []
    single = _single_before_batch(ahead)
    batch: list[Any] = []
    # While we waited for the campaign's lock, others may have taken the first slots.
    if not single and (ahead or not begins_with_single):
        batch = list(_first_batch(free, annotator))
        single = [slot for slot in batch if slot.outputs == 1] if auto_answer is not None else []
    if auto_answer is not None and single:
        answer_single_outputs(
            {slot: slot.only_output for slot in single[:SINGLE_OUTPUTS_AT_ONCE]}, auto_answer, annotator, now
        )
        return Step.DONE
    if batch:
        return _assign(batch, annotator, now)
    lapse_repeats(campaign, lease_of(annotator), now)
    return None


def _next_slots(free: QuerySet[Slot]) -> QuerySet[Any]:
    """The next free slots, of any batches, with the outputs of their items."""
    keys = free.order_by(*IN_ORDER).values("pk")[:SINGLE_OUTPUTS_AT_ONCE]
    return _with_outputs(Slot.objects.filter(pk__in=Subquery(keys))).order_by(*IN_ORDER)


def _single_before_batch(ahead: Sequence[Any]) -> list[Any]:
    """The slots with nothing to ask before the first batch that has more, and in it; each item once."""
    asking = next((slot for slot in ahead if slot.outputs > 1), None)
    before = len(ahead) if asking is None else ahead.index(asking)
    by_item: dict[int, Any] = {}
    for place, slot in enumerate(ahead):
        if slot.outputs == 1 and (place < before or slot.batch_id == ahead[before].batch_id):
            by_item.setdefault(slot.item_id, slot)
    return list(by_item.values())


def _first_batch(free: QuerySet[Slot], annotator: Annotator) -> Any:
    """The free slots of the batch that comes next for the annotator, with what is known of their items."""
    first = free.order_by(*IN_ORDER).values("batch")[:1]
    unanswered = Showing.objects.filter(annotator=annotator, slot__item=OuterRef("item"), judgment=None)
    return (
        _with_outputs(free.filter(batch=Subquery(first)))
        .annotate(unanswered=Subquery(unanswered.order_by().values("pk")[:1]))
        .order_by("position")
    )


def _with_outputs(slots: QuerySet[Slot]) -> QuerySet[Any]:
    return slots.annotate(outputs=Count("item__item_outputs"), only_output=Min("item__item_outputs"))


def _assign(slots: Sequence[Any], annotator: Annotator, now: datetime) -> int | Step:
    """Give the annotator the slots on lease."""
    assignment = Assignment.objects.create(
        batch_id=slots[0].batch_id, annotator=annotator, leased_until=now + lease_of(annotator)
    )
    Slot.objects.filter(pk__in=[slot.pk for slot in slots], state=SlotState.FREE).update(
        state=SlotState.LEASED, assignment=assignment, annotator=annotator
    )
    if _take_up_unanswered(slots):
        return Step.DONE
    return int(slots[0].pk)


def _take_up_unanswered(slots: Iterable[Any]) -> bool:
    """An annotator who left an item unanswered continues it with their draft, in whichever slot.

    Returns whether there are such items.
    """
    moved = {slot.unanswered: slot.pk for slot in slots if slot.unanswered is not None}
    if moved:
        cases = [When(pk=showing, then=Value(slot)) for showing, slot in moved.items()]
        Showing.objects.filter(pk__in=moved).update(slot=Case(*cases))
    return bool(moved)
