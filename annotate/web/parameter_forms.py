"""Parameters as a form, and as the query of an address."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar
from urllib.parse import urlencode

from django import forms

from core.parameters import (
    TRUTHS,
    ParameterError,
    ParameterField,
    parameter_fields,
    parameters_as_text,
    parameters_from_text,
)

P = TypeVar("P")


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault in the parameters of an address.

    Attributes:
        text: in words.
        field: the id of the form's field that it is about; empty where none is shown.
    """

    text: str
    field: str = ""


class Ticked(forms.CheckboxInput):
    """A check box with the values yes and no, as parameters write them; the browser sends `on`."""

    def __init__(self) -> None:
        super().__init__(check_test=is_true)

    def format_value(self, value: Any) -> None:
        """No value: it would be what a ticked box sends."""

    def value_from_datadict(self, data: Any, files: Any, name: str) -> bool:
        """Whether it is ticked."""
        return is_true(data.get(name))


def is_true(value: object) -> bool:
    """Whether a parameter's text, or a form's value, is yes."""
    return TRUTHS.get(str(value).lower(), False)


class ParametersForm(forms.Form, Generic[P]):
    """The parameters given in a query, and their errors.

    Attributes:
        asked: the parameters; None if there are errors.
        faults: what is wrong.
    """

    def __init__(
        self,
        parameters: type[P],
        stated: Mapping[str, str],
        *,
        shown: Collection[str] | None = None,
        offered: Mapping[str, Mapping[str, str]] | None = None,
        prefix: str | None = None,
    ) -> None:
        """Read the values in the query.

        Args:
            parameters: the dataclass.
            stated: texts by name.
            shown: attributes that have a visible field; values of the others are passed on hidden. None for
            all.
            offered: values of the subject, such as its domains, with their labels, by the attribute that is
            one of them. An attribute without any has no visible field.
            prefix: of the fields' names, where several forms stand in one.
        """
        self.faults: list[Fault] = []
        self.asked: P | None = None
        self._parameters = {each.attribute: each for each in parameter_fields(parameters)}
        by_attribute = {name.replace("-", "_"): text for name, text in stated.items()}
        super().__init__(prefix=prefix, label_suffix="")
        self.data = {self.add_prefix(attribute): text for attribute, text in by_attribute.items()}
        self.is_bound = True
        for attribute, each in self._parameters.items():
            is_shown = shown is None or attribute in shown
            if offered is not None and attribute in offered:
                there = offered[attribute]
                is_shown = is_shown and bool(there)
                each = replace(each, labels={"": each.placeholder, **there})
            if is_shown or by_attribute.get(attribute):
                self.fields[attribute] = parameter_field(
                    each, is_shown=is_shown, stated=by_attribute.get(attribute)
                )
        try:
            self.asked = parameters_from_text(parameters, stated)
        except ParameterError as error:
            self.refuse(error)

    def refuse(self, error: ParameterError) -> None:
        """Add faults, and mark their fields."""
        self.asked = None
        self.is_valid()
        self.faults += [Fault(str(error))] if not error.faults else []
        for attribute, text in error.faults.items():
            if attribute in self.fields and not self.fields[attribute].widget.is_hidden:
                self.add_error(attribute, text)
                self.faults.append(Fault(text, self[attribute].id_for_label))
            else:
                self.faults.append(Fault(text))

    def show(self, parameters: P) -> None:
        """Fill the form in with these values."""
        values = parameters_as_text(parameters)
        self.data = {
            self.add_prefix(attribute): values[each.name]
            for attribute, each in self._parameters.items()
            if each.name in values
        }
        for attribute, field in self.fields.items():
            if isinstance(field.widget, forms.Select) and (
                value := self.data.get(self.add_prefix(attribute))
            ):
                _offer(field.widget, value)


def query_of(parameters: object) -> str:
    """The query string of the parameters, without those that have their defaults."""
    fields = {each.name: each for each in parameter_fields(type(parameters))}
    stated = {
        fields[name].attribute: text
        for name, text in parameters_as_text(parameters).items()
        if getattr(parameters, fields[name].attribute) != fields[name].default
    }
    return urlencode(stated)


def parameter_field(each: ParameterField, *, is_shown: bool = True, stated: str | None = None) -> forms.Field:
    """The field of one parameter, whose value is a text; `stated` is the value that it surely offers."""
    widget = _widget(each, stated) if is_shown else forms.HiddenInput()
    widget.attrs["title"] = each.help
    return forms.CharField(required=False, label=each.label, widget=widget)


def _widget(each: ParameterField, stated: str | None) -> forms.Widget:
    if offered := each.labels or dict(zip(each.choices, each.choices, strict=True)):
        blank = {"": ""} if each.default is None else {}
        select = forms.Select(choices=list({**blank, **offered}.items()))
        _offer(select, stated)
        return select
    if each.type is bool:
        return Ticked()
    if each.type in (int, float):
        step = "any" if each.type is float else None
        attributes = {"min": each.minimum, "max": each.maximum, "step": step}
        stated_ones = {name: value for name, value in attributes.items() if value is not None}
        return forms.NumberInput({**stated_ones, **_placeholder(each)})
    if each.lines > 1:
        return forms.Textarea({"rows": each.lines, **_placeholder(each)})
    return forms.TextInput(_placeholder(each))


def _placeholder(each: ParameterField) -> dict[str, str]:
    return {"placeholder": each.placeholder} if each.placeholder else {}


def _offer(select: forms.Select, value: str | None) -> None:
    """Add a valid value that is not among the usual choices to the list."""
    if value:
        offered = {choice: label for choice, label in select.choices if choice or label}
        select.choices = [*offered.items(), *(() if value in offered else ((value, value),))]


AnyParametersForm = ParametersForm[Any]
"""A form of parameters, whatever they are."""
