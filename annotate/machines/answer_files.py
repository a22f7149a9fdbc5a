"""Items and answers of machines as JSON Lines, for machines that are asked elsewhere."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from uuid import UUID, uuid5

from annotate.machines.answering import MachineAnswer
from annotate.machines.items import asked_items, blind_items
from annotate.models import Annotator, Item
from core.progress import Progress
from formats.jsonl import kind_of, strict_object
from formats.records import FormatError
from formats.text.checks import Place, quoted
from formats.text.lines import read_text

KEYS = frozenset({"item", "repetition", "answer", "note"})
ITEMS_AT_ONCE = 500
LINES_BETWEEN_REPORTS = 1000

OF_FILES = UUID("7c3a3f7e-5a0f-4f0c-9d5e-0d6f0c1b6a52")
"""Namespace of the keys of answers from files: the same line has the same key."""


def item_lines(annotator: Annotator, *, repetition: int = 0) -> Iterator[str]:
    """All items as the machine sees them, each as a line of JSON. Nothing is leased."""
    keys = list(asked_items(annotator.campaign).order_by("number").values_list("pk", flat=True))
    for first in range(0, len(keys), ITEMS_AT_ONCE):
        items = Item.objects.filter(pk__in=keys[first : first + ITEMS_AT_ONCE])
        for item in blind_items(annotator, items, repetition=repetition):
            yield json.dumps(asdict(item), ensure_ascii=False) + "\n"


class AnswerFile:
    """The answers in a file: an object a line, with the `item` and the `answer` as the screen would send it.

    {"item": 3, "answer": {"rank-0": "1", "rank-1": "2"}}
    {"item": 4, "answer": null, "note": "refused"}

    The key `repetition` tells how often the machine was asked about the item before, 0 by default. All lines
    are checked at first; iterating makes the answers one after the other.
    """

    def __init__(self, path: Path, progress: Progress) -> None:
        """Read and check the file.

        Raises:
            FormatError: not JSON Lines; an unknown key; a value of the wrong type; no answer at all; and all
                faults of `read_text`.
        """
        text = read_text(path).rstrip()
        if not text:
            raise FormatError(path, None, "the file contains no answer")
        self._path, self._lines = path, text.split("\n")
        progress.begin("Checking the answers", total=len(self))
        for number, _ in enumerate(self, start=1):
            if number % LINES_BETWEEN_REPORTS == 0:
                progress.advance(LINES_BETWEEN_REPORTS)

    def __len__(self) -> int:
        return len(self._lines)

    def __iter__(self) -> Iterator[MachineAnswer]:
        for number, line in enumerate(self._lines, start=1):
            place = Place(self._path, number)
            yield _answer(strict_object(line, place), line, place)


def _answer(value: Mapping[str, object], line: str, place: Place) -> MachineAnswer:
    for key in value:
        if key not in KEYS:
            raise place.fault(f"unknown key {quoted(key)}; known are {', '.join(sorted(KEYS))}")
    fields = value.get("answer")
    if fields is not None and not (
        isinstance(fields, dict) and all(isinstance(text, str) for text in fields.values())
    ):
        raise place.fault(f"answer must be an object of texts or null, not {kind_of(fields)}")
    note = value.get("note", "")
    if not isinstance(note, str):
        raise place.fault(f"note must be a string, not {kind_of(note)}")
    return MachineAnswer(
        item=_whole(value, "item", place),
        key=uuid5(OF_FILES, line.strip()),
        fields=fields,
        note=note,
        repetition=_whole(value, "repetition", place) if "repetition" in value else 0,
    )


def _whole(value: Mapping[str, object], key: str, place: Place) -> int:
    number = value.get(key)
    if type(number) is not int or not 0 <= number < 2**31:
        raise place.fault(f"{key} must be a whole number from 0")
    return number
