"""The page that makes a draft of a follow-up about the undecided pairs of a campaign."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from uuid import UUID

from django import forms
from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from analysis.analyses.planning.when_to_stop import STOPPING, StoppingParameters, WhenToStop
from analysis.analyses.watched_pairs import SECONDS_PER_HOUR, Border
from analysis.results.analysis_pages import about, checked
from analysis.runs.queries import stored
from analysis.runs.sources import version_of
from annotate.campaigns.follow_ups.drafting import (
    create_follow_up,
    items_for,
    judgments_for,
    outputs_shown,
    why_no_follow_up,
)
from annotate.design.follow_ups import FEWEST_ORDINARY_PERCENT, FollowUp, Pair, gains
from annotate.design.protocols import PROTOCOLS
from annotate.judgments.queries import labels_of
from annotate.models import Campaign
from annotate.models.corpora import validate_heading
from annotate.web.access import AccountRequest, admin, campaign_or_404
from annotate.web.parameter_forms import ParametersForm, query_of
from annotate.web.refusals import FaultsAt
from core.parameters import ParameterError

USUAL_ORDINARY_PERCENT = 20
MOST_ITEMS = 100_000
REACH = 5
"""Pairs that need more than this many times the judgments made so far are not ticked at first."""


class FollowUpForm(forms.Form):
    """The settings of a follow-up."""

    pairs = forms.MultipleChoiceField(
        widget=forms.CheckboxSelectMultiple,
        label="Ask about",
        help_text="The fewer pairs, the more each of them gains. Leave out systems that are almost equal.",
        error_messages={"required": "Tick at least one pair."},
    )
    ordinary_percent = forms.IntegerField(
        label="Ordinary screens, in percent",
        min_value=FEWEST_ORDINARY_PERCENT,
        max_value=100,
        initial=USUAL_ORDINARY_PERCENT,
        help_text="Drawn as in the first campaign, so that estimates stay unbiased by weighting.",
    )
    rate = forms.FloatField(
        label="Pay for an hour", required=False, min_value=0, max_value=10_000, help_text="In any currency."
    )
    items = forms.IntegerField(
        label="Number of items", min_value=1, max_value=MOST_ITEMS, help_text="An item is one screen."
    )
    name = forms.CharField(
        max_length=200,
        validators=[validate_heading],
        help_text="Annotators see it too, so it should not mention systems.",
    )

    def __init__(self, undecided: Sequence[tuple[str, str]], sent: Mapping[str, object]) -> None:
        super().__init__(sent, label_suffix="")
        self.fields["pairs"].choices = undecided  # type: ignore[attr-defined]  # it is a choice field


@dataclass(frozen=True, slots=True)
class Need:
    """The judgments that a pair needs.

    Attributes:
        pair: names of the systems.
        ordinary: ordinary judgments, in words.
        asked: judgments of the follow-up; None where that is not known.
    """

    pair: Pair
    ordinary: str
    asked: int | None


@dataclass(frozen=True, slots=True)
class Estimate:
    """The estimated size of a follow-up.

    Attributes:
        needs: of each pair.
        items: how many screens settle all pairs whose need is known.
        judgments: how many judgments these ask for.
        hours: of all annotators together.
        cost: None where the pay is not known.
    """

    needs: tuple[Need, ...]
    items: int
    judgments: int
    hours: float
    cost: float | None


@admin
@require_http_methods(["GET", "HEAD", "POST"])
def follow_up(request: AccountRequest, uuid: UUID) -> HttpResponse:
    """The undecided pairs with what a follow-up about them takes, and the button that makes its draft."""
    campaign = campaign_or_404(uuid)
    parameters, result = _watched(request, campaign)
    page = f"{reverse('analysis', args=[uuid, STOPPING.name])}?{query_of(parameters)}"
    if result is None:
        messages.error(request, "First see which pairs are settled.")
        return redirect(page)
    undecided = result.undecided
    shared = {**about(campaign), "stopping": page, "reason": _why_not(campaign, parameters, result)}
    if shared["reason"]:
        return render(request, "analysis/follow_up.html", shared)
    labels = labels_of(campaign.corpus)
    choices = [(str(place), _called(_names(each), labels)) for place, each in enumerate(undecided)]
    initial = _initial(campaign, undecided, result.judged)
    form = FollowUpForm(choices, request.POST if request.method == "POST" else initial)
    chosen = _chosen(form, undecided)
    estimate = _estimate(campaign, result, chosen, form) if chosen else None
    if "make" in request.POST and form.is_valid():
        with FaultsAt(form, "name"):
            draft = create_follow_up(
                campaign,
                name=form.cleaned_data["name"],
                pairs=list(map(_names, chosen)),
                ordinary_percent=form.cleaned_data["ordinary_percent"],
                items=form.cleaned_data["items"],
            )
            messages.success(request, "The draft is saved. Check what it asks, then launch it.")
            return redirect("manage-campaign", draft.uuid)
    if "make" not in request.POST and estimate:
        form = FollowUpForm(choices, {**_plain(form), "items": estimate.items})
    context = {**shared, "form": form, "estimate": estimate, "labels": labels}
    return render(request, "analysis/follow_up.html", context)


def _watched(request: AccountRequest, campaign: Campaign) -> tuple[StoppingParameters, WhenToStop | None]:
    """The parameters of the address, and the stored result."""
    form = ParametersForm(StoppingParameters, request.GET.dict(), shown=())
    try:
        wanted = checked(form, STOPPING, campaign)
    except ParameterError as error:
        raise BadRequest(str(error)) from error
    run = stored(wanted, version_of(STOPPING, campaign))
    return wanted.parameters, None if run is None else run.result


def _why_not(campaign: Campaign, parameters: StoppingParameters, result: WhenToStop) -> str:
    if reason := why_no_follow_up(campaign):
        return reason
    if parameters.domain:
        return "A follow-up asks about sentences of all domains. See first which pairs are settled in all."
    if not result.watched.pairs:
        return "No two systems have been compared yet, so nothing is known about what to ask next."
    return "" if result.undecided else "All neighbours are settled, so there is nothing to ask next."


def _within_reach(undecided: Sequence[Border], judgments: int) -> list[str]:
    """The pairs that are ticked at first; all if none is within reach."""
    near = [
        str(place)
        for place, each in enumerate(undecided)
        if each.remaining.median is not None and each.remaining.median <= REACH * judgments
    ]
    return near or [str(place) for place in range(len(undecided))]


def _initial(campaign: Campaign, undecided: Sequence[Border], judgments: int) -> dict[str, object]:
    return {
        "pairs": _within_reach(undecided, judgments),
        "ordinary_percent": USUAL_ORDINARY_PERCENT,
        "items": "",
        "name": f"{campaign.name[:190]} – part 2",
    }


def _plain(form: FollowUpForm) -> dict[str, object]:
    return {name: form[name].data for name in form.fields}


def _chosen(form: FollowUpForm, undecided: Sequence[Border]) -> list[Border]:
    """The ticked pairs; none while pairs or share are wrong."""
    form.is_valid()
    if not {"pairs", "ordinary_percent"} <= form.cleaned_data.keys():
        return []
    return [undecided[int(place)] for place in form.cleaned_data["pairs"]]


def _estimate(
    campaign: Campaign, result: WhenToStop, chosen: Sequence[Border], form: FollowUpForm
) -> Estimate:
    shown = outputs_shown(campaign)
    asked = FollowUp(tuple(map(_names, chosen)), form.cleaned_data["ordinary_percent"])
    worth = gains(asked, systems=campaign.systems.count(), outputs_per_screen=shown)
    needs = tuple(
        Need(
            _names(each),
            each.further,
            None if each.remaining.median is None else ceil(each.remaining.median / gain),
        )
        for each, gain in zip(chosen, worth, strict=True)
    )
    wanted = max((need.asked for need in needs if need.asked is not None), default=result.judged)
    items = min(items_for(campaign, wanted), MOST_ITEMS)
    judgments = judgments_for(campaign, items)
    seconds = result.seconds or PROTOCOLS[campaign.protocol].usual_seconds(shown)
    hours = judgments * seconds / SECONDS_PER_HOUR
    rate = form.cleaned_data.get("rate")
    return Estimate(needs, items, judgments, hours, None if rate is None else hours * rate)


def _names(border: Border) -> Pair:
    return border.pair.above, border.pair.below


def _called(pair: Pair, labels: Mapping[str, str]) -> str:
    return " and ".join(labels.get(name, name) for name in pair)
