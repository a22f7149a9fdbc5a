"""Who the visitor is in a campaign: kept in the session, or known by the account."""

from collections.abc import Callable
from functools import wraps
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render

from annotate.models import Annotator, Campaign, CampaignState

KEY = "annotator-of-"
OPEN_TO_ANNOTATORS = (CampaignState.RUNNING, CampaignState.PAUSED, CampaignState.CLOSED)


def enter(request: HttpRequest, annotator: Annotator) -> None:
    """Remember the visitor as this annotator."""
    request.session[f"{KEY}{annotator.campaign.uuid}"] = annotator.pk


def annotator_of(request: HttpRequest, campaign: UUID) -> Annotator | None:
    """The annotator that the visitor is in this campaign, if any."""
    entered = request.session.get(f"{KEY}{campaign}")
    found = Annotator.objects.select_related("campaign__design", "campaign__corpus").filter(
        campaign__uuid=campaign, campaign__state__in=OPEN_TO_ANNOTATORS
    )
    if entered is not None:
        return found.filter(pk=entered).first()
    if request.user.is_authenticated:
        return found.filter(user=request.user).first()
    return None


def wants_json(request: HttpRequest) -> bool:
    """Whether a script asks, rather than a page being opened."""
    return request.headers.get("Accept", "") == "application/json"


def entered(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponseBase]:
    """The view is for annotators of the campaign in its address, and is given the annotator in its place.

    Others are told to come back by their link: a page with a place for it, or 401 for a script.
    """

    @wraps(view)
    def guarded(request: HttpRequest, uuid: UUID, *args: Any, **kwargs: Any) -> HttpResponseBase:
        annotator = annotator_of(request, uuid)
        if annotator is None:
            campaign = get_object_or_404(Campaign, uuid=uuid, state__in=OPEN_TO_ANNOTATORS)
            if wants_json(request):
                return JsonResponse({"fault": "Your session has ended."}, status=401)
            return render(request, "annotate/judging/come_back.html", {"campaign": campaign}, status=403)
        response = view(request, annotator, *args, **kwargs)
        response["Cache-Control"] = "no-store"
        return response

    guarded.rule = "entered"  # type: ignore[attr-defined]
    return guarded
