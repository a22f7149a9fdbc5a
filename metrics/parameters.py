"""Parameters of a metric: one frozen dataclass, each field with the metadata that forms and commands show.

A field is declared by `parameter`; its type is int, float, bool or str::

    @dataclass(frozen=True, slots=True)
    class Parameters:
        beta: float = parameter(0.5, label="Beta", help="Weight of recall.", minimum=0)

On the command line and in signatures a field is written with dashes: `max_unchanged` is `max-unchanged`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from math import isfinite
from typing import Any, TypeVar, get_type_hints

Value = int | float | bool | str
P = TypeVar("P")

TRUTHS = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}
TYPES: Mapping[type, str] = {
    int: "a whole number",
    float: "a number",
    bool: "yes or no",
    str: "a text",
}


class ParameterError(ValueError):
    """A parameter that does not exist, or a value that it cannot take; the message says which would do."""


@dataclass(frozen=True, slots=True)
class ParameterField:
    """One parameter, as a form, a command or a page shows it.

    Attributes:
        attribute: name of the dataclass field.
        name: the same with dashes, as written on the command line and in signatures.
        type: int, float, bool or str.
        default: its value unless stated.
        label: a few words.
        help: a sentence.
        minimum: smallest value, None for no bound.
        maximum: largest value, None for no bound.
        choices: all values allowed, empty for no such list.
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


def parameter(
    default: Value,
    *,
    label: str,
    help: str,  # noqa: A002
    minimum: float | None = None,
    maximum: float | None = None,
    choices: Sequence[str] = (),
) -> Any:
    """A dataclass field with a default and the metadata of `ParameterField`."""
    metadata = {
        "label": label,
        "help": help,
        "minimum": minimum,
        "maximum": maximum,
        "choices": tuple(choices),
    }
    return field(default=default, metadata=metadata)


def parameter_fields(parameters: type) -> tuple[ParameterField, ...]:
    """All parameters of a dataclass, in order."""
    if not is_dataclass(parameters):
        raise TypeError(f"{parameters.__name__} is not a dataclass")
    types = get_type_hints(parameters)
    return tuple(
        ParameterField(
            attribute=each.name,
            name=each.name.replace("_", "-"),
            type=types[each.name],
            default=each.default,  # type: ignore[arg-type]
            **each.metadata,
        )
        for each in fields(parameters)
    )


def parameters_from_text(parameters: type[P], values: Mapping[str, str]) -> P:
    """Parameters from texts by name, such as {"max-unchanged": "3"}; the others keep their defaults.

    Raises:
        ParameterError: an unknown name, or a text that is no value of the type or lies outside the bounds.
    """
    by_name = {each.name: each for each in parameter_fields(parameters)}
    if unknown := [name for name in values if name not in by_name]:
        known_names = ", ".join(by_name) or "none"
        raise ParameterError(f"there is no parameter {unknown[0]!r}; parameters are: {known_names}")
    instance = parameters(
        **{by_name[name].attribute: _parsed(by_name[name], values[name]) for name in values}
    )
    check_parameters(instance)
    return instance


def check_parameters(parameters: object) -> None:
    """Raise `ParameterError` for a value of the wrong type, outside its bounds or not among its choices."""
    for each in parameter_fields(type(parameters)):
        value = getattr(parameters, each.attribute)
        if not _has_type(value, each.type) or (isinstance(value, float) and not isfinite(value)):
            raise ParameterError(f"{each.name} should be {TYPES[each.type]}, not {value!r}")
        if each.choices and value not in each.choices:
            raise ParameterError(f"{each.name} should be one of {', '.join(each.choices)}, not {value!r}")
        if each.minimum is not None and value < each.minimum:
            raise ParameterError(f"{each.name} should be at least {each.minimum:g}, not {value:g}")
        if each.maximum is not None and value > each.maximum:
            raise ParameterError(f"{each.name} should be at most {each.maximum:g}, not {value:g}")


def parameters_as_text(parameters: object) -> dict[str, str]:
    """Each value as it stands in a signature, by name with dashes."""
    return {
        each.name: _shown(getattr(parameters, each.attribute)) for each in parameter_fields(type(parameters))
    }


def _has_type(value: object, expected: type) -> bool:
    if expected is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    if expected is int:
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, expected)


def _parsed(each: ParameterField, text: str) -> Value:
    try:
        value: Value = TRUTHS[text.lower()] if each.type is bool else each.type(text)
    except (KeyError, ValueError):
        raise ParameterError(f"{each.name} should be {TYPES[each.type]}, not {text!r}") from None
    return value


def _shown(value: Value) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)
