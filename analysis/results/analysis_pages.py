"""The list of analyses of a campaign or corpus, and the common page of one."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from urllib.parse import urlencode
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from analysis.analyses.base import MACHINES, SCALE, AnyAnalysis, Group, analyses
from analysis.results.registered_pages import (
    AnalysisPage,
    FurtherPage,
    address_of,
    further_pages,
    pages,
    place_of,
    routes_of,
    tabs_of,
)
from analysis.runs.durations import Duration, duration_of
from analysis.runs.queries import Current, compute_anew, current
from analysis.runs.requests import Request, request_of
from analysis.runs.sources import Subject, Version, analyses_of, reasons_against, source_of, version_of
from analysis.runs.sources.beside_machine import machines_that_judged
from annotate.corpora.queries import domains_of
from annotate.judgments.queries import compared_by
from annotate.models import Campaign, User
from annotate.web.access import AccountRequest, campaign_or_404, corpus_or_404, researcher
from annotate.web.parameter_forms import AnyParametersForm, ParametersForm, query_of
from core.parameters import ParameterError, parameter_fields
from jobs.models import Job


@researcher
@require_safe
def analysis_list(request: AccountRequest, uuid: UUID) -> HttpResponse:
    """The analyses of a campaign."""
    return _list(request, campaign_or_404(uuid))


@researcher
@require_safe
def corpus_analysis_list(request: AccountRequest, uuid: UUID) -> HttpResponse:
    """The analyses of a corpus."""
    return _list(request, corpus_or_404(uuid))


@researcher
@require_safe
def analysis_page(request: AccountRequest, uuid: UUID, analysis: str, route: str = "") -> HttpResponse:
    """An analysis of a campaign, at the common address or at that of the URL name `route`."""
    return _page(request, campaign_or_404(uuid), analysis, route)


@researcher
@require_safe
def corpus_analysis_page(request: AccountRequest, uuid: UUID, analysis: str) -> HttpResponse:
    """An analysis of a corpus."""
    return _page(request, corpus_or_404(uuid), analysis)


@researcher
@require_POST
def compute_analysis(request: AccountRequest, uuid: UUID, analysis: str) -> HttpResponse:
    """Queue a job that computes it again, with the parameters of the address."""
    return _compute(request, campaign_or_404(uuid), analysis)


@researcher
@require_POST
def compute_corpus_analysis(request: AccountRequest, uuid: UUID, analysis: str) -> HttpResponse:
    """Queue a job that computes it again, with the parameters of the address."""
    return _compute(request, corpus_or_404(uuid), analysis)


@dataclass(frozen=True, slots=True)
class Listed:
    """A page in the list of analyses.

    Attributes:
        question: that it answers.
        title: of the page.
        help: what it shows.
        address: of the page.
        place: position in its group.
    """

    question: str
    title: str
    help: str
    address: str
    place: int


def _list(request: AccountRequest, subject: Subject) -> HttpResponse:
    """All analyses that the user may see by group; those with nothing to analyse last, with the reason."""
    offered = [each for each in analyses_of(subject, request.user) if each.name in pages()]
    reasons = reasons_against(subject, offered)
    groups: dict[Group, list[Listed]] = {group: [] for group in Group}
    impossible: dict[str, list[AnyAnalysis]] = {}
    for analysis in offered:
        if reason := reasons.get(analysis.name):
            impossible.setdefault(reason, []).append(analysis)
        else:
            own = pages()[analysis.name]
            groups[analysis.group].append(_listed(analysis, address_of(subject, own) + own.anchor))
    for page in further_pages(subject):
        groups[page.group].append(_listed(page, address_of(subject, page)))
    context = {
        **about(subject),
        "groups": [
            (group, sorted(listed, key=lambda each: each.place)) for group, listed in groups.items() if listed
        ],
        "impossible": impossible.items(),
    }
    return render(request, "analysis/list.html", context)


def _listed(page: AnyAnalysis | FurtherPage, address: str) -> Listed:
    return Listed(page.question, page.title, page.help, address, page.place)


def _page(request: AccountRequest, subject: Subject, name: str, route: str = "") -> HttpResponse:
    """The newest result, the progress of its job, or the reason why there is none."""
    user = request.user
    page, analysis = page_or_404(subject, name, user)
    if page.route != route:
        raise Http404
    form, choices = _asked(request, page, analysis, subject)
    shared = {**about(subject), **_around(page, analysis, subject), "form": form}
    try:
        wanted = checked(form, analysis, subject)
        version = version_of(analysis, subject)
        shown = current(wanted, asked_by=user, version=version)
    except ParameterError as error:
        return refusal(request, form, error, shared)
    form.show(wanted.parameters)
    if shown.result is None and (reason := source_of(analysis).why_not(subject, analysis)):
        return render(request, "analysis/nothing_to_analyse.html", {**shared, "reason": reason})
    job, duration = coming(wanted, shown, version, asked_by=user)
    shared |= {
        "compute": _compute_address(wanted, choices),
        "age": shown,
        "job": job,
        "duration": duration,
    }
    if shown.result is None:
        return render(request, "analysis/nothing_yet.html", {**shared, "what": analysis.title})
    context = {
        **shared,
        "result": shown.result,
        **page.context(wanted, shown.result, user),
        **page.chosen(wanted, shown.result, user, choices),
    }
    return render(request, page.template, context)


def coming(
    wanted: Request, shown: Current, version: Version, *, asked_by: User
) -> tuple[Job | None, Duration | None]:
    """The job of a newer result, begun if it is short and nothing else has begun it, and how long one takes.

    Both are None where the result is that of the inputs.
    """
    if shown.result is not None and not shown.is_outdated:
        return None, None
    duration = duration_of(wanted, version.size)
    # A failed attempt is no answer any more once the inputs have changed.
    job = None if shown.is_due else shown.job
    if duration.is_short and (shown.is_due or (shown.result is None and job is None)):
        job = compute_anew(wanted, asked_by=asked_by)
    return job, duration


def _compute(request: AccountRequest, subject: Subject, name: str) -> HttpResponse:
    page, analysis = page_or_404(subject, name, request.user)
    form, choices = _asked(request, page, analysis, subject)
    try:
        wanted = checked(form, analysis, subject)
    except ParameterError as error:
        shared = {**about(subject), **_around(page, analysis, subject)}
        return refusal(request, form, error, shared)
    compute_anew(wanted, asked_by=request.user)
    return redirect(f"{address_of(subject, page)}?{_query(wanted, choices)}")


def _around(page: AnalysisPage, analysis: AnyAnalysis, subject: Subject) -> dict[str, object]:
    """The context around a result or a refusal: title, tabs and the present place."""
    return {"analysis": analysis, "tabs": tabs_of(page, subject), "stands_under": place_of(page)}


def _asked(
    request: AccountRequest, page: AnalysisPage, analysis: AnyAnalysis, subject: Subject
) -> tuple[AnyParametersForm, dict[str, str]]:
    """The form of the parameters in the address, and the choices in it."""
    stated = {**page.first(subject), **request.GET.dict()}
    choices = {name: stated.pop(name) for name in page.choices if name in stated}
    shown = shown_fields(page.fields, analysis, subject)
    form = ParametersForm(analysis.parameters, stated, shown=shown, offered=offered_by(subject, shown))
    return form, choices


def shown_fields(fields: Collection[str] | None, analysis: AnyAnalysis, subject: Subject) -> list[str]:
    """The fields of a form, None for all parameters: those for machines and scales if there are any."""
    attributes = [each.attribute for each in parameter_fields(analysis.parameters)]
    further = []
    if isinstance(subject, Campaign):
        has_machines, has_scales = subject.last_machine_number > 0, bool(compared_by(subject))
        further = [name for name, has in ((SCALE, has_scales), (MACHINES, has_machines)) if has]
        if "machine" in attributes and not machines_that_judged(subject):
            attributes.remove("machine")
    shown = [
        each for each in attributes if each not in (SCALE, MACHINES) and (fields is None or each in fields)
    ]
    return [*shown, *(each for each in further if each in attributes)]


def offered_by(subject: Subject, fields: Collection[str]) -> dict[str, Mapping[str, str]]:
    """A campaign's domains, scales and machines, if a form with these fields may offer them."""
    offered: dict[str, Mapping[str, str]] = {}
    if isinstance(subject, Campaign):
        if "domain" in fields:
            offered["domain"] = {name: name for name in domains_of(subject.corpus)}
        if SCALE in fields:
            offered[SCALE] = {name: name for name in compared_by(subject)}
        if "machine" in fields:
            there = machines_that_judged(subject)
            offered["machine"] = {str(each.number): f"{each.known_as}: {each.machine}" for each in there}
    return offered


