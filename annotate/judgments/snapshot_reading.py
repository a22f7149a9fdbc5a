"""The current answers of a campaign as the tables of its snapshot.

The keys of all answers are read first, as arrays of numbers; then the answers follow in chunks. No statement
runs long, and none holds a transaction open.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from django.db.models import Case, F, IntegerField, Value, When
from numpy.typing import NDArray

from annotate.database.column_reading import NUMBER, Among, read_columns
from annotate.judgments.answer_reading import Columns, read_answers
from annotate.judgments.pseudonyms import check_may_name, names_by_pseudonym, pseudonym
from annotate.models import Annotator, Campaign, Item, ItemOutput, JudgmentState, Revision, User
from core.later import pa, pd
from formats.machines import AnnotatorKind
from formats.snapshot.answer_details import json_text
from formats.snapshot.judgment_columns import COLUMNS, IN_DETAILS, Kind
from formats.snapshot.judgment_rows import without_columns
from formats.snapshot.propensities_json import propensities_text
from formats.snapshot.snapshot_tables import (
    OF_ANSWERS,
    OF_RATINGS,
    STATES,
    Numbers,
    SnapshotTables,
    empty_tables,
    schemas,
    snapshot_frame,
    table,
)
from formats.snapshot.snapshots import DTYPES

KEYS_PER_FETCH = 20_000
ANSWERS_PER_CHUNK = 20_000
"""With five ratings per answer, reading a chunk takes about 40 MB."""

_OF_ANSWERS = (
    *("uuid", "annotator_key", "item_key", "repetition"),
    *(COLUMNS[name].field for name in OF_ANSWERS if name not in IN_DETAILS),
)
_OF_RATINGS = ("output_key", "position", *(COLUMNS[name].field for name in OF_RATINGS))

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True, eq=False)
class AnswerKeys:
    """The answers that count, in the order of their judgments.

    Stored answers and their ratings never change. So the key of an answer and the state of its judgment are
    enough to decide whether an earlier reading is still valid.

    Attributes:
        judgments: keys of the judgments.
        answers: keys of their current revisions.
        states: the judgments' states as indices into `STATES`.
    """

    judgments: Numbers
    answers: Numbers
    states: Numbers

    def hold(self, others: AnswerKeys) -> NDArray[np.bool_]:
        """Which of the others are among these with the same state."""
        if not len(self.answers):
            return np.zeros(len(others.answers), dtype=np.bool_)
        place = np.minimum(np.searchsorted(self.judgments, others.judgments), len(self.judgments) - 1)
        same: NDArray[np.bool_] = (self.answers[place] == others.answers) & (
            self.states[place] == others.states
        )
        return same

    def only(self, wanted: NDArray[np.bool_] | slice) -> AnswerKeys:
        """A selection of the answers."""
        return AnswerKeys(self.judgments[wanted], self.answers[wanted], self.states[wanted])


def answer_keys(
    campaign: Campaign,
    annotator: Annotator | None = None,
    *,
    kind: AnnotatorKind = AnnotatorKind.PERSON,
) -> AnswerKeys:
    """The current answers of annotators of a kind, or of one of them, without surplus ones."""
    wanted: dict[str, object] = {
        "judgment__campaign": campaign,
        "judgment__by_machine": int(kind == AnnotatorKind.MACHINE),
    }
    if annotator is not None:
        wanted["judgment__annotator"] = annotator
    state = Case(
        *(When(judgment__state=name, then=Value(place)) for place, name in enumerate(STATES)),
        output_field=IntegerField(),
    )
    rows = (
        Revision.objects.filter(**wanted, is_current=True)
        .exclude(judgment__state=JudgmentState.SURPLUS)
        .values_list("judgment_id", "pk", state)
    )
    judgments, answers, states = read_columns(rows, [NUMBER] * 3)
    order = np.argsort(judgments)
    return AnswerKeys(judgments[order], answers[order], states[order])


def tables_of(
    campaign: Campaign, keys: AnswerKeys, *, beside: SnapshotTables, progress: Progress
) -> SnapshotTables:
    """These answers, combined with others that were read before, all of annotators of one kind.

    `progress` gets, for each chunk that is read, its number of answers and the total number of ratings so
    far. Answers that are deleted meanwhile are left out.

    Raises:
        Campaign.DoesNotExist: it was deleted meanwhile.
    """
    names = Annotator.every.filter(campaign=campaign).values_list("pk", "name")
    pseudonym_of = {key: pseudonym(campaign, name) for key, name in names}
    pseudonyms = sorted(pseudonym_of.values())
    places = pd.Series(
        [bisect_left(pseudonyms, name) for name in pseudonym_of.values()], [*pseudonym_of], dtype="int64"
    )
    beside = beside.knowing(pseudonyms)
    chunks, ratings = [], len(beside.ratings)
    for first in range(0, len(keys.answers), ANSWERS_PER_CHUNK):
        chunk = keys.only(slice(first, first + ANSWERS_PER_CHUNK))
        chunks.append(_read_chunk(chunk, places, beside.annotators))
        ratings += len(chunks[-1].ratings)
        progress(len(chunk.answers), ratings)
    tables = beside.joined_by(chunks)
    items, outputs = tables.missing()
    tables = replace(
        tables,
        items=pa.concat_tables([tables.items, *map(_items, _in_chunks(items))]),
        outputs=pa.concat_tables([tables.outputs, *map(_outputs, _in_chunks(outputs))]),
    )
    if any(map(len, tables.missing())):
        raise Campaign.DoesNotExist
    return tables.tidied()


def _in_chunks(keys: Numbers) -> Iterator[list[int]]:
    for first in range(0, len(keys), KEYS_PER_FETCH):
        yield keys[first : first + KEYS_PER_FETCH].tolist()


def _items(keys: list[int]) -> pa.Table:
    items = Item.objects.filter(Among(F("pk"), keys)).order_by()
    rows = items.values_list("pk", "number", "sentence__position", "propensities")
    return _table(
        "items",
        ((*row, None if stored is None else propensities_text(stored)) for *row, stored in rows),
    )


def _outputs(keys: list[int]) -> pa.Table:
    outputs = ItemOutput.objects.filter(Among(F("pk"), keys))
    return _table("outputs", outputs.order_by().values_list("pk", "output__digest", "systems"))


def _table(name: str, rows: Iterable[tuple[object, ...]]) -> pa.Table:
    columns = list(zip(*rows, strict=True)) or [()] * len(schemas()[name])
    return table(name, dict(zip(schemas()[name].names, map(list, columns), strict=True)))


def _read_chunk(keys: AnswerKeys, places: pd.Series[Any], annotators: pa.Table) -> SnapshotTables:
    """The answers with these keys."""
    revisions = Revision.objects.filter(Among(F("pk"), keys.answers.tolist()))
    read = read_answers(revisions, _OF_ANSWERS, _OF_RATINGS)
    answers, ratings = _with_columns_of_details(read.columns), read.ratings
    if not np.isin(answers["annotator_key"], places.index).all():
        raise Campaign.DoesNotExist
    state = keys.states[np.searchsorted(keys.judgments, answers["judgment_key"])]
    return replace(
        empty_tables(),
        judgments=table(
            "judgments",
            {
                "key": answers["judgment_key"],
                "answer": answers["answer_key"],
                "uuid": pa.FixedSizeBinaryArray.from_buffers(
                    pa.binary(16), len(state), [None, pa.py_buffer(answers["uuid"])]
                ),
                "annotator": places[answers["annotator_key"]].to_numpy(),
                "item": answers["item_key"],
                "repetition": answers["repetition"].astype(np.int32),
                "state": state.astype(np.int8),
                "ratings": read.sizes.astype(np.int32),
                **{name: _values("judgments", name, answers) for name in OF_ANSWERS},
            },
        ),
        ratings=table(
            "ratings",
            {
                "output": ratings["output_key"],
                "position": ratings["position"].astype(np.int16),
                **{name: _values("ratings", name, ratings) for name in OF_RATINGS},
            },
        ),
        annotators=annotators,
    )


def _with_columns_of_details(read: Columns) -> Columns:
    """The columns, those that come from details apart from them."""
    parted = [without_columns(details) for details in read["details"].tolist()]
    own = {
        name: np.array([-1 if values[name] is None else values[name] for _, values in parted], dtype=np.int64)
        for name in IN_DETAILS
    }
    return {**read, "details": np.array([rest for rest, _ in parted], dtype=object), **own}


def _values(part: str, name: str, read: Columns) -> object:
    """The values of a column of the schema, as the table `part` takes them."""
    column, kept = COLUMNS[name], schemas()[part].field(name).type
    values = read[column.field]
    match column.kind:
        case Kind.NUMBER | Kind.FLAG:  # -1 is null.
            return pa.array(values.astype(kept.to_pandas_dtype()), mask=values < 0)
        case Kind.TIME:  # NaT is null.
            return pa.array(values).cast(kept)
        case Kind.TEXT:
            return values
    return [None if value is None else json_text(value) for value in values.tolist()]


def frame_of_tables(
    campaign: Campaign,
    tables: SnapshotTables,
    *,
    kind: AnnotatorKind = AnnotatorKind.PERSON,
    names: bool = False,
    by: User | None = None,
    columns: Collection[str] = tuple(DTYPES),
    step: Callable[[], None] = lambda: None,
) -> pd.DataFrame:
    """These columns of the snapshot of annotators of a kind, by pseudonym or, on request, by name.

    `step` is called before each column.

    Raises:
        PermissionDenied: a user who is not an admin requests names.
    """
    check_may_name(names=names, by=by)
    return snapshot_frame(
        tables,
        campaign=campaign.name,
        protocol=campaign.protocol,
        kind=kind,
        names=names_by_pseudonym(campaign) if names else None,
        columns=columns,
        step=step,
    )
