"""Sentences by their labelled edits: those that a system makes, rightly or wrongly, and those it misses."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, TypeVar

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery, TextChoices

from annotate.models import Corpus, OutputEdit, Production, ReferenceEdit, Sentence, System
from annotate.models.edits import NONE
from metrics.errant_types import DETECTED_ONLY, in_words


class Outcome(TextChoices):
    """What becomes of an edit beside the references."""

    MADE = "made", "made"
    HIT = "hit", "hit (in a reference, too)"
    WRONG = "wrong", "wrong (in no reference)"
    MISSED = "missed", "missed (only in a reference)"


Edits = TypeVar("Edits", QuerySet[OutputEdit], QuerySet[ReferenceEdit])

NO_SYSTEM = "Choose the system that misses the edit."


@dataclass(frozen=True, slots=True)
class EditFilter:
    """Which edits a sentence must have. Without a type, a system and an outcome, it leaves all sentences.

    Attributes:
        type: ERRANT's, such as "R:PREP"; empty for any.
        system: whose edits, by its name; empty for any system.
        outcome: one of `Outcome`; empty for edits that are made, and without a system for those of references
            as well.
        annotator: whose references to compare with; empty for all.
    """

    type: str = ""
    system: str = ""
    outcome: str = ""
    annotator: str = ""

    def __bool__(self) -> bool:
        """Whether it asks for anything."""
        return bool(self.type or self.system or self.outcome)

    @property
    def is_about_references(self) -> bool:
        """Whether references show why a sentence is there."""
        return self.outcome in (Outcome.HIT, Outcome.WRONG, Outcome.MISSED)

    @property
    def lacks_a_system(self) -> bool:
        """Whether there is no telling who misses the edit."""
        return self.outcome == Outcome.MISSED and not self.system

    def in_words(self, system: str) -> str:
        """What the sentences have in common that it leaves; `system` is what people call the system."""
        edit = f"an edit of type {self.type} ({in_words(self.type)})" if self.type else "an edit"
        reference = f"the reference of {self.annotator}" if self.annotator else "a reference"
        made = f"{system or 'a system'} makes {edit}"
        match self.outcome:
            case Outcome.HIT:
                return f"{made}, and {reference} makes the same edit"
            case Outcome.WRONG if self.annotator:
                return f"{made}, and {reference} does not make the same edit"
            case Outcome.WRONG:
                return f"{made}, and no reference makes the same edit"
            case Outcome.MISSED:
                return f"{reference} makes {edit}, and {system} does not make the same edit"
            case "" if not system:
                return f"a system or a reference makes {edit}"
        return made


def edit_filter(asked: Mapping[str, Any]) -> EditFilter:
    """What is asked of edits, among all that is asked of sentences."""
    return EditFilter(**{each.name: asked[each.name] for each in fields(EditFilter) if each.name in asked})


def with_edits(sentences: QuerySet[Sentence], corpus: Corpus, asked: EditFilter) -> QuerySet[Sentence]:
    """Those of the sentences that have such an edit.

    Two edits are the same if span and correction are, as in ERRANT. The type is that of the system's
    edit, for a missed edit that of the reference's. Edits that only mark an error are not compared, and
    only a sentence with a reference has wrong edits.
    """
    system = None
    if asked.system and (system := corpus.systems.filter(name=asked.system).first()) is None:
        return sentences.none()
    wanted = Q(type=asked.type) if asked.type else ~Q(type=NONE)
    made, gold = _made_by(system, "pk"), _gold(asked.annotator, "pk")
    in_gold = Exists(_same(_gold(asked.annotator, "sentence").exclude(type=DETECTED_ONLY)))
    match asked.outcome:
        case Outcome.HIT:
            return sentences.filter(Exists(made.filter(wanted, in_gold)))
        case Outcome.WRONG:
            return sentences.filter(Exists(gold), Exists(made.filter(wanted, ~in_gold)))
        case Outcome.MISSED:
            missed = gold.filter(wanted, ~Exists(_same(_made_by(system, "sentence"))))
            return sentences.filter(Exists(made), Exists(missed.exclude(type=DETECTED_ONLY)))
        case "" if system is None:
            return sentences.filter(Exists(made.filter(wanted)) | Exists(gold.filter(wanted)))
    return sentences.filter(Exists(made.filter(wanted)))


def _made_by(system: System | None, sentence: str) -> QuerySet[OutputEdit]:
    """Edits of the system's output, or of all outputs, of the sentence in this column of the outer query.

    The output is looked up first, by the index that has one for each sentence and system: going through the
    edits of all outputs of 100,000 sentences takes SQLite seconds.
    """
    if system is None:
        return OutputEdit.objects.filter(sentence=OuterRef(sentence))
    of_system = Production.objects.filter(system=system, sentence=OuterRef(OuterRef(sentence)))
    return OutputEdit.objects.filter(output=Subquery(of_system.values("output")))


def _gold(annotator: str, sentence: str) -> QuerySet[ReferenceEdit]:
    """Edits of the annotator's reference, or of all references, of the sentence likewise."""
    edits = ReferenceEdit.objects.filter(sentence=OuterRef(sentence))
    return edits.filter(reference__annotator=annotator) if annotator else edits


def _same(edits: Edits) -> Edits:
    """Those with the span and correction of the edit of the outer query."""
    return edits.filter(**{column: OuterRef(column) for column in ("start", "end", "correction")})
