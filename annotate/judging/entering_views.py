"""The pages on which annotators enter: the link, their resume code, coming back, and the language."""

from datetime import timedelta
from secrets import token_urlsafe
from uuid import UUID

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotate.judging import entering
from annotate.judging.newcomers import count_newcomer
from annotate.judging.ways_in import (
    AT_LINKS,
    annotator_of,
    enter,
    entered,
    open_campaign_or_404,
    remember,
    remembered,
    wants_json,
)
from annotate.models import Annotator, Link
from annotate.web.access import anyone
from annotate.web.addresses import address_of
from annotate.web.interface_languages import speak
from core.translations import gettext

LONGEST_KEY = 100
CODE_SHOWN_FOR = timedelta(minutes=15)


@anyone
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def link(request: HttpRequest, token: str) -> HttpResponse:
    """The page of a link. Entering takes a click, so that a link preview does not enter."""
    link = entering.valid_link(token)
    if link is None:
        return _dead_link(request)
    earlier = link.annotator or annotator_of(request, link.campaign.uuid, cookie=AT_LINKS)
    chosen = request.GET.get("language", "") or (earlier.interface_language if earlier else "")
    speak(link.campaign, chosen)
    if link.annotator is not None:
        return _enter(link.annotator, chosen) if request.method == "POST" else _welcome(request, link)
    if request.method != "POST":
        return _welcome(request, link, earlier)
    if words := request.POST.get("code", "").strip():
        annotator = entering.returning(link.campaign, words)
        if annotator is None:
            return _welcome(request, link, earlier, wrong_code=True)
        return _enter(annotator, request.GET.get("language", ""))
    if earlier is not None and "somebody_else" not in request.POST:
        # For example, the page was opened before they entered in another tab.
        return redirect("work", link.campaign.uuid)
    return _join(request, link)


def _welcome(
    request: HttpRequest,
    link: Link,
    earlier: Annotator | None = None,
    *,
    wrong_code: bool = False,
) -> HttpResponse:
    context = {
        "link": link,
        "campaign": link.campaign,
        "earlier": earlier,
        "wrong_code": wrong_code,
        "key": token_urlsafe(),
    }
    return render(request, "annotate/judging/welcome.html", context)


def _join(request: HttpRequest, link: Link) -> HttpResponse:
    """Create an annotator, and show the resume code on the next page, which can be reloaded safely."""
    if count_newcomer(link.campaign, address_of(request)):
        return render(request, "annotate/judging/too_many.html", {"campaign": link.campaign}, status=429)
    newcomer = entering.join(link, request.POST.get("key", "")[:LONGEST_KEY])
    if newcomer is None:
        return _dead_link(request)
    entering.choose_language(newcomer.annotator, request.GET.get("language", ""))
    uuid = link.campaign.uuid
    response = enter(redirect("resume-code", uuid), newcomer.annotator)
    path = reverse("resume-code", args=[uuid])
    remember(response, "code", newcomer.resume_code, uuid, path=path, max_age=CODE_SHOWN_FOR)
    return response


def _dead_link(request: HttpRequest) -> HttpResponse:
    return render(request, "annotate/judging/dead_link.html", status=404)


@entered
@require_safe
def resume_code(request: HttpRequest, annotator: Annotator) -> HttpResponse:
    """The annotator's resume code, shown to the browser that has just joined."""
    code = remembered(request, "code", annotator.campaign.uuid, max_age=CODE_SHOWN_FOR)
    is_theirs = bool(code) and entering.returning(annotator.campaign, code) == annotator
    context = {
        "campaign": annotator.campaign,
        "resume_code": code if is_theirs else "",
        "minutes": CODE_SHOWN_FOR // timedelta(minutes=1),
    }
    return render(request, "annotate/judging/resume_code.html", context)


@anyone
@require_POST
def come_back(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Enter again after the session has ended, by resume code or personal link; the page stays open."""
    campaign = open_campaign_or_404(uuid)
    annotator = entering.returning(campaign, request.POST.get("code", "")) or annotator_of(
        request, campaign.uuid
    )
    if annotator is None:
        if wants_json(request):
            return JsonResponse({"fault": gettext("No annotator has this link or code.")}, status=422)
        context = {"campaign": campaign, "wrong_code": True}
        return render(request, "annotate/judging/come_back.html", context, status=422)
    return enter(JsonResponse({}), annotator) if wants_json(request) else _enter(annotator)


@entered
@require_POST
def language(request: HttpRequest, annotator: Annotator) -> HttpResponse:
    """Show the annotator's pages in another language, and lead back to the page that asked for it."""
    entering.choose_language(annotator, request.POST.get("language", ""))
    pages, back = reverse("work", args=[annotator.campaign.uuid]), request.POST.get("back", "")
    return redirect(back if back.startswith(pages) else pages)


def _enter(annotator: Annotator, language: str = "") -> HttpResponse:
    entering.choose_language(annotator, language)
    return enter(redirect("work", annotator.campaign.uuid), annotator)
