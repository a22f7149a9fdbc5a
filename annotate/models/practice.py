"""Answers to practice items that decide on admission."""

from django.db import models
from django.utils import timezone

from annotate.models.campaigns import Annotator


class PracticeAnswer(models.Model):
    """An annotator's answer to a practice item of a campaign that requires agreement before the work.

    `fields` numbers the corrections as the guidelines list them, not as shown.
    """

    annotator = models.ForeignKey(Annotator, models.CASCADE, related_name="practice_answers")
    attempt = models.PositiveSmallIntegerField(
        help_text="Number of the pass through the items, counted from 1."
    )
    number = models.PositiveSmallIntegerField(help_text="Number of the practice item, counted from 1.")
    agrees = models.BooleanField(help_text="Whether the answer agrees with the guidelines.")
    fields = models.JSONField(help_text="The entered values.")
    at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["annotator", "attempt", "number"]
        constraints = [
            models.UniqueConstraint(
                fields=["annotator", "attempt", "number"], name="practice_item_is_answered_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.annotator}, practice {self.number}, attempt {self.attempt}"
