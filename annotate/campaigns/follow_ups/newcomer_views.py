"""The page that drafts a follow-up about systems that joined the corpus after a campaign."""

from collections.abc import Collection
from math import ceil
from uuid import UUID

from django import forms
from django.contrib import messages
from django.db.models import Count, Exists, OuterRef
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from annotate.campaigns.follow_ups.drafting import (
    create_newcomer_follow_up,
    newcomers_of,
    outputs_shown,
    why_no_follow_up,
)
from annotate.models import Campaign, Design, Production, System
from annotate.models.corpora import validate_heading
from annotate.web.access import AccountRequest, admin, campaign_or_404
from annotate.web.refusals import FaultsAt
from core.wording import counted

MOST_ITEMS = 100_000


class NewcomersForm(forms.Form):
    """The settings of a follow-up about newcomers."""

    newcomers = forms.MultipleChoiceField(
        widget=forms.CheckboxSelectMultiple,
        label="Ask about",
        error_messages={"required": "Tick at least one system."},
    )
    items = forms.IntegerField(
        label="Number of items",
        min_value=1,
        max_value=MOST_ITEMS,
        help_text="An item is one screen. The proposed number shows a new system where it differs about as "
        "often as an ordinary campaign of the first one’s size would.",
    )
    name = forms.CharField(
        max_length=200,
        validators=[validate_heading],
        help_text="Annotators see it too, so it should not mention systems.",
    )


@admin
@require_http_methods(["GET", "HEAD", "POST"])
def ask_about_newcomers(request: AccountRequest, uuid: UUID) -> HttpResponse:
    """The newcomers with the number of sentences on which they differ, and the button for a draft."""
    campaign = campaign_or_404(uuid)
    systems = {system.name: system for system in newcomers_of(campaign)}
    context: dict[str, object] = {"campaign": campaign, "reason": _why_not(campaign, systems)}
    if context["reason"]:
        return render(request, "annotate/campaigns/newcomers.html", context)
    differing = _differing(campaign, systems.values())
    data = request.POST if request.method == "POST" else None
    initial = {
        "newcomers": [name for name, number in differing.items() if number],
        "items": _proposed(campaign, max(differing.values())),
        "name": f"{campaign.name[:185]} – new systems",
    }
    form = NewcomersForm(data, initial=initial, label_suffix="")
    form.fields["newcomers"].choices = [  # type: ignore[attr-defined]  # it is a choice field
        (name, f"{system.shown}: differs on {counted(differing[name], 'sentence')}")
        for name, system in systems.items()
    ]
    if form.is_valid():
        with FaultsAt(form, "name"):
            draft = create_newcomer_follow_up(
                campaign,
                name=form.cleaned_data["name"],
                newcomers=[systems[name] for name in form.cleaned_data["newcomers"]],
                items=form.cleaned_data["items"],
            )
            messages.success(request, "The draft is saved. Check what it asks, then launch it.")
            return redirect("manage-campaign", draft.uuid)
    context["form"] = form
    return render(request, "annotate/campaigns/newcomers.html", context, status=422 if form.errors else 200)


def _why_not(campaign: Campaign, newcomers: dict[str, System]) -> str:
    if reason := why_no_follow_up(campaign):
        return reason
    return "" if newcomers else "Every system of the corpus is in this campaign already."


def _differing(campaign: Campaign, newcomers: Collection[System]) -> dict[str, int]:
    """The number of sentences for which each newcomer wrote what no system of the campaign wrote."""
    judged = System.every.filter(campaigns__in=[campaign, *campaign.followed])
    written = Production.every.filter(output=OuterRef("output"), system__in=judged)
    rows = Production.objects.filter(system__in=newcomers).exclude(Exists(written)).order_by()
    counts = dict(
        rows.values("system__name").annotate(number=Count("pk")).values_list("system__name", "number")
    )
    return {system.name: counts.get(system.name, 0) for system in newcomers}


def _proposed(campaign: Campaign, differing: int) -> int:
    """Screens of an ordinary campaign of this size that would show what a newcomer alone wrote."""
    corpus = campaign.corpus
    design = Design.objects.filter(campaign=campaign).first()
    items: int = design.items if design else campaign.judgments.count()
    outputs = sum(number * sentences for number, sentences in enumerate(corpus.distinct_outputs))
    shown = min(1.0, outputs_shown(campaign) * corpus.sentence_count / max(outputs, 1))
    wanted = ceil(items * differing / max(corpus.sentence_count, 1) * shown)
    return int(max(1, min(MOST_ITEMS, wanted)))
