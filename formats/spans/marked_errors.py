"""Errors that an annotator marked in an output, as the details of its rating hold them.

    {"characters": 25, "missing": [{"severity": "major"}], "span_score": -6,
     "spans": [{"end": 6, "severity": "minor", "start": 4, "type": "Verb form"}]}

Offsets are half-open and count code points of the stored output, of which there are `characters`. Missing
content has no place. The types are a campaign's own. Where an output came with marks of a program,
`suggested` is their number, each mark has a `status` (it was *accepted*, *changed*, or *added* by the
annotator), and `removed` holds those that were taken away.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from formats.records import MAX_TEXT_CHARS
from formats.spans.error_spans import Severity
from formats.text.characters import name_fault

WEIGHTS = {Severity.MINOR: -1, Severity.MAJOR: -5, Severity.UNDECIDED: 0}
"""What a mark adds to the span score, as in MQM."""

SPANS, MISSING, REMOVED = "spans", "missing", "removed"
CHARACTERS, SPAN_SCORE, SUGGESTED = "characters", "span_score", "suggested"
"""Keys of the details."""

MOST_MARKS = 50
"""Of each list of an output."""

MOST_TYPE_CHARS = 40

ACCEPTED, CHANGED, ADDED = STATUSES = ("accepted", "changed", "added")


@dataclass(frozen=True, slots=True)
class Mark:
    """A marked error.

    Attributes:
        start: its first character, in code points of the stored output; None for missing content.
        end: the character after its last; None for missing content.
        severity: how bad it is.
        type: one of the campaign's types; empty for none.
        status: what became of a suggested mark: accepted or changed; *added* where it was not suggested.
            Empty where the output came without suggestions.
    """

    start: int | None
    end: int | None
    severity: Severity
    type: str = ""
    status: str = ""

    def as_json(self) -> dict[str, object]:
        """Its entry in the details."""
        place = {} if self.start is None else {"start": self.start, "end": self.end}
        words = {name: value for name in ("type", "status") if (value := getattr(self, name))}
        return {**place, "severity": self.severity.value, **words}


class MarksError(ValueError):
    """Marks that cannot be stored; the message says why."""


@dataclass(frozen=True, slots=True)
class MarkedErrors:
    """All marks of an output.

    Attributes:
        spans: in the order of the text; they do not overlap.
        missing: content of the source that the output lacks.
        removed: suggested marks that the annotator took away.
        characters: length of the output in code points; None if it is not known.
        suggested: how many marks were suggested; None where the output came without suggestions.
    """

    spans: tuple[Mark, ...] = ()
    missing: tuple[Mark, ...] = ()
    removed: tuple[Mark, ...] = ()
    characters: int | None = None
    suggested: int | None = None

    @property
    def span_score(self) -> int:
        """The sum of the weights of spans and missing content; 0 if nothing is marked."""
        return sum(WEIGHTS[mark.severity] for mark in (*self.spans, *self.missing))

    def details(self) -> dict[str, object]:
        """The details of the rating."""
        lists = {MISSING: self.missing, REMOVED: self.removed}
        optional = {name: [mark.as_json() for mark in marks] for name, marks in lists.items() if marks}
        counts = {CHARACTERS: self.characters, SUGGESTED: self.suggested}
        known = {name: count for name, count in counts.items() if count is not None}
        spans = [mark.as_json() for mark in self.spans]
        return {SPAN_SCORE: self.span_score, SPANS: spans, **optional, **known}


def marked_errors(
    details: Mapping[str, object], *, length: int | None = None, types: Sequence[str] | None = None
) -> MarkedErrors:
    """The marks in details, spans in the order of the text.

    Args:
        details: `spans`, `missing`, `removed`, `characters` and `suggested`, each of which may be left out.
        length: of the output in code points; None if only the details may know it.
        types: those that are allowed; None for any.

    Raises:
        MarksError: they are not of the form above, overlap, are outside the output, or are too many.
    """
    if length is None:
        length = _count(details, CHARACTERS, MAX_TEXT_CHARS)
    suggested = _count(details, SUGGESTED, 2 * MOST_MARKS)
    spans = sorted(_marks(details, SPANS, length, types), key=lambda mark: mark.start or 0)
    for before, after in pairwise(spans):
        if (before.end or 0) > (after.start or 0):
            raise MarksError(
                f"the spans {before.start} to {before.end} and {after.start} to {after.end} overlap"
            )
    missing, removed = (tuple(_marks(details, name, length, types)) for name in (MISSING, REMOVED))
    return MarkedErrors(tuple(spans), missing, removed, length, suggested)


def marked_in_text(
    text: str, *, length: int | None = None, types: Sequence[str] | None = None
) -> MarkedErrors:
    """The marks in the JSON of a form; none where it is empty.

    Raises:
        MarksError: as `marked_errors`.
    """
    try:
        read = json.loads(text) if text else {}
    except (ValueError, RecursionError) as error:
        raise MarksError("the marks are not JSON") from error
    if not isinstance(read, dict):
        raise MarksError("the marks are not a JSON object")
    return marked_errors(read, length=length, types=types)


def marks_fault(details: Mapping[str, object]) -> str | None:
    """Why these cannot be the details of an output with marked errors; None if they can."""
    try:
        marked = marked_errors(details)
    except MarksError as error:
        return str(error)
    if SPANS not in details:
        return "there is no list of spans"
    if details.get(SPAN_SCORE) != marked.span_score:
        return f"span_score is {details.get(SPAN_SCORE)}, but the marks add up to {marked.span_score}"
    return _suggestions_fault(marked)


def _suggestions_fault(marked: MarkedErrors) -> str | None:
    statuses, removed = [mark.status for mark in (*marked.spans, *marked.missing)], len(marked.removed)
    if marked.suggested is None:
        return "a mark has a status, and nothing was suggested" if any(statuses) or removed else None
    if not all(statuses):
        return "a mark has no status beside suggested ones"
    kept = sum(status != ADDED for status in statuses)
    if kept + removed != marked.suggested:
        return f"{kept} marks were kept and {removed} removed of {marked.suggested} suggested ones"
    return None


def _count(details: Mapping[str, object], name: str, most: int) -> int | None:
    if name not in details:
        return None
    stated = details[name]
    if type(stated) is not int or not 0 <= stated <= most:
        raise MarksError(f"{name} is not a whole number from 0 to {most}")
    return stated


def _marks(
    details: Mapping[str, object], name: str, length: int | None, types: Sequence[str] | None
) -> Iterable[Mark]:
    listed = details.get(name, [])
    if not isinstance(listed, list | tuple):
        raise MarksError(f"{name} is not a list")
    if len(listed) > MOST_MARKS:
        raise MarksError(f"{len(listed)} {name}, where at most {MOST_MARKS} are allowed")
    for number, entry in enumerate(listed, start=1):
        where = f"number {number} of {name}"
        if not isinstance(entry, Mapping):
            raise MarksError(f"{where} is not a JSON object")
        has_place = name == SPANS or (name == REMOVED and "start" in entry)
        yield _mark(entry, where, length, types, has_place=has_place)


def _mark(
    entry: Mapping[str, object],
    where: str,
    length: int | None,
    types: Sequence[str] | None,
    *,
    has_place: bool,
) -> Mark:
    # The type is null where a release left out the texts of a campaign.
    severity, of_type, status = entry.get("severity"), entry.get("type") or "", entry.get("status", "")
    if not isinstance(severity, str) or severity not in list(Severity):
        raise MarksError(f"{where}: the severity is not one of {', '.join(Severity)}")
    if not isinstance(of_type, str) or len(of_type) > MOST_TYPE_CHARS:
        raise MarksError(f"{where}: the type is not a text of at most {MOST_TYPE_CHARS} characters")
    if fault := name_fault(of_type):
        raise MarksError(f"{where}: the type {fault}")
    if of_type and types is not None and of_type not in types:
        raise MarksError(f"{where}: {of_type!r} is not a type of this campaign")
    if status not in ("", *STATUSES):
        raise MarksError(f"{where}: the status is not one of {', '.join(STATUSES)}")
    if not has_place:
        return Mark(None, None, Severity(severity), of_type, str(status))
    start, end = entry.get("start"), entry.get("end")
    if type(start) is not int or type(end) is not int or not 0 <= start < end:
        raise MarksError(f"{where}: start and end are not whole numbers from 0, the start before the end")
    if length is not None and end > length:
        raise MarksError(f"{where}, {start} to {end}, is outside the text of {length} characters")
    return Mark(start, end, Severity(severity), of_type, str(status))
