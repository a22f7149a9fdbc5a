"""Reads a data release back: its corpus, judgments and scores, as the importers take them.

Anyone may have made the folder, so nothing that it says of itself is trusted.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np

from analysis.releases.checks import MOST_CAMPAIGNS
from analysis.releases.tables import (
    CONTROL_JUDGMENTS,
    CONTROL_OUTPUTS,
    JUDGMENTS,
    MACHINE_JUDGMENTS,
    MANIFEST,
    OUTPUT_SCORES,
    OUTPUTS,
    REFERENCES,
    SENTENCES,
    SYSTEM_SCORES,
    SYSTEMS,
    Table,
    arrow_type,
    file_digest,
)
from analysis.releases.version_changes import NUMBERS
from core.formulas import guarded
from core.later import pa, pc, pq
from core.progress import NoProgress
from core.tables import csv_text
from formats import CorpusRecord, Edit, FormatError, JudgmentRecord, JudgmentsFile, Reference, SentenceRecord
from formats.exported.exported_parquet import check_parquet_size, columns_of_texts, judgments_of_table
from formats.snapshot.resolution import resolve
from formats.text.checks import (
    Place,
    check_texts,
    checked_name,
    checked_source,
    checked_system,
    checked_text,
    quoted,
)

OF_MACHINES = "m"
"""Before the numbers of judgments of machines, which are numbered apart from those of people."""

Rows = list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class ReadRelease:
    """A release as the importers take it.

    Attributes:
        language: BCP 47 tag of the corpus.
        tokenisation: how its texts are written, a value of `Tokenisation`.
        synthetic: names of the campaigns whose judgments are simulated.
        corpus: sentences with outputs of systems and controls, and references.
        roles: of the systems, by name.
        labels: of systems that have one, by name.
        judgments: of people and machines by campaign, with the ratings of controls at their places.
        scores: metric scores in the format of `formats.metric_scores`, in lines; empty if there are none.
    """

    language: str
    tokenisation: str
    synthetic: Collection[str]
    corpus: CorpusRecord
    roles: Mapping[str, str]
    labels: Mapping[str, str]
    judgments: Mapping[str, tuple[JudgmentRecord, ...]]
    scores: Sequence[str]


def read_release(folder: Path) -> ReadRelease:
    """The release in this folder, whose files have to be those of its manifest.

    Raises:
        FormatError: a file is missing, was changed or cannot be read, texts are left out, a text or name
            cannot be stored, or judgments do not fit the texts. OSError: a file cannot be opened.
    """
    files = ReleaseFiles(folder)
    stated = files.stated()
    systems = files.rows(SYSTEMS)
    outputs = [*files.rows(OUTPUTS), *files.rows(CONTROL_OUTPUTS)]
    corpus = _corpus(files, systems, outputs)
    texts = {number: sentence.outputs for number, sentence in enumerate(corpus.sentences)}
    judgments = judgments_of(files, texts=texts)
    parts = parts_of(stated)
    return ReadRelease(
        language=files.stated_name("language") or "und",
        tokenisation=files.stated_name("tokenisation"),
        synthetic={name for name in judgments if parts.get(name, stated).get("synthetic") is True},
        corpus=corpus,
        roles={row["system"]: row["role"] for row in systems},
        labels={row["system"]: row["label"] for row in systems if row["label"]},
        judgments=judgments,
        scores=list(_scores(files, outputs)),
    )


def parts_of(stated: Mapping[str, Any]) -> Mapping[str, Mapping[str, Any]]:
    """What a release of several campaigns says of each; empty for one of one campaign."""
    parts = stated.get("campaigns")
    named = parts.items() if isinstance(parts, dict) else ()
    return {name: part for name, part in named if isinstance(part, dict)}


class ReleaseFiles:
    """The files of a release that are those of its manifest.

    Attributes:
        digests: the SHA-256 of each file by its path in the folder, as the manifest states it.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        manifest = folder / MANIFEST
        if not manifest.is_file():
            raise FormatError(manifest, None, "is missing: this is not the folder of a data release")
        lines = manifest.read_text(encoding="utf-8", errors="replace").splitlines()
        self.digests = {name: digest for digest, _, name in (line.partition("  ") for line in lines)}

    def path(self, table: Table) -> Path:
        """The file of a table as Parquet."""
        return self._folder / table.path("parquet")

    def stated(self) -> Mapping[str, Any]:
        """What the release says of itself."""
        self._check(NUMBERS)
        try:
            stated = json.loads((self._folder / NUMBERS).read_text(encoding="utf-8"))
        except (ValueError, RecursionError) as error:
            raise FormatError(self._folder / NUMBERS, None, f"is no JSON: {error}") from error
        if not isinstance(stated, dict):
            raise FormatError(self._folder / NUMBERS, None, "is no JSON object")
        return stated

    def stated_name(self, key: str) -> str:
        """A name of what the release says of itself; empty if it has none."""
        name = self.stated().get(key)
        return checked_name(str(name), Place(self._folder / NUMBERS), f"the {key}") if name else ""

    def table(self, table: Table) -> pa.Table | None:
        """A table, with each distinct text once; None if the release has no such table."""
        name = table.path("parquet")
        if name not in self.digests:
            return None
        self._check(name)
        path = self._folder / name
        try:
            metadata = pq.read_metadata(path)
            check_parquet_size(metadata, path)
            schema = metadata.schema.to_arrow_schema()
            if schema.names != [column.name for column in table.columns]:
                raise FormatError(path, None, "does not have the columns of this table in a data release")
            for column, stored in zip(table.columns, schema, strict=True):
                if stored.type != arrow_type(column.type):
                    raise FormatError(path, None, f"has a column {column.name} of {stored.type}")
            return pq.read_table(path, read_dictionary=columns_of_texts(metadata))
        except (pa.ArrowException, OSError) as error:
            raise FormatError(path, None, f"cannot be read as Parquet: {error}") from error

    def rows(self, table: Table) -> Rows:
        """The rows of a table by name of the column; none if the release has no such table."""
        read = self.table(table)
        if read is None:
            return []
        values = zip(*map(_values, read.columns), strict=True)
        return [dict(zip(read.column_names, row, strict=True)) for row in values]

    def _check(self, name: str) -> None:
        path = self._folder / name
        if not path.is_file():
            raise FormatError(path, None, "is missing")
        if file_digest(path, NoProgress()) != self.digests.get(name):
            raise FormatError(path, None, f"was changed: its SHA-256 is not that of {MANIFEST}")


