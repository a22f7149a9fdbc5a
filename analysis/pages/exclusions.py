"""Excludes annotators from results, and readmits them."""

from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from analysis.analyses.annotators.quality import Thresholds
from annotate.judging import exclusions
from annotate.models import Annotator
from annotate.web.access import AccountRequest, admin, campaign_or_404
from annotate.web.parameter_forms import ParametersForm
from annotate.web.refusals import refusals_lead_to


class ReasonForm(forms.Form):
    """Reason for an exclusion."""

    reason = forms.CharField(max_length=500, label="Reason")


@admin
@require_POST
@refusals_lead_to("quality", "uuid", with_query=True)
def exclude(request: AccountRequest, uuid: UUID, annotator: int) -> HttpResponse:
    """Exclude an annotator, by the rules of the address."""
    judge = _annotator(uuid, annotator)
    form = ReasonForm(request.POST)
    if not form.is_valid():
        messages.error(request, f"{judge} is not excluded: say why, in 500 characters at most.")
        return _back(request, uuid)
    thresholds = ParametersForm(Thresholds, request.GET.dict()).asked or Thresholds()
    exclusions.exclude(
        judge,
        reason=form.cleaned_data["reason"],
        rule=thresholds.rule,
        by=request.user,
    )
    messages.success(
        request, f"{judge} is excluded. Their answers stay, and are left out of rankings and exports."
    )
    return _back(request, uuid)


@admin
@require_POST
@refusals_lead_to("quality", "uuid", with_query=True)
def readmit(request: AccountRequest, uuid: UUID, annotator: int) -> HttpResponse:
    """Readmit an annotator."""
    judge = _annotator(uuid, annotator)
    exclusions.readmit(judge, by=request.user)
    messages.success(request, f"{judge} is readmitted. Their answers count again.")
    return _back(request, uuid)


def _annotator(uuid: UUID, key: int) -> Annotator:
    return get_object_or_404(campaign_or_404(uuid).annotators.select_related("campaign"), pk=key)


def _back(request: AccountRequest, uuid: UUID) -> HttpResponse:
    return redirect(reverse("quality", args=[uuid], query=request.GET))
