"""Excludes annotators from results, and readmits them."""

from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from annotate.judging import exclusions
from annotate.models import Annotator
from annotate.web.access import AccountRequest, admin, campaign_or_404
from annotate.web.parameter_forms import Fault
from annotate.web.refusals import refusals_lead_to
from ranking import FlagRule
from ranking.control_rule import ControlRule


class RuleForm(forms.Form):
    """Rules by which the quality page flags annotators; invalid values are replaced by defaults."""

    threshold = forms.IntegerField(min_value=1, max_value=100, label="Control below source, at least %")
    pace = forms.IntegerField(min_value=0, max_value=100, label="Time, at least % of the campaign’s median")
    same_answer = forms.IntegerField(min_value=0, max_value=100, label="Same answer, at most %")
    beyond_chance = forms.IntegerField(
        min_value=-100, max_value=100, label="Agreement beyond chance, at least %"
    )
    min_cases = forms.IntegerField(min_value=1, max_value=10_000, label="Fewest screens")

    @property
    def rule(self) -> ControlRule:
        """The requested rule of the control check."""
        default = ControlRule()
        return ControlRule(
            threshold=self._share("threshold", default.threshold),
            min_cases=self._valid.get("min_cases", default.min_cases),
        )

    @property
    def habits(self) -> FlagRule:
        """The requested rules of the other flags."""
        default = FlagRule()
        return FlagRule(
            pace=self._share("pace", default.pace),
            same_answer=self._share("same_answer", default.same_answer),
            beyond_chance=self._share("beyond_chance", default.beyond_chance),
            min_cases=self._valid.get("min_cases", default.min_cases),
        )

    @property
    def faults(self) -> list[Fault]:
        """Errors in an address; empty if it states no rule."""
        unknown = [Fault(f"there is no parameter {name!r}") for name in self.data if name not in self.fields]
        wrong = [
            Fault(f"{self.fields[name].label}: {fault}", self[name].id_for_label)
            for name, faults in self.errors.items()
            for fault in faults
            if self.data.get(name)
        ]
        return unknown + wrong

    def as_applied(self) -> "RuleForm":
        """The form, filled in with the rules in effect."""
        shares = {
            "threshold": self.rule.threshold,
            "pace": self.habits.pace,
            "same_answer": self.habits.same_answer,
            "beyond_chance": self.habits.beyond_chance,
        }
        percents = {name: round(100 * share) for name, share in shares.items()}
        return RuleForm({**percents, "min_cases": self.rule.min_cases}, label_suffix="")

    @property
    def _valid(self) -> dict[str, Any]:
        self.is_valid()
        return self.cleaned_data

    def _share(self, name: str, default: float) -> float:
        percent = self._valid.get(name)
        return default if percent is None else percent / 100


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
    exclusions.exclude(
        judge,
        reason=form.cleaned_data["reason"],
        rule=RuleForm(request.GET).rule,
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
