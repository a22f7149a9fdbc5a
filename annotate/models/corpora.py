"""Corpora: sentences, systems, outputs, references."""

import uuid
from typing import ClassVar

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone

from annotate.models.uniqueness import SaysWhatIsTaken
from annotate.models.withdrawal import OfShownSystems, ShownSystems
from core.languages import language_name, tag_of
from formats import MAX_NAME_CHARS, SYSTEM_NAME
from formats.machines import MAX_FAMILY_CHARS
from formats.text.characters import name_fault
from formats.text.natural import TextRules, rules_for

LANGUAGE_TAG = r"^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*\Z"


def validate_language(text: str) -> None:
    """A BCP 47 tag, such as en or de-AT; names of languages would match the pattern of tags, too."""
    tag = tag_of(text)
    if tag.casefold() != text.casefold():
        instead = f"{tag}, the tag of {text}" if tag else "a tag such as en or de-AT"
        raise ValidationError(f"“{text}” is not a BCP 47 language tag. Enter {instead}.")


def validate_heading(name: str) -> None:
    """Names appear in headings and links, where no character may be invisible or reorder others."""
    if name != name.strip():
        raise ValidationError(f"{name!r} starts or ends with a space.")
    if fault := name_fault(name):
        raise ValidationError(f"{name!r} {fault}.")


class Tokenisation(models.TextChoices):
    """How the texts of a corpus are written. Tokens are shown as people write them."""

    NOT_STATED = "", "Not stated"
    TOKENS = "tokens", "Tokens: punctuation stands between blanks"
    RUNNING = "running", "Running text: punctuation is part of words"


class CorpusState(models.TextChoices):
    IMPORTING = "importing"
    READY = "ready"
    DELETING = "deleting"


