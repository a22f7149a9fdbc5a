"""Texts of a corpus for lattices of corrections, or of an M2 file with further references."""

from argparse import ArgumentParser
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from analysis.analyses.base import Analysis
from analysis.analyses.inputs import CorpusTexts, LatticeTexts, corpus_texts
from analysis.runs.sources.base import Asked
from analysis.runs.sources.corpora import OfCorpora
from annotate.management.checkers import add_checker_option
from annotate.management.named_arguments import named_path
from annotate.models import Corpus, Reference
from annotate.storage.english import english_pipeline
from core.parameters import ParameterError
from core.progress import Progress
from formats import read_m2_with_references
from metrics.checkers import HARPER, CheckerError, LanguageToolChecker

if TYPE_CHECKING:
    from analysis.runs.requests import Request


class _OfLattices(OfCorpora):
    file_option: ClassVar[str] = "m2"

    def why_not(self, subject: Corpus, analysis: Analysis[Any, Any]) -> str:
        """A corpus needs references with their edits."""
        if Reference.objects.filter(sentence__corpus=subject, edits__isnull=False).exists():
            return ""
        return (
            "The references of this corpus have no edits. Import it with M2 files to validate metrics on it."
        )

    def load(self, request: "Request", size: int, progress: Progress, *, at_once: bool) -> LatticeTexts:
        return _for_lattices(super().load(request, size, progress, at_once=at_once))

    def add_file_options(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--reference",
            type=named_path,
            nargs="+",
            action="extend",
            default=[],
            metavar="[NAME=]FILE",
            help="corrected text that metrics compare with, a line for each sentence; "
            "by default the texts that the edits of the M2 file produce",
        )
        add_checker_option(parser)

    def of_file(
        self, path: Path, analysis: Analysis[Any, Any], stated: Any, options: Mapping[str, Any]
    ) -> Asked:
        references = dict(options["reference"])
        if len(references) < len(options["reference"]):
            raise ParameterError("--reference: two files have the same name; name one as NAME=FILE")
        sentences = read_m2_with_references(path, references)
        inputs = _for_lattices(corpus_texts(sentences, parser=english_pipeline()))
        try:
            if options["checker"] != HARPER:
                inputs = replace(inputs, checker=LanguageToolChecker(options["checker"]))
        except CheckerError as error:
            raise ParameterError(str(error)) from error
        return Asked(inputs, analysis.resolved(stated, scored=False))


def _for_lattices(texts: CorpusTexts) -> LatticeTexts:
    return LatticeTexts(texts.sentences, texts.digest, texts.parser)


LATTICE_TEXTS = _OfLattices()
