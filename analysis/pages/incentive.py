"""The page that shows when correcting earns a system less than leaving an error alone."""

from dataclasses import dataclass
from typing import Any

from django import forms
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from analysis.analyses.base import Group
from analysis.results.registered_pages import FurtherPage, register_further
from annotate.models import Corpus
from annotate.web.access import AccountRequest, researcher
from metrics.meta_evaluation.coverage.incentive import Incentive, incentive, least_coverage

register_further(
    FurtherPage(
        Corpus,
        "Incentive to correct",
        Group.REFERENCES,
        "When does a metric reward leaving an error alone?",
        "Whether correcting a phrase raises the expected score, given how much the references cover.",
        "incentive",
        tabs="coverage",
        label="Incentive to correct",
        place=5,
    )
)

STEP = 0.01
MOST_PENALTY = 4


class _Slider(forms.NumberInput):
    input_type = "range"


def _slider(label: str, initial: float, help_text: str, *, most: float = 1) -> forms.FloatField:
    return forms.FloatField(
        label=label,
        initial=initial,
        help_text=help_text,
        min_value=0,
        max_value=most,
        widget=_Slider(attrs={"step": STEP}),
    )


class IncentiveForm(forms.Form):
    """The probabilities of the paper's condition 7."""

    detected = _slider("The phrase is an error", 0.9, "Probability that it is, as the system predicts.")
    correct = _slider("The correction is valid", 0.6, "Probability that the system finds a valid correction.")
    covered = _slider(
        "A reference has it", 0.3, "Coverage: the probability that a reference has this valid correction."
    )
    penalty = _slider(
        "A wrong correction costs",
        0,
        "Relative to the reward of a valid one; 0 if there is no penalty.",
        most=MOST_PENALTY,
    )


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer of the page.

    Attributes:
        incentive: what correcting and leaving are worth.
        needed: least coverage at which correcting pays; None if no coverage is enough.
    """

    incentive: Incentive
    needed: float | None

    @property
    def finding(self) -> str:
        """Which of the two earns more, in a sentence."""
        correcting, leaving = f"{self.incentive.correcting:.2f}", f"{self.incentive.leaving:.2f}"
        if self.incentive.to_correct:
            return f"Correcting earns more than leaving the phrase alone: {correcting} against {leaving}"
        return f"Leaving the phrase alone earns no less than correcting: {leaving} against {correcting}"


@researcher
@require_safe
def incentive_page(request: AccountRequest) -> HttpResponse:
    """Sliders, and whether correcting pays; an ordinary form where there are no scripts."""
    form = IncentiveForm(request.GET if request.GET else None)
    context: dict[str, object] = {"form": form, "verdict": None}
    if not form.is_bound:
        context["verdict"] = _verdict({name: field.initial for name, field in form.fields.items()})
    elif form.is_valid():
        context["verdict"] = _verdict(form.cleaned_data)
    return render(request, "analysis/incentive.html", context)


def _verdict(stated: dict[str, Any]) -> Verdict:
    return Verdict(
        incentive(stated["detected"], stated["correct"], stated["covered"], penalty=stated["penalty"]),
        least_coverage(stated["detected"], stated["correct"], penalty=stated["penalty"]),
    )
