"""Queries of corpora, shared by pages, commands and the API."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from sys import intern
from typing import Any

from django.db.models import Count

from annotate.database.staging import pieces
from annotate.models import (
    Corpus,
    EditLabels,
    Origin,
    Production,
    Reference,
    SubmittedFile,
    SystemRole,
)
from core.progress import NoProgress, Progress, over_many
from formats import Edit, SentenceRecord
from formats import Reference as ReferenceRecord
from formats.snapshot.resolution import Texts

SENTENCES_PER_PIECE = 500

MOST_DOMAINS = 100
"""Domains of a corpus that are listed."""


def distinct_output_histogram(corpus: Corpus) -> dict[int, int]:
    """Number of sentences by their number of distinct outputs, without gaps from 1 to the largest."""
    return dict(enumerate(corpus.distinct_outputs[1:], start=1))


def inserted_error_counts(corpus: Corpus) -> dict[str, int]:
    """Number of inserted errors by kind, the most frequent first."""
    return dict(sorted(corpus.error_counts.items(), key=lambda counted: (-counted[1], counted[0])))


def multiplicities(corpus: Corpus, *, roles: tuple[str, ...] = tuple(SystemRole.values)) -> list[list[int]]:
    """Shape of each sentence in order: number of systems, by role, that share each distinct output."""
    shapes: dict[int, list[int]] = {
        position: [] for position in corpus.sentences.values_list("position", flat=True)
    }
    counted = (
        Production.objects.filter(sentence__corpus=corpus, system__role__in=roles)
        .values("sentence__position", "output")
        .annotate(systems=Count("pk"))
        .values_list("sentence__position", "systems")
    )
    for position, systems in counted:
        shapes[position].append(systems)
    return list(shapes.values())


def texts(corpus: Corpus, progress: Progress | None = None) -> Texts:
    """The texts of a corpus by the position of the sentence, then by the system, withdrawn ones included."""
    progress = progress or NoProgress()
    by_sentence: dict[int, dict[str, str]] = {
        position: {} for position in corpus.sentences.values_list("position", flat=True)
    }
    progress.step()
    produced = Production.every.filter(sentence__corpus=corpus)
    rows = produced.values_list("sentence__position", "system__name", "output__text")
    read = over_many(rows.iterator(), "Reading the texts of the corpus", progress, total=produced.count())
    for position, system, text in read:
        by_sentence[position][intern(system)] = text or ""
    return by_sentence


def domains_of(corpus: Corpus) -> list[str]:
    """The first domains of its sentences, in alphabetical order: each is a step in an index."""
    domains = [""]
    while len(domains) <= MOST_DOMAINS:
        beyond = corpus.sentences.filter(domain__gt=domains[-1]).order_by("domain")
        found = beyond.values_list("domain", flat=True).first()
        if found is None:
            break
        domains.append(found)
    return domains[1:]


def source_name(corpus: Corpus) -> str | None:
    """The system that leaves every sentence unchanged; None if the corpus has none."""
    return corpus.systems.filter(role=SystemRole.SOURCE).values_list("name", flat=True).first()


def waiting_submissions(corpus: Corpus) -> int:
    """Number of confirmed files of participants that no admin has accepted."""
    files = SubmittedFile.objects.filter(submission__link__corpus=corpus, accepted_at=None)
    return files.exclude(confirmed_at=None).count()


def unlabelled_outputs(corpus: Corpus, labels: EditLabels | None) -> int:
    """Number of distinct outputs whose edits have no types yet."""
    outputs: int = sum(number * sentences for number, sentences in enumerate(corpus.distinct_outputs))
    return max(0, outputs - (labels.outputs if labels else 0))


def sentences_with_references(
    corpus: Corpus, *, judged: bool = True, progress: Callable[[int], None] = lambda sentences: None
) -> list[SentenceRecord]:
    """The sentences of a corpus in order, with their references by annotator and without outputs.

    Unless `judged`, references that were outputs of systems are left out. `progress` gets the number of
    sentences read.
    """
    records: list[SentenceRecord] = []
    rows = corpus.sentences.order_by("position").values_list("pk", "text", "document", "domain")
    for piece in pieces(list(rows), SENTENCES_PER_PIECE):
        references = _references([key for key, *_ in piece], judged=judged)
        records += [
            SentenceRecord(text or "", {}, tuple(references[key]), document, domain)
            for key, text, document, domain in piece
        ]
        progress(len(piece))
    return records


def _references(sentences: Sequence[int], *, judged: bool) -> dict[int, list[ReferenceRecord]]:
    """The references by key of their sentence."""
    references: dict[int, list[ReferenceRecord]] = defaultdict(list)
    rows = Reference.objects.filter(sentence__in=sentences).order_by("annotator")
    if not judged:
        rows = rows.exclude(collected__reference_set__origin=Origin.JUDGED)
    for sentence, annotator, text, edits in rows.values_list("sentence", "annotator", "text", "edits"):
        references[sentence].append(ReferenceRecord(annotator, text, _edits(edits)))
    return references


def _edits(stored: list[Any] | None) -> tuple[Edit, ...] | None:
    if stored is None:
        return None
    return tuple(
        Edit(start, end, intern(kind), tuple(map(intern, corrections)), intern(required), intern(comment))
        for start, end, kind, corrections, required, comment in stored
    )
