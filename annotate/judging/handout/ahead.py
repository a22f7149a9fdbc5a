"""Screens ahead: what an annotator will be asked next, so that their browser has it before it is needed."""

from collections import defaultdict
from collections.abc import Collection
from copy import copy
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from annotate.judging.domains import domain_of_day
from annotate.judging.handout.locks import lock
from annotate.judging.handout.screens import (
    Screen,
    columns_of_slots,
    may_be_given,
    read_screen,
    slots_on_lease,
)
from annotate.judging.prepared import Row
from annotate.models import Annotator, Showing, Slot


@dataclass(frozen=True, slots=True)
class ScreensAhead:
    """The next screens of an annotator.

    Attributes:
        showings: of all of them, in the order in which they come, the current one first.
        new: those that the browser does not hold yet.
    """

    showings: tuple[UUID, ...]
    new: tuple[Screen, ...]


def give_screens_ahead(
    annotator: Annotator, most: int, held: Collection[str] = (), *, now: datetime | None = None
) -> ScreensAhead:
    """The annotator's current screen and those that follow it in the batch, each noted as shown to them.

    Repeats that are due by now come first. Each screen counts those before it as answered.

    Args:
        annotator: whose lease has begun; they get no new one.
        most: how many screens.
        held: the showings that the browser holds already.
        now: the time, if not the present one.
    """
    now = now or timezone.now()
    with transaction.atomic():
        lock(annotator)
        if not may_be_given(annotator):
            return ScreensAhead((), ())
        slots = _next_slots(annotator, most, now)
        in_order = _rows(slots, annotator)
        screens = [_later(read_screen(rows, annotator), place) for place, rows in enumerate(in_order)]
        unseen = [screen.showing for screen in screens if screen.showing._state.adding]
        for showing in unseen:
            showing.shown_at = now
        Showing.objects.bulk_create(unseen)
    showings = tuple(screen.showing.uuid for screen in screens)
    return ScreensAhead(showings, tuple(screen for screen in screens if str(screen.showing.uuid) not in held))


def _next_slots(annotator: Annotator, most: int, now: datetime) -> list[int]:
    separates = annotator.campaign.design.separates_domains
    domain = domain_of_day(annotator, now) if separates else None
    slots = slots_on_lease(annotator.pk, annotator.screens, separates=separates, domain=domain)
    return list(slots.values_list("pk", flat=True)[:most])


def _rows(slots: list[int], annotator: Annotator) -> list[list[Row]]:
    """The rows of each of the slots, in their order."""
    by_slot: defaultdict[int, list[Row]] = defaultdict(list)
    for row in columns_of_slots(Slot.objects.filter(pk__in=slots), annotator.pk):
        by_slot[row["pk"]].append(row)
    return [by_slot[slot] for slot in slots]


def _later(screen: Screen, place: int) -> Screen:
    """The screen as it will be after so many more answers."""
    annotator = copy(screen.showing.annotator)
    annotator.screens += place
    annotator.complete += place
    screen.showing.annotator = annotator
    return replace(screen, left_in_batch=max(0, screen.left_in_batch - place))