def _values(column: pa.ChunkedArray) -> list[Any]:
    """The values of a column; equal texts are one object."""
    if not pa.types.is_dictionary(column.type):
        return list(column.to_pylist())
    values: list[Any] = []
    for chunk in column.chunks:
        texts = [*chunk.dictionary.to_pylist(), None]
        values += map(texts.__getitem__, chunk.indices.fill_null(-1).to_pylist())
    return values


def _corpus(files: ReleaseFiles, systems: Rows, outputs: Rows) -> CorpusRecord:
    names = [checked_system(str(row["system"]), Place(files.path(SYSTEMS))) for row in systems]
    by_sentence: dict[int, dict[str, str]] = defaultdict(dict)
    references: dict[int, list[Reference]] = defaultdict(list)
    for number, row in enumerate(outputs, start=1):
        place = Place(files.path(OUTPUTS), number)
        if row["system"] not in names:
            raise place.fault(f"system {quoted(row['system'] or '')} is not in the table of systems")
        if row["system"] in by_sentence[row["sentence"]]:
            raise place.fault(f"sentence {row['sentence']} has two outputs of {row['system']}")
        by_sentence[row["sentence"]][row["system"]] = _text(row["text"], place, "the output")
    for number, row in enumerate(files.rows(REFERENCES), start=1):
        place = Place(files.path(REFERENCES), number)
        text = _text(row["text"], place, "the reference")
        reference = Reference(str(row["annotator"]), text, _edits(row, place))
        if any(other.annotator == reference.annotator for other in references[row["sentence"]]):
            raise place.fault(f"sentence {row['sentence']} has two references {reference.annotator}")
        references[row["sentence"]].append(reference)
        check_texts(len(outputs) + number, place)
    sentences = []
    for number, row in enumerate(files.rows(SENTENCES)):
        place = Place(files.path(SENTENCES), number + 1)
        if row["sentence"] != number:
            raise place.fault(f"sentence {row['sentence']} stands where sentence {number} should")
        source = checked_source(_text(row["source"], place, "the sentence"), place)
        for reference in references[number]:
            _check_spans(reference.edits or (), len(source.split()), Place(files.path(REFERENCES)))
        sentences.append(
            SentenceRecord(
                source=source,
                outputs=by_sentence.pop(number, {}),
                references=tuple(references.pop(number, ())),
                document=checked_name(row["document"], place, "the document") if row["document"] else "",
                domain=checked_name(row["domain"], place, "the domain") if row["domain"] else "",
            )
        )
    if not sentences or by_sentence or references:
        raise FormatError(files.path(SENTENCES), None, "lacks sentences that other tables name")
    return CorpusRecord(tuple(sentences), tuple(names), ())


