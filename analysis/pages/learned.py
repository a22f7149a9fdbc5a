"""The pages of learned metrics: held-out sentences, coefficients, the model with its card, offering it."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

import numpy as np
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST, require_safe

from analysis.analyses.base import Analysis
from analysis.analyses.learned_gmeg import LEARNED_GMEG, TrainedGmeg
from analysis.analyses.learned_mterater import LEARNED_MTERATER, PLUS, TrainedMterater
from analysis.analyses.metric_titles import title_of_metric
from analysis.pages.against_people import judged_without_reference
from analysis.pages.registered import AnalysisPage, address_of, pages, register_page
from analysis.pages.results import result_or_404
from analysis.runs.requests import Request
from annotate.models import Campaign, User
from annotate.scores import learned_metrics
from annotate.web.access import AccountRequest, campaign_or_404, researcher
from annotate.web.images import image_of, title_of, width_of
from annotate.web.parameter_forms import query_of
from core.parameters import ParameterError
from figures.learned import MOST_DRAWN, WIDTHS, coefficients_figure
from figures.metrics_people import SIGNIFICANT
from metrics.learned.gmeg import LEARNED
from metrics.learned.paired import PairedComparison
from metrics.learned.saved import SavedModel, to_json

GMEG_FIELDS = ("human", "alpha", "standardise", "draws", "with_source", "references", "exclude_systems")
MTERATER_FIELDS = ("c", "folds", "without_source", "references", "exclude_systems", "excluded")
SMALLEST_P = 0.001
MTERATER = "MTeRater"


def gmeg_context(request: Request, result: TrainedGmeg, user: User) -> dict[str, Any]:
    """Held-out sentences by domain, the ablation and the model."""
    domains = dict.fromkeys(each.domain for each in result.held_out)
    return {
        "headline": gmeg_headline(result),
        "domains": [
            (
                domain,
                [
                    (_title(each.metric), each.metric == LEARNED, each)
                    for each in result.held_out
                    if each.domain == domain
                ],
            )
            for domain in domains
        ],
        "splits": request.parameters.splits,
        "folds": request.parameters.folds,
        **model_context(request, result.model),
    }


def mterater_context(request: Request, result: TrainedMterater, user: User) -> dict[str, Any]:
    """Taus of held-out sentences, the comparisons as a matrix, and the model."""
    return {
        "headline": mterater_headline(result),
        "taus": [(_title(each.metric), each) for each in result.taus],
        "matrix": matrix(result.comparisons),
        "without_reference": judged_without_reference(request.campaign),
        "significant": SIGNIFICANT,
        "confidence": round(100 * request.parameters.confidence),
        "folds": request.parameters.folds,
        **model_context(request, result.model),
    }


def model_context(request: Request, model: SavedModel) -> dict[str, Any]:
    """The model with its card, whether it is offered, and which others are."""
    there = learned_metrics.offered()
    effects = model.effects
    order = np.argsort(-np.abs(effects), kind="stable")[:MOST_DRAWN].tolist()
    return {
        "model": model,
        "listed": [
            (model.features[place], model.coefficients[place], float(effects[place])) for place in order
        ],
        "is_offered": model.name in there,
        "others_offered": [each for name, each in there.items() if name != model.name],
        "query": query_of(request.parameters),
    }


def gmeg_headline(result: TrainedGmeg) -> str:
    """Whether the learned metric leads on held-out sentences, in a sentence."""
    last = result.held_out[-1].domain
    means = {
        each.metric: each.pearson.mean
        for each in result.held_out
        if each.domain == last and each.pearson.mean is not None
    }
    learned = means.pop(LEARNED, None)
    if learned is None or not means:
        return "The learned metric cannot be correlated with people on held-out sentences."
    best = max(means, key=lambda name: means[name])
    if learned > means[best]:
        return (
            f"On held-out sentences {LEARNED} agrees best with people: r = {learned:.2f}. The best single "
            f"metric, {_title(best)}, has {means[best]:.2f}."
        )
    return (
        f"On held-out sentences {_title(best)} alone agrees better with people (r = {means[best]:.2f}) than "
        f"{LEARNED} ({learned:.2f})."
    )


def mterater_headline(result: TrainedMterater) -> str:
    """The best metric of held-out sentences, and what the checker adds, in a sentence."""
    values = {each.metric: each.pairs.value for each in result.taus if each.pairs.value is not None}
    if not values:
        return "No metric orders the judged pairs."
    best = max(values, key=lambda name: values[name])
    shown = _title(best) if best in (PLUS, MTERATER) or best in _single(result) else f"“{best}”"
    start = f"On held-out sentences {shown} orders most pairs as people do: τ = {values[best]:.2f}."
    start += _beyond_a_single_metric(result, best, values)
    checker = result.checker
    if checker is None or checker.difference.low is None or checker.difference.high is None:
        return start
    if checker.difference.low > 0:
        return f"{start} The grammar checker helps."
    if checker.difference.high < 0:
        return f"{start} The grammar checker harms."
    return f"{start} There is no evidence that the grammar checker adds anything."


def _single(result: TrainedMterater) -> tuple[str, ...]:
    return tuple(each.metric for each in result.taus if not each.groups)


def _beyond_a_single_metric(result: TrainedMterater, best: str, values: Mapping[str, float]) -> str:
    """Whether the best metric is clearly better than the best single one; nothing if it is that one.

    The best of several learned metrics was chosen by these data, so p is multiplied by their number.
    """
    learned = len(values) - len(_single(result))
    for each in result.comparisons:
        for first, second in ((each.first, each.second), (each.second, each.first)):
            if first == best and second in _single(result):
                p = each.clustered_p_value
                clearly = "clearly" if p is not None and p * learned <= SIGNIFICANT else "not clearly"
                return f" This is {clearly} better than {_title(second)} alone ({values[second]:.2f})."
    return ""


def matrix(
    comparisons: Sequence[PairedComparison],
) -> list[tuple[str, list[tuple[str, str, str, bool] | None]]]:
    """For each pair of metrics: difference of taus, McNemar's p, p by resampling sentences, whether low."""
    names = list(dict.fromkeys(name for each in comparisons for name in (each.first, each.second)))
    by_names: Mapping[tuple[str, str], PairedComparison] = {
        (each.first, each.second): each for each in comparisons
    }
    rows = []
    for row in names:
        cells: list[tuple[str, str, str, bool] | None] = []
        for column in names:
            each = by_names.get((row, column)) or by_names.get((column, row))
            if each is None:
                cells.append(None)
                continue
            sign = 1 if (row, column) in by_names else -1
            clustered = each.clustered_p_value
            cells.append(
                (
                    f"{sign * (each.difference.value or 0.0):+.3f}",
                    _p(each.mcnemar.p_value),
                    "–" if clustered is None else _p(clustered),
                    clustered is not None and clustered <= SIGNIFICANT,
                )
            )
        rows.append((_title(row), cells))
    return rows


