"""Corrections from a campaign that became references of its corpus, or a system."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone

from annotate.models.campaigns import Campaign
from annotate.models.corpora import Corpus, Reference, System
from formats import MAX_NAME_CHARS


class Origin(models.TextChoices):
    WRITTEN = "written", "Written by annotators"
    JUDGED = "judged", "Outputs of systems judged valid"


class ReferenceSet(models.Model):
    """The provenance of references, or of a system, that an admin made of a campaign's answers.

    Annotators appear by pseudonym. Deleting the campaign keeps the references and the campaign's name.
    """

    uuid = models.UUIDField(default=uuid.uuid4, editable=False, unique=True)
    corpus = models.ForeignKey(Corpus, models.CASCADE, related_name="reference_sets")
    campaign = models.ForeignKey(Campaign, models.SET_NULL, null=True, related_name="reference_sets")
    campaign_name = models.CharField(max_length=MAX_NAME_CHARS)
    origin = models.CharField(max_length=10, choices=Origin)
    system = models.OneToOneField(
        System,
        models.CASCADE,
        null=True,
        related_name="made_of",
        help_text="The system that was made; null if references were made.",
    )
    size = models.PositiveIntegerField(help_text="Number of references, or of outputs of the system.")
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="reference_sets"
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["corpus", "pk"]
        constraints = [
            models.CheckConstraint(condition=Q(origin__in=Origin.values), name="reference_origin_is_known"),
        ]

    def __str__(self) -> str:
        return f"{self.campaign_name}: {self.size}"

    def get_absolute_url(self) -> str:
        return reverse("references", args=[self.corpus.uuid])


class CollectedReference(models.Model):
    """A reference of a set, with the systems that produced the same text when it was made."""

    reference = models.OneToOneField(Reference, models.CASCADE, primary_key=True, related_name="collected")
    reference_set = models.ForeignKey(ReferenceSet, models.CASCADE, related_name="collected")
    systems = models.JSONField(
        default=list, help_text="Sorted names of the systems whose output was judged; empty if written."
    )

    def __str__(self) -> str:
        return f"{self.reference} ({self.reference_set})"