def checked(form: AnyParametersForm, analysis: AnyAnalysis, subject: Subject) -> Request:
    """The request of the form.

    Raises:
        ParameterError: a parameter is impossible, or exceeds the limits of pages.
    """
    if form.asked is None:
        raise ParameterError("; ".join(fault.text for fault in form.faults))
    request = request_of(analysis, subject, form.asked)
    if faults := analysis.too_much(request.parameters):
        raise ParameterError(faults=faults)
    return request


def refusal(
    request: AccountRequest, form: AnyParametersForm, error: ParameterError, about: dict[str, object]
) -> HttpResponse:
    """The page for an address with wrong parameters, with the form to correct them."""
    if form.asked is not None:
        form.refuse(error)
    context = {**about, "form": form, "faults": form.faults}
    return render(request, "analysis/refused.html", context, status=400)


def page_or_404(subject: Subject, name: str, user: User) -> tuple[AnalysisPage, AnyAnalysis]:
    """The page of an analysis of this campaign or corpus, and the analysis.

    Raises:
        Http404: there is none.
        PermissionDenied: it is for admins.
    """
    page = pages().get(name)
    if page is None or not isinstance(subject, source_of(analyses()[name]).subject):
        raise Http404
    analysis = analyses()[name]
    if analysis.is_for_admins and not user.is_admin:
        raise PermissionDenied("This page is for admins.")
    return page, analysis


def about(subject: Subject) -> dict[str, object]:
    """The campaign or corpus under the name that its templates use."""
    return {"subject": subject, str(subject._meta.model_name): subject}


def _compute_address(wanted: Request, choices: Mapping[str, str]) -> str:
    route = routes_of(wanted.subject).compute
    address = reverse(route, args=[wanted.subject.uuid, wanted.analysis.name])
    return f"{address}?{_query(wanted, choices)}"


def _query(wanted: Request, choices: Mapping[str, str]) -> str:
    return "&".join(filter(None, [query_of(wanted.parameters), urlencode(choices)]))
