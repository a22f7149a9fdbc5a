"""Corrections that people wrote, their judgments of validity, and references that grow by these."""

from dataclasses import replace
from pathlib import Path
from typing import ClassVar

from analysis.analyses.base import AnyAnalysis
from analysis.analyses.references.collected import (
    GrowingReferences,
    JudgedCorrection,
    ValidityJudgments,
    WrittenCorrections,
    growing_references,
    validity_judgments,
    written_corrections,
)
from analysis.runs.sources.base import Asked, OfCampaign, OfCorpus, Options, Request, Version
from analysis.runs.sources.corrections import CORPUS_CORRECTIONS
from analysis.runs.sources.judgments import JUDGMENTS
from annotate.corpora.queries import sentences_with_references
from annotate.models import Campaign, CollectedReference, Corpus, Origin, SystemRole
from annotate.models.listed import campaigns
from annotate.references.answers import collects_corrections, corrections_of, judged_in, judges_validity
from annotate.scores.corpus_outputs import NO_OUTPUT, corpus_outputs, texts_of
from annotate.scores.evaluation import evaluation_set
from annotate.scores.metric_setup import english_pipeline
from core.parameters import ParameterError
from core.progress import Progress
from formats.crowd_answers import CrowdAnswers, read_crowd_answers
from formats.snapshot.snapshots import frame_of_judgments
from formats.snapshot.vocabulary import AnswerKind, ProtocolName
from jobs.refusals import RefusedError
from metrics.meta_evaluation.coverage import Normalisation, words_of
from metrics.references import (
    GrownReference,
    corrected_sentences,
    distinct_corrections,
    judged_outputs,
    written_answers,
)

Words = tuple[str, ...]


class NothingCollectedError(RefusedError):
    """There are no such answers; the message says what to do."""


class _OfCollected(OfCampaign):
    file_help: ClassVar[str] = "a table of a crowd's answers: docs/formats.md"

    def version(self, subject: Campaign) -> Version:
        """Answers are added, and annotators excluded."""
        answers = JUDGMENTS.version(subject)
        excluded = subject.annotators.exclude(excluded_at=None).order_by("pk").values_list("pk", flat=True)
        return Version("|".join([answers.state, *map(str, excluded)]), answers.size)


class _OfCorrections(_OfCollected):
    answers = AnswerKind.CORRECTIONS

    def why_not(self, subject: Campaign, analysis: AnyAnalysis) -> str:
        if not collects_corrections(subject):
            return "No corrections are written in this campaign."
        return "" if subject.judgments.exists() else "Nobody has written a correction yet."

    def load(self, request: Request, size: int, progress: Progress, *, at_once: bool) -> WrittenCorrections:
        progress.begin("Reading the corrections", total=size)
        corrections = corrections_of(request.campaign)
        if not corrections.sentences:
            raise NothingCollectedError("Nobody has corrected a sentence in this campaign yet.")
        parser = english_pipeline() if request.corpus.may_be_english else None
        return written_corrections(
            corrections.sentences, corrections.left_out, corrections.answers, parser=parser
        )

    def of_file(self, path: Path, analysis: AnyAnalysis, stated: object, options: Options) -> Asked:
        read = _crowd(path, ProtocolName.CORRECTION)
        answers = written_answers(frame_of_judgments(read.judgments, campaign=path.name))
        sources = [sentence.source for sentence in read.corpus.sentences]
        sentences, left_out = corrected_sentences(sources, answers)
        inputs = written_corrections(sentences, left_out, len(answers), parser=english_pipeline())
        return Asked(inputs, analysis.resolved(stated, scored=False))


