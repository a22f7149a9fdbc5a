"""Campaigns of a corpus with metric scores, and results of analyses."""

from pathlib import Path
from typing import Any, TypeVar
from uuid import uuid4

from analysis.analyses.base import AnyAnalysis
from analysis.analyses.metrics.metrics_people import METRICS_PEOPLE
from analysis.runs.answering import requests_of
from analysis.runs.queries import in_this_process
from analysis.runs.requests import Request, request_of
from analysis.runs.sources import Subject
from annotate.models import Campaign, Corpus
from annotate.scores.corpus_outputs import corpus_outputs
from annotate.scores.uploading import read_scores, store_scores
from core.progress import NoProgress
from tests.analysis.judgment_files import write_scores
from tests.annotate.samples import ranking, small_campaign
from tests.annotate.scores.scoring import edited_corpus, scored

S = TypeVar("S", bound=Subject)

METRICS = ("gleu", "sari", "chrf")

JUDGES = ("Annabel", "Benedikt")
"""Names so long that no random token holds one by chance."""

RANKINGS = [
    ranking(judge, number, order)
    for judge in JUDGES
    for number, order in enumerate(
        ["Cedar > Alder Birch > INPUT", "Alder > INPUT > Birch", "Alder Cedar INPUT > Birch"]
    )
]
"""Rankings of the edited corpus."""


def edited_campaign(corpus: Corpus | None = None, name: str = "judged") -> Campaign:
    """A campaign of `RANKINGS`, without scores."""
    return small_campaign(corpus or edited_corpus(), name, rankings=RANKINGS)


def scored_campaign(corpus: Corpus, name: str = "judged") -> Campaign:
    """A campaign whose corpus is scored by `METRICS`."""
    scored(corpus, *METRICS)
    return small_campaign(corpus, name)


def compared_campaign(corpus: Corpus, name: str = "judged") -> Campaign:
    """A campaign with scores and the result that its page shows, as a job has computed it."""
    return analysed(scored_campaign(corpus, name), METRICS_PEOPLE)


def answered_campaign(corpus: Corpus, name: str = "judged") -> Campaign:
    """A campaign with the results that its answers are made of, as jobs have computed them."""
    campaign = small_campaign(corpus, name)
    compute_answers(campaign)
    return campaign


def compute_answers(campaign: Campaign) -> list[Request]:
    """Compute and store all results that the answers about a campaign are made of."""
    requests = requests_of(campaign)
    for request in requests:
        in_this_process(request, NoProgress())
    return requests


def analysed(subject: S, *analyses: AnyAnalysis) -> S:
    """It, with the results that the pages of these analyses show at first."""
    for analysis in analyses:
        result_of(analysis, subject)
    return subject


def result_of(analysis: AnyAnalysis, subject: Subject, parameters: Any = None) -> Any:
    """The result of an analysis, stored as by a job; with the parameters that its page has at first."""
    return in_this_process(request_of(analysis, subject, parameters or analysis.parameters()), NoProgress())


def upload_scores(corpus: Corpus, folder: Path, *rows: str) -> None:
    """Store scores that were computed elsewhere."""
    path = Path(write_scores(folder, *rows, heading="metric,system,sentence,score"))
    read = read_scores(path, corpus, corpus_outputs(corpus))
    store_scores(corpus, read, by=None, upload=uuid4(), progress=lambda stored: None)
