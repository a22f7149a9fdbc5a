"""The schema of a judgment: one table of columns, from which everything that holds judgments is made.

Exports and their readers, the snapshot, the reading and storing of answers, the API and the table in
`docs/exports.md` follow from `COLUMNS`. An exported table has all columns, with one row per rating, or one
row with a null output for an answer without ratings. Columns are only ever added, at the end.

A new part of an answer is a field of a record (`formats.records`), the field of a model of the same name, and
a line here. A whole number that is kept in the details of an answer needs only the line.
"""

from dataclasses import dataclass, replace
from datetime import datetime
from enum import Enum

from formats.records import MAX_NAME_CHARS, MAX_NOTE_CHARS, MAX_TEXT_CHARS, MAX_VERDICT_CHARS
from formats.snapshot.vocabulary import Opinion

MAX_PROTOCOL_CHARS = 50
MAX_ACTIVE_MS = 10**12 - 1
"""Most time of one answer: the sum over an annotator fits the database, and browsers send no more."""

MAX_ANNOTATOR_NUMBER = 10**9
"""Leaves room in the database's column for annotators without a number, who follow the highest."""

# Largest numbers of the database's columns.
_SMALL, _INTEGER = 2**15 - 1, 2**31 - 1


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
"""A value in a row."""


class Part(Enum):
    """The object that a column describes; all rows of an object have the same value."""

    FILE = "file"
    ANNOTATOR = "annotator"
    ITEM = "item"
    JUDGMENT = "judgment"
    ANSWER = "answer"
    RATING = "rating"


API, APPRAISE, WMT = "API", "Appraise XML", "WMT CSV"
"""Where a column may be, beside exported tables and the snapshot."""

RANKINGS = (API, APPRAISE, WMT)


@dataclass(frozen=True, slots=True)
class Column:
    """A column, and which values are valid.

    Attributes:
        kind: type of its values.
        part: what it says something about.
        meaning: in words, as Markdown for the documentation.
        field: the attribute of the part's record (`formats.records`), which is a `JudgmentRecord` for parts
            above the answer. Given only if it is not the column's name.
        in_record: whether that record has it.
        in_details: whether it is a whole number in the answer's details, where it has the column's name, and
            which the column `details` then lacks.
        dtype: pandas' type in the snapshot; None if the column is not in it.
        also_in: where else it is, beside exported tables.
        nullable: whether a value may be missing.
        empty: the value of the field where none is in the row.
        since: the version of this list that added it; files of earlier ones lack it.
        limits: the least and the greatest number.
        longest: the most characters of a text.
        words: what a text may be; empty if it may be anything.
    """

    kind: Kind
    part: Part
    meaning: str
    field: str = ""
    in_record: bool = True
    in_details: bool = False
    dtype: str | None = None
    also_in: tuple[str, ...] = (API,)
    nullable: bool = False
    empty: str | tuple[str, ...] | None = None
    since: int = 1
    limits: tuple[int, int] | None = None
    longest: int | None = None
    words: tuple[str, ...] = ()


