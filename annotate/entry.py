"""Who the visitor is in a campaign: known by a signed cookie, or by the account."""

from collections.abc import Callable, Sequence
from datetime import timedelta
from functools import wraps
from typing import Any, cast
from uuid import UUID

from django.conf import settings
from django.db import connection
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.urls import reverse

from annotate.models import Annotator, Campaign, CampaignState, Corpus, Design
from annotate.services.prepared import KEY, UNIQUE_ID, PreparedQuery

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
    if entered := remembered(request, "annotator", campaign):
        key, revocations = entered.split(":")
        rows = BY_COOKIE.rows(annotator=int(key), revocations=int(revocations), campaign=campaign)
        if rows:
            return _annotator(rows[0])
    if request.user.is_authenticated:
        rows = BY_ACCOUNT.rows(user=request.user.pk, campaign=campaign)
        return _annotator(rows[0]) if rows else None
    return None


WITH_THEIR_CAMPAIGN: tuple[tuple[str, type[Model]], ...] = (
    ("", Annotator),
    ("campaign__", Campaign),
    ("campaign__corpus__", Corpus),
    ("campaign__design__", Design),
)


def _annotators(**criteria: object) -> QuerySet[Annotator, Any]:
    """All that is stored of annotators, of their campaigns, corpora and designs."""
    return (
        Annotator.objects.order_by()
        .filter(campaign__state__in=OPEN_TO_ANNOTATORS, **criteria)
        .values_list(
            *(
                f"{prefix}{field.attname}"
                for prefix, model in WITH_THEIR_CAMPAIGN
                for field in model._meta.concrete_fields
            )
        )
    )


def _annotator(row: Sequence[Any]) -> Annotator:
    """The annotator of a row, with all that."""
    stored: list[Any] = []
    for _, model in WITH_THEIR_CAMPAIGN:
        names = [field.attname for field in model._meta.concrete_fields]
        stored.append(model.from_db(connection.alias, names, row[: len(names)]))
        row = row[len(names) :]
    annotator, campaign, campaign.corpus, campaign.design = stored
    annotator.campaign = campaign
    return cast(Annotator, annotator)


BY_COOKIE = PreparedQuery(
    lambda annotator, revocations, campaign: _annotators(
        pk=annotator, revocations=revocations, campaign__uuid=campaign
    ),
    annotator=KEY,
    revocations=KEY,
    campaign=UNIQUE_ID,
)
BY_ACCOUNT = PreparedQuery(
    lambda user, campaign: _annotators(user=user, campaign__uuid=campaign), user=KEY, campaign=UNIQUE_ID
)


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
        request.annotator = annotator  # type: ignore[attr-defined]  # for the frame of the page
        response = view(request, annotator, *args, **kwargs)
        response["Cache-Control"] = "no-store"
        return response

    guarded.rule = "entered"  # type: ignore[attr-defined]
    return guarded
