"""The current answers of a campaign as Arrow tables: kept in a file, and made into the frame. Pure.

A judgment is one row, and a rating is one row, so that nothing is stored twice; the frame repeats the
judgment beside each of its ratings. Rows stand in the order of the database's keys, and the other tables hold
what these rows name and nothing more, so equal answers give equal tables however they were put together.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from core.later import pa, pd
from formats.machines import AnnotatorKind
from formats.snapshot.judgment_columns import COLUMNS, RATED, Part
from formats.snapshot.snapshots import DTYPES
from formats.snapshot.vocabulary import JudgmentState

LAYOUT = "6"
"""Grows with every change of the tables, so that files of an older release are built anew."""

STATES = tuple(state.value for state in JudgmentState if state is not JudgmentState.SURPLUS)
"""The states of judgments that a snapshot holds; a table has their numbers."""

OF_ANSWERS = tuple(name for name in DTYPES if COLUMNS[name].part is Part.ANSWER)
OF_RATINGS = tuple(name for name in RATED if name in DTYPES)
"""The snapshot's columns of answers and of ratings."""

_UUID_GROUPS = ((0, 8), (8, 12), (12, 16), (16, 20), (20, 32))

Mask = NDArray[np.bool_]
Numbers = NDArray[np.int64]


@cache
def schemas() -> Mapping[str, pa.Schema]:
    """The columns of each table."""
    return {
        "judgments": pa.schema(
            {
                "key": pa.int64(),
                "answer": pa.int64(),
                "uuid": pa.binary(16),
                "annotator": pa.int32(),
                "item": pa.int64(),
                "repetition": pa.int32(),
                "state": pa.int8(),
                "ratings": pa.int32(),
                **{name: _type(name) for name in OF_ANSWERS},
            }
        ),
        "ratings": pa.schema(
            {"output": pa.int64(), "position": pa.int16(), **{name: _type(name) for name in OF_RATINGS}}
        ),
        "annotators": pa.schema({"pseudonym": pa.large_string()}),
        "items": pa.schema(
            {
                "key": pa.int64(),
                "number": pa.int32(),
                "sentence": pa.int32(),
                "propensities": pa.large_string(),
            }
        ),
        "outputs": pa.schema(
            {"key": pa.int64(), "digest": pa.large_string(), "systems": pa.list_(pa.large_string())}
        ),
    }


def _type(name: str) -> pa.DataType:
    """The type of a column that is read from records."""
    match DTYPES[name]:
        case "category":
            return pa.large_string()
        case "boolean":
            return pa.bool_()
        case "datetime64[us, UTC]":
            return pa.timestamp("us", "UTC")
        case number:
            return pa.type_for_alias(number.lower())


class SnapshotFileError(ValueError):
    """The file is not one that this release wrote for this campaign, or it is damaged."""


