"""Campaigns of corrections and of judgments of validity, and a corpus that has grown, with their analyses."""

from typing import Any

from analysis.analyses.base import Analysis
from analysis.analyses.corrections import CORRECTIONS, CORRECTIONS_COVERAGE
from analysis.analyses.grown_references import GROWN_REFERENCES
from analysis.analyses.valid_outputs import VALID_OUTPUTS
from analysis.runs.queries import in_this_process
from analysis.runs.requests import request_of
from analysis.runs.sources import Subject
from annotate.models import Campaign, Corpus
from annotate.references.collecting import make_valid_references
from core.progress import NoProgress
from tests.annotate.references.answers import correcting_campaign, judging_campaign
from tests.annotate.samples import no_progress, small_corpus


def computed(analysis: Analysis[Any, Any], subject: Subject, **parameters: Any) -> Any:
    """The result, stored as by a job."""
    return in_this_process(request_of(analysis, subject, analysis.parameters(**parameters)), NoProgress())


def corrected_campaign(corpus: Corpus) -> Campaign:
    """Corrections with their analyses."""
    campaign = correcting_campaign(corpus)
    computed(CORRECTIONS, campaign)
    computed(CORRECTIONS_COVERAGE, campaign)
    return campaign


def validated_outputs(corpus: Corpus) -> Campaign:
    """Judgments of validity with their analysis."""
    campaign = judging_campaign(corpus)
    computed(VALID_OUTPUTS, campaign)
    return campaign


def grown_corpus() -> Corpus:
    """A corpus with a reference that was an output of a system, and what that changed."""
    corpus = small_corpus("grown", language="de")
    make_valid_references(judging_campaign(corpus, "grown by"), by=None, progress=no_progress)
    computed(GROWN_REFERENCES, corpus)
    return corpus
