"""Parameters of a metric or an analysis: a frozen dataclass with metadata for forms and commands.

A field is declared by `parameter`; its type is int, float, bool, str or a `StrEnum`, or one of these or None
if the default depends on the data::

    @dataclass(frozen=True, slots=True)
    class Parameters:
        beta: float = parameter(0.5, label="Beta", help="Weight of recall.", minimum=0)

On the command line, in messages and in signatures a field is written with dashes: `max_unchanged` is
`max-unchanged`.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from enum import StrEnum
from math import isfinite
from types import NoneType, UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

Value = int | float | bool | str | None

LONGEST_TEXT = 2000
NOT_STORED = re.compile("[\x00-\x1f\x7f\ud800-\udfff]")
"""Characters that a database or a signature cannot hold."""

P = TypeVar("P")
V = TypeVar("V", bound=Value)

TRUTHS = {
    "yes": True,
    "true": True,
    "on": True,
    "1": True,
    "no": False,
    "false": False,
    "off": False,
    "0": False,
}
TYPES: Mapping[type, str] = {
    int: "a whole number",
    float: "a number",
    bool: "yes or no",
    str: "a text",
}


class ParameterError(ValueError):
    """An unknown parameter or an invalid value; the message lists what is allowed.

    Attributes:
        faults: messages by attribute, or by unknown name; empty if no single parameter is at fault.
    """

    def __init__(self, message: str = "", faults: Mapping[str, str] | None = None) -> None:
        self.faults = dict(faults or {})
        super().__init__(message or "; ".join(self.faults.values()))


@dataclass(frozen=True, slots=True)
class ParameterField:
    """One parameter, as shown by forms, commands and pages.

    Attributes:
        attribute: name of the dataclass field.
        name: the attribute's name with dashes, as written on the command line and in signatures.
        type: int, float, bool, str or a `StrEnum`.
        default: default value; None if it depends on the data.
        label: a few words.
        help: a sentence.
        minimum: smallest value, None for no bound.
        maximum: largest value, None for no bound.
        choices: all allowed values; empty for no restriction.
        labels: labels of the values that a form offers, by their text.
        placeholder: description of the default if it depends on the data.
        changes_statistics: whether a metric reduces outputs to other statistics for another value; if not,
            scores follow from the statistics that there are.
        several: whether a text lists several values, separated by commas; a command takes one after another.
        lines: how many lines of a text a form shows; 1 for a text without line breaks.
    """

    attribute: str
    name: str
    type: type
    default: Value
    label: str
    help: str
    minimum: float | None
    maximum: float | None
    choices: tuple[str, ...]
    labels: Mapping[str, str]
    placeholder: str
    changes_statistics: bool
    several: bool
    lines: int

    @property
    def is_numeric(self) -> bool:
        """Whether its values are numbers."""
        return self.type in (int, float)


def parameter(
    default: V,
    *,
    label: str,
    help: str,  # noqa: A002
    minimum: float | None = None,
    maximum: float | None = None,
    choices: Sequence[str] = (),
    labels: Mapping[Any, str] | None = None,
    placeholder: str = "",
    changes_statistics: bool = True,
    several: bool = False,
    lines: int = 1,
) -> V:
    """A dataclass field with a default and the metadata of `ParameterField`."""
    metadata = {
        "label": label,
        "help": help,
        "minimum": minimum,
        "maximum": maximum,
        "choices": tuple(choices),
        "labels": {str(value): label for value, label in (labels or {}).items()},
        "placeholder": placeholder,
        "changes_statistics": changes_statistics,
        "several": several,
        "lines": lines,
    }
    return field(default=default, metadata=metadata)


def parameter_fields(parameters: type) -> tuple[ParameterField, ...]:
    """All parameters of a dataclass, in order: its own, then those that it inherits."""
    if not is_dataclass(parameters):
        raise TypeError(f"{parameters.__name__} is not a dataclass")
    types = get_type_hints(parameters)
    order = [name for kind in parameters.__mro__ for name in vars(kind).get("__annotations__", ())]
    return tuple(
        _field(each.name, types[each.name], each.default, each.metadata)  # type: ignore[arg-type]
        for each in sorted(fields(parameters), key=lambda each: order.index(each.name))
    )


def parameters_from_text(parameters: type[P], values: Mapping[str, str]) -> P:
    """Parameters from texts by name, such as {"max-unchanged": "3"}; others keep their defaults.

    Names may also be written with underscores; an empty text means the default.

    Raises:
        ParameterError: unknown names, or texts that are not valid values of the type.
    """
    by_name = {each.name: each for each in parameter_fields(parameters)}
    stated: dict[str, Value] = {}
    faults: dict[str, str] = {}
    for name, text in values.items():
        each = by_name.get(name.replace("_", "-"))
        if each is None:
            names = ", ".join(by_name) or "none"
            faults[name] = f"there is no parameter {name!r}; parameters are: {names}"
        elif text:
            try:
                stated[each.attribute] = _parsed(each, text)
            except (KeyError, ValueError):
                faults[each.attribute] = f"{each.name} should be {_expected(each)}, not {text!r}"
    instance = parameters(**stated)
    faults |= parameter_faults(instance)
    if faults:
        raise ParameterError(faults=faults)
    return instance


def check_parameters(parameters: object) -> None:
    """Raise `ParameterError` for values of the wrong type, outside their bounds or not among the choices."""
    if faults := parameter_faults(parameters):
        raise ParameterError(faults=faults)


def parameter_faults(parameters: object) -> dict[str, str]:
    """Errors in the values of parameters, by attribute."""
    faults = {}
    for each in parameter_fields(type(parameters)):
        if fault := _fault(each, getattr(parameters, each.attribute)):
            faults[each.attribute] = f"{each.name} should be {fault}"
    return faults


def parameters_as_text(parameters: object) -> dict[str, str]:
    """Each value as it stands in a signature, by name with dashes; what the data decide is left out."""
    values = {each.name: getattr(parameters, each.attribute) for each in parameter_fields(type(parameters))}
    return {name: _shown(value) for name, value in values.items() if value is not None}


def same_statistics(first: object, second: object) -> bool:
    """Whether a metric reduces outputs to the same statistics with either of its parameters."""
    return all(
        getattr(first, each.attribute) == getattr(second, each.attribute)
        for each in parameter_fields(type(first))
        if each.changes_statistics
    )


def _field(attribute: str, hint: Any, default: Value, metadata: Mapping[str, Any]) -> ParameterField:
    of_union = get_args(hint) if get_origin(hint) is UnionType else (hint,)
    [kind] = (one for one in of_union if one is not NoneType)
    choices = tuple(map(str, kind)) if issubclass(kind, StrEnum) else ()
    return ParameterField(
        attribute=attribute,
        name=attribute.replace("_", "-"),
        type=kind,
        default=default,
        **{**metadata, "choices": metadata["choices"] or choices},
    )


def _fault(each: ParameterField, value: Value) -> str | None:
    """The error in the value, which says what is expected; None for a valid value."""
    if value is None and each.default is None:
        return None
    if not _has_type(value, each.type) or (isinstance(value, float) and not isfinite(value)):
        return f"{_expected(each)}, not {value!r}"
    if each.choices and value not in each.choices:
        return f"{_expected(each)}, not {str(value)!r}"
    text = value.replace("\n", "") if isinstance(value, str) and each.lines > 1 else value
    if isinstance(text, str) and (len(text) > LONGEST_TEXT or NOT_STORED.search(text)):
        return f"a text of at most {LONGEST_TEXT} characters without control characters"
    if isinstance(value, int | float):
        if each.minimum is not None and value < each.minimum:
            return f"at least {each.minimum:g}, not {value:g}"
        if each.maximum is not None and value > each.maximum:
            return f"at most {each.maximum:g}, not {value:g}"
    return None


def _expected(each: ParameterField) -> str:
    return f"one of {', '.join(each.choices)}" if each.choices else TYPES[each.type]


def _has_type(value: object, expected: type) -> bool:
    if expected is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    if expected is int:
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, expected)


def _parsed(each: ParameterField, text: str) -> Value:
    if each.lines > 1:
        text = text.replace("\r\n", "\n")
    value: Value = TRUTHS[text.lower()] if each.type is bool else each.type(text)
    return value


def _shown(value: Value) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:g}" if float(f"{value:g}") == value else repr(value)
    return str(value)
