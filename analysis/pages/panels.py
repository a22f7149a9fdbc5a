"""Stored results, however old, on the overview of a campaign and on the home page."""

from collections.abc import Sequence
from typing import Any

from django.urls import reverse

from analysis.analyses.agreement import Judging
from analysis.analyses.quality import QUALITY, Quality
from analysis.analyses.ranking import RANKING, Ranking, RankingParameters
from analysis.analyses.ranking_headline import headline
from analysis.runs.queries import Current, stored, stored_of_campaigns
from analysis.runs.requests import request_beside, request_of
from analysis.runs.sources.judgments import JUDGMENTS
from annotate.judgments.pseudonyms import pseudonym
from annotate.judgments.queries import roles_and_labels_of
from annotate.models import Annotator, Campaign, SystemRole, User
from annotate.web.registered_pages import Notice, Panel
from core.marks import Scale, scale_of
from core.wording import counted
from ranking import FlagRule, Standings
from ranking.control_rule import DEFAULT_RULE
from ranking.quality import reasons_to_look

SYSTEMS_SHOWN = 15
"""Of a ranking so far; the ranking page shows all."""


def panels(campaign: Campaign, user: User) -> list[Panel]:
    """Ranking and agreement so far, with the parameters that their page begins with."""
    version = JUDGMENTS.version(campaign)
    ranking = request_of(RANKING, campaign, RankingParameters())
    agreement = request_beside(ranking)
    ranked, judged = stored(ranking, version), stored(agreement, version)
    shared = {"answers": version.size, "compute": reverse("compute-ranking", args=[campaign.uuid])}
    return [
        Panel("analysis/_ranking_so_far.html", {**shared, "stored": ranked, **_ranking(campaign, ranked)}),
        Panel(
            "analysis/_agreement_so_far.html",
            {**shared, "stored": judged, **_agreement(judged)},
            is_narrow=True,
        ),
    ]


def _ranking(campaign: Campaign, ranked: Current | None) -> dict[str, Any]:
    if ranked is None:
        return {}
    ranking: Ranking = ranked.result
    standings = ranking.standings
    roles, labels = roles_and_labels_of(campaign)
    shown = standings.systems[:SYSTEMS_SHOWN]
    return {
        "headline": headline(standings, roles, labels),
        "labels": labels,
        "rows": [
            (standing, roles.get(standing.system, SystemRole.SYSTEM) != SystemRole.SYSTEM)
            for standing in shown
        ],
        "more": len(standings.systems) - len(shown),
        "reason": standings.reason,
        "score_name": RankingParameters(method=standings.method).score_name,
        "confidence": standings.confidence,
        "scale": scale_of_scores(standings),
    }


def scale_of_scores(standings: Standings) -> Scale | None:
    """From the lowest to the highest score, intervals included; None without scores."""
    ends = [
        end
        for standing in standings.systems
        for end in (standing.score, standing.score_low, standing.score_high)
        if end is not None
    ]
    return scale_of(ends)


def _agreement(judged: Current | None) -> dict[str, Any]:
    if judged is None:
        return {}
    judging: Judging = judged.result
    return {
        "kappas": [
            ("Between annotators, κ", judging.agreement.inter),
            ("Of annotators with themselves, κ", judging.agreement.intra),
        ],
        "alpha": judging.alpha_of_pairs,
    }


def flags(campaigns: Sequence[Campaign]) -> dict[int, Notice]:
    """How many annotators the quality page flags by default, as last computed, without excluded ones."""
    qualities = stored_of_campaigns(QUALITY, campaigns)
    if not qualities:
        return {}
    by_key = {campaign.pk: campaign for campaign in campaigns}
    excluded = Annotator.objects.filter(campaign__in=qualities).exclude(excluded_at=None)
    settled = {pseudonym(by_key[key], name) for key, name in excluded.values_list("campaign", "name")}
    notices = {}
    for key, quality in qualities.items():
        if number := _flagged(quality, settled):
            notices[key] = Notice(counted(number, "flag"), reverse("quality", args=[by_key[key].uuid]))
    return notices


def _flagged(quality: Quality, settled: set[str]) -> int:
    reasons = reasons_to_look(quality.annotators, DEFAULT_RULE, FlagRule())
    return sum(bool(why) and annotator not in settled for annotator, why in reasons.items())
