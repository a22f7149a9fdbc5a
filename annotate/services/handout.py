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
from django.db.models import Case, Count, Exists, F, Min, OuterRef, Q, QuerySet, Subquery, Value, When
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
from annotate.protocols import RatingValue

SKIPS_UNTIL_HELD = 2
"""An item that so many annotators skip goes to the admin."""


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

    A due repeat comes first, then the rest of the annotator's batch, then a new batch, whose items with one
    output are answered at once as *auto*. Asking renews the annotator's lease.
    """
    now = now or timezone.now()
    with transaction.atomic():
        annotator = _locked(annotator.pk)
        if annotator.campaign.state != CampaignState.RUNNING:
            return None
        slot = _own(annotator)
        if slot is None:
            return _claimed(annotator, now)
        _renew(annotator, now)
        known = Showing.objects.filter(slot=slot, annotator=annotator).first()
        return _shown(slot, annotator, known, now)


def save_draft(showing: Showing, draft: Mapping[str, str], *, now: datetime | None = None) -> None:
    """Keep what was entered so far, and renew the lease."""
    with transaction.atomic():
        annotator = _locked(showing.annotator_id)
        Showing.objects.filter(pk=showing.pk).update(draft=dict(draft))
        _renew(annotator, now or timezone.now())


def shown_outputs(showing: Showing) -> list[ItemOutput]:
    """The outputs of the item in the order in which this annotator sees them."""
    item = showing.slot.item
    outputs = list(item.item_outputs.select_related("output").order_by("pk"))
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
        annotator = _locked(showing.annotator_id)
        showing = _as_it_stands(showing, annotator)
        judgment, keys = _answer_so_far(showing)
        if submission.key in keys:
            return judgment
        _renew(annotator, now)
        if not keys:
            _pass_screen(annotator)
        if judgment.state not in (JudgmentState.COMPLETE, JudgmentState.SURPLUS):
            _take_place(judgment, showing.slot, annotator)
        revision = _add_revision(judgment, len(keys) + 1, submission, now)
        Rating.objects.bulk_create(
            Rating(
                revision=revision,
                item_output=output,
                position=position,
                rank=value.rank,
                score=value.score,
                meaning_changed=value.meaning_changed,
            )
            for position, (output, value) in enumerate(zip(shown_outputs(showing), ratings, strict=True))
        )
        if showing.draft:
            Showing.objects.filter(pk=showing.pk).update(draft={})
        _finish_assignments(annotator)
    return judgment


def skip(showing: Showing, submission: Submission, *, now: datetime | None = None) -> Judgment:
    """Store that the annotator does not judge the item, and free the slot for somebody else.

    An item that was answered before stays answered.
    """
    now = now or timezone.now()
    with transaction.atomic():
        annotator = _locked(showing.annotator_id)
        showing = _as_it_stands(showing, annotator)
        judgment, keys = _answer_so_far(showing)
        if submission.key in keys or judgment.state in (JudgmentState.COMPLETE, JudgmentState.SURPLUS):
            return judgment
        _renew(annotator, now)
        if not keys:
            _pass_screen(annotator)
        judgment.state = JudgmentState.SKIPPED
        _add_revision(judgment, len(keys) + 1, submission, now)
        _give_on(showing.slot, annotator)
        _finish_assignments(annotator)
    return judgment


def release_held(item: Item) -> None:
    """Give out the slots of an item again that went to the admin; if one more skips it, it comes back."""
    with transaction.atomic():
        _locked_campaign(item.campaign_id)
        Item.objects.filter(pk=item.pk).update(is_held=False)
        held = Slot.objects.filter(item=item, state=SlotState.HELD)
        held.filter(repeats=None).update(state=SlotState.FREE, left_over=True)
        held.exclude(repeats=None).update(state=SlotState.RESERVED)


def _locked(annotator: int) -> Annotator:
    # SQLite has no row locks; there the whole transaction is exclusive from its first statement.
    found = Annotator.objects.select_for_update(of=("self",), no_key=True)
    return found.select_related("campaign__design").get(pk=annotator)


def _locked_campaign(campaign: int) -> Campaign:
    return Campaign.objects.select_for_update(no_key=True).get(pk=campaign)


def _renew(annotator: Annotator, now: datetime) -> None:
    lease = timedelta(minutes=annotator.campaign.design.lease_minutes)
    Assignment.objects.filter(annotator=annotator, state=AssignmentState.ACTIVE).update(
        leased_until=now + lease
    )


def _own(annotator: Annotator) -> Slot | None:
    """The annotator's due repeat, or else the first slot that they have on lease."""
    own = Slot.objects.filter(
        Q(due_at_screen=None) | Q(due_at_screen__lte=annotator.screens),
        annotator=annotator,
        state__in=(SlotState.LEASED, SlotState.RESERVED),
    )
    return own.select_related("item").order_by(F("position").asc(nulls_first=True), "pk").first()


