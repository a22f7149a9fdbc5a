"""The form of a new machine."""

from django import forms

from annotate.models import Machine


class MachineForm(forms.ModelForm):  # type: ignore[type-arg]  # no generic at run time
    """A new machine: its name and what is known of it."""

    name = forms.CharField(max_length=200, help_text="The name to show in lists and exports.")
    field_order = ("name", "model", "version", "family", "prompt", "temperature", "seed", "date", "run_by")

    class Meta:
        model = Machine
        fields = ("model", "version", "family", "prompt", "temperature", "seed", "date", "run_by")
        labels = {"run_by": "Run by"}
        widgets = {
            "prompt": forms.Textarea({"rows": 6}),
            "date": forms.DateInput({"type": "date"}, format="%Y-%m-%d"),
        }
