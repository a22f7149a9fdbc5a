"""Leases: what an annotator was given is theirs while they are active, and others' when they left."""

from datetime import datetime, timedelta

from django.db.models import Case, Exists, OuterRef, QuerySet, Value, When

from annotate.judging.handout.locks import locked_campaign
from annotate.models import Annotator, Assignment, AssignmentState, Campaign, Item, Slot, SlotState

RENEWED_AFTER = timedelta(minutes=1)
"""Work renews no younger lease, so that most screens and answers write only themselves."""


def lease_of(annotator: Annotator) -> timedelta:
    """For how long the annotator keeps what they do not touch."""
    return timedelta(minutes=annotator.campaign.design.lease_minutes)


def is_worth_renewing(leased_until: datetime | None, annotator: Annotator, now: datetime) -> bool:
    """Whether the annotator's lease is old enough for a write.

    So is one that may run out while they answer: renewed first, it is locked, and nobody finds it abandoned.
    """
    lease = lease_of(annotator)
    return leased_until is None or leased_until < now + lease - min(RENEWED_AFTER, lease / 4)


def renew(annotator: Annotator, now: datetime, *, is_done: bool = False) -> None:
    """Renew the annotator's lease; with the last slot of it that they leave, the assignment is done."""
    assignments = Assignment.objects.filter(annotator=annotator, state=AssignmentState.ACTIVE)
    state = AssignmentState.DONE if is_done else AssignmentState.ACTIVE
    assignments.update(leased_until=now + lease_of(annotator), state=state)


def expired(campaign: int, now: datetime) -> QuerySet[Assignment]:
    """The claims in the campaign whose lease ran out."""
    return Assignment.objects.filter(
        batch__campaign=campaign, state=AssignmentState.ACTIVE, leased_until__lt=now
    )


def free_abandoned(campaign: Campaign, now: datetime) -> bool:
    """Free what is left of leases that ran out; the campaign must be locked.

    Returns:
        Whether there were any.
    """
    # A lease that its annotator renews at this moment is locked, and not abandoned.
    left = expired(campaign.pk, now).select_for_update(of=("self",), skip_locked=True).order_by("pk")
    abandoned = [assignment.pk for assignment in left]
    if abandoned:
        Assignment.objects.filter(pk__in=abandoned).update(state=AssignmentState.ABANDONED)
        free(Slot.objects.filter(assignment__in=abandoned, state=SlotState.LEASED))
    return bool(abandoned)


def take_back(annotator: Annotator) -> None:
    """Let others have at once what the annotator, who is locked, has on lease."""
    assignments = Assignment.objects.filter(annotator=annotator, state=AssignmentState.ACTIVE)
    assignments.update(state=AssignmentState.ABANDONED)
    locked_campaign(annotator.campaign_id)
    free(Slot.objects.filter(annotator=annotator, state=SlotState.LEASED))


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
