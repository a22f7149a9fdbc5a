"""Leases: slots belong to an annotator while they are active, and go to others when they have left."""

from datetime import datetime, timedelta

from django.db.models import Case, Exists, OuterRef, QuerySet, Value, When

from annotate.judging.handout.locks import locked_campaign
from annotate.models import Annotator, Assignment, AssignmentState, Campaign, Item, Slot, SlotState

RENEWED_AFTER = timedelta(minutes=1)
"""Younger leases are not renewed, so that most screens and answers need no further write."""


def lease_of(annotator: Annotator) -> timedelta:
    """How long the annotator keeps a lease without activity."""
    return timedelta(minutes=annotator.campaign.design.lease_minutes)


def is_worth_renewing(leased_until: datetime | None, annotator: Annotator, now: datetime) -> bool:
    """Whether the annotator's lease is old enough to be renewed.

    This includes one that may expire while they answer: renewing it first locks it, so that nobody takes it
    back.
    """
    lease = lease_of(annotator)
    return leased_until is None or leased_until < now + lease - min(RENEWED_AFTER, lease / 4)


def renew(annotator: Annotator, now: datetime, *, is_done: bool = False) -> None:
    """Renew the annotator's lease; when they leave its last slot, the assignment is done."""
    assignments = Assignment.objects.filter(annotator=annotator, state=AssignmentState.ACTIVE)
    state = AssignmentState.DONE if is_done else AssignmentState.ACTIVE
    assignments.update(leased_until=now + lease_of(annotator), state=state)


def expired(campaign: int, now: datetime) -> QuerySet[Assignment]:
    """The assignments in the campaign whose lease has expired."""
    return Assignment.objects.filter(
        batch__campaign=campaign, state=AssignmentState.ACTIVE, leased_until__lt=now
    )


def free_abandoned(campaign: Campaign, now: datetime) -> bool:
    """Free the remaining slots of expired leases; the campaign must be locked.

    Returns:
        Whether there were any.
    """
    # A lease that its annotator is renewing right now is locked, and not abandoned.
    left = expired(campaign.pk, now).select_for_update(of=("self",), skip_locked=True).order_by("pk")
    abandoned = [assignment.pk for assignment in left]
    if abandoned:
        Assignment.objects.filter(pk__in=abandoned).update(state=AssignmentState.ABANDONED)
        free(Slot.objects.filter(assignment__in=abandoned, state=SlotState.LEASED))
    return bool(abandoned)


def take_back(annotator: Annotator) -> None:
    """Free the leased slots of the annotator, who is locked, for others at once."""
    assignments = Assignment.objects.filter(annotator=annotator, state=AssignmentState.ACTIVE)
    assignments.update(state=AssignmentState.ABANDONED)
    locked_campaign(annotator.campaign_id)
    free(Slot.objects.filter(annotator=annotator, state=SlotState.LEASED))


def free(slots: QuerySet[Slot]) -> None:
    """Free the slots for others, before all other slots, unless their item waits for an admin.

    The campaign must be locked.
    """
    held = Item.objects.filter(pk=OuterRef("item_id"), is_held=True)
    slots.update(
        state=Case(When(Exists(held), then=Value(SlotState.HELD)), default=Value(SlotState.FREE)),
        assignment=None,
        annotator=None,
        left_over=True,
    )
