"""The admin's pages: create a campaign, preview it, launch it, and monitor it."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotate.campaigns import lifecycle, progress
from annotate.campaigns.draft_previews import estimate_of, opinion_sample, preview_or_job, samples
from annotate.campaigns.drafts import change_draft, unused_name
from annotate.campaigns.follow_ups.drafting import newcomers_of, why_no_follow_up
from annotate.campaigns.forms import CampaignForm, CloneForm, CorpusChoice
from annotate.campaigns.link_views import InvitationForm, shown_link
from annotate.campaigns.preview import Preview
from annotate.campaigns.reports import as_reports, reports_and_skips
from annotate.campaigns.usual_designs import others_than, protocol_of_draft, why_not
from annotate.campaigns.watching import settings_of_looks, watch_again
from annotate.design.assignment import REPEAT_DISTANCE, judgments_wanted
from annotate.design.protocols import PROTOCOLS
from annotate.design.sampling import SamplingError
from annotate.judging import skipped_items
from annotate.judging.handout import stop_waiting
from annotate.judging.hasty import hasty_annotators
from annotate.judgments.queries import annotators, labels_of
from annotate.models import Campaign, CampaignState, Corpus, Crowd, Item, Watch
from annotate.models.job_kinds import LAUNCH_CAMPAIGN
from annotate.models.listed import corpora
from annotate.web.access import AccountRequest, admin, run_here_or_404
from annotate.web.paging import page_of
from annotate.web.refusals import FaultsAt, refusals_lead_to
from annotate.web.registered_pages import panels_of
from jobs.models import Job
from jobs.queue import jobs_like, queue
from ranking.annotators.control_rule import DEFAULT_RULE

ITEMS_PER_PAGE = 25
HELD_SHOWN = 10
DROPPED_SHOWN = 50
REPORTS_SHOWN = 5
LAUNCHED_AT_ONCE = 2000
"""Most judgments that a launch lays out within the request, in about a second; above that, a job does."""

form_page = require_http_methods(["GET", "HEAD", "POST"])


@admin
@form_page
@refusals_lead_to("home")
def new(request: AccountRequest) -> HttpResponse:
    choice = CorpusChoice(request.GET or None, label_suffix="")
    corpus = choice.cleaned_data["corpus"] if choice.is_valid() else None
    protocol = PROTOCOLS.get(request.GET.get("protocol", ""))
    if corpus is None or protocol is None or why_not(protocol, corpus):
        return _choose(request, choice, corpus)
    form = CampaignForm(corpus, protocol, *_with_files(request))
    if form.is_valid():
        with FaultsAt(form, "name"):
            campaign = lifecycle.create_campaign(corpus=corpus, **form.campaign_options())
            messages.success(request, "The draft is saved. Check the preview, then launch it.")
            return _to_campaign(campaign)
    return render(request, "annotate/campaigns/form.html", {"form": form, "corpus": corpus})


def _choose(request: AccountRequest, choice: CorpusChoice, corpus: Corpus | None) -> HttpResponse:
    """The page on which the protocol of a new campaign is chosen, and its corpus unless that is known."""
    context = {
        "form": choice,
        "corpus": corpus,
        "there_are_corpora": corpora().exists(),
        "protocols": [
            (protocol, why_not(protocol, corpus) if corpus else "") for protocol in PROTOCOLS.values()
        ],
    }
    return render(request, "annotate/campaigns/choose.html", context)


@admin
@form_page
@refusals_lead_to("manage-campaign", "uuid")
def edit(request: AccountRequest, uuid: UUID) -> HttpResponse:
    campaign = run_here_or_404(uuid)
    if campaign.state != CampaignState.DRAFT:
        messages.error(
            request, "A campaign is frozen once it is launched. Clone it, and change the clone instead."
        )
        return _to_campaign(campaign)
    form = CampaignForm(
        campaign.corpus, protocol_of_draft(campaign, request.GET), *_with_files(request), campaign=campaign
    )
    if "guidelines" in request.GET and not campaign.design.guidelines:
        form.initial["guidelines"] = form.usual.guidelines
    if form.is_valid():
        change_draft(campaign, **form.campaign_options())
        messages.success(request, "The changes are saved.")
        return _to_campaign(campaign)
    context = {
        "form": form,
        "corpus": campaign.corpus,
        "campaign": campaign,
        "others": [] if campaign.follows else others_than(form.protocol, campaign.corpus),
    }
    return render(request, "annotate/campaigns/form.html", context)


@admin
@require_safe
def manage(request: AccountRequest, uuid: UUID) -> HttpResponse:
    campaign = run_here_or_404(uuid)
    context: dict[str, object] = {"campaign": campaign, "protocol": PROTOCOLS[campaign.protocol].title}
    if campaign.state in (CampaignState.DRAFT, CampaignState.LAUNCHING):
        job = jobs_like(kind=LAUNCH_CAMPAIGN, parameters=_launch_parameters(campaign)).first()
        context["job"] = job
        if campaign.state == CampaignState.LAUNCHING or (job and not job.is_finished):
            return render(request, "annotate/campaigns/launching.html", context)
        return _draft(request, context)
    stop_waiting(campaign)
    return _overview(request, context)


def _overview(request: AccountRequest, context: dict[str, Any]) -> HttpResponse:
    """How far a launched campaign is, and what there is to do."""
    campaign = context["campaign"]
    judges = list(annotators(campaign))
    slots = progress.slot_counts_of({campaign: sum(judge.complete + judge.auto for judge in judges)})[
        campaign
    ]
    campaign.judgment_count = sum(judge.judgment_count for judge in judges)
    held, held_count = _first(progress.items_to_decide(campaign), HELD_SHOWN) if slots.held else ([], 0)
    dropped, dropped_count = (
        _first(progress.dropped_items(campaign), DROPPED_SHOWN) if slots.dropped else ([], 0)
    )
    items = page_of(progress.items(campaign), request.GET, size=ITEMS_PER_PAGE, by="number")
    newcomers = list(newcomers_of(campaign))
    context |= {
        "newcomers": newcomers if newcomers and not why_no_follow_up(campaign) else [],
        "time_zone": settings.TIME_ZONE,
        "watch": Watch.objects.filter(campaign=campaign).first() if campaign.design.settled else None,
        "settings_of_looks": settings_of_looks(campaign),
        "slots": slots,
        "pace": progress.pace(campaign, slots, timezone.now()),
        "work": progress.work_of(judges),
        "panels": panels_of(campaign, request.user),
        "repeat_distance": REPEAT_DISTANCE,
        "hasty": hasty_annotators(campaign, judges),
        "needs_newcomers": slots.free and not slots.leased and progress.needs_newcomers(campaign, judges),
        "annotators": judges,
        "held": held,
        "held_count": held_count,
        "dropped": dropped,
        "dropped_count": dropped_count,
        "reports": as_reports(list(reports_and_skips(campaign).order_by("-pk")[:REPORTS_SHOWN])),
        "invitation": InvitationForm(label_suffix=""),
        **shown_link(request, campaign),
        "page": items.with_rows(progress.with_counts(items.rows)),
    }
    return render(request, "annotate/campaigns/running.html", context)


def _first(items: QuerySet[Item], most: int) -> tuple[list[Item], int]:
    """The first items, at most so many, and the number of all."""
    shown = list(items[: most + 1])
    return shown[:most], items.count() if len(shown) > most else len(shown)


def _draft(request: AccountRequest, context: dict[str, Any]) -> HttpResponse:
    """The preview of a draft's launch; a job computes that of a large one."""
    campaign = context["campaign"]
    context["labels"] = labels_of(campaign.corpus)
    try:
        made = preview_or_job(campaign, asked_by=request.user)
    except SamplingError as error:
        return render(request, "annotate/campaigns/draft.html", {**context, "problem": str(error)})
    if isinstance(made, Job):
        return render(request, "annotate/campaigns/previewing.html", {**context, "job": made})
    context |= _previewed(campaign, made)
    context |= {
        "work": estimate_of(campaign, made, request.GET),
        "samples": samples(campaign, made),
        "opinion": opinion_sample(campaign, made),
    }
    return render(request, "annotate/campaigns/draft.html", context)


