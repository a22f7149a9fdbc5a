"""The page of a campaign's judgments."""

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotate.design.protocols import title_of
from annotate.judgments import queries
from annotate.judgments.forms import JudgmentFilter
from annotate.judgments.shown import shown_judgments
from annotate.judgments.stream import selected_judgments
from annotate.web.access import AccountRequest, campaign_or_404, may_delete, researcher
from annotate.web.paging import page_of

JUDGMENTS_PER_PAGE = 10


@researcher
@require_safe
def campaign(request: AccountRequest, uuid: UUID) -> HttpResponse:
    campaign = campaign_or_404(uuid)
    may_see_names = request.user.may_see_names
    form = JudgmentFilter(campaign, request.GET or None, may_see_names=may_see_names)
    judgments = selected_judgments(campaign, form.selection).only("pk")
    page = page_of(judgments, request.GET, size=JUDGMENTS_PER_PAGE)
    context = {
        "campaign": campaign,
        "labels": queries.labels_of(campaign.corpus),
        "may_delete": may_delete(request.user, campaign),
        "protocol": title_of(campaign.protocol),
        "annotators": queries.annotators(campaign),
        "machines": queries.machines(campaign) if campaign.last_machine_number else [],
        "form": form,
        "page": page.with_rows(shown_judgments(campaign, [judgment.pk for judgment in page])),
    }
    return render(request, "annotate/judgments/judgments.html", context)
