"""Screens: what an annotator has to judge now, and their draft for it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
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

from annotate.design.protocols import Prepared
from annotate.judging.domains import domain_of_day, slots_of_day
from annotate.judging.handout.batches import Step, take_batch
from annotate.judging.handout.leases import is_worth_renewing, renew
from annotate.judging.handout.locks import lock
from annotate.judging.handout.pauses import Pause, pause_after_batch
from annotate.judging.orders import order_for
from annotate.judging.prepared import KEY, TEXT, UNIQUE_ID, PreparedQuery, Row, columns_of, instance_in
from annotate.judging.work_done import may_take_batch, may_work
from annotate.models import (
    Annotator,
    AssignmentState,
    CampaignState,
    ItemOutput,
    Sentence,
    Showing,
    Slot,
    SlotState,
)

Shown = TypeVar("Shown")

SEEN_TO = timedelta(minutes=1)
"""Precision of the stored time of last activity: it is not updated right after an answer."""


@dataclass(frozen=True, slots=True)
class Screen:
    """A screen as an annotator sees it.

    Attributes:
        showing: the record that they got the slot.
        source: the sentence; empty where its text is not known.
        texts: of the outputs, in the order shown.
        prepared: what the protocol fixed about each of them; None for nothing.
        previous: the sentence before it in the document; empty where there is none or none with a text,
            where the sentence belongs to no document, and where the campaign shows no context.
        following: the sentence after it, or empty for the same reasons.
        left_in_batch: how many screens are to go.
        batch_screens: how many it has in all; 0 if the annotator has no batch, as with a late repeat.
    """

    showing: Showing
    source: str
    texts: Sequence[str]
    prepared: Sequence[Prepared]
    previous: str
    following: str
    left_in_batch: int
    batch_screens: int


def give_next_screen(annotator: Annotator, *, now: datetime | None = None) -> Screen | None:
    """The annotator's current screen: the same until it is answered. None when nothing is left.

    A due repeat comes first, then the rest of the annotator's batch, then a new batch, if they may take one;
    items with nothing to ask are answered at once as *auto*. Each call renews the annotator's lease.
    """
    while isinstance(screen_or_step := give_screen_or_step(annotator, now=now), Step):
        pass
    return screen_or_step


def give_screen_or_step(annotator: Annotator, *, now: datetime | None = None) -> Screen | Step | None:
    """The next screen; or a step towards it, after which the next request asks again."""
    now = now or timezone.now()
    with transaction.atomic():
        lock(annotator)
        screen = give_screen_on_lease(annotator, now)
        if screen is not None or not _may_begin_batch(annotator):
            return screen
        return _begin_batch(annotator, now)


def give_screen_step_or_pause(
    annotator: Annotator, *, now: datetime | None = None
) -> Screen | Step | Pause | None:
    """The next screen, a step towards it, or a pause between two batches; `give_screen_or_step` ends it."""
    now = now or timezone.now()
    with transaction.atomic():
        lock(annotator)
        screen = give_screen_on_lease(annotator, now)
        if screen is not None or not _may_begin_batch(annotator):
            return screen
        return pause_after_batch(annotator, now) or _begin_batch(annotator, now)


def _begin_batch(annotator: Annotator, now: datetime) -> Screen | Step | None:
    taken = take_batch(annotator, now)
    if taken is None or isinstance(taken, Step):
        return taken
    return _show(GIVEN.rows(annotator=annotator.pk, slot=taken), annotator, now)


def give_next_showing(annotator: Annotator, *, now: datetime | None = None) -> Showing | None:
    """The showing of the next screen."""
    screen = give_next_screen(annotator, now=now)
    return None if screen is None else screen.showing


def give_screen_on_lease(annotator: Annotator, now: datetime, *, renews: bool = True) -> Screen | None:
    """The next screen that the annotator, who is locked, already has on lease, if any."""
    if not may_be_given(annotator):
        return None
    return _show(_rows_on_lease(annotator, now), annotator, now, renews=renews)


def screen_again(annotator: Annotator, showing: UUID) -> Screen:
    """The screen that the annotator was shown.

    Raises:
        Showing.DoesNotExist: they were not shown this.
    """
    rows = SHOWN.rows(annotator=annotator.pk, showing=showing)
    if not rows:
        raise Showing.DoesNotExist
    return read_screen(rows, annotator)


def save_draft(
    annotator: Annotator, showing: UUID, draft: Mapping[str, str], *, now: datetime | None = None
) -> None:
    """Store the entries in place of an earlier draft, and renew the lease.

    Raises:
        Showing.DoesNotExist: the annotator was not shown this.
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
    """The outputs of the item of this number, given in the order of their keys, in the annotator's order."""
    return [outputs[place] for place in order_for(annotator, "screen", item, len(outputs))]


def may_be_given(annotator: Annotator) -> bool:
    return annotator.campaign.state == CampaignState.RUNNING and may_work(annotator)


def _may_begin_batch(annotator: Annotator) -> bool:
    return may_be_given(annotator) and may_take_batch(annotator)


def _show(rows: Sequence[Row], annotator: Annotator, now: datetime, *, renews: bool = True) -> Screen | None:
    """Show the annotator a slot: what they see of it, noted as shown to them; an old lease is renewed."""
    if not rows:
        return None
    screen = read_screen(rows, annotator)
    showing, leased_until = screen.showing, rows[0]["assignment__leased_until"]
    if showing._state.adding:
        showing.shown_at = now
        showing.save()
        _note_as_seen(annotator, now)
    if renews and is_worth_renewing(leased_until, annotator, now):
        renew(annotator, now)
    return screen


