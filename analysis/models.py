"""Runs of analyses, from the request to the result, published results, and data releases."""

import secrets
import uuid
from typing import cast

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone

from annotate.models import Campaign, Corpus
from jobs.models import Job, JobState

COMPUTED = Q(computed_at__isnull=False)
"""Runs with a result."""

WAITING = Q(computed_at__isnull=True)
"""Runs without a result so far."""


class Run(models.Model):
    """A requested analysis, with its result once it is computed.

    It belongs to a campaign or to a corpus. Two requests are equal if they have the same analysis, campaign
    or corpus, parameters, exclusions and version of Assay. For equal requests there are at most two rows: the
    newest result, and one that waits for a newer result. Whether that one is queued, running, failed or
    cancelled is the state of its job.
    """

    uuid = models.UUIDField(default=uuid.uuid4, editable=False, unique=True)
    analysis = models.CharField(max_length=50)
    campaign = models.ForeignKey(Campaign, models.CASCADE, null=True, related_name="+")
    corpus = models.ForeignKey(Corpus, models.CASCADE, null=True, related_name="+")
    parameters = models.JSONField(help_text="All parameters by attribute.")
    left_out = models.JSONField(help_text="Excluded systems by name, and excluded annotators by pseudonym.")
    version = models.CharField(max_length=20, help_text="Of Assay.")
    request = models.CharField(
        max_length=64, help_text="SHA-256 of analysis, subject, parameters, exclusions and version."
    )

    inputs = models.CharField(max_length=200, help_text="State of the inputs; it changes when they do.")
    size = models.PositiveIntegerField(help_text="Number of answers or sentences at that time.")
    digest = models.CharField(
        max_length=64, blank=True, help_text="SHA-256 of the inputs, once they are read."
    )

    job = models.ForeignKey(
        Job, models.SET_NULL, null=True, related_name="+", help_text="The newest; null if computed by a page."
    )
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now, help_text="When it was last asked for.")
    result = models.JSONField(null=True)
    computed_at = models.DateTimeField(null=True, help_text="Null until there is a result.")

    class Meta:
        ordering = ["-created_at", "-pk"]
        constraints = [
            models.CheckConstraint(
                condition=~(COMPUTED ^ Q(result__isnull=False)), name="run_with_result_is_computed"
            ),
            models.CheckConstraint(
                condition=Q(campaign__isnull=True) ^ Q(corpus__isnull=True), name="run_has_one_subject"
            ),
            models.UniqueConstraint(fields=["request"], condition=WAITING, name="run_is_waited_for_once"),
            models.UniqueConstraint(fields=["request"], condition=COMPUTED, name="run_is_kept_once"),
        ]
        indexes = [
            models.Index(fields=["request", "-created_at"], name="run_of_request"),
            models.Index(fields=["campaign", "analysis", "-created_at"], name="run_of_campaign"),
            models.Index(fields=["corpus", "analysis", "-created_at"], name="run_of_corpus"),
        ]

    def __str__(self) -> str:
        return f"{self.analysis} of {self.subject}"

    @property
    def subject(self) -> Campaign | Corpus:
        """The campaign or corpus."""
        return cast(Campaign | Corpus, self.campaign or self.corpus)

    @property
    def has_result(self) -> bool:
        """Whether the result is there."""
        return self.computed_at is not None

    @property
    def is_being_computed(self) -> bool:
        """Whether a worker computes the result."""
        return not self.has_result and self.job is not None and self.job.state == JobState.RUNNING


class RunPart(models.Model):
    """A chunk of a run, valid for the inputs and the rule with this digest."""

    run = models.ForeignKey(Run, models.CASCADE, related_name="parts")
    digest = models.CharField(max_length=64)
    number = models.PositiveIntegerField()
    claim = models.UUIDField(null=True, help_text="Of the job that computes it, or has computed it.")
    result = models.JSONField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["run", "digest", "number"], name="part_is_computed_once")
        ]

    def __str__(self) -> str:
        return f"part {self.number} of {self.run}"


def _link() -> str:
    return secrets.token_urlsafe(24)


class Publication(models.Model):
    """A result that anyone with its link may read. It does not change with the campaign."""

    uuid = models.UUIDField(default=uuid.uuid4, editable=False, unique=True)
    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="+")
    link = models.CharField(max_length=64, default=_link, unique=True, editable=False)
    analysis = models.CharField(max_length=50, default="ranking")
    title = models.CharField(max_length=200)
    authors = models.CharField(max_length=500, blank=True, help_text="As in a citation.")
    with_names = models.BooleanField(help_text="Systems have their names, not numbers.")
    is_beside_rankings = models.BooleanField(
        default=False, help_text="The pages of the campaign's published rankings show its finding too."
    )
    parameters = models.JSONField(help_text="Of the analysis, as texts by name.")
    content = models.JSONField(null=True, help_text="What the page shows; null until it is computed.")
    job = models.ForeignKey(Job, models.SET_NULL, null=True, related_name="+")
    published_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    published_at = models.DateTimeField(default=timezone.now, editable=False)
    retracted_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-published_at", "-pk"]

    def __str__(self) -> str:
        return self.title

    def get_absolute_url(self) -> str:
        """The public page."""
        return reverse("published", args=[self.link])

    @property
    def is_awaited(self) -> bool:
        """Whether its job has yet to end."""
        return self.job is not None and not self.job.is_finished


