"""Converts the rows of an exported table, from any file, back to judgments."""

import re
from collections.abc import Iterable, Sequence
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from core.progress import Progress, over_many
from formats.exported.judged_edits import edits_fault
from formats.machines import AnnotatorKind, description_text, kind_fault
from formats.records import MAX_SYSTEMS, AnswerRecord, JudgmentRecord, RatingRecord
from formats.snapshot.answer_details import UNSTORABLE, Details, details_fault, texts_fault
from formats.snapshot.judgment_columns import (
    AS_JSON,
    COLUMNS,
    IN_DETAILS,
    OF_JUDGMENTS,
    SCHEMA_VERSION,
    Kind,
    Part,
    columns_of,
)
from formats.snapshot.judgment_rows import with_columns
from formats.snapshot.propensities_json import Propensities, propensities_fault
from formats.snapshot.vocabulary import JudgmentState, ProtocolName
from formats.spans.marked_errors import marks_fault
from formats.text.characters import name_fault
from formats.text.checks import Place, checked_system, quoted

_OF_RATINGS = [name for name, column in COLUMNS.items() if column.part is Part.RATING]
_BESIDE_RATINGS = [name for name in COLUMNS if name not in _OF_RATINGS]
_PLACES = {name: place for place, name in enumerate(COLUMNS)}
_rating_values = itemgetter(*(_PLACES[name] for name in _OF_RATINGS))
_values_beside = itemgetter(*(_PLACES[name] for name in _BESIDE_RATINGS))


class Row:
    """The values of a row, each an attribute by the name of its column.

    Attributes:
        rating: values of `_OF_RATINGS`.
        beside: values of `_BESIDE_RATINGS`, which rows of an answer have in common.
        line: number in the file, once it is known.
    """

    __slots__ = ("beside", "line", "rating")

    def __init__(self, values: Iterable[Any]) -> None:
        """`values` are in the order of `COLUMNS`."""
        row = tuple(values)
        self.line: int | None = None
        self.rating: tuple[Any, ...] = _rating_values(row)
        self.beside: tuple[Any, ...] = _values_beside(row)

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...


def _in_rating(place: int) -> property:
    return property(lambda row: row.rating[place])


def _beside_rating(place: int) -> property:
    return property(lambda row: row.beside[place])


for _place, _name in enumerate(_OF_RATINGS):
    setattr(Row, _name, _in_rating(_place))
for _place, _name in enumerate(_BESIDE_RATINGS):
    setattr(Row, _name, _beside_rating(_place))

PlacedRow = tuple[Place, Row]

STATES = tuple(state.value for state in JudgmentState)
_ANSWERED = (JudgmentState.COMPLETE, JudgmentState.AUTO)
"""The states of judgments that take the place of their repetition: there can be but one."""

_NAMES = ("judgment", "campaign", "protocol", "annotator")
_NEVER_EMPTY = (*_NAMES, "verdict")
_LIMITS = {name: column.limits for name, column in COLUMNS.items() if column.limits}
_LONGEST = {name: column.longest for name, column in COLUMNS.items() if column.longest}
_WORDS = {name: column.words for name, column in COLUMNS.items() if column.words}
_ALIKE = {part: [name for name, column in COLUMNS.items() if column.part is part] for part in Part}
_ALIKE[Part.FILE].remove("schema_version")
_ALIKE[Part.ANSWER].remove("revision")
"""Columns whose values agree in all rows of a file, a judgment or an answer."""

_CHECKS_OF_DETAILS = {ProtocolName.ERROR_SPANS.value: marks_fault, ProtocolName.EDITS.value: edits_fault}
"""By protocol, why details of a rating cannot be its own."""

_OF_AN_OUTPUT = [name for name in _ALIKE[Part.RATING] if name != "output"]


def _places_of_repeated(names: Sequence[str]) -> list[int]:
    """Places of texts, names and times in UTC."""
    kinds = Kind.TEXT, Kind.NAMES, Kind.TIME
    return [place for place, name in enumerate(names) if COLUMNS[name].kind in kinds]


