"""Results as JSON and back: frozen dataclasses of plain values, arrays, tuples and mappings. Pure."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from types import NoneType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

import numpy as np

Result = TypeVar("Result")


def to_json(value: Any) -> Any:
    """The value in lists, dicts, strings and numbers; a mapping becomes the list of its pairs."""
    if is_dataclass(value):
        return {field.name: to_json(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return [[to_json(key), to_json(entry)] for key, entry in value.items()]
    if isinstance(value, tuple | list):
        return [to_json(entry) for entry in value]
    return value.tolist() if isinstance(value, np.ndarray) else value


def from_json(kind: type[Result], value: Any) -> Result:
    """The value of this type that `to_json` made the JSON of.

    Raises:
        ValueError: the JSON is of another type, such as an older form of this one.
    """
    try:
        restored: Result = _restored(kind, value)
    except (AttributeError, KeyError, TypeError) as error:
        raise ValueError(f"this is no JSON of {kind.__name__}") from error
    return restored


def _restored(kind: Any, value: Any) -> Any:
    arguments = get_args(kind)
    if isinstance(kind, type) and is_dataclass(kind):
        hints = get_type_hints(kind)
        if value.keys() != hints.keys():
            raise TypeError("the fields differ")
        return kind(**{name: _restored(hint, value[name]) for name, hint in hints.items()})
    if isinstance(kind, type) and issubclass(kind, Enum):
        return kind(value)
    if get_origin(kind) is np.ndarray:
        return np.array(value, dtype=np.float64)
    if get_origin(kind) is tuple:
        kinds = arguments[:1] * len(value) if arguments[1:] == (...,) else arguments
        return tuple(_restored(*pair) for pair in zip(kinds, value, strict=True))
    if get_origin(kind) is Mapping:
        return {_restored(arguments[0], key): _restored(arguments[1], entry) for key, entry in value}
    if NoneType in arguments and value is not None:
        [kind] = set(arguments) - {NoneType}
        return _restored(kind, value)
    return value
