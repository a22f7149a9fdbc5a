"""Current quality of the work of a campaign's annotators."""

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from analysis.analyses.quality import QUALITY, Quality, QualityParameters
from analysis.pages.exclusions import RuleForm
from analysis.pages.registered import AnalysisPage, register_page
from analysis.runs.queries import compute_anew, current
from analysis.runs.requests import Request, request_of
from annotate.judging.exclusions import can_be_checked
from annotate.judgments.pseudonyms import annotators_by_pseudonym
from annotate.judgments.queries import roles_of
from annotate.models import Campaign
from annotate.web.access import AccountRequest, admin, campaign_or_404
from formats.vocabulary import ProtocolName
from ranking.control_rule import DEFAULT_RULE, LEAST_CASES
from ranking.flags import LEVEL
from ranking.quality import campaign_seconds, reasons_to_look

register_page(AnalysisPage("quality", route="quality"))


@admin
@require_safe
def quality(request: AccountRequest, uuid: UUID) -> HttpResponse:
    campaign = campaign_or_404(uuid)
    form = RuleForm(request.GET)
    if faults := form.faults:
        refused = {
            "campaign": campaign,
            "subject": campaign,
            "analysis": QUALITY,
            "form": form,
            "faults": faults,
        }
        return render(request, "analysis/refused.html", refused, status=400)
    rule, habits = form.rule, form.habits
    user = request.user
    wanted = _request(campaign)
    shown = current(wanted, asked_by=user)
    context: dict[str, Any] = {
        "campaign": campaign,
        "subject": campaign,
        "compute": _compute_address(request, uuid),
    }
    if shown.result is None:
        job = shown.job or compute_anew(wanted, asked_by=user)
        return render(request, "analysis/nothing_yet.html", {**context, "job": job, "what": "Quality"})
    quality: Quality = shown.result
    annotators = annotators_by_pseudonym(campaign)
    reasons = reasons_to_look(quality.annotators, rule, habits)
    rows = [
        (annotators[work.annotator], work.under(rule), reasons[work.annotator])
        for work in quality.annotators
        if work.annotator in annotators
    ]
    context |= {
        "age": shown,
        "job": shown.job,
        "signature": quality.signature,
        "form": form.as_applied(),
        "rule": rule,
        "rows": sorted(rows, key=lambda row: row[0].number),
        "campaign_seconds": campaign_seconds(quality.annotators, habits),
        "flagged": sum(bool(why) for _, _, why in rows),
        "excluded": sum(bool(annotator.excluded_at) for annotator in annotators.values()),
        "level": LEVEL,
        "least_cases": LEAST_CASES,
        "default_cases": DEFAULT_RULE.min_cases,
        "has_check": can_be_checked(campaign, roles_of(campaign)),
        "is_gold": campaign.protocol == ProtocolName.VALIDITY,
    }
    return render(request, "analysis/quality.html", context)


@admin
@require_POST
def compute_quality(request: AccountRequest, uuid: UUID) -> HttpResponse:
    """Queue a new quality check of a large campaign."""
    compute_anew(_request(campaign_or_404(uuid)), asked_by=request.user)
    return redirect(f"{reverse('quality', args=[uuid])}?{request.GET.urlencode()}")


def _request(campaign: Campaign) -> Request:
    return request_of(QUALITY, campaign, QualityParameters())


def _compute_address(request: AccountRequest, uuid: UUID) -> str:
    return f"{reverse('compute-quality', args=[uuid])}?{request.GET.urlencode()}"
