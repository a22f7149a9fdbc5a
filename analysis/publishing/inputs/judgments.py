"""The judgments of a bundle: ratings alone, with annotators as numbers and, if wanted, systems too."""

from __future__ import annotations

import hashlib
import json
import re
import secrets
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np

from analysis.publishing.inputs.renaming import Renaming
from core.arrays import AnyArray, IntArray
from core.formulas import guarded, unguarded
from core.later import csv, pa, pd
from core.progress import Progress
from core.tables import csv_text
from formats import FormatError
from formats.exported.exported_rows import check_columns
from formats.exported.judged_edits import edits_fault
from formats.snapshot.answer_details import json_text
from formats.snapshot.judgment_columns import COLUMNS, SCHEMA_VERSION, SNAPSHOT_COLUMNS
from formats.snapshot.snapshots import DTYPES, categories, frame_of_file
from formats.spans.marked_errors import SPANS, marked_errors, marks_fault
from formats.text.checks import Place

KEPT = (
    *("protocol", "sentence", "item", "repetition", "state", "output"),
    *("position", "rank", "score", "verdict", "revision", "active_ms", "propensities", "opinion"),
)
"""Columns that stay as they are. Times, notes and texts that annotators wrote are left out."""

POINTS = "rating_details"
"""The column of points on scales, of marked errors and of verdicts on edits, which are kept for analyses that
read it; of other details, nothing is.
"""

HELD = ("judgment", "annotator", "systems", "meaning_changed", *KEPT)

ROWS_AT_ONCE = 50_000
BLOCK = 16 << 20
"""Bytes of a file that are read at once."""

DIGITS = 16
"""Hexadecimal digits of the digest of a judgment or a score."""

SALT_BYTES = 32

EDITS, REPLACEMENT = "edits", "replacement"
EDIT_KEPT = ("start", "end", REPLACEMENT, "type", "question", "verdict")
"""What is kept of an edit in the details of a rating."""

ANNOTATOR = re.compile(r"annotator-([0-9]{3,9})")


class AnnotatorNameError(ValueError):
    """An annotator is not named as in a bundle."""


def write_judgments(
    path: Path,
    frame: pd.DataFrame,
    order: IntArray,
    *,
    title: str,
    annotators: Mapping[str, int],
    renaming: Renaming,
    numbers: IntArray | None = None,
    positions: IntArray | None = None,
    progress: Progress,
) -> None:
    """Write the judgments of a snapshot as CSV in the format of exports, in bounded memory.

    Args:
        path: the file.
        frame: the snapshot, at least the columns HELD; with POINTS, if points on scales are to be kept.
        order: its rows in the order in which they are written.
        title: the name of the campaign in it.
        annotators: the number of each annotator.
        renaming: what systems and outputs are called.
        numbers: of the sentences, by those that the snapshot has; None if these are the numbers.
        positions: the position of each row in its judgment, by the order; None to keep positions.
        progress: called with the number of rows.
    """
    progress.begin("Writing the judgments", total=len(frame))
    parts = _parts(frame, order, numbers, positions)
    with path.open("w", encoding="utf-8", newline="") as file:
        file.writelines(csv_text(COLUMNS, _anonymous_rows(parts, title, annotators, renaming, progress)))


def in_order_of_digests(
    frame: pd.DataFrame, order: IntArray, renaming: Renaming, progress: Progress
) -> tuple[IntArray, IntArray]:
    """The rows in this order, but the outputs of each judgment in the order of their new digests.

    Judgments that were imported often have them in the order of the systems' names. The second array has the
    position of each of these rows in its judgment. `progress` may stop the work.
    """
    progress.begin("Sorting the outputs")
    outputs = frame["output"].cat
    digests = []
    for digest in outputs.categories:
        digests.append(str(renaming.output(digest)))
        progress.step()
    places = np.full(len(digests) + 1, -1)  # The last is that of no output.
    places[np.argsort(digests)] = np.arange(len(digests))
    progress.step()
    judgments, _ = pd.factorize(frame["judgment"].cat.codes.to_numpy()[order])
    within = np.lexsort((places[outputs.codes.to_numpy()[order]], judgments))
    judgments = judgments[within]
    firsts = np.flatnonzero(np.diff(judgments, prepend=-1))
    return order[within], np.arange(len(order)) - firsts[judgments]


