"""Checks of texts, names, numbers and ranks in any file."""

import re
from dataclasses import dataclass
from math import inf, isinf
from pathlib import Path

from formats.records import MAX_NAME_CHARS, MAX_TEXT_CHARS, MAX_TEXTS, SYSTEM_NAME, FormatError
from formats.text.characters import is_visible, name_fault, named, text_fault

RANK_LABELS = 5
"""Appraise and WMT offer the ranks 1 to 5 however few outputs they show."""

_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_WHOLE_NUMBER = re.compile(r"-?[0-9]{1,9}")


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a file, for error messages.

    Attributes:
        path: The file.
        line: Its line, counted from 1, or None for the file as a whole.
    """

    path: Path
    line: int | None = None

    def fault(self, cause: str) -> FormatError:
        """The error to raise for a fault at this place."""
        return FormatError(self.path, self.line, cause)


def quoted(text: str) -> str:
    """The text for a message: in quotes, unprintable characters escaped, shortened to 60 characters."""
    return repr(text) if len(text) <= 60 else f"{text[:60]!r}…"


def checked_text(text: str, place: Place, what: str) -> str:
    """The stripped text of one sentence; FormatError for unstorable characters and above MAX_TEXT_CHARS."""
    if fault := text_fault(text) or ("\n" in text and named("\n")):
        raise place.fault(f"{what} contains {fault}")
    text = text.strip()
    if len(text) > MAX_TEXT_CHARS:
        raise place.fault(f"{what} has {len(text)} characters, at most {MAX_TEXT_CHARS} are allowed")
    return text


def check_texts(number: int, place: Place) -> None:
    """FormatError for a corpus of more than MAX_TEXTS outputs and references."""
    if number > MAX_TEXTS:
        raise place.fault(f"more than {MAX_TEXTS:,} outputs and references")


def checked_source(text: str, place: Place) -> str:
    """The stripped source sentence; FormatError as `checked_text`, and if nothing in it is visible."""
    source = checked_text(text, place, "the source sentence")
    if not is_visible(source):
        raise place.fault(f"the source sentence {'has no visible character' if source else 'is empty'}")
    return source


def checked_name(name: str, place: Place, what: str) -> str:
    """The stripped name (of an annotator, a document ...); FormatError if empty, too long, or no name."""
    stripped = name.strip()
    if fault := name_fault(stripped):
        raise place.fault(f"{what} {quoted(stripped)} {fault}")
    if not stripped:
        raise place.fault(f"{what} is empty")
    if len(stripped) > MAX_NAME_CHARS:
        raise place.fault(f"{what} {quoted(stripped)} is longer than {MAX_NAME_CHARS} characters")
    return stripped


def checked_system(name: str, place: Place) -> str:
    """The name of a system; FormatError if it does not match SYSTEM_NAME or is too long."""
    if SYSTEM_NAME.fullmatch(name) and len(name) <= MAX_NAME_CHARS:
        return name
    raise place.fault(
        f"bad system name {quoted(name)}: 1 to {MAX_NAME_CHARS} letters, digits, '.', '_', '+', '-'"
    )


def whole_number(text: str, place: Place, what: str) -> int:
    """The integer (up to nine digits); FormatError for anything else."""
    if _WHOLE_NUMBER.fullmatch(text):
        return int(text)
    raise place.fault(f"{what} is not a whole number of up to nine digits: {quoted(text)}")


def finite_number(text: str, place: Place, what: str) -> float:
    """The number, in ASCII digits with a decimal point; FormatError for anything else, also beyond floats."""
    number = float(text) if _NUMBER.fullmatch(text) else inf
    if isinf(number):
        raise place.fault(f"{what} is not a finite number: {quoted(text)}")
    return number


def sentence_number(text: str, place: Place, what: str) -> int:
    """The number of a sentence; FormatError if it is not a number or below 0."""
    number = whole_number(text, place, what)
    if number < 0:
        raise place.fault(f"{what} is negative: {number}")
    return number


def check_rank(rank: int, place: Place, outputs: int) -> None:
    """FormatError for a rank outside 1 .. max(RANK_LABELS, outputs of the item)."""
    worst = max(RANK_LABELS, outputs)
    if not 1 <= rank <= worst:
        raise place.fault(f"rank {rank} is out of range 1 to {worst}")
