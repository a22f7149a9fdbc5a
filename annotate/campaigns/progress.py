"""Progress of a running campaign."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, F, Prefetch, QuerySet, Sum, Window
from django.db.models.functions import Coalesce, Lead
from django.utils import timezone

from annotate.corpora.sentences import ShownOutput
from annotate.models import (
    Annotator,
    AnsweredHour,
    Campaign,
    Item,
    ItemOutput,
    Judgment,
    JudgmentState,
    Output,
    Revision,
    Slot,
    SlotState,
)

MINUTES = {timedelta(hours=1): 1, timedelta(hours=4): 5, timedelta(hours=12): 15}
"""Length of a time bin in minutes, by the largest span from the first hour to the last."""

LONGEST_BY_MINUTES = max(MINUTES)
LONGEST_BY_HOURS = timedelta(days=31)
MOST_BY_MINUTES = 5000
"""Most judgments whose times are read for a figure; above that, the stored numbers by hour are used."""

FEW = (SlotState.LEASED, SlotState.RESERVED, SlotState.HELD, SlotState.DROPPED)
"""States in which there are few slots at any time, whatever the size of the campaign."""
FREE_LOOKED_AT = 200

FILLING = (JudgmentState.COMPLETE, JudgmentState.AUTO)
"""States of judgments that fill a slot."""

LATELY = timedelta(hours=24)
"""The time from whose speed the end of a campaign is estimated: a day, with its night."""


@dataclass(frozen=True, slots=True)
class CountedItem:
    """An item with its progress.

    Attributes:
        item: with its sentence.
        wanted: number of judgments wanted; 0 for imported judgments.
        done: number of these that were given.
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
        leased: being judged by an annotator right now.
        free: waiting for an annotator.
        reserved: planned repeats still to come, each from the annotator of the first answer.
        lapsed: planned repeats that are no longer waited for, because their annotator has left or has too
            few screens ahead; they count if they are answered after all.
        held: waiting for an admin's decision.
        dropped: no longer wanted, by an admin's decision.
    """

    filled: int
    leased: int
    free: int
    reserved: int
    lapsed: int
    held: int
    dropped: int

    @property
    def total(self) -> int:
        """Number of all wanted judgments."""
        return self.filled + self.leased + self.free + self.reserved + self.held

    @property
    def percent(self) -> int:
        """Percentage answered, rounded down so that 100 means all."""
        return 100 * self.filled // self.total if self.total else 0


def slot_counts(campaign: Campaign) -> SlotCounts:
    """The wanted judgments by their state."""
    counted = campaign.annotators.aggregate(filled=Sum(F("complete") + F("auto"), default=0))
    return slot_counts_of({campaign: counted["filled"]})[campaign]


def slot_counts_of(filled: Mapping[Campaign, int]) -> dict[Campaign, SlotCounts]:
    """The wanted judgments of campaigns by their state, where it is known how many are filled.

    Most are filled or free, which is the rest. Only the others, which are few, are counted.
    """
    by_campaign = {campaign.pk: dict.fromkeys([*FEW, "lapsed"], 0) for campaign in filled}
    few = Slot.objects.filter(campaign__in=list(filled), state__in=FEW).order_by()
    for key, state, number, lapsed in few.values_list("campaign", "state").annotate(
        number=Count("pk"), lapsed=Count("lapsed_at")
    ):
        by_campaign[key][state] = number
        if state == SlotState.RESERVED:
            by_campaign[key][state] -= lapsed
            by_campaign[key]["lapsed"] = lapsed
    counts = {}
    for campaign, number in filled.items():
        of_campaign: dict[str, int] = {**by_campaign[campaign.pk], SlotState.FILLED: number}
        of_campaign[SlotState.FREE] = campaign.slot_count - sum(of_campaign.values())
        counts[campaign] = SlotCounts(**{str(state): its for state, its in of_campaign.items()})
    return counts


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast a campaign moves.

    Attributes:
        lately: number of wanted judgments that arrived in the last `LATELY`.
        ends_at: when the last would arrive at this speed; None if none has arrived lately, or none is left.
    """

    lately: int
    ends_at: datetime | None


def pace(campaign: Campaign, slots: SlotCounts, now: datetime) -> Pace:
    """The pace in the last `LATELY`, or since the first judgment if that is more recent."""
    begin = (now - LATELY).replace(minute=0, second=0, microsecond=0)
    by_hour = _filled_by_hour(campaign, since=begin)
    lately = sum(by_hour.values())
    left = slots.total - slots.filled
    if not lately or not left:
        return Pace(lately, None)
    earlier = AnsweredHour.objects.filter(annotator__campaign=campaign, hour__lt=begin).exists()
    took = now - (begin if earlier else min(by_hour))
    return Pace(lately, now + left * took / lately)


@dataclass(frozen=True, slots=True)
class Work:
    """The answers of all annotators together.

    Attributes:
        annotators: number of those who have answered anything.
        screens: number of screens answered or skipped.
        seconds: mean active time on a screen, in seconds; None if it was not recorded.
        answered_at: when the newest answer arrived; None before the first.
    """

    annotators: int
    screens: int
    seconds: float | None
    answered_at: datetime | None


def work_of(annotators: Sequence[Annotator]) -> Work:
    """The work of these annotators, from numbers that are stored with each."""
    screens = sum(annotator.answers_sent - annotator.auto for annotator in annotators)
    active = sum(annotator.active_ms for annotator in annotators) / 1000
    times = [annotator.answered_at for annotator in annotators if annotator.answered_at]
    return Work(
        annotators=len(times),
        screens=screens,
        seconds=active / screens if screens > 0 and active else None,
        answered_at=max(times, default=None),
    )


