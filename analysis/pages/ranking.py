"""The ranking page of a campaign, and its figures of ranks and agreement."""

from typing import cast, get_args
from uuid import UUID

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST

from analysis.pages.forms import UNITS, RankingForm, ScoreRankingForm
from analysis.pages.images import image_of, title_of
from analysis.pages.tables import (
    MOST_IN_A_MATRIX,
    Judge,
    agreement_rows,
    clusters,
    head_to_head_rows,
    in_order,
    judge_rows,
    methods_side_by_side,
    with_labels,
)
from analysis.runs.queries import has_scores, queue_ranking, ranking_of
from annotate.judgments.pseudonyms import annotators_by_pseudonym
from annotate.judgments.queries import labels_of
from annotate.models import Campaign
from annotate.web.access import AccountRequest, campaign_or_404, researcher
from figures.agreement import agreement_figure
from figures.ranking import LayoutName, ranking_figure
from ranking import Method


@researcher
def ranking(request: AccountRequest, uuid: UUID) -> HttpResponse:
    campaign = campaign_or_404(uuid)
    form = _form(request, campaign)
    compute_address = f"{reverse('compute-ranking', args=[uuid])}?{form.query}"
    current = ranking_of(campaign, form.choice)
    ranking, judging = current.ranking, current.judging
    if ranking is None or judging is None:
        job = current.job or queue_ranking(campaign, form.choice, asked_by=request.user)
        waiting = {"campaign": campaign, "compute": compute_address, "job": job, "what": "Ranking"}
        return render(request, "analysis/nothing_yet.html", waiting)
    judges = _judges(campaign, may_see_names=request.user.may_see_names)
    methods, places = methods_side_by_side(ranking.standings, form.choice.score_name, judging)
    context = {
        "campaign": campaign,
        "labels": labels_of(campaign.corpus),
        "form": form,
        "choice": form.choice,
        "ranking": ranking,
        "compute": compute_address,
        "newer_answers": current.newer_answers,
        "job": current.job,
        "judging": judging,
        "unit_meaning": form.choice.unit_meaning,
        "methods": methods,
        "places": places,
        "clusters": clusters(ranking.standings, judging.head_to_head),
        "kappas": [
            ("Between annotators", judging.agreement.inter),
            ("Of annotators with themselves", judging.agreement.intra),
            ("Between annotators, pooled", judging.agreement.inter_pooled),
            ("Of annotators with themselves, pooled", judging.agreement.intra_pooled),
        ],
        "alphas": [
            ("Over pairs, nominal", judging.alpha_of_pairs),
            (
                "Over scores, interval" if judging.scoring else "Over ranks, ordinal",
                judging.alpha_of_ratings,
            ),
        ],
        "agreement_rows": list(agreement_rows(judging, judges)),
        "judge_rows": list(judge_rows(judging, judges)),
        "head_to_head_rows": list(head_to_head_rows(ranking.standings, judging.head_to_head)),
        "unit": UNITS.get(ranking.standings.unit or ""),
        "decimals": 2 if form.choice.method is Method.MEAN_SCORE else 3,
        "interval_title": f"{form.choice.confidence:.0%} interval",
        "most_in_a_matrix": MOST_IN_A_MATRIX,
    }
    return render(request, "analysis/ranking.html", context)


@researcher
@require_POST
def compute_ranking(request: AccountRequest, uuid: UUID) -> HttpResponse:
    """Rank a large campaign anew, as the address chooses."""
    campaign = campaign_or_404(uuid)
    form = _form(request, campaign)
    queue_ranking(campaign, form.choice, asked_by=request.user)
    return redirect(f"{reverse('ranking', args=[uuid])}?{form.query}")


@researcher
def ranking_image(request: AccountRequest, uuid: UUID, image: str) -> HttpResponse:
    campaign = campaign_or_404(uuid)
    choice = _form(request, campaign).choice
    ranking = ranking_of(campaign, choice).ranking
    if ranking is None:
        raise Http404
    layout = request.GET.get("layout", "wide")
    if layout not in get_args(LayoutName):
        raise Http404
    chart = ranking_figure(
        with_labels(ranking.standings, labels_of(campaign.corpus)),
        title=title_of(campaign),
        score_name=choice.score_name,
        layout=cast(LayoutName, layout),
    )
    return image_of(chart, request, image)


@researcher
def agreement_image(request: AccountRequest, uuid: UUID, image: str) -> HttpResponse:
    """Annotators stand under their numbers, whoever takes it away."""
    campaign = campaign_or_404(uuid)
    judging = ranking_of(campaign, _form(request, campaign).choice).judging
    if judging is None or len(judging.agreement.judges) > MOST_IN_A_MATRIX:
        raise Http404
    shown = in_order(judging.agreement.judges, _judges(campaign, may_see_names=False))
    chart = agreement_figure(
        judging.agreement,
        labels={judge.key: judge.known_as for judge in shown},
        title=f"{title_of(campaign)}: agreement of annotators (κ)",
    )
    return image_of(chart, request, image)


def _judges(campaign: Campaign, *, may_see_names: bool) -> dict[str, Judge]:
    return {
        key: Judge(key, annotator.number, annotator.own_name if may_see_names else "")
        for key, annotator in annotators_by_pseudonym(campaign).items()
    }


def _form(request: AccountRequest, campaign: Campaign) -> RankingForm:
    """What is asked for, of rankings or of scores."""
    return ScoreRankingForm(request.GET) if has_scores(campaign) else RankingForm(request.GET)
