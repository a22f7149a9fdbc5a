"""The list of skipped and reported items."""

from uuid import UUID

from django import forms
from django.http import HttpResponse, QueryDict
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotate.campaigns.reports import FILTERED, ReportKind, as_reports, reports_and_skips
from annotate.judgments.forms import AnnotatorField
from annotate.models import Campaign
from annotate.web.access import AccountRequest, campaign_or_404, researcher
from annotate.web.filters import MAX_NUMBER, criteria
from annotate.web.paging import page_of

REPORTS_PER_PAGE = 25


class ReportFilter(forms.Form):
    """Filter of skips and reports."""

    kind = forms.ChoiceField(required=False, choices=[("", "all"), *ReportKind.choices])
    item = forms.IntegerField(required=False, min_value=0, max_value=MAX_NUMBER)
    item_state = forms.ChoiceField(
        required=False,
        label="State of the item",
        choices=[("", "any"), *((state.value, state.label.lower()) for state in FILTERED)],
    )
    field_order = ("annotator", "kind", "item", "item_state")

    def __init__(self, campaign: Campaign, sent: QueryDict | None, *, may_see_names: bool) -> None:
        super().__init__(sent)
        self.fields["annotator"] = AnnotatorField(campaign, may_see_names=may_see_names)
        self.order_fields(self.field_order)


@researcher
@require_safe
def reports(request: AccountRequest, uuid: UUID) -> HttpResponse:
    campaign = campaign_or_404(uuid)
    may_see_names = request.user.may_see_names
    form = ReportFilter(campaign, request.GET or None, may_see_names=may_see_names)
    page = page_of(
        reports_and_skips(campaign, **criteria(form)), request.GET, size=REPORTS_PER_PAGE, by="-pk"
    )
    context = {"campaign": campaign, "form": form, "page": page.with_rows(as_reports(page.rows))}
    return render(request, "annotate/campaigns/reports.html", context)
