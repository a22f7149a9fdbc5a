"""Parameters as a form, and as the query of an address."""

from collections.abc import Collection, Mapping
from typing import Any, Generic, TypeVar
from urllib.parse import urlencode

from django import forms

from metrics.parameters import (
    TRUTHS,
    ParameterError,
    ParameterField,
    parameter_fields,
    parameters_as_text,
    parameters_from_text,
)

P = TypeVar("P")


class Ticked(forms.CheckboxInput):
    """A box for yes and no as parameters are written."""

    def value_from_datadict(self, data: Any, files: Any, name: str) -> bool:
        """Whether it is ticked."""
        return TRUTHS.get(str(data.get(name)).lower(), False)


class ParametersForm(forms.Form, Generic[P]):
    """The parameters as somebody stated them in an address, and what is wrong with them.

    Attributes:
        asked: the parameters; None where there are faults.
        faults: what is wrong, in words.
    """

    def __init__(
        self,
        parameters: type[P],
        stated: Mapping[str, str],
        *,
        shown: Collection[str] | None = None,
        without: Mapping[str, Collection[str]] | None = None,
    ) -> None:
        """Read what is stated.

        Args:
            parameters: the dataclass.
            stated: texts by name.
            shown: attributes that have a field; of the others what is stated goes along unseen. None for all.
            without: by attribute, values that are not offered.
        """
        self.faults: list[str] = []
        self.asked: P | None = None
        self._parameters = {each.attribute: each for each in parameter_fields(parameters)}
        by_attribute = {name.replace("-", "_"): text for name, text in stated.items()}
        super().__init__(by_attribute, label_suffix="")
        for attribute, each in self._parameters.items():
            is_shown = shown is None or attribute in shown
            if is_shown or by_attribute.get(attribute):
                hidden = (without or {}).get(attribute, ())
                self.fields[attribute] = _field(each, is_shown, hidden, by_attribute.get(attribute))
        try:
            self.asked = parameters_from_text(parameters, stated)
        except ParameterError as error:
            self.refuse(error)

    def refuse(self, error: ParameterError) -> None:
        """Show what is wrong: beside its field where it has one that is shown, and in any case as a fault."""
        self.asked = None
        self.is_valid()
        for attribute, fault in error.faults.items():
            if attribute in self.fields and not self.fields[attribute].widget.is_hidden:
                self.add_error(attribute, fault)
        self.faults += [*error.faults.values()] or [str(error)]

    def show(self, parameters: P) -> None:
        """Fill the form in with these values."""
        values = parameters_as_text(parameters)
        self.data = {
            attribute: values[each.name]
            for attribute, each in self._parameters.items()
            if each.name in values
        }
        for attribute, field in self.fields.items():
            if isinstance(field.widget, forms.Select) and (value := self.data.get(attribute)):
                _offer(field.widget, value)


def query_of(parameters: Any) -> str:
    """The part of an address that states the parameters, those left out that have their defaults."""
    fields = {each.name: each for each in parameter_fields(type(parameters))}
    stated = {
        fields[name].attribute: text
        for name, text in parameters_as_text(parameters).items()
        if getattr(parameters, fields[name].attribute) != fields[name].default
    }
    return urlencode(stated)


def _field(each: ParameterField, is_shown: bool, without: Collection[str], stated: str | None) -> forms.Field:
    widget = _widget(each, without, stated) if is_shown else forms.HiddenInput()
    widget.attrs["title"] = each.help
    return forms.CharField(required=False, label=each.label, widget=widget)


def _widget(each: ParameterField, without: Collection[str], stated: str | None) -> forms.Widget:
    if offered := each.labels or dict(zip(each.choices, each.choices, strict=True)):
        kept = [(value, label) for value, label in offered.items() if value not in without]
        select = forms.Select(choices=kept if each.default is not None else [("", ""), *kept])
        _offer(select, stated)
        return select
    if each.type is bool:
        return Ticked()
    if each.type in (int, float):
        step = "any" if each.type is float else None
        attributes = {"min": each.minimum, "max": each.maximum, "step": step}
        stated_ones = {name: value for name, value in attributes.items() if value is not None}
        return forms.NumberInput({**stated_ones, **_placeholder(each)})
    return forms.TextInput(_placeholder(each))


def _placeholder(each: ParameterField) -> dict[str, str]:
    return {"placeholder": each.placeholder} if each.placeholder else {}


def _offer(select: forms.Select, value: str | None) -> None:
    """Let the list hold a value that is possible, though it is not among those that are usually offered."""
    if value:
        offered = {choice: label for choice, label in select.choices if choice}
        select.choices = [*offered.items(), *(() if value in offered else ((value, value),))]
