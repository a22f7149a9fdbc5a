import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone

from annotate.formats import MAX_NAME_CHARS
from annotate.models.corpora import Corpus, Output, Sentence, System, validate_heading


class CampaignState(models.TextChoices):
    IMPORTING = "importing"
    IMPORTED = "imported"
    DRAFT = "draft"
    RUNNING = "running"
    PAUSED = "paused"
    CLOSED = "closed"


class Campaign(models.Model):
    """A set of judgments over a corpus by one protocol: collected here, or imported."""

    uuid = models.UUIDField(default=uuid.uuid4, editable=False, unique=True)
    name = models.CharField(max_length=MAX_NAME_CHARS, validators=[validate_heading])
    corpus = models.ForeignKey(Corpus, models.PROTECT, related_name="campaigns")
    systems = models.ManyToManyField(System, related_name="campaigns")
    protocol = models.CharField(max_length=50)
    state = models.CharField(max_length=20, choices=CampaignState, default=CampaignState.DRAFT)
    synthetic = models.BooleanField(default=False, help_text="Simulated, not given by people.")
    digest = models.CharField(max_length=64, blank=True, help_text="SHA-256 of the imported content.")
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    touched_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(fields=["name"], name="campaign_name_is_unique"),
            models.CheckConstraint(
                condition=Q(state__in=CampaignState.values), name="campaign_state_is_known"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("campaign", args=[self.uuid])


class Annotator(models.Model):
    """One judge of one campaign; with an account, or known by a name alone."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="annotators")
    name = models.CharField(max_length=MAX_NAME_CHARS)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="annotators"
    )

    class Meta:
        ordering = ["campaign", "name"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "name"], name="annotator_name_is_unique"),
            models.UniqueConstraint(fields=["campaign", "user"], name="annotator_account_is_unique"),
            models.CheckConstraint(condition=~Q(name=""), name="annotator_has_a_name"),
        ]

    def __str__(self) -> str:
        return self.name


class Item(models.Model):
    """One sentence with the outputs shown together on one screen."""

    uuid = models.UUIDField(default=uuid.uuid4, editable=False, unique=True)
    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="items")
    number = models.PositiveIntegerField()
    sentence = models.ForeignKey(Sentence, models.PROTECT, related_name="items")
    outputs = models.ManyToManyField(Output, through="ItemOutput", related_name="items")

    class Meta:
        ordering = ["campaign", "number"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "number"], name="item_number_is_unique"),
        ]

    def __str__(self) -> str:
        return f"{self.campaign} item {self.number}"


class ItemOutput(models.Model):
    """An output of an item, with the systems it stands for there.

    The names are kept as they were when the item was made: a system that joins the corpus later changes
    no judgment that was already given.
    """

    item = models.ForeignKey(Item, models.CASCADE, related_name="item_outputs")
    output = models.ForeignKey(Output, models.PROTECT, related_name="item_outputs")
    systems = models.JSONField(help_text="Sorted system names.")

    class Meta:
        ordering = ["item", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["item", "output"], name="item_shows_an_output_once"),
        ]

    def __str__(self) -> str:
        return f"{self.item}: {' '.join(self.systems)}"


class Batch(models.Model):
    """An ordered run of slots that is given out as a unit."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="batches")
    number = models.PositiveIntegerField()

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

    uuid = models.UUIDField(default=uuid.uuid4, editable=False, unique=True)
    batch = models.ForeignKey(Batch, models.CASCADE, related_name="assignments")
    annotator = models.ForeignKey(Annotator, models.CASCADE, related_name="assignments")
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
                condition=Q(state="active"),
                name="annotator_claims_a_batch_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.annotator} on {self.batch}"


class SlotState(models.TextChoices):
    FREE = "free"
    LEASED = "leased"
    FILLED = "filled"


class Slot(models.Model):
    """One judgment that is wanted: an item and a repetition."""

    item = models.ForeignKey(Item, models.CASCADE, related_name="slots")
    repetition = models.PositiveSmallIntegerField()
    batch = models.ForeignKey(Batch, models.CASCADE, related_name="slots")
    position = models.PositiveIntegerField(help_text="Counted from 0 within the batch.")
    state = models.CharField(max_length=20, choices=SlotState, default=SlotState.FREE)
    assignment = models.ForeignKey(Assignment, models.SET_NULL, null=True, blank=True, related_name="slots")

    class Meta:
        ordering = ["batch", "position"]
        constraints = [
            models.UniqueConstraint(fields=["item", "repetition"], name="slot_is_unique"),
            models.UniqueConstraint(fields=["batch", "position"], name="slot_has_its_place"),
            models.CheckConstraint(condition=Q(state__in=SlotState.values), name="slot_state_is_known"),
            models.CheckConstraint(
                condition=~Q(state="leased") | Q(assignment__isnull=False), name="leased_slot_has_a_claim"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.item} × {self.repetition}"
