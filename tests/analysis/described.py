"""Corpora with results of analyses; references have ERRANT's edits, so that no text must be parsed."""

from analysis.analyses.metrics.lattice import LATTICE
from analysis.analyses.metrics.maege.analysis import MAEGE
from analysis.analyses.metrics.metrics_people import METRICS_PEOPLE
from analysis.analyses.references.conservatism import CONSERVATISM
from analysis.analyses.references.corpus_statistics import CORPUS_STATISTICS
from analysis.analyses.references.human_performance import HUMAN_PERFORMANCE
from analysis.analyses.references.oracle_reranking import ORACLE_RERANKING
from analysis.analyses.references.perfect_corrector import PERFECT_CORRECTOR
from analysis.analyses.references.reference_coverage import COVERAGE
from annotate.models import Corpus
from formats import Edit, Reference
from tests.analysis.scored_campaigns import METRICS, analysed, edited_campaign
from tests.annotate.samples import sentence, small_corpus
from tests.annotate.scores.scoring import edited_corpus, scored


def edit(start: int, end: int, correction: str, kind: str) -> Edit:
    """An edit as ERRANT types it."""
    return Edit(start, end, kind, (correction,), "REQUIRED", "-NONE-")


SENTENCES = (
    sentence(
        "a b c d",
        references=[
            Reference("0", "x b y", (edit(0, 1, "x", "R:NOUN"), edit(2, 4, "y", "R:OTHER"))),
            Reference("1", "x b c d", (edit(0, 1, "x", "R:NOUN"),)),
        ],
    ),
    sentence(
        "a a", references=[Reference("0", "a a", ()), Reference("1", "a a .", (edit(2, 2, ".", "M:PUNCT"),))]
    ),
)
"""The sentences of the M2 file in `test_corpus_statistics`."""


def corpus_with_edits(name: str = "edited", *, language: str = "en") -> Corpus:
    """A sentence that two annotators correct, and one that one of them leaves as it is."""
    return small_corpus(name, sentences=SENTENCES, language=language)


def described_corpus() -> Corpus:
    """The corpus with edits and its statistics."""
    return analysed(corpus_with_edits(), CORPUS_STATISTICS)


def covered_corpus() -> Corpus:
    """The corpus with edits and the coverage of its references, which only the first sentence tells about."""
    return analysed(corpus_with_edits("covered"), COVERAGE)


def perfectly_corrected_corpus() -> Corpus:
    """The corpus with edits and the score of a perfect corrector, drawn from the first sentence."""
    return analysed(corpus_with_edits("perfectly-corrected"), PERFECT_CORRECTOR)


def validated_corpus() -> Corpus:
    """The corpus with edits, MAEGE’s verdict on the usual metrics, and a lattice."""
    return analysed(corpus_with_edits("validated"), MAEGE, LATTICE)


def validated_beside_people() -> Corpus:
    """A corpus with MAEGE’s verdict, and a campaign with people’s verdict on some of the metrics."""
    corpus = edited_corpus("judged-edits")
    scored(corpus, *METRICS)
    analysed(edited_campaign(corpus, "judged-edits"), METRICS_PEOPLE)
    return analysed(corpus, MAEGE)


def compared_corpus() -> Corpus:
    """A corpus whose systems were compared with its references, with edits by type."""
    return analysed(small_corpus("compared"), CONSERVATISM)


def reranked_corpus() -> Corpus:
    """A corpus whose outputs were picked against its references."""
    return analysed(small_corpus("reranked"), ORACLE_RERANKING)


def compared_with_people() -> Corpus:
    """A corpus whose systems were scored beside people."""
    return analysed(small_corpus("beside-people"), HUMAN_PERFORMANCE)
