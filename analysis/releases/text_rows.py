"""Sentences, systems, outputs and references of a release, a few hundred sentences at a time."""

import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from django.db.models import QuerySet

from annotate.models import (
    Campaign,
    PracticeAnswer,
    Production,
    Reference,
    Revision,
    Sentence,
    System,
    SystemRole,
)
from core.progress import Progress
from formats.digests import text_digest

SENTENCES_AT_ONCE = 500
REVISIONS_AT_ONCE = 2000

Row = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class SentenceTexts:
    """A sentence with all that is released of it.

    Attributes:
        position: from 0.
        document: empty if unknown.
        domain: empty if unknown.
        source: None if it is not known.
        outputs: name of the system, its role, digest and text of the output; sorted by system.
        references: number of the annotator, text and edits; sorted by number.
    """

    position: int
    document: str
    domain: str
    source: str | None
    outputs: list[tuple[str, str, str, str | None]]
    references: list[tuple[int, str, list[Any] | None]]


def systems_of(campaigns: Sequence[Campaign]) -> QuerySet[System]:
    """The systems that any of the campaigns judges, by name, without withdrawn ones."""
    return System.objects.filter(campaigns__in=campaigns).distinct().order_by("name")


def sentences_of(campaigns: Sequence[Campaign], progress: Progress) -> Iterator[SentenceTexts]:
    """The sentences of the campaigns' corpus, with the outputs of the campaigns' systems.

    Systems that no campaign judges are left out: others may still judge them without their names.
    """
    corpus = campaigns[0].corpus
    progress.begin("Reading the texts", total=corpus.sentence_count)
    names = Reference.objects.filter(sentence__corpus=corpus).order_by().values_list("annotator", flat=True)
    numbers = {name: number for number, name in enumerate(sorted(names.distinct()), start=1)}
    systems = list(systems_of(campaigns).values_list("pk", flat=True))
    last = -1
    rows = Sentence.objects.filter(corpus=corpus).order_by("position")
    while chunk := list(rows.filter(position__gt=last)[:SENTENCES_AT_ONCE]):
        last = chunk[-1].position
        outputs = defaultdict(list)
        produced = Production.objects.filter(sentence__in=chunk, system__in=systems, system__is_whole=True)
        of_output = ("system__name", "system__role", "output__digest", "output__text")
        for sentence, *output in produced.values_list("sentence", *of_output):
            outputs[sentence].append(tuple(output))
        references = defaultdict(list)
        corrected = Reference.objects.filter(sentence__in=chunk)
        for sentence, name, text, edits in corrected.values_list("sentence", "annotator", "text", "edits"):
            references[sentence].append((numbers[name], text, edits))
        for each in chunk:
            yield SentenceTexts(
                each.position,
                each.document,
                each.domain,
                each.text,
                sorted(outputs[each.pk]),
                sorted(references[each.pk], key=lambda reference: reference[0]),
            )
        progress.advance(len(chunk))


def texts_of_annotators(campaign: Campaign) -> Iterator[tuple[str, str]]:
    """The texts that annotators wrote in their current answers, with the item."""
    rows = Revision.objects.filter(
        judgment__campaign=campaign, judgment__annotator__excluded_at=None, is_current=True
    ).exclude(text=None)
    values = rows.order_by("judgment").values_list("judgment__item__number", "text", "further_texts")
    answers = values.iterator(chunk_size=REVISIONS_AT_ONCE)
    while some := list(islice(answers, REVISIONS_AT_ONCE)):
        for item, text, further in some:
            for each in (text, *(further or ())):
                yield f"a text of an annotator, item {item} of {campaign.name}", each


def places_of(sentence: SentenceTexts) -> Iterator[tuple[str, str]]:
    """All texts of a sentence with their places, with names of its document and comments on edits."""
    where = f"sentence {sentence.position}"
    yield f"{where}, document", sentence.document
    yield f"{where}, domain", sentence.domain
    if sentence.source is not None:
        yield where, sentence.source
    for system, _, _, text in sentence.outputs:
        if text is not None:
            yield f"{where}, output of {system}", text
    for number, text, edits in sentence.references:
        yield f"{where}, reference {number}", text
        for _, _, kind, corrections, required, comment in edits or ():
            for each in (kind, *corrections, required, comment):
                yield f"{where}, an edit of reference {number}", each


def sentence_row(sentence: SentenceTexts, *, texts: bool) -> Row:
    """The row of a sentence in `tables.SENTENCES`."""
    source = sentence.source
    digest = None if source is None else text_digest(source)
    shown = source if texts else None
    return sentence.position, sentence.document or None, sentence.domain or None, shown, digest


def output_rows(sentence: SentenceTexts, *, controls: bool, texts: bool) -> Iterator[Row]:
    """The rows of its outputs in `tables.OUTPUTS`: those of controls, or all others."""
    for system, role, digest, text in sentence.outputs:
        if (role == SystemRole.CONTROL) == controls:
            yield sentence.position, system, digest, text if texts else None


def reference_rows(sentence: SentenceTexts, *, texts: bool) -> Iterator[Row]:
    """The rows of its references in `tables.REFERENCES`."""
    for number, text, edits in sentence.references:
        marked = json.dumps(edits, ensure_ascii=False) if texts and edits is not None else None
        yield sentence.position, number, text if texts else None, text_digest(text), marked


def system_rows(campaigns: Sequence[Campaign]) -> Iterator[Row]:
    """The rows of the campaigns' systems in `tables.SYSTEMS`."""
    for name, label, role in systems_of(campaigns).values_list("name", "label", "role"):
        yield name, label or None, role


def practice_rows(campaign: Campaign, named: Callable[[str], str]) -> Iterator[Row]:
    """The answers to practice items in `tables.PRACTICE`, without those of excluded annotators."""
    answers = PracticeAnswer.objects.filter(
        annotator__campaign=campaign, annotator__kind="person", annotator__excluded_at=None
    )
    rows = answers.values_list("annotator__name", "attempt", "number", "agrees")
    yield from sorted((named(name), *rest) for name, *rest in rows.order_by())
