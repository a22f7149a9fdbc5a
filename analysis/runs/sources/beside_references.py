"""Verdicts on edits, and the edits of all systems of the corpus beside those of its references."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from analysis.analyses.base import AnyAnalysis
from analysis.analyses.judgment_inputs import Judgments
from analysis.analyses.systems.beside_references import EditsBesideReferences, beside_references
from analysis.runs.sources.base import Asked, Options, Request, Version
from analysis.runs.sources.corrections import CORPUS_CORRECTIONS
from analysis.runs.sources.judgments import OfJudgments
from annotate.campaigns.prepared.outputs import spans
from annotate.design.protocols.edits import WORDS
from annotate.judgments.queries import edit_extractors
from annotate.models import (
    Campaign,
    Corpus,
    EditLabels,
    Origin,
    Output,
    OutputEdit,
    Reference,
    ReferenceEdit,
    SystemRole,
)
from annotate.models.edits import NONE
from annotate.scores.corpus_outputs import NO_OUTPUT, corpus_outputs
from core.parameters import ParameterError
from core.progress import Progress
from formats.text.edit_spans import SpanEdit, edits_between
from jobs.refusals import RefusedError
from metrics.edits.errant_types import DETECTED_ONLY
from metrics.references.weighted_edits import MadeEdits, made_edits

ROWS_AT_ONCE = 5000

LABEL = ("start", "end", "type", "correction")

Texts = Mapping[int, tuple[int, str]]
"""The sentence and the text of each output or reference, by key."""


class NoEditsError(RefusedError):
    """There are no edits to compare; the message says why, and what to do."""


class _BesideReferences(OfJudgments):
    """Reads verdicts on edits, and finds the edits of outputs and references in the same way."""

    def version(self, subject: Campaign) -> Version:
        """Changes with the judgments, systems and references, and with labels of edits if they are read."""
        answers = super().version(subject)
        labels = None
        if edit_extractors(subject) - {WORDS}:
            known = EditLabels.objects.filter(corpus=subject.corpus)
            labels = known.values_list("signature", "outputs").first()
        state = f"{answers.state}|{CORPUS_CORRECTIONS.version(subject.corpus).state}|{labels}"
        return Version(state, answers.size)

    def why_not(self, subject: Campaign, analysis: AnyAnalysis) -> str:
        """The reason if there is no text or no reference to compare with, or nothing was judged."""
        if not subject.corpus.has_texts:
            return "The judgments were imported without the texts that edits are of. Import the corpus first."
        if not _references(subject.corpus):
            return "The corpus has no references. Add some, as texts, M2 files or a table of answers."
        return "" if subject.judgments.exists() else "Nobody has judged an edit yet."

    def load(
        self, request: Request, size: int, progress: Progress, *, at_once: bool
    ) -> EditsBesideReferences:
        if reason := self.why_not(request.campaign, request.analysis):
            raise NoEditsError(reason)
        judged = super().load(request, size, progress, at_once=at_once)
        progress.begin("Reading the edits of the corpus")
        made = _made(request.corpus, request.left_out.domain, _extractor(judged), progress)
        return beside_references(judged, made)

    def of_file(self, path: Path, analysis: AnyAnalysis, stated: object, options: Options) -> Asked:
        raise ParameterError("a file of judgments has no references; import it, and name the campaign")


def _extractor(judged: Judgments) -> str:
    """What found the edits of most judged outputs."""
    details = judged.snapshot["rating_details"].dropna().astype("object").unique()
    found = Counter(json.loads(text).get("extractor", WORDS) for text in details)
    return found.most_common(1)[0][0] if found else WORDS


def _references(corpus: Corpus) -> Texts:
    """The references that were not outputs of systems."""
    rows = Reference.objects.filter(sentence__corpus=corpus).order_by("pk")
    given = rows.exclude(collected__reference_set__origin=Origin.JUDGED)
    return {key: (sentence, text) for key, sentence, text in given.values_list("pk", "sentence", "text")}


def _made(corpus: Corpus, domain: str, extractor: str, progress: Progress) -> MadeEdits:
    """The edits of outputs by systems and references, without those of the source and of controls.

    Raises:
        NoEditsError: a text has no labels, and the judged edits were labels.
    """
    rows = corpus.sentences.order_by("position").values_list("pk", "position", "text", "domain")
    sentences = {key: (place, text or "") for key, place, text, of in rows if domain in ("", of)}
    progress.step()
    texts: dict[int, tuple[int, str]] = {}
    named: dict[int, tuple[int, str]] = {}
    columns = ("pk", "sentence", "text", "digest")
    outputs = Output.objects.filter(sentence__corpus=corpus).values_list(*columns)
    for key, sentence, text, digest in outputs.iterator(ROWS_AT_ONCE):
        if sentence in sentences:
            texts[key], named[key] = (sentence, text or ""), (sentences[sentence][0], digest)
    roles = dict(corpus.systems.values_list("name", "role"))
    found = corpus_outputs(corpus)
    made_by = {
        system: [key for key in found.keys[picks[picks != NO_OUTPUT]].tolist() if key in texts]
        for system, (_, picks) in found.systems.items()
        if roles[system] in (SystemRole.SYSTEM, SystemRole.REFERENCE)
    }
    judged = {key: texts[key] for keys in made_by.values() for key in keys}
    references = {key: of for key, of in _references(corpus).items() if of[0] in sentences}
    if extractor == WORDS:
        edits, gold = _by_words(sentences, judged), _by_words(sentences, references)
    else:
        labels = OutputEdit.objects.filter(sentence__corpus=corpus).order_by("start", "end")
        edits = _labelled(sentences, judged, labels.values_list("output", *LABEL).iterator(ROWS_AT_ONCE))
        progress.step()
        of_references = ReferenceEdit.objects.filter(sentence__corpus=corpus).order_by("start", "end")
        rows_of_gold = of_references.values_list("reference", *LABEL).iterator(ROWS_AT_ONCE)
        gold = _labelled(sentences, references, rows_of_gold)
    progress.step()
    by_sentence: dict[int, list[Sequence[SpanEdit]]] = {}
    for key, (sentence, _) in references.items():
        by_sentence.setdefault(sentences[sentence][0], []).append(gold[key])
    return made_edits(
        by_sentence,
        {named[key]: of for key, of in edits.items()},
        [
            (*named[key], system)
            for system, keys in made_by.items()
            if roles[system] == SystemRole.SYSTEM
            for key in keys
        ],
    )


def _by_words(sentences: Texts, texts: Texts) -> dict[int, Sequence[SpanEdit]]:
    return {key: edits_between(sentences[sentence][1], text) for key, (sentence, text) in texts.items()}


def _labelled(
    sentences: Texts, texts: Texts, rows: Iterable[tuple[int, int, int, str, str]]
) -> dict[int, Sequence[SpanEdit]]:
    """The labelled edits of each text, without marks of errors that nobody corrected."""
    found: dict[int, list[tuple[int, int, str, str]]] = {}
    for key, start, end, kind, correction in rows:
        edits = found.setdefault(key, [])
        if kind not in (NONE, DETECTED_ONLY):
            edits.append((start, end, kind, correction))
    if missing := len(texts.keys() - found.keys()):
        raise NoEditsError(
            f"The edits of {missing:,} texts have no labels, and ERRANT found those that were judged. Label "
            "edits on the page of the corpus."
        )
    return {key: spans(sentences[sentence][1], found[key]) for key, (sentence, _) in texts.items()}


EDITS_BESIDE_REFERENCES = _BesideReferences()
