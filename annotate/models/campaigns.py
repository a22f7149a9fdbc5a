"""Campaigns, their annotators and items."""

import re
import uuid
from datetime import datetime
from typing import Any, ClassVar

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models, transaction
from django.db.models import F, Q
from django.urls import reverse
from django.utils import timezone

from annotate.design.protocols import PROTOCOLS, options_of
from annotate.models.corpora import Corpus, Output, Sentence, System, validate_heading
from annotate.models.people import OfPeople
from annotate.models.uniqueness import SaysWhatIsTaken
from formats import MAX_NAME_CHARS
from formats.machines import AnnotatorKind
from formats.text.natural import TextRules


class CampaignState(models.TextChoices):
    IMPORTING = "importing"
    IMPORTED = "imported"
    DRAFT = "draft"
    LAUNCHING = "launching"
    RUNNING = "running"
    PAUSED = "paused"
    CLOSED = "closed"
    DELETING = "deleting"


class Campaign(SaysWhatIsTaken, models.Model):
    """A set of judgments over a corpus by one protocol: collected here, or imported."""

    TAKEN: ClassVar = {("name",): "Another campaign has this name."}

    uuid = models.UUIDField(default=uuid.uuid4, editable=False, unique=True)
    name = models.CharField(max_length=MAX_NAME_CHARS, validators=[validate_heading])
    corpus = models.ForeignKey(Corpus, models.PROTECT, related_name="campaigns")
    systems = models.ManyToManyField(System, related_name="campaigns")
    protocol = models.CharField(max_length=50)
    state = models.CharField(max_length=20, choices=CampaignState, default=CampaignState.DRAFT)
    follows = models.ForeignKey(
        "self",
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="follow_ups",
        help_text="The campaign whose undecided pairs this one asks about.",
    )
    synthetic = models.BooleanField(default=False, help_text="Simulated, not given by people.")
    slot_count = models.PositiveIntegerField(
        default=0, help_text="Number of slots created at launch, including planned repeats."
    )
    last_annotator_number = models.PositiveIntegerField(
        default=0, help_text="The last number given to an annotator; numbers are never reused."
    )
    last_machine_number = models.PositiveIntegerField(
        default=0, help_text="The last number given to a machine."
    )
    secret = models.CharField(
        max_length=64,
        blank=True,
        editable=False,
        help_text="Keys all draws (`annotate.design.draws`). Made at launch; empty for campaigns launched "
        "before there were secrets, which draw from the seed of their design.",
    )
    digest = models.CharField(max_length=64, blank=True, help_text="SHA-256 of the imported content.")
    imported_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="imports",
        help_text="The account that imported the judgments.",
    )
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

    @property
    def followed(self) -> list["Campaign"]:
        """The campaign that it follows, the one that this follows, and so on."""
        return [self.follows, *self.follows.followed] if self.follows else []

    @property
    def released_secret(self) -> str:
        """The secret for publication: empty unless the campaign is closed."""
        return self.secret if self.state == CampaignState.CLOSED else ""

    @property
    def task(self) -> str:
        """The annotators' task, in the words that they read before they begin."""
        return PROTOCOLS[self.protocol].task

    @property
    def options(self) -> Any:
        """The protocol's options that its design has chosen."""
        return options_of(self.protocol, self.design.protocol_options)

    @property
    def text_rules(self) -> TextRules | None:
        """The rules by which annotators see natural text, frozen at launch; None if they see it as stored."""
        if self.state not in (CampaignState.DRAFT, CampaignState.LAUNCHING):
            return TextRules(self.design.text_rules) if self.design.text_rules else None
        return self.corpus.text_rules if self.design.natural_text else None


_MADE_UP_NAME = re.compile("(visitor|worker)-[0-9a-f]{8}|(annotator|erased)-[0-9a-f]{16}")
"""Pattern of generated names: visitors by a shared link, workers, pseudonyms in exports, erased persons."""


KINDS = [(kind.value, kind.value) for kind in AnnotatorKind]


