"""Crowds, consents, workers and visits."""

import re
import uuid

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator
from django.db import models
from django.db.models import Q
from django.utils import timezone

from annotate.design import platforms
from annotate.design.platforms import Preset
from annotate.models.campaigns import Annotator, Campaign
from formats.digests import text_digest

MOST_CAPTURED = 20
_parameter = RegexValidator(
    r"^[A-Za-z][A-Za-z0-9_.-]{0,63}\Z", "Use letters, digits, “_”, “.” and “-”; start with a letter."
)
_code = RegexValidator(r"^[A-Za-z0-9_-]{4,64}\Z", "Use 4 to 64 letters, digits, “_” and “-”.")
_RETURN_URL = re.compile(r"""https://[^\s{}"'<>\\@/?#]+[/?#][^\s{}"'<>\\]*\{code\}[^\s{}"'<>\\]*""")


class Platform(models.TextChoices):
    PROLIFIC = "prolific", "Prolific"
    MECHANICAL_TURK = "mturk", "Amazon Mechanical Turk"
    OTHER = "other", "Another one"


_PRESETS: dict[str, Preset] = {
    Platform.PROLIFIC: platforms.PROLIFIC,
    Platform.MECHANICAL_TURK: platforms.MECHANICAL_TURK,
    Platform.OTHER: platforms.OTHER,
}


class Crowd(models.Model):
    """How workers of a crowd platform enter a campaign, and return to be paid.

    It does not affect what is judged, and so may change while the campaign runs.
    """

    campaign = models.OneToOneField(Campaign, models.CASCADE, related_name="crowd")
    # Stored in clear, unlike the tokens of links, because it is published to a whole crowd.
    entrance = models.UUIDField(default=uuid.uuid4, editable=False, unique=True)
    is_open = models.BooleanField(default=True)
    platform = models.CharField(max_length=20, choices=Platform, default=Platform.PROLIFIC)
    worker_parameter = models.CharField(max_length=64, blank=True, validators=[_parameter])
    visit_parameter = models.CharField(max_length=64, blank=True, validators=[_parameter])
    captured_parameters = models.JSONField(default=list, blank=True)
    return_url = models.CharField(max_length=500, blank=True)
    code_passed = models.CharField(max_length=64, validators=[_code])
    code_failed = models.CharField(max_length=64, validators=[_code])
    code_returned = models.CharField(
        max_length=64,
        validators=[_code],
        help_text="For workers who decline, or if nothing is left to judge.",
    )
    batches_per_visit = models.PositiveSmallIntegerField(
        default=1, validators=[MinValueValidator(1), MaxValueValidator(100)]
    )
    visits_per_worker = models.PositiveSmallIntegerField(
        default=1, validators=[MinValueValidator(1), MaxValueValidator(100)]
    )
    consent = models.TextField(max_length=50_000, help_text="Markdown.")

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(platform__in=Platform.values), name="crowd_platform_is_known"),
            models.CheckConstraint(
                condition=Q(batches_per_visit__gte=1, visits_per_worker__gte=1), name="crowd_is_given_work"
            ),
        ]

    def __str__(self) -> str:
        return f"crowd of {self.campaign}"

    @property
    def preset(self) -> Preset:
        """The platform's defaults; None if no platform is chosen yet."""
        return _PRESETS.get(self.platform, platforms.OTHER)

    @property
    def names(self) -> Preset:
        """The names of the parameters: the campaign's if set, otherwise the platform's."""
        preset = self.preset
        return Preset(
            worker=self.worker_parameter or preset.worker,
            visit=self.visit_parameter or preset.visit,
            captured=tuple(dict.fromkeys((*preset.captured, *self.captured_parameters))),
            return_url=self.return_url or preset.return_url,
        )

    @property
    def consent_digest(self) -> str:
        """Digest that identifies a version of the text."""
        return text_digest(self.consent)

    @property
    def place(self) -> str:
        """Name of the platform within a sentence."""
        return "the platform" if self.platform == Platform.OTHER else self.get_platform_display()

    @property
    def is_framed(self) -> bool:
        """Whether the platform shows the entry in a frame of its own page."""
        return self.platform == Platform.MECHANICAL_TURK

    @property
    def least_screens(self) -> int:
        """Minimum number of screens of a visit with incomplete batches, as long as any are left."""
        return self.batches_per_visit * max(self.campaign.design.batch_size // 2, 1)

    def clean(self) -> None:
        faults: dict[str, str] = {}
        if self.platform == Platform.OTHER and not self.worker_parameter:
            faults["worker_parameter"] = "Enter the parameter that holds the worker's id."
        if self.worker_parameter and self.worker_parameter == self.visit_parameter:
            faults["visit_parameter"] = "This parameter already holds the worker's id."
        if len(self.captured_parameters) > MOST_CAPTURED:
            faults["captured_parameters"] = f"Enter at most {MOST_CAPTURED} parameters."
        for name in self.captured_parameters:
            try:
                _parameter(name)
            except ValidationError as error:
                faults["captured_parameters"] = f"{name}: {error.message}"
        if self.return_url and not _RETURN_URL.fullmatch(self.return_url):
            faults["return_url"] = "Enter an https:// address that contains {code} once."
        if self.code_failed == self.code_passed:
            faults["code_failed"] = "Choose a code that differs from the completion code."
        if self.code_returned in (self.code_passed, self.code_failed):
            faults["code_returned"] = "Choose a code that differs from the other two."
        if faults:
            raise ValidationError(faults)


class Consent(models.Model):
    """A version of the consent text, stored unchanged."""

    crowd = models.ForeignKey(Crowd, models.CASCADE, related_name="consents")
    text = models.TextField()
    digest = models.CharField(max_length=64, help_text="SHA-256 of the text.")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["crowd", "digest"], name="consent_is_kept_once"),
        ]

    def __str__(self) -> str:
        return f"{self.crowd}: {self.digest[:8]}"


