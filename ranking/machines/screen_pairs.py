"""Pairs of systems as people judged them on screens, and a machine's answers about the same pairs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from core.arrays import FloatArray, IntArray
from core.later import pd
from ranking.judgments.pairs import BY_RANKS, OutputPairs, row_pairs
from ranking.judgments.snapshot import Basis, compared_outputs, system_names
from ranking.judgments.system_rows import numbered, runs, system_lists

NO_ANSWER = -9
"""Stands for an outcome where a machine gave none."""

Outcomes = NDArray[np.int8]
"""Shape (n,), for n pairs: 1 where the first system is better, 0 for a tie, -1 where the second is."""


class JudgedUnits(Protocol):
    """The n answers of people about units that have one of three outcomes: pairs, or outputs with verdicts.

    Attributes as of `ScreenPairs`; `keys` has a number for each unit.
    """

    @property
    def annotators(self) -> tuple[str, ...]:
        """In alphabetical order."""

    @property
    def annotator(self) -> IntArray:
        """Shape (n,)."""

    @property
    def sentence(self) -> IntArray:
        """Shape (n,)."""

    @property
    def outcome(self) -> Outcomes:
        """Shape (n,)."""

    @property
    def of_outputs(self) -> NDArray[np.bool_]:
        """Shape (n,)."""

    @property
    def keys(self) -> IntArray:
        """Shape (n,)."""


@dataclass(frozen=True, slots=True, eq=False)
class ScreenPairs:
    """The n pairs of systems with different outputs that annotators judged.

    Systems of one output tie by construction, so that their pairs would flatter everybody.

    Attributes:
        systems: the S systems, in alphabetical order.
        annotators: in alphabetical order.
        annotator: shape (n,); the number of the annotator.
        sentence: shape (n,); the id of the sentence.
        first: shape (n,); the number of the first system, in alphabetical order.
        second: shape (n,); the number of the second system.
        outcome: shape (n,); what the annotator said.
        rows: shape (n, 2); the places of the outputs of the two among the rated rows of the snapshot.
        of_outputs: shape (n,); one pair for each pair of outputs of a judgment.
        is_first: shape (n,); whether the annotator judged the sentence for the first time.
    """

    systems: tuple[str, ...]
    annotators: tuple[str, ...]
    annotator: IntArray
    sentence: IntArray
    first: IntArray
    second: IntArray
    outcome: Outcomes
    rows: IntArray
    of_outputs: NDArray[np.bool_]
    is_first: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.outcome)

    @property
    def keys(self) -> IntArray:
        """A number for sentence and pair of systems, shape (n,)."""
        size = len(self.systems)
        return (self.sentence * size + self.first) * size + self.second

    def only(self, chosen: NDArray[np.bool_]) -> ScreenPairs:
        """Some of the pairs, shape (n,)."""
        return ScreenPairs(
            self.systems,
            self.annotators,
            self.annotator[chosen],
            self.sentence[chosen],
            self.first[chosen],
            self.second[chosen],
            self.outcome[chosen],
            self.rows[chosen],
            self.of_outputs[chosen],
            self.is_first[chosen],
        )

    @property
    def first_answers(self) -> ScreenPairs:
        """The pairs of the first judgment of each sentence by each annotator."""
        return self.only(self.is_first)


def screen_pairs(
    snapshot: pd.DataFrame, by: Basis = BY_RANKS, systems: Sequence[str] | None = None
) -> ScreenPairs:
    """The pairs of different outputs in a snapshot, in the order of its judgments.

    `systems` are those to number, in alphabetical order; pairs of others are left out. If it is None, they
    are those of the snapshot.

    Raises `SnapshotError` as `ranking.judgments.snapshot.compared_outputs` does.
    """
    outputs = compared_outputs(snapshot, by)
    names = system_names(snapshot)
    wanted = names if systems is None else tuple(systems)
    lists = system_lists(outputs["systems"], names)
    row, listed = lists.exploded(np.arange(len(outputs)))
    system = pd.Index(wanted).get_indexer(pd.Index(names)).astype(np.int64)[listed]
    row, system = row[system >= 0], system[system >= 0]
    judgment, _ = pd.factorize(outputs["judgment"].cat.codes.to_numpy()[row])
    order = np.lexsort((system, judgment))
    row, system, judgment = row[order], system[order], judgment[order]
    leads = np.zeros(len(row), dtype=bool)
    leads[np.unique(row, return_index=True)[1]] = True
    upper, lower = row_pairs(judgment)
    differ = row[upper] != row[lower]
    upper, lower = upper[differ], lower[differ]
    ahead = outputs["place"].to_numpy()[row[lower]] - outputs["place"].to_numpy()[row[upper]]
    outcome = np.where(np.abs(ahead) <= by.tie_width, 0, np.sign(ahead)).astype(np.int8)
    annotator = outputs["annotator"].cat.codes.to_numpy().astype(np.int64)[row[upper]]
    sentence = outputs["sentence"].to_numpy(dtype=np.int64)[row[upper]]
    first, second = system[upper], system[lower]
    visit = numbered(annotator, sentence)
    of_visit = np.full(int(visit.max(initial=-1)) + 1, len(outputs))
    np.minimum.at(of_visit, visit, judgment[upper])
    return ScreenPairs(
        systems=wanted,
        annotators=tuple(outputs["annotator"].cat.categories),
        annotator=annotator,
        sentence=sentence,
        first=first,
        second=second,
        outcome=outcome,
        rows=np.stack([row[upper], row[lower]], axis=1),
        of_outputs=leads[upper] & leads[lower],
        is_first=judgment[upper] == of_visit[visit],
    )


ROWS_AT_ONCE = 500_000
"""Rated outputs whose pairs are in memory at once, where a machine's are read in parts."""


