"""Systems that participants of a shared task submit themselves."""

import uuid

from django.conf import settings
from django.db import models
from django.utils import timezone

from annotate.models.corpora import Corpus, System, validate_heading
from formats import MAX_NAME_CHARS


class SubmissionLink(models.Model):
    """A link by which anybody can submit a system to a corpus until a date.

    Only the digest of its token is stored; the token is derived from the secret key and the generation.
    """

    uuid = models.UUIDField(default=uuid.uuid4, editable=False, unique=True)
    corpus = models.ForeignKey(Corpus, models.CASCADE, related_name="submission_links")
    task = models.CharField(max_length=MAX_NAME_CHARS, validators=[validate_heading])
    ends_at = models.DateTimeField()
    accepts_by_itself = models.BooleanField(
        default=False, help_text="Confirmed submissions join the corpus without an admin."
    )
    token_digest = models.CharField(max_length=64)
    generation = models.CharField(max_length=32, help_text="Random part of the token.")
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="submission_links"
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created_at"]
        constraints = [
            models.UniqueConstraint(fields=["token_digest"], name="submission_token_is_unique"),
        ]

    def __str__(self) -> str:
        return f"{self.task} ({self.corpus})"

    @property
    def element(self) -> str:
        """The id of its element on a page of links."""
        return f"link-{self.pk}"

    @property
    def is_open(self) -> bool:
        """Whether systems can be submitted now."""
        return self.revoked_at is None and timezone.now() < self.ends_at


class Submission(models.Model):
    """A system that a participant submits, found by the digest of the token of their private link."""

    uuid = models.UUIDField(default=uuid.uuid4, editable=False, unique=True)
    link = models.ForeignKey(SubmissionLink, models.CASCADE, related_name="submissions")
    name = models.CharField(max_length=MAX_NAME_CHARS, help_text="Of the system, as the participant gave it.")
    token_digest = models.CharField(max_length=64)
    system = models.ForeignKey(System, models.SET_NULL, null=True, blank=True, related_name="submissions")
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["-created_at", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["token_digest"], name="private_token_is_unique"),
        ]

    def __str__(self) -> str:
        return self.name


class SubmittedFile(models.Model):
    """A file of outputs: checked, then confirmed by the participant, then accepted into the corpus."""

    submission = models.ForeignKey(Submission, models.CASCADE, related_name="files")
    file_name = models.CharField(max_length=MAX_NAME_CHARS)
    text = models.TextField(blank=True, help_text="One output a line.")
    lines = models.PositiveIntegerField()
    unchanged = models.PositiveIntegerField(help_text="Number of outputs that are the source sentence.")
    empty = models.PositiveIntegerField()
    uploaded_at = models.DateTimeField(default=timezone.now, editable=False)
    confirmed_at = models.DateTimeField(null=True, blank=True)
    accepted_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["submission", "pk"]

    def __str__(self) -> str:
        return f"{self.submission}: {self.file_name}"
