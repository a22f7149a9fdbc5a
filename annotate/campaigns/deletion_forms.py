"""Confirmation of a deletion."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError


class DeletionForm(forms.Form):
    """The name of the object, typed to prevent accidental deletion."""

    name = forms.CharField(
        label="Type its name", strip=False, widget=forms.TextInput({"autocomplete": "off"})
    )

    def __init__(self, *args: Any, name: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._name = name

    def clean_name(self) -> str:
        if self.cleaned_data["name"] != self._name:
            raise ValidationError("The name does not match. Nothing was deleted.")
        return self._name
