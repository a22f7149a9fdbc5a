"""The sentences of a corpus, found by what is in them, and shown with their outputs and references."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection
from django.db.models import Count, F, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce, Collate, StrIndex, Upper
from django.db.models.lookups import GreaterThan

from annotate.models import Corpus, Output, Production, Reference, Sentence


@dataclass(frozen=True, slots=True)
class ShownOutput:
    """One distinct text of a sentence.

    Attributes:
        digest: what ratings and exports call it.
        text: null where it is known by its systems alone.
        systems: sorted names of the systems that produced it.
    """

    digest: str
    text: str | None
    systems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ShownReference:
    """A human correction: the annotator, the text, and the edits where they are marked."""

    annotator: str
    text: str
    edits: list[Any] | None


@dataclass(frozen=True, slots=True)
class ShownSentence:
    """A sentence with its distinct outputs in the order of their keys, and its references by annotator."""

    position: int
    document: str
    domain: str
    text: str | None
    outputs: Sequence[ShownOutput]
    references: Sequence[ShownReference]


def sentences(
    corpus: Corpus,
    *,
    sentence: int | None = None,
    containing: str = "",
    document: str = "",
    distinct: int | None = None,
) -> QuerySet[Sentence]:
    """The sentences of a corpus in order; see `shown` for their outputs and references.

    Args:
        corpus: whose sentences.
        sentence: only the one at this position.
        containing: words of the source or of an output, upper and lower case alike.
        document: only this document.
        distinct: only sentences with this number of distinct outputs.
    """
    sentences = corpus.sentences.order_by("position")
    if sentence is not None:
        sentences = sentences.filter(position=sentence)
    if containing:
        with_output = Output.objects.filter(_contains(containing), sentence__corpus=corpus)
        sentences = sentences.filter(_contains(containing) | Q(pk__in=with_output.values("sentence")))
    if document:
        sentences = sentences.filter(document=document)
    if distinct is not None:
        sentences = _with_distinct_outputs(sentences, corpus, distinct)
    return sentences


def _contains(words: str) -> Q:
    """Condition on `text`: it contains the words, upper and lower case alike.

    PostgreSQL changes the case of a text three times as fast in the locale "C", which only knows ASCII. That
    finds ASCII.
    """
    if connection.vendor == "postgresql" and words.isascii():
        return Q(GreaterThan(StrIndex(Upper(Collate(F("text"), "C")), Value(words.upper())), 0))
    return Q(text__icontains=words)


def _with_distinct_outputs(sentences: QuerySet[Sentence], corpus: Corpus, number: int) -> QuerySet[Sentence]:
    """Those with so many outputs, counted one by one in order, so that a full page ends the search."""
    if not any(corpus.distinct_outputs[number : number + 1]):
        return sentences.none()
    outputs = Output.objects.filter(sentence=OuterRef("pk")).order_by().values("sentence")
    counted = Coalesce(Subquery(outputs.annotate(number=Count("pk")).values("number")), 0)
    return sentences.annotate(distinct=counted).filter(distinct=number)


def shown(sentences: Iterable[Sentence]) -> list[ShownSentence]:
    """The sentences with what belongs to them, in three queries whatever their number."""
    rows = list(sentences)
    keys = [row.pk for row in rows]
    outputs, references = _outputs_of(keys), _references_of(keys)
    return [
        ShownSentence(row.position, row.document, row.domain, row.text, outputs[row.pk], references[row.pk])
        for row in rows
    ]


def _outputs_of(keys: Sequence[int]) -> dict[int, list[ShownOutput]]:
    # Values: a thousand sentences have twenty thousand rows, too many to make objects of in a request.
    systems: dict[int, list[str]] = defaultdict(list)
    produced = Production.objects.filter(sentence__in=keys).order_by("system__name")
    for output, system in produced.values_list("output", "system__name"):
        systems[output].append(system)
    outputs: dict[int, list[ShownOutput]] = defaultdict(list)
    of_sentences = Output.objects.filter(sentence__in=keys).order_by("pk")
    for key, sentence, digest, text in of_sentences.values_list("pk", "sentence", "digest", "text"):
        outputs[sentence].append(ShownOutput(digest, text, tuple(systems[key])))
    return outputs


def _references_of(keys: Sequence[int]) -> dict[int, list[ShownReference]]:
    references: dict[int, list[ShownReference]] = defaultdict(list)
    of_sentences = Reference.objects.filter(sentence__in=keys).order_by("annotator")
    for sentence, name, text, edits in of_sentences.values_list("sentence", "annotator", "text", "edits"):
        references[sentence].append(ShownReference(name, text, edits))
    return references
