"""Agreement of a machine with people, beside that of people among themselves, which is the ceiling."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

import numpy as np

from core.arrays import FloatArray, IntArray
from core.later import pd
from ranking.agreement.kappa import Kappa, agreement_over
from ranking.agreement.krippendorff import Alpha, Level, krippendorff_alpha
from ranking.judgments.pairs import OutputPairs
from ranking.machines.pair_contests import agreement
from ranking.machines.screen_pairs import (
    NO_ANSWER,
    JudgedUnits,
    Outcomes,
    ScreenPairs,
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
    decided = said[pairs.outcome[said] != 0]

    def shares(rows: IntArray, *, half_ties: bool) -> tuple[Share, ...]:
        hits = agreement(answers[rows], pairs.outcome[rows], half_ties=half_ties)
        return shares_of_groups(pairs.sentence[rows], hits, groups[rows], len(names), confidence=confidence)

    row, among = _among_people(pairs)

    def of_people(agreed: FloatArray, compared: FloatArray) -> tuple[Share, ...]:
        some = np.flatnonzero(compared)
        where = pairs.sentence[row[some]], agreed[some], groups[row[some]]
        return shares_of_groups(*where, len(names), of=compared[some], confidence=confidence)

    columns = (
        shares(said, half_ties=False),
        of_people(among.same, among.all),
        shares(said, half_ties=True),
        of_people(among.same + among.half / 2, among.all),
        shares(decided, half_ties=True),
        of_people(among.same_decided + among.half_decided / 2, among.decided),
    )
    return tuple(PairAccuracy(*row) for row in zip(names, *columns, strict=True))


@dataclass(frozen=True, slots=True)
class _Comparisons:
    """Numbers of comparisons of an answer with that of another person, by unit; each two count twice.

    Attributes:
        all: of them.
        same: with the same outcome.
        half: of which exactly one is a tie.
        decided: in which the other's is no tie.
        same_decided: of these, with the same outcome.
        half_decided: of these, in which the first is a tie.
    """

    all: FloatArray
    same: FloatArray
    half: FloatArray
    decided: FloatArray
    same_decided: FloatArray
    half_decided: FloatArray


def _among_people(pairs: JudgedUnits) -> tuple[IntArray, _Comparisons]:
    """The first row of each unit, and comparisons of people: all of its answers less those of one person."""
    unit, _ = pd.factorize(pairs.keys)
    own, _ = pd.factorize(unit.astype(np.int64) * len(pairs.annotators) + pairs.annotator)
    rows = np.unique(unit, return_index=True)[1]
    in_unit = _comparisons(unit, pairs.outcome)
    by_person = _comparisons(own, pairs.outcome)
    of_person = unit[np.unique(own, return_index=True)[1]]
    return rows, _Comparisons(
        *(
            getattr(in_unit, each.name) - np.bincount(of_person, getattr(by_person, each.name), len(rows))
            for each in fields(_Comparisons)
        )
    )


def _comparisons(group: IntArray, outcome: Outcomes) -> _Comparisons:
    """Comparisons of each two answers of a group, and of each with itself."""
    size = int(group.max(initial=-1)) + 1
    worse, tied, better = (
        np.bincount(group[outcome == each], minlength=size).astype(np.float64) for each in (-1, 0, 1)
    )
    decided = worse + better
    same_decided = worse**2 + better**2
    return _Comparisons(
        all=(tied + decided) ** 2,
        same=same_decided + tied**2,
        half=2 * tied * decided,
        decided=(tied + decided) * decided,
        same_decided=same_decided,
        half_decided=tied * decided,
    )


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
