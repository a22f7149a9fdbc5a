"""The results that the answers about a campaign are made of, and keeping them up to date."""

from typing import Any

from django.core.cache import cache

from analysis.analyses.base import Analysis
from analysis.analyses.collected import ValidityJudgments, WrittenCorrections
from analysis.analyses.fragility import FRAGILITY
from analysis.analyses.metric_advice import METRIC_ADVICE
from analysis.analyses.quality import QUALITY
from analysis.analyses.ranking import RANKING
from analysis.analyses.stopping import STOPPING
from analysis.analyses.validity import VALIDITY
from analysis.runs.queries import compute_anew, newest_run
from analysis.runs.requests import Request, request_beside, request_of
from analysis.runs.sources import Version, analyses_of, source_of, version_of
from annotate.models import Campaign, CampaignState, User
from annotate.references.answers import collects_corrections, judges_validity

JUDGED = (CampaignState.RUNNING, CampaignState.PAUSED, CampaignState.CLOSED, CampaignState.IMPORTED)

GROWTH = 0.1
"""Results are computed again when there are this share more answers."""

COLLECTED = (WrittenCorrections, ValidityJudgments)
"""Kinds of inputs of campaigns that rank no systems."""


def compares_systems(campaign: Campaign) -> bool:
    """Whether its judgments rank systems."""
    return not (collects_corrections(campaign) or judges_validity(campaign))


def requests_of(campaign: Campaign) -> list[Request]:
    """The requests whose results the answers are made of, with the parameters that their pages begin with."""
    if not compares_systems(campaign):
        listed = analyses_of(campaign, User(role="researcher"))
        found = [each for each in listed if issubclass(each.inputs, COLLECTED) and each.headline]
        if judges_validity(campaign):
            found.append(VALIDITY)
        return [_usual(each, campaign) for each in found]
    ranking = _usual(RANKING, campaign)
    others = [_usual(each, campaign) for each in (FRAGILITY, STOPPING, QUALITY)]
    if not why_no_advice(campaign):
        others.append(_usual(METRIC_ADVICE, campaign))
    return [ranking, request_beside(ranking), *others]


def why_no_advice(campaign: Campaign) -> str:
    """Why no metric can be compared with these judgments, and what to do; empty if some can."""
    return source_of(METRIC_ADVICE).why_not(campaign, METRIC_ADVICE)


def renew_answers() -> None:
    """Queue jobs for the answers about campaigns whose judgments have become many more."""
    for campaign in Campaign.objects.filter(state__in=JUDGED).select_related("corpus", "design", "follows"):
        for request in requests_of(campaign):
            version = version_of(request.analysis, campaign)
            seen = f"answers-seen:{request.key}"
            if cache.get(seen) != version.state:
                if _is_due(request, version):
                    compute_anew(request, asked_by=None)
                cache.set(seen, version.state, timeout=None)


def _is_due(request: Request, version: Version) -> bool:
    newest = newest_run(request)
    if newest is None:
        return version.size > 0
    return newest.inputs != version.state and version.size >= (1 + GROWTH) * newest.size


def _usual(analysis: Analysis[Any, Any], campaign: Campaign) -> Request:
    return request_of(analysis, campaign, analysis.parameters())
