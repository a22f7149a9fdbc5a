"""Errors that were planted in controls, and how many of them an annotator marked."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.later import pd


@dataclass(frozen=True, slots=True)
class PlantedError:
    """An error that was inserted into the source to make a control.

    Attributes:
        start: its first character in the text of the control, in code points; the one before it if it only
            takes text away.
        end: the character after its last; after the one beside it if it only takes text away.
        takes_away: whether words of the source are gone, so that content is missing from the control.
    """

    start: int
    end: int
    takes_away: bool


PlantedErrors = Mapping[tuple[int, str], Sequence[PlantedError]]
"""The errors of each control, by its sentence and output as in the snapshot."""


@dataclass(frozen=True, slots=True)
class PlantedCounts:
    """The planted errors that an annotator saw, and how many of these they marked."""

    marked: int
    planted: int


def marked_planted_errors(snapshot: pd.DataFrame, planted: PlantedErrors) -> dict[str, PlantedCounts]:
    """The counts of each annotator who judged a control with planted errors, by name.

    An error is marked if a span shares a character with it. If it takes words away, missing content counts,
    too. Severities and types do not matter. Ratings without a list of spans are not read.
    """
    counts: dict[str, Counter[bool]] = {}
    columns = (snapshot[name] for name in ("annotator", "sentence", "output", "rating_details"))
    for annotator, sentence, output, text in zip(*columns, strict=True):
        errors = planted.get((sentence, output))
        details = json.loads(text) if errors and isinstance(text, str) else {}
        if errors and "spans" in details:
            found = counts.setdefault(str(annotator), Counter())
            found.update(_is_marked(error, details) for error in errors)
    return {name: PlantedCounts(found[True], found.total()) for name, found in counts.items()}


def _is_marked(error: PlantedError, details: Mapping[str, Sequence[Mapping[str, int]]]) -> bool:
    if error.takes_away and details.get("missing"):
        return True
    return any(span["start"] < error.end and error.start < span["end"] for span in details["spans"])
