"""Identifies the visitor of a campaign by a signed cookie, or by the account."""

from collections.abc import Callable
from datetime import timedelta
from functools import wraps
from uuid import UUID

from django.conf import settings
from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.crypto import constant_time_compare

from annotate.judging.prepared import KEY, UNIQUE_ID, PreparedQuery, Row, columns_of, instance_in
from annotate.models import Annotator, Campaign, CampaignState, Corpus, Design, User
from annotate.web.interface_languages import speak
from core.translations import gettext

OPEN_TO_ANNOTATORS = (CampaignState.RUNNING, CampaignState.PAUSED, CampaignState.CLOSED)
REMEMBERED = timedelta(days=90)
AT_WORK, AT_LINKS = "annotator", "known"
"""Names of the cookies that identify the visitor."""


def enter(response: HttpResponse, annotator: Annotator) -> HttpResponse:
    """Remember the visitor as this annotator in the browser, until their access is revoked.

    One cookie is for the pages where they work, the other for links, which they may open again.
    """
    known_as = f"{annotator.pk}:{annotator.revocations}"
    remember(response, AT_WORK, known_as, annotator.campaign.uuid)
    links, _, _ = reverse("link", args=["-"]).rpartition("-")
    remember(response, AT_LINKS, known_as, annotator.campaign.uuid, path=links)
    return response


def remember(
    response: HttpResponse,
    what: str,
    value: str,
    campaign: UUID,
    *,
    path: str | None = None,
    max_age: timedelta = REMEMBERED,
) -> None:
    """Store a signed value in the visitor's browser.

    The browser sends it to pages below `path`: unless one is given, to those of this campaign's annotators.
    """
    response.set_signed_cookie(
        f"{what}-{campaign}",
        value,
        max_age=max_age,
        path=path or reverse("work", args=[campaign]),
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def remembered(request: HttpRequest, what: str, campaign: UUID, *, max_age: timedelta = REMEMBERED) -> str:
    """The signed value from the visitor's browser; empty if there is none or it is invalid."""
    return str(request.get_signed_cookie(f"{what}-{campaign}", default="", max_age=max_age))


def annotator_of(
    request: HttpRequest, campaign: UUID, *, cookie: str = AT_WORK, is_locked: bool = False
) -> Annotator | None:
    """The annotator that the visitor is in this campaign, if any; `is_locked` until the transaction ends."""
    locks = Annotator if is_locked else None
    if entered := remembered(request, cookie, campaign):
        key, revocations = map(int, entered.split(":"))
        rows = BY_COOKIE.rows(locks=locks, annotator=key, revocations=revocations, campaign=campaign)
        if rows:
            return _annotator(rows[0])
    return _annotator_by_account(request, campaign, locks)


def _annotator_by_account(
    request: HttpRequest, campaign: UUID, locks: type[Annotator] | None
) -> Annotator | None:
    """The annotator of the logged-in account, if any. One query reads both."""
    key = request.session.get(SESSION_KEY)
    user = User._meta.pk.to_python(key)
    rows = BY_ACCOUNT.rows(locks=locks, user=user, campaign=campaign) if key else []
    if not rows:
        return None
    account = instance_in(rows[0], User, "user__")
    if _is_logged_in(request, account):
        request.user = account
    # Otherwise Django decides: it checks what else makes a session valid.
    return _annotator(rows[0]) if request.user.is_authenticated else None


def _is_logged_in(request: HttpRequest, account: User) -> bool:
    """Whether this account, which is active, began the session with its current password."""
    digest = request.session.get(HASH_SESSION_KEY, "")
    return account.is_active and constant_time_compare(digest, account.get_session_auth_hash())


def _annotators(*more: str, **criteria: object) -> QuerySet[Annotator, Row]:
    """All columns of annotators, their campaigns, corpora and designs, and more columns."""
    annotators: QuerySet[Annotator, Row] = (
        Annotator.objects.order_by()
        .filter(campaign__state__in=OPEN_TO_ANNOTATORS, **criteria)
        .values(
            *columns_of(Annotator),
            *columns_of(Campaign, "campaign__"),
            *columns_of(Corpus, "campaign__corpus__"),
            *columns_of(Design, "campaign__design__"),
            *more,
        )
    )
    return annotators


def _annotator(row: Row) -> Annotator:
    """The annotator of a row of `_annotators`."""
    annotator = instance_in(row, Annotator)
    annotator.campaign = campaign = instance_in(row, Campaign, "campaign__")
    campaign.corpus = instance_in(row, Corpus, "campaign__corpus__")
    campaign.design = instance_in(row, Design, "campaign__design__")
    return annotator


BY_COOKIE = PreparedQuery(
    lambda annotator, revocations, campaign: _annotators(
        pk=annotator, revocations=revocations, campaign__uuid=campaign
    ),
    annotator=KEY,
    revocations=KEY,
    campaign=UNIQUE_ID,
)
BY_ACCOUNT = PreparedQuery(
    lambda user, campaign: _annotators(*columns_of(User, "user__"), user=user, campaign__uuid=campaign),
    user=KEY,
    campaign=UNIQUE_ID,
)


def wants_json(request: HttpRequest) -> bool:
    """Whether the request is by a script."""
    return request.headers.get("Accept", "") == "application/json"


def open_campaign_or_404(uuid: UUID) -> Campaign:
    """The campaign with pages for annotators; the response is in its language from here on."""
    campaigns = Campaign.objects.select_related("corpus", "design")
    campaign = get_object_or_404(campaigns, uuid=uuid, state__in=OPEN_TO_ANNOTATORS)
    speak(campaign)
    return campaign


class NotEnteredError(Exception):
    """The visitor is no annotator of the campaign, or has no access any more."""


def entrant(request: HttpRequest, campaign: UUID, *, is_locked: bool = False) -> Annotator:
    """The annotator of the campaign that the visitor is; locked until the transaction ends, if asked.

    The response is in their language from here on.

    Raises:
        NotEnteredError: they are none.
    """
    annotator = annotator_of(request, campaign, is_locked=is_locked)
    if annotator is None:
        raise NotEnteredError
    speak(annotator.campaign, annotator.interface_language)
    request.annotator = annotator  # type: ignore[attr-defined]  # for the frame of the page
    return annotator


def for_annotators(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponseBase]:
    """The view is for annotators of the campaign in its address; it calls `entrant`.

    Others get a page that asks for their link or code, or 401 for a script.
    """

    @wraps(view)
    def guarded(request: HttpRequest, uuid: UUID, *args: object, **kwargs: object) -> HttpResponseBase:
        try:
            response = view(request, uuid, *args, **kwargs)
        except NotEnteredError:
            campaign = open_campaign_or_404(uuid)
            if wants_json(request):
                return JsonResponse({"fault": gettext("Your session has ended.")}, status=401)
            return render(request, "annotate/judging/come_back.html", {"campaign": campaign}, status=403)
        response["Cache-Control"] = "no-store"
        return response

    guarded.rule = "entered"  # type: ignore[attr-defined]
    return guarded


def entered(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponseBase]:
    """The view is for annotators of the campaign in its address, and gets the annotator instead."""

    @for_annotators
    @wraps(view)
    def with_annotator(request: HttpRequest, uuid: UUID, *args: object, **kwargs: object) -> HttpResponse:
        return view(request, entrant(request, uuid), *args, **kwargs)

    return with_annotator
