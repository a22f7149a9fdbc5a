"""Forms that select judgments."""

from typing import Any, cast

from django import forms
from django.http import QueryDict

from annotate.judgments.pseudonyms import annotator_known_as
from annotate.judgments.queries import annotators, machines
from annotate.judgments.stream import Selection
from annotate.models import Annotator, Campaign, JudgmentState
from annotate.web.filters import MAX_NUMBER, criteria
from formats.machines import AnnotatorKind
from formats.writers import FORMATS


class AnnotatorField(forms.ChoiceField):
    """One of a campaign's annotators, chosen by number or pseudonym; only admins see names."""

    def __init__(self, campaign: Campaign, *, may_see_names: bool) -> None:
        self._campaign = campaign
        self._by_number = {str(annotator.number): annotator for annotator in annotators(campaign)}
        if campaign.last_machine_number:
            self._by_number |= {f"machine-{each.number}": each for each in machines(campaign)}
        shown = (
            (key, annotator.in_full if may_see_names else annotator.known_as)
            for key, annotator in self._by_number.items()
        )
        super().__init__(required=False, label="Annotator", choices=[("", "all"), *shown])

    def to_python(self, value: object) -> str:
        """The number, also for a pseudonym from an export."""
        word: str = super().to_python(value)
        if not word or word in self._by_number or not (annotator := annotator_known_as(self._campaign, word)):
            return word
        return f"machine-{annotator.number}" if annotator.is_machine else str(annotator.number)

    def prepare_value(self, value: object) -> str:
        """The choice that is shown as selected."""
        return self.to_python(value)

    def clean(self, value: object) -> Annotator | None:
        """The annotator. Names are rejected, whether an annotator has them or not."""
        return self._by_number.get(super().clean(value))


class JudgmentFilter(forms.Form):
    """Selects the judgments of a campaign to show."""

    state = forms.ChoiceField(required=False, choices=[("", "all"), *JudgmentState.choices])
    sentence = forms.IntegerField(required=False, min_value=0, max_value=MAX_NUMBER)

    field_order = ("annotator", "state", "sentence")

    def __init__(self, campaign: Campaign, sent: QueryDict | None, *, may_see_names: bool) -> None:
        super().__init__(sent)
        self.fields["annotator"] = AnnotatorField(campaign, may_see_names=may_see_names)
        self.order_fields(self.field_order)

    @property
    def selection(self) -> Selection:
        """The selected judgments: all if the form was not sent or is invalid, and the page says so."""
        asked = criteria(self)
        return Selection(
            states=[asked["state"]] if asked.get("state") else [],
            annotator=asked.get("annotator"),
            sentence=asked.get("sentence"),
            excluded=True,
        )


class ExportForm(forms.Form):
    """Selects judgments of a campaign to export, and the format. Only admins can choose names."""

    file_format = forms.ChoiceField(
        label="Format", choices=[(file_format.name, file_format.title) for file_format in FORMATS.values()]
    )
    state = forms.MultipleChoiceField(
        required=False,
        label="States (all if none is chosen)",
        choices=JudgmentState.choices,
        widget=forms.CheckboxSelectMultiple,
    )
    submitted_from = forms.DateField(
        required=False, label="Answered from", widget=forms.DateInput({"type": "date"}, format="%Y-%m-%d")
    )
    submitted_to = forms.DateField(
        required=False, label="Answered until", widget=forms.DateInput({"type": "date"}, format="%Y-%m-%d")
    )
    history = forms.BooleanField(required=False, label="All revisions, not only current answers")
    field_order = (
        "file_format",
        "state",
        "submitted_from",
        "submitted_to",
        "annotator",
        "excluded",
        "machines",
        "history",
        "names",
    )

    def __init__(self, campaign: Campaign, sent: QueryDict | None, *, may_see_names: bool) -> None:
        super().__init__(sent, label_suffix="")
        self.fields["annotator"] = AnnotatorField(campaign, may_see_names=may_see_names)
        if campaign.annotators.exclude(excluded_at=None).exists():
            self.fields["excluded"] = forms.BooleanField(required=False, label="Include excluded annotators")
        if campaign.last_machine_number:
            self.fields["machines"] = forms.BooleanField(required=False, label="Include machines")
        if may_see_names:
            self.fields["names"] = forms.BooleanField(
                required=False, label="Annotators by name instead of pseudonym"
            )
        self.order_fields(self.field_order)

    def clean(self) -> dict[str, object]:
        cleaned = cast(dict[str, Any], super().clean())
        begin, end = cleaned.get("submitted_from"), cleaned.get("submitted_to")
        if begin and end and end < begin:
            self.add_error("submitted_to", "The last day is before the first day.")
        return cleaned

    @property
    def selection(self) -> Selection:
        """The selection of a valid form."""
        asked = self.cleaned_data
        return Selection(
            states=asked["state"],
            submitted_from=asked["submitted_from"],
            submitted_to=asked["submitted_to"],
            annotator=asked["annotator"],
            history=asked["history"],
            excluded=asked.get("excluded", False),
            kinds=list(AnnotatorKind) if asked.get("machines") else [AnnotatorKind.PERSON],
        )

    @property
    def with_names(self) -> bool:
        """Whether a valid form requests names."""
        return bool(self.cleaned_data.get("names"))
