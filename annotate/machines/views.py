"""The page of a campaign's machines: making them, and their tokens."""

from uuid import UUID

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from annotate.judgments.queries import machines
from annotate.machines.forms import MachineForm
from annotate.machines.making import make_machine, mint_token, revoke_token, state_family
from annotate.models import Annotator, Campaign
from annotate.web.access import AccountRequest, admin, campaign_or_404, run_here_or_404
from annotate.web.refusals import FaultsAt
from annotate.web.wording import validation_in_words


@admin
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def machines_page(request: AccountRequest, uuid: UUID) -> HttpResponse:
    """The machines, and the form of a new one, whose token is shown once."""
    campaign = run_here_or_404(uuid)
    form = MachineForm(request.POST or None, label_suffix="")
    if request.method == "POST" and form.is_valid():
        with FaultsAt(form, None):
            name, machine = form.cleaned_data["name"], form.save(commit=False)
            made = make_machine(campaign, name=name, machine=machine, by=request.user)
            return _page(request, campaign, MachineForm(label_suffix=""), token_of=made)
    return _page(request, campaign, form, status=422 if form.errors else 200)


@admin
@require_POST
@never_cache
def mint(request: AccountRequest, uuid: UUID, annotator: int) -> HttpResponse:
    """Create a new token, shown only this once."""
    campaign = run_here_or_404(uuid)
    machine = get_object_or_404(machines(campaign), pk=annotator)
    return _page(request, campaign, MachineForm(label_suffix=""), token_of=machine)


@admin
@require_POST
def revoke(request: AccountRequest, uuid: UUID, annotator: int) -> HttpResponse:
    """Revoke the token of a machine."""
    campaign = run_here_or_404(uuid)
    machine = get_object_or_404(machines(campaign), pk=annotator)
    revoke_token(machine, by=request.user)
    messages.success(request, f"The token of {machine} is revoked. Its answers are kept.")
    return redirect("machines", campaign.uuid)


@admin
@require_POST
def family(request: AccountRequest, uuid: UUID, annotator: int) -> HttpResponse:
    """State the family of a machine's model; it may have judged elsewhere."""
    campaign = campaign_or_404(uuid)
    machine = get_object_or_404(machines(campaign), pk=annotator)
    try:
        state_family(machine, request.POST.get("family", "").strip(), by=request.user)
        messages.success(request, f"The family of {machine} is saved.")
    except ValidationError as error:
        messages.error(request, f"The family is not saved: {validation_in_words(error)}")
    return redirect(f"{campaign.get_absolute_url()}#machines")


def _page(
    request: AccountRequest,
    campaign: Campaign,
    form: MachineForm,
    *,
    token_of: Annotator | None = None,
    status: int = 200,
) -> HttpResponse:
    token = mint_token(token_of, by=request.user) if token_of else ""
    there = machines(campaign)
    context = {
        "campaign": campaign,
        "form": form,
        "machines": there,
        "opinion_is_here": any(machine.name == campaign.design.opinion_of for machine in there),
        "token_of": token_of,
        "token": token,
    }
    return render(request, "annotate/machines/machines.html", context, status=status)
