"""Contents of the pages of learned metrics beside the result: the model card, and offering the model."""

from collections.abc import Mapping
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST, require_safe

from analysis.analyses.base import AnyAnalysis
from analysis.analyses.metrics.learned.learned_gmeg import LEARNED_GMEG
from analysis.analyses.metrics.learned.learned_mterater import LEARNED_MTERATER
from analysis.pages.against_people import unscored
from analysis.results.declared_pages import declared_page
from analysis.results.registered_pages import address_of, pages, register_page
from analysis.results.result_files import result_or_404
from analysis.runs.requests import Request
from annotate.models import Campaign, User
from annotate.scores import learned_metrics
from annotate.web.access import AccountRequest, campaign_or_404, researcher
from core.parameters import ParameterError
from core.results import Computed
from metrics.learned.saved import SavedModel, to_json

TRAINING: Mapping[str, AnyAnalysis] = {each.name: each for each in (LEARNED_GMEG, LEARNED_MTERATER)}


def model_card(request: Request, computed: Computed, user: User) -> dict[str, object]:
    """The model, whether it is offered, and which others are."""
    model, there = computed.result.model, learned_metrics.offered()
    return {
        "model": model,
        "is_offered": model.name in there,
        "others_offered": [each for name, each in there.items() if name != model.name],
    }


def with_unscored(request: Request, computed: Computed, user: User) -> dict[str, object]:
    """The model card, and how many judged sentences have no reference if some pairs lack a feature."""
    return model_card(request, computed, user) | unscored(request, computed, user)


register_page(declared_page(LEARNED_GMEG, model_card))
register_page(declared_page(LEARNED_MTERATER, with_unscored))


@researcher
@require_safe
def model_file(request: AccountRequest, uuid: UUID, analysis: str) -> HttpResponse:
    """The model, for `score --metric learned:FILE`."""
    model = _model(request, campaign_or_404(uuid), analysis)
    response = HttpResponse(to_json(model), content_type="application/json")
    response["Content-Disposition"] = f'attachment; filename="{model.name}.json"'
    return response


@researcher
@require_POST
def offer_model(request: AccountRequest, uuid: UUID, analysis: str) -> HttpResponse:
    """Offer the model that the address names as a metric."""
    campaign = campaign_or_404(uuid)
    model = _model(request, campaign, analysis)
    try:
        learned_metrics.offer(model, by=request.user, campaign=campaign)
    except (ParameterError, OSError) as error:
        messages.error(request, f"{model.label} cannot be offered: {error}")
    else:
        messages.success(request, f"{model.label} is offered as a metric on the page Scores of every corpus.")
    return _back(request, campaign, analysis)


@researcher
@require_POST
def withdraw_model(request: AccountRequest, uuid: UUID, analysis: str) -> HttpResponse:
    """Stop offering the learned metric that the form names, whichever campaign it learned from."""
    campaign = campaign_or_404(uuid)
    if analysis not in TRAINING:
        raise Http404
    model = learned_metrics.offered().get(request.POST.get("metric", ""))
    if model is None:
        messages.error(request, "This metric is not offered: perhaps it has been withdrawn already.")
        return _back(request, campaign, analysis)
    try:
        learned_metrics.withdraw(model, by=request.user)
    except OSError as error:
        messages.error(request, f"{model.label} cannot be withdrawn: {error}")
    else:
        messages.success(request, f"{model.label} is no longer offered. Its scores remain.")
    return _back(request, campaign, analysis)


def _model(request: AccountRequest, campaign: Campaign, analysis: str) -> SavedModel:
    if analysis not in TRAINING:
        raise Http404
    model: SavedModel = result_or_404(request, TRAINING[analysis], campaign).model
    return model


def _back(request: AccountRequest, campaign: Campaign, analysis: str) -> HttpResponse:
    return redirect(f"{address_of(campaign, pages()[analysis])}?{request.GET.urlencode()}#model")