class _OfValidity(_OfCollected):
    answers = AnswerKind.VERDICTS

    def why_not(self, subject: Campaign, analysis: AnyAnalysis) -> str:
        if not judges_validity(subject):
            return "Nobody is asked in this campaign whether outputs are valid."
        return "" if subject.judgments.exists() else "Nobody has judged an output yet."

    def load(self, request: Request, size: int, progress: Progress, *, at_once: bool) -> ValidityJudgments:
        progress.begin("Reading the judgments", total=size)
        campaign = request.campaign
        name = request.parameters.corrections
        sources = dict(campaign.corpus.sentences.values_list("position", "text"))
        frequencies = None if not name else _frequencies(_corrections_named(name))
        return validity_judgments(
            tuple(
                JudgedCorrection(
                    judged,
                    source := sources[judged.sentence] or "",
                    text,
                    len(judged.systems)
                    if frequencies is None
                    else frequencies.get((_words(source), _words(text))),
                )
                for judged, text in judged_in(campaign)
            ),
            counted=f"people in {name}" if name else "systems",
        )

    def of_file(self, path: Path, analysis: AnyAnalysis, stated: object, options: Options) -> Asked:
        read = _crowd(path, ProtocolName.VALIDITY)
        sentences = read.corpus.sentences
        outputs = tuple(
            JudgedCorrection(
                judged,
                sentences[judged.sentence].source,
                sentences[judged.sentence].outputs[judged.systems[0]],
                len(judged.systems),
            )
            for judged in judged_outputs(frame_of_judgments(read.judgments, campaign=path.name))
        )
        return Asked(validity_judgments(outputs, counted="systems"), analysis.resolved(stated, scored=False))


class _OfGrowing(OfCorpus):
    file_help: ClassVar[str] = "not of files: the provenance of references is in the database"

    def version(self, subject: Corpus) -> Version:
        """Systems and references are added and removed."""
        others = CORPUS_CORRECTIONS.version(subject)
        sets = subject.reference_sets.order_by("pk").values_list("pk", flat=True)
        return Version("|".join([others.state, "references", *map(str, sets)]), others.size)

    def load(self, request: Request, size: int, progress: Progress, *, at_once: bool) -> GrowingReferences:
        progress.begin("Reading the corpus", total=size)
        corpus = request.corpus
        outputs = corpus_outputs(corpus)
        texts = texts_of(corpus, outputs, progress=progress.advance)
        ordinary = corpus.systems.filter(role=SystemRole.SYSTEM, is_whole=True)
        data = evaluation_set(corpus, judged=False, step=progress.step)
        if corpus.may_be_english:
            data = replace(data, parser=english_pipeline())
        rows = CollectedReference.objects.filter(
            reference_set__corpus=corpus, reference_set__origin=Origin.JUDGED
        ).order_by("pk")
        return growing_references(
            data,
            _reference_texts(corpus),
            tuple(
                GrownReference(position, name, text, tuple(systems))
                for position, name, text, systems in rows.values_list(
                    "reference__sentence__position", "reference__annotator", "reference__text", "systems"
                )
            ),
            {
                name: tuple(
                    None if pick == NO_OUTPUT else texts[pick] for pick in outputs.systems[name][1].tolist()
                )
                for name in ordinary.values_list("name", flat=True)
            },
        )

    def of_file(self, path: Path, analysis: AnyAnalysis, stated: object, options: Options) -> Asked:
        raise ParameterError(f"{analysis.name} is of a corpus in the database: name it with --corpus")


def _reference_texts(corpus: Corpus) -> tuple[tuple[str, ...], ...]:
    """The texts of the references that were not outputs of systems, by sentence."""
    records = sentences_with_references(corpus, judged=False)
    return tuple(tuple(reference.text for reference in record.references) for record in records)


def _crowd(path: Path, protocol: ProtocolName) -> CrowdAnswers:
    read = read_crowd_answers(path)
    if read.judgments[0].protocol != protocol:
        raise ParameterError(f"{path} does not hold answers of the kind {protocol.value}")
    return read


def _corrections_named(name: str) -> Campaign:
    campaign = campaigns().filter(name=name, protocol=ProtocolName.CORRECTION).first()
    if campaign is None:
        raise ParameterError(
            faults={"corrections": f"there is no campaign {name!r} in which corrections were written"}
        )
    return campaign


def _frequencies(campaign: Campaign) -> dict[tuple[Words, Words], int]:
    """How many people gave each correction of each sentence, compared by letters and digits.

    Corrections that differ in nothing else are added up.
    """
    counts: dict[tuple[Words, Words], set[str]] = {}
    for sentence in corrections_of(campaign).sentences:
        source = _words(sentence.source)
        for each in distinct_corrections(sentence):
            counts.setdefault((source, _words(each.text)), set()).update(each.annotators)
    return {key: len(people) for key, people in counts.items()}


def _words(text: str) -> Words:
    return words_of(text, Normalisation.WORDS)


WRITTEN_CORRECTIONS = _OfCorrections()
VALIDITY_JUDGMENTS = _OfValidity()
GROWING_REFERENCES = _OfGrowing()