class Annotator(SaysWhatIsTaken, models.Model):
    """An annotator of one campaign: a person with an account or only a name, or a machine.

    The name is the key in the database and, digested, in exports. Pages and figures show the number.

    Results and counts are about people, so the usual manager leaves out machines; `every` has all.
    """

    TAKEN: ClassVar = {
        ("campaign", "name"): "Another annotator of this campaign has this name.",
        ("campaign", "user"): "This account has been invited to this campaign already.",
    }

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="annotators")
    number = models.PositiveIntegerField(
        blank=True,
        editable=False,
        help_text="From 1, in the order in which they joined the campaign. It never changes.",
    )
    name = models.CharField(max_length=MAX_NAME_CHARS)
    kind = models.CharField(
        max_length=10,
        choices=KINDS,
        default=AnnotatorKind.PERSON.value,
        editable=False,
        help_text="Machines are numbered apart from people.",
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="annotators"
    )

    resume_digest = models.CharField(
        max_length=64,
        blank=True,
        help_text="SHA-256 of the code with which a visitor by a shared link returns.",
    )
    revocations = models.PositiveIntegerField(
        default=0, help_text="How often their access was revoked; earlier sessions have to enter again."
    )
    interface_language = models.CharField(
        max_length=10,
        blank=True,
        help_text="Language that they chose for their pages, as a BCP 47 tag; empty for the campaign's.",
    )
    has_read_guidelines = models.BooleanField(
        default=False,
        help_text="They opened the guidelines or passed the page that shows them before the first screen.",
    )
    has_practised = models.BooleanField(
        default=False, help_text="They finished the practice or chose to skip it."
    )
    screens = models.PositiveIntegerField(default=0, help_text="Number of items answered, to space repeats.")
    excluded_at = models.DateTimeField(
        null=True,
        blank=True,
        help_text="When they were excluded: their judgments no longer count, and they get no new items.",
    )
    exclusion_reason = models.CharField(max_length=500, blank=True)
    batch_allowance = models.PositiveIntegerField(
        null=True, blank=True, help_text="Maximum number of batches; empty for no limit."
    )
    screens_due = models.PositiveIntegerField(
        null=True,
        blank=True,
        help_text="Minimum number of screens before the allowance ends, however short the batches are.",
    )
    domain = models.CharField(
        max_length=MAX_NAME_CHARS,
        blank=True,
        help_text="Domain they judged last, if the campaign separates domains.",
    )
    domain_day = models.DateField(
        null=True, blank=True, help_text="Day on which they did, in the campaign's time zone."
    )

    # Updated with each answer, in its transaction: no page counts judgments (`database.annotator_counts`).
    complete = models.PositiveIntegerField(default=0, help_text="Number of judgments in this state.")
    skipped = models.PositiveIntegerField(default=0)
    auto = models.PositiveIntegerField(default=0)
    surplus = models.PositiveIntegerField(default=0)
    answers_sent = models.PositiveIntegerField(default=0, help_text="Number of revisions of their judgments.")
    active_ms = models.PositiveBigIntegerField(
        default=0, help_text="Active milliseconds, summed over all revisions."
    )
    answered_at = models.DateTimeField(null=True, blank=True, help_text="When the newest answer arrived.")
    shown_at = models.DateTimeField(
        null=True,
        blank=True,
        help_text="When they last opened a screen without having just answered another.",
    )

    objects = OfPeople["Annotator"]()
    every = models.Manager["Annotator"]()

    class Meta:
        ordering = ["campaign", "name"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "name"], name="annotator_name_is_unique"),
            models.UniqueConstraint(fields=["campaign", "kind", "number"], name="annotator_number_is_unique"),
            models.UniqueConstraint(fields=["campaign", "user"], name="annotator_account_is_unique"),
            models.CheckConstraint(condition=~Q(name=""), name="annotator_has_a_name"),
            models.CheckConstraint(
                condition=Q(kind__in=[kind.value for kind in AnnotatorKind]), name="annotator_kind_is_known"
            ),
            models.CheckConstraint(
                condition=Q(kind=AnnotatorKind.PERSON.value) | Q(user=None, resume_digest=""),
                name="machine_has_no_account",
            ),
            models.CheckConstraint(
                condition=Q(excluded_at__isnull=True, exclusion_reason="")
                | Q(excluded_at__isnull=False) & ~Q(exclusion_reason=""),
                name="exclusion_has_a_reason",
            ),
        ]

    def __str__(self) -> str:
        return self.own_name or self.known_as

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Store the annotator; a new one gets the campaign's next number in the same transaction."""
        if self.number:
            return super().save(*args, **kwargs)
        try:
            with transaction.atomic():
                self.number = _take_number(self.campaign_id, self.is_machine)
                super().save(*args, **kwargs)
        except BaseException:
            self.number = 0
            raise

    def clean(self) -> None:
        """Refuse the name of an annotator of the other kind, whom the usual manager leaves out."""
        others = Annotator.every.filter(campaign=self.campaign_id, name=self.name).exclude(kind=self.kind)
        if others.exists():
            raise ValidationError({"name": self.TAKEN["campaign", "name"]})

    @property
    def is_machine(self) -> bool:
        """Whether it is a program."""
        return self.kind == AnnotatorKind.MACHINE

    @property
    def known_as(self) -> str:
        """The name shown on pages and figures, which does not identify the person."""
        return f"{'Machine' if self.is_machine else 'Annotator'} {self.number}"

    @property
    def own_name(self) -> str:
        """Their name, for users who may see it; empty if it was generated or says no more than the number."""
        kind, number = self.known_as.split()
        says_no_more = re.fullmatch(rf"{kind}[ _-]?0*{number}", self.name, re.IGNORECASE)
        return "" if says_no_more or _MADE_UP_NAME.fullmatch(self.name) else self.name

    @property
    def in_full(self) -> str:
        """The name, if they have one, and the number in one line."""
        return f"{self.own_name} ({self.known_as})" if self.own_name else self.known_as

    @property
    def answered(self) -> int:
        """Number of screens that they answered, not counting skipped ones."""
        return self.complete + self.surplus

    @property
    def judgment_count(self) -> int:
        """Number of their judgments in any state."""
        return self.complete + self.skipped + self.auto + self.surplus

    @property
    def last_seen(self) -> datetime | None:
        """When they last answered or got a new screen, to the minute; None if never."""
        return max(filter(None, (self.shown_at, self.answered_at)), default=None)