_REPEATED_IN_RATINGS = _places_of_repeated(_OF_RATINGS)
_REPEATED_BESIDE = _places_of_repeated(_BESIDE_RATINGS)
_DIGEST = re.compile(r"[0-9a-f]{64}")


def check_columns(columns: Iterable[str], place: Place) -> None:
    """FormatError unless these are the columns of an export, in any order.

    Columns that a later version of the list added may be missing.
    """
    names = list(columns)
    for column in names:
        if column not in COLUMNS:
            raise place.fault(f"unknown column {quoted(column)}; docs/exports.md lists the columns")
        if names.count(column) > 1:
            raise place.fault(f"column {quoted(column)} twice")
    for column, meant in COLUMNS.items():
        if column not in names and meant.since == 1:
            raise place.fault(f"column {column} is missing")


def judgments_of(
    rows: Iterable[PlacedRow], whole: Place, progress: Progress, *, total: int
) -> tuple[JudgmentRecord, ...]:
    """The judgments in the rows, in the order of their first rows; rows of a judgment need not be adjacent.

    `progress` is told of two steps: reading the `total` rows, and making the judgments.

    Raises:
        FormatError: no row; a value that is missing, out of range or malformed; two campaigns or protocols;
            rows of one judgment, answer, item or annotator that disagree; two annotators with one number;
            positions that are not 0, 1, 2 ...; an output or a system twice in an answer; a repetition of an
            item answered twice; too many systems.
    """
    judgments: dict[str, list[Row]] = {}
    shared = _Shared()
    first: PlacedRow | None = None
    for place, row in over_many(rows, "Reading the rows", progress, total=total):
        _check_row(row, place)
        first = first or (place, row)
        _check_agreement(_ALIKE[Part.FILE], first, (place, row))
        shared.once(row)
        row.line = place.line
        judgments.setdefault(row.judgment, []).append(row)
    if not judgments:
        raise whole.fault("the file contains no judgment")
    items, annotators = _Items(), _Annotators()
    keys = over_many(list(judgments), "Checking the judgments", progress, total=len(judgments))
    # Rows go as soon as their judgment is made.
    records = tuple(
        _judgment([(Place(whole.path, row.line), row) for row in judgments.pop(key)], items, annotators)
        for key in keys
    )
    systems = {name for shown in items.shown.values() for name in shown}
    if len(systems) > MAX_SYSTEMS:
        raise whole.fault(f"{len(systems)} systems, at most {MAX_SYSTEMS} are allowed")
    return records


class _Shared:
    """Values that stand in many rows, each held once: a reader makes new objects for each row."""

    def __init__(self) -> None:
        self._values: dict[object, Any] = {}
        self._beside: tuple[Any, ...] = ()

    def once(self, row: Row) -> None:
        """Give the row the values that are held already."""
        row.rating = self._held(row.rating, _REPEATED_IN_RATINGS)
        if row.beside != self._beside:  # Rows of an answer stand together.
            self._beside = self._held(row.beside, _REPEATED_BESIDE)
        row.beside = self._beside

    def _held(self, values: tuple[Any, ...], repeated: Sequence[int]) -> tuple[Any, ...]:
        held = list(values)
        for place in repeated:
            held[place] = self._values.setdefault(held[place], held[place])
        return tuple(held)


class _Annotators:
    """The number of each annotator in the rows, if any."""

    def __init__(self) -> None:
        self._numbers: dict[str, int | None] = {}
        self._names: dict[tuple[str | None, int], str] = {}
        self._machines: dict[str, str | None] = {}

    def check(self, place: Place, row: Row) -> None:
        """FormatError if the row disagrees with an earlier one."""
        machine = None if row.machine is None else description_text(row.machine)
        if self._machines.setdefault(row.annotator, machine) != machine:
            raise place.fault(f"annotator {quoted(row.annotator)} is described otherwise than before")
        if self._numbers.setdefault(row.annotator, row.annotator_number) != row.annotator_number:
            raise place.fault(
                f"annotator {quoted(row.annotator)} has a different annotator_number than before"
            )
        if row.annotator_number is None:
            return
        key = row.annotator_kind, row.annotator_number
        if self._names.setdefault(key, row.annotator) != row.annotator:
            raise place.fault(f"annotator_number {row.annotator_number} belongs to two annotators")


