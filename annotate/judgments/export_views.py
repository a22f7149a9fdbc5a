"""The page on which admins and researchers export judgments."""

from uuid import UUID

from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_GET

from annotate.judgments.exporting import export_judgments, file_name
from annotate.judgments.forms import ExportForm
from annotate.models import Campaign
from annotate.web.access import AccountRequest, campaign_or_404, researcher
from annotate.web.downloads import giving_way
from annotate.web.refusals import RefusalsAt
from formats.writers import FORMATS


@researcher
@require_GET
def export(request: AccountRequest, uuid: UUID) -> HttpResponseBase:
    """The form, or the requested file."""
    campaign = campaign_or_404(uuid)
    user = request.user
    form = ExportForm(campaign, request.GET or None, may_see_names=user.may_see_names)
    if not form.is_bound:
        return _page(request, campaign, form, status=200)
    if not form.is_valid():
        return _page(request, campaign, form, status=400)
    file_format = FORMATS[form.cleaned_data["file_format"]]
    with RefusalsAt(form, "file_format"):
        pieces = export_judgments(
            campaign=campaign,
            file_format=file_format,
            selection=form.selection,
            names=form.with_names,
            by=user,
        )
        disposition = f'attachment; filename="{file_name(campaign, file_format, form.selection)}"'
        return StreamingHttpResponse(
            giving_way(pieces),
            content_type=file_format.content_type,
            headers={"Content-Disposition": disposition, "Cache-Control": "no-store"},
        )
    return _page(request, campaign, form, status=400)


def _page(request: AccountRequest, campaign: Campaign, form: ExportForm, *, status: int) -> HttpResponse:
    context = {"campaign": campaign, "form": form}
    return render(request, "annotate/judgments/export.html", context, status=status)
