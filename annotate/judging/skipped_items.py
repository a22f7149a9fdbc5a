"""An admin's decisions on skipped items: hand them out again, or drop them."""

from django.db import transaction

from annotate.judging.handout import locked_campaign
from annotate.models import Item, Slot, SlotState


def release(item: Item) -> None:
    """Put back the slots of an item that wait for an admin or were dropped.

    If another annotator skips it, it waits again.
    """
    with transaction.atomic():
        locked_campaign(item.campaign_id)
        Item.objects.filter(pk=item.pk).update(is_held=False)
        put_by = Slot.objects.filter(item=item, state__in=(SlotState.HELD, SlotState.DROPPED))
        put_by.filter(repeats=None).update(state=SlotState.FREE, left_over=True)
        put_by.exclude(repeats=None).update(state=SlotState.RESERVED, lapsed_at=None)


def drop(item: Item) -> None:
    """Drop the judgments of a held item that are still wanted."""
    with transaction.atomic():
        locked_campaign(item.campaign_id)
        Slot.objects.filter(item=item, state=SlotState.HELD).update(state=SlotState.DROPPED)