register_page(
    AnalysisPage(
        LEARNED_GMEG.name,
        "analysis/learned_gmeg.html",
        gmeg_context,
        fields=GMEG_FIELDS,
        group="metrics",
        label="GMEG-Metric",
        place=70,
    )
)
register_page(
    AnalysisPage(
        LEARNED_MTERATER.name,
        "analysis/learned_mterater.html",
        mterater_context,
        fields=MTERATER_FIELDS,
        group="metrics",
        label="MTeRater",
        place=71,
    )
)

TRAINING: Mapping[str, Analysis[Any, Any]] = {each.name: each for each in (LEARNED_GMEG, LEARNED_MTERATER)}


@researcher
@require_safe
def coefficients_image(request: AccountRequest, uuid: UUID, analysis: str, image: str) -> HttpResponse:
    """The features that move the score most."""
    campaign = campaign_or_404(uuid)
    model = _model(request, campaign, analysis)
    title = f"{title_of(campaign)}: what {TRAINING[analysis].title} has learned"
    width = width_of(request, WIDTHS)
    chart = coefficients_figure(model.features, model.effects.tolist(), title=title, width=width)
    signature = f"{model.kind}|model:{model.digest[:16]}|assay:{model.assay}"
    return image_of(chart, request, image, signature=signature)


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


def _title(metric: str) -> str:
    return metric if metric == LEARNED else title_of_metric(metric)


def _p(value: float) -> str:
    return f"< {SMALLEST_P}" if value < SMALLEST_P else f"{value:.3f}"
