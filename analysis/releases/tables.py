"""The tables of a release: their columns, and writing them as Parquet and JSON Lines piece by piece."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import Enum
from pathlib import Path
from typing import Any

from core.later import pa, pq
from core.progress import Progress, blocks
from formats.snapshot.judgment_columns import COLUMNS, Kind

ROWS_PER_GROUP = 20_000
DATA = "data"
MANIFEST = "manifest.sha256"


class Type(Enum):
    """The type of a column: as Hugging Face and as Croissant name it. Objects are JSON in Parquet."""

    TEXT = ("string", "sc:Text")
    INTEGER = ("int64", "sc:Integer")
    REAL = ("float64", "sc:Float")
    FLAG = ("bool", "sc:Boolean")
    TIME = ("timestamp[us, tz=UTC]", "sc:DateTime")
    TEXTS = ("list", "sc:Text")
    JSON = ("json", "sc:Text")


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table."""

    name: str
    type: Type
    meaning: str


@dataclass(frozen=True, slots=True)
class Table:
    """A table of a release.

    Attributes:
        name: of its files and of its configuration on Hugging Face.
        content: what it holds, in a sentence.
        columns: in order.
    """

    name: str
    content: str
    columns: Sequence[Column]

    def path(self, ending: str) -> str:
        """Its file with this ending, in the folder of a release."""
        return f"{DATA}/{self.name}.{ending}"


_KINDS = {
    Kind.TEXT: Type.TEXT,
    Kind.NUMBER: Type.INTEGER,
    Kind.FLAG: Type.FLAG,
    Kind.TIME: Type.TIME,
    Kind.NAMES: Type.TEXTS,
    Kind.TEXTS: Type.JSON,
    Kind.DETAILS: Type.JSON,
    Kind.PROPENSITIES: Type.JSON,
}
_MEANINGS = {
    "judgment": "number of the judgment in this release; rows with the same number belong to one judgment",
    "annotator": "pseudonym that was made for this release only",
    "annotator_number": "always none in releases",
    "started_at": "day on which the item was opened (UTC), without the time of day",
    "submitted_at": "day on which the answer arrived (UTC), without the time of day",
    "note": "always none in releases",
    "machine": "what is known of a machine: model, version, prompt_sha256, temperature, date, seed",
    "text": "text that the annotator wrote; none if the release leaves out texts",
    "further_texts": "texts written after the first one; none if the release leaves out texts",
}
"""What columns of exports mean in releases, where that differs."""

_JUDGMENT_COLUMNS = tuple(
    Column(name, _KINDS[column.kind], _MEANINGS.get(name, column.meaning)) for name, column in COLUMNS.items()
)

JUDGMENTS = Table(
    "judgments",
    "Judgments of people: a row for each rated output, or one for an answer without ratings.",
    _JUDGMENT_COLUMNS,
)
CONTROL_JUDGMENTS = Table(
    "control_judgments",
    "The ratings of control outputs (sources with inserted errors, which check annotators) by people. They "
    "belong to the judgments of the same numbers.",
    _JUDGMENT_COLUMNS,
)
MACHINE_JUDGMENTS = Table(
    "machine_judgments",
    "Judgments of programs, such as language models: not by people. Ratings of controls are among them.",
    _JUDGMENT_COLUMNS,
)
PRACTICE = Table(
    "practice",
    "Answers to the practice items that decide on admission. They are not judgments of systems.",
    (
        Column("annotator", Type.TEXT, "pseudonym, as in the judgments"),
        Column("attempt", Type.INTEGER, "number of the pass through the practice items, from 1"),
        Column("item", Type.INTEGER, "number of the practice item in the guidelines, from 1"),
        Column("agrees", Type.FLAG, "whether the answer agrees with the guidelines"),
    ),
)
PRACTICE_OF_SEVERAL = replace(
    PRACTICE,
    columns=(Column("campaign", Type.TEXT, "name of the campaign, as in the judgments"), *PRACTICE.columns),
)
"""The table in a release of several campaigns."""

