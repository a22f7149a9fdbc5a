"""A corpus whose references have ERRANT's edits, so that no text must be parsed, with its analyses."""

from analysis.analyses.conservatism import CONSERVATISM, ConservatismParameters
from analysis.analyses.corpus_statistics import CORPUS_STATISTICS, StatisticsParameters
from analysis.analyses.coverage import COVERAGE, CoverageParameters
from analysis.analyses.human_performance import HUMAN_PERFORMANCE, HumanPerformanceParameters
from analysis.analyses.lattice import LATTICE, LatticeParameters
from analysis.analyses.maege import MAEGE
from analysis.analyses.metrics_people import METRICS_PEOPLE
from analysis.analyses.oracle_reranking import ORACLE_RERANKING, RerankingParameters
from analysis.analyses.perfect_corrector import PERFECT_CORRECTOR, PerfectCorrectorParameters
from analysis.analyses.stress import STRESS, StressParameters
from analysis.runs.queries import in_this_process
from analysis.runs.requests import request_of
from annotate.models import Corpus
from core.progress import NoProgress
from formats import Edit, Reference
from metrics.validation.maege import MaegeParameters
from tests.analysis.scored_campaigns import METRICS, edited_campaign, result_of
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
        "a a",
        references=[Reference("0", "a a", ()), Reference("1", "a a .", (edit(2, 2, ".", "M:PUNCT"),))],
    ),
)
"""Those of the M2 file in `test_corpus_statistics_command`."""


def corpus_with_edits(name: str = "edited", *, language: str = "en") -> Corpus:
    """The corpus."""
    return small_corpus(name, sentences=SENTENCES, language=language)


def described_corpus() -> Corpus:
    """The same with its statistics, as a job has computed them."""
    corpus = corpus_with_edits()
    in_this_process(request_of(CORPUS_STATISTICS, corpus, StatisticsParameters()), NoProgress())
    return corpus


def covered_corpus() -> Corpus:
    """The corpus with the coverage of its references, which only the first sentence says anything about."""
    corpus = corpus_with_edits("covered")
    in_this_process(request_of(COVERAGE, corpus, CoverageParameters()), NoProgress())
    return corpus


def perfectly_corrected_corpus() -> Corpus:
    """The corpus with the score of a perfect corrector, drawn from the first sentence."""
    corpus = corpus_with_edits("perfectly-corrected")
    request = request_of(PERFECT_CORRECTOR, corpus, PerfectCorrectorParameters())
    in_this_process(request, NoProgress())
    return corpus


def corpus_with_lattices(name: str = "validated") -> Corpus:
    """A sentence that two annotators correct, and one that one of them leaves as it is."""
    return small_corpus(name, sentences=SENTENCES, language="en")


def validated_corpus() -> Corpus:
    """The corpus with MAEGE’s verdict on the usual metrics, and a lattice."""
    corpus = corpus_with_lattices()
    in_this_process(request_of(MAEGE, corpus, MaegeParameters()), NoProgress())
    in_this_process(request_of(LATTICE, corpus, LatticeParameters()), NoProgress())
    return corpus


def validated_beside_people() -> Corpus:
    """A corpus with MAEGE’s verdict, and a campaign with people’s verdict on some of the metrics."""
    corpus = edited_corpus("judged-edits")
    scored(corpus, *METRICS)
    result_of(METRICS_PEOPLE, edited_campaign(corpus, "judged-edits"))
    in_this_process(request_of(MAEGE, corpus, MaegeParameters()), NoProgress())
    return corpus


def compared_corpus() -> Corpus:
    """A corpus whose systems were compared with its references, with edits by type."""
    corpus = small_corpus("compared")
    in_this_process(request_of(CONSERVATISM, corpus, ConservatismParameters()), NoProgress())
    return corpus


def reranked_corpus() -> Corpus:
    """A corpus whose outputs were picked against its references."""
    corpus = small_corpus("reranked")
    in_this_process(request_of(ORACLE_RERANKING, corpus, RerankingParameters()), NoProgress())
    return corpus


def compared_with_people() -> Corpus:
    """A corpus whose systems were scored beside people."""
    corpus = small_corpus("beside-people")
    in_this_process(request_of(HUMAN_PERFORMANCE, corpus, HumanPerformanceParameters()), NoProgress())
    return corpus


def stressed_corpus() -> Corpus:
    """A corpus on which two metrics were tried."""
    corpus = small_corpus("under-stress")
    in_this_process(request_of(STRESS, corpus, StressParameters(metric="gleu,m2")), NoProgress())
    return corpus