def _text(text: str | None, place: Place, what: str) -> str:
    if text is None:
        raise place.fault(f"the release leaves out texts, so it cannot be imported: {what} is missing")
    return checked_text(text, place, what)


def _edits(row: Mapping[str, Any], place: Place) -> tuple[Edit, ...] | None:
    if row["edits"] is None:
        return None
    try:
        edits = tuple(
            Edit(int(start), int(end), str(kind), tuple(map(str, corrections)), str(required), str(comment))
            for start, end, kind, corrections, required, comment in json.loads(row["edits"])
        )
    except (ValueError, TypeError, OverflowError, RecursionError) as error:
        raise place.fault(f"the edits cannot be read: {error}") from error
    for edit in edits:
        for text in (edit.kind, *edit.corrections, edit.required, edit.comment):
            checked_text(text, place, "a text of an edit")
    return edits


def _check_spans(edits: Sequence[Edit], tokens: int, place: Place) -> None:
    for edit in edits:
        if not 0 <= edit.start <= edit.end <= tokens:
            raise place.fault(
                f"the span {edit.start} {edit.end} does not fit the sentence of {tokens} tokens"
            )


def judgments_of(
    files: ReleaseFiles, *, texts: Mapping[int, Mapping[str, str]] | None = None
) -> dict[str, tuple[JudgmentRecord, ...]]:
    """The judgments of a release by campaign, each with all its outputs.

    Args:
        files: of the release.
        texts: outputs by system, for each sentence, which the judgments have to fit; None for no such check.

    Raises:
        FormatError: the tables of judgments cannot be read, or do not fit.
    """
    path = files.path(JUDGMENTS)
    by_campaign = {}
    for name, judgments in _judgments(files, path):
        file = JudgmentsFile((), "export", first_sentence=0, judgments=judgments)
        by_campaign[name] = resolve(file, path, texts=texts)
    return by_campaign


def _judgments(files: ReleaseFiles, path: Path) -> Iterator[tuple[str, tuple[JudgmentRecord, ...]]]:
    """All judgments of each campaign, with their outputs at the places 0, 1, 2 ... as shown."""
    tables = [each for table in (JUDGMENTS, CONTROL_JUDGMENTS) if (each := files.table(table)) is not None]
    machines = files.table(MACHINE_JUDGMENTS)
    try:
        if machines is not None:
            place = machines.column_names.index("judgment")
            tables.append(machines.set_column(place, "judgment", _of_machines(machines["judgment"])))
        if not tables:
            raise FormatError(path, None, "is missing: the release has no judgments")
        for name, table in _by_campaign(pa.concat_tables(tables), path):
            yield name, judgments_of_table(_with_places(table), path)
    except pa.ArrowException as error:
        raise FormatError(path, None, f"does not fit the other tables of judgments: {error}") from error


