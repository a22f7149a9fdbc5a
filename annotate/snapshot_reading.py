"""The current answers of a campaign, read from the database column by column.

The keys of all answers come first, by a cursor of the server, and are numbers in an array; the answers
follow in chunks of them. No statement runs long, none holds a transaction open, and no judgment is a Python
object for longer than its chunk.
"""

import json
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from django.db.models import Case, F, IntegerField, Lookup, TextField, Value, When
from django.db.models.functions import Cast
from numpy.typing import NDArray

from annotate.models import Annotator, Campaign, Item, ItemOutput, JudgmentState, Rating, Revision
from annotate.pseudonyms import names_by_pseudonym, pseudonym
from annotate.snapshot_tables import (
    SCHEMAS,
    STATES,
    Numbers,
    SnapshotTables,
    empty_tables,
    snapshot_frame,
    table,
)

KEYS_PER_FETCH = 20_000
ANSWERS_PER_CHUNK = 20_000
"""With five ratings each, a chunk takes some 40 MB while it is read."""

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True, eq=False)
class AnswerKeys:
    """The answers that count, in the order of their judgments.

    An answer is never changed once it is stored, nor are its ratings: who knows its key and the state of its
    judgment knows whether what was read of it still holds.

    Attributes:
        judgments: keys of the judgments.
        answers: keys of their current revisions.
        states: numbers of the judgments' states in `STATES`.
    """

    judgments: Numbers
    answers: Numbers
    states: Numbers

    def hold(self, others: "AnswerKeys") -> NDArray[np.bool_]:
        """Which of the others are among these, with the same state."""
        if not len(self.answers):
            return np.zeros(len(others.answers), dtype=np.bool_)
        place = np.minimum(np.searchsorted(self.judgments, others.judgments), len(self.judgments) - 1)
        same: NDArray[np.bool_] = (self.answers[place] == others.answers) & (
            self.states[place] == others.states
        )
        return same

    def only(self, wanted: NDArray[np.bool_] | slice) -> "AnswerKeys":
        """Some of them."""
        return AnswerKeys(self.judgments[wanted], self.answers[wanted], self.states[wanted])


class Among(Lookup):
    """Whether a number is among these, which may be many thousands: they are one parameter."""

    prepare_rhs = False

    def as_sqlite(self, compiler: Any, connection: Any) -> tuple[str, list[Any]]:
        column, parameters = self.process_lhs(compiler, connection)
        them = "(SELECT value FROM json_each(%s))"
        return f"{column} IN {them}", [*parameters, json.dumps(self.rhs)]

    def as_postgresql(self, compiler: Any, connection: Any) -> tuple[str, list[Any]]:
        column, parameters = self.process_lhs(compiler, connection)
        return f"{column} = ANY(%s)", [*parameters, self.rhs]


def answer_keys(campaign: Campaign, annotator: Annotator | None = None) -> AnswerKeys:
    """The current answers of the campaign, or of one annotator in it, none of them surplus."""
    wanted: dict[str, Any] = {"judgment__item__campaign": campaign}
    if annotator is not None:
        wanted["judgment__annotator"] = annotator
    state = Case(
        *(When(judgment__state=name, then=Value(place)) for place, name in enumerate(STATES)),
        output_field=IntegerField(),
    )
    rows = (
        Revision.objects.filter(**wanted, is_current=True)
        .exclude(judgment__state=JudgmentState.SURPLUS)
        .order_by()
        .values_list("judgment_id", "pk", state)
    )
    keys = np.fromiter(chain.from_iterable(rows.iterator(KEYS_PER_FETCH)), dtype=np.int64).reshape(-1, 3)
    return AnswerKeys(*keys[np.argsort(keys[:, 0])].T)


def read_answers(
    campaign: Campaign, keys: AnswerKeys, *, beside: SnapshotTables, progress: Progress
) -> SnapshotTables:
    """These answers, together with others that were read before.

    `progress` is told the number of answers of each chunk when they have been read with their ratings, and
    how many ratings there are by then. An answer that is deleted meanwhile is left out.

    Raises:
        Campaign.DoesNotExist: it is deleted meanwhile.
    """
    names = campaign.annotators.values_list("pk", "name")
    known_as = {key: pseudonym(campaign, name) for key, name in names}
    pseudonyms = sorted(known_as.values())
    places = {key: bisect_left(pseudonyms, name) for key, name in known_as.items()}
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
    rows = (
        Item.objects.filter(Among(F("pk"), keys)).order_by().values_list("pk", "number", "sentence__position")
    )
    return _table("items", rows)


