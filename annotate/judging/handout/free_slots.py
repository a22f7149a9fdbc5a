"""The slots that an annotator may be given."""

from datetime import datetime

from django.db.models import Exists, OuterRef, QuerySet

from annotate.judging.domains import free_of_day
from annotate.models import Annotator, Judgment, Slot, SlotState


def free_for(annotator: Annotator, now: datetime) -> QuerySet[Slot]:
    """The free slots of items that are new to the annotator, of today's domain if domains are separated."""
    of_campaign = Slot.objects.filter(campaign=annotator.campaign_id, state=SlotState.FREE)
    met = Judgment.objects.filter(annotator=annotator, item=OuterRef("item"))
    return free_of_day(of_campaign.filter(~Exists(met)), annotator, now)
