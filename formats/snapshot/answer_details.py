"""The further texts and details of an answer, as JSON.

Details are a JSON object that all databases and readers represent equally: its numbers are integers.
Their text is canonical (keys sorted, no blanks), so that equal details are equal texts.
"""

import json
import re
from collections.abc import Mapping, Sequence

from core.translations import gettext
from formats.records import MAX_TEXT_CHARS

MAX_FURTHER_TEXTS_CHARS = 50_000
"""Longest JSON of the texts after the first. Readers of CSV take no cell of more than 131,072."""

MAX_DETAILS_CHARS = 10_000
"""Longest JSON of the details, which are a few numbers and choices."""

MAX_NUMBER = 2**53 - 1
"""The highest whole number that every reader of JSON keeps as it is."""

MAX_DEPTH = 10

UNSTORABLE = re.compile("[\0\ud800-\udfff]")
"""Characters that no database or file takes."""

Details = Mapping[str, object]
"""An object of JSON: text, whole numbers, flags, null, lists and objects of these (`details_fault`)."""


def json_text(value: Details | Sequence[str]) -> str:
    """The canonical JSON of details, or of texts."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def texts_fault(texts: Sequence[str]) -> str | None:
    """Why these texts cannot stand in an answer; None if they can."""
    for text in texts:
        if len(text) > MAX_TEXT_CHARS:
            sizes = {"length": len(text), "most": MAX_TEXT_CHARS}
            return gettext("a text of %(length)s characters, where at most %(most)s are allowed") % sizes
        if unstorable := UNSTORABLE.search(text):
            return f"a text with the character U+{ord(unstorable[0]):04X}"
    length = len(json_text(texts[1:]))
    if length > MAX_FURTHER_TEXTS_CHARS:
        return (
            f"texts after the first of {length} characters in JSON, where at most "
            f"{MAX_FURTHER_TEXTS_CHARS} are allowed"
        )
    return None


def details_fault(details: object) -> str | None:
    """Why this cannot be the details of an answer; None if it can."""
    if not isinstance(details, Mapping):
        return "details that are not an object"
    if fault := _fault(details, MAX_DEPTH):
        return f"details with {fault}"
    length = len(json_text(details))
    if length > MAX_DETAILS_CHARS:
        return f"details of {length} characters in JSON, where at most {MAX_DETAILS_CHARS} are allowed"
    return None


def _fault(value: object, depth: int) -> str | None:
    if not depth:
        return f"more than {MAX_DEPTH} levels"
    match value:
        case None | bool():
            return None
        case int():
            return None if abs(value) <= MAX_NUMBER else f"a number beyond {MAX_NUMBER}"
        case str():
            unstorable = UNSTORABLE.search(value)
            return f"the character U+{ord(unstorable[0]):04X}" if unstorable else None
        case Mapping():
            if not all(isinstance(key, str) for key in value):
                return "a key that is not a text"
            return _first_fault([*value, *value.values()], depth - 1)
        case list() | tuple():
            return _first_fault(value, depth - 1)
    return (
        f"a value of type {type(value).__name__}, where text, whole numbers, true, false and null are allowed"
    )


def _first_fault(values: Sequence[object], depth: int) -> str | None:
    return next((fault for value in values if (fault := _fault(value, depth))), None)
