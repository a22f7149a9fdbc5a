"""Who the visitor is in a campaign: known by a signed cookie, or by the account."""

from collections.abc import Callable
from datetime import timedelta
from functools import wraps
from typing import Any
from uuid import UUID

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.urls import reverse

from annotate.models import Annotator, Campaign, CampaignState

OPEN_TO_ANNOTATORS = (CampaignState.RUNNING, CampaignState.PAUSED, CampaignState.CLOSED)
REMEMBERED = timedelta(days=90)


def enter(response: HttpResponse, annotator: Annotator) -> HttpResponse:
    """Let the visitor's browser know them as this annotator, until a way in of theirs is revoked."""
    remember(response, "annotator", f"{annotator.pk}:{annotator.revocations}", annotator.campaign.uuid)
    return response


def remember(response: HttpResponse, what: str, value: str, campaign: UUID) -> None:
    """Give the visitor's browser a value to keep, signed, for the pages of this campaign's annotators."""
    response.set_signed_cookie(
        f"{what}-{campaign}",
        value,
        max_age=REMEMBERED,
        path=reverse("work", args=[campaign]),
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def remembered(request: HttpRequest, what: str, campaign: UUID) -> str:
    """The value that the visitor's browser was given to keep; empty if there is none, or none of ours."""
    return str(request.get_signed_cookie(f"{what}-{campaign}", default="", max_age=REMEMBERED))


def annotator_of(request: HttpRequest, campaign: UUID) -> Annotator | None:
    """The annotator that the visitor is in this campaign, if any."""
    found = Annotator.objects.select_related("campaign__design", "campaign__corpus").filter(
        campaign__uuid=campaign, campaign__state__in=OPEN_TO_ANNOTATORS
    )
    if entered := remembered(request, "annotator", campaign):
        annotator, revocations = entered.split(":")
        known = found.filter(pk=annotator, revocations=revocations).first()
        if known is not None:
            return known
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
