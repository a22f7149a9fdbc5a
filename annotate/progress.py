"""How far a running campaign is, for whoever runs it."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, F, Prefetch, QuerySet, Sum, Window
from django.db.models.functions import Coalesce, Lead
from django.utils import timezone

from annotate.models import (
    AnsweredHour,
    Campaign,
    Item,
    Judgment,
    JudgmentState,
    Revision,
    Slot,
    SlotState,
)
from annotate.services.tallies import FILLING

FEW = (SlotState.LEASED, SlotState.RESERVED, SlotState.HELD, SlotState.DROPPED)
"""States in which there are few slots at any time, whatever the size of the campaign."""


@dataclass(frozen=True, slots=True)
class CountedItem:
    """An item, and how far it is.

    Attributes:
        item: with its sentence.
        wanted: number of judgments that are wanted; 0 where they were imported.
        done: number of those that were given.
        skips: how often it was skipped.
    """

    item: Item
    wanted: int
    done: int
    skips: int


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
    """The wanted judgments by their state.

    Most are filled, which is known from the annotators, or free, which is the rest. The others are few.
    """
    few = campaign.slots.filter(state__in=FEW).order_by().values_list("state").annotate(number=Count("pk"))
    counts = dict.fromkeys(FEW, 0) | dict(few)
    counts[SlotState.FILLED] = campaign.annotators.aggregate(
        filled=Sum(F("complete") + F("auto"), default=0)
    )["filled"]
    counts[SlotState.FREE] = campaign.slot_count - sum(counts.values())
    return SlotCounts(**{str(state): number for state, number in counts.items()})


def answered_by_hour(campaign: Campaign) -> dict[datetime, int]:
    """How many of the wanted judgments came in each hour that has some, in order; by day if months pass."""
    by_hour = _filled_by_hour(campaign)
    is_long = by_hour and max(by_hour) - min(by_hour) > timedelta(days=31)
    by_time: Counter[datetime] = Counter()
    for hour, number in by_hour.items():
        time = timezone.localtime(hour)
        by_time[time.replace(hour=0) if is_long else time] += number
    return dict(sorted(by_time.items()))


def _filled_by_hour(campaign: Campaign) -> dict[datetime, int]:
    """How many slots were filled in each hour that has some, added up in the database over the annotators."""
    next_hour = Window(Lead("filled_before"), partition_by="annotator", order_by="hour")
    filled_after = Coalesce(next_hour, F("annotator__complete") + F("annotator__auto"))
    of_annotators = (
        AnsweredHour.objects.filter(annotator__campaign=campaign)
        .order_by()
        .annotate(filled=filled_after - F("filled_before"))
        .values("id", "hour", "filled")
    )
    sql, parameters = of_annotators.query.sql_with_params()
    # The ORM does not add up what a window function gives. `raw` wants a key of each row.
    rows = AnsweredHour.objects.raw(
        f"SELECT MIN(id) AS id, hour, SUM(filled) AS filled FROM ({sql}) AS of_annotators GROUP BY hour",  # noqa: S608
        parameters,
    )
    return {row.hour: int(row.filled) for row in rows if row.filled}  # type: ignore[attr-defined]  # from the SQL


def items(campaign: Campaign) -> QuerySet[Item]:
    """The items in order, with their sentences."""
    return campaign.items.select_related("sentence").order_by("number")


def with_counts(shown: Sequence[Item]) -> list[CountedItem]:
    """Some items with how many judgments each wants and has, and how often it was skipped.

    Each number comes from an index alone: an item may be judged by hundreds of annotators.
    """
    keys = [item.pk for item in shown]
    slots = Slot.objects.filter(item__in=keys).order_by()
    judgments = Judgment.objects.filter(item__in=keys).order_by()
    wanted = dict(slots.values_list("item").annotate(number=Count("*")))
    given = {
        (item, state): number
        for item, state, number in judgments.values_list("item", "state").annotate(number=Count("*"))
    }
    return [
        CountedItem(
            item=item,
            wanted=wanted.get(item.pk, 0),
            done=sum(given.get((item.pk, state), 0) for state in FILLING) if item.pk in wanted else 0,
            skips=given.get((item.pk, JudgmentState.SKIPPED), 0),
        )
        for item in shown
    ]


def held_items(campaign: Campaign) -> QuerySet[Item]:
    """The items that wait for the admin in order, with who skipped each and why (`skipped`, `notes`)."""
    return _put_by(campaign, SlotState.HELD)


def dropped_items(campaign: Campaign) -> QuerySet[Item]:
    """The items that the admin dropped, likewise."""
    return _put_by(campaign, SlotState.DROPPED)


def reports(campaign: Campaign) -> QuerySet[Revision]:
    """What annotators reported with an answer, newest first."""
    return (
        Revision.objects.filter(judgment__campaign=campaign, judgment__is_reported=True, is_current=True)
        .select_related("judgment__annotator", "judgment__item__sentence")
        .order_by("-judgment")
    )


def _put_by(campaign: Campaign, state: SlotState) -> QuerySet[Item]:
    put_by = Slot.objects.filter(campaign=campaign, state=state)
    notes = Prefetch("revisions", Revision.objects.filter(is_current=True), to_attr="notes")
    skipped = Judgment.objects.filter(state=JudgmentState.SKIPPED).select_related("annotator").order_by("pk")
    # Without naming the campaign beside the slots, lest a database go through all its items for the few.
    return (
        Item.objects.filter(pk__in=put_by.values("item"))
        .select_related("sentence")
        .prefetch_related(Prefetch("judgments", skipped.prefetch_related(notes), to_attr="skipped"))
        .order_by("number")
    )