class PublicationFigure(models.Model):
    """A figure of a publication as its page shows it."""

    publication = models.ForeignKey(Publication, models.CASCADE, related_name="figures")
    name = models.CharField(max_length=100)
    theme = models.CharField(max_length=10)
    layout = models.CharField(
        max_length=10, default="wide", help_text="Wide or narrow; figures stored earlier are wide only."
    )
    svg = models.TextField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["publication", "name", "theme", "layout"], name="figure_is_stored_once"
            )
        ]

    def __str__(self) -> str:
        return f"figure {self.name} of {self.publication}"


class PublicationPreview(models.Model):
    """The picture by which sites preview links to a publication."""

    publication = models.OneToOneField(Publication, models.CASCADE, related_name="preview")
    png = models.BinaryField()

    def __str__(self) -> str:
        return f"preview of {self.publication}"


class PublicationPiece(models.Model):
    """A part of the zip of a publication, stored in pieces so that no process holds it whole."""

    publication = models.ForeignKey(Publication, models.CASCADE, related_name="pieces")
    number = models.PositiveIntegerField()
    content = models.BinaryField()

    class Meta:
        ordering = ["publication", "number"]
        constraints = [models.UniqueConstraint(fields=["publication", "number"], name="piece_is_stored_once")]

    def __str__(self) -> str:
        return f"piece {self.number} of {self.publication}"


class Leaderboard(models.Model):
    """A fixed address that shows the current one of several published rankings, its versions.

    They are of its campaign, or of campaigns that follow this one.
    """

    uuid = models.UUIDField(default=uuid.uuid4, editable=False, unique=True)
    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="+")
    slug = models.CharField(max_length=60, unique=True, help_text="Its name in the address.")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    retired_at = models.DateTimeField(null=True)
    last_number = models.PositiveIntegerField(
        default=0, help_text="Of its versions, those that are deleted included: a number is never used again."
    )

    class Meta:
        ordering = ["slug"]

    def __str__(self) -> str:
        return self.slug

    def get_absolute_url(self) -> str:
        """The public page."""
        return reverse("leaderboard", args=[self.slug])


class LeaderboardVersion(models.Model):
    """A published result as a version of a leaderboard.

    The newest one that is computed, not retracted and not set aside is current.
    """

    leaderboard = models.ForeignKey(Leaderboard, models.CASCADE, related_name="versions")
    publication = models.OneToOneField(Publication, models.CASCADE, related_name="version")
    number = models.PositiveIntegerField(help_text="From 1, in the order of publishing.")
    is_set_aside = models.BooleanField(
        default=False, help_text="An admin has set the leaderboard back to an earlier version."
    )

    class Meta:
        ordering = ["leaderboard", "-number"]
        constraints = [
            models.UniqueConstraint(fields=["leaderboard", "number"], name="version_has_its_number_alone")
        ]

    def __str__(self) -> str:
        return f"version {self.number} of {self.leaderboard}"


class DataRelease(models.Model):
    """A data release that an admin asked for on the page of a campaign: first checked, then confirmed and
    written.
    """

    uuid = models.UUIDField(default=uuid.uuid4, editable=False, unique=True)
    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="+")
    further = models.ManyToManyField(
        Campaign, related_name="+", help_text="Other campaigns on the same corpus that are released with it."
    )
    name = models.CharField(max_length=100, help_text="Of the data set.")
    version = models.CharField(max_length=40, help_text="Of the data set, such as 1.0.0.")
    about = models.JSONField(help_text="What the authors state, by the keys of the command's file.")
    options = models.JSONField(help_text="What else is released; see `releases.options`.")
    checks = models.JSONField(null=True, help_text="What the checks found; null until they are done.")
    confirmed = models.JSONField(null=True, help_text="What was confirmed; null until the release is.")
    content = models.JSONField(null=True, help_text="What is in it; null until it is written.")
    job = models.ForeignKey(Job, models.SET_NULL, null=True, related_name="+", help_text="The newest.")
    released_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["-created_at", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "name", "version"], name="version_is_released_once")
        ]

    def __str__(self) -> str:
        return f"{self.name} {self.version}"

    def get_absolute_url(self) -> str:
        """Its page."""
        return reverse("data-release", args=[self.campaign.uuid, self.uuid])

    @property
    def campaigns(self) -> list[Campaign]:
        """All its campaigns, in the order in which they were made."""
        return sorted([self.campaign, *self.further.all()], key=lambda each: each.pk)

    @property
    def is_written(self) -> bool:
        """Whether the zip is there."""
        return self.content is not None

    @property
    def is_busy(self) -> bool:
        """Whether it is being checked or written."""
        return self.job is not None and not self.job.is_finished


class DataReleasePiece(models.Model):
    """A part of the zip of a data release, stored in pieces so that no process holds it whole."""

    release = models.ForeignKey(DataRelease, models.CASCADE, related_name="pieces")
    number = models.PositiveIntegerField()
    content = models.BinaryField()

    class Meta:
        ordering = ["release", "number"]
        constraints = [
            models.UniqueConstraint(fields=["release", "number"], name="release_piece_is_stored_once")
        ]

    def __str__(self) -> str:
        return f"piece {self.number} of {self.release}"
