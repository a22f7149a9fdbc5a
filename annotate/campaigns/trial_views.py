"""A trial of a draft: an admin judges on the annotators' screens, and nothing is stored."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from annotate.campaigns.draft_previews import preview_or_job
from annotate.campaigns.preview import Preview
from annotate.design.protocols import PROTOCOLS, AnswerError, Question
from annotate.design.sampling import SamplingError
from annotate.judging.screen import SKIP_REASONS, BatchProgress, sample_of
from annotate.models import Campaign, CampaignState
from annotate.web.access import AccountRequest, admin, run_here_or_404
from annotate.web.interface_languages import speak
from formats.text.tokens_back import rules_on_screen


@admin
@require_http_methods(["GET", "HEAD", "POST"])
def trial(request: AccountRequest, uuid: UUID, number: int) -> HttpResponse:
    """A screen of the draft, counted from 1, then the page that the trial is over.

    Answers are only checked.
    """
    campaign = run_here_or_404(uuid)
    draft_preview = _preview_of(request, campaign)
    if draft_preview is None:
        return redirect("manage-campaign", uuid)
    screens = draft_preview.screens
    if not 1 <= number <= len(screens) + 1:
        raise Http404
    if number > len(screens):
        context = {"campaign": campaign, "count": len(screens)}
        return render(request, "annotate/campaigns/trial_over.html", context)
    speak(campaign)
    screen = screens[number - 1]
    fault = None
    if request.method == "POST":
        rules = rules_on_screen(campaign.text_rules, screen.source, screen.texts)
        question = Question(
            screen.source,
            len(screen.texts),
            campaign.options,
            rules,
            prepared=screen.prepared,
            texts=screen.texts,
        )
        fault = _fault(request, campaign, question)
        if fault is None:
            return redirect("try-campaign", uuid, number + 1)
    context = {
        **sample_of(
            campaign,
            source=screen.source,
            texts=screen.texts,
            prepared=screen.prepared,
            previous=screen.previous,
            following=screen.following,
            fields=request.POST.dict(),
        ),
        "frame": "annotate/campaigns/trial.html",
        "page": "base.html",
        "fault": fault,
        "progress": BatchProgress(number - 1, len(screens), ""),
        "skip_reasons": SKIP_REASONS,
        "number": number,
    }
    return render(request, PROTOCOLS[campaign.protocol].template, context, status=422 if fault else 200)


def _preview_of(request: AccountRequest, campaign: Campaign) -> Preview | None:
    """The draft's preview; None, with a message, where there is none to try."""
    problem: str = "Only a draft can be tried. Clone the campaign to try its screens."
    if campaign.state == CampaignState.DRAFT:
        try:
            made: Any = preview_or_job(campaign, asked_by=request.user)
        except SamplingError as error:
            made, problem = None, f"There is nothing to try yet: {error}."
        else:
            problem = "The preview of this draft is not ready yet. Try it once it is."
        if isinstance(made, Preview) and made.screens:
            return made
    messages.error(request, problem)
    return None


def _fault(request: AccountRequest, campaign: Campaign, question: Question) -> AnswerError | None:
    """Why the answer would be refused; a skip never is."""
    if "skip" in request.GET:
        return None
    try:
        PROTOCOLS[campaign.protocol].answer(request.POST.dict(), question)
    except AnswerError as error:
        return error
    return None
