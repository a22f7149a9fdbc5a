"""The end of a campaign: it stops waiting for annotators who left.

Expired leases are taken back. Planned repeats lapse once nothing else is left to give out, if their
annotator is away, or has too few screens ahead to reach them. A lapsed repeat is no longer counted as
wanted, but stays reserved: if it comes due after all, because its annotator returns or an admin releases
items, it is handed out like any other.
"""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, F, Min, OuterRef, Q, QuerySet
from django.utils import timezone

from annotate.judging.handout.leases import expired, free_abandoned
from annotate.judging.handout.locks import locked_campaign
from annotate.models import Annotator, Campaign, CampaignState, Judgment, Slot, SlotState


def lapse_repeats(campaign: Campaign, lease: timedelta, now: datetime) -> None:
    """Let the planned repeats lapse that nobody is going to answer.

    The campaign must be locked.
    """
    # The state is repeated outside the subquery, so that PostgreSQL checks it again in a row that an answer
    # has just changed.
    pending = Slot.objects.filter(state=SlotState.RESERVED, lapsed_at=None)
    pending.filter(pk__in=_hopeless_repeats(campaign, lease, now).values("pk")).update(lapsed_at=now)


def stop_waiting(campaign: Campaign, *, now: datetime | None = None) -> None:
    """Take back leases and let repeats lapse, as an annotator's request for work does.

    For pages that show progress: the last annotator may have left, and nobody requests work.
    """
    now = now or timezone.now()
    lease = timedelta(minutes=campaign.design.lease_minutes)
    if campaign.state != CampaignState.RUNNING:
        return
    leaves = Exists(expired(campaign.pk, now)) | Exists(_hopeless_repeats(campaign, lease, now))
    if not Campaign.objects.filter(leaves, pk=campaign.pk).exists():
        return
    with transaction.atomic():
        locked = locked_campaign(campaign.pk)
        if locked.state == CampaignState.RUNNING:
            free_abandoned(locked, now)
            lapse_repeats(locked, lease, now)


def earliest_return(annotator: Annotator) -> datetime | None:
    """The end of the first lease of another annotator on an item new to this one; None if there is none."""
    met = Judgment.objects.filter(annotator=annotator, item=OuterRef("item"))
    others = Slot.objects.filter(
        ~Exists(met), ~Q(annotator=annotator), campaign=annotator.campaign_id, state=SlotState.LEASED
    )
    first_end: datetime | None = others.aggregate(first=Min("assignment__leased_until"))["first"]
    return first_end


def _hopeless_repeats(campaign: Campaign, lease: timedelta, now: datetime) -> QuerySet[Slot]:
    """Repeats that cannot come due, or whose annotator is away, if nothing else is left to hand out."""
    to_give_out = Slot.objects.filter(campaign=campaign, state__in=(SlotState.FREE, SlotState.LEASED))
    is_out_of_reach = Q(due_at_screen__gt=F("annotator__screens"))
    is_away = Q(annotator__excluded_at__isnull=False) | (
        Q(annotator__answered_at=None) | Q(annotator__answered_at__lt=now - lease)
    ) & (Q(annotator__shown_at=None) | Q(annotator__shown_at__lt=now - lease)) & Q(annotator__isnull=False)
    is_of_dropped_item = Q(repeats__state=SlotState.DROPPED)
    return Slot.objects.filter(
        is_out_of_reach | is_away | is_of_dropped_item,
        ~Exists(to_give_out),
        campaign=campaign,
        state=SlotState.RESERVED,
        lapsed_at=None,
    ).order_by()
