"""Confirmation of a deletion."""

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict


class DeletionForm(forms.Form):
    """The name of the object, typed to prevent accidental deletion."""

    name = forms.CharField(
        label="Type its name", strip=False, widget=forms.TextInput({"autocomplete": "off"})
    )

    def __init__(self, sent: QueryDict | None, *, name: str) -> None:
        super().__init__(sent, label_suffix="")
        self._name = name

    def clean_name(self) -> str:
        if self.cleaned_data["name"] != self._name:
            raise ValidationError("The name does not match. Nothing was deleted.")
        return self._name
