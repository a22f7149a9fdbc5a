"""The admin's page of a campaign's crowd: how workers enter, and who is to be paid."""

from uuid import UUID

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.text import slugify
from django.views.decorators.http import require_http_methods, require_safe

from annotate.crowd.forms import CrowdForm
from annotate.crowd.payouts import payout_csv, payouts
from annotate.crowd.visits import set_up
from annotate.database.audit_log import record
from annotate.design.platforms import address_query
from annotate.judgments.queries import roles_of
from annotate.models import AuditAction, Crowd, SystemRole, Visit
from annotate.web.access import AccountRequest, admin, run_here_or_404
from annotate.web.paging import page_of
from ranking.annotators.control_rule import DEFAULT_RULE, LEAST_CASES

WORKERS_PER_PAGE = 25


@admin
@require_http_methods(["GET", "HEAD", "POST"])
def settings(request: AccountRequest, uuid: UUID) -> HttpResponse:
    """Set up the crowd; codes and consent may change while the campaign runs."""
    campaign = run_here_or_404(uuid)
    crowd = Crowd.objects.filter(campaign=campaign).first()
    form = CrowdForm(
        request.POST if request.method == "POST" else None, instance=crowd or Crowd(campaign=campaign)
    )
    if form.is_valid():
        try:
            set_up(form.instance, by=request.user)
        except ValidationError:
            messages.error(
                request, "Someone else set it up at the same moment. Its settings are shown below."
            )
        else:
            messages.success(request, "Saved. The address for the platform is shown below.")
        return redirect("crowd-settings", campaign.uuid)
    context: dict[str, object] = {"campaign": campaign, "form": form, "crowd": crowd}
    if crowd is not None:
        crowd = Crowd.objects.get(pk=crowd.pk)  # As stored, not as in the form.
        page = page_of(crowd.workers.all(), request.GET, size=WORKERS_PER_PAGE)
        context |= {
            "crowd": crowd,
            "address": _address(request, crowd),
            "page": page.with_rows(list(payouts(page.rows))),
            "is_checked": {SystemRole.SOURCE, SystemRole.CONTROL} <= set(roles_of(campaign).values()),
            "rule": DEFAULT_RULE,
            "least_cases": LEAST_CASES,
            "most_screens": crowd.batches_per_visit * campaign.design.batch_size,
            "visit_count": Visit.objects.filter(worker__crowd=crowd).count(),
        }
    return render(request, "annotate/crowd/settings.html", context)


@admin
@require_safe
def payout_table(request: AccountRequest, uuid: UUID) -> HttpResponseBase:
    """The visits as CSV. Like every export, it is recorded in the audit log."""
    crowd = get_object_or_404(Crowd.objects.select_related("campaign"), campaign=run_here_or_404(uuid))
    record(
        user=request.user,
        action=AuditAction.EXPORT,
        subject=crowd.campaign,
        details={"format": "payouts", "names": True},
    )
    name = slugify(crowd.campaign.name) or crowd.campaign.uuid
    return StreamingHttpResponse(
        payout_csv(crowd),
        content_type="text/csv; charset=utf-8",
        headers={
            "Content-Disposition": f'attachment; filename="{name}-payouts.csv"',
            "Cache-Control": "no-store",
        },
    )


def _address(request: AccountRequest, crowd: Crowd) -> str:
    """The address to paste into the platform, with its placeholders unescaped."""
    page = reverse("crowd-frame" if crowd.is_framed else "crowd", args=[crowd.entrance])
    query = "" if crowd.is_framed else f"?{address_query(crowd.names, crowd.preset)}"
    return request.build_absolute_uri(page) + query
