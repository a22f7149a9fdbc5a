"""The columns of an exported table of judgments: those of the snapshot, between the version of this list and
how the judgment was asked and given.

One row per rating, or one row with a null output for an answer without ratings. `docs/exports.md` says what
each column means. Columns are only ever added, at the end.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from enum import Enum

from formats.records import AnswerRecord, JudgmentRecord
from formats.snapshot.answer_details import json_text
from formats.snapshot.propensities_json import propensities_text

SCHEMA_VERSION = 4
"""Grows with every change of the columns or of what they mean. Files of all versions so far can be read."""


class Kind(Enum):
    """The type of a column's values, as named in the documentation.

    In rows, lists and objects are JSON (`formats.snapshot.answer_details`,
    `formats.snapshot.propensities_json`).
    """

    TEXT = "text"
    NUMBER = "number"
    FLAG = "true or false"
    TIME = "time"
    NAMES = "names"
    TEXTS = "list of texts"
    DETAILS = "object"
    PROPENSITIES = "object of lists of numbers"


Value = str | int | bool | datetime | tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class Column:
    """The valid values of a column.

    Attributes:
        kind: of its values.
        nullable: whether a value may be missing.
        since: the version of the list that added it; files of earlier ones lack it.
    """

    kind: Kind
    nullable: bool = False
    since: int = 1


COLUMNS = {
    "schema_version": Column(Kind.NUMBER),
    "judgment": Column(Kind.TEXT),
    "campaign": Column(Kind.TEXT),
    "protocol": Column(Kind.TEXT),
    "annotator": Column(Kind.TEXT),
    "annotator_number": Column(Kind.NUMBER, nullable=True, since=2),
    "sentence": Column(Kind.NUMBER),
    "item": Column(Kind.NUMBER),
    "repetition": Column(Kind.NUMBER),
    "state": Column(Kind.TEXT),
    "output": Column(Kind.TEXT, nullable=True),
    "systems": Column(Kind.NAMES),
    "position": Column(Kind.NUMBER, nullable=True),
    "rank": Column(Kind.NUMBER, nullable=True),
    "score": Column(Kind.NUMBER, nullable=True),
    "meaning_changed": Column(Kind.FLAG, nullable=True),
    "text": Column(Kind.TEXT, nullable=True),
    "revision": Column(Kind.NUMBER),
    "started_at": Column(Kind.TIME, nullable=True),
    "submitted_at": Column(Kind.TIME, nullable=True),
    "active_ms": Column(Kind.NUMBER, nullable=True),
    "touched": Column(Kind.FLAG, nullable=True),
    "marks_edits": Column(Kind.FLAG, nullable=True),
    "note": Column(Kind.TEXT, nullable=True, since=2),
    "further_texts": Column(Kind.TEXTS, nullable=True, since=3),
    "verdict": Column(Kind.TEXT, nullable=True, since=3),
    "details": Column(Kind.DETAILS, nullable=True, since=3),
    "propensities": Column(Kind.PROPENSITIES, nullable=True, since=4),
}
AS_JSON = tuple(
    name for name, column in COLUMNS.items() if column.kind in (Kind.TEXTS, Kind.DETAILS, Kind.PROPENSITIES)
)
"""The columns that stand as JSON in rows."""

OF_EXPORTS = ("schema_version", "annotator_number", "touched", "marks_edits", "note")
"""The columns that are not the snapshot's."""

SNAPSHOT_COLUMNS = tuple(name for name in COLUMNS if name not in OF_EXPORTS)
_BEFORE_NUMBER = SNAPSHOT_COLUMNS.index("annotator") + 1
_BEFORE_LATER = SNAPSHOT_COLUMNS.index("further_texts")

LATER_SNAPSHOT_COLUMNS = SNAPSHOT_COLUMNS[_BEFORE_LATER:]
"""The snapshot's columns that older releases lack; null where answers are ratings and nothing else."""


def table_rows(judgment: JudgmentRecord, *, campaign: str) -> Iterator[tuple[Value, ...]]:
    """The rows of all answers of a judgment, with their values in the order of `COLUMNS`."""
    for answer in judgment.answers:
        touched = [rating.touched for rating in answer.ratings] or [None]
        for row, flag in zip(snapshot_rows(judgment, answer, campaign=campaign), touched, strict=True):
            head, tail, later = row[:_BEFORE_NUMBER], row[_BEFORE_NUMBER:_BEFORE_LATER], row[_BEFORE_LATER:]
            beside = (flag, judgment.marks_edits, answer.note or None)
            yield (SCHEMA_VERSION, *head, judgment.annotator_number, *tail, *beside, *later)


def snapshot_rows(
    judgment: JudgmentRecord, answer: AnswerRecord, *, campaign: str
) -> Iterator[tuple[Value, ...]]:
    """The rows of one answer of a judgment, with their values in the order of `SNAPSHOT_COLUMNS`."""
    head = (
        judgment.key,
        campaign,
        judgment.protocol,
        judgment.annotator,
        judgment.sentence,
        judgment.item,
        judgment.repetition,
        judgment.state,
    )
    tail = (
        answer.text,
        answer.number,
        answer.started_at,
        answer.submitted_at,
        answer.active_ms,
        json_text(answer.further_texts) if answer.further_texts else None,
        answer.verdict,
        json_text(answer.details) if answer.details else None,
        propensities_text(judgment.propensities) if judgment.propensities else None,
    )
    for position, rating in enumerate(answer.ratings):
        values = (rating.rank, rating.score, rating.meaning_changed)
        yield (*head, rating.output, rating.systems, position, *values, *tail)
    if not answer.ratings:
        yield (*head, None, (), None, None, None, None, *tail)
