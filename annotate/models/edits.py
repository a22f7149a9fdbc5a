"""Edits of outputs and references with ERRANT's types, as a job has found them."""

from django.db import models
from django.db.models import F, Q

from annotate.models.corpora import Corpus, Output, Reference, Sentence

NONE = "noop"
"""Stands in place of a type where a text has no edits, as in M2: that text has been looked at."""


class EditLabels(models.Model):
    """That the edits of a corpus are labelled, how, and how many: changed with each piece that is stored."""

    corpus = models.OneToOneField(Corpus, models.CASCADE, primary_key=True, related_name="edit_labels")
    signature = models.TextField(
        blank=True, help_text="How edits were found; empty while those of another signature are deleted."
    )
    is_whole = models.BooleanField(
        default=False, help_text="All texts that there were have been looked at; later ones may be missing."
    )
    outputs = models.PositiveIntegerField(default=0, help_text="Outputs that have been looked at.")
    references = models.PositiveIntegerField(default=0, help_text="References that have been looked at.")
    annotators = models.JSONField(default=list, blank=True, help_text="Whose references there are.")
    types = models.JSONField(default=dict, blank=True, help_text="Number of edits by type.")

    def __str__(self) -> str:
        return f"{self.corpus}: {self.signature}"


class Edit(models.Model):
    """An edit of a sentence; its span are tokens of the source, counted from 0.

    A text without edits has one row of the type `NONE`.
    """

    sentence = models.ForeignKey(Sentence, models.CASCADE, db_index=False)
    type = models.CharField(max_length=12)
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField(help_text="Exclusive; as the start for an insertion.")
    correction = models.TextField(blank=True, help_text="What stands there instead; empty for a deletion.")

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