@dataclass(frozen=True, slots=True, eq=False)
class SnapshotTables:
    """Answers as they were read.

    Attributes:
        judgments: one row per judgment with its current answer. `key` and `answer` are the database's keys of
            the judgment and of the revision, `annotator` is a row of `annotators`, `item` a key of `items`,
            `ratings` the number of the answer's ratings.
        ratings: one row per rating, those of a judgment together as shown; `output` is a key of `outputs`.
        annotators: pseudonyms, in alphabetical order.
        items: number, position of the sentence and propensities by key.
        outputs: the outputs of items, with their systems there, by key.
    """

    judgments: pa.Table
    ratings: pa.Table
    annotators: pa.Table
    items: pa.Table
    outputs: pa.Table

    def only(self, judgments: Mask) -> SnapshotTables:
        """Only these judgments, with the annotators, items and outputs that they need."""
        rated = np.repeat(judgments, numbers(self.judgments["ratings"]))
        rows = self.judgments.filter(pa.array(judgments)), self.ratings.filter(pa.array(rated))
        return SnapshotTables(*rows, self.annotators, self.items, self.outputs).tidied()

    def pieces(self, judgments: int) -> Iterator[SnapshotTables]:
        """The tables cut into pieces of at most this many judgments, in order."""
        ends = np.cumsum(numbers(self.judgments["ratings"]))
        for first in range(0, len(self.judgments), judgments):
            rows = self.judgments.slice(first, judgments)
            begin = int(ends[first - 1]) if first else 0
            ratings = self.ratings.slice(begin, int(ends[first + len(rows) - 1]) - begin)
            yield SnapshotTables(rows, ratings, self.annotators, self.items, self.outputs).tidied()

    def joined_by(self, others: Sequence[SnapshotTables]) -> SnapshotTables:
        """All the judgments in order; the others know the same annotators, and hold no judgment twice."""
        parts = [self, *others]
        judgments, ratings, items, outputs = (
            pa.concat_tables([getattr(part, name) for part in parts])
            for name in ("judgments", "ratings", "items", "outputs")
        )
        keys, sizes = numbers(judgments["key"]), numbers(judgments["ratings"])
        if np.any(keys[1:] < keys[:-1]):
            order = np.argsort(keys)
            starts = np.cumsum(sizes) - sizes
            shifts = starts[order] - (np.cumsum(sizes[order]) - sizes[order])
            judgments = judgments.take(pa.array(order))
            rows = np.repeat(shifts, sizes[order]) + np.arange(len(ratings))
            ratings = ratings.take(pa.array(rows))
        return SnapshotTables(judgments, ratings, self.annotators, items, outputs)

    def knowing(self, pseudonyms: Sequence[str]) -> SnapshotTables:
        """The tables with these annotators, in alphabetical order, which must include their own."""
        mine = self.annotators["pseudonym"].to_pylist()
        codes = np.searchsorted(pseudonyms, mine) if mine else np.empty(0, dtype=np.int64)
        return replace(
            self,
            judgments=_with_column(self.judgments, "annotator", codes[numbers(self.judgments["annotator"])]),
            annotators=table("annotators", {"pseudonym": list(pseudonyms)}),
        )

    def missing(self) -> tuple[Numbers, Numbers]:
        """The keys of items and of outputs that are named and not there."""
        return (
            np.setdiff1d(pd.unique(numbers(self.judgments["item"])), numbers(self.items["key"])),
            np.setdiff1d(pd.unique(numbers(self.ratings["output"])), numbers(self.outputs["key"])),
        )

    def tidied(self) -> SnapshotTables:
        """The tables with only the annotators, items and outputs that their judgments name, in order."""
        used, codes = np.unique(numbers(self.judgments["annotator"]), return_inverse=True)
        return SnapshotTables(
            _with_column(self.judgments, "annotator", codes),
            self.ratings,
            self.annotators.take(pa.array(used)),
            _by_key(self.items, numbers(self.judgments["item"])),
            _by_key(self.outputs, numbers(self.ratings["output"])),
        )

    def write(self, file: IO[bytes], campaign: str) -> None:
        """Write one stream of Arrow after the other; `campaign` says whose answers these are."""
        about = {"layout": LAYOUT, "campaign": campaign}
        options = pa.ipc.IpcWriteOptions(compression="lz4")
        for name in schemas():
            part: pa.Table = getattr(self, name).combine_chunks().replace_schema_metadata(about)
            with pa.ipc.new_stream(file, part.schema, options=options) as writer:
                writer.write_table(part, max_chunksize=1_000_000)


def read_tables(file: IO[bytes], campaign: str) -> SnapshotTables:
    """The tables that `SnapshotTables.write` has written for this campaign.

    Raises:
        SnapshotFileError: the file is of another campaign or release, or damaged.
    """
    about = {b"layout": LAYOUT.encode(), b"campaign": campaign.encode()}
    parts = {}
    try:
        for name, schema in schemas().items():
            with pa.ipc.open_stream(file) as reader:
                if reader.schema.metadata != about or not reader.schema.equals(schema):
                    raise SnapshotFileError("another campaign or layout")
                parts[name] = reader.read_all()
                parts[name].validate()
    except (pa.ArrowException, OSError) as error:
        raise SnapshotFileError(str(error)) from error
    if numbers(parts["judgments"]["ratings"]).sum() != len(parts["ratings"]):
        raise SnapshotFileError("ratings are missing")
    return SnapshotTables(**parts)


def table(name: str, columns: Mapping[str, object]) -> pa.Table:
    """The table of this name with these columns: lists or arrays."""
    return pa.Table.from_pydict(dict(columns), schema=schemas()[name])


def empty_tables() -> SnapshotTables:
    """No answers."""
    return SnapshotTables(**{name: schema.empty_table() for name, schema in schemas().items()})


