"""Screens: what an annotator is to judge now, and what they have entered there so far."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, TypeVar
from uuid import UUID

from django.db import transaction
from django.db.models import (
    Count,
    F,
    FilteredRelation,
    OuterRef,
    Prefetch,
    Q,
    QuerySet,
    Subquery,
    prefetch_related_objects,
)
from django.utils import timezone

from annotate.assignment import shown_order
from annotate.models import (
    Annotator,
    CampaignState,
    ItemOutput,
    Sentence,
    Showing,
    Slot,
    SlotState,
)
from annotate.services.domains import own_of_day
from annotate.services.handout.batches import take_batch
from annotate.services.handout.leases import is_worth_renewing, renew
from annotate.services.handout.locks import lock
from annotate.work_done import may_take_batch, may_work

Shown = TypeVar("Shown")

SEEN_TO = timedelta(minutes=1)
"""How exactly it is kept when an annotator was last here: who just answered is not written down again."""


@dataclass(frozen=True, slots=True)
class Screen:
    """What an annotator has before them.

    Attributes:
        showing: that they were given the slot; with slot, item and sentence.
        texts: of the outputs, in the order shown.
        previous: the sentence before in the document; empty where there is none, or none with a text.
        following: the sentence after it, likewise.
        left_in_batch: how many screens are to go.
    """

    showing: Showing
    texts: Sequence[str]
    previous: str
    following: str
    left_in_batch: int


def next_screen(annotator: Annotator, *, now: datetime | None = None) -> Screen | None:
    """What the annotator is to judge now: the same until it is answered. None when nothing is left for them.

    A due repeat comes first, then the rest of the annotator's batch, then a new batch, if they may take one;
    its items with nothing to ask are answered at once as *auto*. Asking renews the annotator's lease.
    """
    now = now or timezone.now()
    with transaction.atomic():
        lock(annotator)
        screen = screen_on_lease(annotator, now)
        if screen is not None or not _may_be_given(annotator) or not may_take_batch(annotator):
            return screen
        slot = take_batch(annotator, now)
        return None if slot is None else _screen(Slot.objects.filter(pk=slot), annotator, now)


def next_showing(annotator: Annotator, *, now: datetime | None = None) -> Showing | None:
    """That of the next screen."""
    screen = next_screen(annotator, now=now)
    return None if screen is None else screen.showing


def screen_on_lease(annotator: Annotator, now: datetime) -> Screen | None:
    """What the annotator, who is locked, has to judge and need not be given first."""
    if not _may_be_given(annotator):
        return None
    return _screen(_on_lease(annotator, now), annotator, now)


def screen_again(annotator: Annotator, showing: UUID) -> Screen:
    """What the annotator was shown.

    Raises:
        Showing.DoesNotExist: they were shown no such thing.
    """
    screen = _read(Slot.objects.filter(showings__uuid=showing, showings__annotator=annotator), annotator)
    if screen is None:
        raise Showing.DoesNotExist
    return screen


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
    return as_shown(outputs, item.number, showing.annotator)


def as_shown(outputs: Sequence[Shown], item: int, annotator: Annotator) -> list[Shown]:
    """What stands for the outputs of the item of this number, by their keys, in the annotator's order."""
    order = shown_order(len(outputs), seed=annotator.campaign.design.seed, item=item, annotator=annotator.pk)
    return [outputs[place] for place in order]


def _may_be_given(annotator: Annotator) -> bool:
    return annotator.campaign.state == CampaignState.RUNNING and may_work(annotator)


def _on_lease(annotator: Annotator, now: datetime) -> QuerySet[Slot]:
    """The annotator's due repeat, or else the first slot that they have on lease."""
    own = Slot.objects.filter(
        Q(due_at_screen=None) | Q(due_at_screen__lte=annotator.screens),
        annotator=annotator,
        state__in=(SlotState.LEASED, SlotState.RESERVED),
    )
    in_order = own.order_by(F("position").asc(nulls_first=True), "pk")
    return Slot.objects.filter(pk=Subquery(own_of_day(in_order, annotator, now).values("pk")[:1]))


def _screen(slot: QuerySet[Slot], annotator: Annotator, now: datetime) -> Screen | None:
    """What the annotator sees of the one slot, noted as shown to them, on a lease that is young."""
    screen = _read(slot, annotator)
    if screen is None:
        return None
    showing = screen.showing
    if showing._state.adding:
        showing.shown_at = now
        showing.save()
        _note_as_seen(annotator, now)
    assignment = showing.slot.assignment
    if is_worth_renewing(assignment.leased_until if assignment else None, annotator, now):
        renew(annotator, now)
    return screen


def _note_as_seen(annotator: Annotator, now: datetime) -> None:
    if annotator.last_seen is None or now - annotator.last_seen > SEEN_TO:
        Annotator.objects.filter(pk=annotator.pk).update(shown_at=now)


def _read(slot: QuerySet[Slot], annotator: Annotator) -> Screen | None:
    """What the annotator sees of the one slot; with a new showing, not saved, if they have not seen it."""
    around = (
        Sentence.objects.order_by()
        .filter(corpus=OuterRef("item__sentence__corpus"), document=OuterRef("item__sentence__document"))
        .values("text")
    )
    leased = Slot.objects.filter(annotator=annotator, state=SlotState.LEASED).order_by()
    of_each_output = list(
        slot.annotate(
            shown=FilteredRelation("showings", condition=Q(showings__annotator=annotator)),
            text=F("item__item_outputs__output__text"),
            previous=Subquery(around.filter(position=OuterRef("item__sentence__position") - 1)),
            following=Subquery(around.filter(position=OuterRef("item__sentence__position") + 1)),
            left_in_batch=Subquery(leased.values("annotator").annotate(number=Count("pk")).values("number")),
        )
        .select_related("item__sentence", "assignment", "shown")  # type: ignore[misc]  # as annotated
        .order_by("item__item_outputs__pk")
    )
    if not of_each_output:
        return None
    first: Any = of_each_output[0]
    first.campaign = annotator.campaign
    showing = getattr(first, "shown", None) or Showing(slot=first)
    showing.slot, showing.annotator = first, annotator
    texts = [row.text or "" for row in of_each_output]
    return Screen(
        showing=showing,
        texts=as_shown(texts, first.item.number, annotator),
        previous=first.previous or "",
        following=first.following or "",
        left_in_batch=first.left_in_batch or 0,
    )