class Corpus(SaysWhatIsTaken, models.Model):
    """A test set: sentences with outputs of systems.

    A corpus without texts holds the sentence numbers and systems of judgments imported without a corpus.
    """

    TAKEN: ClassVar = {("name",): "Another corpus has this name."}

    uuid = models.UUIDField(default=uuid.uuid4, editable=False, unique=True)
    name = models.CharField(max_length=MAX_NAME_CHARS, validators=[validate_heading])
    language = models.CharField(
        max_length=35,
        validators=[validate_language],
    )
    tokenisation = models.CharField(
        max_length=10, blank=True, choices=Tokenisation, default=Tokenisation.NOT_STATED
    )
    holds_essays = models.BooleanField(
        default=False,
        help_text="Its sentences are whole essays, in which ¶ stands for the end of a line. They are shown "
        "in paragraphs, the original beside the correction.",
    )
    has_texts = models.BooleanField(default=True)
    state = models.CharField(max_length=20, choices=CorpusState, default=CorpusState.IMPORTING)
    digest = models.CharField(max_length=64, help_text="SHA-256 of the imported content.")
    # Counted when the corpus is complete (`annotate.database.corpus_counts`), not for each page.
    sentence_count = models.PositiveIntegerField(default=0)
    distinct_outputs = models.JSONField(
        default=list, blank=True, help_text="Number of sentences with no, one, two ... distinct outputs."
    )
    error_counts = models.JSONField(default=dict, blank=True, help_text="Number of inserted errors by kind.")
    reference_styles = models.JSONField(
        default=dict,
        blank=True,
        help_text="Style of the references of an annotator, such as minimal, by the annotator's name.",
    )
    references_added_at = models.DateTimeField(
        null=True, blank=True, editable=False, help_text="When references were last added to those imported."
    )
    described_at = models.DateTimeField(
        null=True,
        blank=True,
        editable=False,
        help_text="When its language, roles or domains were last changed, on which results depend.",
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    touched_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(fields=["name"], name="corpus_name_is_unique"),
            models.CheckConstraint(
                condition=Q(tokenisation__in=Tokenisation.values), name="corpus_tokenisation_is_known"
            ),
            models.CheckConstraint(condition=Q(state__in=CorpusState.values), name="corpus_state_is_known"),
            models.CheckConstraint(
                condition=Q(language__regex=LANGUAGE_TAG), name="corpus_language_is_a_tag"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("corpus", args=[self.uuid])

    @property
    def withdrawn(self) -> "models.QuerySet[System]":
        """Its withdrawn systems by name."""
        return System.every.filter(corpus=self).exclude(withdrawn_at=None).order_by("name")

    @property
    def language_name(self) -> str:
        """Its language in English."""
        return language_name(self.language)

    @property
    def description_state(self) -> str:
        """Changes with what results depend on beside the texts; empty as long as that is as imported."""
        return f"|{self.described_at.timestamp():.3f}" if self.described_at else ""

    @property
    def text_rules(self) -> TextRules | None:
        """The rules by which its texts are shown as people write them; None if it is not tokenised."""
        return rules_for(self.language) if self.tokenisation == Tokenisation.TOKENS else None

    @property
    def has_tokens(self) -> bool:
        """Whether blanks separate tokens: not in running text of a script without blanks between words."""
        is_unspaced = rules_for(self.language) == TextRules.UNSPACED
        return not is_unspaced or self.tokenisation == Tokenisation.TOKENS

    @property
    def unit(self) -> str:
        """What its texts are, in a word."""
        return "essay" if self.holds_essays else "sentence"

    @property
    def may_be_english(self) -> bool:
        """Whether its language is English, or *und* because none was given."""
        return self.language.partition("-")[0].lower() in ("en", "und")


class Sentence(models.Model):
    """A source sentence; its text is null if it was imported with judgments only."""

    corpus = models.ForeignKey(Corpus, models.CASCADE, related_name="sentences")
    position = models.PositiveIntegerField(help_text="Counted from 0 in the order of the corpus.")
    document = models.CharField(max_length=MAX_NAME_CHARS, blank=True)
    domain = models.CharField(max_length=MAX_NAME_CHARS, blank=True)
    text = models.TextField(null=True)

    class Meta:
        ordering = ["corpus", "position"]
        constraints = [
            models.UniqueConstraint(fields=["corpus", "position"], name="sentence_position_is_unique"),
            models.CheckConstraint(
                condition=Q(text__isnull=True) | ~Q(text=""), name="sentence_text_is_not_empty"
            ),
        ]
        indexes = [
            models.Index(fields=["corpus", "document", "position"], name="sentence_of_document"),
            models.Index(fields=["corpus", "domain", "position"], name="sentence_of_domain"),
        ]

    def __str__(self) -> str:
        return f"{self.corpus} {self.position}"


class SystemRole(models.TextChoices):
    SYSTEM = "system"
    SOURCE = "source"
    REFERENCE = "reference"
    CONTROL = "control"


class System(models.Model):
    """A system that produced outputs of a corpus.

    Its name is the identifier in files, snapshots, scores and the API; pages and figures for admins and
    researchers show its label.
    """

    corpus = models.ForeignKey(Corpus, models.CASCADE, related_name="systems")
    name = models.CharField(max_length=MAX_NAME_CHARS)
    label = models.CharField(
        max_length=MAX_NAME_CHARS, blank=True, help_text="Name shown on pages; if empty, the system's name."
    )
    role = models.CharField(max_length=20, choices=SystemRole, default=SystemRole.SYSTEM)
    family = models.CharField(
        max_length=MAX_FAMILY_CHARS,
        blank=True,
        validators=[validate_heading],
        help_text="Family of the model that made the outputs, such as GPT; empty if none is stated.",
    )
    is_whole = models.BooleanField(
        default=True, help_text="All its outputs are stored; until then, no campaign can use it."
    )
    withdrawn_at = models.DateTimeField(
        null=True,
        blank=True,
        editable=False,
        help_text="When it was withdrawn: pages, metrics and rankings leave it out; judgments and published "
        "results keep it.",
    )

    objects = ShownSystems()
    every = models.Manager["System"]()

    class Meta:
        ordering = ["corpus", "name"]
        constraints = [
            models.UniqueConstraint(fields=["corpus", "name"], name="system_name_is_unique"),
            models.CheckConstraint(
                condition=Q(name__regex=rf"^{SYSTEM_NAME.pattern}\Z"), name="system_name_is_plain"
            ),
            models.CheckConstraint(condition=Q(role__in=SystemRole.values), name="system_role_is_known"),
            models.UniqueConstraint(
                fields=["corpus"], condition=Q(role="source"), name="corpus_has_one_source_system"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def shown(self) -> str:
        """The label, or else the name."""
        return self.label or self.name


class Output(models.Model):
    """One distinct stripped text of a sentence, shared by all systems that produced it.

    An empty text is a valid output; the text is null if only the output's systems are known.
    """

    sentence = models.ForeignKey(Sentence, models.CASCADE, related_name="outputs")
    text = models.TextField(null=True)
    digest = models.CharField(
        max_length=64, help_text="SHA-256 of the text, which alone would be too long for an index."
    )
    systems = models.ManyToManyField(System, through="Production", related_name="outputs")

    class Meta:
        ordering = ["sentence", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["sentence", "digest"], name="output_is_distinct"),
        ]

    def __str__(self) -> str:
        return self.text if self.text is not None else f"(text unknown) {self.digest[:8]}"


class Production(models.Model):
    """Links a system to an output. It includes the sentence to enforce one output per system."""

    system = models.ForeignKey(System, models.CASCADE, related_name="productions")
    output = models.ForeignKey(Output, models.CASCADE, related_name="productions")
    sentence = models.ForeignKey(Sentence, models.CASCADE, related_name="productions")

    objects = OfShownSystems()
    every = models.Manager["Production"]()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["sentence", "system"], name="system_has_one_output_per_sentence"),
        ]

    def __str__(self) -> str:
        return f"{self.system} → {self.output}"


class InsertedError(models.Model):
    """An error inserted into the source to make a control. Character offsets count from 0."""

    production = models.ForeignKey(Production, models.CASCADE, related_name="errors")
    kind = models.CharField(max_length=30)
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField(help_text="Exclusive; equal to the start if nothing is replaced.")
    replacement = models.TextField(blank=True, help_text="Text that replaces the source's.")

    class Meta:
        ordering = ["production", "start"]
        constraints = [
            models.CheckConstraint(
                condition=Q(end__gte=models.F("start")), name="error_ends_after_its_start"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.start}-{self.end}"


class Reference(models.Model):
    """A human correction of a sentence, with its edits if the annotator marked them.

    `edits` is a list of `[start, end, kind, [correction, ...], required, comment]` over the source's tokens.
    """

    sentence = models.ForeignKey(Sentence, models.CASCADE, related_name="references")
    annotator = models.CharField(max_length=MAX_NAME_CHARS)
    text = models.TextField()
    edits = models.JSONField(null=True)

    class Meta:
        ordering = ["sentence", "annotator"]
        constraints = [
            models.UniqueConstraint(fields=["sentence", "annotator"], name="reference_is_unique"),
        ]

    def __str__(self) -> str:
        return f"{self.annotator}: {self.text}"
