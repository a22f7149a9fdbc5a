"""What a judge prefers whatever the quality: long outputs, many edits, a place, its own family."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.arrays import FloatArray, IntArray
from ranking.machines.screen_pairs import NO_ANSWER, Outcomes, ScreenPairs, ordered_pairs_within
from ranking.machines.shares import Share, difference, share


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
    ahead = np.nan_to_num(position[pairs.rows[:, 1]] - position[pairs.rows[:, 0]])
    chosen = pairs.of_outputs & (ahead != 0) & (pairs.outcome != 0)
    return share(
        pairs.sentence[chosen], np.sign(ahead[chosen]) == pairs.outcome[chosen], confidence=confidence
    )


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
    own = pairs.only(pairs.of_outputs)
    one, other = ordered_pairs_within(own.keys * len(own.annotators) + own.annotator)
    once = one < other
    one, other = one[once], other[once]
    order = np.full(len(own), np.nan)
    if position is not None:
        order = np.sign(position[own.rows[:, 1]] - position[own.rows[:, 0]])
    turned = order[one] * order[other]

    def said_alike(rows: IntArray) -> Share:
        hits = own.outcome[one[rows]] == own.outcome[other[rows]]
        return share(own.sentence[one[rows]], hits, confidence=confidence)

    return Consistency(
        same_order=said_alike(np.flatnonzero(turned == 1)),
        other_order=said_alike(np.flatnonzero(turned == -1)),
        unknown_order=said_alike(np.flatnonzero(~np.isfinite(turned) | (turned == 0))),
    )


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
