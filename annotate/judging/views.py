"""The annotator's pages at work: guidelines, the screen, earlier answers."""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import Any
from uuid import UUID

from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotate.design.practice import without_practice
from annotate.design.protocols import PROTOCOLS, AnswerError, Protocol
from annotate.judging import entering, handout
from annotate.judging.domains import left_for_other_days
from annotate.judging.handout import AnsweredMeanwhileError, OpinionToShow, Screen
from annotate.judging.pause_views import pause_page
from annotate.judging.practice_views import practice_of
from annotate.judging.screen import (
    earlier_answer,
    form_again,
    last_showing,
    opinion_of,
    recent_answers,
    screen_of,
)
from annotate.judging.ways_in import entered, entrant, for_annotators, wants_json
from annotate.judging.work_time import time_estimate
from annotate.models import Annotator, CampaignState, Showing
from core.translations import gettext, translatable
from formats.records import MAX_NOTE_CHARS, MAX_TEXT_CHARS
from formats.text.characters import composed, without_unstorable

ANSWERED_MEANWHILE = translatable(
    "You have already answered or skipped this item in another tab or window, and that answer is kept. "
    "Save to replace it with this one, or cancel to keep that answer."
)
MOST_DRAFT_FIELDS = 100
MOST_DRAFT_CHARS = 100_000
DRAFT_FIELD = re.compile("[a-z0-9-]{1,50}")
SCREEN_ASSETS = ("css/tokens.css", "css/assay.css", "css/judging.css", "js/screen.js")
"""Files that a screen loads. Changed names tell the script that the server was updated."""
NOT_IN_A_DRAFT = {"csrfmiddlewaretoken", "key", "started_at", "active_ms", "reason"}


@entered
@require_safe
def work(request: HttpRequest, annotator: Annotator) -> HttpResponse:
    """The next screen, or the page that none is left; before the first, guidelines and practice items.

    Between two batches there is a pause, which `pause_views.next_batch` ends.
    """
    is_at_work = annotator.campaign.state == CampaignState.RUNNING and not annotator.excluded_at
    if is_at_work and not annotator.has_read_guidelines and _guidelines(annotator):
        return redirect("guidelines", annotator.campaign.uuid)
    if not annotator.has_practised and practice_of(annotator.campaign):
        return redirect("practice", annotator.campaign.uuid, 1)
    screen = handout.give_screen_step_or_pause(annotator)
    if isinstance(screen, handout.Step):
        return redirect("work", annotator.campaign.uuid)
    if isinstance(screen, handout.Pause):
        return pause_page(request, annotator, screen)
    if screen is None:
        if hasattr(annotator, "worker"):
            return redirect("visit-end", annotator.campaign.uuid)
        context = {
            "campaign": annotator.campaign,
            "annotator": annotator,
            "other_days": left_for_other_days(annotator, timezone.now()),
            "more_from": handout.earliest_return(annotator),
        }
        return render(request, "annotate/judging/nothing_left.html", context)
    return _screen(request, screen_of(screen, screen.showing.draft))


@entered
@require_safe
def last_answer(request: HttpRequest, annotator: Annotator) -> HttpResponse:
    """Lead to the screen that the annotator answered last, to change the answer."""
    last = last_showing(annotator)
    if last is None or annotator.campaign.state == CampaignState.CLOSED:
        return redirect("answers", annotator.campaign.uuid)
    return redirect("showing", annotator.campaign.uuid, last.uuid)


@entered
@require_http_methods(["GET", "HEAD", "POST"])
def guidelines(request: HttpRequest, annotator: Annotator) -> HttpResponse:
    """The guidelines and the expected time, once before the first screen; posting continues."""
    campaign = annotator.campaign
    if request.method == "POST":
        entering.note_guidelines_read(annotator)
    if request.method == "POST" or not _guidelines(annotator):
        return redirect("work", campaign.uuid)
    context = {
        "campaign": campaign,
        "guidelines": _guidelines(annotator),
        "practice": len(practice_of(campaign)),
        "estimate": time_estimate(annotator),
    }
    return render(request, "annotate/judging/guidelines.html", context)


@entered
@require_safe
def answers(request: HttpRequest, annotator: Annotator) -> HttpResponse:
    """The annotator's latest answers, to view and revise."""
    context = {"campaign": annotator.campaign, "answers": recent_answers(annotator)}
    return render(request, "annotate/judging/answers.html", context)


