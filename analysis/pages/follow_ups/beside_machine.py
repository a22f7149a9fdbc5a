"""The page that drafts a follow-up where people's answers change a ranking most, given a machine."""

from math import ceil
from typing import cast
from uuid import UUID

from django import forms
from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from analysis.analyses.judgment_inputs import JudgmentsBesideMachine
from analysis.analyses.systems.ranking_with_machine import (
    RANKING_WITH_MACHINE,
    MachineRanking,
    MachineRankingParameters,
)
from analysis.pages.follow_ups.undecided_pairs import MOST_ITEMS
from analysis.results.analysis_pages import about, checked
from analysis.runs.queries import stored
from analysis.runs.requests import Request
from analysis.runs.sources import source_of, version_of
from annotate.campaigns.follow_ups.drafting import create_machine_follow_up, why_no_follow_up
from annotate.design.follow_ups import FEWEST_ORDINARY_PERCENT
from annotate.models import Campaign
from annotate.models.corpora import validate_heading
from annotate.web.access import AccountRequest, admin, campaign_or_404
from annotate.web.parameter_forms import ParametersForm, query_of
from annotate.web.refusals import FaultsAt
from core.parameters import ParameterError
from core.progress import NoProgress
from jobs.refusals import RefusedError
from ranking.machines import change_by_sentence

USUAL_ORDINARY_PERCENT = 30

MOST_ANSWERS = 90_000
"""Answers of people and machines from which a page computes a follow-up, in 1.5 s and 400 MB."""


class MachineFollowUpForm(forms.Form):
    """The settings of a follow-up."""

    ordinary_percent = forms.IntegerField(
        label="Uniform sampling, in percent",
        min_value=FEWEST_ORDINARY_PERCENT,
        max_value=100,
        help_text="Of the sentences that the machine judged, so that none is rare.",
    )
    items = forms.IntegerField(
        label="Number of items", min_value=1, max_value=MOST_ITEMS, help_text="An item is one screen."
    )
    name = forms.CharField(
        max_length=200,
        validators=[validate_heading],
        help_text="Annotators see it too, so it should not mention systems.",
    )


@admin
@require_http_methods(["GET", "HEAD", "POST"])
def machine_follow_up(request: AccountRequest, uuid: UUID) -> HttpResponse:
    """The settings of the follow-up, and the button that makes its draft."""
    campaign = campaign_or_404(uuid)
    wanted = _wanted(request, campaign)
    page = f"{reverse('analysis', args=[uuid, RANKING_WITH_MACHINE.name])}?{query_of(wanted.parameters)}"
    version = version_of(RANKING_WITH_MACHINE, campaign)
    kept = stored(wanted, version)
    if kept is None:
        messages.error(request, "First see what the machine is worth.")
        return redirect(page)
    result: MachineRanking = kept.result
    context = {**about(campaign), "ranking": page, "result": result}
    context["reason"] = _why_not(campaign, wanted.parameters, result, version.size)
    if context["reason"]:
        return render(request, "analysis/machine_follow_up.html", context)
    initial = {
        "ordinary_percent": USUAL_ORDINARY_PERCENT,
        "items": max(1, ceil(result.ranking.judgments / 2)),
        "name": f"{campaign.name[:185]} – where it matters",
    }
    form = MachineFollowUpForm(
        request.POST if request.method == "POST" else None, initial=initial, label_suffix=""
    )
    if form.is_valid():
        with FaultsAt(form, "name"):
            draft = create_machine_follow_up(
                campaign,
                name=form.cleaned_data["name"],
                machine=result.machine,
                changes=_changes(wanted, result, version.size),
                ordinary_percent=form.cleaned_data["ordinary_percent"],
                items=form.cleaned_data["items"],
            )
            messages.success(request, "The draft is saved. Check what it asks, then launch it.")
            return redirect("manage-campaign", draft.uuid)
    context["form"] = form
    return render(request, "analysis/machine_follow_up.html", context, status=422 if form.errors else 200)


def _wanted(request: AccountRequest, campaign: Campaign) -> Request:
    form = ParametersForm(MachineRankingParameters, request.GET.dict(), shown=())
    try:
        return checked(form, RANKING_WITH_MACHINE, campaign)
    except ParameterError as error:
        raise BadRequest(str(error)) from error


def _why_not(
    campaign: Campaign, parameters: MachineRankingParameters, result: MachineRanking, size: int
) -> str:
    if reason := why_no_follow_up(campaign):
        return reason
    if not result.machine:
        return "No machine has judged here, so nothing is known about what to ask next."
    if parameters.domain:
        return "A follow-up asks about sentences of all domains. Choose none."
    if size > MOST_ANSWERS:
        return (
            f"There are more than {MOST_ANSWERS:,} answers, too many for this page. A follow-up about the "
            "undecided pairs of the page When to stop has no such limit."
        )
    return ""


def _changes(wanted: Request, result: MachineRanking, size: int) -> dict[int, float]:
    """How much people's answers about each sentence change the ranking, from the present answers."""
    source = source_of(RANKING_WITH_MACHINE)
    inputs = cast(JudgmentsBesideMachine, source.load(wanted, size, NoProgress(), at_once=False))
    parameters: MachineRankingParameters = wanted.parameters
    changes = change_by_sentence(
        inputs.snapshot, inputs.answers, weight=result.ranking.weight or 0.0, by=parameters.by
    )
    if not changes:
        raise RefusedError("The machine has compared no outputs.")
    return changes