def _claimed(annotator: Annotator, now: datetime) -> Showing | None:
    """The first slot of a batch that is the annotator's from now on; batches that others left come first."""
    campaign = _locked_campaign(annotator.campaign_id)
    if campaign.state != CampaignState.RUNNING:
        return None
    _free_abandoned(campaign, now)
    met = Judgment.objects.filter(annotator=annotator, item=OuterRef("item"))
    free = Slot.objects.filter(~Exists(met), campaign=campaign, state=SlotState.FREE)
    first = free.order_by("-left_over", "batch_id", "position").values("batch")[:1]
    unanswered = Showing.objects.filter(annotator=annotator, slot__item=OuterRef("item"), judgment=None)
    in_first_batch = (
        free.filter(batch=Subquery(first))
        .select_related("item")
        .annotate(
            outputs=Count("item__item_outputs"),
            only_output=Min("item__item_outputs"),
            unanswered=Subquery(unanswered.order_by().values("pk")[:1]),
        )
        .order_by("position")
    )
    while slots := list(in_first_batch.all()):
        asked = [slot for slot in slots if slot.outputs > 1]
        single: dict[Slot, int] = {slot: slot.only_output for slot in slots if slot.outputs == 1}
        _assign(slots, asked, annotator, now)
        _answer_single_outputs(single, annotator, now)
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
        leased_until=now + timedelta(minutes=annotator.campaign.design.lease_minutes),
    )
    leased = When(pk__in=[slot.pk for slot in asked], then=Value(SlotState.LEASED))
    Slot.objects.filter(pk__in=[slot.pk for slot in slots], state=SlotState.FREE).update(
        state=Case(leased, default=Value(SlotState.FILLED)), assignment=assignment, annotator=annotator
    )


def _answer_single_outputs(single: Mapping[Slot, int], annotator: Annotator, now: datetime) -> None:
    """Store that there was nothing to ask: slots by the output that is their item's only one."""
    if not single:
        return
    judgments = Judgment.objects.bulk_create(
        Judgment(
            item_id=slot.item_id,
            annotator=annotator,
            slot=slot,
            repetition=slot.repetition,
            state=JudgmentState.AUTO,
        )
        for slot in single
    )
    revisions = Revision.objects.bulk_create(
        Revision(judgment=judgment, submitted_at=now) for judgment in judgments
    )
    Rating.objects.bulk_create(
        Rating(revision=revision, item_output_id=output, position=0, rank=1)
        for revision, output in zip(revisions, single.values(), strict=True)
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
    showing.slot = slot
    return showing


def _as_it_stands(showing: Showing, annotator: Annotator) -> Showing:
    """The showing as it is now that nobody changes it any more, with what hangs on it."""
    found = Showing.objects.select_related("slot__item", "slot__repeat", "judgment").get(pk=showing.pk)
    found.slot.campaign = annotator.campaign
    return found


def _answer_so_far(showing: Showing) -> tuple[Judgment, list[UUID]]:
    """The judgment of a showing, a new one if there is none, and the keys of what was submitted to it."""
    if hasattr(showing, "judgment"):
        judgment = showing.judgment
        return judgment, list(judgment.revisions.values_list("submission_key", flat=True))
    slot = showing.slot
    judgment = Judgment(
        item=slot.item, annotator_id=showing.annotator_id, showing=showing, repetition=slot.repetition
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
    _locked_campaign(annotator.campaign_id)
    late = this.filter(annotator=None, repeats=None, state__in=(SlotState.FREE, SlotState.HELD))
    return late.update(state=SlotState.FILLED, annotator=annotator) == 1


def _give_on(slot: Slot, annotator: Annotator) -> None:
    """Free a skipped slot for somebody else; an item that too many skipped goes to the admin."""
    own = Slot.objects.filter(pk=slot.pk, annotator=annotator)
    if slot.repeats_id is not None:
        own.filter(state=SlotState.RESERVED).update(state=SlotState.HELD)
        return
    _locked_campaign(annotator.campaign_id)
    skippers = Judgment.objects.filter(item=slot.item_id, state=JudgmentState.SKIPPED)
    if skippers.order_by().values("annotator").distinct().count() >= SKIPS_UNTIL_HELD:
        Item.objects.filter(pk=slot.item_id).update(is_held=True)
        Slot.objects.filter(item=slot.item_id, state=SlotState.FREE).update(state=SlotState.HELD)
    _free(own.filter(state=SlotState.LEASED))


def _pass_screen(annotator: Annotator) -> None:
    annotator.screens += 1
    Annotator.objects.filter(pk=annotator.pk).update(screens=annotator.screens)


def _finish_assignments(annotator: Annotator) -> None:
    leased = Slot.objects.filter(assignment=OuterRef("pk"), state=SlotState.LEASED)
    Assignment.objects.filter(~Exists(leased), annotator=annotator, state=AssignmentState.ACTIVE).update(
        state=AssignmentState.DONE
    )
