"""Contests of a machine with people over rankings: an instance is a sentence with the pairs that both judged.

The pairs of a sentence are not independent. A person agrees with another one in the share of the pairs of
systems, of those that both judged, with the same outcome; the machine is compared on exactly these pairs.
Agreement with the others is the mean over them.
"""

from __future__ import annotations

import numpy as np

from core.arrays import FloatArray
from core.later import pd
from ranking.machines.alternative_annotator import Contest, Contests
from ranking.machines.screen_pairs import NO_ANSWER, Outcomes, ScreenPairs, ordered_pairs_within

ROUNDING = 1e-9


class PairComparisons:
    """The first answers of people to each pair, each beside those of others, prepared for any machines."""

    def __init__(self, pairs: ScreenPairs) -> None:
        self._first = first = pairs.first_answers
        self._is_first = pairs.is_first
        self._one, self._other = (rows.astype(np.int32) for rows in ordered_pairs_within(first.keys))
        people = len(first.annotators)
        self._sentence, self._sentences = pd.factorize(first.sentence)
        instance = self._sentence.astype(np.int64)[self._one] * people + first.annotator[self._one]
        with_each, met = pd.factorize(instance * people + first.annotator[self._other])
        self._with_each = with_each.astype(np.int32)
        self._of_met, self._instances = pd.factorize(met // people)

    def contests(self, answers: Outcomes, *, half_ties: bool = False) -> Contests:
        """Contests of a machine that gave these answers; see `contests_over_pairs`."""
        first, said = self._first, answers[self._is_first]
        gain = np.zeros(len(self._one))
        has_answer = said[self._one] != NO_ANSWER
        other = first.outcome[self._other]
        gain += agreement(said[self._one], other, half_ties=half_ties)
        gain -= agreement(first.outcome[self._one], other, half_ties=half_ties)
        shared = np.bincount(self._with_each, has_answer.astype(np.float64), len(self._of_met))
        gained = np.bincount(self._with_each, gain * has_answer, len(self._of_met))
        met = shared > 0
        lead = np.divide(gained, shared, out=np.zeros(len(shared)), where=met)
        others = np.bincount(self._of_met, met.astype(np.float64), len(self._instances))
        known = np.flatnonzero(others)
        leads = np.bincount(self._of_met, lead, len(self._instances))[known] / others[known]
        sentence, person = np.divmod(np.asarray(self._instances)[known], len(first.annotators))
        order = np.lexsort((self._sentences[sentence], person))
        leads, person, sentence = leads[order], person[order], self._sentences[sentence[order]]
        return Contests(
            people=tuple(
                Contest(name, leads[rows] >= -ROUNDING, leads[rows] <= ROUNDING, sentence[rows])
                for name, rows in (
                    (name, np.flatnonzero(person == place)) for place, name in enumerate(first.annotators)
                )
            ),
            instances=len(np.unique(self._sentence[self._one])),
            answered=len(np.unique(self._sentence[self._one[has_answer]])),
        )


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
