"""Judgments, their revisions and ratings."""

import uuid

from django.db import models
from django.db.models import Q

from annotate.models.campaigns import Annotator, Campaign, Item, ItemOutput
from annotate.models.people import JudgmentsOfPeople
from annotate.models.slots import Showing, Slot
from formats.records import MAX_VERDICT_CHARS
from formats.snapshot import vocabulary
from formats.snapshot.vocabulary import Opinion


class JudgmentState(models.TextChoices):
    """The states as files name them, with their labels."""

    COMPLETE = vocabulary.JudgmentState.COMPLETE.value
    SKIPPED = vocabulary.JudgmentState.SKIPPED.value
    AUTO = vocabulary.JudgmentState.AUTO.value
    SURPLUS = vocabulary.JudgmentState.SURPLUS.value


SAYS_SOMETHING = Q(is_reported=True) | Q(state=JudgmentState.SKIPPED)
"""Judgments that were skipped or have a note."""


class Judgment(models.Model):
    """One annotator's answer to one item. Its revisions hold the content and the times.

    *auto*: the item has one output, so there was nothing to ask. *surplus*: the answer arrived after its slot
    had been given to someone else; it is stored, but does not count as one of the wanted judgments.

    The usual manager leaves out judgments of machines, which fill no slot; their repetitions count how often
    the machine was asked before. `every` has all.
    """

    uuid = models.UUIDField(default=uuid.uuid4, editable=False, unique=True)
    campaign = models.ForeignKey(
        Campaign,
        models.CASCADE,
        related_name="judgments",
        db_index=False,
        help_text="Copied from the item, so that a page of a campaign's judgments reads a range of an index.",
    )
    item = models.ForeignKey(Item, models.CASCADE, related_name="judgments", db_index=False)
    annotator = models.ForeignKey(Annotator, models.RESTRICT, related_name="judgments", db_index=False)
    slot = models.OneToOneField(Slot, models.SET_NULL, null=True, blank=True, related_name="judgment")
    showing = models.OneToOneField(Showing, models.SET_NULL, null=True, blank=True, related_name="judgment")
    repetition = models.PositiveIntegerField()
    state = models.CharField(max_length=20, choices=JudgmentState)
    # A number, because SQLite finds no flag by an index.
    by_machine = models.PositiveSmallIntegerField(
        default=0,
        help_text="1 for a machine's, copied from the annotator, so that people's are a range of an index.",
    )
    is_reported = models.BooleanField(
        default=False, help_text="The annotator answered the item and added a note about it."
    )

    objects = JudgmentsOfPeople["Judgment"]()
    every = models.Manager["Judgment"]()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(state__in=JudgmentState.values), name="judgment_state_is_known"
            ),
            models.UniqueConstraint(
                fields=["item", "repetition"],
                condition=Q(state__in=[JudgmentState.COMPLETE, JudgmentState.AUTO], by_machine=0),
                name="repetition_is_answered_once",
            ),
            models.UniqueConstraint(
                fields=["annotator", "item", "repetition"],
                condition=Q(by_machine=1),
                name="machine_answers_once",
            ),
            models.CheckConstraint(
                condition=Q(by_machine=0) | Q(slot=None, showing=None), name="machine_fills_no_slot"
            ),
        ]
        indexes = [
            models.Index(fields=["item", "by_machine", "state"], name="judgment_of_item"),
            models.Index(fields=["annotator", "item"], name="judgment_of_annotator"),
            models.Index(fields=["annotator", "id"], name="judgment_page_of_annotator"),
            models.Index(fields=["campaign", "by_machine", "id"], name="judgment_page"),
            models.Index(fields=["campaign", "by_machine", "state", "id"], name="judgment_page_in_state"),
            models.Index(
                fields=["campaign", "by_machine", "id"],
                condition=Q(is_reported=True),
                name="judgment_page_reported",
            ),
            models.Index(
                fields=["campaign", "by_machine", "id"], condition=SAYS_SOMETHING, name="report_page"
            ),
            models.Index(
                fields=["annotator", "id"], condition=SAYS_SOMETHING, name="report_page_of_annotator"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.annotator} on {self.item}"


class Revision(models.Model):
    """One version of a judgment: measured times, and the answer with its ratings. A change adds another.

    The submission key comes with the answer: an answer that is sent twice has the same key, and is stored
    once.
    """

    judgment = models.ForeignKey(Judgment, models.CASCADE, related_name="revisions")
    number = models.PositiveSmallIntegerField(default=1)
    is_current = models.BooleanField(default=True)
    submission_key = models.UUIDField(default=uuid.uuid4, editable=False)
    started_at = models.DateTimeField(null=True)
    submitted_at = models.DateTimeField(null=True)
    active_ms = models.PositiveBigIntegerField(null=True)
    text = models.TextField(null=True, help_text="The first text of the answer.")
    note = models.TextField(
        blank=True, help_text="Reason for skipping, or a note about a problem with the item."
    )
    # Null if the answer has none, as with most protocols.
    further_texts = models.JSONField(null=True, help_text="The texts of the answer after the first.")
    verdict = models.CharField(max_length=MAX_VERDICT_CHARS, null=True)
    details = models.JSONField(null=True, help_text="Further data of the protocol, as a JSON object.")
    opinion = models.CharField(
        max_length=20,
        choices=[(opinion.value, opinion.value) for opinion in Opinion],
        null=True,
        help_text="Whether the annotator knew a machine's answer; null where the campaign shows none, or "
        "nothing was asked.",
    )

    class Meta:
        ordering = ["judgment", "number"]
        constraints = [
            models.UniqueConstraint(fields=["judgment", "number"], name="revision_number_is_unique"),
            models.UniqueConstraint(fields=["judgment", "submission_key"], name="submission_is_stored_once"),
            models.UniqueConstraint(
                fields=["judgment"], condition=Q(is_current=True), name="judgment_has_one_current_revision"
            ),
            models.CheckConstraint(
                condition=Q(opinion=None) | Q(opinion__in=list(map(str, Opinion))),
                name="revision_opinion_is_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.judgment}, revision {self.number}"

    @property
    def texts(self) -> tuple[str, ...]:
        """All texts, in order."""
        return () if self.text is None else (self.text, *(self.further_texts or ()))


class Rating(models.Model):
    """The value that a judgment gives to one output."""

    revision = models.ForeignKey(Revision, models.CASCADE, related_name="ratings")
    item_output = models.ForeignKey(ItemOutput, models.RESTRICT, related_name="ratings")
    position = models.PositiveSmallIntegerField(help_text="Counted from 0, as shown on the screen.")
    rank = models.PositiveSmallIntegerField(null=True, help_text="1 is best; equal ranks are ties.")
    score = models.PositiveSmallIntegerField(null=True)
    meaning_changed = models.BooleanField(null=True)
    touched = models.BooleanField(
        null=True,
        help_text="Whether it was entered on this screen; null if the protocol does not record this.",
    )
    rating_details = models.JSONField(
        null=True, help_text="Further data of the protocol about the output, as a JSON object."
    )

    class Meta:
        ordering = ["revision", "position"]
        constraints = [
            models.UniqueConstraint(fields=["revision", "item_output"], name="output_is_rated_once"),
            models.UniqueConstraint(fields=["revision", "position"], name="rating_has_its_place"),
            models.CheckConstraint(
                condition=Q(rank__isnull=True) | Q(rank__gte=1), name="rank_counts_from_one"
            ),
            models.CheckConstraint(
                condition=Q(score__isnull=True) | Q(score__lte=100), name="score_is_at_most_100"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.item_output}: {self.rank if self.rank is not None else self.score}"