def _previewed(campaign: Campaign, draft_preview: Preview) -> dict[str, object]:
    crowd = Crowd.objects.filter(campaign=campaign).first()
    meets_items_again = (
        crowd and draft_preview.shared and crowd.batches_per_visit * crowd.visits_per_worker > 1
    )
    return {
        "preview": draft_preview,
        "crowd": crowd,
        "visit": draft_preview.visit(crowd.batches_per_visit)
        if crowd is not None and draft_preview.batch_sizes
        else None,
        "fewest_screens": crowd.least_screens if crowd and meets_items_again else None,
        "rule": DEFAULT_RULE,
    }


@admin
@form_page
@refusals_lead_to("manage-campaign", "uuid")
def launch(request: AccountRequest, uuid: UUID) -> HttpResponse:
    campaign = run_here_or_404(uuid)
    if request.method == "POST":
        _launch(request, campaign)
    elif campaign.state == CampaignState.DRAFT:
        made = preview_or_job(campaign, asked_by=request.user)
        if isinstance(made, Preview):
            context = {"campaign": campaign, **_previewed(campaign, made)}
            return render(request, "annotate/campaigns/launch.html", context)
    return _to_campaign(campaign)


def _launch(request: AccountRequest, campaign: Campaign) -> None:
    design = campaign.design
    wanted = judgments_wanted(design.items, design.annotators_per_item, design.shared_percent)
    if wanted <= LAUNCHED_AT_ONCE:
        lifecycle.launch(campaign, progress=lambda stored: None, by=request.user)
        messages.success(request, "Launched. Annotators can begin.")
    else:
        queue(
            kind=LAUNCH_CAMPAIGN,
            title=f"Launch of campaign {campaign}",
            parameters=_launch_parameters(campaign),
            owner=request.user,
        )


