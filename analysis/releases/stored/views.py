"""Pages on which admins make data releases of a campaign, look at what the checks found, and confirm."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from analysis.models import DataRelease
from analysis.publishing.storing import zip_of
from analysis.releases.about import LICENCES, AboutError, version_numbers
from analysis.releases.checks import Confirmation
from analysis.releases.options import REVEALED_BY_DRAWS, options_of
from analysis.releases.stored.forms import ReleaseForm, initial_of
from analysis.releases.stored.requests import ask, confirm, delete, releases_of
from annotate.web.access import AccountRequest, admin, campaign_or_404
from annotate.web.markdown import render_markdown
from annotate.web.refusals import RefusalsAt, refusals_lead_to

TO_CONFIRM = {
    Confirmation.TEXTS_CHECKED: "People have looked at these places and at the texts. They may be published.",
    Confirmation.FEW_ANNOTATORS: "All annotators agree to the publication.",
}


@admin
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def data_releases(request: AccountRequest, uuid: UUID) -> HttpResponse:
    """The data releases of a campaign by version, and the form of a new one."""
    campaign = campaign_or_404(uuid)
    releases = sorted(releases_of(campaign), key=lambda each: version_numbers(each.version), reverse=True)
    initial = initial_of(campaign, next(iter(releases), None))
    form = ReleaseForm(campaign, request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        try:
            with RefusalsAt(form, "version"):
                asked = ask(campaign, form.stated, form.options, further=form.others, by=request.user)
                return redirect(asked)
        except AboutError as error:
            form.refuse(error)
    context = {
        "campaign": campaign,
        "releases": [(each, _changes(each)) for each in releases],
        "form": form,
        "licences": LICENCES,
    }
    return render(request, "analysis/data_releases.html", context, status=422 if form.errors else 200)


@admin
@require_safe
@never_cache
def data_release(request: AccountRequest, uuid: UUID, release: UUID) -> HttpResponse:
    """A data release: what the checks found, or what is in it."""
    shown = release_or_404(uuid, release)
    checks = shown.checks or {}
    context: dict[str, Any] = {
        "campaign": shown.campaign,
        "release": shown,
        "further": [each for each in shown.campaigns if each != shown.campaign],
        "job": shown.job,
        "checks": checks,
        "changes": _changes(shown),
        "to_confirm": [
            (key, why, TO_CONFIRM[Confirmation(key)]) for key, why in checks.get("to_confirm", {}).items()
        ],
        "secret": REVEALED_BY_DRAWS if options_of(shown.options).with_secret else "",
    }
    return render(request, "analysis/data_release.html", context)


@admin
@require_POST
@refusals_lead_to("data-release", "uuid", "release")
def confirm_data_release(request: AccountRequest, uuid: UUID, release: UUID) -> HttpResponse:
    """Have the release written."""
    shown = release_or_404(uuid, release)
    confirm(shown, [each for each in Confirmation if each in request.POST], by=request.user)
    return redirect(shown)


@admin
@require_POST
@refusals_lead_to("data-release", "uuid", "release")
def delete_data_release(request: AccountRequest, uuid: UUID, release: UUID) -> HttpResponse:
    """Delete the release from the site."""
    unwanted = release_or_404(uuid, release)
    delete(unwanted, by=request.user)
    messages.success(request, f"{unwanted} is deleted from this site. Copies elsewhere remain.")
    return redirect("data-releases", uuid)


@admin
@require_safe
def data_release_zip(request: AccountRequest, uuid: UUID, release: UUID) -> HttpResponseBase:
    """The zip of a release."""
    return zip_response(release_or_404(uuid, release, is_written=True))


def _changes(release: DataRelease) -> str:
    """What has changed since the version before, as HTML; empty for the first version."""
    changes = (release.content or {}).get("changes")
    return render_markdown(changes) if changes else ""


def release_or_404(campaign: UUID, release: UUID, *, is_written: bool = False) -> DataRelease:
    """A data release of the campaign, or one that is written."""
    releases = releases_of(campaign_or_404(campaign))
    return get_object_or_404(releases.exclude(content=None) if is_written else releases, uuid=release)


def zip_response(release: DataRelease) -> StreamingHttpResponse:
    """The zip of a release that is written, as a download."""
    response = StreamingHttpResponse(zip_of(release), content_type="application/zip")
    response["Content-Disposition"] = f'attachment; filename="{release.name}-{release.version}.zip"'
    response["Content-Length"] = (release.content or {})["bytes"]
    return response
