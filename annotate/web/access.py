"""Permissions: each view states its access rule by a decorator, and a test checks all URLs.

A stranger is sent to the login page, an account without the role gets 403, and objects that do not exist, or
are incomplete, give 404.
"""

from collections.abc import Callable, Container
from functools import wraps
from uuid import UUID

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils.crypto import constant_time_compare

from annotate.models import Campaign, CampaignState, Corpus, Role, User
from annotate.models.listed import campaigns, corpora
from jobs.models import Job

View = Callable[..., HttpResponseBase]


class AccountRequest(HttpRequest):
    """A request to a view that is for accounts: the user is logged in."""

    user: User


def anyone(view: View) -> View:
    """The page is for anyone who knows its address."""
    return _with_rule(view, "anyone")


def account(view: View) -> View:
    """The page is for any logged-in user."""
    return _with_rule(_not_stored(login_required(view)), "account")


def researcher(view: View) -> View:
    """The page is for researchers and admins."""
    return _for_roles(view, "researcher", (Role.RESEARCHER, Role.ADMIN), "researchers and admins")


def admin(view: View) -> View:
    """The page is for admins."""
    return _for_roles(view, "admin", (Role.ADMIN,), "admins")


def monitor(view: View) -> View:
    """The page is for programs that send the token of `METRICS_TOKEN`."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        if not has_metrics_token(request):
            raise PermissionDenied("Send the header “Authorization: Bearer” with the site's METRICS_TOKEN.")
        return view(request, *args, **kwargs)

    return _with_rule(guarded, "monitor")


def has_metrics_token(request: HttpRequest) -> bool:
    """Whether the request carries the token of `METRICS_TOKEN`, if there is one."""
    token: str = settings.METRICS_TOKEN
    sent = request.headers.get("Authorization", "").removeprefix("Bearer ")
    return bool(token) and constant_time_compare(sent, token)


def corpus_or_404(uuid: UUID) -> Corpus:
    """A finished corpus with texts."""
    return get_object_or_404(corpora(), uuid=uuid)


def campaign_or_404(uuid: UUID) -> Campaign:
    """A campaign that is neither being imported nor deleted."""
    return get_object_or_404(campaigns(), uuid=uuid)


def run_here_or_404(uuid: UUID) -> Campaign:
    """A campaign that is run here, not imported, with its design."""
    campaigns_here = Campaign.objects.exclude(state=CampaignState.DELETING).filter(design__isnull=False)
    return get_object_or_404(campaigns_here.select_related("corpus", "design"), uuid=uuid)


def may_cancel(user: User, job: Job) -> bool:
    """Whether the account may cancel the job: its owner and admins may."""
    return user.is_admin or job.owner_id == user.pk


def check_may_cancel(user: User, job: Job) -> None:
    """Refuse others.

    Raises:
        PermissionDenied: the account may not cancel the job.
    """
    if not may_cancel(user, job):
        raise PermissionDenied("Only the user who started a job, or an admin, can cancel it.")


def may_delete(user: User, campaign: Campaign) -> bool:
    """Whether the account may delete the campaign: admins may, and those who imported its judgments."""
    has_imported_it = campaign.state == CampaignState.IMPORTED and campaign.imported_by_id == user.pk
    return user.is_admin or has_imported_it


def _for_roles(view: View, rule: str, roles: Container[str], whom: str) -> View:
    @wraps(view)
    def guarded(request: AccountRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        if request.user.role not in roles:
            raise PermissionDenied(f"This page is for {whom}.")
        return view(request, *args, **kwargs)

    return _with_rule(_not_stored(login_required(guarded)), rule)


def _not_stored(view: View) -> View:
    """No browser or proxy keeps the page: others may use the same computer afterwards."""

    @wraps(view)
    def not_stored(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        response = view(request, *args, **kwargs)
        response.headers.setdefault("Cache-Control", "no-store")
        return response

    return not_stored


def _with_rule(view: View, rule: str) -> View:
    view.rule = rule  # type: ignore[attr-defined]
    return view