def _launch_parameters(campaign: Campaign) -> dict[str, str]:
    return {"campaign": str(campaign.uuid)}


@admin
@form_page
@refusals_lead_to("home")
def clone(request: AccountRequest, uuid: UUID) -> HttpResponse:
    campaign = run_here_or_404(uuid)
    form = CloneForm(_sent(request), initial={"name": unused_name(f"{campaign} (copy)")}, label_suffix="")
    if form.is_valid():
        with FaultsAt(form, "name"):
            copy = lifecycle.clone(campaign, name=form.cleaned_data["name"])
            messages.success(
                request, "This draft has the same settings as the campaign that it was cloned from."
            )
            return _to_campaign(copy)
    return render(request, "annotate/campaigns/clone.html", {"campaign": campaign, "form": form})


@admin
@require_POST
@refusals_lead_to("manage-campaign", "uuid")
def pause(request: AccountRequest, uuid: UUID) -> HttpResponse:
    return _change(
        request, uuid, lifecycle.pause, "Paused. Annotators can still submit the screens that they have open."
    )


@admin
@require_POST
@refusals_lead_to("manage-campaign", "uuid")
def resume(request: AccountRequest, uuid: UUID) -> HttpResponse:
    return _change(request, uuid, lifecycle.resume, "Running again.")


@admin
@require_POST
@refusals_lead_to("manage-campaign", "uuid")
def close(request: AccountRequest, uuid: UUID) -> HttpResponse:
    return _change(request, uuid, lifecycle.close, "Closed. Answers that still arrive are kept as surplus.")


@admin
@require_POST
@refusals_lead_to("manage-campaign", "uuid")
def watch(request: AccountRequest, uuid: UUID) -> HttpResponse:
    return _change(request, uuid, watch_again, "It stops by itself again when the ranking is settled.")


@admin
@require_POST
def release(request: AccountRequest, uuid: UUID, number: int) -> HttpResponse:
    return _decide_on_item(
        request, uuid, number, skipped_items.release, f"Item {number} is back in the campaign."
    )


@admin
@require_POST
def drop(request: AccountRequest, uuid: UUID, number: int) -> HttpResponse:
    success = f"Item {number} is dropped: no one else will judge it. It is listed below."
    return _decide_on_item(request, uuid, number, skipped_items.drop, success)


def _change(request: AccountRequest, uuid: UUID, change: Callable[..., None], success: str) -> HttpResponse:
    campaign = run_here_or_404(uuid)
    change(campaign, by=request.user)
    messages.success(request, success)
    return _to_campaign(campaign)


def _decide_on_item(
    request: AccountRequest, uuid: UUID, number: int, decide: Callable[[Item], None], success: str
) -> HttpResponse:
    campaign = run_here_or_404(uuid)
    decide(get_object_or_404(campaign.items, number=number))
    messages.success(request, success)
    return _to_campaign(campaign)


def _to_campaign(campaign: Campaign) -> HttpResponse:
    return redirect("manage-campaign", campaign.uuid)


def _sent(request: AccountRequest) -> QueryDict | None:
    return request.POST if request.method == "POST" else None


def _with_files(request: AccountRequest) -> tuple[object, ...]:
    return (request.POST, request.FILES) if request.method == "POST" else ()
