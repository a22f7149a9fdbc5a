"""Agreement of a machine with people, beside that of people among themselves, which is the ceiling."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.arrays import IntArray
from ranking.agreement.kappa import Kappa, agreement_over
from ranking.agreement.krippendorff import Alpha, Level, krippendorff_alpha
from ranking.judgments.pairs import OutputPairs
from ranking.machines.pair_contests import agreement
from ranking.machines.screen_pairs import (
    NO_ANSWER,
    JudgedUnits,
    Outcomes,
    ScreenPairs,
    ordered_pairs_within,
    pairs_of_outputs,
)
from ranking.machines.shares import Share, shares_of_groups

MACHINE = "the machine\0"
"""Its name among the annotators, which none of them has."""


@dataclass(frozen=True, slots=True)
class PersonBeside:
    """A person beside the machine.

    Attributes:
        person: their name.
        with_people: kappa of the person with all others together.
        with_machine: kappa of the person with the machine.
    """

    person: str
    with_people: Kappa
    with_machine: Kappa


@dataclass(frozen=True, slots=True)
class BesidePeople:
    """Agreement over pairs of outputs.

    Attributes:
        people: kappa of people among themselves, over all their comparisons.
        machine: kappa of the machine with people, over all comparisons.
        each: the same by person.
        alpha: Krippendorff's nominal alpha of people.
        alpha_with_machine: alpha with the machine as one more annotator.
    """

    people: Kappa
    machine: Kappa
    each: tuple[PersonBeside, ...]
    alpha: Alpha
    alpha_with_machine: Alpha


def beside_people(pairs: JudgedUnits, answers: Outcomes) -> BesidePeople:
    """Kappa (`ranking.agreement`) and alpha of people, and of a machine that gave n answers, shape (n,).

    Units are pairs of outputs, or outputs with verdicts.
    """
    of_people, of_both = pairs_of_outputs(pairs), pairs_of_outputs(pairs, answers, MACHINE)
    people, both = agreement_over(of_people), agreement_over(of_both)
    return BesidePeople(
        people=people.inter_pooled,
        machine=both.rest[MACHINE],
        each=tuple(
            PersonBeside(person, people.rest[person], both.between(person, MACHINE))
            for person in people.judges
        ),
        alpha=_alpha(of_people),
        alpha_with_machine=_alpha(of_both),
    )


def _alpha(pairs: OutputPairs) -> Alpha:
    return krippendorff_alpha(pairs.pair, pairs.annotator, pairs.outcome, Level.NOMINAL)


@dataclass(frozen=True, slots=True)
class PairAccuracy:
    """How often outcomes for a pair of systems are the same.

    Attributes:
        group: of pairs, such as those of systems in the same cluster.
        machine: share of the answers of people with which the machine's agrees.
        people: share of the answers of others with which a person's agrees; each two count in both orders.
        machine_half_ties: `machine`, where two outcomes of which exactly one is a tie agree by a half.
        people_half_ties: `people` by this rule.
        decided: share of the decided answers of people that the machine orders alike; its ties count as half.
        people_decided: share of these that a person's answer orders alike, by the same rule.
    """

    group: str
    machine: Share
    people: Share
    machine_half_ties: Share
    people_half_ties: Share
    decided: Share
    people_decided: Share


def pair_accuracies(
    pairs: JudgedUnits,
    answers: Outcomes,
    group: IntArray | None = None,
    names: Sequence[str] = ("all",),
    *,
    confidence: float = 0.95,
) -> tuple[PairAccuracy, ...]:
    """Accuracy of a machine beside that of people, by group of pairs.

    `answers` and `group` have the shape (n,); groups are numbered as their names. Intervals are over
    sentences.
    """
    groups = np.zeros(len(pairs.outcome), dtype=np.int64) if group is None else group
    said = np.flatnonzero(answers != NO_ANSWER)
    one, other = ordered_pairs_within(pairs.keys)
    differ = pairs.annotator[one] != pairs.annotator[other]
    one, other = one[differ], other[differ]

    def shares(rows: IntArray, hits: NDArray[np.float64]) -> tuple[Share, ...]:
        return shares_of_groups(pairs.sentence[rows], hits, groups[rows], len(names), confidence=confidence)

    decided = said[pairs.outcome[said] != 0]
    of_decided = pairs.outcome[other] != 0
    by_one, by_other = one[of_decided], other[of_decided]
    columns = (
        shares(said, agreement(answers[said], pairs.outcome[said])),
        shares(one, agreement(pairs.outcome[one], pairs.outcome[other])),
        shares(said, agreement(answers[said], pairs.outcome[said], half_ties=True)),
        shares(one, agreement(pairs.outcome[one], pairs.outcome[other], half_ties=True)),
        shares(decided, agreement(answers[decided], pairs.outcome[decided], half_ties=True)),
        shares(by_other, agreement(pairs.outcome[by_one], pairs.outcome[by_other], half_ties=True)),
    )
    return tuple(PairAccuracy(*row) for row in zip(names, *columns, strict=True))


DISTANCES = ("same cluster", "neighbouring clusters", "clusters further apart")


def cluster_distances(pairs: ScreenPairs, clusters: Mapping[str, int]) -> IntArray:
    """How easy each pair is, as a place in `DISTANCES`, shape (n,), from the clusters of people's ranking.

    Pairs are harder the closer their systems are. Systems without a cluster count as further apart.
    """
    cluster = np.array([clusters.get(system, np.nan) for system in pairs.systems], dtype=np.float64)
    apart = np.abs(cluster[pairs.first] - cluster[pairs.second])
    most = len(DISTANCES) - 1
    distances: IntArray = np.minimum(np.nan_to_num(apart, nan=most), most).astype(np.int64)
    return distances
