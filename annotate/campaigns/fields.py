"""Fields of the form of a draft."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from annotate.design.positions import format_positions, parse_positions
from annotate.models import System, SystemRole


class SystemsField(forms.ModelMultipleChoiceField):  # type: ignore[type-arg]  # no generic at run time
    """Systems to tick, labelled with their role if it is not *system*."""

    widget = forms.CheckboxSelectMultiple

    def label_from_instance(self, obj: System) -> str:
        role = "" if obj.role == SystemRole.SYSTEM else f" ({obj.get_role_display().lower()})"
        return f"{obj.shown}{role}"


class PositionsField(forms.CharField):
    """A list of sentences, written as numbers and ranges."""

    widget = forms.Textarea(attrs={"rows": 3})

    def __init__(self, *, sentences: int, most: int, **options: Any) -> None:
        super().__init__(max_length=100_000, **options)
        self.sentences = sentences
        self.most = most

    def to_python(self, value: object) -> list[int]:  # type: ignore[override]
        try:
            return parse_positions(super().to_python(value) or "", sentences=self.sentences, most=self.most)
        except ValueError as error:
            raise ValidationError(str(error)) from error

    def prepare_value(self, value: object) -> Any:
        return format_positions(value) if isinstance(value, list) else value
