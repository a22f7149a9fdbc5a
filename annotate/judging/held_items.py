"""The admin decides on items that annotators skipped: to be given out again, or dropped."""

from django.db import transaction

from annotate.judging.handout import locked_campaign
from annotate.models import Item, Slot, SlotState


def release(item: Item) -> None:
    """Give out the slots of an item again that wait for the admin or were dropped.

    If one more annotator skips it, it comes back.
    """
    with transaction.atomic():
        locked_campaign(item.campaign_id)
        Item.objects.filter(pk=item.pk).update(is_held=False)
        put_by = Slot.objects.filter(item=item, state__in=(SlotState.HELD, SlotState.DROPPED))
        put_by.filter(repeats=None).update(state=SlotState.FREE, left_over=True)
        put_by.exclude(repeats=None).update(state=SlotState.RESERVED, lapsed_at=None)


def drop(item: Item) -> None:
    """Ask nobody any more for the judgments of a held item that are still wanted."""
    with transaction.atomic():
        locked_campaign(item.campaign_id)
        Slot.objects.filter(item=item, state=SlotState.HELD).update(state=SlotState.DROPPED)
