"""Hand-out: an annotator is given one slot after the other, and what they answer is stored exactly once.

Each verb is one transaction that begins by locking the annotator's row, so that two tabs of one person
queue. Two persons never get the same slot: whatever frees a slot, holds it or takes it while it is free does
so under the lock of the campaign's row; filling a slot that one has on lease is one conditional update. Locks
are taken in the order annotator, own leases, campaign, slots, which rules deadlocks out.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import (
    Case,
    Count,
    Exists,
    F,
    Min,
    OuterRef,
    Prefetch,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
    prefetch_related_objects,
)
from django.utils import timezone

from annotate.assignment import REPEAT_DISTANCE, shown_order
from annotate.models import (
    Annotator,
    Assignment,
    AssignmentState,
    Campaign,
    CampaignState,
    Item,
    ItemOutput,
    Judgment,
    JudgmentState,
    Rating,
    Revision,
    Showing,
    Slot,
    SlotState,
)
from annotate.protocols import PROTOCOLS, RatingValue
from annotate.services.domains import free_of_day, own_of_day, settle
from annotate.services.single_outputs import answer_single_outputs
from annotate.work_done import may_take_batch, may_work

NOBODYS = (SlotState.FREE, SlotState.HELD, SlotState.DROPPED)
SKIPS_UNTIL_HELD = 2
"""An item that so many annotators skip goes to the admin."""
RENEWED_AFTER = timedelta(minutes=1)
"""Looking at a screen renews no younger lease, so that most screens write only that they were shown."""


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


def next_showing(annotator: Annotator, *, now: datetime | None = None) -> Showing | None:
    """What the annotator is to judge now: the same until it is answered. None when nothing is left for them.

    A due repeat comes first, then the rest of the annotator's batch, then a new batch, if they may take one;
    its items with nothing to ask are answered at once as *auto*. Asking renews the annotator's lease.
    """
    now = now or timezone.now()
    with transaction.atomic():
        _lock(annotator)
        if annotator.campaign.state != CampaignState.RUNNING or not may_work(annotator):
            return None
        slot = _own(annotator, now)
        if slot is None:
            return _claimed(annotator, now) if may_take_batch(annotator) else None
        if _lease_is_older(slot, annotator, now):
            _renew(annotator, now)
        known = Showing.objects.filter(slot=slot, annotator=annotator).first()
        return _shown(slot, annotator, known, now)


def save_draft(showing: Showing, draft: Mapping[str, str], *, now: datetime | None = None) -> None:
    """Keep what was entered so far, and renew the lease."""
    with transaction.atomic():
        _lock(showing.annotator)
        Showing.objects.filter(pk=showing.pk).update(draft=dict(draft))
        _renew(showing.annotator, now or timezone.now())


def shown_outputs(showing: Showing) -> list[ItemOutput]:
    """The outputs of the item in the order in which this annotator sees them."""
    item = showing.slot.item
    with_texts = ItemOutput.objects.select_related("output").order_by("pk")
    prefetch_related_objects([item], Prefetch("item_outputs", with_texts, to_attr="in_order"))
    outputs: list[ItemOutput] = item.in_order  # type: ignore[attr-defined]
    order = shown_order(
        len(outputs),
        seed=showing.slot.campaign.design.seed,
        item=item.number,
        annotator=showing.annotator_id,
    )
    return [outputs[place] for place in order]


def submit(
    showing: Showing,
    ratings: Sequence[RatingValue],
    submission: Submission,
    *,
    now: datetime | None = None,
) -> Judgment:
    """Store an answer: the ratings of the shown outputs, in the order shown.

    The same key again changes nothing. Another answer to the same showing is a new revision of the judgment.
    An answer whose slot was given on meanwhile is *surplus*.
    """
    now = now or timezone.now()
    with transaction.atomic():
        annotator = showing.annotator
        _lock(annotator)
        stored = _as_it_stands(showing)
        judgment, keys = _answer_so_far(stored)
        if submission.key in keys:
            return judgment
        _renew(annotator, now, leaving=stored.slot)
        if not keys:
            _pass_screen(annotator, stored.slot, now)
        if judgment.state not in (JudgmentState.COMPLETE, JudgmentState.SURPLUS):
            _take_place(judgment, stored.slot, annotator)
        revision = _add_revision(judgment, len(keys) + 1, submission, now)
        Rating.objects.bulk_create(
            Rating(
                revision=revision,
                item_output=output,
                position=position,
                rank=value.rank,
                score=value.score,
                meaning_changed=value.meaning_changed,
                touched=value.touched,
            )
            for position, (output, value) in enumerate(zip(shown_outputs(showing), ratings, strict=True))
        )
        if stored.draft:
            Showing.objects.filter(pk=showing.pk).update(draft={})
    return judgment


def skip(showing: Showing, submission: Submission, *, now: datetime | None = None) -> Judgment:
    """Store that the annotator does not judge the item, and free the slot for somebody else.

    An item that was answered before stays answered.
    """
    now = now or timezone.now()
    with transaction.atomic():
        annotator = showing.annotator
        _lock(annotator)
        stored = _as_it_stands(showing)
        judgment, keys = _answer_so_far(stored)
        if submission.key in keys or judgment.state in (JudgmentState.COMPLETE, JudgmentState.SURPLUS):
            return judgment
        _renew(annotator, now, leaving=stored.slot)
        if not keys:
            _pass_screen(annotator, stored.slot, now)
        judgment.state = JudgmentState.SKIPPED
        _add_revision(judgment, len(keys) + 1, submission, now)
        _give_on(stored.slot, annotator)
    return judgment


def locked_campaign(campaign: int) -> Campaign:
    """The campaign, whose slots nobody else frees, holds or takes until the transaction ends."""
    return Campaign.objects.select_for_update(no_key=True).get(pk=campaign)


def _lock(annotator: Annotator) -> None:
    """Lock the annotator's row, and take over what others may have changed meanwhile."""
    # SQLite has no row locks; there the whole transaction is exclusive from its first statement.
    rows = Annotator.objects.select_for_update(of=("self",), no_key=True).select_related("campaign")
    stored = rows.get(pk=annotator.pk)
    for name in ("screens", "excluded_at", "has_practised", "domain", "domain_day"):
        setattr(annotator, name, getattr(stored, name))
    annotator.campaign.state = stored.campaign.state


