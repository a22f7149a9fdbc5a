"""A crowd worker's pages: entering by the platform's address, and returning with a code."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_http_methods, require_safe

from annotate.crowd import visits as services
from annotate.design.platforms import (
    Arrival,
    ArrivalError,
    arrival,
    is_preview,
    return_address,
    submit_address,
)
from annotate.judging import handout
from annotate.judging.domains import left_for_other_days
from annotate.judging.entering import choose_language
from annotate.judging.newcomers import count_newcomer
from annotate.judging.ways_in import OPEN_TO_ANNOTATORS, enter, entered, remember, remembered
from annotate.models import Annotator, CampaignState, Crowd, Visit
from annotate.web.access import anyone
from annotate.web.addresses import address_of
from annotate.web.interface_languages import speak
from core.translations import gettext, translatable

TOO_MANY = translatable(
    "Many people came from your network in an hour. Please come back in an hour, or return the task."
)


@dataclass(frozen=True, slots=True)
class WayBack:
    """How a worker returns to the platform.

    Attributes:
        code: states the outcome of the visit.
        address: the return address; empty if the code is pasted or posted.
        submit_to: where Mechanical Turk's form is posted; None elsewhere.
        assignment: the id that the form submits.
    """

    code: str
    address: str
    submit_to: str | None = None
    assignment: str = ""


def open_to_workers(view: Callable[[HttpRequest, Crowd], HttpResponse]) -> Callable[..., HttpResponse]:
    """The view gets the open crowd in its address; workers who are not admitted see why."""

    @wraps(view)
    def guarded(request: HttpRequest, entrance: UUID) -> HttpResponse:
        open_crowd = get_object_or_404(
            Crowd.objects.select_related("campaign__corpus", "campaign__design"),
            entrance=entrance,
            is_open=True,
            campaign__state__in=OPEN_TO_ANNOTATORS,
        )
        speak(open_crowd.campaign, request.GET.get("language", ""))
        try:
            return view(request, open_crowd)
        except ArrivalError as error:
            context = {"crowd": open_crowd, "campaign": open_crowd.campaign, "fault": str(error)}
            return render(request, "annotate/crowd/broken.html", context, status=400)
        except services.NotAdmittedError as error:
            return _turned_away(request, open_crowd, str(error))

    return guarded


@anyone
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@open_to_workers
def crowd(request: HttpRequest, open_crowd: Crowd) -> HttpResponse:
    """The consent page for workers from a platform; nothing is stored before they agree."""
    context: dict[str, object] = {"crowd": open_crowd, "campaign": open_crowd.campaign}
    if is_preview(open_crowd.names, request.GET):
        return render(request, "annotate/crowd/preview.html", context)
    comes = arrival(open_crowd.names, request.GET)
    visit = services.earlier_visit(open_crowd, comes)
    if visit is not None and visit.ended_at is not None:
        return _ended(request, visit)
    if request.method == "POST":
        return _take_decision(request, open_crowd, comes, visit)
    agreed = visit is not None and visit.consent.digest == open_crowd.consent_digest
    return render(request, "annotate/crowd/consent.html", {**context, "visit": visit, "agreed": agreed})


@anyone
@never_cache
@require_safe
@xframe_options_exempt
@open_to_workers
def frame(request: HttpRequest, open_crowd: Crowd) -> HttpResponse:
    """The page in Mechanical Turk's frame: a link that opens the task in a new window, and the submit button.

    It needs no cookie, because browsers block cookies in frames of other sites, and changes nothing.
    """
    if not open_crowd.is_framed:
        raise Http404
    context: dict[str, object] = {"crowd": open_crowd, "campaign": open_crowd.campaign}
    if is_preview(open_crowd.names, request.GET):
        return render(request, "annotate/crowd/preview.html", context)
    visit = services.earlier_visit(open_crowd, arrival(open_crowd.names, request.GET))
    if visit is not None and visit.ended_at is not None:
        return _ended(request, visit)
    context |= {"visit": visit, "query": request.GET.urlencode()}
    return render(request, "annotate/crowd/frame.html", context)


@entered
@require_safe
def visit_end(request: HttpRequest, annotator: Annotator) -> HttpResponse:
    """The end of a visit, once there is nothing more to do in it."""
    visit = _visit_of(request, annotator)
    if visit is None or handout.give_screen_or_step(annotator) is not None:
        return redirect("work", annotator.campaign.uuid)
    visit = services.conclude(visit)
    if visit.ended_at is not None:
        return _ended(request, visit)
    if annotator.campaign.state == CampaignState.PAUSED:
        context = {"campaign": annotator.campaign, "annotator": annotator}
        return render(request, "annotate/judging/nothing_left.html", context)
    if left_for_other_days(annotator, timezone.now()):
        reason = gettext("There is nothing more for you to judge today. Please come back tomorrow.")
    else:
        reason = gettext("There is nothing for you to judge right now.")
    return _turned_away(request, visit.worker.crowd, reason)


def _take_decision(request: HttpRequest, crowd: Crowd, comes: Arrival, visit: Visit | None) -> HttpResponse:
    context: dict[str, object] = {"crowd": crowd, "campaign": crowd.campaign, "visit": visit}
    if "agree" not in request.POST:
        context["way_back"] = _way_back(crowd, crowd.code_returned)
        return render(request, "annotate/crowd/declined.html", context)
    if visit is None and count_newcomer(crowd.campaign, address_of(request)):
        return _turned_away(request, crowd, gettext(TOO_MANY), status=429)
    try:
        visit = services.agree(crowd, comes, digest=request.POST["agree"])
    except services.ConsentChangedError:
        return render(request, "annotate/crowd/consent.html", {**context, "changed": True}, status=422)
    choose_language(visit.worker.annotator, request.GET.get("language", ""))
    response = enter(redirect("work", crowd.campaign.uuid), visit.worker.annotator)
    remember(response, "visit", str(visit.pk), crowd.campaign.uuid)
    return response


def _visit_of(request: HttpRequest, annotator: Annotator) -> Visit | None:
    """The visit with which this browser entered; else the annotator's newest."""
    visits = Visit.objects.filter(worker__annotator=annotator).select_related("worker__crowd")
    key = remembered(request, "visit", annotator.campaign.uuid)
    return (visits.filter(pk=key).first() if key else None) or visits.last()


def _ended(request: HttpRequest, visit: Visit) -> HttpResponse:
    crowd = visit.worker.crowd
    way_back = _way_back(crowd, visit.code, visit)
    context = {"crowd": crowd, "campaign": crowd.campaign, "visit": visit, "way_back": way_back}
    return render(request, "annotate/crowd/ended.html", context)


def _turned_away(request: HttpRequest, crowd: Crowd, reason: str, *, status: int = 200) -> HttpResponse:
    way_back = _way_back(crowd, crowd.code_returned)
    context = {"crowd": crowd, "campaign": crowd.campaign, "reason": reason, "way_back": way_back}
    return render(request, "annotate/crowd/turned_away.html", context, status=status)


def _way_back(crowd: Crowd, code: str, visit: Visit | None = None) -> WayBack:
    address = return_address(crowd.names.return_url, code)
    if visit is None or not visit.key or not crowd.is_framed:
        return WayBack(code, address)
    return WayBack(code, address, submit_address(visit.parameters), visit.key)
