"""Screens: what an annotator is to judge now, and what they have entered there so far."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import TypeVar
from uuid import UUID

from django.db import transaction
from django.db.models import F, Prefetch, Q, prefetch_related_objects
from django.utils import timezone

from annotate.assignment import shown_order
from annotate.models import Annotator, CampaignState, Item, ItemOutput, Showing, Slot, SlotState
from annotate.services.domains import own_of_day
from annotate.services.handout.batches import take_batch
from annotate.services.handout.leases import is_worth_renewing, renew
from annotate.services.handout.locks import lock
from annotate.work_done import may_take_batch, may_work

Shown = TypeVar("Shown")

SEEN_TO = timedelta(minutes=1)
"""How exactly it is kept when an annotator was last here: who just answered is not written down again."""


def next_showing(annotator: Annotator, *, now: datetime | None = None) -> Showing | None:
    """What the annotator is to judge now: the same until it is answered. None when nothing is left for them.

    A due repeat comes first, then the rest of the annotator's batch, then a new batch, if they may take one;
    its items with nothing to ask are answered at once as *auto*. Asking renews the annotator's lease.
    """
    now = now or timezone.now()
    with transaction.atomic():
        lock(annotator)
        if annotator.campaign.state != CampaignState.RUNNING or not may_work(annotator):
            return None
        slot = _own(annotator, now)
        if slot is None:
            begun = take_batch(annotator, now) if may_take_batch(annotator) else None
            return _shown(begun.slot, annotator, now, is_new=not begun.was_shown) if begun else None
        if is_worth_renewing(slot, annotator, now):
            renew(annotator, now)
        return _shown(slot, annotator, now)


def save_draft(
    annotator: Annotator, showing: UUID, draft: Mapping[str, str], *, now: datetime | None = None
) -> None:
    """Keep what was entered so far in place of an earlier draft, and renew the lease.

    Raises:
        Showing.DoesNotExist: the annotator was shown no such thing.
    """
    with transaction.atomic():
        lock(annotator)
        if not Showing.objects.filter(uuid=showing, annotator=annotator).update(draft=dict(draft)):
            raise Showing.DoesNotExist
        renew(annotator, now or timezone.now())


def shown_outputs(showing: Showing) -> list[ItemOutput]:
    """The outputs of the item in the order in which this annotator sees them."""
    item = showing.slot.item
    with_texts = ItemOutput.objects.select_related("output").order_by("pk")
    prefetch_related_objects([item], Prefetch("item_outputs", with_texts, to_attr="in_order"))
    outputs: list[ItemOutput] = item.in_order  # type: ignore[attr-defined]
    return as_shown(outputs, item, showing.annotator)


def as_shown(outputs: Sequence[Shown], item: Item, annotator: Annotator) -> list[Shown]:
    """What stands for the outputs of an item, in the order of their keys, as the annotator sees it."""
    seed = annotator.campaign.design.seed
    order = shown_order(len(outputs), seed=seed, item=item.number, annotator=annotator.pk)
    return [outputs[place] for place in order]


def _own(annotator: Annotator, now: datetime) -> Slot | None:
    """The annotator's due repeat, or else the first slot that they have on lease."""
    own = Slot.objects.filter(
        Q(due_at_screen=None) | Q(due_at_screen__lte=annotator.screens),
        annotator=annotator,
        state__in=(SlotState.LEASED, SlotState.RESERVED),
    )
    found = own.select_related("item__sentence", "assignment").order_by(
        F("position").asc(nulls_first=True), "pk"
    )
    return own_of_day(found, annotator, now).first()


def _shown(slot: Slot, annotator: Annotator, now: datetime, *, is_new: bool = False) -> Showing:
    known = None if is_new else Showing.objects.filter(slot=slot, annotator=annotator).first()
    showing = known or _new_showing(slot, annotator, now)
    slot.campaign = annotator.campaign
    showing.slot, showing.annotator = slot, annotator
    return showing


def _new_showing(slot: Slot, annotator: Annotator, now: datetime) -> Showing:
    if annotator.last_seen is None or now - annotator.last_seen > SEEN_TO:
        Annotator.objects.filter(pk=annotator.pk).update(shown_at=now)
    return Showing.objects.create(slot=slot, annotator=annotator, shown_at=now)
