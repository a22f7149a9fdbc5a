"""Stored results, however old, on the overview of a campaign and on the home page."""

from collections.abc import Mapping, Sequence

from django.core.cache import cache
from django.db.models import QuerySet
from django.urls import reverse

from analysis.analyses.annotators.agreement_result import Judging
from analysis.analyses.annotators.quality import QUALITY
from analysis.analyses.base import AnyAnalysis
from analysis.analyses.references.corrections import CORRECTIONS
from analysis.analyses.references.validity import VALIDITY
from analysis.analyses.systems.edits_one_by_one import EDITS
from analysis.analyses.systems.ranking import RANKING, Ranking, RankingParameters
from analysis.analyses.systems.ranking_headline import headline
from analysis.models import COMPUTED, Run
from analysis.results.shared_files import naming_of
from analysis.runs.queries import Current, stored, stored_of_campaigns
from analysis.runs.requests import request_beside, request_of
from analysis.runs.results import from_json, to_json
from analysis.runs.sources import version_of
from analysis.runs.sources.judgments import JUDGMENTS
from annotate.design.protocols import kind_of_answers
from annotate.judgments.pseudonyms import pseudonym
from annotate.judgments.queries import roles_and_labels_of
from annotate.models import Annotator, Campaign, Corpus, SystemRole, User
from annotate.web.registered_pages import Notice, Panel, PeoplesRanking
from assay import __version__
from core.marks import Scale, scale_of
from core.wording import counted
from figures.systems.ranking import ranks_text
from formats.snapshot.vocabulary import AnswerKind
from ranking import Standings

FINDINGS_KEPT_SECONDS = 3600
"""Labels of systems, which the sentences use, may change."""

BY_KIND: Mapping[AnswerKind, AnyAnalysis] = {
    AnswerKind.CORRECTIONS: CORRECTIONS,
    AnswerKind.VERDICTS: VALIDITY,
    AnswerKind.EDITS: EDITS,
}
"""The analysis of answers of each kind that is not compared output by output on a screen."""

SYSTEMS_SHOWN = 15
"""Most systems in the panel with the ranking so far; the ranking page shows all."""


def panels(campaign: Campaign, user: User) -> list[Panel]:
    """Results so far, with the parameters that their pages begin with.

    A campaign that asks for ratings has a ranking and agreement, another one the analysis of its answers.
    """
    if analysis := BY_KIND.get(kind_of_answers(campaign.protocol)):
        return [_finding_so_far(analysis, campaign)]
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


def _finding_so_far(analysis: AnyAnalysis, campaign: Campaign) -> Panel:
    version = version_of(analysis, campaign)
    request = request_of(analysis, campaign, analysis.parameters())
    current = stored(request, version)
    finding = ""
    if current is not None:
        computed = analysis.shown(request.parameters, current.result)
        finding = analysis.finding(computed, naming_of(campaign))
    context = {
        "title": analysis.title,
        "finding": finding,
        "page": reverse("analysis", args=[campaign.uuid, analysis.name]),
        "answers": version.size,
        "compute": reverse("compute-analysis", args=[campaign.uuid, analysis.name]),
        "stored": current,
    }
    return Panel("analysis/_finding_so_far.html", context)


def _ranking(campaign: Campaign, ranked: Current | None) -> dict[str, object]:
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
    """The scale from the lowest to the highest score, intervals included; None without scores."""
    ends = [
        end
        for standing in standings.systems
        for end in (standing.score, standing.score_low, standing.score_high)
        if end is not None
    ]
    return scale_of(ends)


def _agreement(judged: Current | None) -> dict[str, object]:
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


def ranking_of_corpus(corpus: Corpus) -> PeoplesRanking | None:
    """The ranking by people from the most judgments of one campaign, by the usual parameters."""
    done = _usual_rankings().filter(campaign__corpus=corpus).order_by("size", "created_at", "pk")
    keys = [key for key, parameters in done.values_list("pk", "parameters") if parameters in _usual()]
    if not keys:
        return None
    run = done.select_related("campaign").get(pk=keys[-1])
    ranking = _ranking_in(run.result)
    if ranking is None or run.campaign is None:
        return None
    ranks = {each.system: ranks_text(each) for each in ranking.standings.systems if each.score is not None}
    return PeoplesRanking(run.campaign, ranks)


def _usual_rankings() -> QuerySet[Run]:
    return Run.objects.filter(COMPUTED, analysis=RANKING.name, version=__version__)


def _usual() -> list[object]:
    """The parameters with which the page *Ranking* begins."""
    return [to_json(RANKING.resolved(RankingParameters(), scored=scored)) for scored in (False, True)]


def _ranking_in(result: object) -> Ranking | None:
    """The stored ranking; None if an earlier commit wrote it in another form."""
    try:
        ranking: Ranking = from_json(Ranking, result)
    except ValueError:
        return None
    return ranking


def findings(campaigns: Sequence[Campaign]) -> dict[int, str]:
    """A sentence about the winner of each campaign, from its newest ranking by the usual parameters."""
    usual = _usual()
    done = _usual_rankings().filter(campaign__in=campaigns).order_by("created_at", "pk")
    newest = {
        campaign: (key, f"finding:{key}")
        for campaign, key, parameters in done.values_list("campaign", "pk", "parameters")
        if parameters in usual
    }
    known = cache.get_many([cached for _, cached in newest.values()])
    new = [key for key, cached in newest.values() if cached not in known]
    runs = done.filter(pk__in=new).select_related("campaign")
    made = {f"finding:{run.pk}": _finding(run.campaign, run.result) for run in runs if run.campaign}
    cache.set_many(made, FINDINGS_KEPT_SECONDS)
    return {campaign: {**known, **made}[cached] for campaign, (_, cached) in newest.items()}


def _finding(campaign: Campaign, result: object) -> str:
    ranking = _ranking_in(result)
    return "" if ranking is None else headline(ranking.standings, *roles_and_labels_of(campaign))


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
        if number := len(quality.flagged.difference(settled)):
            notices[key] = Notice(counted(number, "flag"), reverse("quality", args=[by_key[key].uuid]))
    return notices