def needs_newcomers(campaign: Campaign, annotators: Iterable[Annotator]) -> bool:
    """Whether the free items need another annotator, because all who have judged so far have met them.

    `annotators` are all of the campaign's. Looks at the first free judgments only; while nobody can take
    these, the others wait behind them.
    """
    here = sum(annotator.excluded_at is None and annotator.screens > 0 for annotator in annotators)
    if not here:
        return False
    free = campaign.slots.filter(state=SlotState.FREE).order_by("-left_over", "batch", "position")
    items = set(free.values_list("item", flat=True)[:FREE_LOOKED_AT])
    met = Judgment.objects.filter(item__in=items, annotator__excluded_at=None).order_by().values("item")
    met_by_all = met.annotate(annotators=Count("annotator", distinct=True)).filter(annotators__gte=here)
    return met_by_all.count() == len(items)


def answered_over_time(campaign: Campaign) -> dict[datetime, int]:
    """Number of wanted judgments that arrived in each time bin that has some, in order.

    The bin depends on the span: minutes for a few hours with few judgments, else hours, or days for months.
    """
    by_hour = _filled_by_hour(campaign)
    if not by_hour:
        return {}
    span = max(by_hour) - min(by_hour)
    by_time: Counter[datetime] = Counter()
    if span <= LONGEST_BY_MINUTES and sum(by_hour.values()) <= MOST_BY_MINUTES:
        step = next(minutes for longest, minutes in MINUTES.items() if span <= longest)
        for time in map(timezone.localtime, _times(campaign)):
            by_time[time.replace(minute=time.minute - time.minute % step, second=0, microsecond=0)] += 1
    else:
        for hour, number in by_hour.items():
            time = timezone.localtime(hour)
            by_time[time.replace(hour=0) if span > LONGEST_BY_HOURS else time] += number
    return dict(sorted(by_time.items()))


def _times(campaign: Campaign) -> list[datetime]:
    """The times at which the wanted judgments first arrived."""
    answers = Revision.objects.filter(
        judgment__campaign=campaign, judgment__by_machine=0, judgment__state__in=FILLING, number=1
    )
    return [time for time in answers.order_by().values_list("submitted_at", flat=True) if time]


def _filled_by_hour(campaign: Campaign, since: datetime | None = None) -> dict[datetime, int]:
    """Number of slots filled in each hour that has some, summed over annotators in the database."""
    hours = AnsweredHour.objects.filter(annotator__campaign=campaign)
    if since is not None:
        hours = hours.filter(hour__gte=since)
    next_hour = Window(Lead("filled_before"), partition_by="annotator", order_by="hour")
    filled_after = Coalesce(next_hour, F("annotator__complete") + F("annotator__auto"))
    of_annotators = (
        hours.order_by().annotate(filled=filled_after - F("filled_before")).values("id", "hour", "filled")
    )
    sql, parameters = of_annotators.query.sql_with_params()
    # The ORM cannot sum the result of a window function. `raw` needs a key for each row.
    rows = AnsweredHour.objects.raw(
        f"SELECT MIN(id) AS id, hour, SUM(filled) AS filled FROM ({sql}) AS of_annotators GROUP BY hour",  # noqa: S608
        parameters,
    )
    return {row.hour: int(row.filled) for row in rows if row.filled}  # type: ignore[attr-defined]  # from the SQL


def items(campaign: Campaign) -> QuerySet[Item]:
    """All items in order, with their sentences."""
    return campaign.items.select_related("sentence").order_by("number")


def with_counts(shown: Sequence[Item]) -> list[CountedItem]:
    """Items with the numbers of judgments that they need and have, and of skips.

    Each number comes from an index only, because hundreds of annotators may judge an item.
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


def items_to_decide(campaign: Campaign) -> QuerySet[Item]:
    """Items that wait for an admin's decision, with who skipped each and why.

    Each item has the attributes `skipped` and `notes`.
    """
    return _put_by(campaign, SlotState.HELD)


def dropped_items(campaign: Campaign) -> QuerySet[Item]:
    """Items that an admin dropped, with who skipped each and why, as for `items_to_decide`."""
    return _put_by(campaign, SlotState.DROPPED)


def outputs_of(items: Sequence[Item]) -> dict[int, list[ShownOutput]]:
    """The outputs shown with each item, by its key; as values, because an API page has thousands."""
    outputs: dict[int, list[ShownOutput]] = {item.pk: [] for item in items}
    # By sentence, whose outputs are adjacent. Otherwise PostgreSQL joins with the table of all outputs.
    of_sentences = Output.objects.filter(sentence__in={item.sentence_id for item in items}).order_by()
    texts = {key: (digest, text) for key, digest, text in of_sentences.values_list("pk", "digest", "text")}
    rows = ItemOutput.objects.filter(item__in=list(outputs)).order_by("pk")
    for item, output, systems in rows.values_list("item", "output", "systems"):
        digest, text = texts[output]
        outputs[item].append(ShownOutput(digest, text, tuple(systems)))
    return outputs


def _put_by(campaign: Campaign, state: SlotState) -> QuerySet[Item]:
    put_by = Slot.objects.filter(campaign=campaign, state=state)
    notes = Prefetch("revisions", Revision.objects.filter(is_current=True), to_attr="notes")
    skipped = Judgment.objects.filter(state=JudgmentState.SKIPPED).select_related("annotator").order_by("pk")
    # Without the campaign as a condition, or a database may scan all its items for these few.
    return (
        Item.objects.filter(pk__in=put_by.values("item"))
        .select_related("sentence")
        .prefetch_related(Prefetch("judgments", skipped.prefetch_related(notes), to_attr="skipped"))
        .order_by("number")
    )
