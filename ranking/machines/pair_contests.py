"""Contests of a machine with people over rankings: an instance is a sentence with the pairs that both judged.

The pairs of a sentence are not independent. A person agrees with another one in the share of the pairs of
systems, of those that both judged, with the same outcome; the machine is compared on exactly these pairs.
Agreement with the others is the mean over them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.arrays import FloatArray, IntArray
from core.later import pd
from ranking.machines.alternative_annotator import Contest, Contests
from ranking.machines.screen_pairs import NO_ANSWER, Outcomes, ScreenPairs

ROUNDING = 1e-9

CELLS_AT_ONCE = 2_000_000
"""Cells of the tables of people by people, and of people by pairs, that a part has at most."""


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """B sentences, each with at most N people and P pairs of systems.

    Attributes:
        sentence: shape (B,), their ids.
        people: shape (B, N), the numbers of the annotators; -1 beyond the last one.
        outcomes: shape (B, N, P), what each said of each pair; NO_ANSWER where they did not judge it.
        rows: shape (B, P), a first answer about each pair; -1 beyond the last one.
    """

    sentence: IntArray
    people: IntArray
    outcomes: Outcomes
    rows: IntArray

    def leads(self, said: Outcomes, *, half_ties: bool) -> tuple[FloatArray, NDArray[np.bool_]]:
        """By how much a machine agrees more with the others than each person does, shape (B, N) each.

        `said`: the machine's answer of each first answer's pair. False where a person met nobody.
        """
        answers = np.where(self.rows >= 0, said[self.rows], NO_ANSWER)
        judged = (self.outcomes != NO_ANSWER) & (answers != NO_ANSWER)[:, None]
        share = judged.astype(np.float32)

        def agreeing(what: Outcomes) -> NDArray[np.float32]:
            agreed: FloatArray = agreement(what, self.outcomes, half_ties=half_ties) * judged
            return agreed.transpose(0, 2, 1).astype(np.float32)

        gained = share @ agreeing(answers[:, None])
        for outcome in np.array([-1, 0, 1], dtype=np.int8):
            gained -= (judged & (self.outcomes == outcome)).astype(np.float32) @ agreeing(outcome)
        shared = share @ share.transpose(0, 2, 1)
        shared[:, *np.diag_indices(shared.shape[1])] = 0
        met = shared > 0
        lead = np.divide(gained, shared, out=np.zeros(shared.shape), where=met, dtype=np.float64).sum(axis=2)
        others = met.sum(axis=2)
        return np.divide(lead, others, out=np.zeros(lead.shape), where=others > 0), others > 0


class PairComparisons:
    """The first answers of people to each pair, each beside those of others, prepared for any machines.

    Sentences are compared by tables of people by pairs, a part at a time: pairs of answers grow with the
    square of the people, to a billion for a hundred people on each of ten thousand sentences. `step` is
    called after each part; it may stop the work by raising an error.
    """

    def __init__(self, pairs: ScreenPairs, step: Callable[[], None] = lambda: None) -> None:
        first = pairs.first_answers
        self._annotators = first.annotators
        self._is_first = pairs.is_first
        self._step = step
        self._parts: list[_Part] = []
        for part in _parts(first):
            self._parts.append(part)
            step()

    def contests(self, answers: Outcomes, *, half_ties: bool = False) -> Contests:
        """Contests of a machine that gave these answers; see `contests_over_pairs`."""
        said = answers[self._is_first]
        person, sentence, lead = [np.empty(0, np.int64)], [np.empty(0, np.int64)], [np.empty(0)]
        instances = answered = 0
        for part in self._parts:
            leads, known = part.leads(said, half_ties=half_ties)
            person.append(part.people[known])
            sentence.append(np.repeat(part.sentence, known.sum(axis=1)))
            lead.append(leads[known])
            instances += int(((part.outcomes != NO_ANSWER).sum(axis=1) > 1).any(axis=1).sum())
            answered += int(known.any(axis=1).sum())
            self._step()
        people, ids, leads = np.concatenate(person), np.concatenate(sentence), np.concatenate(lead)
        order = np.lexsort((ids, people))
        people, ids, leads = people[order], ids[order], leads[order]
        return Contests(
            people=tuple(
                Contest(name, leads[rows] >= -ROUNDING, leads[rows] <= ROUNDING, ids[rows])
                for name, rows in (
                    (name, np.flatnonzero(people == place)) for place, name in enumerate(self._annotators)
                )
            ),
            instances=instances,
            answered=answered,
        )


def _parts(first: ScreenPairs) -> Iterator[_Part]:
    """The answers in parts of sentences that were judged by about as many people."""
    if not len(first):
        return
    sentence, ids = pd.factorize(first.sentence, sort=True)
    person, people_of = _numbered_within(sentence, first.annotator)
    pair, pairs_of = _numbered_within(sentence, first.keys)
    order = np.argsort(people_of, kind="stable")
    begin = 0
    while begin < len(order):
        sizes = (
            np.maximum.accumulate(people_of[order[begin:]]),
            np.maximum.accumulate(pairs_of[order[begin:]]),
        )
        cells = np.arange(1, len(sizes[0]) + 1) * sizes[0] * np.maximum(*sizes)
        number = max(1, int(np.searchsorted(cells, CELLS_AT_ONCE, side="right")))
        chosen = order[begin : begin + number]
        begin += number
        place = np.full(len(ids), -1)
        place[chosen] = np.arange(number)
        rows = np.flatnonzero(place[sentence] >= 0)
        at = place[sentence[rows]], person[rows], pair[rows]
        shape = number, int(people_of[chosen].max()), int(pairs_of[chosen].max())
        people, of_pairs = np.full(shape[:2], -1), np.full((shape[0], shape[2]), -1)
        outcomes = np.full(shape, NO_ANSWER, dtype=np.int8)
        people[at[0], at[1]], of_pairs[at[0], at[2]] = first.annotator[rows], rows
        outcomes[at] = first.outcome[rows]
        yield _Part(np.asarray(ids)[chosen], people, outcomes, of_pairs)


def _numbered_within(group: IntArray, values: IntArray) -> tuple[IntArray, IntArray]:
    """The number of each value among the distinct ones of its group, and how many each group has."""
    order = np.lexsort((values, group))
    starts = np.ones(len(order), dtype=bool)
    starts[1:] = np.diff(group[order]).astype(bool)
    differs = starts.copy()
    differs[1:] |= np.diff(values[order]).astype(bool)
    number = np.cumsum(differs)
    number -= number[np.maximum.accumulate(np.where(starts, np.arange(len(order)), 0))]
    within = np.empty(len(order), dtype=np.int64)
    within[order] = number
    return within, np.bincount(group[order][differs])


def contests_over_pairs(pairs: ScreenPairs, answers: Outcomes, *, half_ties: bool = False) -> Contests:
    """Compare a machine's answers about n pairs with those of people.

    `answers` has the shape (n,) (`answers_of_values`, `answers_of_machine`). Only the first judgment of a
    sentence by each person counts. If `half_ties`, two outcomes of which exactly one is a tie agree by a
    half. Several machines are compared faster by the same `PairComparisons`.
    """
    return PairComparisons(pairs).contests(answers, half_ties=half_ties)


def agreement(one: Outcomes, other: Outcomes, *, half_ties: bool = False) -> FloatArray:
    """1 where two outcomes are the same, .5 where exactly one is a tie if `half_ties`, else 0; shape (n,)."""
    same: FloatArray = (one == other).astype(np.float64)
    if half_ties:
        same[(one == 0) != (other == 0)] = 0.5
    return same
