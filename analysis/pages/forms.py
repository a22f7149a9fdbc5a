"""Options of a ranking as a form."""

from collections.abc import Mapping
from dataclasses import replace
from urllib.parse import urlencode

from django import forms

from analysis.analyses.ranking import REPLICATES, Choice
from analysis.analyses.ranking_words import METHODS, PAIRWISE
from ranking import MEAN_UNITS, Method, Unit

UNITS = {unit.value: unit.value for unit in Unit} | {Unit.JUDGE.value: "annotator"}

TIE_WIDTHS = {"0": "if equal", "5": "within 5", "10": "within 10", "20": "within 20"}

CONFIDENCES = {"0.9": "90 %", "0.95": "95 %", "0.99": "99 %"}


class RankingForm(forms.Form):
    """How a page ranks systems."""

    method = forms.ChoiceField(choices=list(PAIRWISE.items()), initial=Method.EXPECTED_WINS.value)
    unit = forms.ChoiceField(choices=list(UNITS.items()), initial=Unit.PAIR.value, label="Resampled by")
    confidence = forms.ChoiceField(choices=list(CONFIDENCES.items()), initial="0.95")
    controls = forms.BooleanField(required=False, label="With controls")
    excluded = forms.BooleanField(required=False, label="With excluded annotators")

    def __init__(self, asked: Mapping[str, str]) -> None:
        """What is not asked for, and what does not exist, is as it is by default."""
        ticked = {name: "on" for name in ("controls", "excluded") if asked.get(name)}
        super().__init__(
            {
                name: asked[name] if field.valid_value(asked.get(name, "")) else field.initial
                for name, field in self.declared_fields.items()
                if isinstance(field, forms.ChoiceField)
            }
            | ticked
        )

    @property
    def query(self) -> str:
        """The part of an address that makes the same choice."""
        return urlencode(self.data)

    @property
    def choice(self) -> Choice:
        """The choice that the form makes."""
        self.full_clean()
        method = Method(self.cleaned_data["method"])
        return Choice(
            method=method,
            unit=Unit(self.cleaned_data["unit"]),
            replicates=REPLICATES[method],
            confidence=float(self.cleaned_data["confidence"]),
            controls=self.cleaned_data["controls"],
            excluded=self.cleaned_data["excluded"],
        )


class ScoreRankingForm(RankingForm):
    """How a page ranks systems whose outputs were given scores. Mean scores are not resampled by pair."""

    method = forms.ChoiceField(choices=list(METHODS.items()), initial=Method.MEAN_SCORE.value)
    unit = forms.ChoiceField(choices=list(UNITS.items()), initial=Unit.SENTENCE.value, label="Resampled by")
    scores = forms.ChoiceField(
        choices=[("raw", "scores as given"), ("z", "z-scores within each annotator")],
        initial="raw",
        label="Mean of",
    )
    tie_width = forms.ChoiceField(choices=list(TIE_WIDTHS.items()), initial="0", label="Pairs tie")

    @property
    def choice(self) -> Choice:
        """The choice that the form makes, a mean score by another unit being one by sentence."""
        choice = super().choice
        by_mean = choice.method is Method.MEAN_SCORE
        return replace(
            choice,
            unit=Unit.SENTENCE if by_mean and choice.unit not in MEAN_UNITS else choice.unit,
            tie_width=float(self.cleaned_data["tie_width"]),
            z_scores=by_mean and self.cleaned_data["scores"] == "z",
        )


def query_of(choice: Choice) -> str:
    """The part of an address by which the form makes this choice."""
    asked = {"method": choice.method, "unit": choice.unit, "confidence": f"{choice.confidence:g}"}
    if choice.tie_width is not None:
        asked |= {"scores": "z" if choice.z_scores else "raw", "tie_width": f"{choice.tie_width:g}"}
    asked |= {name: "on" for name in ("controls", "excluded") if getattr(choice, name)}
    return urlencode(asked)
