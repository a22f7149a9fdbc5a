"""Annotators' notes about items: why they skipped some, and reports about others that they answered."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count, Prefetch, Q, QuerySet, TextChoices

from annotate.judgments.queries import narrowest
from annotate.models import (
    SAYS_SOMETHING,
    Annotator,
    Campaign,
    Judgment,
    JudgmentState,
    Revision,
    Slot,
    SlotState,
)


class ReportKind(TextChoices):
    """The kind of a note: the reason for a skip, or a report with an answer."""

    SKIP = "skip", "Skip"
    REPORT = "report", "Report"


class ItemState(TextChoices):
    """The decision about the item."""

    HELD = "held", "Waiting for a decision"
    DROPPED = "dropped", "Dropped"
    OPEN = "open", "Still to be judged"
    JUDGED = "judged", "Judged"


FILTERED = {ItemState.HELD: SlotState.HELD, ItemState.DROPPED: SlotState.DROPPED}
"""The states to filter by; few slots are in them at any time."""


@dataclass(frozen=True, slots=True)
class Report:
    """A skip, or a note on an item that was answered.

    Attributes:
        judgment: with its annotator, item and sentence.
        kind: which of the two.
        revision: the current answer, which holds the note.
        item_state: the decision about the item; None for imported judgments.
    """

    judgment: Judgment
    kind: ReportKind
    revision: Revision | None
    item_state: ItemState | None


def reports_and_skips(
    campaign: Campaign,
    *,
    annotator: Annotator | None = None,
    kind: str = "",
    item: int | None = None,
    item_state: str = "",
) -> QuerySet[Judgment]:
    """The judgments of a campaign that were skipped, or answered with a note; with their current answers.

    Args:
        campaign: whose judgments.
        annotator: only those of this one.
        kind: only skips, or only reports.
        item: only those of the item of this number.
        item_state: only those of items that wait for a decision, or were dropped.
    """
    wanted = narrowest(campaign, annotator=annotator, sentence=None)
    if kind == ReportKind.SKIP:
        wanted &= Q(state=JudgmentState.SKIPPED)
    elif kind == ReportKind.REPORT:
        wanted &= Q(is_reported=True)
    else:
        wanted &= SAYS_SOMETHING
    if item is not None:
        wanted &= Q(item__in=list(campaign.items.filter(number=item).values_list("pk", flat=True)))
    if item_state:
        slots = campaign.slots.filter(state=FILTERED[ItemState(item_state)])
        wanted &= Q(item__in=slots.order_by().values("item"))
    current = Revision.objects.filter(is_current=True)
    return (
        Judgment.objects.filter(wanted)
        .select_related("annotator", "item__sentence")
        .prefetch_related(Prefetch("revisions", current, to_attr="current_revisions"))
    )


def as_reports(judgments: Sequence[Judgment]) -> list[Report]:
    """The judgments of a page, each with the decision about its item."""
    # A repeat that has lapsed is not waited for.
    slots = Slot.objects.filter(item__in={one.item_id for one in judgments}, lapsed_at=None).order_by()
    states: dict[int, set[str]] = {}
    for item, state, _ in slots.values_list("item", "state").annotate(number=Count("pk")):
        states.setdefault(item, set()).add(state)
    return [
        Report(
            judgment=judgment,
            kind=ReportKind.SKIP if judgment.state == JudgmentState.SKIPPED else ReportKind.REPORT,
            revision=next(iter(judgment.current_revisions), None),  # type: ignore[attr-defined]
            item_state=_item_state(states.get(judgment.item_id, set())),
        )
        for judgment in judgments
    ]


def _item_state(slots: set[str]) -> ItemState | None:
    """The state of the item, from the states of its slots."""
    if not slots:
        return None
    if SlotState.HELD in slots:
        return ItemState.HELD
    if SlotState.DROPPED in slots:
        return ItemState.DROPPED
    return ItemState.JUDGED if slots == {SlotState.FILLED} else ItemState.OPEN
