"""Scores of a corpus's outputs and systems by automatic metrics."""

import uuid
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone

from annotate.models.corpora import Corpus, Output, System, validate_heading
from annotate.models.uniqueness import SaysWhatIsTaken
from annotate.models.withdrawal import OfShownSystems
from formats import MAX_NAME_CHARS

MAX_REASON_CHARS = 300


class ScoreSetState(models.TextChoices):
    STORING = "storing"
    READY = "ready"
    DELETING = "deleting"


class ScoreSet(SaysWhatIsTaken, models.Model):
    """The scores of a corpus under one metric: computed with one set of references, or uploaded.

    Systems that join the corpus later, and outputs without a score are added to a computed set when the
    corpus is scored again. Other references, parameters or versions make another set.
    """

    TAKEN: ClassVar = {
        ("corpus", "name"): "The corpus already has uploaded scores of this name.",
    }

    uuid = models.UUIDField(default=uuid.uuid4, editable=False, unique=True)
    corpus = models.ForeignKey(Corpus, models.CASCADE, related_name="score_sets")
    name = models.CharField(
        max_length=MAX_NAME_CHARS,
        validators=[validate_heading],
        help_text="The metric with the parameters that differ from their defaults, such as m2:beta=1.",
    )
    metric = models.CharField(max_length=50, blank=True, help_text="Name of the metric; empty if uploaded.")
    parameters = models.JSONField(default=dict, blank=True, help_text="All parameters by name, as text.")
    signature = models.CharField(
        max_length=500, help_text="Signature of the metric; empty if uploaded.", blank=True
    )
    references_digest = models.CharField(
        max_length=64,
        blank=True,
        help_text="SHA-256 of the references or gold edits; empty if there are none.",
    )
    references = models.CharField(
        max_length=20, blank=True, help_text="Number of references per sentence, such as 2 or 1-5."
    )
    is_uploaded = models.BooleanField(default=False)
    replicates = models.PositiveIntegerField(
        default=0, help_text="Number of bootstrap replicates for the intervals; 0 for no intervals."
    )
    seed = models.PositiveIntegerField(default=0)
    state = models.CharField(max_length=20, choices=ScoreSetState, default=ScoreSetState.READY)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="score_sets"
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["corpus", "pk"]
        verbose_name = "scores"
        verbose_name_plural = "scores"
        constraints = [
            models.UniqueConstraint(
                fields=["corpus", "signature", "references_digest"],
                condition=Q(is_uploaded=False) & ~Q(state=ScoreSetState.DELETING),
                name="scores_are_computed_once",
            ),
            models.UniqueConstraint(
                fields=["corpus", "name"],
                condition=Q(is_uploaded=True) & ~Q(state=ScoreSetState.DELETING),
                name="uploaded_scores_have_one_name",
            ),
            models.CheckConstraint(
                condition=Q(state__in=ScoreSetState.values), name="score_set_state_is_known"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("score-set", args=[self.corpus.uuid, self.uuid])


class ScorePiece(models.Model):
    """Statistics of some outputs, as arrays: reading a set makes no object for each output.

    Attributes:
        number: in the order of storing. It is unique, so two workers cannot both store the next block.
        outputs: keys of the outputs, int64.
        sizes: number of rows of each output, int64; 0 if it is not scored.
        statistics: all rows, float64, compressed by zlib.
    """

    score_set = models.ForeignKey(ScoreSet, models.CASCADE, related_name="pieces")
    number = models.PositiveIntegerField()
    outputs = models.BinaryField()
    sizes = models.BinaryField()
    statistics = models.BinaryField()

    class Meta:
        ordering = ["score_set", "number"]
        constraints = [
            models.UniqueConstraint(fields=["score_set", "number"], name="score_piece_is_stored_once"),
        ]

    def __str__(self) -> str:
        return f"{self.score_set} {self.number}"


class OutputScore(models.Model):
    """The score of an output, for pages that show, sort or search sentences."""

    score_set = models.ForeignKey(ScoreSet, models.CASCADE, related_name="output_scores", db_index=False)
    output = models.ForeignKey(Output, models.CASCADE, related_name="scores", db_index=False)
    position = models.PositiveIntegerField(help_text="Position of the sentence.")
    score = models.FloatField(null=True)
    reason = models.CharField(max_length=MAX_REASON_CHARS, blank=True, help_text="Why there is no score.")

    class Meta:
        ordering = ["score_set", "position", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["output", "score_set"], name="output_is_scored_once"),
        ]
        indexes = [
            models.Index(fields=["score_set", "position", "id"], name="output_score_by_sentence"),
            models.Index(fields=["score_set", "score", "id"], name="output_score_by_score"),
        ]

    def __str__(self) -> str:
        return f"{self.score_set} {self.position}: {self.score}"


class SystemScore(models.Model):
    """The score of a system, over the sentences for which it has an output."""

    score_set = models.ForeignKey(ScoreSet, models.CASCADE, related_name="system_scores")
    system = models.ForeignKey(System, models.CASCADE, related_name="scores")
    value = models.FloatField(null=True)
    low = models.FloatField(null=True, help_text="Lower end of the bootstrap interval.")
    high = models.FloatField(null=True, help_text="Upper end of the bootstrap interval.")
    reason = models.CharField(max_length=MAX_REASON_CHARS, blank=True, help_text="Why there is no score.")
    resamples = models.BinaryField(
        null=True,
        help_text="Scores in the bootstrap resamples, which are the same for all systems of a set: float64, "
        "compressed by zlib. Empty if uploaded, or stored before these were kept.",
    )
    details = models.JSONField(
        default=dict, blank=True, help_text="Further figures, such as precision and recall."
    )
    scored = models.PositiveIntegerField(default=0, help_text="Number of sentences that the score covers.")
    not_scored = models.PositiveIntegerField(
        default=0, help_text="Number of outputs that the metric does not score."
    )
    missing = models.PositiveIntegerField(
        default=0, help_text="Number of sentences without an output of the system."
    )

    objects = OfShownSystems()
    every = models.Manager["SystemScore"]()

    class Meta:
        ordering = ["score_set", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["score_set", "system"], name="system_is_scored_once"),
        ]

    def __str__(self) -> str:
        return f"{self.score_set} {self.system}: {self.value}"
