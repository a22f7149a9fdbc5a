"""Search of a corpus's sentences, with their outputs and references."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection
from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce, Collate, StrIndex, Upper
from django.db.models.lookups import GreaterThan

from annotate.corpora.edit_filter import EditFilter, with_edits
from annotate.models import Corpus, Output, OutputEdit, Production, Reference, ReferenceEdit, Sentence
from annotate.models.edits import NONE
from annotate.web.highlight import LabelledEdit
from formats.text.tokens_back import tokens_back


@dataclass(frozen=True, slots=True)
class ShownOutput:
    """One distinct text of a sentence.

    Attributes:
        digest: identifier in ratings and exports.
        text: None if it is identified by its systems only.
        systems: sorted names of the systems that produced it.
        labelled_edits: edits with ERRANT's types; None if they are not labelled.
    """

    digest: str
    text: str | None
    systems: tuple[str, ...]
    labelled_edits: Sequence[LabelledEdit] | None = None


@dataclass(frozen=True, slots=True)
class ShownReference:
    """A human correction.

    Attributes:
        annotator: its annotator.
        text: the corrected text.
        edits: imported edits; None if there were none.
        labelled_edits: edits with ERRANT's types; None if they are not labelled.
    """

    annotator: str
    text: str
    edits: list[Any] | None
    labelled_edits: Sequence[LabelledEdit] | None = None


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
    **edits: str,
) -> QuerySet[Sentence]:
    """The sentences of a corpus in order; see `shown` for their outputs and references.

    Args:
        corpus: corpus of the sentences.
        sentence: only the sentence at this position.
        containing: text in the source or in an output, as stored or as natural text, ignoring case.
        document: only this document.
        distinct: only sentences with this number of distinct outputs.
        edits: only sentences with such edits; the fields of an `EditFilter`.
    """
    sentences = corpus.sentences.order_by("position")
    if sentence is not None:
        sentences = sentences.filter(position=sentence)
    if containing:
        condition = _is_written(containing, corpus)
        with_output = _outputs(corpus).filter(condition, sentence__corpus=corpus)
        sentences = sentences.filter(condition | Q(pk__in=with_output.values("sentence")))
    if asked := EditFilter(**edits):
        sentences = with_edits(sentences, corpus, asked)
    if document:
        sentences = sentences.filter(document=document)
    if distinct is not None:
        sentences = _with_distinct_outputs(sentences, corpus, distinct)
    return sentences


def _is_written(words: str, corpus: Corpus) -> Q:
    """Condition on `text`: it contains the words as they are or, of natural text, their tokens."""
    rules = corpus.text_rules
    tokens = " ".join(tokens_back(words, [], rules)) if rules else words
    return _contains(words) if tokens == words else _contains(words) | _contains(tokens)


def _contains(words: str) -> Q:
    """Condition on `text`: it contains the words, ignoring case.

    PostgreSQL changes the case of a text three times as fast in the locale "C", which handles only ASCII
    and so is used for words in ASCII only.
    """
    if connection.vendor == "postgresql" and words.isascii():
        return Q(GreaterThan(StrIndex(Upper(Collate(F("text"), "C")), Value(words.upper())), 0))
    return Q(text__icontains=words)


def _with_distinct_outputs(sentences: QuerySet[Sentence], corpus: Corpus, number: int) -> QuerySet[Sentence]:
    """The sentences with this many outputs, counted in order, so that a full page ends the search."""
    if not any(corpus.distinct_outputs[number : number + 1]):
        return sentences.none()
    outputs = _outputs(corpus).filter(sentence=OuterRef("pk")).order_by().values("sentence")
    counted = Coalesce(Subquery(outputs.annotate(number=Count("pk")).values("number")), 0)
    return sentences.annotate(distinct=counted).filter(distinct=number)


def _outputs(corpus: Corpus) -> QuerySet[Output]:
    """Outputs; of this corpus, only those that some system has produced that was not withdrawn."""
    if not corpus.withdrawn.exists():
        return Output.objects.all()
    return Output.objects.filter(Exists(Production.objects.filter(output=OuterRef("pk"))))


def shown(sentences: Iterable[Sentence]) -> list[ShownSentence]:
    """The sentences with their outputs and references, in five queries for any number of them."""
    rows = list(sentences)
    keys = [row.pk for row in rows]
    outputs, references = _outputs_of(keys), _references_of(keys)
    return [
        ShownSentence(row.position, row.document, row.domain, row.text, outputs[row.pk], references[row.pk])
        for row in rows
    ]


def _outputs_of(keys: Sequence[int]) -> dict[int, list[ShownOutput]]:
    # Values, not objects: a thousand sentences have twenty thousand rows, too many objects for a request.
    systems: dict[int, list[str]] = defaultdict(list)
    produced = Production.objects.filter(sentence__in=keys).order_by("system__name")
    for output, system in produced.values_list("output", "system__name"):
        systems[output].append(system)
    labels = _edits_of(OutputEdit.objects.filter(sentence__in=keys), "output")
    outputs: dict[int, list[ShownOutput]] = defaultdict(list)
    of_sentences = Output.objects.filter(sentence__in=keys).order_by("pk")
    for key, sentence, digest, text in of_sentences.values_list("pk", "sentence", "digest", "text"):
        if key in systems:  # Others are of withdrawn systems.
            outputs[sentence].append(ShownOutput(digest, text, tuple(systems[key]), labels.get(key)))
    return outputs


def _references_of(keys: Sequence[int]) -> dict[int, list[ShownReference]]:
    labels = _edits_of(ReferenceEdit.objects.filter(sentence__in=keys), "reference")
    references: dict[int, list[ShownReference]] = defaultdict(list)
    of_sentences = Reference.objects.filter(sentence__in=keys).order_by("annotator")
    columns = ("pk", "sentence", "annotator", "text", "edits")
    for key, sentence, name, text, edits in of_sentences.values_list(*columns):
        references[sentence].append(ShownReference(name, text, edits, labels.get(key)))
    return references


def _edits_of(
    rows: QuerySet[OutputEdit] | QuerySet[ReferenceEdit], owner: str
) -> dict[int, list[LabelledEdit]]:
    """Edits by the key of the output or reference; an empty list for a labelled text without edits."""
    edits: dict[int, list[LabelledEdit]] = {}
    for key, *edit in rows.order_by("pk").values_list(owner, "start", "end", "type", "correction"):
        labelled = LabelledEdit(*edit)
        edits.setdefault(key, []).extend([] if labelled.type == NONE else [labelled])
    return edits
