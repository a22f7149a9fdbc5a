"""Texts of a corpus with their references, or of an M2 file."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from django.db.models import Count, QuerySet

from analysis.analyses.base import Analysis
from analysis.analyses.inputs import CorpusTexts, corpus_texts
from analysis.runs.sources.base import Asked, Source, Version
from annotate.corpora.queries import sentences_with_references
from annotate.models import Corpus, Origin
from annotate.models.listed import corpora
from annotate.storage.english import english_pipeline
from core.progress import Progress
from formats import SentenceRecord, read_m2
from formats.collected_answers import read_answers_as_corpus

if TYPE_CHECKING:
    from analysis.runs.requests import Request


TABLES = {".tsv", ".csv"}


class OfCorpora(Source[Corpus]):
    """Sentences with their references."""

    subject = Corpus
    plural: ClassVar[str] = "Corpora"
    file_help: ClassVar[str] = (
        "sentences with the edits of their annotators in M2, or a .tsv or .csv file of collected answers"
    )

    def subjects(self) -> QuerySet[Corpus]:
        return corpora()

    def version(self, subject: Corpus) -> Version:
        """Sentences stay as they were imported; references that people wrote are added and removed."""
        sets = subject.reference_sets.filter(origin=Origin.WRITTEN, system=None)
        written = "".join(f"|{key}" for key in sets.order_by("pk").values_list("pk", flat=True))
        return Version(f"{subject.digest}{written}", subject.sentence_count)

    def why_not(self, subject: Corpus, analysis: Analysis[Any, Any]) -> str:
        """Some sentence needs as many references as the analysis compares."""
        fewest = analysis.fewest_references
        sentences = subject.sentences.annotate(number=Count("references")).filter(number__gte=fewest)
        if not fewest or sentences.exists():
            return ""
        if fewest == 1:
            return "The corpus has no references. Import it with texts, M2 files or a table of answers."
        return (
            f"No sentence of the corpus has {fewest} references. Import it with several people’s corrections "
            "of each sentence, as texts, M2 files or a table of answers."
        )

    def load(self, request: "Request", size: int, progress: Progress, *, at_once: bool) -> CorpusTexts:
        progress.begin("Reading the sentences", total=size)
        corpus = request.corpus
        sentences = sentences_with_references(corpus, judged=False, progress=progress.advance)
        corpora().get(pk=corpus.pk)  # Some sentences are missing if the corpus is being deleted.
        parser = english_pipeline() if corpus.may_be_english else None
        return corpus_texts(sentences, parser=parser)

    def of_file(
        self, path: Path, analysis: Analysis[Any, Any], stated: Any, options: Mapping[str, Any]
    ) -> Asked:
        read = read_answers_as_corpus(path).sentences if path.suffix in TABLES else _annotated(path)
        texts = corpus_texts(read, parser=english_pipeline())
        return Asked(texts, analysis.resolved(stated, scored=False))


def _annotated(path: Path) -> list[SentenceRecord]:
    return [
        SentenceRecord(" ".join(sentence.tokens), {}, sentence.references, "", "")
        for sentence in read_m2(path).sentences
    ]


CORPUS_TEXTS = OfCorpora()