_TABLE = {
    "schema_version": Column(
        Kind.NUMBER,
        Part.FILE,
        "version of this list of columns; it increases with every change",
        in_record=False,
        also_in=(),
    ),
    "judgment": Column(
        Kind.TEXT,
        Part.JUDGMENT,
        "id of the judgment; rows with the same id belong to one judgment",
        field="key",
        dtype="category",
        longest=MAX_NAME_CHARS,
    ),
    "campaign": Column(
        Kind.TEXT,
        Part.FILE,
        "name of the campaign",
        in_record=False,
        dtype="category",
        also_in=(APPRAISE, WMT),
        longest=MAX_NAME_CHARS,
    ),
    "protocol": Column(
        Kind.TEXT,
        Part.FILE,
        "how the item was judged, such as `relative-ranking` or `partial-ranking-with-scalars`",
        dtype="category",
        longest=MAX_PROTOCOL_CHARS,
    ),
    "annotator": Column(
        Kind.TEXT,
        Part.JUDGMENT,
        "the annotator's pseudonym, or name",
        dtype="category",
        also_in=RANKINGS,
        longest=MAX_NAME_CHARS,
    ),
    "annotator_number": Column(
        Kind.NUMBER,
        Part.ANNOTATOR,
        "the annotator's number in the campaign, as shown on pages and figures (*Annotator 3*), from 1 in "
        "the order of joining; exclusion or deletion does not change numbers. An import keeps it; annotators "
        "without one are numbered in the order of their first judgments",
        nullable=True,
        since=2,
        limits=(1, MAX_ANNOTATOR_NUMBER),
    ),
    "sentence": Column(
        Kind.NUMBER,
        Part.JUDGMENT,
        "position of the sentence in its corpus, from 0",
        dtype="int32",
        also_in=RANKINGS,
        limits=(0, _INTEGER),
    ),
    "item": Column(
        Kind.NUMBER,
        Part.JUDGMENT,
        "number of the item within the campaign: the sentence with the outputs shown together",
        dtype="int32",
        also_in=(API, APPRAISE),
        limits=(0, _INTEGER),
    ),
    "repetition": Column(
        Kind.NUMBER,
        Part.JUDGMENT,
        "which of the judgments wanted for the item, from 0",
        dtype="int32",
        limits=(0, _INTEGER),
    ),
    "state": Column(
        Kind.TEXT,
        Part.JUDGMENT,
        "`complete`; `skipped`; `auto` (one output, nothing to ask); `surplus` (arrived after its place "
        "had been given to someone else)",
        dtype="category",
    ),
    "output": Column(
        Kind.TEXT,
        Part.RATING,
        "SHA-256 digest of the output's text, or of its systems if there are no texts",
        dtype="category",
        nullable=True,
    ),
    "systems": Column(
        Kind.NAMES,
        Part.RATING,
        "systems that produced the output, sorted; none if there is no output",
        dtype="object",
        also_in=RANKINGS,
        empty=(),
    ),
    "position": Column(
        Kind.NUMBER,
        Part.RATING,
        "place of the output on the screen, from 0",
        in_record=False,
        dtype="Int16",
        also_in=(),
        nullable=True,
        limits=(0, _SMALL),
    ),
    "rank": Column(
        Kind.NUMBER,
        Part.RATING,
        "1 is best; equal ranks are ties",
        dtype="Int16",
        also_in=RANKINGS,
        nullable=True,
        limits=(1, _SMALL),
    ),
    "score": Column(Kind.NUMBER, Part.RATING, "0 to 100", dtype="Int16", nullable=True, limits=(0, 100)),
    "meaning_changed": Column(
        Kind.FLAG,
        Part.RATING,
        "whether the output's meaning differs from the source's",
        dtype="boolean",
        nullable=True,
    ),
    "text": Column(
        Kind.TEXT,
        Part.ANSWER,
        "text that the annotator wrote, such as a correction; may be empty. If a protocol asks for "
        "several texts, the first",
        dtype="category",
        nullable=True,
        longest=MAX_TEXT_CHARS,
    ),
    "revision": Column(
        Kind.NUMBER,
        Part.ANSWER,
        "which answer of the judgment, from 1; the highest one counts",
        field="number",
        dtype="int16",
        limits=(1, _SMALL),
    ),
    "started_at": Column(
        Kind.TIME, Part.ANSWER, "when the item was opened", dtype="datetime64[us, UTC]", nullable=True
    ),
    "submitted_at": Column(
        Kind.TIME, Part.ANSWER, "when the answer arrived", dtype="datetime64[us, UTC]", nullable=True
    ),
    "active_ms": Column(
        Kind.NUMBER,
        Part.ANSWER,
        "active time in milliseconds",
        dtype="Int64",
        also_in=(API, APPRAISE),
        nullable=True,
        limits=(0, MAX_ACTIVE_MS),
    ),
    "touched": Column(
        Kind.FLAG,
        Part.RATING,
        "whether the score was entered for this answer; false if it was kept from the answer being revised",
        nullable=True,
    ),
    "marks_edits": Column(
        Kind.FLAG,
        Part.FILE,
        "whether edits were marked on the screen; none for an imported set",
        also_in=(),
        nullable=True,
    ),
    "note": Column(
        Kind.TEXT,
        Part.ANSWER,
        "why the item was skipped, or what the annotator reports about an item that they answered, as typed "
        f"(escape it on pages); at most {MAX_NOTE_CHARS:,} characters",
        nullable=True,
        empty="",
        since=2,
        longest=MAX_NOTE_CHARS,
    ),
    "further_texts": Column(
        Kind.TEXTS,
        Part.ANSWER,
        "texts written after the first one; at most 50,000 characters as JSON",
        dtype="category",
        nullable=True,
        empty=(),
        since=3,
    ),
    "verdict": Column(
        Kind.TEXT,
        Part.ANSWER,
        "judgment of the item as a whole, one of the protocol's names; at most "
        f"{MAX_VERDICT_CHARS} characters",
        dtype="category",
        nullable=True,
        since=3,
        longest=MAX_VERDICT_CHARS,
    ),
    "details": Column(
        Kind.DETAILS,
        Part.ANSWER,
        "anything else that the protocol stores about the answer; values are text, whole numbers, true, "
        "false, null, lists and objects of these; at most 10,000 characters as JSON",
        dtype="category",
        nullable=True,
        since=3,
    ),
    "propensities": Column(
        Kind.PROPENSITIES,
        Part.ITEM,
        "in a follow-up campaign: a list for each output of the item, by its digest, of how often the "
        "follow-up asks about it together with each output of the item, itself included, in the order of the "
        "digests, relative to ordinary sampling; at most 10,000 characters as JSON",
        dtype="category",
        nullable=True,
        since=4,
    ),
    "confidence": Column(
        Kind.NUMBER,
        Part.ANSWER,
        "how sure the annotator is of the ranking, from 1 (a guess) to 5 (certain), where the campaign asks",
        in_record=False,
        in_details=True,
        dtype="Int16",
        nullable=True,
        since=5,
        limits=(1, 5),
    ),
    "annotator_kind": Column(
        Kind.TEXT,
        Part.JUDGMENT,
        "`machine` for the answers of a program; none for a person. Machines are left out unless they are "
        "asked for",
        dtype="category",
        also_in=RANKINGS,
        nullable=True,
        since=6,
    ),
    "machine": Column(
        Kind.DETAILS,
        Part.JUDGMENT,
        "what is known of a machine: `model`, `version`, `family`, `prompt_sha256`, `temperature`, `date` "
        "and `run_by` as texts, `seed` as a whole number",
        also_in=RANKINGS,
        nullable=True,
        since=6,
    ),
    "rating_details": Column(
        Kind.DETAILS,
        Part.RATING,
        "anything else that the protocol stores about the output, such as its value on each scale; as "
        "`details`",
        dtype="category",
        nullable=True,
        since=7,
    ),
    "opinion": Column(
        Kind.TEXT,
        Part.ANSWER,
        "whether the annotator knew a machine's answer, where the campaign shows it after their own: "
        "`not-shown`; `shown-after` (once this answer was stored); `shown-before` (they had seen it when "
        "they gave this answer). None in other campaigns, and where nothing was asked",
        dtype="category",
        nullable=True,
        since=8,
        words=tuple(Opinion),
    ),
}

