"""Invitations: an admin invites annotators by name or account, and creates and revokes links."""

import re
from datetime import timedelta
from uuid import UUID

import segno
from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.safestring import mark_safe
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from annotate.judging import entering, qualification
from annotate.judging.ways_in import remember, remembered
from annotate.models import Annotator, Campaign, User
from annotate.web.access import AccountRequest, admin, run_here_or_404
from annotate.web.refusals import FaultsAt

LINK_SHOWN_FOR = timedelta(minutes=15)
LINK_NUMBER = re.compile("[0-9]{1,18}")


class InvitationForm(forms.Form):
    """The form for the people to invite."""

    name = forms.CharField(max_length=200, help_text="The name to show in lists and exports.")
    account = forms.CharField(
        required=False, max_length=150, help_text="Name of the annotator's account, if there is one."
    )

    def clean_account(self) -> User | None:
        name = self.cleaned_data["account"]
        if not name:
            return None
        user = User.objects.filter(username=name).first()
        if user is None:
            raise ValidationError("There is no such account. Leave the field empty to invite by link only.")
        return user


@admin
@require_POST
def invite(request: AccountRequest, uuid: UUID) -> HttpResponse:
    """Add an annotator, and show the personal link."""
    campaign = run_here_or_404(uuid)
    form = InvitationForm(request.POST, label_suffix="")
    if form.is_valid():
        with FaultsAt(form, None):
            annotator = entering.add_annotator(
                campaign, name=form.cleaned_data["name"], user=form.cleaned_data["account"]
            )
            return _to_new_link(annotator, by=request.user)
    return render(request, "annotate/campaigns/invite.html", {"campaign": campaign, "form": form}, status=422)


@admin
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def mint_link(request: AccountRequest, uuid: UUID, annotator: int) -> HttpResponse:
    """Create a personal link, which revokes the old one. The page shows it, also when reloaded.

    Only the browser that created it can show it, from a short-lived cookie; the token is not stored.
    """
    campaign = run_here_or_404(uuid)
    invited = get_object_or_404(campaign.annotators.select_related("campaign"), pk=annotator)
    if request.method == "POST":
        return _to_new_link(invited, by=request.user)
    token = remembered(request, "link", campaign.uuid, max_age=LINK_SHOWN_FOR)
    link = entering.valid_link(token) if token else None
    is_theirs = link is not None and link.annotator_id == invited.pk
    context = {
        "campaign": campaign,
        "annotator": invited,
        "link": link_address(request, token) if is_theirs else "",
        "minutes": LINK_SHOWN_FOR // timedelta(minutes=1),
    }
    return render(request, "annotate/campaigns/link.html", context)


@admin
@require_POST
def revoke_links(request: AccountRequest, uuid: UUID, annotator: int) -> HttpResponse:
    """Revoke an annotator's link or resume code."""
    campaign = run_here_or_404(uuid)
    invited = get_object_or_404(campaign.annotators.select_related("user"), pk=annotator)
    entering.revoke_links(invited, by=request.user)
    account = f" The account {invited.user} still gives access." if invited.user else ""
    messages.success(request, f"Links and codes of {invited} are revoked.{account} Their answers are kept.")
    return redirect("manage-campaign", campaign.uuid)


@admin
@require_POST
def let_through(request: AccountRequest, uuid: UUID, annotator: int) -> HttpResponse:
    """Let an annotator begin without passing the practice."""
    campaign = run_here_or_404(uuid)
    invited = get_object_or_404(campaign.annotators.select_related("campaign"), pk=annotator)
    qualification.let_through(invited, by=request.user)
    messages.success(request, f"{invited} can begin judging.")
    return redirect("manage-campaign", campaign.uuid)


@admin
@require_POST
def mint_shared(request: AccountRequest, uuid: UUID) -> HttpResponse:
    """Create a shared link in place of the one that the form names; sending the form twice creates one."""
    campaign = run_here_or_404(uuid)
    replaces = request.POST.get("replaces", "")
    seen = int(replaces) if LINK_NUMBER.fullmatch(replaces) else None
    if entering.replace_shared_link(campaign, seen=seen, by=request.user):
        earlier = " The earlier one no longer works." if seen else ""
        messages.success(request, f"The new shared link is shown below.{earlier}")
    return _to_ways_in(campaign)


@admin
@require_POST
def revoke_shared(request: AccountRequest, uuid: UUID) -> HttpResponse:
    """Revoke the shared link; annotators who entered by it continue with their resume codes."""
    campaign = run_here_or_404(uuid)
    entering.revoke_shared_links(campaign, by=request.user)
    messages.success(request, "The shared link is closed. Annotators with a resume code can continue.")
    return _to_ways_in(campaign)


def link_address(request: AccountRequest, token: str) -> str:
    """The address to pass on."""
    return request.build_absolute_uri(reverse("link", args=[token]))


def shown_link(request: AccountRequest, campaign: Campaign) -> dict[str, object]:
    """The active shared link on the campaign's page, if any.

    It has no address if its token cannot be derived.
    """
    link = entering.shared_link(campaign)
    token = link and entering.token_of(link)
    address = link_address(request, token) if token else ""
    return {"shared_link": link, "address": address, "qr_code": _qr_code(address) if address else ""}


def _qr_code(text: str) -> str:
    """An image of the text as SVG, black on white in dark pages too: some cameras cannot read the reverse."""
    code = segno.make(text, error="m", micro=False)
    drawn: str = code.svg_inline(scale=4, dark="#000", light="#fff", title="QR code of the shared link")
    return mark_safe(drawn)  # noqa: S308  # Drawn from numbers; the text is not in it.


def _to_new_link(annotator: Annotator, *, by: User) -> HttpResponse:
    token = entering.mint_personal_link(annotator, by=by)
    uuid = annotator.campaign.uuid
    response = redirect("mint-link", uuid, annotator.pk)
    remember(response, "link", token, uuid, path=response.url, max_age=LINK_SHOWN_FOR)
    return response


def _to_ways_in(campaign: Campaign) -> HttpResponse:
    return redirect(f"{reverse('manage-campaign', args=[campaign.uuid])}#ways-in")
