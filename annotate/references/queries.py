"""The references that a corpus has."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count, F, Max, Min, Q

from annotate.models import Corpus, Reference, ReferenceSet
from core.wording import counted


@dataclass(frozen=True, slots=True)
class AnnotatorsReferences:
    """The references of one annotator.

    Attributes:
        annotator: their name; a pseudonym if the references came from a campaign.
        sentences: number of sentences that they corrected.
        unchanged: number of these whose reference is the source.
        with_edits: number of these whose reference has marked edits.
        origin: the campaign's references among which they are; None if imported.
    """

    annotator: str
    sentences: int
    unchanged: int
    with_edits: int
    origin: ReferenceSet | None

    @property
    def share_unchanged(self) -> float:
        """Share of their references that are the source."""
        return self.unchanged / self.sentences


@dataclass(frozen=True, slots=True)
class CorpusReferences:
    """The references of a corpus.

    Attributes:
        sentences: number of sentences of the corpus.
        covered: number of sentences with a reference.
        fewest: of a sentence with a reference.
        most: of a sentence.
        annotators: those with most references first.
    """

    sentences: int
    covered: int
    fewest: int
    most: int
    annotators: Sequence[AnnotatorsReferences]

    @property
    def total(self) -> int:
        """Number of references."""
        return sum(each.sentences for each in self.annotators)

    @property
    def without(self) -> int:
        """Number of sentences that lack a reference, if others have one."""
        return self.sentences - self.covered if self.covered else 0

    @property
    def has_m2(self) -> bool:
        """Whether references with marked edits were imported."""
        return any(each.with_edits and each.origin is None for each in self.annotators)

    @property
    def finding(self) -> str:
        """How many sentences have how many references."""
        if not self.covered:
            return "No sentence has a reference yet"
        number = f"{self.most:,}" if self.fewest == self.most else f"{self.fewest:,} to {self.most:,}"
        if self.covered == self.sentences:
            noun = "reference" if self.most == 1 else "references"
            return f"Each of {counted(self.sentences, 'sentence')} has {number} {noun}"
        have = "has" if self.covered == 1 else "have"
        references = "a reference" if self.most == 1 else f"references, {number} each"
        return f"{self.covered:,} of {counted(self.sentences, 'sentence')} {have} {references}"


def references_of(corpus: Corpus) -> CorpusReferences:
    """Count the references of a corpus, by sentence and by annotator, in three statements."""
    numbers = (
        corpus.sentences.order_by()
        .annotate(number=Count("references"))
        .filter(number__gt=0)
        .aggregate(covered=Count("pk"), fewest=Min("number"), most=Max("number"))
    )
    sets = {made.pk: made for made in corpus.reference_sets.select_related("campaign")}
    rows = (
        Reference.objects.filter(sentence__corpus=corpus)
        .order_by()
        .values_list("annotator", "collected__reference_set")
        .annotate(
            sentences=Count("pk"),
            unchanged=Count("pk", filter=Q(text=F("sentence__text"))),
            with_edits=Count("pk", filter=Q(edits__isnull=False)),
        )
    )
    annotators = [
        AnnotatorsReferences(name, sentences, unchanged, with_edits, sets.get(made))
        for name, made, sentences, unchanged, with_edits in rows
    ]
    return CorpusReferences(
        sentences=corpus.sentence_count,
        covered=numbers["covered"],
        fewest=numbers["fewest"] or 0,
        most=numbers["most"] or 0,
        annotators=sorted(annotators, key=lambda each: (-each.sentences, each.annotator)),
    )