@for_annotators
@require_http_methods(["GET", "HEAD", "POST"])
def showing(request: HttpRequest, uuid: UUID, showing_uuid: UUID) -> HttpResponse:
    """An earlier screen, until the campaign closes; posting answers it, and late answers are kept."""
    if request.method == "POST":
        return _answer_stored(request, uuid, showing_uuid, _submit)
    annotator = entrant(request, uuid)
    again = _screen_again(annotator, showing_uuid)
    if annotator.campaign.state == CampaignState.CLOSED:
        return redirect("answers", annotator.campaign.uuid)
    earlier = earlier_answer(again)
    fields = form_again(again.showing, earlier)
    number = earlier.number if earlier else 0
    return _screen(request, screen_of(again, fields, revises=number, earlier=earlier))


@for_annotators
def skip(request: HttpRequest, uuid: UUID, showing_uuid: UUID) -> HttpResponse:
    """Skip the item, with a reason: one of those offered, words of the annotator's, or both."""
    if request.method != "POST":
        entrant(request, uuid)
        return HttpResponseNotAllowed(["POST"])
    return _answer_stored(request, uuid, showing_uuid, _pass_over)


@entered
@require_safe
def opinion(request: HttpRequest, annotator: Annotator, showing_uuid: UUID) -> HttpResponse:
    """A machine's answer to a screen, once the annotator's own is stored, where the campaign shows it."""
    shown = handout.opinion_on(annotator, showing_uuid)
    if shown is None:
        return redirect("work", annotator.campaign.uuid)
    return render(request, "annotate/judging/opinion.html", opinion_of(shown))


@entered
@never_cache
@require_safe
def ahead(request: HttpRequest, annotator: Annotator) -> HttpResponse:
    """The next screens, for a page that shows each at once: those that it does not hold, and which they are.

    The page names those that it holds in `held`. None where the protocol has no screens ahead, or a machine's
    answer is shown between them.
    """
    protocol = PROTOCOLS[annotator.campaign.protocol]
    most = 0 if annotator.campaign.design.opinion_of else protocol.ahead
    given = handout.give_screens_ahead(annotator, most, set(request.GET.getlist("held")))
    words = {
        "ahead": given.showings,
        "screens": [
            {"showing": screen.showing.uuid, "screen": _screen_alone(request, screen)} for screen in given.new
        ],
        "assets": _assets(protocol),
    }
    return JsonResponse(words, json_dumps_params={"ensure_ascii": False})


def _submit(request: HttpRequest, annotator: Annotator, showing: UUID) -> Screen | OpinionToShow | None:
    read = partial(PROTOCOLS[annotator.campaign.protocol].answer, _fields_in(request))
    return handout.submit_and_go_on(annotator, showing, read, _submission(request))


def _pass_over(request: HttpRequest, annotator: Annotator, showing: UUID) -> Screen | None:
    submission = _submission(request)
    reason = _fields_in(request).get("reason", "").strip()
    note = ": ".join(filter(None, (reason, submission.note)))[:MAX_NOTE_CHARS]
    if not note:
        raise AnswerError(gettext("Choose a reason, or say in a few words why you skip it."))
    return handout.skip_and_go_on(annotator, showing, replace(submission, note=note))


@entered
@require_POST
def draft(request: HttpRequest, annotator: Annotator, showing_uuid: UUID) -> HttpResponse:
    """Store a draft."""
    try:
        handout.save_draft(annotator, showing_uuid, _draft_in(request))
    except Showing.DoesNotExist as error:
        raise Http404 from error
    return HttpResponse(status=204)


def _fields_in(request: HttpRequest) -> dict[str, str]:
    """The form's fields, without characters that no text can hold.

    They come with texts that are copied from a PDF, say, and nobody sees them.
    """
    return {name: without_unstorable(value) for name, value in request.POST.dict().items()}


def _draft_in(request: HttpRequest) -> dict[str, str]:
    """The fields of the form, as far as a draft has room."""
    draft: dict[str, str] = {}
    room = MOST_DRAFT_CHARS
    for name, value in list(_fields_in(request).items())[:MOST_DRAFT_FIELDS]:
        if DRAFT_FIELD.fullmatch(name) and name not in NOT_IN_A_DRAFT:
            draft[name] = value[: min(MAX_TEXT_CHARS, room)]
            room -= len(draft[name])
    return draft


def _guidelines(annotator: Annotator) -> str:
    """The guidelines without their practice items."""
    return without_practice(annotator.campaign.design.guidelines).strip()


def _screen(request: HttpRequest, context: dict[str, Any], *, status: int = 200) -> HttpResponse:
    return render(request, PROTOCOLS[context["campaign"].protocol].template, context, status=status)


def _screen_again(annotator: Annotator, showing: UUID) -> Screen:
    try:
        return handout.screen_again(annotator, showing)
    except Showing.DoesNotExist as error:
        raise Http404 from error


