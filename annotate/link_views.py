"""The admin lets people in: invites annotators by name or account, and mints and revokes their links."""

from typing import cast
from uuid import UUID

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST

from annotate.access import admin, run_here_or_404
from annotate.models import Annotator, Campaign, User
from annotate.services import entry, qualification


class InvitationForm(forms.Form):
    """Whom to invite."""

    name = forms.CharField(max_length=200, help_text="As you want to see it in lists and exports.")
    account = forms.CharField(
        required=False, max_length=150, help_text="Name of an account, if they have one to log in with."
    )

    def clean_account(self) -> User | None:
        name = self.cleaned_data["account"]
        if not name:
            return None
        user = User.objects.filter(username=name).first()
        if user is None:
            raise ValidationError("There is no such account. Leave it empty to invite by link alone.")
        return user


@admin
@require_POST
def invite(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Add an annotator, and show the personal link."""
    campaign = run_here_or_404(uuid)
    form = InvitationForm(request.POST, label_suffix="")
    if form.is_valid():
        try:
            annotator = entry.add_annotator(
                campaign, name=form.cleaned_data["name"], user=form.cleaned_data["account"]
            )
        except ValidationError as error:
            form.add_error(None, error.messages)
        else:
            return _show(
                request, campaign, entry.mint_personal_link(annotator, by=_admin(request)), annotator
            )
    return render(request, "annotate/campaigns/invite.html", {"campaign": campaign, "form": form}, status=422)


@admin
@require_POST
def mint(request: HttpRequest, uuid: UUID, annotator: int) -> HttpResponse:
    """A new personal link, which ends the old one."""
    campaign = run_here_or_404(uuid)
    found = get_object_or_404(campaign.annotators, pk=annotator)
    return _show(request, campaign, entry.mint_personal_link(found, by=_admin(request)), found)


@admin
@require_POST
def revoke(request: HttpRequest, uuid: UUID, annotator: int) -> HttpResponse:
    """End an annotator's link or resume code."""
    campaign = run_here_or_404(uuid)
    found = get_object_or_404(campaign.annotators.select_related("user"), pk=annotator)
    entry.revoke_links(found, by=_admin(request))
    account = f" By the account {found.user} they still come in." if found.user else ""
    messages.success(request, f"No link or code leads to {found} any more.{account} Their answers stay.")
    return redirect("manage-campaign", campaign.uuid)


@admin
@require_POST
def let_through(request: HttpRequest, uuid: UUID, annotator: int) -> HttpResponse:
    """Let an annotator begin whatever they answered in practice."""
    campaign = run_here_or_404(uuid)
    found = get_object_or_404(campaign.annotators.select_related("campaign"), pk=annotator)
    qualification.let_through(found, by=cast(User, request.user))
    messages.success(request, f"{found} can begin the work.")
    return redirect("manage-campaign", campaign.uuid)


@admin
@require_POST
def mint_shared(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """A new shared link, which ends the old one."""
    campaign = run_here_or_404(uuid)
    return _show(request, campaign, entry.mint_shared_link(campaign, by=_admin(request)), None)


@admin
@require_POST
def revoke_shared(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """End the shared link; whoever came by it goes on with the resume code."""
    campaign = run_here_or_404(uuid)
    entry.revoke_shared_links(campaign, by=_admin(request))
    messages.success(request, "The shared link is closed. Whoever has a resume code can still go on.")
    return redirect("manage-campaign", campaign.uuid)


def _admin(request: HttpRequest) -> User:
    return cast(User, request.user)


def _show(request: HttpRequest, campaign: Campaign, token: str, annotator: Annotator | None) -> HttpResponse:
    link = request.build_absolute_uri(reverse("link", args=[token]))
    context = {"campaign": campaign, "link": link, "annotator": annotator}
    response = render(request, "annotate/campaigns/link.html", context)
    response["Cache-Control"] = "no-store"
    return response
