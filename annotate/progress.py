"""How far a running campaign is, for whoever runs it."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, Exists, F, Max, Min, OuterRef, Prefetch, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce, Greatest, TruncDay, TruncHour

from annotate.models import (
    Annotator,
    Campaign,
    Item,
    Judgment,
    JudgmentState,
    Revision,
    Showing,
    Slot,
    SlotState,
)


@dataclass(frozen=True, slots=True)
class SlotCounts:
    """The wanted judgments of a campaign by their state, planned repeats among them.

    Attributes:
        filled: answered.
        leased: with an annotator right now.
        free: waiting for one.
        reserved: planned repeats that wait for whoever answers, or answered, the first time.
        held: waiting for the admin.
        dropped: not wanted any more, by the admin's decision.
    """

    filled: int
    leased: int
    free: int
    reserved: int
    held: int
    dropped: int

    @property
    def total(self) -> int:
        """All judgments that are wanted still."""
        return self.filled + self.leased + self.free + self.reserved + self.held

    @property
    def percent(self) -> int:
        """Share that is answered, rounded down so that 100 means all."""
        return 100 * self.filled // self.total if self.total else 0


def slot_counts(campaign: Campaign) -> SlotCounts:
    """The wanted judgments by their state."""
    return SlotCounts(
        **campaign.slots.aggregate(
            **{str(state): Count("pk", filter=Q(state=state)) for state in SlotState.values}
        )
    )


def answered_by_hour(campaign: Campaign) -> dict[datetime, int]:
    """How many of the wanted judgments came in each hour that has some, in order; by day if months pass."""
    first = Revision.objects.filter(
        judgment__item__campaign=campaign,
        judgment__state__in=(JudgmentState.COMPLETE, JudgmentState.AUTO),
        number=1,
        submitted_at__isnull=False,
    )
    span = first.aggregate(begin=Min("submitted_at"), end=Max("submitted_at"))
    is_long = span["begin"] is not None and span["end"] - span["begin"] > timedelta(days=31)
    time = (TruncDay if is_long else TruncHour)("submitted_at")
    return dict(
        first.annotate(time=time)
        .values("time")
        .annotate(number=Count("pk"))
        .order_by("time")
        .values_list("time", "number")
    )


def annotators(campaign: Campaign) -> QuerySet[Annotator]:
    """The annotators by name: how many items each answered and skipped, and when they were last here."""
    shown = _newest(Showing.objects.filter(annotator=OuterRef("pk")), "shown_at")
    sent = _newest(Revision.objects.filter(judgment__annotator=OuterRef("pk")), "submitted_at")
    return (
        campaign.annotators.annotate(
            **{
                str(state): Count("judgments", filter=Q(judgments__state=state))
                for state in JudgmentState.values
            }
        )
        .annotate(shown=shown, sent=sent)
        # SQLite's Greatest is null where either is.
        .annotate(last_seen=Coalesce(Greatest("shown", "sent"), "shown", "sent"))
        .order_by("name")
    )


def items(campaign: Campaign) -> QuerySet[Item]:
    """The items in order: how many judgments each wants and has, and how often it was skipped."""
    slots = Slot.objects.filter(item=OuterRef("pk"))
    skips = Judgment.objects.filter(item=OuterRef("pk"), state=JudgmentState.SKIPPED)
    return (
        campaign.items.select_related("sentence")
        .annotate(
            wanted=_number(slots), done=_number(slots.filter(state=SlotState.FILLED)), skips=_number(skips)
        )
        .order_by("number")
    )


def held_items(campaign: Campaign) -> QuerySet[Item]:
    """The items that wait for the admin in order, with who skipped each and why (`skipped`, `notes`)."""
    return _put_by(campaign, SlotState.HELD)


def dropped_items(campaign: Campaign) -> QuerySet[Item]:
    """The items that the admin dropped, likewise."""
    return _put_by(campaign, SlotState.DROPPED)


def reports(campaign: Campaign) -> QuerySet[Revision]:
    """What annotators reported with an answer, newest first."""
    return (
        Revision.objects.filter(judgment__item__campaign=campaign, is_current=True)
        .exclude(note="")
        .exclude(judgment__state=JudgmentState.SKIPPED)
        .select_related("judgment__annotator", "judgment__item__sentence")
        .order_by("-pk")
    )


def _put_by(campaign: Campaign, state: SlotState) -> QuerySet[Item]:
    put_by = Slot.objects.filter(item=OuterRef("pk"), state=state)
    notes = Prefetch("revisions", Revision.objects.filter(is_current=True), to_attr="notes")
    skipped = Judgment.objects.filter(state=JudgmentState.SKIPPED).select_related("annotator").order_by("pk")
    return (
        campaign.items.filter(Exists(put_by))
        .select_related("sentence")
        .prefetch_related(Prefetch("judgments", skipped.prefetch_related(notes), to_attr="skipped"))
        .order_by("number")
    )


def _newest(rows: QuerySet[Any], stamp: str) -> Subquery:
    return Subquery(rows.order_by(F(stamp).desc(nulls_last=True)).values(stamp)[:1])


def _number(rows: QuerySet[Any]) -> Any:
    counted = rows.order_by().values("item").annotate(number=Count("pk")).values("number")
    return Coalesce(Subquery(counted), 0)