SYSTEMS = Table(
    "systems",
    "The systems whose outputs were judged.",
    (
        Column("system", Type.TEXT, "name, as in all tables"),
        Column("label", Type.TEXT, "name as people write it, or none"),
        Column(
            "role",
            Type.TEXT,
            "system; source (unchanged input); reference (human correction); control (source with inserted "
            "errors)",
        ),
    ),
)
SENTENCES = Table(
    "sentences",
    "The sentences of the corpus.",
    (
        Column("sentence", Type.INTEGER, "position in the corpus, from 0"),
        Column("document", Type.TEXT, "document in which the sentence stands, or none"),
        Column("domain", Type.TEXT, "domain or genre, or none"),
        Column("source", Type.TEXT, "the sentence; none if the release leaves out texts"),
        Column("source_sha256", Type.TEXT, "SHA-256 of the sentence in UTF-8"),
    ),
)
_OUTPUT_COLUMNS = (
    Column("sentence", Type.INTEGER, "position in the corpus, from 0"),
    Column("system", Type.TEXT, "name of the system"),
    Column("output", Type.TEXT, "digest of the output, as in the judgments; equal texts have equal digests"),
    Column("text", Type.TEXT, "the output; none if the release leaves out texts"),
)
OUTPUTS = Table("outputs", "The output of each system for each sentence.", _OUTPUT_COLUMNS)
CONTROL_OUTPUTS = Table(
    "control_outputs", "Control outputs: sources with inserted errors, by no system.", _OUTPUT_COLUMNS
)
REFERENCES = Table(
    "references",
    "Corrections of the sentences by people.",
    (
        Column("sentence", Type.INTEGER, "position in the corpus, from 0"),
        Column("annotator", Type.INTEGER, "number of the person or the set of references, from 1"),
        Column("text", Type.TEXT, "the correction; none if the release leaves out texts"),
        Column("text_sha256", Type.TEXT, "SHA-256 of the correction in UTF-8"),
        Column(
            "edits",
            Type.JSON,
            "edits over the tokens of the sentence, where they were marked: start, end, type, corrections, "
            "required, comment; none if the release leaves out texts",
        ),
    ),
)
_METRIC_COLUMNS = (
    Column("metric", Type.TEXT, "the metric with the parameters that differ from its defaults"),
    Column("signature", Type.TEXT, "signature of the metric; none for scores that were uploaded"),
)
OUTPUT_SCORES = Table(
    "output_scores",
    "Scores of single outputs by automatic metrics.",
    (
        *_METRIC_COLUMNS,
        Column("sentence", Type.INTEGER, "position in the corpus, from 0"),
        Column("output", Type.TEXT, "digest of the output"),
        Column("score", Type.REAL, "higher is better; none if the metric does not score the output"),
    ),
)
SYSTEM_SCORES = Table(
    "system_scores",
    "Scores of systems by automatic metrics.",
    (
        *_METRIC_COLUMNS,
        Column("system", Type.TEXT, "name of the system"),
        Column("score", Type.REAL, "higher is better; none if there is no score"),
        Column("low", Type.REAL, "lower end of the bootstrap interval, or none"),
        Column("high", Type.REAL, "upper end of the bootstrap interval, or none"),
        Column("sentences", Type.INTEGER, "number of sentences that the score covers"),
    ),
)


TABLES = (
    *(JUDGMENTS, CONTROL_JUDGMENTS, MACHINE_JUDGMENTS, PRACTICE, SYSTEMS, SENTENCES, OUTPUTS),
    *(CONTROL_OUTPUTS, REFERENCES, OUTPUT_SCORES, SYSTEM_SCORES),
)
"""All tables that a release may have."""


