"""Errors that annotators marked, by system and by type (details as in `formats.spans.marked_errors`)."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from core.later import pd


@dataclass(frozen=True, slots=True)
class MarkedErrors:
    """Errors marked in the outputs of a system, each rating counted once.

    Attributes:
        system: its name.
        ratings: ratings of its outputs.
        minor: spans and missing content marked as minor errors.
        major: those marked as major ones.
        missing: how many of both are missing content.
        unmarked: ratings without any mark.
    """

    system: str
    ratings: int
    minor: int
    major: int
    missing: int
    unmarked: int

    @property
    def minor_each(self) -> float:
        """Minor errors per rating."""
        return self.minor / self.ratings

    @property
    def major_each(self) -> float:
        """Major errors per rating."""
        return self.major / self.ratings

    @property
    def unmarked_share(self) -> float:
        """The share of ratings without any mark."""
        return self.unmarked / self.ratings


@dataclass(frozen=True, slots=True)
class TypeOfErrors:
    """Marks of a type: how many of each severity."""

    type: str
    minor: int
    major: int


@dataclass(frozen=True, slots=True)
class SuggestedMarks:
    """What became of the marks that programs suggested, over outputs that came with suggestions.

    Attributes:
        of: a system or an annotator, by name.
        ratings: ratings of such outputs.
        accepted: suggested marks that were kept as they are.
        changed: those that were kept with another place, severity or type.
        removed: those that were taken away.
        added: marks that were not suggested.
        untouched: ratings with everything as it was suggested.
    """

    of: str
    ratings: int
    accepted: int
    changed: int
    removed: int
    added: int
    untouched: int

    @property
    def suggested(self) -> int:
        """The number of suggested marks."""
        return self.accepted + self.changed + self.removed

    @property
    def accepted_share(self) -> float | None:
        """The share of suggested marks that were kept as they are; None if none was suggested."""
        return self.accepted / self.suggested if self.suggested else None

    @property
    def untouched_share(self) -> float:
        """The share of ratings with everything as it was suggested."""
        return self.untouched / self.ratings


def suggestions_by_system(snapshot: pd.DataFrame) -> tuple[SuggestedMarks, ...]:
    """The marks suggested for each system's outputs, by name; an output of several counts for each."""
    return _suggestions(snapshot, snapshot["systems"])


def suggestions_by_annotator(snapshot: pd.DataFrame) -> tuple[SuggestedMarks, ...]:
    """What each annotator made of suggested marks, by name."""
    return _suggestions(snapshot, [(str(name),) for name in snapshot["annotator"]])


def suggestions_of_all(snapshot: pd.DataFrame) -> SuggestedMarks | None:
    """What became of all suggested marks, each rating counted once; None without suggestions."""
    return next(iter(_suggestions(snapshot, [("",)] * len(snapshot))), None)


def _suggestions(snapshot: pd.DataFrame, of: Iterable[Sequence[str]]) -> tuple[SuggestedMarks, ...]:
    counts: dict[str, Counter[str]] = {}
    for names, text in zip(of, snapshot["rating_details"], strict=True):
        details = json.loads(text) if isinstance(text, str) else {}
        if details.get("suggested") is None:
            continue
        marks = [*details["spans"], *details.get("missing", [])]
        became = Counter(str(mark["status"]) for mark in marks)
        became["removed"] = len(details.get("removed", []))
        became["untouched"] = int(not became["changed"] + became["removed"] + became["added"])
        became["ratings"] = 1
        for name in names:
            counts.setdefault(name, Counter()).update(became)
    columns = ("ratings", "accepted", "changed", "removed", "added", "untouched")
    return tuple(SuggestedMarks(name, *(counts[name][each] for each in columns)) for name in sorted(counts))


def errors_of_systems(snapshot: pd.DataFrame) -> tuple[MarkedErrors, ...]:
    """The marks in the outputs of each system, by name; an output of several counts for each."""
    counts: dict[str, Counter[str]] = {}
    for systems, marks, missing in _marked(snapshot):
        severities = Counter(str(mark["severity"]) for mark in (*marks, *missing))
        is_unmarked = not (marks or missing)
        for system in systems:
            of_system = counts.setdefault(system, Counter())
            of_system.update(severities)
            of_system.update(ratings=1, missing=len(missing), unmarked=int(is_unmarked))
    return tuple(
        MarkedErrors(
            system, *(counts[system][name] for name in ("ratings", "minor", "major", "missing", "unmarked"))
        )
        for system in sorted(counts)
    )


def types_of_errors(snapshot: pd.DataFrame) -> tuple[TypeOfErrors, ...]:
    """The marks of each type, the most frequent first; none if no mark has a type."""
    counts = Counter(
        (str(mark["type"]), str(mark["severity"]))
        for _, marks, missing in _marked(snapshot)
        for mark in (*marks, *missing)
        if mark.get("type")  # null where a release left out the texts
    )
    types = [
        TypeOfErrors(name, counts[name, "minor"], counts[name, "major"])
        for name in {name for name, _ in counts}
    ]
    return tuple(sorted(types, key=lambda each: (-each.minor - each.major, each.type)))


Marks = Sequence[Mapping[str, object]]


def _marked(snapshot: pd.DataFrame) -> Iterator[tuple[Sequence[str], Marks, Marks]]:
    """Of each rating with a list of spans: the systems, the spans, and the missing content."""
    rated = snapshot[snapshot["rating_details"].notna()]
    for systems, text in zip(rated["systems"], rated["rating_details"], strict=True):
        details = json.loads(text)
        if "spans" in details:
            yield systems, details["spans"], details.get("missing", [])
