"""M2 sentences from corrected texts, and with ERRANT's types: what `manage.py m2 make` and `retype` write."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from annotate.management.terminal import progress_bar
from formats import FormatError, M2File, M2Sentence, read_parallel
from formats.records import Edit, Reference
from formats.text.checks import Place
from metrics import EvaluationSet, GoldEdit, NotScored
from metrics.edits.edit_sources import MARKS, EditSource, corrected_words, texts_to_parse
from metrics.edits.errant_edits import ErrantEdits
from metrics.edits.retyping import retyped
from metrics.english.spacy_pipelines import EnglishPipeline


def m2_of_texts(source: Path, corrected: Sequence[Path], pipeline: EnglishPipeline) -> list[M2Sentence]:
    """The edits that lead from the source to each corrected text; annotators are numbered from 0.

    Raises:
        FormatError: files that do not fit together, or a sentence that is too long for ERRANT.
        PipelineError: there is no such pipeline.
    """
    names = {str(number): path for number, path in enumerate(corrected)}
    sentences = read_parallel(source, {}, references=names).sentences
    data = EvaluationSet(
        tuple(sentence.source for sentence in sentences),
        tuple(tuple(each.text for each in sentence.references) for sentence in sentences),
    )
    _parse(pipeline, list(texts_to_parse(data, (), "extracted")))
    edits = EditSource(replace(data, parser=pipeline), "extracted")
    made = []
    for number, sentence in enumerate(sentences):
        found = edits.references(number)
        if isinstance(found, NotScored):
            raise FormatError(source, number + 1, found.reason)
        references = tuple(
            Reference(name, each.text, _as_edits(correction.edits))
            for name, each, correction in zip(names, sentence.references, found, strict=True)
        )
        made.append(M2Sentence(Place(source, number + 1), tuple(sentence.source.split()), references))
    return made


def retyped_m2(file: M2File, pipeline: EnglishPipeline, *, extract: bool) -> list[M2Sentence]:
    """The sentences of an M2 file with ERRANT's types (see `metrics.edits.retyping`).

    Raises:
        FormatError: a sentence is too long for ERRANT.
        PipelineError: there is no such pipeline.
    """
    texts = [
        text
        for sentence in file.sentences
        for reference in sentence.references
        if reference.edits
        for text in (" ".join(sentence.tokens), _applied(sentence, reference))
    ]
    _parse(pipeline, list(dict.fromkeys(texts)))
    extractor = ErrantEdits()
    return [
        replace(
            sentence,
            references=tuple(
                _retyped(sentence, reference, extractor, pipeline, extract=extract)
                for reference in sentence.references
            ),
        )
        for sentence in file.sentences
    ]


def _retyped(
    sentence: M2Sentence,
    reference: Reference,
    extractor: ErrantEdits,
    pipeline: EnglishPipeline,
    *,
    extract: bool,
) -> Reference:
    if not reference.edits:
        return reference
    found = retyped(sentence.tokens, _as_gold(reference), extractor, pipeline, extract=extract)
    if isinstance(found, NotScored):
        raise sentence.place.fault(found.reason)
    return replace(reference, edits=_as_edits(found))


def _applied(sentence: M2Sentence, reference: Reference) -> str:
    return " ".join(
        corrected_words(sentence.tokens, [edit for edit in _as_gold(reference) if edit.kind not in MARKS])
    )


def _as_gold(reference: Reference) -> list[GoldEdit]:
    return [GoldEdit(edit.start, edit.end, edit.corrections, edit.kind) for edit in reference.edits or ()]


def _as_edits(edits: Sequence[GoldEdit]) -> tuple[Edit, ...]:
    return tuple(
        Edit(edit.start, edit.end, edit.kind, edit.corrections, "REQUIRED", "-NONE-") for edit in edits
    )


def _parse(pipeline: EnglishPipeline, texts: list[str]) -> None:
    with progress_bar("Parsing", len(texts)) as advance:
        pipeline.parse_ahead(texts, progress=advance)