def _by_campaign(joined: pa.Table, path: Path) -> Iterator[tuple[str, pa.Table]]:
    """The rows of each campaign, in the order of their first rows."""
    campaigns = joined["campaign"].combine_chunks().dictionary_encode()
    numbers = campaigns.indices.fill_null(-1).to_numpy()
    distinct, first = np.unique(numbers, return_index=True)
    if len(distinct) > MOST_CAMPAIGNS:
        raise FormatError(path, None, f"{len(distinct)} campaigns, at most {MOST_CAMPAIGNS} are allowed")
    for number in numbers[np.sort(first)].tolist():
        if number < 0:
            raise FormatError(path, None, "campaign is missing")
        name = checked_name(campaigns.dictionary[number].as_py(), Place(path), "the campaign")
        yield name, joined if len(distinct) == 1 else joined.filter(pa.array(numbers == number))


def _of_machines(judgments: pa.ChunkedArray) -> pa.ChunkedArray:
    """The numbers of judgments of machines, apart from those of people."""
    return pa.chunked_array(
        [
            pa.DictionaryArray.from_arrays(
                chunk.indices, pc.binary_join_element_wise(OF_MACHINES, chunk.dictionary, "")
            )
            for chunk in judgments.chunks
        ]
    )


def _with_places(joined: pa.Table) -> pa.Table:
    """The table with positions that have no gaps, as withdrawn systems leave them."""
    judgments = joined["judgment"].combine_chunks().dictionary_encode().indices.to_numpy(zero_copy_only=False)
    positions = pc.fill_null(joined["position"], -1).to_numpy()
    order = np.lexsort((positions, judgments))
    begins = np.flatnonzero(np.diff(judgments[order], prepend=-1))
    sizes = np.diff(np.append(begins, len(order)))
    places = np.empty(len(order), dtype=np.int64)
    places[order] = np.arange(len(order)) - np.repeat(begins, sizes)
    column = joined.column_names.index("position")
    return joined.set_column(column, "position", pa.array(places, mask=positions < 0))


def _scores(files: ReleaseFiles, outputs: Rows) -> Iterator[str]:
    """Metric scores as CSV: those of systems, and those of outputs for each of their systems."""
    by_output: dict[tuple[int, str], list[str]] = defaultdict(list)
    for row in outputs:
        by_output[row["sentence"], row["output"]].append(row["system"])
    names = {row["system"] for row in files.rows(SYSTEMS)}
    of_systems = []
    for row, place in _score_rows(files, SYSTEM_SCORES, "system"):
        if row["system"] not in names:
            raise place.fault(f"system {quoted(row['system'] or '')} is not in the table of systems")
        if row["score"] is not None:
            of_systems.append((guarded(row["metric"]), row["system"], None, row["score"]))
    of_outputs = [
        (guarded(row["metric"]), system, row["sentence"], row["score"])
        for row, _ in _score_rows(files, OUTPUT_SCORES, "sentence", "output")
        for system in by_output[row["sentence"], row["output"]]
    ]
    if of_systems:
        yield from csv_text(("metric", "system", "sentence", "score"), [*of_systems, *of_outputs])


def _score_rows(files: ReleaseFiles, table: Table, *scored: str) -> Iterator[tuple[dict[str, Any], Place]]:
    """The rows of a table of scores: each has a metric and a finite score or none, and is there once."""
    seen = set()
    for number, row in enumerate(files.rows(table), start=1):
        place = Place(files.path(table), number)
        row["metric"] = checked_name(row["metric"] or "", place, "the metric")
        if row["score"] is not None and not isfinite(row["score"]):
            raise place.fault(f"the score is not a finite number: {row['score']}")
        key = (row["metric"], *(row[name] for name in scored))
        if key in seen:
            raise place.fault(f"{row['metric']} has two scores of the same {scored[-1]}")
        seen.add(key)
        yield row, place
