"""A campaign of a corpus with metric scores, and with the result of metrics against people."""

from typing import Any

from analysis.analyses.base import Analysis
from analysis.analyses.metrics_people import METRICS_PEOPLE, MetricsPeopleParameters
from analysis.runs.queries import in_this_process
from analysis.runs.requests import request_of
from annotate.models import Campaign, Corpus
from core.progress import NoProgress
from tests.annotate.samples import ranking, small_campaign
from tests.annotate.scores.scoring import edited_corpus, scored

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
"""Of the edited corpus."""


def edited_campaign(corpus: Corpus | None = None, name: str = "judged") -> Campaign:
    """A campaign of `RANKINGS`, without scores."""
    return small_campaign(corpus or edited_corpus(), name, rankings=RANKINGS)


def scored_campaign(corpus: Corpus, name: str = "judged") -> Campaign:
    """A campaign whose corpus is scored by `METRICS`."""
    scored(corpus, *METRICS)
    return small_campaign(corpus, name)


def compared_campaign(corpus: Corpus, name: str = "judged") -> Campaign:
    """The same with the result that its page shows, as a job has computed it."""
    campaign = scored_campaign(corpus, name)
    result_of(METRICS_PEOPLE, campaign, MetricsPeopleParameters())
    return campaign


def result_of(analysis: Analysis[Any, Any], campaign: Campaign, parameters: Any = None) -> Any:
    """The result of an analysis, stored as by a job; with the parameters that its page has at first."""
    return in_this_process(request_of(analysis, campaign, parameters or analysis.parameters()), NoProgress())