class Worker(models.Model):
    """An annotator from a platform. Only this row holds the platform's id, and only admins see it."""

    crowd = models.ForeignKey(Crowd, models.CASCADE, related_name="workers")
    annotator = models.OneToOneField(Annotator, models.CASCADE, related_name="worker")
    platform_id = models.CharField(max_length=128)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["crowd", "platform_id"], name="worker_is_known_once"),
        ]

    def __str__(self) -> str:
        return self.platform_id


class Visit(models.Model):
    """The unit that the platform pays for: a submission or an assignment.

    It ends once, with a code, and counts the worker's work that no earlier visit has counted."""

    worker = models.ForeignKey(Worker, models.CASCADE, related_name="visits")
    key = models.CharField(max_length=128, blank=True, help_text="The platform's id of the visit.")
    parameters = models.JSONField(
        default=dict, blank=True, help_text="Further parameters captured from the address."
    )
    consent = models.ForeignKey(Consent, models.RESTRICT, related_name="visits")
    agreed_at = models.DateTimeField(help_text="When they agreed to this version of the text.")
    opened_at = models.DateTimeField(default=timezone.now, editable=False)
    ended_at = models.DateTimeField(null=True, blank=True)
    passed = models.BooleanField(null=True, blank=True)
    code = models.CharField(max_length=64, blank=True, help_text="The code as it was shown.")
    batches = models.PositiveIntegerField(default=0)
    screens = models.PositiveIntegerField(default=0)
    active_ms = models.PositiveBigIntegerField(default=0)
    control_cases = models.PositiveIntegerField(
        null=True,
        blank=True,
        help_text="Screens with source and control that the worker had judged by the end of the visit.",
    )
    control_passed = models.PositiveIntegerField(
        null=True, blank=True, help_text="Those with the control below the source."
    )
    was_checked = models.BooleanField(
        null=True,
        blank=True,
        help_text="Whether these were enough for the control rule; null if the campaign has no such screens.",
    )

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["worker", "key"], name="visit_is_known_once"),
            models.CheckConstraint(
                condition=Q(ended_at__isnull=True, passed__isnull=True, code="")
                | Q(ended_at__isnull=False, passed__isnull=False) & ~Q(code=""),
                name="visit_ends_with_a_code",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.worker} {self.key}"

    @property
    def outcome(self) -> str:
        """The outcome in one word."""
        if self.ended_at is None:
            return "incomplete"
        return "passed" if self.passed else "failed"
