"""The judgments of a release: under pseudonyms, in an order that tells nothing, in flat memory."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annotate.database.column_reading import NUMBER, read_columns
from annotate.judgments.records import judgment_records
from annotate.judgments.stream import JUDGMENTS_PER_CHUNK, Selection, selected_judgments
from annotate.models import Annotator, Campaign
from core.progress import Progress
from formats import AnswerRecord, JudgmentRecord
from formats.machines import AnnotatorKind
from formats.snapshot.judgment_columns import COLUMNS, Value
from formats.snapshot.judgment_rows import table_rows

SYSTEMS_PLACE = tuple(COLUMNS).index("systems")
"""Of the column `systems` in a row."""

HIDDEN_OF_MACHINES = "run_by"
"""The part of a machine's description that may name a person."""

SAID = {AnnotatorKind.PERSON: "people", AnnotatorKind.MACHINE: "machines"}


@dataclass(slots=True)
class Counted:
    """Numbers of the judgments that were written.

    Attributes:
        states: judgments by state.
        annotators: pseudonyms of those who judged.
        items: number of items with a judgment.
        first, last: days of the first and the last answer whose time is known.
        timed: judgments with an active time.
        active_ms: sum of active times, in milliseconds.
    """

    states: Counter[str] = field(default_factory=Counter)
    annotators: set[str] = field(default_factory=set)
    items: int = 0
    first: date | None = None
    last: date | None = None
    timed: int = 0
    active_ms: int = 0
    _item: int | None = None

    def add(self, judgment: JudgmentRecord) -> None:
        """Count a judgment; those of an item follow one another."""
        self.states[judgment.state] += 1
        self.annotators.add(judgment.annotator)
        self.items += judgment.item != self._item
        self._item = judgment.item
        if (time := judgment.current.submitted_at) is not None:
            day = time.date()
            self.first = min(self.first or day, day)
            self.last = max(self.last or day, day)
        if judgment.current.active_ms is not None:
            self.timed += 1
            self.active_ms += judgment.current.active_ms


@dataclass(frozen=True, slots=True)
class Released:
    """How judgments are released.

    Attributes:
        campaign: whose judgments they are.
        kind: of the annotators.
        named: gives the pseudonym of an annotator.
        leaves_out_texts: whether texts of annotators are left out.
        withdrawn: names of systems that are left out, with outputs by no other system.
        labels: texts of the protocol's own, which stay in details where texts are left out.
        before: number of judgments of campaigns before this one, after which its own are numbered.
    """

    campaign: Campaign
    kind: AnnotatorKind
    named: Callable[[str], str]
    leaves_out_texts: bool
    withdrawn: frozenset[str]
    labels: frozenset[str] = frozenset()
    before: int = 0

    def rows(self, counted: Counted, progress: Progress) -> Iterator[tuple[Value, ...]]:
        """The rows of all judgments in the columns of exports, sorted by item, repetition and pseudonym."""
        keys = self._sorted_keys()
        progress.begin(f"Writing judgments by {SAID[self.kind]}", total=len(keys))
        number = self.before
        for first in range(0, len(keys), JUDGMENTS_PER_CHUNK):
            chunk = keys[first : first + JUDGMENTS_PER_CHUNK].tolist()
            records = judgment_records(self.campaign, chunk, history=False, named=self.named)
            for record in sorted(records, key=lambda each: (each.item, each.repetition, each.annotator)):
                number += 1
                judgment = self._prepared(record, number)
                counted.add(judgment)
                for row in table_rows(judgment, campaign=self.campaign.name):
                    yield from self._shown(row)
            progress.advance(len(chunk))

    def _sorted_keys(self) -> NDArray[np.int64]:
        """Keys of the judgments in the order of the release; those of a million take 40 MB."""
        annotators = Annotator.every.filter(campaign=self.campaign, kind=self.kind.value)
        named = {key: self.named(name) for key, name in annotators.values_list("pk", "name")}
        order = {key: rank for rank, key in enumerate(sorted(named, key=named.__getitem__))}
        selected = selected_judgments(self.campaign, Selection(kinds=[self.kind])).order_by()
        columns = ("pk", "item__number", "repetition", "annotator_id")
        keys, items, repetitions, by = read_columns(selected.values_list(*columns), (NUMBER,) * len(columns))
        ranks = np.array([order[key] for key in by.tolist()], dtype=np.int64)
        sorted_keys: NDArray[np.int64] = keys[np.lexsort((keys, ranks, repetitions, items))]
        return sorted_keys

    def _prepared(self, record: JudgmentRecord, number: int) -> JudgmentRecord:
        """The judgment without what would identify it, its annotator or the time of day."""
        answer = record.current
        kept = replace(
            answer,
            started_at=_day(answer.started_at),
            submitted_at=_day(answer.submitted_at),
            note="",
        )
        if self.leaves_out_texts:
            kept = _without_texts(kept, self.labels)
        machine = record.machine
        return replace(
            record,
            key=str(number),
            answers=(kept,),
            annotator_number=None,
            machine=machine and {name: machine[name] for name in machine if name != HIDDEN_OF_MACHINES},
            propensities=self._propensities(record),
        )

    def _propensities(self, record: JudgmentRecord) -> Mapping[str, Sequence[float]] | None:
        """Those among the outputs that are released."""
        if not record.propensities or not self.withdrawn:
            return record.propensities
        ratings = record.current.ratings
        gone = {each.output for each in ratings if self.withdrawn.issuperset(each.systems)}
        digests = sorted(record.propensities)
        places = [place for place, digest in enumerate(digests) if digest not in gone]
        return {digests[row]: [record.propensities[digests[row]][each] for each in places] for row in places}

    def _shown(self, row: tuple[Value, ...]) -> Iterator[tuple[Value, ...]]:
        """The row without withdrawn systems; nothing if its output is by these alone."""
        systems = row[SYSTEMS_PLACE]
        if not self.withdrawn or not isinstance(systems, tuple) or not self.withdrawn.intersection(systems):
            yield row
        elif left := tuple(name for name in systems if name not in self.withdrawn):
            yield (*row[:SYSTEMS_PLACE], left, *row[SYSTEMS_PLACE + 1 :])


def labels_of(options: object) -> Iterator[str]:
    """All texts in the options of a protocol, and their lines, such as labels, at any depth."""
    if isinstance(options, str):
        yield from (options, *(line.strip() for line in options.splitlines()))
    elif isinstance(options, Mapping):
        yield from chain(options, *map(labels_of, options.values()))
    elif isinstance(options, Sequence):
        yield from chain(*map(labels_of, options))


def _without_texts(answer: AnswerRecord, labels: frozenset[str]) -> AnswerRecord:
    """The answer without texts, also where a protocol keeps them in details."""
    ratings = tuple(
        replace(each, rating_details=_cleared(each.rating_details, labels)) for each in answer.ratings
    )
    details = _cleared(answer.details, labels)
    return replace(answer, text=None, further_texts=(), ratings=ratings, details=details)


def _cleared(value: Any, labels: frozenset[str]) -> Any:
    """A value of JSON with null for each text that is no label; names of keys are kept."""
    if isinstance(value, str):
        return value if value in labels else None
    if isinstance(value, Mapping):
        return {key: _cleared(each, labels) for key, each in value.items()}
    if isinstance(value, Sequence):
        return [_cleared(each, labels) for each in value]
    return value


def _day(time: datetime | None) -> datetime | None:
    """The beginning of the day in UTC."""
    return time and time.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
