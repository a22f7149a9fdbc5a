"""What a program suggests about outputs, for annotators to begin with, as JSON Lines.

    {"system": "AMU", "sentence": 0, "spans": [{"start": 4, "end": 6, "severity": "minor"}]}
    {"system": "CAMB", "sentence": 0, "text": "He goes .", "spans": []}

A line is about the output of a system for a sentence, counted from 0. It may state the text that it means.
All other keys are those of a campaign's protocol.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from formats.jsonl import kind_of, strict_object
from formats.records import FormatError
from formats.text.checks import Place, checked_system

SYSTEM, SENTENCE, TEXT = "system", "sentence", "text"


@dataclass(frozen=True, slots=True)
class SuggestionRecord:
    """A line of the file.

    Attributes:
        place: for messages about it.
        system: its name.
        sentence: its number, counted from 0.
        text: of the output that is meant; None if it is not stated.
        content: all other keys.
    """

    place: Place
    system: str
    sentence: int
    text: str | None
    content: Mapping[str, object]


def parse_suggestions(text: str, path: Path) -> Iterator[SuggestionRecord]:
    """The lines of a file, each checked when it is asked for.

    Raises:
        FormatError: a blank line other than at the end; anything that is not a strict JSON object; a system
            that cannot be one, a sentence that is no whole number from 0, or a text that is none; a second
            line about an output; no line.
    """
    if not (text := text.rstrip("\n")).strip():
        raise FormatError(path, None, "the file contains no line")
    lines: dict[tuple[str, int], int] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        record = _record(dict(strict_object(line, Place(path, number))), Place(path, number))
        first = lines.setdefault((record.system, record.sentence), number)
        if first != number:
            raise record.place.fault(
                f"sentence {record.sentence} of {record.system} stands in line {first} already"
            )
        yield record


def _record(content: dict[str, object], place: Place) -> SuggestionRecord:
    for key in (SYSTEM, SENTENCE):
        if key not in content:
            raise place.fault(f"there is no {key}")
    system, sentence, text = content.pop(SYSTEM), content.pop(SENTENCE), content.pop(TEXT, None)
    if not isinstance(system, str):
        raise place.fault(f"{SYSTEM} must be a string, not {kind_of(system)}")
    if type(sentence) is not int or not 0 <= sentence < 2**31:
        raise place.fault(f"{SENTENCE} must be a whole number from 0")
    if text is not None and not isinstance(text, str):
        raise place.fault(f"{TEXT} must be a string, not {kind_of(text)}")
    return SuggestionRecord(place, checked_system(system, place), sentence, text, content)
