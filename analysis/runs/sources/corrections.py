"""Outputs of a corpus with its references, or of files."""

from argparse import ArgumentParser
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

from django.db.models import Count, Max

from analysis.analyses.base import AnyAnalysis
from analysis.analyses.corpus_inputs import CorpusCorrections, corpus_corrections
from analysis.runs.sources.base import Asked, OfCorpus, Options, Request, Version
from analysis.runs.sources.corpora import CORPUS_TEXTS
from annotate.corpora.queries import sentences_with_references
from annotate.management.named_arguments import add_files
from annotate.models import Corpus, SystemRole
from annotate.scores.corpus_outputs import NO_OUTPUT, corpus_outputs, texts_of
from annotate.scores.metric_setup import english_pipeline
from core.progress import Progress
from formats import SentenceRecord, read_parallel
from formats.nbest import by_rank, read_nbest


class _OfCorrections(OfCorpus):
    file_help: ClassVar[str] = "source sentences, one per line"

    def version(self, subject: Corpus) -> Version:
        """Texts stay as they were imported, but systems are added."""
        texts = CORPUS_TEXTS.version(subject)
        systems = subject.systems.aggregate(newest=Max("pk"), number=Count("pk"))
        return Version(f"{texts.state}|{systems['number']}:{systems['newest']}", texts.size)

    def why_not(self, subject: Corpus, analysis: AnyAnalysis) -> str:
        """The reason why the analysis is impossible: the corpus has no systems, or its texts do not fit."""
        if not subject.systems.filter(role=SystemRole.SYSTEM).exists():
            return "The corpus has no systems. Add their outputs."
        return CORPUS_TEXTS.why_not(subject, analysis)

    def load(self, request: Request, size: int, progress: Progress, *, at_once: bool) -> CorpusCorrections:
        progress.begin("Reading the sentences", total=size)
        corpus = request.corpus
        sentences = sentences_with_references(corpus, judged=False, progress=progress.advance)
        outputs = corpus_outputs(corpus)
        texts = texts_of(corpus, outputs, progress=progress.advance)
        produced = [
            {
                name: texts[picks[place]]
                for name, (_, picks) in outputs.systems.items()
                if picks[place] != NO_OUTPUT
            }
            for place in range(len(sentences))
        ]
        progress.step()
        return corpus_corrections(
            [
                replace(sentence, outputs=of_sentence)
                for sentence, of_sentence in zip(sentences, produced, strict=True)
            ],
            roles=dict(corpus.systems.values_list("name", "role")),
            parser=english_pipeline() if corpus.may_be_english else None,
        )

    def add_file_options(self, parser: ArgumentParser) -> None:
        add_files(parser, "--output", "outputs of a system")
        add_files(parser, "--reference", "corrected text of an annotator")
        add_files(parser, "--m2", "references as M2", is_named=False)
        parser.add_argument(
            "--nbest",
            type=Path,
            metavar="FILE",
            help="k best outputs of one system: number ||| text ||| score",
        )
        parser.add_argument("--lenient", action="store_true", help="repair M2 with faulty spans")

    def of_file(self, path: Path, analysis: AnyAnalysis, stated: object, options: Options) -> Asked:
        read = read_parallel(
            path,
            dict(options["output"]),
            references=dict(options["reference"]),
            m2=options["m2"],
            lenient=options["lenient"],
        )
        inputs = corpus_corrections(
            _with_candidates(read.sentences, options["nbest"]), roles={}, parser=english_pipeline()
        )
        return Asked(inputs, analysis.resolved(stated, scored=False))


def _with_candidates(sentences: Sequence[SentenceRecord], nbest: Path | None) -> Sequence[SentenceRecord]:
    """The sentences with the candidates of a list as further outputs, by rank."""
    if nbest is None:
        return sentences
    ranks = by_rank(read_nbest(nbest, len(sentences)))
    return [
        replace(
            sentence,
            outputs={
                **sentence.outputs,
                **{rank: text for rank, texts in ranks.items() if (text := texts[place]) is not None},
            },
        )
        for place, sentence in enumerate(sentences)
    ]


CORPUS_CORRECTIONS = _OfCorrections()
