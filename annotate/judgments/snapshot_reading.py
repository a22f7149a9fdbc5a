"""The current answers of a campaign, read from the database column by column.

The keys of all answers come first, as arrays of numbers; the answers follow in chunks of them. No statement
runs long, none holds a transaction open, and no judgment is ever an object of Python's.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from django.db.models import Case, F, IntegerField, Value, When
from django.db.models.functions import Cast
from numpy.typing import NDArray

from annotate.judgments.column_reading import NUMBER, TIME, UUID, Among, read_columns
from annotate.judgments.pseudonyms import check_may_name, names_by_pseudonym, pseudonym
from annotate.models import Annotator, Campaign, Item, ItemOutput, JudgmentState, Rating, Revision, User
from formats.columns import LATER_SNAPSHOT_COLUMNS
from formats.details import json_text
from formats.snapshot_tables import (
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

BEYOND_RATINGS = ("text", *LATER_SNAPSHOT_COLUMNS)
"""What answers hold beside ratings, as both tables and snapshot call it."""

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


def answer_keys(campaign: Campaign, annotator: Annotator | None = None) -> AnswerKeys:
    """The current answers of the campaign, or of one annotator in it, none of them surplus."""
    wanted: dict[str, Any] = {"judgment__campaign": campaign}
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
    rows = (
        Item.objects.filter(Among(F("pk"), keys)).order_by().values_list("pk", "number", "sentence__position")
    )
    return _table("items", rows)


def _outputs(keys: list[int]) -> pa.Table:
    outputs = ItemOutput.objects.filter(Among(F("pk"), keys))
    return _table("outputs", outputs.order_by().values_list("pk", "output__digest", "systems"))


def _table(name: str, rows: Iterable[tuple[Any, ...]]) -> pa.Table:
    columns = list(zip(*rows, strict=True)) or [()] * len(SCHEMAS[name])
    return table(name, dict(zip(SCHEMAS[name].names, map(list, columns), strict=True)))


def _read_chunk(keys: AnswerKeys, places: "pd.Series[Any]", annotators: pa.Table) -> SnapshotTables:
    """The answers with these keys."""
    only_ratings = {f"{name}__isnull": True for name in BEYOND_RATINGS}
    says_more = Case(When(**only_ratings, then=Value(0)), default=Value(1), output_field=IntegerField())
    columns = (
        ("judgment_id", NUMBER),
        ("pk", NUMBER),
        ("judgment__uuid", UUID),
        ("judgment__annotator_id", NUMBER),
        ("judgment__item_id", NUMBER),
        ("judgment__repetition", NUMBER),
        ("number", NUMBER),
        ("started_at", TIME),
        ("submitted_at", TIME),
        ("active_ms", NUMBER),
        (says_more, NUMBER),
    )
    names, kinds = zip(*columns, strict=True)
    rows = Revision.objects.filter(Among(F("pk"), keys.answers.tolist())).values_list(*names)
    read = read_columns(rows, kinds)
    order = np.argsort(read[0])
    judgments, answers, uuids, judges, items, repetitions, numbers, started, submitted, active, more = (
        column[order] for column in read
    )
    if not np.isin(judges, places.index).all():
        raise Campaign.DoesNotExist
    ratings, sizes = _ratings(answers)
    texts, *later = _beyond_ratings(answers, more == 1)
    return replace(
        empty_tables(),
        judgments=table(
            "judgments",
            {
                "key": judgments,
                "answer": answers,
                "uuid": pa.FixedSizeBinaryArray.from_buffers(
                    pa.binary(16), len(uuids), [None, pa.py_buffer(uuids)]
                ),
                "annotator": places[judges].to_numpy(),
                "item": items,
                "repetition": repetitions.astype(np.int32),
                "state": keys.states[np.searchsorted(keys.judgments, judgments)].astype(np.int8),
                "text": texts,
                "revision": numbers.astype(np.int16),
                "started_at": pa.array(started).cast(SCHEMAS["judgments"].field("started_at").type),
                "submitted_at": pa.array(submitted).cast(SCHEMAS["judgments"].field("submitted_at").type),
                "active_ms": _whole(active, np.int64),
                "ratings": sizes.astype(np.int32),
                **dict(zip(LATER_SNAPSHOT_COLUMNS, later, strict=True)),
            },
        ),
        ratings=ratings,
        annotators=annotators,
    )


def _beyond_ratings(answers: Numbers, says_more: NDArray[np.bool_]) -> list[pa.Array]:
    """Text, further texts, verdict and details of the answers; few protocols ask for any."""
    if not says_more.any():
        return [pa.nulls(len(answers), pa.large_string())] * len(BEYOND_RATINGS)
    wanted = Revision.objects.filter(Among(F("pk"), answers[says_more].tolist()))
    values = {answer: row for answer, *row in wanted.order_by().values_list("pk", *BEYOND_RATINGS)}
    nothing = [None] * len(BEYOND_RATINGS)
    columns = zip(*(values.get(answer, nothing) for answer in answers.tolist()), strict=True)
    return [pa.array(map(_as_text, column), pa.large_string()) for column in columns]


def _as_text(value: Any) -> str | None:
    if value is None or isinstance(value, str):
        return value
    return json_text(value)


def _ratings(answers: Numbers) -> tuple[pa.Table, Numbers]:
    """The ratings of the answers with these keys, as shown, and the number of each answer's ratings."""
    meaning_changed = Cast("meaning_changed", IntegerField())
    rows = Rating.objects.filter(Among(F("revision_id"), answers.tolist())).values_list(
        "revision_id", "item_output_id", "position", "rank", "score", meaning_changed
    )
    columns = np.stack(read_columns(rows, [NUMBER] * 6))
    order = np.argsort(answers)
    place = order[np.searchsorted(answers, columns[0], sorter=order)]
    output, position, rank, score, meaning = columns[1:, np.lexsort((columns[2], place))]
    ratings = table(
        "ratings",
        {
            "output": output,
            "position": position.astype(np.int16),
            "rank": _whole(rank, np.int16),
            "score": _whole(score, np.int16),
            "meaning_changed": _whole(meaning, np.bool_),
        },
    )
    return ratings, np.bincount(place, minlength=len(answers))


def _whole(values: Numbers, dtype: type[np.generic]) -> pa.Array:
    """The numbers as such, or as flags; -1 is null."""
    return pa.array(values.astype(dtype), mask=values < 0)


def frame_of_tables(
    campaign: Campaign, tables: SnapshotTables, *, names: bool = False, by: User | None = None
) -> pd.DataFrame:
    """The snapshot of the answers, annotators by pseudonym unless somebody who may asks for names.

    Raises:
        PermissionDenied: somebody who is no admin asks for names.
    """
    check_may_name(names=names, by=by)
    return snapshot_frame(
        tables,
        campaign=campaign.name,
        protocol=campaign.protocol,
        names=names_by_pseudonym(campaign) if names else None,
    )