def _parts(
    frame: pd.DataFrame, order: IntArray, numbers: IntArray | None, positions: IntArray | None
) -> Iterator[pd.DataFrame]:
    """The rows in order, some at a time, with judgments, sentences and positions as they are written."""
    judgments = _numbers_of_judgments(frame)
    for begin in range(0, len(order), ROWS_AT_ONCE):
        some = slice(begin, begin + ROWS_AT_ONCE)
        part = frame.iloc[order[some]].assign(judgment=judgments[order[some]])
        if numbers is not None:
            part = part.assign(sentence=numbers[part["sentence"].to_numpy()])
        if positions is not None:
            placed = pd.Series(positions[some], part.index, dtype="Int16")
            part = part.assign(position=placed.where(part["output"].notna()))
        yield part


def _numbers_of_judgments(frame: pd.DataFrame) -> AnyArray:
    """The number of the judgment of each row, with as many digits as the largest.

    As texts, they are in the order of the judgments that the snapshot names. Replicates are drawn in that
    order, so a seed draws the same ones from the bundle as from the campaign.
    """
    known, places = np.unique(frame["judgment"].cat.codes.to_numpy(), return_inverse=True)
    digits = len(str(len(known)))
    numbers = np.array([f"{number:0{digits}}" for number in range(1, len(known) + 1)], dtype=object)
    named: AnyArray = numbers[places]
    return named


def _anonymous_rows(
    parts: Iterable[pd.DataFrame],
    title: str,
    annotators: Mapping[str, int],
    renaming: Renaming,
    progress: Progress,
) -> Iterator[tuple[object, ...]]:
    cells: dict[tuple[str, ...], str] = {}
    salt = secrets.token_bytes(SALT_BYTES)
    for part in parts:
        columns: dict[str, list[Any]] = {name: [None] * len(part) for name in COLUMNS}
        for name in (*KEPT, "meaning_changed"):
            columns[name] = part[name].astype("object").where(part[name].notna(), None).tolist()
        if POINTS in part:
            columns[POINTS] = [
                edits_alone(text, salt + str(output).encode()) or points_alone(text)
                for text, output in zip(part[POINTS].astype("object"), part["output"], strict=True)
            ]
        columns["schema_version"] = [SCHEMA_VERSION] * len(part)
        columns["judgment"] = part["judgment"].tolist()
        columns["campaign"] = [guarded(title)] * len(part)
        columns["annotator_number"] = [annotators[key] for key in part["annotator"]]
        columns["annotator"] = [annotator_name(number) for number in columns["annotator_number"]]
        columns["output"] = [renaming.output(digest) for digest in columns["output"]]
        columns["propensities"] = [renaming.propensities(text) for text in columns["propensities"]]
        for names in part["systems"]:
            if names not in cells:
                cells[names] = guarded(" ".join(sorted(renaming.systems[name] for name in names)) or None)
        columns["systems"] = [cells[names] for names in part["systems"]]
        columns["meaning_changed"] = [
            None if flag is None else str(bool(flag)).lower() for flag in columns["meaning_changed"]
        ]
        yield from zip(*columns.values(), strict=True)
        progress.advance(len(part))


def edits_alone(details: object, salt: bytes) -> str | None:
    """The edits with their verdicts in the details of a rating; None if there are none.

    A replacement becomes its salted digest, so that nobody learns words by digests of all words; none stays
    none. With another salt for each output, equal words of two outputs differ.
    """
    if not isinstance(details, str) or EDITS not in details:
        return None
    read = json.loads(details)
    if edits_fault(read) is not None:
        return None
    edits = [{name: edit[name] for name in EDIT_KEPT if name in edit} for edit in read[EDITS]]
    for edit in edits:
        if text := edit.get(REPLACEMENT):
            edit[REPLACEMENT] = hashlib.sha256(salt + text.encode()).hexdigest()[:DIGITS]
    return json_text({EDITS: edits})


@cache
def points_alone(details: object) -> str | None:
    """The whole numbers and nulls in the details of a rating, or its marked errors; None if there are none.

    >>> points_alone('{"Fluency":3,"Meaning":null,"comment":"by Ann"}')
    '{"Fluency":3,"Meaning":null}'
    """
    read = json.loads(details) if isinstance(details, str) else {}
    if SPANS in read and marks_fault(read) is None:
        return json_text(marked_errors(read).details())
    points = {name: value for name, value in read.items() if value is None or type(value) is int}
    return json_text(points) if points else None


