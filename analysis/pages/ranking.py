"""The ranking page of a campaign, and its figures of ranks and agreement."""

from dataclasses import dataclass
from typing import Any, cast, get_args
from uuid import UUID

from django.core.exceptions import BadRequest
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST

from analysis.analyses.agreement import AGREEMENT, AgreementParameters, Judging
from analysis.analyses.ranking import RANKING, UNITS, Ranking, RankingParameters
from analysis.pages.analyses import about, checked, refusal
from analysis.pages.annotators import judges_of
from analysis.pages.registered import AnalysisPage, register_page
from analysis.pages.tables import (
    MOST_IN_A_MATRIX,
    agreement_rows,
    clusters,
    head_to_head_rows,
    in_order,
    judge_rows,
    methods_side_by_side,
    with_labels,
)
from analysis.runs.queries import compute_anew, current
from analysis.runs.requests import Request, request_of
from analysis.runs.sources.judgments import JUDGMENTS
from annotate.judgments.queries import labels_of
from annotate.models import Campaign, User
from annotate.web.access import AccountRequest, campaign_or_404, researcher
from annotate.web.images import image_of, title_of
from annotate.web.parameter_forms import ParametersForm, query_of
from figures.agreement import agreement_figure
from figures.ranking import LayoutName, ranking_figure
from metrics.parameters import ParameterError
from ranking import Method

OF_FIGURES = ("layout", "theme")
SCORES = {"raw": "no", "z": "yes"}

FIELDS_OF_RANKINGS = ("method", "unit", "confidence", "controls", "excluded")
FIELDS_OF_SCORES = ("method", "unit", "confidence", "z_scores", "tie_width", "controls", "excluded")

register_page(AnalysisPage("ranking", route="ranking"))
register_page(AnalysisPage("agreement", route="ranking"))


@dataclass(frozen=True, slots=True)
class Wanted:
    """The requests of a ranking's address.

    Attributes:
        ranking: ranking of the systems.
        agreement: agreement of the judges, on the same judgments.
    """

    ranking: Request
    agreement: Request

    @property
    def parameters(self) -> RankingParameters:
        """All parameters, resolved."""
        parameters: RankingParameters = self.ranking.parameters
        return parameters


@researcher
def ranking(request: AccountRequest, uuid: UUID) -> HttpResponse:
    campaign, user = campaign_or_404(uuid), request.user
    form = _form(request, campaign)
    try:
        wanted = _wanted(form, campaign)
        version = JUDGMENTS.version(campaign)
        ranked = current(wanted.ranking, asked_by=user, version=version)
        judged = current(wanted.agreement, asked_by=user, version=version)
    except ParameterError as error:
        return refusal(request, form, error, {**about(campaign), "analysis": RANKING})
    form.show(wanted.parameters)
    query = query_of(wanted.parameters)
    compute_address = f"{reverse('compute-ranking', args=[uuid])}?{query}"
    if ranked.result is None or judged.result is None:
        missing = [
            part.job or compute_anew(request_of_part, asked_by=user)
            for request_of_part, part in ((wanted.ranking, ranked), (wanted.agreement, judged))
            if part.result is None
        ]
        waiting = {**about(campaign), "compute": compute_address, "job": missing[0], "what": "Ranking"}
        return render(request, "analysis/nothing_yet.html", waiting)
    context = {
        "campaign": campaign,
        "labels": labels_of(campaign.corpus),
        "form": form,
        "query": query,
        "compute": compute_address,
        "newer_answers": max(ranked.newer, judged.newer),
        "job": ranked.job or judged.job,
        **_results(campaign, wanted.parameters, ranked.result, judged.result, user),
    }
    return render(request, "analysis/ranking.html", context)


def _results(
    campaign: Campaign, parameters: RankingParameters, ranking: Ranking, judging: Judging, user: User
) -> dict[str, Any]:
    """The template's context for the two results."""
    judges = judges_of(campaign, may_see_names=user.may_see_names)
    methods, places = methods_side_by_side(ranking.standings, parameters.score_name, judging)
    kappas = judging.agreement
    return {
        "parameters": parameters,
        "ranking": ranking,
        "judging": judging,
        "unit_meaning": parameters.unit_meaning,
        "methods": methods,
        "places": places,
        "clusters": clusters(ranking.standings, judging.head_to_head),
        "kappas": [
            ("Between annotators", kappas.inter),
            ("Of annotators with themselves", kappas.intra),
            ("Between annotators, pooled", kappas.inter_pooled),
            ("Of annotators with themselves, pooled", kappas.intra_pooled),
        ],
        "alphas": [
            ("Over pairs, nominal", judging.alpha_of_pairs),
            (
                "Over scores, interval" if judging.is_scored else "Over ranks, ordinal",
                judging.alpha_of_ratings,
            ),
        ],
        "agreement_rows": list(agreement_rows(judging, judges)),
        "judge_rows": list(judge_rows(judging, judges)),
        "head_to_head_rows": list(head_to_head_rows(ranking.standings, judging.head_to_head)),
        "unit": UNITS.get(ranking.standings.unit or ""),
        "decimals": 2 if parameters.method is Method.MEAN_SCORE else 3,
        "interval_title": f"{parameters.confidence:.0%} interval",
        "most_in_a_matrix": MOST_IN_A_MATRIX,
    }