COLUMNS = {name: replace(column, field=column.field or name) for name, column in _TABLE.items()}

SCHEMA_VERSION = max(column.since for column in COLUMNS.values())
"""Grows with every change of the columns or of what they mean. Files of all versions so far can be read."""

AS_JSON = tuple(
    name for name, column in COLUMNS.items() if column.kind in (Kind.TEXTS, Kind.DETAILS, Kind.PROPENSITIES)
)
"""The columns that stand as JSON in rows."""

IN_DETAILS = {name: column for name, column in COLUMNS.items() if column.in_details}
"""The columns that come from the details of an answer."""

SNAPSHOT_COLUMNS = tuple(name for name, column in COLUMNS.items() if column.dtype)

LATER_SNAPSHOT_COLUMNS = tuple(name for name in SNAPSHOT_COLUMNS if COLUMNS[name].since > 1)
"""The snapshot's columns that older releases lack; null where answers are ratings and nothing else."""

OF_JUDGMENTS = (Part.FILE, Part.ANNOTATOR, Part.ITEM, Part.JUDGMENT)
"""The parts whose columns are fields of a `JudgmentRecord`."""


def columns_of(*parts: Part) -> dict[str, Column]:
    """The columns of these parts that are fields of records, by name."""
    return {name: column for name, column in COLUMNS.items() if column.part in parts and column.in_record}


RATED = tuple(name for name in columns_of(Part.RATING) if name not in ("output", "systems"))
"""Columns of a rating, apart from those that name its output."""
