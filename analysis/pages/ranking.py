"""The ranking page of a campaign, and its figures."""

from typing import cast, get_args
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST

from analysis.pages.forms import UNITS, RankingForm, ScoreRankingForm
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
from annotate.campaigns import progress
from annotate.corpora.queries import distinct_output_histogram
from annotate.judgments.pseudonyms import annotators_by_pseudonym
from annotate.judgments.queries import labels_of
from annotate.models import Campaign, User
from annotate.web.access import campaign_or_404, corpus_or_404, researcher, run_here_or_404
from figures import agreement as figures_agreement
from figures import distinct_outputs as figures_distinct_outputs
from figures import drawing as figures_drawing
from figures import progress as figures_progress
from figures import ranking as figures_ranking
from ranking import Method

CONTENT_TYPES = {"svg": "image/svg+xml", "png": "image/png"}


@researcher
def ranking(request: HttpRequest, uuid: UUID) -> HttpResponse:
    campaign = campaign_or_404(uuid)
    form = _form(request, campaign)
    compute_address = f"{reverse('compute-ranking', args=[uuid])}?{form.query}"
    current = ranking_of(campaign, form.choice)
    ranking, judging = current.ranking, current.judging
    if ranking is None or judging is None:
        job = current.job or queue_ranking(campaign, form.choice, asked_by=cast(User, request.user))
        waiting = {"campaign": campaign, "compute": compute_address, "job": job, "what": "Ranking"}
        return render(request, "analysis/nothing_yet.html", waiting)
    judges = _judges(campaign, may_see_names=cast(User, request.user).may_see_names)
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
def compute_ranking(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Rank a large campaign anew, as the address chooses."""
    campaign = campaign_or_404(uuid)
    form = _form(request, campaign)
    queue_ranking(campaign, form.choice, asked_by=cast(User, request.user))
    return redirect(f"{reverse('ranking', args=[uuid])}?{form.query}")


@researcher
def ranking_image(request: HttpRequest, uuid: UUID, image: str) -> HttpResponse:
    campaign = campaign_or_404(uuid)
    choice = _form(request, campaign).choice
    ranking = ranking_of(campaign, choice).ranking
    if ranking is None:
        raise Http404
    layout = request.GET.get("layout", "wide")
    if layout not in get_args(figures_ranking.LayoutName):
        raise Http404
    chart = figures_ranking.ranking_figure(
        with_labels(ranking.standings, labels_of(campaign.corpus)),
        title=_title(campaign),
        score_name=choice.score_name,
        layout=cast(figures_ranking.LayoutName, layout),
    )
    return _image(request, chart, image)


@researcher
def agreement_image(request: HttpRequest, uuid: UUID, image: str) -> HttpResponse:
    """Annotators stand under their numbers, whoever takes it away."""
    campaign = campaign_or_404(uuid)
    judging = ranking_of(campaign, _form(request, campaign).choice).judging
    if judging is None or len(judging.agreement.judges) > MOST_IN_A_MATRIX:
        raise Http404
    shown = in_order(judging.agreement.judges, _judges(campaign, may_see_names=False))
    chart = figures_agreement.agreement_figure(
        judging.agreement,
        labels={judge.key: judge.known_as for judge in shown},
        title=f"{_title(campaign)}: agreement of annotators (κ)",
    )
    return _image(request, chart, image)


@researcher
def progress_image(request: HttpRequest, uuid: UUID, image: str) -> HttpResponse:
    campaign = run_here_or_404(uuid)
    chart = figures_progress.progress_figure(
        progress.answered_over_time(campaign),
        wanted=progress.slot_counts(campaign).total,
        title=_title(campaign),
    )
    return _image(request, chart, image)


@researcher
def distinct_outputs_image(request: HttpRequest, uuid: UUID, image: str) -> HttpResponse:
    corpus = corpus_or_404(uuid)
    chart = figures_distinct_outputs.distinct_outputs_figure(
        distinct_output_histogram(corpus), title=str(corpus)
    )
    return _image(request, chart, image)


def _judges(campaign: Campaign, *, may_see_names: bool) -> dict[str, Judge]:
    return {
        key: Judge(key, annotator.number, annotator.own_name if may_see_names else "")
        for key, annotator in annotators_by_pseudonym(campaign).items()
    }


def _title(campaign: Campaign) -> str:
    return f"{campaign} (synthetic)" if campaign.synthetic else str(campaign)


def _form(request: HttpRequest, campaign: Campaign) -> RankingForm:
    """What is asked for, of rankings or of scores."""
    return ScoreRankingForm(request.GET) if has_scores(campaign) else RankingForm(request.GET)


def _image(request: HttpRequest, chart: figures_drawing.Chart, image: str) -> HttpResponse:
    theme = request.GET.get("theme", "light")
    if theme not in ("light", "dark") or image not in CONTENT_TYPES:
        raise Http404
    content = figures_drawing.render(
        chart, theme=cast(figures_drawing.Theme, theme), format=cast(figures_drawing.Format, image)
    )
    return HttpResponse(content, content_type=CONTENT_TYPES[image])