def _outputs(keys: list[int]) -> pa.Table:
    found = ItemOutput.objects.filter(Among(F("pk"), keys))
    return _table("outputs", found.order_by().values_list("pk", "output__digest", "systems"))


def _table(name: str, rows: Iterable[tuple[Any, ...]]) -> pa.Table:
    columns = list(zip(*rows, strict=True)) or [()] * len(SCHEMAS[name])
    return table(name, dict(zip(SCHEMAS[name].names, map(list, columns), strict=True)))


def _read_chunk(keys: AnswerKeys, places: Mapping[int, int], annotators: pa.Table) -> SnapshotTables:
    """The answers with these keys. Times and UUIDs come as text, which is cheaper than objects of them."""
    answers = keys.answers.tolist()
    rows = sorted(
        Revision.objects.filter(Among(F("pk"), answers))
        .order_by()
        .values_list(
            "judgment_id",
            "pk",
            Cast("judgment__uuid", TextField()),
            "judgment__annotator_id",
            "judgment__item_id",
            "judgment__repetition",
            "text",
            "number",
            Cast("started_at", TextField()),
            Cast("submitted_at", TextField()),
            "active_ms",
        )
    )
    columns = list(zip(*rows, strict=True)) or [()] * 11
    judgments, revisions, uuids, judges, items, repetitions, texts, revision, started, submitted, ms = columns
    ratings, sizes = _ratings(np.array(revisions, dtype=np.int64))
    there = np.searchsorted(keys.judgments, np.array(judgments, dtype=np.int64))
    return replace(
        empty_tables(),
        judgments=table(
            "judgments",
            {
                "key": judgments,
                "answer": revisions,
                "uuid": [bytes.fromhex(uuid.replace("-", "")) for uuid in uuids],
                "annotator": [places[judge] for judge in judges],
                "item": items,
                "repetition": repetitions,
                "state": keys.states[there].astype(np.int8),
                "text": texts,
                "revision": revision,
                "started_at": _times(started),
                "submitted_at": _times(submitted),
                "active_ms": ms,
                "ratings": sizes.astype(np.int32),
            },
        ),
        ratings=ratings,
        annotators=annotators,
    )


def _times(texts: Sequence[str | None]) -> pa.Array:
    times = pd.to_datetime(pd.Series(np.array(texts, dtype=object), dtype="str"), format="ISO8601", utc=True)
    return pa.array(times.dt.as_unit("us"), from_pandas=True)


def _ratings(answers: Numbers) -> tuple[pa.Table, Numbers]:
    """The ratings of the answers with these keys, as shown, and the number of each answer's ratings."""
    rows = (
        Rating.objects.filter(Among(F("revision_id"), answers.tolist()))
        .order_by()
        .values_list(
            "revision_id",
            "item_output_id",
            "position",
            "rank",
            "score",
            Cast("meaning_changed", IntegerField()),
        )
    )
    # Keys are exact as floats up to 2**53; None becomes NaN.
    found = np.array(list(rows), dtype=np.float64).reshape(-1, 6)
    order = np.argsort(answers)
    place = order[np.searchsorted(answers, found[:, 0], sorter=order)]
    by_answer = np.lexsort((found[:, 2], place))
    output, position, rank, score, meaning_changed = found[by_answer, 1:].T
    ratings = table(
        "ratings",
        {
            "output": output.astype(np.int64),
            "position": position.astype(np.int16),
            "rank": _whole(rank, np.int16),
            "score": _whole(score, np.int16),
            "meaning_changed": _whole(meaning_changed, np.bool_),
        },
    )
    return ratings, np.bincount(place, minlength=len(answers))


def _whole(values: NDArray[np.float64], dtype: type[np.generic]) -> pa.Array:
    """The numbers as such, or as flags; NaN is null."""
    missing = np.isnan(values)
    return pa.array(np.where(missing, 0, values).astype(dtype), mask=missing)


def named_frame(campaign: Campaign, tables: SnapshotTables) -> pd.DataFrame:
    """The snapshot of the answers, annotators by name."""
    return snapshot_frame(
        tables, campaign=campaign.name, protocol=campaign.protocol, names=names_by_pseudonym(campaign)
    )
