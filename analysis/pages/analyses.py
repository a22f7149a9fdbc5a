"""The list of analyses of a campaign, and the common page of one."""

from typing import Any
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from analysis.analyses.base import Analysis, analyses
from analysis.pages.registered import AnalysisPage, pages
from analysis.parameters.forms import ParametersForm, query_of
from analysis.runs.queries import compute_anew, current
from analysis.runs.requests import Request, request_of
from annotate.models import Campaign, User
from annotate.web.access import AccountRequest, campaign_or_404, researcher
from metrics.parameters import ParameterError


@researcher
@require_safe
def analysis_list(request: AccountRequest, uuid: UUID) -> HttpResponse:
    """All that one may look at."""
    campaign, user = campaign_or_404(uuid), request.user
    listed = [
        (analysis, _address(campaign, pages()[analysis.name]))
        for analysis in analyses().values()
        if analysis.name in pages() and (user.is_admin or not analysis.is_for_admins)
    ]
    context = {"campaign": campaign, "analyses": sorted(listed, key=lambda row: row[0].title)}
    return render(request, "analysis/list.html", context)


@researcher
@require_safe
def analysis_page(request: AccountRequest, uuid: UUID, analysis: str) -> HttpResponse:
    """The newest result, or how far it is, or why it cannot be."""
    campaign, user = campaign_or_404(uuid), request.user
    page, asked_for = _page_or_404(analysis, user)
    form = ParametersForm[Any](asked_for.parameters, request.GET.dict())
    about = {"campaign": campaign, "form": form, "analysis": asked_for}
    try:
        wanted = checked(form, asked_for, campaign)
        shown = current(wanted, asked_by=user)
    except ParameterError as error:
        return refusal(request, form, error, about)
    form.show(wanted.parameters)
    about |= {"compute": _compute_address(wanted), "newer_answers": shown.newer_answers, "job": shown.job}
    if shown.result is None:
        about["job"] = shown.job or compute_anew(wanted, asked_by=user)
        return render(request, "analysis/nothing_yet.html", {**about, "what": asked_for.title})
    context = {**about, "result": shown.result, **page.context(wanted, shown.result, user)}
    return render(request, page.template, context)


@researcher
@require_POST
def compute_analysis(request: AccountRequest, uuid: UUID, analysis: str) -> HttpResponse:
    """Have a job compute it anew, as the address chooses."""
    campaign, user = campaign_or_404(uuid), request.user
    _, asked_for = _page_or_404(analysis, user)
    form = ParametersForm[Any](asked_for.parameters, request.GET.dict())
    try:
        wanted = checked(form, asked_for, campaign)
    except ParameterError as error:
        return refusal(request, form, error, {"campaign": campaign, "analysis": asked_for})
    compute_anew(wanted, asked_by=user)
    return redirect(f"{reverse('analysis', args=[uuid, analysis])}?{query_of(wanted.parameters)}")


def checked(form: ParametersForm[Any], analysis: Analysis[Any, Any], campaign: Campaign) -> Request:
    """What the form asks for.

    Raises:
        ParameterError: it asks for something impossible, or for more than a page may take the time for.
    """
    if form.asked is None:
        raise ParameterError("; ".join(form.faults))
    request = request_of(analysis, campaign, form.asked)
    if faults := analysis.too_much(request.parameters):
        raise ParameterError(faults=faults)
    return request


def refusal(
    request: AccountRequest, form: ParametersForm[Any], error: ParameterError, about: dict[str, Any]
) -> HttpResponse:
    """The page that says what is wrong with an address, with the form to mend it."""
    if form.asked is not None:
        form.refuse(error)
    context = {**about, "form": form, "faults": form.faults}
    return render(request, "analysis/refused.html", context, status=400)


def _page_or_404(name: str, user: User) -> tuple[AnalysisPage, Analysis[Any, Any]]:
    page = pages().get(name)
    if page is None or page.route:
        raise Http404
    analysis = analyses()[name]
    if analysis.is_for_admins and not user.is_admin:
        raise PermissionDenied("This page is for admins.")
    return page, analysis


def _address(campaign: Campaign, page: AnalysisPage) -> str:
    return reverse(page.route or "analysis", args=[campaign.uuid, *([] if page.route else [page.analysis])])


def _compute_address(wanted: Request) -> str:
    address = reverse("compute-analysis", args=[wanted.campaign.uuid, wanted.analysis.name])
    return f"{address}?{query_of(wanted.parameters)}"
