"""The preview beside the form of a draft, while it is filled in. Nothing is stored."""

from typing import Any
from uuid import UUID

from django import forms
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_POST

from annotate.campaigns.draft_previews import estimate_of, opinion_sample, samples
from annotate.campaigns.estimates import work_estimate
from annotate.campaigns.forms import CampaignForm
from annotate.campaigns.preview import is_small, preview
from annotate.campaigns.usual_designs import protocol_of_draft
from annotate.design.protocols import PROTOCOLS, Protocol
from annotate.design.sampling import SamplingError
from annotate.judging.usual_pace import usual_pace
from annotate.models import Campaign, Corpus
from annotate.web.access import AccountRequest, admin, corpus_or_404, run_here_or_404


class UnnamedForm(CampaignForm):
    """The form of a campaign, valid without a name: a preview needs none."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"] = forms.CharField(required=False)

    def clean_name(self) -> str:
        return ""


@admin
@require_POST
def of_new(request: AccountRequest, uuid: UUID) -> HttpResponse:
    """The preview of a new campaign of the corpus with this id."""
    protocol = PROTOCOLS.get(request.GET.get("protocol", ""))
    if protocol is None:
        raise Http404
    return _preview(request, protocol, corpus_or_404(uuid), None)


@admin
@require_POST
def of_draft(request: AccountRequest, uuid: UUID) -> HttpResponse:
    """The preview of a draft with the changes that are being made."""
    campaign = run_here_or_404(uuid)
    return _preview(request, protocol_of_draft(campaign, request.GET), campaign.corpus, campaign)


def _preview(
    request: AccountRequest, protocol: Protocol, corpus: Corpus, campaign: Campaign | None
) -> HttpResponse:
    form = UnnamedForm(corpus, protocol, request.POST, campaign=campaign)
    context = _previewed(form, corpus, request) if form.is_valid() else {"missing": _missing(form)}
    return render(request, "annotate/campaigns/_live_preview.html", context)


def _previewed(form: CampaignForm, corpus: Corpus, request: AccountRequest) -> dict[str, Any]:
    options = form.campaign_options()
    draft = Campaign(corpus=corpus, protocol=options["protocol"])
    draft.design = options["design"]
    design, systems = draft.design, options["systems"]
    if not is_small(draft, len(systems)):
        more = design.shared_percent * (design.annotators_per_item - 1) + design.repeat_percent
        wanted = design.items * (100 + more) // 100
        people = design.annotators_per_item if design.shared_percent else 1
        work = work_estimate(
            wanted,
            usual_pace(PROTOCOLS[draft.protocol], corpus, design.outputs_per_screen),
            least_people=people,
            wishes=request.POST.dict(),
        )
        return {"wanted": wanted, "work": work}
    try:
        draft_preview = preview(draft, systems)
    except SamplingError as error:
        return {"problem": str(error)}
    return {
        "preview": draft_preview,
        "work": estimate_of(draft, draft_preview, request.POST.dict()),
        "samples": samples(draft, draft_preview),
        "opinion": opinion_sample(draft, draft_preview),
    }


def _missing(form: CampaignForm) -> list[str]:
    """The fields that must be corrected before there is a preview, with what is wrong."""
    return [
        f"{form.fields[name].label or name.capitalize()}: {' '.join(map(str, faults))}"
        if name in form.fields
        else " ".join(map(str, faults))
        for name, faults in form.errors.items()
    ]