@dataclass(frozen=True, slots=True)
class WrittenFile:
    """A file of a release: its path in the folder, bytes and SHA-256."""

    path: str
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class WrittenTable:
    """A table that has been written.

    Attributes:
        table: the table.
        rows: number of its rows, at least 1.
        parquet: its file as Parquet.
        jsonl: its file as JSON Lines.
    """

    table: Table
    rows: int
    parquet: WrittenFile
    jsonl: WrittenFile


class TableFiles:
    """Writes a table as Parquet and as JSON Lines. A table without rows has no files."""

    def __init__(self, folder: Path, table: Table) -> None:
        self._folder, self._table = folder, table
        self._waiting: list[Sequence[object]] = []
        self._rows = 0
        self._schema = pa.schema([pa.field(each.name, arrow_type(each.type)) for each in table.columns])
        self._parquet: Any = None
        self._jsonl: Any = None

    def add(self, row: Sequence[object]) -> None:
        """Add a row, with its values in the order of the columns; objects are JSON."""
        self._waiting.append(row)
        if len(self._waiting) == ROWS_PER_GROUP:
            self._write()

    def end(self) -> int:
        """Finish the files, and return the number of rows."""
        if self._waiting:
            self._write()
        self.close()
        return self._rows

    def close(self) -> None:
        """Close the files as they are."""
        if self._parquet is not None:
            self._parquet.close()
            self._jsonl.close()

    def _write(self) -> None:
        if self._parquet is None:
            (self._folder / DATA).mkdir(exist_ok=True)
            self._parquet = pq.ParquetWriter(self._folder / self._table.path("parquet"), self._schema)
            self._jsonl = (self._folder / self._table.path("jsonl")).open("w", encoding="utf-8", newline="\n")
        columns = zip(*self._waiting, strict=True)
        arrays = [pa.array(values, field.type) for values, field in zip(columns, self._schema, strict=True)]
        self._parquet.write_table(pa.Table.from_arrays(arrays, schema=self._schema))
        self._jsonl.writelines(self._lines())
        self._rows += len(self._waiting)
        self._waiting = []

    def _lines(self) -> list[str]:
        columns = self._table.columns
        parsed = [place for place, each in enumerate(columns) if each.type is Type.JSON]
        lines = []
        for row in self._waiting:
            values = list(row)
            for place in parsed:
                text = values[place]
                values[place] = json.loads(text) if isinstance(text, str) else None
            named = {each.name: value for each, value in zip(columns, values, strict=True)}
            lines.append(json.dumps(named, ensure_ascii=False, default=_timestamp) + "\n")
        return lines


def written_file(folder: Path, path: str, progress: Progress) -> WrittenFile:
    """A file in the folder of a release with its size and digest."""
    return WrittenFile(path, (folder / path).stat().st_size, file_digest(folder / path, progress))


def written_table(folder: Path, table: Table, rows: int, progress: Progress) -> WrittenTable:
    """A table in the folder of a release."""
    files = (written_file(folder, table.path(end), progress) for end in ("parquet", "jsonl"))
    return WrittenTable(table, rows, *files)


def file_digest(path: Path, progress: Progress) -> str:
    """The SHA-256 of a file, in hexadecimal."""
    digest = hashlib.sha256()
    for block in blocks(path, progress):
        digest.update(block)
    return digest.hexdigest()


def arrow_type(kind: Type) -> pa.DataType:
    """The type of such a column in Parquet."""
    types: Mapping[Type, pa.DataType] = {
        Type.INTEGER: pa.int64(),
        Type.REAL: pa.float64(),
        Type.FLAG: pa.bool_(),
        Type.TIME: pa.timestamp("us", tz="UTC"),
        Type.TEXTS: pa.list_(pa.string()),
    }
    return types.get(kind, pa.string())


def _timestamp(time: datetime) -> str:
    return f"{time.astimezone(UTC).replace(tzinfo=None).isoformat(timespec='microseconds')}Z"