def parts_of_machine(snapshot: pd.DataFrame, machine: str) -> Iterator[pd.DataFrame]:
    """The rows of a machine, in parts that each have all rows of their sentences."""
    own = np.flatnonzero((snapshot["annotator"] == machine).to_numpy(dtype=bool))
    sentence = snapshot["sentence"].to_numpy(dtype=np.int64)[own]
    ids, sizes = np.unique(sentence, return_counts=True)
    part = (np.cumsum(sizes) // ROWS_AT_ONCE)[np.searchsorted(ids, sentence)]
    for number in np.unique(part):
        yield snapshot.iloc[own[part == number]].reset_index(drop=True)


def answers_of_values(
    pairs: ScreenPairs, values: FloatArray, *, sentences: Sequence[int] | None = None, band: float = 0.0
) -> Outcomes:
    """What a judge says of the pairs who orders outputs by a value, shape (n,).

    `values` have the shape (sentences, S), systems as in `pairs`, higher is better, NaN where there is none.
    Their rows are those of `sentences`, ids in ascending order; of sentences 0, 1, 2, ... if it is None.
    Values at most `band` apart tie.
    """
    ids = np.arange(len(values)) if sentences is None else np.asarray(sentences)
    place = np.searchsorted(ids, pairs.sentence)
    known = np.append(ids, -1)[place] == pairs.sentence
    row = np.where(known, place, 0)
    lead = values[row, pairs.first] - values[row, pairs.second]
    has_answer = known & ~np.isnan(lead)
    said = np.where(np.abs(lead) <= band, 0, np.sign(lead))
    return np.where(has_answer, said, NO_ANSWER).astype(np.int8)


def answers_of_machine(pairs: ScreenPairs, machine: ScreenPairs) -> Outcomes:
    """What a machine said of the pairs, shape (n,), by its first answer about each.

    Both number the same systems (`screen_pairs`).

    Raises `ValueError` if they do not.
    """
    if pairs.systems != machine.systems:
        raise ValueError("the pairs of people and machine number different systems")
    order = np.argsort(machine.keys, kind="stable")
    keys = machine.keys[order]
    place = np.searchsorted(keys, pairs.keys)  # Of several answers, the first.
    found = np.append(keys, -1)[place] == pairs.keys
    return np.where(found, np.append(machine.outcome[order], 0)[place], NO_ANSWER).astype(np.int8)


def pairs_of_outputs(
    pairs: JudgedUnits, answers: Outcomes | None = None, name: str = "machine"
) -> OutputPairs:
    """The units for `ranking.agreement_over`, with a machine as one more annotator if it answers.

    The machine is the last annotator and judges each unit once.
    """
    chosen = np.flatnonzero(pairs.of_outputs)
    number, _ = pd.factorize(pairs.keys[chosen])
    annotator, outcome = pairs.annotator[chosen], pairs.outcome[chosen]
    if answers is None:
        return OutputPairs(pairs.annotators, annotator, number.astype(np.int32), outcome)
    once = np.flatnonzero(~pd.Series(number).duplicated().to_numpy() & (answers[chosen] != NO_ANSWER))
    return OutputPairs(
        annotators=(*pairs.annotators, name),
        annotator=np.concatenate([annotator, np.full(len(once), len(pairs.annotators))]),
        pair=np.concatenate([number, number[once]]).astype(np.int32),
        outcome=np.concatenate([outcome, answers[chosen][once]]),
    )


def ordered_pairs_within(keys: IntArray) -> tuple[IntArray, IntArray]:
    """The rows of each two with the same key, in both orders; shape (m,) each."""
    order = np.argsort(keys, kind="stable")
    starts, sizes = runs(pd.factorize(keys[order])[0])
    groups = np.repeat(np.arange(len(starts)), sizes)
    upper, lower = row_pairs(groups)
    return order[np.concatenate([upper, lower])], order[np.concatenate([lower, upper])]