def _submission(request: HttpRequest) -> handout.Submission:
    try:
        key = UUID(request.POST.get("key", ""))
    except ValueError as error:
        raise AnswerError(gettext("The answer came without its key. Load the page again.")) from error
    active_ms = request.POST.get("active_ms", "")
    return handout.Submission(
        key=key,
        started_at=_stamp(request.POST.get("started_at", "")),
        active_ms=int(active_ms)
        if active_ms.isascii() and active_ms.isdigit() and len(active_ms) < 13
        else None,
        note=composed(_fields_in(request).get("note", ""))[:MAX_NOTE_CHARS].strip(),
        revises=_revised(request),
    )


def _revised(request: HttpRequest) -> int | None:
    """The number of the answer that the form revises, 0 for none; None if it is not given."""
    number = request.POST.get("revises", "")
    return int(number) if number.isascii() and number.isdigit() and len(number) < 6 else None


def _stamp(text: str) -> datetime | None:
    """The time in UTC, if the text is one with a time zone; databases accept only the years 1 to 9999."""
    try:
        stamp = parse_datetime(text)
        return stamp.astimezone(UTC) if stamp is not None and stamp.tzinfo is not None else None
    except (ValueError, OverflowError):
        return None


def _answer_stored(
    request: HttpRequest,
    campaign: UUID,
    showing: UUID,
    store: Callable[[HttpRequest, Annotator, UUID], Screen | OpinionToShow | None],
) -> HttpResponse:
    """Store the answer and continue with the next screen; or show why it is not stored.

    One transaction reads and locks the annotator and stores the answer. It ends before the response is made.
    """
    try:
        with transaction.atomic():
            annotator = entrant(request, campaign, is_locked=True)
            screen = store(request, annotator, showing)
    except Showing.DoesNotExist as error:
        raise Http404 from error
    except AnsweredMeanwhileError as error:
        return _keep_as_draft(request, annotator, showing, error)
    except AnswerError as error:
        return _ask_again(request, annotator, showing, error)
    return _onwards(request, annotator, screen)


def _ask_again(request: HttpRequest, annotator: Annotator, showing: UUID, error: AnswerError) -> HttpResponse:
    screen = _screen_again(annotator, showing)
    if wants_json(request):
        return JsonResponse({"fault": str(error), "positions": error.positions}, status=422)
    earlier = earlier_answer(screen)
    context = screen_of(
        screen, request.POST.dict(), revises=_revised(request) or 0, earlier=earlier, fault=error
    )
    return _screen(request, context, status=422)


def _keep_as_draft(
    request: HttpRequest, annotator: Annotator, showing: UUID, error: AnsweredMeanwhileError
) -> HttpResponse:
    """Store the entries as a draft that would replace that answer, and let the annotator decide."""
    draft = _draft_in(request) | {"revises": str(error.number)}
    handout.save_draft(annotator, showing, draft)
    if wants_json(request):
        words = {"fault": gettext(ANSWERED_MEANWHILE), "positions": [], "revises": error.number}
        return JsonResponse(words, status=422)
    again = _screen_again(annotator, showing)
    context = screen_of(
        again,
        draft,
        revises=error.number,
        earlier=earlier_answer(again),
        fault=AnswerError(gettext(ANSWERED_MEANWHILE)),
    )
    return _screen(request, context, status=422)


def _onwards(
    request: HttpRequest, annotator: Annotator, screen: Screen | OpinionToShow | None
) -> HttpResponse:
    """The response to a stored answer; for scripts it includes the next screen, if there is one at once."""
    uuid = annotator.campaign.uuid
    if isinstance(screen, OpinionToShow):
        address = reverse("opinion", args=[uuid, screen.showing])
    else:
        address = reverse("work", args=[uuid])
    if not wants_json(request):
        return redirect(address)
    words: dict[str, str | list[str]] = {"next": address}
    if isinstance(screen, Screen):
        assets = _assets(PROTOCOLS[annotator.campaign.protocol])
        words |= {"screen": _screen_alone(request, screen), "assets": assets}
    return JsonResponse(words, json_dumps_params={"ensure_ascii": False})


def _screen_alone(request: HttpRequest, screen: Screen) -> str:
    """The HTML that a script puts in place of the last screen."""
    context = screen_of(screen, screen.showing.draft) | {"page": "annotate/judging/screen_alone.html"}
    protocol = PROTOCOLS[screen.showing.annotator.campaign.protocol]
    return render_to_string(protocol.template, context, request)


def _assets(protocol: Protocol) -> list[str]:
    """The files of its screens; a browser with those from before an update of the server loads the page."""
    return [static(name) for name in (*SCREEN_ASSETS, *protocol.styles, *protocol.scripts)]