def _take_number(campaign: int, is_machine: bool) -> int:
    # The update locks the row: others who join at the same moment wait for this transaction.
    row = Campaign.objects.filter(pk=campaign)
    if is_machine:
        row.update(last_machine_number=F("last_machine_number") + 1)
        return row.values_list("last_machine_number", flat=True).get()
    row.update(last_annotator_number=F("last_annotator_number") + 1)
    return row.values_list("last_annotator_number", flat=True).get()


class AnsweredHour(models.Model):
    """An hour in which an annotator filled slots, with the number filled before it.

    The number filled in the hour is the difference to the annotator's next hour, or to the current number.
    """

    annotator = models.ForeignKey(Annotator, models.CASCADE, related_name="answered_hours", db_index=False)
    hour = models.DateTimeField(help_text="Start of the hour, in UTC.")
    filled_before = models.PositiveIntegerField()

    class Meta:
        ordering = ["annotator", "hour"]
        constraints = [
            models.UniqueConstraint(fields=["annotator", "hour"], name="answered_hour_is_unique"),
        ]

    def __str__(self) -> str:
        return f"{self.annotator} from {self.hour:%Y-%m-%d %H}:00"


class Item(models.Model):
    """One sentence with the outputs shown together on one screen."""

    uuid = models.UUIDField(default=uuid.uuid4, editable=False, unique=True)
    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="items")
    number = models.PositiveIntegerField()
    sentence = models.ForeignKey(Sentence, models.PROTECT, related_name="items")
    outputs = models.ManyToManyField(Output, through="ItemOutput", related_name="items")
    is_held = models.BooleanField(default=False, help_text="Skipped by two annotators; an admin decides.")
    propensities = models.JSONField(
        null=True,
        blank=True,
        help_text="For each output by digest, how often it is asked about together with each output of the "
        "item, in the order of the digests, relative to ordinary sampling; empty if sampled so.",
    )

    class Meta:
        ordering = ["campaign", "number"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "number"], name="item_number_is_unique"),
        ]

    def __str__(self) -> str:
        return f"{self.campaign} item {self.number}"


class Suggestion(models.Model):
    """What a program suggests about an output, for the annotators of a campaign to begin with.

    The launch copies it to the items (`ItemOutput.prepared`).
    """

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="suggestions", db_index=False)
    output = models.ForeignKey(Output, models.CASCADE, related_name="suggestions")
    content = models.JSONField(help_text="As the protocol's `suggestion` gives it.")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["campaign", "output"], name="output_has_one_suggestion"),
        ]

    def __str__(self) -> str:
        return f"{self.campaign}: {self.output}"


class ItemOutput(models.Model):
    """An output of an item, with its systems.

    The names are kept as they were when the item was made: a system that joins the corpus later changes
    no judgment that was already given.
    """

    item = models.ForeignKey(Item, models.CASCADE, related_name="item_outputs")
    output = models.ForeignKey(Output, models.PROTECT, related_name="item_outputs")
    systems = models.JSONField(help_text="Sorted system names.")
    prepared = models.JSONField(
        null=True,
        blank=True,
        help_text="What the protocol fixed about the output at the launch, such as its edits.",
    )

    class Meta:
        ordering = ["item", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["item", "output"], name="item_shows_an_output_once"),
        ]

    def __str__(self) -> str:
        return f"{self.item}: {' '.join(self.systems)}"
