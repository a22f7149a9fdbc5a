"""Leases: what an annotator was given is theirs while they are active, and others' when they left."""

from datetime import datetime, timedelta

from django.db.models import Case, Exists, OuterRef, QuerySet, Value, When

from annotate.models import Annotator, Assignment, AssignmentState, Campaign, Item, Slot, SlotState

RENEWED_AFTER = timedelta(minutes=1)
"""Looking at a screen renews no younger lease, so that most screens write only that they were shown."""


def lease_of(annotator: Annotator) -> timedelta:
    """For how long the annotator keeps what they do not touch."""
    return timedelta(minutes=annotator.campaign.design.lease_minutes)


def is_worth_renewing(slot: Slot, annotator: Annotator, now: datetime) -> bool:
    """Whether the lease of the annotator's slot is old enough for a write."""
    assignment = slot.assignment
    return assignment is None or assignment.leased_until < now + lease_of(annotator) - RENEWED_AFTER


def renew(annotator: Annotator, now: datetime, *, leaving: Slot | None = None) -> None:
    """Renew the annotator's lease. With the last slot of it that they leave, the assignment is done."""
    own = Assignment.objects.filter(annotator=annotator, state=AssignmentState.ACTIVE)
    if leaving is None:
        own.update(leased_until=now + lease_of(annotator))
        return
    others = Slot.objects.filter(assignment=OuterRef("pk"), state=SlotState.LEASED).exclude(pk=leaving.pk)
    own.update(
        leased_until=now + lease_of(annotator),
        state=Case(
            When(Exists(others), then=Value(AssignmentState.ACTIVE)), default=Value(AssignmentState.DONE)
        ),
    )


def expired(campaign: int, now: datetime) -> QuerySet[Assignment]:
    """The claims in the campaign whose lease ran out."""
    return Assignment.objects.filter(
        batch__campaign=campaign, state=AssignmentState.ACTIVE, leased_until__lt=now
    )


def free_abandoned(campaign: Campaign, now: datetime) -> None:
    """Free what is left of leases that ran out.

    The campaign must be locked.
    """
    # A lease that its annotator renews at this moment is locked, and not abandoned.
    left = expired(campaign.pk, now).select_for_update(of=("self",), skip_locked=True).order_by("pk")
    abandoned = [assignment.pk for assignment in left]
    if abandoned:
        Assignment.objects.filter(pk__in=abandoned).update(state=AssignmentState.ABANDONED)
        free(Slot.objects.filter(assignment__in=abandoned, state=SlotState.LEASED))


def free(slots: QuerySet[Slot]) -> None:
    """Let others have the slots, first of all, unless their item waits for the admin.

    The campaign must be locked.
    """
    held = Item.objects.filter(pk=OuterRef("item_id"), is_held=True)
    slots.update(
        state=Case(When(Exists(held), then=Value(SlotState.HELD)), default=Value(SlotState.FREE)),
        assignment=None,
        annotator=None,
        left_over=True,
    )