def numbers(column: pa.ChunkedArray) -> Numbers:
    """A column of whole numbers without nulls, each of at most 64 bits."""
    values: Numbers = column.to_numpy()
    return values


def snapshot_frame(
    tables: SnapshotTables,
    *,
    campaign: str,
    protocol: str,
    kind: AnnotatorKind = AnnotatorKind.PERSON,
    names: Mapping[str, str] | None = None,
    columns: Collection[str] = tuple(DTYPES),
    step: Callable[[], None] = lambda: None,
) -> pd.DataFrame:
    """The snapshot, judgments in order and ratings as shown.

    Args:
        tables: the answers.
        campaign: name of the campaign.
        protocol: name of its protocol.
        kind: of all the annotators.
        names: names for pseudonyms, if these are not to be shown.
        columns: the columns wanted, in any order.
        step: called before each column; an exception that it raises ends the work.
    """
    judgments, ratings = tables.judgments, tables.ratings
    sizes = numbers(judgments["ratings"])
    of_judgment = np.repeat(np.arange(len(judgments), dtype=np.int32), np.maximum(sizes, 1))
    rating = _rows_of_ratings(sizes)
    item = _places(tables.items["key"], judgments["item"])
    output = np.append(_places(tables.outputs["key"], ratings["output"]), np.int32(-1))[rating]
    annotators = tables.annotators["pseudonym"].to_pylist()
    if names is not None:
        annotators = [names[pseudonym] for pseudonym in annotators]
    made: Mapping[str, Callable[[], Any]] = {
        "judgment": lambda: _uuids(judgments["uuid"], of_judgment),
        "campaign": lambda: _categorical([campaign], np.zeros_like(of_judgment)),
        "protocol": lambda: _categorical([protocol], np.zeros_like(of_judgment)),
        "annotator": lambda: _categorical(annotators, numbers(judgments["annotator"])[of_judgment]),
        "sentence": lambda: numbers(tables.items["sentence"])[item][of_judgment],
        "item": lambda: numbers(tables.items["number"])[item][of_judgment],
        "repetition": lambda: numbers(judgments["repetition"])[of_judgment],
        "state": lambda: _categorical(STATES, numbers(judgments["state"])[of_judgment]),
        "output": lambda: _categorical(tables.outputs["digest"].to_pylist(), output),
        "systems": lambda: _tuples(tables.outputs["systems"])[output],
        "position": lambda: _nullable(ratings["position"], rating),
        **{name: partial(_values, name, ratings[name], rating) for name in OF_RATINGS},
        **{name: partial(_values, name, judgments[name], of_judgment) for name in OF_ANSWERS},
        "propensities": lambda: _texts(tables.items["propensities"], item[of_judgment]),
        "annotator_kind": lambda: _kinds(kind, len(of_judgment)),
    }
    frame = {}
    for name in DTYPES:
        if name in columns:
            step()
            frame[name] = made[name]()
    return pd.DataFrame(frame, copy=False)


def _kinds(kind: AnnotatorKind, rows: int) -> pd.Categorical:
    """The kind in all rows as the snapshot has it: null for people."""
    is_machine = rows > 0 and kind == AnnotatorKind.MACHINE
    categories = pd.Index([kind.value] if is_machine else [], dtype="str")
    return pd.Categorical.from_codes(np.full(rows, 0 if is_machine else -1, np.int8), categories=categories)


def _places(keys: pa.ChunkedArray, wanted: pa.ChunkedArray) -> NDArray[np.int32]:
    """The rows of the wanted keys, which are there, among keys in order."""
    return np.searchsorted(numbers(keys), numbers(wanted)).astype(np.int32)


def _rows_of_ratings(sizes: Numbers) -> NDArray[np.int32]:
    """The row of the rating that stands in each row of the frame; -1 for an answer without ratings."""
    is_rated = np.repeat(sizes > 0, np.maximum(sizes, 1))
    rows = np.full(len(is_rated), -1, dtype=np.int32)
    rows[is_rated] = np.arange(sizes.sum(), dtype=np.int32)
    return rows


def _categorical(strings: Sequence[str], codes: NDArray[np.integer]) -> pd.Categorical:
    """Rows of the strings, which may repeat, as categories of those that occur; -1 is null."""
    distinct, places = np.unique(np.array(strings, dtype=object), return_inverse=True)
    coded = np.append(places, -1).astype(np.int32)[codes]
    occurs = np.zeros(len(distinct) + 1, dtype=bool)
    occurs[coded] = True
    number = np.append(np.cumsum(occurs[:-1]) - 1, -1).astype(np.int32)
    return pd.Categorical.from_codes(number[coded], categories=pd.Index(distinct[occurs[:-1]], dtype="str"))


