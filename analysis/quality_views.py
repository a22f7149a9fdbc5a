"""How carefully the annotators of a campaign work, as it stands now."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from analysis.queries import standings_of
from annotate.access import admin, campaign_or_404
from annotate.exclusion_views import RuleForm
from annotate.models import SystemRole
from annotate.queries import roles_of


@admin
@require_safe
def quality(request: HttpRequest, uuid: UUID) -> HttpResponse:
    campaign = campaign_or_404(uuid)
    rule = RuleForm(request.GET).rule
    found = standings_of(campaign, rule)
    annotators = {annotator.name: annotator for annotator in campaign.annotators.all()}
    rows = [(annotators[standing.annotator], standing) for standing in found]
    context = {
        "campaign": campaign,
        "form": RuleForm(
            {"threshold": round(100 * rule.threshold), "min_cases": rule.min_cases}, label_suffix=""
        ),
        "rule": rule,
        "rows": rows,
        "flagged": sum(standing.check.flagged for _, standing in rows),
        "excluded": sum(bool(annotator.excluded_at) for annotator in annotators.values()),
        "has_check": {SystemRole.SOURCE, SystemRole.CONTROL} <= set(roles_of(campaign).values()),
    }
    return render(request, "analysis/quality.html", context)
