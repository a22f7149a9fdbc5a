"""The public data of MAEGE, and its results with the options of the released code."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

from analysis.analyses.corpus_inputs import LatticeTexts, corpus_texts
from analysis.analyses.metrics.maege.analysis import MAEGE
from analysis.analyses.metrics.maege.verdict import MaegeVerdict
from analysis.reproduction.paper import PaperData
from analysis.runs.computing import computed
from annotate.scores.metric_setup import english_pipeline
from core.progress import NoProgress
from formats import read_m2_with_references
from metrics.meta_evaluation.maege import CorpusScore, MaegeParameters, Quality, Source

SEEDS = 10

WRITTEN = {
    "bleu": "bleu:orders=shortest",
    "ibleu": "ibleu:sign=plus:orders=shortest",
    "gleu": "gleu",
    "minld": "minld",
    "max-sari": "max-sari",
    "sari": "sari",
    "ld-source": "ld-source",
    "m2": "m2:ignore-whitespace-casing=yes",
    "grammaticality": "grammaticality",
}
"""Metrics of Table 2 with the options of the released code."""

AS_RELEASED = MaegeParameters(
    metric=", ".join(WRITTEN.values()),
    seeds=SEEDS,
    source=Source.CORPORA,
    quality=Quality.CHARACTERS,
    corpus_score=CorpusScore.MEAN,
)

WITH_ORIGINAL = replace(
    AS_RELEASED,
    metric=", ".join(WRITTEN[name] for name in WRITTEN if name not in ("m2", "grammaticality")),
    source=Source.ORIGINAL,
)

DEVIATIONS = 2
"""The paper has one draw, which agrees within so many standard deviations of the mean over seeds."""

ONE_DRAW = f"the paper has one draw, here {DEVIATIONS} standard deviations over seeds"

REFERENCES = ("BN1", "BN2", "BN4", "BN5", "BN6", "BN8", "BN9", "BN10")


@dataclass(frozen=True, slots=True)
class _SingleBar(NoProgress):
    """Progress of a run shown on the single bar of a reproduction, which has begun.

    Attributes:
        report: called with the number of parts.
    """

    report: Callable[[int], None]

    def advance(self, parts: int) -> None:
        """Advance the bar."""
        self.report(parts)


@dataclass(eq=False)
class Maege(PaperData):
    """The texts of `conll14/`, and what MAEGE says of them."""

    @cached_property
    def texts(self) -> LatticeTexts:
        """Both official annotators with the participants' alternatives, and eight other annotators' texts.

        Raises:
            FormatError: a file is missing or is not what it should be.
        """
        conll = self.folder / "conll14"
        references = {name: conll / "references" / "bryant-ng-2015" / f"{name}.txt" for name in REFERENCES}
        sentences = read_m2_with_references(conll / "official-2014.combined-withalt.m2", references)
        texts = corpus_texts(sentences, parser=english_pipeline())
        return LatticeTexts(texts.sentences, texts.digest, texts.parser)

    @cached_property
    def as_released(self) -> MaegeVerdict:
        """The result with the options of the released code.

        Raises:
            ParameterError: a metric cannot be computed, for example without Harper.
        """
        return self._result(AS_RELEASED)

    @cached_property
    def with_original(self) -> MaegeVerdict:
        """The result with the original as source."""
        return self._result(WITH_ORIGINAL)

    def _result(self, parameters: MaegeParameters) -> MaegeVerdict:
        made: MaegeVerdict = computed(MAEGE, self.texts, parameters, _SingleBar(self.progress))
        return made
