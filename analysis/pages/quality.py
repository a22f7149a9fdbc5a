"""How carefully the annotators of a campaign work, as it stands now."""

from typing import Any, cast
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from analysis.runs.queries import quality_of, queue_quality
from annotate.judging.exclusion_views import RuleForm
from annotate.judgments.pseudonyms import annotators_by_pseudonym
from annotate.judgments.queries import roles_of
from annotate.models import SystemRole, User
from annotate.web.access import admin, campaign_or_404
from ranking.quality import campaign_seconds, reasons_to_look


@admin
@require_safe
def quality(request: HttpRequest, uuid: UUID) -> HttpResponse:
    campaign = campaign_or_404(uuid)
    form = RuleForm(request.GET)
    rule, habits = form.rule, form.habits
    current = quality_of(campaign)
    context: dict[str, Any] = {"campaign": campaign, "compute": _compute_address(request, uuid)}
    if current.annotators is None:
        job = current.job or queue_quality(campaign, asked_by=cast(User, request.user))
        return render(request, "analysis/nothing_yet.html", {**context, "job": job, "what": "Quality"})
    annotators = annotators_by_pseudonym(campaign)
    reasons = reasons_to_look(current.annotators, rule, habits)
    rows = [
        (annotators[work.annotator], work.under(rule), reasons[work.annotator])
        for work in current.annotators
        if work.annotator in annotators
    ]
    context |= {
        "newer_answers": current.newer_answers,
        "job": current.job,
        "form": form.as_applied(),
        "rule": rule,
        "rows": sorted(rows, key=lambda row: row[0].number),
        "campaign_seconds": campaign_seconds(current.annotators, habits),
        "flagged": sum(bool(why) for _, _, why in rows),
        "excluded": sum(bool(annotator.excluded_at) for annotator in annotators.values()),
        "has_check": {SystemRole.SOURCE, SystemRole.CONTROL} <= set(roles_of(campaign).values()),
    }
    return render(request, "analysis/quality.html", context)


@admin
@require_POST
def compute_quality(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Look at the annotators of a large campaign anew."""
    queue_quality(campaign_or_404(uuid), asked_by=cast(User, request.user))
    return redirect(f"{reverse('quality', args=[uuid])}?{request.GET.urlencode()}")


def _compute_address(request: HttpRequest, uuid: UUID) -> str:
    return f"{reverse('compute-quality', args=[uuid])}?{request.GET.urlencode()}"
