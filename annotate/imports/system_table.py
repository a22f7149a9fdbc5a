"""The systems of an import as a table to edit: their names, role and family beside what the check counted."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from annotate.models import SystemRole
from formats import MAX_NAME_CHARS
from formats.machines import MAX_FAMILY_CHARS
from formats.naming import (
    SystemNames,
    clashes,
    fault_of_family,
    fault_of_identifier,
    fault_of_label,
    identifier_of,
    is_identifier,
)


class SystemForm(forms.Form):
    """The form of one system.

    Attributes:
        row: what the check found (`SystemRow` as JSON).
        shown: what the system is called as long as nothing was edited.
    """

    label = forms.CharField(required=False, max_length=MAX_NAME_CHARS)
    name = forms.CharField(required=False, max_length=MAX_NAME_CHARS, label="Identifier")
    role = forms.ChoiceField(choices=SystemRole.choices)
    family = forms.CharField(required=False, max_length=MAX_FAMILY_CHARS)

    def __init__(self, data: Mapping[str, Any] | None, *, number: int, row: Mapping[str, Any]) -> None:
        self.row = row
        self._number = number
        self.shown = row["label"] or row["key"]
        initial = {"label": self.shown, "name": row["key"], "role": row["role"], "family": ""}
        super().__init__(data, prefix=f"system-{number}", initial=initial, label_suffix="")
        for bound in self:
            bound.field.widget.attrs["aria-label"] = f"{bound.label} of {self.shown}"

    def clean_label(self) -> str:
        label: str = self.cleaned_data["label"]
        if fault := fault_of_label(label):
            raise ValidationError(fault)
        return label

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if name and not is_identifier(name):
            proposed = identifier_of(name, self._number)
            raise ValidationError(f"Only letters, digits and . _ + - are allowed, for example {proposed}.")
        if not name:
            derived = identifier_of(self.cleaned_data.get("label") or self.row["key"], self._number)
            raise ValidationError(f"It needs an identifier, such as {derived}.")
        if fault := fault_of_identifier(name):
            raise ValidationError(fault)
        return name

    def clean_role(self) -> str:
        role: str = self.cleaned_data["role"]
        if role == SystemRole.SOURCE and self.row["unchanged"] != 1:
            raise ValidationError("It changes the source, so it cannot be the source.")
        return role

    def clean_family(self) -> str:
        family: str = self.cleaned_data["family"]
        if fault := fault_of_family(family):
            raise ValidationError(fault)
        return family

    def names(self) -> SystemNames:
        """Name, label, role and family in the valid form."""
        name, label, role, family = (self.cleaned_data[each] for each in ("name", "label", "role", "family"))
        return SystemNames(name, "" if label == name else label, role, family)


class SystemTable:
    """All systems of an import.

    Attributes:
        forms: one for each, in order.
    """

    def __init__(self, rows: Sequence[Mapping[str, Any]], data: Mapping[str, Any] | None = None) -> None:
        self.forms = [SystemForm(data, number=number, row=row) for number, row in enumerate(rows, start=1)]

    def is_valid(self) -> bool:
        """Whether each system is fine, and none can be taken for another."""
        valid = [form.is_valid() for form in self.forms]  # All of them, so that all faults are shown.
        if not all(valid):
            return False
        by_key = {form.row["key"]: form for form in self.forms}
        for key, field, said in clashes(self.names()):
            by_key[key].add_error(field, said)
        sources = [form for form in self.forms if form.cleaned_data.get("role") == SystemRole.SOURCE]
        for form in sources[1:]:
            form.add_error(
                "role", f"{sources[0].cleaned_data['name']} is already the source; there can be only one."
            )
        return not any(form.errors for form in self.forms)

    def names(self) -> dict[str, SystemNames]:
        """The entries of the valid table, by the names of the systems in the files."""
        return {form.row["key"]: form.names() for form in self.forms}
