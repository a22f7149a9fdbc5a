"""Labels of items by several annotators, as JSON: {annotator: {item: label}}, or {item: label} of one."""

import json
from collections.abc import Mapping
from pathlib import Path

from formats.records import FormatError

Label = str | float | bool
Labels = Mapping[str, Label]

LARGEST = 2.0**53
"""Larger numbers have no exact differences."""


class _Members(list[tuple[str, object]]):
    """The members of a JSON object, with repeated names."""


def read_labels(path: Path) -> dict[str, Labels]:
    """The labels by annotator; those of a single annotator have the name of the file.

    Labels are texts, numbers or booleans; null is no answer.

    Raises:
        FormatError: the file is not of this form.
    """
    try:
        read = json.loads(path.read_text(encoding="utf-8"), object_pairs_hook=_Members)
    except OSError as error:
        raise FormatError(path, None, error.strerror or str(error)) from error
    except UnicodeDecodeError as error:
        raise FormatError(path, None, f"not UTF-8 (byte {error.start})") from error
    except json.JSONDecodeError as error:
        raise FormatError(path, error.lineno, f"invalid JSON: {error.msg} at column {error.colno}") from error
    except RecursionError as error:
        raise FormatError(path, None, "nested too deeply") from error
    except ValueError as error:  # Python converts no integer of more than 4,300 digits
        raise FormatError(path, None, "a number has too many digits") from error
    members = _mapping(path, read, "the file")
    if not members:
        raise FormatError(path, None, "the file has no labels")
    if not any(isinstance(value, _Members) for value in members.values()):
        return {path.stem: _labels(path, members, path.stem)}
    return {
        name: _labels(path, _mapping(path, value, f"the entry {name!r}"), name)
        for name, value in members.items()
    }


def _mapping(path: Path, value: object, what: str) -> dict[str, object]:
    if not isinstance(value, _Members):
        raise FormatError(path, None, f"{what} should be a JSON object of labels by item")
    seen: dict[str, object] = {}
    for name, member in value:
        if name in seen:
            raise FormatError(path, None, f"{what} has {name!r} twice")
        seen[name] = member
    return seen


def _labels(path: Path, members: Mapping[str, object], annotator: str) -> Labels:
    labels: dict[str, Label] = {}
    for item, label in members.items():
        if label is None:
            continue
        if isinstance(label, str) or (isinstance(label, int | float) and abs(label) <= LARGEST):
            labels[item] = label
        else:
            cause = f"the label of {item!r} by {annotator!r} is no text, number (up to 2^53) or boolean"
            raise FormatError(path, None, cause)
    return labels
