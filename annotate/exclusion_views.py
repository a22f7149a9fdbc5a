"""The admin decides whose judgments count."""

from typing import cast
from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_POST

from annotate.access import admin, campaign_or_404
from annotate.models import Annotator, User
from annotate.quality import ControlRule
from annotate.services import exclusions
from annotate.services.exclusions import ExclusionError


class RuleForm(forms.Form):
    """When the quality page flags an annotator; what makes no sense is as it is by default."""

    threshold = forms.IntegerField(min_value=1, max_value=100, label="At least, in percent")
    min_cases = forms.IntegerField(min_value=1, max_value=10_000, label="Fewest cases")

    @property
    def rule(self) -> ControlRule:
        """The rule that was asked for."""
        self.full_clean()
        default = ControlRule()
        return ControlRule(
            threshold=self.cleaned_data.get("threshold", round(100 * default.threshold)) / 100,
            min_cases=self.cleaned_data.get("min_cases", default.min_cases),
        )


class ReasonForm(forms.Form):
    """Why somebody is excluded."""

    reason = forms.CharField(max_length=500, label="Reason")


@admin
@require_POST
def exclude(request: HttpRequest, uuid: UUID, annotator: int) -> HttpResponse:
    """Leave an annotator's judgments out, by the rule of the address."""
    found = _annotator(uuid, annotator)
    form = ReasonForm(request.POST)
    if not form.is_valid():
        messages.error(request, f"{found} is not excluded: say why, in 500 characters at most.")
        return _back(request, uuid)
    try:
        exclusions.exclude(
            found,
            reason=form.cleaned_data["reason"],
            rule=RuleForm(request.GET).rule,
            by=cast(User, request.user),
        )
    except ExclusionError as error:
        messages.error(request, str(error))
    else:
        messages.success(
            request, f"{found} is excluded. Their answers stay, and are left out of rankings and exports."
        )
    return _back(request, uuid)


@admin
@require_POST
def readmit(request: HttpRequest, uuid: UUID, annotator: int) -> HttpResponse:
    """Let an annotator's judgments count again."""
    found = _annotator(uuid, annotator)
    try:
        exclusions.readmit(found, by=cast(User, request.user))
    except ExclusionError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, f"{found} is readmitted. Their answers count again.")
    return _back(request, uuid)


def _annotator(uuid: UUID, key: int) -> Annotator:
    return get_object_or_404(campaign_or_404(uuid).annotators.select_related("campaign"), pk=key)


def _back(request: HttpRequest, uuid: UUID) -> HttpResponse:
    query = f"?{request.GET.urlencode()}" if request.GET else ""
    response = redirect("quality", uuid)
    response["Location"] += query
    return response
