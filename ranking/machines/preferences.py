"""What a judge prefers whatever the quality: long outputs, many edits, a place, its own family."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.arrays import FloatArray, IntArray
from core.later import pd
from ranking.machines.screen_pairs import NO_ANSWER, Outcomes, ScreenPairs
from ranking.machines.shares import Share, difference, share, shares_of_groups


@dataclass(frozen=True, slots=True)
class Preference:
    """How often the output with more of something wins, among decided pairs that differ in it.

    Attributes:
        feature: what there is more of.
        machine: share of its decided pairs.
        people: share of their decided pairs, of those that the machine answered.
        difference: `machine` less `people`.
    """

    feature: str
    machine: Share
    people: Share
    difference: Share


def preferences(
    pairs: ScreenPairs,
    answers: Outcomes,
    features: Mapping[str, FloatArray],
    *,
    sentences: Sequence[int] | None = None,
    confidence: float = 0.95,
) -> tuple[Preference, ...]:
    """Preferences of people and machine in the same pairs, with intervals over sentences.

    `answers` are the machine's, shape (n,); `features` have the shape (sentences, S), systems as in `pairs`,
    their rows being those of the ids `sentences`, or of sentences 0, 1, 2, ... if it is None.
    """
    ids = None if sentences is None else np.asarray(sentences)
    row = pairs.sentence if ids is None else np.searchsorted(ids, pairs.sentence)
    answered = answers != NO_ANSWER
    return tuple(
        _preference(
            name,
            pairs,
            answers,
            np.sign(values[row, pairs.first] - values[row, pairs.second]) * answered,
            confidence,
        )
        for name, values in features.items()
    )


def own_family(systems: Sequence[str], family: Collection[str], sentences: int) -> FloatArray:
    """A feature of systems that the machine or a relative of it made, shape (sentences, S)."""
    return np.tile(np.isin(systems, list(family)).astype(np.float64), (sentences, 1))


def position_preference(pairs: ScreenPairs, position: FloatArray, *, confidence: float = 0.95) -> Share:
    """How often the output further up on the screen wins, among the decided pairs of one or more judges.

    `position` has the place on the screen of each rated row of their snapshot, NaN where it is not known.
    """
    habits = ScreenHabits()
    habits.add(pairs, position)
    return habits.first_place(confidence)


@dataclass(frozen=True, slots=True)
class Consistency:
    """How often a judge asked again about two outputs says the same.

    Attributes:
        same_order: where the two were in the same order on the screen.
        other_order: where they were the other way round.
        unknown_order: where positions are not known.
    """

    same_order: Share
    other_order: Share
    unknown_order: Share


def consistency(
    pairs: ScreenPairs, position: FloatArray | None = None, *, confidence: float = 0.95
) -> Consistency:
    """Compare all answers of the same judge about the same two outputs.

    `position` is that of `position_preference`.
    """
    habits = ScreenHabits()
    habits.add(pairs, position)
    return habits.consistency(confidence)


class ScreenHabits:
    """What judges' own pairs say of places on the screen, and of being asked again.

    The pairs of one or more judges are added in parts, each with all pairs of its sentences: at once they
    would take gigabytes where a machine has judged a million screens.
    """

    def __init__(self) -> None:
        self._ahead: list[tuple[IntArray, FloatArray, FloatArray]] = []
        self._again: list[tuple[IntArray, FloatArray]] = []

    def add(self, pairs: ScreenPairs, position: FloatArray | None = None) -> None:
        """Count pairs; `position` is that of `position_preference`, or None where no place is known."""
        own = pairs.only(pairs.of_outputs)
        ahead = np.zeros(len(own), dtype=np.int64)
        if position is not None:
            lead = position[own.rows[:, 1]] - position[own.rows[:, 0]]
            ahead = np.sign(np.nan_to_num(lead)).astype(np.int64)
        decided = (ahead != 0) & (own.outcome != 0)
        place, sentences = pd.factorize(own.sentence[decided])
        won, of = (
            np.bincount(place, values, minlength=len(sentences)).astype(np.float64)
            for values in (ahead[decided] == own.outcome[decided], np.ones(len(place)))
        )
        self._ahead.append((sentences, won, of))
        unit, _ = pd.factorize(own.keys * len(own.annotators) + own.annotator)
        sentence = own.sentence[np.unique(unit, return_index=True)[1]]
        # By unit, order (unknown, first ahead, second ahead) and outcome: how often this was answered.
        cell = (unit * 3 + ahead % 3) * 3 + (own.outcome.astype(np.int64) + 1)
        times = np.bincount(cell, minlength=9 * len(sentence)).reshape(-1, 3, 3).astype(np.float64)
        self._again.append((sentence, times))

    def first_place(self, confidence: float = 0.95) -> Share:
        """As `position_preference`."""
        sentence, won, of = (np.concatenate(parts) for parts in zip(*self._ahead, strict=True))
        return _share_of_counts(sentence, won, of, confidence)

    def consistency(self, confidence: float = 0.95) -> Consistency:
        """As the function of this name."""
        sentence, times = (np.concatenate(parts) for parts in zip(*self._again, strict=True))
        in_order = times.sum(axis=2, keepdims=True)

        def said_alike(hits: FloatArray, of: FloatArray) -> Share:
            asked = np.flatnonzero(of)
            return _share_of_counts(sentence[asked], hits[asked], of[asked], confidence)

        alike, compared = _twos(times), _twos(in_order)
        same = alike[:, 1:].sum(axis=(1, 2)), compared[:, 1:].sum(axis=(1, 2))
        turned = (times[:, 1] * times[:, 2]).sum(axis=1), (in_order[:, 1] * in_order[:, 2]).sum(axis=1)
        every = _twos(times.sum(axis=1)).sum(axis=1), _twos(in_order.sum(axis=1)).sum(axis=1)
        return Consistency(
            same_order=said_alike(*same),
            other_order=said_alike(*turned),
            unknown_order=said_alike(every[0] - same[0] - turned[0], every[1] - same[1] - turned[1]),
        )


def _share_of_counts(sentence: IntArray, hits: FloatArray, of: FloatArray, confidence: float) -> Share:
    groups = np.zeros(len(sentence), dtype=np.int64)
    return shares_of_groups(sentence, hits, groups, 1, of=of, confidence=confidence)[0]


def _twos(times: FloatArray) -> FloatArray:
    """How many twos there are among so many."""
    return times * (times - 1) / 2


def _preference(
    name: str, pairs: ScreenPairs, answers: Outcomes, more: FloatArray, confidence: float
) -> Preference:
    """`more` is 1 where the first system has more, -1 where the second has."""
    differs = np.nan_to_num(more) != 0
    by_machine = np.flatnonzero(differs & (answers != 0))
    by_people = np.flatnonzero(differs & (pairs.outcome != 0))
    hits = answers[by_machine] == more[by_machine], pairs.outcome[by_people] == more[by_people]
    sentences = pairs.sentence[by_machine], pairs.sentence[by_people]
    machine, people = (
        share(sentence, hit, confidence=confidence) for sentence, hit in zip(sentences, hits, strict=True)
    )
    return Preference(name, machine, people, difference(sentences, hits, confidence=confidence))
