"""Converts results to JSON and back: frozen dataclasses of plain values, arrays, enums, tuples, mappings.

JSON has no infinity and no NaN, and PostgreSQL does not keep the order of names in an object. So these
numbers are stored as strings, and mappings as lists of pairs; the API gets null and objects instead.
"""

from collections.abc import Callable, Mapping
from math import isfinite
from typing import Any, TypeVar, get_args, get_origin

import numpy as np
from cattrs import Converter

from core.arrays import AnyArray

Result = TypeVar("Result")


def to_json(value: object) -> Any:
    """The value as JSON, to be stored."""
    return _STORED.unstructure(value)


def from_json(kind: type[Result], value: object) -> Result:
    """The value of this type from the JSON made by `to_json`.

    Raises:
        ValueError: the JSON is of another type, such as an older form of this one.
    """
    try:
        return _STORED.structure(value, kind)
    except Exception as error:  # cattrs passes on any error that wrong values cause.
        raise ValueError(f"this is not the JSON of {getattr(kind, '__name__', kind)}") from error


def to_plain_json(value: object) -> Any:
    """The value for the API: null for numbers that are not finite, objects for mappings by text."""
    return _PLAIN.unstructure(value)


def _converter(
    not_finite: Callable[[float], str | None], mapping: Callable[[Converter, Mapping[object, object]], object]
) -> Converter:
    converter = Converter(forbid_extra_keys=True, detailed_validation=False)

    def number(value: float) -> float | str | None:
        return value if isfinite(value) else not_finite(value)

    def numbers(array: AnyArray) -> object:
        if array.dtype.kind == "f" and not np.isfinite(array).all():
            return [number(float(each)) if array.ndim == 1 else numbers(each) for each in array]
        return array.tolist()

    converter.register_unstructure_hook(float, number)
    converter.register_unstructure_hook_func(_is_array, numbers)
    converter.register_unstructure_hook_func(_is_mapping, lambda value: mapping(converter, value))
    converter.register_structure_hook_func(_is_array, _array)
    converter.register_structure_hook_func(
        _is_mapping,
        lambda pairs, kind: {
            converter.structure(key, get_args(kind)[0]): converter.structure(value, get_args(kind)[1])
            for key, value in pairs
        },
    )
    return converter


def _is_array(kind: object) -> bool:
    return (get_origin(kind) or kind) is np.ndarray


def _is_mapping(kind: object) -> bool:
    origin = get_origin(kind) or kind
    return isinstance(origin, type) and issubclass(origin, Mapping)


def _array(values: object, kind: object) -> AnyArray:
    [dtype] = get_args(get_args(kind)[1])
    return np.array(values, dtype=dtype)


def _pairs(converter: Converter, value: Mapping[object, object]) -> list[list[object]]:
    return [[converter.unstructure(key), converter.unstructure(entry)] for key, entry in value.items()]


def _object(converter: Converter, value: Mapping[object, object]) -> object:
    if all(isinstance(key, str) for key in value):
        return {str(key): converter.unstructure(entry) for key, entry in value.items()}
    return _pairs(converter, value)


_STORED = _converter(repr, _pairs)
_PLAIN = _converter(lambda value: None, _object)