def read_judgments(path: Path, progress: Progress) -> pd.DataFrame:
    """The snapshot of the judgments of a bundle: that of `formats.snapshot.snapshots.frame_of_file`.

    It is read by columns, which is faster and needs less memory, but checks no row against others.

    Args:
        path: the file.
        progress: may stop the reading.

    Raises:
        FormatError: the file is not what it should be; the message names line and cause.
    """
    arrow = {"category": pa.dictionary(pa.int32(), pa.string()), "object": pa.string(), "boolean": pa.bool_()}
    types = {
        name: arrow.get(kind) or pa.type_for_alias(kind.lower()) if name in (*HELD, POINTS) else pa.null()
        for name, kind in DTYPES.items()
    }
    try:
        _check_header(path)
        reader = csv.open_csv(
            path,
            read_options=csv.ReadOptions(block_size=BLOCK),
            convert_options=csv.ConvertOptions(
                column_types=types,
                include_columns=[name for name in SNAPSHOT_COLUMNS if name != "campaign"],
                include_missing_columns=True,
                null_values=[""],
                true_values=["true"],
                false_values=["false"],
                strings_can_be_null=True,
            ),
        )
        table = pa.Table.from_batches(_each(reader, progress), reader.schema)
        columns: dict[str, object] = {}
        for name, kind in DTYPES.items():
            progress.step()
            if name == "campaign":
                columns[name] = _campaign(path.stem, len(table))
            else:
                columns[name] = _column(table[name], kind, progress)
                table = table.drop_columns(name)  # Each is freed as soon as it is converted.
        pa.default_memory_pool().release_unused()
        return pd.DataFrame(columns)
    except (FormatError, pa.ArrowInvalid, pa.ArrowKeyError, ValueError, TypeError):
        return frame_of_file(path)  # Says what is wrong, and where.


def _each(reader: csv.CSVStreamingReader, progress: Progress) -> Iterator[pa.RecordBatch]:
    for batch in reader:
        yield batch
        progress.step()


def _check_header(path: Path) -> None:
    """FormatError unless the file has all columns that its version may not lack."""
    with path.open(encoding="utf-8", newline="") as file:
        check_columns(file.readline().rstrip("\r\n").split(","), Place(path, 1))


def _campaign(name: str, rows: int) -> pd.Categorical:
    return pd.Categorical.from_codes(np.zeros(rows, np.int8), categories([name] if rows else []).categories)


def _column(values: pa.ChunkedArray, kind: str, progress: Progress) -> Any:
    if pa.types.is_null(values.type):
        if kind == "category":
            return pd.Categorical.from_codes(np.full(len(values), -1, np.int8), categories([]).categories)
        return pd.Series(index=pd.RangeIndex(len(values)), dtype=kind)
    if kind == "category":
        whole = values.unify_dictionaries().combine_chunks()
        strings = [unguarded(text) for text in whole.dictionary.to_pylist()]
        progress.step()
        order = sorted(range(len(strings)), key=lambda place: strings[place] or "")
        places = np.empty(len(order) + 1, dtype=np.int32)
        places[order] = np.arange(len(order))
        places[-1] = -1  # The code of missing values.
        codes = whole.indices.fill_null(len(order)).to_numpy()
        progress.step()
        names = pd.Index([strings[place] for place in order], dtype="str")
        return pd.Categorical.from_codes(places[codes], categories=names)
    if kind == "object":
        whole = values.combine_chunks().dictionary_encode()
        systems = [tuple((unguarded(text) or "").split(" ")) for text in whole.dictionary.to_pylist()]
        tuples = np.empty(len(systems) + 1, dtype=object)
        tuples[:] = [*systems, ()]
        return tuples[whole.indices.fill_null(len(systems)).to_numpy()]
    if not kind[0].isupper() and kind != "boolean" and values.null_count:
        raise ValueError("a number is missing")
    return values.to_pandas().astype(kind)


def annotator_name(number: int) -> str:
    """The name of an annotator in a bundle."""
    return f"annotator-{number:03}"


def number_of(name: str) -> int:
    """The number of the annotator of this name in a bundle.

    Raises:
        AnnotatorNameError: it is another name.
    """
    if named := ANNOTATOR.fullmatch(name):
        return int(named[1])
    raise AnnotatorNameError(f"the annotator {name!r} is not named as in a bundle, such as annotator-001")


def digests(path: Path) -> Iterator[str]:
    """A line for each judgment of a file: its number, and the first digits of the SHA-256 of its lines."""
    with path.open(encoding="utf-8", newline="") as file:
        next(file, None)
        for name, lines in groupby(file, key=lambda line: [*line.split(",", 2), "", ""][1]):
            digest = hashlib.sha256()
            for line in lines:
                digest.update(line.encode())
            yield f"{name} {digest.hexdigest()[:DIGITS]}\n"
