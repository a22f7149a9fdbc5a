"""Batches, assignments, slots and showings."""

import uuid

from django.db import models
from django.db.models import Q
from django.utils import timezone

from annotate.models.campaigns import Annotator, Campaign, Item
from formats import MAX_NAME_CHARS


class Batch(models.Model):
    """An ordered run of slots that is assigned as a unit."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="batches")
    number = models.PositiveIntegerField()
    domain = models.CharField(
        max_length=MAX_NAME_CHARS,
        blank=True,
        help_text="Domain of its sentences, if the campaign separates domains.",
    )

    class Meta:
        ordering = ["campaign", "number"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "number"], name="batch_number_is_unique"),
        ]

    def __str__(self) -> str:
        return f"{self.campaign} batch {self.number}"


class AssignmentState(models.TextChoices):
    ACTIVE = "active"
    DONE = "done"
    ABANDONED = "abandoned"


class Assignment(models.Model):
    """One annotator's claim on the free slots of a batch, until the lease runs out."""

    batch = models.ForeignKey(Batch, models.CASCADE, related_name="assignments")
    annotator = models.ForeignKey(Annotator, models.CASCADE, related_name="assignments", db_index=False)
    state = models.CharField(max_length=20, choices=AssignmentState, default=AssignmentState.ACTIVE)
    leased_until = models.DateTimeField()
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["created_at"]
        constraints = [
            models.CheckConstraint(
                condition=Q(state__in=AssignmentState.values), name="assignment_state_is_known"
            ),
            models.UniqueConstraint(
                fields=["batch", "annotator"],
                condition=Q(state=AssignmentState.ACTIVE),
                name="annotator_claims_a_batch_once",
            ),
        ]
        indexes = [
            models.Index(fields=["annotator", "state"], name="assignment_of_annotator"),
            models.Index(fields=["state", "leased_until"], name="assignment_lease"),
        ]

    def __str__(self) -> str:
        return f"{self.annotator} on {self.batch}"


class SlotState(models.TextChoices):
    FREE = "free"
    LEASED = "leased"
    RESERVED = "reserved"
    FILLED = "filled"
    HELD = "held"
    DROPPED = "dropped"


class Slot(models.Model):
    """One judgment that is wanted: an item and a repetition.

    *held*: skipped, and waiting for an admin's decision; *dropped*: no longer wanted, by that decision. A
    planned repeat is in no batch; it is *reserved* for the annotator who fills the slot that it repeats, and
    becomes due after they have answered a number of further screens. A campaign does not wait for a lapsed
    repeat, but still hands it out if it becomes due after all.
    """

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="slots")
    item = models.ForeignKey(Item, models.CASCADE, related_name="slots")
    repetition = models.PositiveSmallIntegerField()
    batch = models.ForeignKey(Batch, models.CASCADE, null=True, related_name="slots")
    position = models.PositiveIntegerField(null=True, help_text="Counted from 0 within the batch.")
    left_over = models.BooleanField(
        default=False, help_text="Handed out before and not answered; handed out first."
    )
    state = models.CharField(max_length=20, choices=SlotState, default=SlotState.FREE)
    assignment = models.ForeignKey(Assignment, models.SET_NULL, null=True, related_name="slots")
    annotator = models.ForeignKey(
        Annotator,
        models.SET_NULL,
        null=True,
        db_index=False,
        related_name="slots",
        help_text="The annotator who leases it, for whom it is reserved, or who filled it.",
    )
    repeats = models.OneToOneField("self", models.CASCADE, null=True, related_name="repeat")
    due_at_screen = models.PositiveIntegerField(null=True)
    lapsed_at = models.DateTimeField(
        null=True,
        help_text="When the campaign stopped waiting for this planned repeat.",
    )

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["item", "repetition"], name="slot_is_unique"),
            models.UniqueConstraint(fields=["batch", "position"], name="slot_has_its_place"),
            models.CheckConstraint(condition=Q(state__in=SlotState.values), name="slot_state_is_known"),
            models.CheckConstraint(
                condition=~Q(state=SlotState.LEASED) | Q(assignment__isnull=False, annotator__isnull=False),
                name="leased_slot_has_a_claim",
            ),
            models.CheckConstraint(
                condition=Q(
                    repeats__isnull=False,
                    batch__isnull=True,
                    state__in=[SlotState.RESERVED, SlotState.FILLED, SlotState.HELD, SlotState.DROPPED],
                )
                | Q(repeats__isnull=True, batch__isnull=False, position__isnull=False)
                & ~Q(state=SlotState.RESERVED),
                name="slot_is_in_a_batch_or_repeats",
            ),
        ]
        indexes = [
            models.Index(
                fields=["campaign", "state", "-left_over", "batch", "position"], name="slot_next_free"
            ),
            models.Index(fields=["annotator", "state"], name="slot_of_annotator"),
        ]

    def __str__(self) -> str:
        return f"{self.item} × {self.repetition}"


class Showing(models.Model):
    """A slot shown to an annotator: when, and the draft of their answer."""

    uuid = models.UUIDField(default=uuid.uuid4, editable=False, unique=True)
    slot = models.ForeignKey(Slot, models.CASCADE, related_name="showings")
    # No index: with one, SQLite would scan everything that the annotator has ever been shown.
    annotator = models.ForeignKey(Annotator, models.CASCADE, related_name="showings", db_index=False)
    shown_at = models.DateTimeField(default=timezone.now, editable=False)
    draft = models.JSONField(default=dict)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["slot", "annotator"], name="slot_is_shown_to_an_annotator_once"),
        ]

    def __str__(self) -> str:
        return f"{self.slot} for {self.annotator}"
