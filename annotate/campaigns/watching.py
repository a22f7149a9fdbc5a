"""Campaigns that stop by themselves: when their ranking is looked at, and what follows from a look.

Once a minute, every job worker compares the judgments of each watched campaign with its mark. A campaign that
has reached its mark gets a job, which looks at the ranking and either closes the campaign or moves the mark.
So an answer costs nothing more, and a look that was killed is repeated with the same result.
"""

from math import ceil
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django.db import transaction
from django.db.models import F, OuterRef, QuerySet, Subquery, Sum
from django.utils import timezone

from annotate.campaigns.lifecycle import CampaignError, close
from annotate.database.audit_log import record
from annotate.models import (
    Annotator,
    AuditAction,
    Campaign,
    CampaignState,
    User,
    Watch,
)
from annotate.models.job_kinds import LOOK_AT_RANKING
from jobs.queue import queue

if TYPE_CHECKING:
    from ranking import Look

MORE_UNTIL_NEXT_LOOK = 0.05
"""Share of judgments that are added between two looks."""

PLANNED_SHARE = 0.25
"""The intervals are narrowest at this share of the judgments that the campaign wants.

They are then at most 5 % wider from 8 % of these judgments on, up to all of them.
"""

FEWEST_PLANNED = 10


def queue_due_looks() -> None:
    """Queue a look at each ranking that is due."""
    for watch in _with_judgments().filter(counted__gte=F("next_look")).select_related("campaign"):
        queue(
            kind=LOOK_AT_RANKING,
            title=f"Look at the ranking of campaign {watch.campaign}",
            parameters={"campaign": str(watch.campaign.uuid)},
            owner=None,
        )


def due_look(campaign: Campaign) -> Any:
    """The watch over the campaign with its number of judgments (`counted`), if a look is due; else None."""
    return _with_judgments().filter(campaign=campaign, counted__gte=F("next_look")).first()


def store_look(watch: Any, look: "Look") -> bool:
    """Store what a due look saw, and close the campaign if everything is settled; whether it did.

    Does nothing if the campaign was stopped or looked at in the meantime.
    """
    campaign = watch.campaign
    due = Watch.objects.filter(pk=watch.pk, next_look=watch.next_look)
    seen = {"judgments": watch.counted, "settled": look.settled, "borders": look.borders}
    now = timezone.now()
    after: dict[str, object] = {"next_look": _next_look(watch.counted)}
    if look.is_reached:
        after = {"next_look": None, "stopped_at": now}
    with transaction.atomic():
        state = Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk).state
        if state != CampaignState.RUNNING or not due.update(**seen, **after, looked_at=now):
            return False
        if look.is_reached:
            close(campaign, reason=f"{campaign.design.settled} after {watch.counted:,} judgments")
    return look.is_reached


def planned_judgments(campaign: Campaign) -> int:
    """The number of judgments at which the intervals of its looks are narrowest."""
    return max(FEWEST_PLANNED, round(PLANNED_SHARE * campaign.slot_count))


def settings_of_looks(campaign: Campaign) -> str:
    """The query with which the page *When to stop* shows what a look sees."""
    confidence = campaign.design.stop_confidence / 100
    return urlencode({"planned": planned_judgments(campaign), "confidence": confidence})


def put_off_look(campaign: Campaign) -> None:
    """After a look that failed or was cancelled, look again only when there are more judgments."""
    watch = due_look(campaign)
    if watch is not None:
        due = Watch.objects.filter(pk=watch.pk, next_look=watch.next_look)
        due.update(next_look=_next_look(watch.counted))


def watch_again(campaign: Campaign, *, by: User | None = None) -> None:
    """Let a campaign that was reopened stop by itself again.

    Raises:
        CampaignError: it is not running, is watched already, or its design does not say when it stops.
    """
    with transaction.atomic():
        watch = Watch.objects.select_for_update().select_related("campaign").filter(campaign=campaign).first()
        if watch is None:
            raise CampaignError(f"The design of campaign {campaign.name!r} does not say when it stops.")
        if watch.campaign.state != CampaignState.RUNNING:
            raise CampaignError(f"Campaign {campaign.name!r} is not running. Resume it first.")
        if watch.next_look is not None:
            raise CampaignError(f"Campaign {campaign.name!r} already stops by itself.")
        watch.next_look = max(campaign.design.stop_after, _next_look(watch.judgments))
        watch.save(update_fields=["next_look"])
        record(user=by, action=AuditAction.WATCH, subject=campaign)


def _next_look(judgments: int) -> int:
    return max(judgments + 1, ceil(judgments * (1 + MORE_UNTIL_NEXT_LOOK)))


def _with_judgments() -> QuerySet[Any]:
    """The watches over running campaigns, with their number of judgments that count."""
    counting = Annotator.objects.filter(campaign=OuterRef("campaign"), excluded_at=None).order_by()
    number = counting.values("campaign").annotate(number=Sum("complete")).values("number")
    return Watch.objects.filter(campaign__state=CampaignState.RUNNING).annotate(counted=Subquery(number))
