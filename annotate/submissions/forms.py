"""Forms of submissions."""

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone

from annotate.models.corpora import validate_heading
from formats.naming import fault_of_label


class LinkForm(forms.Form):
    """A new submission link."""

    task = forms.CharField(
        max_length=200,
        validators=[validate_heading],
        label="Name of the task",
        help_text="Participants see it.",
    )
    ends_at = forms.DateTimeField(
        label="Open until",
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        input_formats=["%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M", "%Y-%m-%d"],
    )
    accepts_by_itself = forms.BooleanField(
        required=False,
        label="Accept by itself",
        help_text="Confirmed submissions join the corpus at once. Otherwise an admin accepts each.",
    )

    def clean_ends_at(self) -> object:
        ends_at = self.cleaned_data["ends_at"]
        if ends_at <= timezone.now():
            raise ValidationError("Choose a time to come.")
        return ends_at


class FileForm(forms.Form):
    """The outputs of a system."""

    file = forms.FileField(label="Outputs", help_text="A text file in UTF-8.")


class SubmissionForm(FileForm):
    """A system with its outputs."""

    name = forms.CharField(max_length=150, label="Name of the system")

    field_order = ("name", "file")

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if fault := fault_of_label(name):
            raise ValidationError(fault.replace("The label", "The name"))
        return name