def _lease(annotator: Annotator) -> timedelta:
    return timedelta(minutes=annotator.campaign.design.lease_minutes)


def _lease_is_older(slot: Slot, annotator: Annotator, now: datetime) -> bool:
    """Whether it is worth a write to renew the lease."""
    assignment = slot.assignment
    return assignment is None or assignment.leased_until < now + _lease(annotator) - RENEWED_AFTER


def _renew(annotator: Annotator, now: datetime, *, leaving: Slot | None = None) -> None:
    """Renew the annotator's lease. With the last slot of it that they leave, the assignment is done."""
    own = Assignment.objects.filter(annotator=annotator, state=AssignmentState.ACTIVE)
    if leaving is None:
        own.update(leased_until=now + _lease(annotator))
        return
    others = Slot.objects.filter(assignment=OuterRef("pk"), state=SlotState.LEASED).exclude(pk=leaving.pk)
    own.update(
        leased_until=now + _lease(annotator),
        state=Case(
            When(Exists(others), then=Value(AssignmentState.ACTIVE)), default=Value(AssignmentState.DONE)
        ),
    )


def _own(annotator: Annotator, now: datetime) -> Slot | None:
    """The annotator's due repeat, or else the first slot that they have on lease."""
    own = Slot.objects.filter(
        Q(due_at_screen=None) | Q(due_at_screen__lte=annotator.screens),
        annotator=annotator,
        state__in=(SlotState.LEASED, SlotState.RESERVED),
    )
    found = own.select_related("item__sentence", "assignment").order_by(
        F("position").asc(nulls_first=True), "pk"
    )
    return own_of_day(found, annotator, now).first()


def _claimed(annotator: Annotator, now: datetime) -> Showing | None:
    """The first slot of a batch that is the annotator's from now on; batches that others left come first."""
    campaign = locked_campaign(annotator.campaign_id)
    if campaign.state != CampaignState.RUNNING:
        return None
    _free_abandoned(campaign, now)
    met = Judgment.objects.filter(annotator=annotator, item=OuterRef("item"))
    free = Slot.objects.filter(~Exists(met), campaign=campaign, state=SlotState.FREE)
    free = free_of_day(free, annotator, now)
    first = free.order_by("-left_over", "batch_id", "position").values("batch")[:1]
    unanswered = Showing.objects.filter(annotator=annotator, slot__item=OuterRef("item"), judgment=None)
    in_first_batch = (
        free.filter(batch=Subquery(first))
        .select_related("item__sentence")
        .annotate(
            outputs=Count("item__item_outputs"),
            only_output=Min("item__item_outputs"),
            unanswered=Subquery(unanswered.order_by().values("pk")[:1]),
        )
        .order_by("position")
    )
    asks_of_one = not PROTOCOLS[campaign.protocol].only_compares
    while slots := list(in_first_batch.all()):
        asked = [slot for slot in slots if asks_of_one or slot.outputs > 1]
        single: dict[Slot, int] = {slot: slot.only_output for slot in slots if slot not in asked}
        _assign(slots, asked, annotator, now)
        answer_single_outputs(single, annotator, now)
        # Who met an item before and left it unanswered takes it up where they stood, whichever slot it is.
        for slot in asked:
            if slot.unanswered is not None:
                Showing.objects.filter(pk=slot.unanswered).update(slot=slot)
        if asked:
            known = Showing.objects.get(pk=asked[0].unanswered) if asked[0].unanswered is not None else None
            return _shown(asked[0], annotator, known, now)
    return None