class _Items:
    """Facts about each item from its rows: sentence, outputs' systems, propensities, repetitions answered."""

    def __init__(self) -> None:
        self.shown: dict[tuple[int, str], tuple[str, ...]] = {}
        self._sentences: dict[int, int] = {}
        self._propensities: dict[int, Propensities | None] = {}
        self._answered: set[tuple[str, int, int]] = set()

    def check(self, place: Place, row: Row) -> None:
        """FormatError if the row disagrees with an earlier one."""
        if self._sentences.setdefault(row.item, row.sentence) != row.sentence:
            raise place.fault(f"item {row.item} belongs to two sentences")
        if self._propensities.setdefault(row.item, row.propensities) != row.propensities:
            raise place.fault(f"item {row.item} has different propensities than before")
        if row.output is None:
            return
        if self.shown.setdefault((row.item, row.output), row.systems) != row.systems:
            raise place.fault(f"an output of item {row.item} has different systems than before")

    def take(self, place: Place, row: Row) -> None:
        """FormatError if another judgment has the place of this one."""
        if row.state in _ANSWERED:
            # Machines have no part in the repetitions that people fill.
            of_machine = row.annotator if row.annotator_kind == AnnotatorKind.MACHINE else ""
            if (of_machine, row.item, row.repetition) in self._answered:
                raise place.fault(f"repetition {row.repetition} of item {row.item} is answered twice")
            self._answered.add((of_machine, row.item, row.repetition))


def _check_row(row: Row, place: Place) -> None:
    if not 1 <= row.schema_version <= SCHEMA_VERSION:
        raise place.fault(
            f"schema version {row.schema_version}, but this program reads 1 to {SCHEMA_VERSION}"
        )
    for column, (lowest, highest) in _LIMITS.items():
        number = getattr(row, column)
        if number is not None and not lowest <= number <= highest:
            raise place.fault(f"{column} {number} is out of range {lowest} to {highest}")
    for column, longest in _LONGEST.items():
        _check_text(column, getattr(row, column), longest, place)
    for column, words in _WORDS.items():
        word = getattr(row, column)
        if word is not None and word not in words:
            raise place.fault(f"unknown {column} {quoted(word)}; known are {', '.join(words)}")
    _check_beyond_ratings(row, place)
    if fault := kind_fault(row.annotator_kind, row.machine):
        raise place.fault(fault)
    if row.state not in STATES:
        raise place.fault(f"unknown state {quoted(row.state)}; known are {', '.join(STATES)}")
    if row.output is None:
        _check_absence(row, place)
    else:
        _check_output(row.output, row, place)


def _check_text(column: str, text: str | None, longest: int, place: Place) -> None:
    if text is None:
        return
    if len(text) > longest:
        raise place.fault(f"{column} has {len(text)} characters, at most {longest} are allowed")
    if unstorable := UNSTORABLE.search(text):
        raise place.fault(f"{column} holds the character U+{ord(unstorable[0]):04X}")
    if column in _NEVER_EMPTY and not text.strip():
        raise place.fault(f"{column} is empty")
    if column in _NAMES and (fault := name_fault(text)):
        raise place.fault(f"{column} {fault}")


def _check_beyond_ratings(row: Row, place: Place) -> None:
    if row.further_texts and row.text is None:
        raise place.fault("further_texts without a text")
    if row.further_texts and (fault := texts_fault((row.text or "", *row.further_texts))):
        raise place.fault(fault)
    if row.details is not None and (fault := details_fault(row.details)):
        raise place.fault(fault)
    if row.rating_details is not None and (fault := _rating_details_fault(row.rating_details, row.protocol)):
        raise place.fault(fault)
    for name in IN_DETAILS:
        if getattr(row, name) is not None and name in (row.details or {}):
            raise place.fault(f"{name} is in the details as well as in its column")
    if row.propensities is not None:
        if fault := propensities_fault(row.propensities):
            raise place.fault(fault)
        if row.output is not None and row.output not in row.propensities:
            raise place.fault("the output has no propensities, and others of the item have")