def _note_as_seen(annotator: Annotator, now: datetime) -> None:
    if annotator.last_seen is None or now - annotator.last_seen > SEEN_TO:
        Annotator.objects.filter(pk=annotator.pk).update(shown_at=now)


def read_screen(rows: Sequence[Row], annotator: Annotator) -> Screen:
    """The screen of these rows, one of each output; its showing is new, not saved, if there is none yet."""
    row = rows[0]
    is_known = row["shown__id"] is not None
    showing = instance_in(row, Showing, "shown__") if is_known else Showing(slot_id=row["pk"])
    showing.annotator = annotator
    # An item without outputs has one row.
    outputs = as_shown([row for row in rows if row["item__item_outputs"]], row["item__number"], annotator)
    shows_context = annotator.campaign.design.shows_context
    return Screen(
        showing=showing,
        source=row["item__sentence__text"] or "",
        texts=[output[TEXT_OF_OUTPUT] or "" for output in outputs],
        prepared=[output[PREPARED] for output in outputs],
        previous=(shows_context and row["previous"]) or "",
        following=(shows_context and row["following"]) or "",
        left_in_batch=row["left_in_batch"] or 0,
        batch_screens=row["batch_screens"] or 0,
    )


TEXT_OF_OUTPUT = "item__item_outputs__output__text"
PREPARED = "item__item_outputs__prepared"


def columns_of_slots(slot: QuerySet[Slot], annotator: int) -> QuerySet[Slot, Row]:
    """The columns of slots for an annotator's screens, a row for each output in the order of their keys."""
    around = (
        Sentence.objects.order_by()
        .filter(corpus=OuterRef("item__sentence__corpus"), document=OuterRef("item__sentence__document"))
        .exclude(document="")
        .values("text")
    )
    leased = Slot.objects.filter(annotator=annotator, state=SlotState.LEASED).order_by()
    claimed = {"assignment__annotator": annotator, "assignment__state": AssignmentState.ACTIVE}
    of_batch = Slot.objects.filter(**claimed).order_by().values("assignment__annotator")
    screens: QuerySet[Slot, Row] = (
        slot.annotate(
            shown=FilteredRelation("showings", condition=Q(showings__annotator=annotator)),
            previous=Subquery(around.filter(position=OuterRef("item__sentence__position") - 1)),
            following=Subquery(around.filter(position=OuterRef("item__sentence__position") + 1)),
            left_in_batch=Subquery(leased.values("annotator").annotate(number=Count("pk")).values("number")),
            batch_screens=Subquery(of_batch.annotate(number=Count("pk")).values("number")),
        )
        .order_by("item__item_outputs__pk")
        .values(
            *columns_of(Showing, "shown__"),
            *("pk", "assignment__leased_until", "item__number", "item__sentence__text"),
            *("item__item_outputs", TEXT_OF_OUTPUT, PREPARED),
            *("previous", "following", "left_in_batch", "batch_screens"),
        )
    )
    return screens


def slots_on_lease(annotator: int, screens: int, **day: Any) -> QuerySet[Slot]:
    """The annotator's due repeats and the slots that they have on lease, in the order in which they come."""
    slots = Slot.objects.filter(
        Q(due_at_screen=None) | Q(due_at_screen__lte=screens),
        annotator=annotator,
        state__in=(SlotState.LEASED, SlotState.RESERVED),
    )
    return slots_of_day(slots.order_by(F("position").asc(nulls_first=True), "pk"), **day)


def _on_lease(annotator: int, screens: int, **day: Any) -> QuerySet[Slot, Row]:
    """The first of these slots."""
    first = slots_on_lease(annotator, screens, **day).values("pk")[:1]
    return columns_of_slots(Slot.objects.filter(pk=Subquery(first)), annotator)


GIVEN = PreparedQuery(
    lambda annotator, slot: columns_of_slots(Slot.objects.filter(pk=slot), annotator), annotator=KEY, slot=KEY
)
SHOWN = PreparedQuery(
    lambda annotator, showing: columns_of_slots(
        Slot.objects.filter(showings__uuid=showing, showings__annotator=annotator), annotator
    ),
    annotator=KEY,
    showing=UNIQUE_ID,
)
ON_LEASE = PreparedQuery(partial(_on_lease, separates=False), annotator=KEY, screens=KEY)
ON_LEASE_ON_AN_OPEN_DAY = PreparedQuery(partial(_on_lease, separates=True), annotator=KEY, screens=KEY)
ON_LEASE_ON_A_DAY = PreparedQuery(partial(_on_lease, separates=True), annotator=KEY, screens=KEY, domain=TEXT)


def _rows_on_lease(annotator: Annotator, now: datetime) -> list[Row]:
    key, screens = annotator.pk, annotator.screens
    if not annotator.campaign.design.separates_domains:
        return ON_LEASE.rows(annotator=key, screens=screens)
    domain = domain_of_day(annotator, now)
    if domain is None:
        return ON_LEASE_ON_AN_OPEN_DAY.rows(annotator=key, screens=screens)
    return ON_LEASE_ON_A_DAY.rows(annotator=key, screens=screens, domain=domain)
