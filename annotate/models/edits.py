"""Edits of outputs and references with ERRANT's types, stored by a job."""

from django.db import models
from django.db.models import F, Q

from annotate.models.corpora import Corpus, Output, Reference, Sentence

NONE = "noop"
"""Stands for the type of an edit where a labelled text has no edits, as in M2."""


class EditLabels(models.Model):
    """How the edits of a corpus are labelled, and how many. Updated with each piece that is stored."""

    corpus = models.OneToOneField(Corpus, models.CASCADE, primary_key=True, related_name="edit_labels")
    signature = models.TextField(
        blank=True, help_text="How edits were extracted; empty while edits of another signature are deleted."
    )
    is_whole = models.BooleanField(
        default=False, help_text="All texts that existed then are labelled; later ones may not be."
    )
    outputs = models.PositiveIntegerField(default=0, help_text="Number of labelled outputs.")
    references = models.PositiveIntegerField(default=0, help_text="Number of labelled references.")
    annotators = models.JSONField(
        default=list, blank=True, help_text="Names of the annotators of the references."
    )
    types = models.JSONField(default=dict, blank=True, help_text="Number of edits by type.")

    def __str__(self) -> str:
        return f"{self.corpus}: {self.signature}"


class Edit(models.Model):
    """An edit of a sentence; its span is in tokens of the source, counted from 0.

    A text without edits has one row of the type `NONE`.
    """

    sentence = models.ForeignKey(Sentence, models.CASCADE, db_index=False)
    type = models.CharField(max_length=12)
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField(help_text="Exclusive; equal to the start for an insertion.")
    correction = models.TextField(blank=True, help_text="Text that replaces the span; empty for a deletion.")

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self.type} {self.start}-{self.end} {self.correction}"


class OutputEdit(Edit):
    """An edit of an output."""

    output = models.ForeignKey(Output, models.CASCADE, related_name="edits")

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(end__gte=F("start")), name="output_edit_ends_after_its_start"),
        ]
        indexes = [models.Index(fields=["sentence", "type"], name="output_edit_of_sentence")]


class ReferenceEdit(Edit):
    """An edit of a reference."""

    reference = models.ForeignKey(Reference, models.CASCADE, related_name="labelled_edits")

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(end__gte=F("start")), name="reference_edit_ends_after_its_start"
            ),
        ]
        indexes = [models.Index(fields=["sentence", "type"], name="reference_edit_of_sentence")]
