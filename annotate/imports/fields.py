"""File fields that keep earlier uploads, because browsers empty file inputs whenever they load a form."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.template.loader import render_to_string
from django.utils.safestring import SafeString


class FilesInput(forms.FileInput):
    """A field for files, with the files below it that are already here, each to be kept or not.

    Attributes:
        kept: the names of these files, and whether each is to be kept.
    """

    kept: dict[str, bool]

    def __init__(self, attrs: dict[str, object] | None = None) -> None:
        super().__init__(attrs)
        self.kept = {}

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        field = super().render(name, value, {**(attrs or {}), **self._marked()}, renderer)
        context = {"input": field, "name": kept_name(name), "kept": self.kept}
        return render_to_string("annotate/imports/_files.html", context)

    def _marked(self) -> dict[str, str]:
        """Attributes that tell the script whether files are kept, and so whether to show dependent fields."""
        return {"data-kept": "yes"} if any(self.kept.values()) else {}


class ManyFilesInput(FilesInput):
    """A field for any number of files."""

    allow_multiple_selected = True


class OneFileField(forms.FileField):
    """One file."""

    widget = FilesInput


class FilesField(forms.FileField):
    """Any number of files."""

    widget = ManyFilesInput

    def clean(self, data: Any, initial: Any = None) -> list["UploadedFile[bytes]"]:
        cleaned, faults = [], []
        for file in data or []:
            try:
                cleaned.append(super().clean(file, initial))
            except ValidationError as error:
                faults += [f"“{file.name}”: {message}" for message in error.messages]
        if faults:
            raise ValidationError(faults)
        return cleaned


def kept_name(field: str) -> str:
    """The name of the check boxes for a field's stored files."""
    return f"{field}-kept"