def _rating_details_fault(details: Details, protocol: str) -> str | None:
    if fault := details_fault(details):
        return f"rating_{fault}"
    check = _CHECKS_OF_DETAILS.get(protocol)
    fault = check(details) if check else None
    return fault and f"rating_details: {fault}"


def _check_absence(row: Row, place: Place) -> None:
    for column in _OF_AN_OUTPUT:
        if getattr(row, column) not in (None, ()):
            raise place.fault(f"there is no output, but {column} has a value")


def _check_output(output: str, row: Row, place: Place) -> None:
    if not _DIGEST.fullmatch(output):
        raise place.fault(f"the output is not a SHA-256 digest in hexadecimal: {quoted(output)}")
    if not row.systems:
        raise place.fault("the output has no system")
    for system in row.systems:
        checked_system(system, place)
    if list(row.systems) != sorted(set(row.systems)):
        raise place.fault("the systems of an output must be sorted, each once")


def _check_agreement(columns: Iterable[str], first: PlacedRow, other: PlacedRow) -> None:
    for column in columns:
        if getattr(first[1], column) != getattr(other[1], column):
            earlier, later = (quoted(str(getattr(row, column))) for _, row in (first, other))
            raise other[0].fault(f"{column} {later}, but {earlier} in line {first[0].line}")


def _judgment(rows: Sequence[PlacedRow], items: _Items, annotators: _Annotators) -> JudgmentRecord:
    place, first = rows[0]
    answers: dict[int, list[PlacedRow]] = {}
    for placed in rows:
        _check_agreement(_ALIKE[Part.JUDGMENT], rows[0], placed)
        items.check(*placed)
        annotators.check(*placed)
        answers.setdefault(placed[1].revision, []).append(placed)
    items.take(place, first)
    return JudgmentRecord(
        **_fields(first, *OF_JUDGMENTS),
        answers=tuple(_answer(answers[number]) for number in sorted(answers)),
        line=place.line,
    )


def _fields(row: Row, *parts: Part) -> dict[str, Any]:
    """The fields of the record that a row holds the columns of."""
    values = {}
    for name, column in columns_of(*parts).items():
        value = getattr(row, name)
        is_nothing = value is None or (name in AS_JSON and not value)
        values[column.field] = column.empty if is_nothing else value
    return values


def _answer(rows: Sequence[PlacedRow]) -> AnswerRecord:
    _, first = rows[0]
    for placed in rows:
        _check_agreement(_ALIKE[Part.ANSWER], rows[0], placed)
    if len(rows) > 1 or first.output is not None:
        _check_ratings(rows)
    rated = sorted(rows, key=lambda placed: placed[1].position or 0)
    ratings = [RatingRecord(**_fields(row, Part.RATING)) for _, row in rated if row.output is not None]
    fields = _fields(first, Part.ANSWER)
    fields["details"] = with_columns(fields["details"], {name: getattr(first, name) for name in IN_DETAILS})
    return AnswerRecord(ratings=tuple(ratings), **fields)


def _check_ratings(rows: Sequence[PlacedRow]) -> None:
    outputs: set[str] = set()
    systems: set[str] = set()
    for place, row in rows:
        if row.output is None:
            raise place.fault("a row without output, in an answer of several rows")
        if row.output in outputs or not systems.isdisjoint(row.systems):
            raise place.fault(f"an output or a system of {' '.join(row.systems)} twice in one answer")
        outputs.add(row.output)
        systems.update(row.systems)
    place, first = rows[0]
    if {row.position for _, row in rows} != set(range(len(rows))):
        raise place.fault(
            f"the positions of judgment {quoted(first.judgment)} are not 0 to {len(rows) - 1}, each once"
        )