def _assign(slots: Sequence[Slot], asked: Sequence[Slot], annotator: Annotator, now: datetime) -> None:
    batch = slots[0].batch_id
    assert batch is not None, "only repeats are in no batch"  # noqa: S101
    assignment = Assignment.objects.create(
        batch_id=batch,
        annotator=annotator,
        state=AssignmentState.ACTIVE if asked else AssignmentState.DONE,
        leased_until=now + _lease(annotator),
    )
    leased = When(pk__in=[slot.pk for slot in asked], then=Value(SlotState.LEASED))
    Slot.objects.filter(pk__in=[slot.pk for slot in slots], state=SlotState.FREE).update(
        state=Case(leased, default=Value(SlotState.FILLED)), assignment=assignment, annotator=annotator
    )


def _free_abandoned(campaign: Campaign, now: datetime) -> None:
    # A lease that its annotator renews at this moment is locked, and not abandoned.
    expired = Assignment.objects.select_for_update(of=("self",), skip_locked=True).filter(
        batch__campaign=campaign, state=AssignmentState.ACTIVE, leased_until__lt=now
    )
    abandoned = [assignment.pk for assignment in expired.order_by("pk")]
    if abandoned:
        Assignment.objects.filter(pk__in=abandoned).update(state=AssignmentState.ABANDONED)
        _free(Slot.objects.filter(assignment__in=abandoned, state=SlotState.LEASED))


def _free(slots: QuerySet[Slot]) -> None:
    """Let others have the slots; first of all, unless the item waits for the admin."""
    held = Item.objects.filter(pk=OuterRef("item_id"), is_held=True)
    slots.update(
        state=Case(When(Exists(held), then=Value(SlotState.HELD)), default=Value(SlotState.FREE)),
        assignment=None,
        annotator=None,
        left_over=True,
    )


def _shown(slot: Slot, annotator: Annotator, known: Showing | None, now: datetime) -> Showing:
    showing = known or Showing.objects.create(slot=slot, annotator=annotator, shown_at=now)
    slot.campaign = annotator.campaign
    showing.slot, showing.annotator = slot, annotator
    return showing


def _as_it_stands(showing: Showing) -> Showing:
    """The showing as it is now that nobody changes it any more, with what hangs on it."""
    stored = Showing.objects.select_related("slot__repeat", "judgment").get(pk=showing.pk)
    stored.slot.item = showing.slot.item
    return stored


def _answer_so_far(showing: Showing) -> tuple[Judgment, list[UUID]]:
    """The judgment of a showing, a new one if there is none, and the keys of what was submitted to it."""
    if hasattr(showing, "judgment"):
        judgment = showing.judgment
        return judgment, list(judgment.revisions.values_list("submission_key", flat=True))
    slot = showing.slot
    judgment = Judgment(
        item_id=slot.item_id, annotator_id=showing.annotator_id, showing=showing, repetition=slot.repetition
    )
    return judgment, []


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
    own = this.filter(annotator=annotator).exclude(state=SlotState.FILLED)
    if own.update(state=SlotState.FILLED):
        return True
    locked_campaign(annotator.campaign_id)
    late = this.filter(annotator=None, repeats=None, state__in=NOBODYS)
    return late.update(state=SlotState.FILLED, annotator=annotator) == 1


def _give_on(slot: Slot, annotator: Annotator) -> None:
    """Free a skipped slot for somebody else; an item that too many skipped goes to the admin."""
    own = Slot.objects.filter(pk=slot.pk, annotator=annotator)
    if slot.repeats_id is not None:
        own.filter(state=SlotState.RESERVED).update(state=SlotState.HELD)
        return
    locked_campaign(annotator.campaign_id)
    skippers = Judgment.objects.filter(item=slot.item_id, state=JudgmentState.SKIPPED)
    if skippers.order_by().values("annotator").distinct().count() >= SKIPS_UNTIL_HELD:
        Item.objects.filter(pk=slot.item_id).update(is_held=True)
        Slot.objects.filter(item=slot.item_id, state=SlotState.FREE).update(state=SlotState.HELD)
    _free(own.filter(state=SlotState.LEASED))


def _pass_screen(annotator: Annotator, slot: Slot, now: datetime) -> None:
    annotator.screens += 1
    settle(annotator, slot, now)
    Annotator.objects.filter(pk=annotator.pk).update(
        screens=annotator.screens, domain=annotator.domain, domain_day=annotator.domain_day
    )
