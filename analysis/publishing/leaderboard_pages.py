"""Pages on which admins make leaderboards and choose what they show."""

from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.db.models import Prefetch
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_POST

from analysis.models import Leaderboard, LeaderboardVersion
from analysis.publishing.leaderboards import (
    LONGEST,
    current_version,
    leaderboards_of,
    make_leaderboard,
    reopen,
    retire,
    show_version,
    validate_slug,
)
from annotate.models import Campaign
from annotate.web.access import AccountRequest, admin, campaign_or_404
from annotate.web.refusals import refusals_lead_to


class LeaderboardForm(forms.Form):
    """The address of a new leaderboard."""

    slug = forms.CharField(
        max_length=LONGEST,
        label="Name in the address",
        validators=[validate_slug],
        help_text="Such as conll-2014. It cannot be changed later.",
    )


@admin
@require_POST
@refusals_lead_to("publications", "uuid")
def new_leaderboard(request: AccountRequest, uuid: UUID) -> HttpResponse:
    """Make a leaderboard for the rankings of a campaign."""
    form = LeaderboardForm(request.POST)
    if form.is_valid():
        board = make_leaderboard(campaign_or_404(uuid), form.cleaned_data["slug"], by=request.user)
        messages.success(request, f"“{board}” is there. It shows the first ranking that you publish to it.")
    else:
        messages.error(request, " ".join(map(str, form.errors["slug"])))
    return redirect("publications", uuid)


@admin
@require_POST
@refusals_lead_to("publications", "uuid")
def choose_version(request: AccountRequest, uuid: UUID, slug: str, number: int) -> HttpResponse:
    """Set a leaderboard back, or forward, to a version."""
    board = _leaderboard(uuid, slug)
    get_object_or_404(board.versions, number=number)
    show_version(board, number, by=request.user)
    messages.success(request, f"“{board}” shows version {number}.")
    return redirect("publications", uuid)


@admin
@require_POST
def retire_leaderboard(request: AccountRequest, uuid: UUID, slug: str) -> HttpResponse:
    """Take the address of a leaderboard out of use."""
    board = _leaderboard(uuid, slug)
    retire(board, by=request.user)
    messages.success(request, f"“{board}” is retired. Its address says so. You can reopen it.")
    return redirect("publications", uuid)


@admin
@require_POST
def reopen_leaderboard(request: AccountRequest, uuid: UUID, slug: str) -> HttpResponse:
    """Show a retired leaderboard again."""
    board = _leaderboard(uuid, slug)
    reopen(board, by=request.user)
    messages.success(request, f"“{board}” is shown again, at the same address.")
    return redirect("publications", uuid)


def listed_leaderboards(request: AccountRequest, campaign: Campaign) -> list[dict[str, Any]]:
    """The leaderboards to which rankings of the campaign may be published, with their versions."""
    versions = LeaderboardVersion.objects.select_related("publication__job").defer("publication__content")
    boards = leaderboards_of(campaign).prefetch_related(Prefetch("versions", versions.order_by("-number")))
    listed = []
    for board in boards:
        computed = set(
            board.versions.filter(publication__content__isnull=False).values_list("number", flat=True)
        )
        listed.append(
            {
                "board": board,
                "address": request.build_absolute_uri(board.get_absolute_url()),
                "current": current_version(board),
                "versions": [(version, version.number in computed) for version in board.versions.all()],
                "is_computed": bool(computed),
                "awaited": next((each for each in board.versions.all() if each.publication.is_awaited), None),
            }
        )
    return listed


def _leaderboard(campaign: UUID, slug: str) -> Leaderboard:
    return get_object_or_404(leaderboards_of(campaign_or_404(campaign)), slug=slug)