@researcher
@require_POST
def compute_ranking(request: AccountRequest, uuid: UUID) -> HttpResponse:
    """Queue a new ranking of a large campaign, with the parameters of the address."""
    campaign, user = campaign_or_404(uuid), request.user
    form = _form(request, campaign)
    try:
        wanted = _wanted(form, campaign)
    except ParameterError as error:
        return refusal(request, form, error, {**about(campaign), "analysis": RANKING})
    for part in (wanted.ranking, wanted.agreement):
        compute_anew(part, asked_by=user)
    return redirect(f"{reverse('ranking', args=[uuid])}?{query_of(wanted.parameters)}")


@researcher
def ranking_image(request: AccountRequest, uuid: UUID, image: str) -> HttpResponse:
    campaign = campaign_or_404(uuid)
    wanted = _wanted_or_400(request, campaign)
    ranking: Ranking = _result_or_404(wanted.ranking, request)
    layout = request.GET.get("layout", "wide")
    if layout not in get_args(LayoutName):
        raise Http404
    chart = ranking_figure(
        with_labels(ranking.standings, labels_of(campaign.corpus)),
        title=title_of(campaign),
        score_name=wanted.parameters.score_name,
        layout=cast(LayoutName, layout),
    )
    return image_of(chart, request, image)


@researcher
def agreement_image(request: AccountRequest, uuid: UUID, image: str) -> HttpResponse:
    """Annotators appear by number, for every user."""
    campaign = campaign_or_404(uuid)
    wanted = _wanted_or_400(request, campaign)
    judging: Judging = _result_or_404(wanted.agreement, request)
    if len(judging.agreement.judges) > MOST_IN_A_MATRIX:
        raise Http404
    shown = in_order(judging.agreement.judges, judges_of(campaign, may_see_names=False))
    chart = agreement_figure(
        judging.agreement,
        labels={judge.key: judge.known_as for judge in shown},
        title=f"{title_of(campaign)}: agreement of annotators (κ)",
    )
    return image_of(chart, request, image)


def _form(request: AccountRequest, campaign: Campaign) -> ParametersForm[RankingParameters]:
    """The parameters of an address, without the style of a figure."""
    stated = {name: text for name, text in request.GET.dict().items() if name not in OF_FIGURES}
    if stated.get("scores") in SCORES:  # Used in addresses before the API and the page shared names.
        stated["z_scores"] = SCORES[stated.pop("scores")]
    if JUDGMENTS.has_scores(campaign):
        return ParametersForm(RankingParameters, stated, shown=FIELDS_OF_SCORES)
    without = {"method": [Method.MEAN_SCORE.value]}
    return ParametersForm(RankingParameters, stated, shown=FIELDS_OF_RANKINGS, without=without)


def _wanted(form: ParametersForm[RankingParameters], campaign: Campaign) -> Wanted:
    """The request of the form.

    Raises:
        ParameterError: a parameter is impossible.
    """
    ranking = checked(form, RANKING, campaign)
    parameters: RankingParameters = ranking.parameters
    of_judging = AgreementParameters(parameters.tie_width, parameters.controls, parameters.excluded)
    return Wanted(ranking, request_of(AGREEMENT, campaign, of_judging, left_out=ranking.left_out))


def _wanted_or_400(request: AccountRequest, campaign: Campaign) -> Wanted:
    """For figures, which cannot show a message."""
    try:
        return _wanted(_form(request, campaign), campaign)
    except ParameterError as error:
        raise BadRequest(str(error)) from error


def _result_or_404(wanted: Request, request: AccountRequest) -> Any:
    try:
        shown = current(wanted, asked_by=request.user)
    except ParameterError as error:
        raise BadRequest(str(error)) from error
    if shown.result is None:
        raise Http404
    return shown.result
