"""Answers: what comes back from a screen is stored once, and its slot filled or given on."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, F, Q
from django.utils import timezone

from annotate.assignment import REPEAT_DISTANCE
from annotate.models import (
    Annotator,
    CampaignState,
    Item,
    Judgment,
    JudgmentState,
    Rating,
    Revision,
    Showing,
    Slot,
    SlotState,
)
from annotate.protocols import RatingValue
from annotate.services.domains import settle
from annotate.services.handout.leases import free, renew
from annotate.services.handout.locks import lock, locked_campaign
from annotate.services.handout.screens import as_shown
from annotate.services.tallies import count_answer

NOBODYS = (SlotState.FREE, SlotState.HELD, SlotState.DROPPED)

Reading = Callable[[int], Sequence[RatingValue]]
"""Gives the ratings of so many outputs, in the order shown; what it raises leaves nothing stored."""


@dataclass(frozen=True, slots=True)
class Submission:
    """What arrives with an answer.

    Attributes:
        key: made by the browser for this answer; sent twice, it counts once.
        started_at: when the item was opened, by the browser's clock.
        active_ms: milliseconds in which the page was visible and had the focus.
        note: what the annotator reports about the item.
    """

    key: UUID
    started_at: datetime | None = None
    active_ms: int | None = None
    note: str = ""


def submit(
    annotator: Annotator,
    showing: UUID,
    read: Reading,
    submission: Submission,
    *,
    now: datetime | None = None,
) -> Judgment:
    """Store an answer.

    The same key again changes nothing. Another answer to the same showing is a new revision of the judgment.
    An answer whose slot was given on meanwhile is *surplus*.

    Raises:
        Showing.DoesNotExist: the annotator was shown no such thing.
    """
    now = now or timezone.now()
    with transaction.atomic():
        lock(annotator)
        stored, outputs = _as_it_stands(annotator, showing)
        judgment, keys = _answer_so_far(stored)
        if submission.key in keys:
            return judgment
        ratings = read(len(outputs))
        before = judgment.state
        _leave(annotator, stored.slot, now, is_first=not keys)
        if judgment.state not in (JudgmentState.COMPLETE, JudgmentState.SURPLUS):
            _take_place(judgment, stored.slot, annotator)
        judgment.is_reported = bool(submission.note)
        revision = _add_revision(judgment, len(keys) + 1, submission, now)
        Rating.objects.bulk_create(
            Rating(
                revision=revision,
                item_output_id=output,
                position=position,
                rank=value.rank,
                score=value.score,
                meaning_changed=value.meaning_changed,
                touched=value.touched,
            )
            for position, (output, value) in enumerate(zip(outputs, ratings, strict=True))
        )
        _count(annotator, before, judgment, submission, now)
    return judgment


def skip(
    annotator: Annotator, showing: UUID, submission: Submission, *, now: datetime | None = None
) -> Judgment:
    """Store that the annotator does not judge the item, and free the slot for somebody else.

    An item that was answered before stays answered.

    Raises:
        Showing.DoesNotExist: the annotator was shown no such thing.
    """
    now = now or timezone.now()
    with transaction.atomic():
        lock(annotator)
        stored, _ = _as_it_stands(annotator, showing)
        judgment, keys = _answer_so_far(stored)
        if submission.key in keys or judgment.state in (JudgmentState.COMPLETE, JudgmentState.SURPLUS):
            return judgment
        before = judgment.state
        _leave(annotator, stored.slot, now, is_first=not keys)
        judgment.state = JudgmentState.SKIPPED
        _add_revision(judgment, len(keys) + 1, submission, now)
        _give_on(stored.slot, annotator)
        _count(annotator, before, judgment, submission, now)
    return judgment


def _as_it_stands(annotator: Annotator, showing: UUID) -> tuple[Showing, list[int]]:
    """The showing as it is now that nobody changes it any more, and the keys of the outputs as shown."""
    found = Showing.objects.filter(uuid=showing, annotator=annotator)
    of_each_output = list(
        found.select_related("slot__item__sentence", "slot__repeat", "judgment")
        .annotate(item_output=F("slot__item__item_outputs"))
        .order_by("item_output")
    )
    if not of_each_output:
        raise Showing.DoesNotExist
    stored = of_each_output[0]
    return stored, as_shown([row.item_output for row in of_each_output], stored.slot.item, annotator)


def _answer_so_far(showing: Showing) -> tuple[Judgment, list[UUID]]:
    """The judgment of a showing, a new one if there is none, and the keys of what was submitted to it."""
    if hasattr(showing, "judgment"):
        judgment = showing.judgment
        return judgment, list(judgment.revisions.values_list("submission_key", flat=True))
    slot = showing.slot
    judgment = Judgment(
        campaign_id=slot.campaign_id,
        item_id=slot.item_id,
        annotator_id=showing.annotator_id,
        showing=showing,
        repetition=slot.repetition,
    )
    return judgment, []


def _leave(annotator: Annotator, slot: Slot, now: datetime, *, is_first: bool) -> None:
    """Note that the annotator is done with the screen, and active; for the `is_first` time, or once more."""
    # Who has no claim on the slot any more cannot get one meanwhile, and leaves no lease of it.
    if slot.annotator_id == annotator.pk:
        renew(annotator, now, leaving=slot)
    if is_first:
        annotator.screens += 1
        settle(annotator, slot, now)


def _count(
    annotator: Annotator, before: str, judgment: Judgment, submission: Submission, now: datetime
) -> None:
    """Write all that the answer changes of the annotator, in one statement."""
    count_answer(
        annotator,
        before=before,
        after=judgment.state,
        active_ms=submission.active_ms,
        now=now,
        screens=annotator.screens,
        domain=annotator.domain,
        domain_day=annotator.domain_day,
    )


def _add_revision(judgment: Judgment, number: int, submission: Submission, now: datetime) -> Revision:
    """Save the judgment, and add a revision to it that is now the current one."""
    judgment.save()
    if number > 1:
        judgment.revisions.filter(is_current=True).update(is_current=False)
    return Revision.objects.create(
        judgment=judgment,
        number=number,
        submission_key=submission.key,
        started_at=submission.started_at,
        submitted_at=now,
        active_ms=submission.active_ms,
        note=submission.note,
    )


def _take_place(judgment: Judgment, slot: Slot, annotator: Annotator) -> None:
    """Fill the slot with the judgment if it is still free for it; else the judgment is surplus."""
    if not _fill(slot, annotator):
        judgment.state = JudgmentState.SURPLUS
        return
    judgment.state = JudgmentState.COMPLETE
    judgment.slot = slot
    if hasattr(slot, "repeat"):
        Slot.objects.filter(pk=slot.repeat.pk).update(
            annotator=annotator, due_at_screen=annotator.screens + REPEAT_DISTANCE
        )


def _fill(slot: Slot, annotator: Annotator) -> bool:
    if annotator.campaign.state == CampaignState.CLOSED:
        return False
    this = Slot.objects.filter(pk=slot.pk)
    if slot.annotator_id == annotator.pk:
        own = this.filter(annotator=annotator).exclude(state=SlotState.FILLED)
        if own.update(state=SlotState.FILLED):
            return True
    locked_campaign(annotator.campaign_id)
    late = this.filter(annotator=None, repeats=None, state__in=NOBODYS)
    return late.update(state=SlotState.FILLED, annotator=annotator) == 1


def _give_on(slot: Slot, annotator: Annotator) -> None:
    """Free a skipped slot for somebody else; an item that two annotators skipped goes to the admin."""
    own = Q(pk=slot.pk, annotator=annotator)
    if slot.repeats_id is not None:
        Slot.objects.filter(own, state=SlotState.RESERVED).update(state=SlotState.HELD)
        return
    locked_campaign(annotator.campaign_id)
    skipped = Judgment.objects.filter(item=slot.item_id, state=JudgmentState.SKIPPED)
    by_others = Exists(skipped.exclude(annotator=annotator))
    is_held = Item.objects.filter(by_others, pk=slot.item_id).update(is_held=True)
    to_leave = own & Q(state=SlotState.LEASED)
    free(Slot.objects.filter(to_leave | Q(item=slot.item_id, state=SlotState.FREE) if is_held else to_leave))