def _uuids(uuids: pa.ChunkedArray, rows: NDArray[np.int32]) -> pd.Categorical:
    """Rows of the UUIDs, of which each occurs, as categories in their usual notation."""
    raw = np.frombuffer(b"".join(uuids.to_pylist()), dtype=np.uint8).reshape(-1, 16)
    halves = raw.view(">u8")
    order = np.lexsort((halves[:, 1], halves[:, 0]))
    digits = np.frombuffer(raw[order].tobytes().hex().encode(), dtype=np.uint8).reshape(-1, 32)
    notation = np.full((len(raw), 36), ord("-"), dtype=np.uint8)
    for dashes, (begin, end) in enumerate(_UUID_GROUPS):
        notation[:, begin + dashes : end + dashes] = digits[:, begin:end]
    offsets = np.arange(0, 36 * len(raw) + 1, 36, dtype=np.int64)
    strings = pa.LargeStringArray.from_buffers(len(raw), pa.py_buffer(offsets), pa.py_buffer(notation))
    code = np.empty(len(raw), dtype=np.int32)
    code[order] = np.arange(len(raw), dtype=np.int32)
    return pd.Categorical.from_codes(code[rows], categories=pd.Index(strings.to_pandas(), dtype="str"))


def _values(name: str, column: pa.ChunkedArray, rows: NDArray[np.int32]) -> Any:
    """Rows of a column as the snapshot has it, -1 being null."""
    if pa.types.is_large_string(column.type):
        return _texts(column, rows)
    if pa.types.is_timestamp(column.type):
        return column.to_pandas().array.take(rows, allow_fill=True)
    return _nullable(column, rows) if COLUMNS[name].nullable else numbers(column)[rows]


def _texts(texts: pa.ChunkedArray, rows: NDArray[np.int32]) -> pd.Categorical:
    if texts.null_count == len(texts):
        nothing = pd.Index([], dtype="str")
        return pd.Categorical.from_codes(np.full(len(rows), -1, dtype=np.int8), categories=nothing)
    encoded = texts.combine_chunks().dictionary_encode()
    codes = np.append(encoded.indices.fill_null(-1).to_numpy(), np.int32(-1))
    return _categorical(encoded.dictionary.to_pylist(), codes[rows])


def _tuples(systems: pa.ChunkedArray) -> NDArray[np.object_]:
    """The names as tuples, equal ones the same, and the empty tuple at the end, at -1."""
    shared: dict[tuple[str, ...], tuple[str, ...]] = {}
    tuples = np.empty(len(systems) + 1, dtype=object)
    for row, names in enumerate([*systems.to_pylist(), ()]):
        tuples[row] = shared.setdefault(tuple(names), tuple(names))
    return tuples


def _nullable(column: pa.ChunkedArray, rows: NDArray[np.int32]) -> pd.api.extensions.ExtensionArray:
    """Rows of the column, -1 being null."""
    is_flag = pa.types.is_boolean(column.type)
    values = np.append(column.fill_null(False if is_flag else 0).to_numpy(), column.type.to_pandas_dtype()(0))
    mask = np.append(column.is_null().to_numpy(), True)
    masked = pd.arrays.BooleanArray if is_flag else pd.arrays.IntegerArray
    return masked(values[rows], mask[rows])


def _with_column(table: pa.Table, name: str, values: NDArray[np.integer]) -> pa.Table:
    place = table.schema.get_field_index(name)
    field = table.schema.field(place)
    return table.set_column(place, field, pa.array(values.astype(field.type.to_pandas_dtype())))


def _by_key(table: pa.Table, used: Numbers) -> pa.Table:
    """The rows with the used keys, each once, in the order of these; keys that are not there are left out."""
    keys = numbers(table["key"])
    order = np.argsort(keys, kind="stable")
    wanted = np.sort(pd.unique(used))
    places = np.searchsorted(keys[order], wanted)
    places = places[places < len(keys)]
    rows = order[places[keys[order][places] == wanted[: len(places)]]]
    return table.take(pa.array(rows))
