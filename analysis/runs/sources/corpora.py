"""Texts of a corpus with their references, or of an M2 file; for lattices too."""

from argparse import ArgumentParser
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

from django.db.models import Count

from analysis.analyses.base import AnyAnalysis
from analysis.analyses.corpus_inputs import CorpusTexts, LatticeTexts, corpus_texts
from analysis.runs.sources.base import Asked, OfCorpus, Options, Request, Version
from annotate.corpora.queries import sentences_with_references
from annotate.management.checkers import add_checker_option
from annotate.management.named_arguments import add_files, by_name
from annotate.models import Corpus, Origin, Reference
from annotate.models.listed import corpora
from annotate.scores.metric_setup import english_pipeline
from core.parameters import ParameterError
from core.progress import Progress
from formats import SentenceRecord, read_m2, read_m2_with_references
from formats.collected_answers import read_answers_as_corpus
from metrics.english.grammar_checkers import HARPER, CheckerError, LanguageToolChecker

TABLES = {".tsv", ".csv"}


class OfCorpusTexts(OfCorpus):
    """Sentences with their references."""

    file_help: ClassVar[str] = (
        "sentences with the edits of their annotators in M2, or a .tsv or .csv file of collected answers"
    )

    def version(self, subject: Corpus) -> Version:
        """Sentences stay as they were imported; references are added, and some of them removed."""
        sets = subject.reference_sets.filter(origin=Origin.WRITTEN, system=None)
        written = "".join(f"|{key}" for key in sets.order_by("pk").values_list("pk", flat=True))
        added = f"|{subject.references_added_at.isoformat()}" if subject.references_added_at else ""
        state = f"{subject.digest}{written}{added}{subject.description_state}"
        return Version(state, subject.sentence_count)

    def why_not(self, subject: Corpus, analysis: AnyAnalysis) -> str:
        """The reason if no sentence has as many references as the analysis compares."""
        fewest = analysis.fewest_references
        sentences = subject.sentences.annotate(number=Count("references")).filter(number__gte=fewest)
        if not fewest or sentences.exists():
            return ""
        if fewest == 1:
            return "The corpus has no references. Add some, as texts, M2 files or a table of answers."
        return (
            f"No sentence of the corpus has {fewest} references. Add several people’s corrections of each "
            "sentence, as texts, M2 files or a table of answers."
        )

    def load(self, request: Request, size: int, progress: Progress, *, at_once: bool) -> CorpusTexts:
        progress.begin("Reading the sentences", total=size)
        corpus = request.corpus
        sentences = sentences_with_references(corpus, judged=False, progress=progress.advance)
        corpora().get(pk=corpus.pk)  # Some sentences are missing if the corpus is being deleted.
        parser = english_pipeline() if corpus.may_be_english else None
        return corpus_texts(sentences, parser=parser, step=progress.step)

    def of_file(self, path: Path, analysis: AnyAnalysis, stated: object, options: Options) -> Asked:
        read = read_answers_as_corpus(path).sentences if path.suffix in TABLES else _annotated(path)
        texts = corpus_texts(read, parser=english_pipeline())
        return Asked(texts, analysis.resolved(stated, scored=False))


def _annotated(path: Path) -> list[SentenceRecord]:
    return [
        SentenceRecord(" ".join(sentence.tokens), {}, sentence.references, "", "")
        for sentence in read_m2(path).sentences
    ]


class _OfLattices(OfCorpusTexts):
    """Reads sentences for lattices of corrections, which need the edits of references."""

    file_option: ClassVar[str] = "m2"

    def why_not(self, subject: Corpus, analysis: AnyAnalysis) -> str:
        """The reason if the corpus lacks references with their edits."""
        if Reference.objects.filter(sentence__corpus=subject, edits__isnull=False).exists():
            return ""
        return "The references of this corpus have no edits. Add M2 files to validate metrics on it."

    def load(self, request: Request, size: int, progress: Progress, *, at_once: bool) -> LatticeTexts:
        return _for_lattices(super().load(request, size, progress, at_once=at_once))

    def add_file_options(self, parser: ArgumentParser) -> None:
        add_files(
            parser,
            "--reference",
            "corrected text that metrics compare with, a line for each sentence; "
            "by default the texts that the edits of the M2 file produce",
        )
        add_checker_option(parser)

    def of_file(self, path: Path, analysis: AnyAnalysis, stated: object, options: Options) -> Asked:
        sentences = read_m2_with_references(path, by_name("--reference", options["reference"]))
        inputs = _for_lattices(corpus_texts(sentences, parser=english_pipeline()))
        try:
            if options["checker"] != HARPER:
                inputs = replace(inputs, checker=LanguageToolChecker(options["checker"]))
        except CheckerError as error:
            raise ParameterError(str(error)) from error
        return Asked(inputs, analysis.resolved(stated, scored=False))


def _for_lattices(texts: CorpusTexts) -> LatticeTexts:
    return LatticeTexts(texts.sentences, texts.digest, texts.parser)


CORPUS_TEXTS = OfCorpusTexts()
LATTICE_TEXTS = _OfLattices()
