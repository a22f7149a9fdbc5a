"""Campaigns of corrections and of judgments of validity, and a corpus that has grown, with their analyses."""

from typing import Any

from analysis.analyses.base import AnyAnalysis
from analysis.analyses.references.corrections import CORRECTIONS, CORRECTIONS_COVERAGE
from analysis.analyses.references.grown_references import GROWN_REFERENCES
from analysis.analyses.references.valid_outputs import VALID_OUTPUTS
from analysis.runs.sources import Subject
from annotate.models import Campaign, Corpus
from annotate.references.collecting import make_valid_references
from tests.analysis.scored_campaigns import analysed, result_of
from tests.annotate.references.answers import correcting_campaign, judging_campaign
from tests.annotate.samples import no_progress, small_corpus


def computed(analysis: AnyAnalysis, subject: Subject, **parameters: Any) -> Any:
    """The result, stored as by a job."""
    return result_of(analysis, subject, analysis.parameters(**parameters))


def corrected_campaign(corpus: Corpus) -> Campaign:
    """Corrections with their analyses."""
    return analysed(correcting_campaign(corpus), CORRECTIONS, CORRECTIONS_COVERAGE)


def validated_outputs(corpus: Corpus) -> Campaign:
    """Judgments of validity with their analysis."""
    return analysed(judging_campaign(corpus), VALID_OUTPUTS)


def grown_corpus() -> Corpus:
    """A corpus with a reference that was an output of a system, and what that changed."""
    corpus = small_corpus("grown", language="de")
    make_valid_references(judging_campaign(corpus, "grown by"), by=None, progress=no_progress)
    return analysed(corpus, GROWN_REFERENCES)
