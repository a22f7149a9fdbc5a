"""Filters sentences by their labelled edits, and by whether a system makes or misses them."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, TypeVar

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery, TextChoices

from annotate.models import Corpus, OutputEdit, Production, ReferenceEdit, Sentence, System
from annotate.models.edits import NONE
from metrics.edits.errant_types import DETECTED_ONLY, in_words


class Outcome(TextChoices):
    """Outcome of comparing an edit with the references."""

    MADE = "made", "made"
    HIT = "hit", "hit (in a reference, too)"
    WRONG = "wrong", "wrong (in no reference)"
    MISSED = "missed", "missed (only in a reference)"


Edits = TypeVar("Edits", QuerySet[OutputEdit], QuerySet[ReferenceEdit])

NO_SYSTEM = "Choose the system that misses the edit."


@dataclass(frozen=True, slots=True)
class EditFilter:
    """The edits that a sentence must have. Without type, system and outcome, all sentences pass.

    Attributes:
        type: ERRANT's type, such as "R:PREP"; empty for any.
        system: name of the system that makes the edits; empty for any system.
        outcome: one of `Outcome`; empty for any edit of the system or, without a system, of systems and
            references.
        annotator: annotator of the references to compare with; empty for all.
    """

    type: str = ""
    system: str = ""
    outcome: str = ""
    annotator: str = ""

    def __bool__(self) -> bool:
        """Whether it restricts the sentences."""
        return bool(self.type or self.system or self.outcome)

    @property
    def is_about_references(self) -> bool:
        """Whether the references show why a sentence matches."""
        return self.outcome in (Outcome.HIT, Outcome.WRONG, Outcome.MISSED)

    @property
    def lacks_a_system(self) -> bool:
        """Whether missed edits are requested without a system."""
        return self.outcome == Outcome.MISSED and not self.system

    def in_words(self, system: str) -> str:
        """The property of matching sentences in words; `system` is the system's label."""
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
    """The filter of edits within a filter of sentences."""
    return EditFilter(**{each.name: asked[each.name] for each in fields(EditFilter) if each.name in asked})


def with_edits(sentences: QuerySet[Sentence], corpus: Corpus, asked: EditFilter) -> QuerySet[Sentence]:
    """The sentences that have such an edit.

    Two edits are the same if span and correction are equal, as in ERRANT. The type is that of the system's
    edit or, for a missed edit, of the reference's edit. Edits that only mark an error are not compared, and
    only sentences with a reference have wrong edits.
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
    """Edits of the system's output (or of all outputs) of the sentence in this column of the outer query.

    The output is looked up first, by the index on sentence and system: scanning the edits of all outputs of
    100,000 sentences takes SQLite seconds.
    """
    if system is None:
        return OutputEdit.objects.filter(sentence=OuterRef(sentence))
    of_system = Production.objects.filter(system=system, sentence=OuterRef(OuterRef(sentence)))
    return OutputEdit.objects.filter(output=Subquery(of_system.values("output")))


def _gold(annotator: str, sentence: str) -> QuerySet[ReferenceEdit]:
    """Edits of the annotator's reference, or of all references, of the sentence in this outer column."""
    edits = ReferenceEdit.objects.filter(sentence=OuterRef(sentence))
    return edits.filter(reference__annotator=annotator) if annotator else edits


def _same(edits: Edits) -> Edits:
    """Edits with the same span and correction as the edit of the outer query."""
    return edits.filter(**{column: OuterRef(column) for column in ("start", "end", "correction")})
