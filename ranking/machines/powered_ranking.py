"""Prediction-powered rankings: people on some sentences, a machine on all.

Shares of comparisons won are estimated for each pair of systems, with sentences as units
(`ranking.machines.prediction_powered`), and combined to ExpectedWins or Bradley-Terry strengths. Ties are
dropped for ExpectedWins. For Bradley-Terry they are half a win, while `ranking.bradley_terry` models them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from core.arrays import IntArray
from core.later import pd
from ranking.judgments.grouped_pairs import Unit, group_pairs
from ranking.judgments.pairs import BY_RANKS
from ranking.judgments.propensities import holds_propensities
from ranking.judgments.snapshot import Basis, system_names, without_systems
from ranking.machines.powered_scores import are_connected, powered_bradley_terry, powered_expected_wins
from ranking.machines.prediction_powered import Powered, Tuning, Units, worth
from ranking.machines.rank_sets import rank_sets, tukey_quantile
from ranking.machines.sentence_shares import SystemPairs, comparisons_by_sentence
from ranking.uncertainty.bootstrap import rank_clusters
from ranking.uncertainty.methods import Method

FEWEST_UNITS = 30
"""Sentences judged by people: intervals of fewer are too narrow."""

FEWEST_OTHERS = 2
"""Sentences that only the machine judged."""

COMPUTE = {Method.EXPECTED_WINS: powered_expected_wins, Method.BRADLEY_TERRY: powered_bradley_terry}


@dataclass(frozen=True, slots=True)
class RankedScore:
    """The score of a system and its place.

    Attributes:
        score: by the method of the ranking.
        low: lower bound of its interval.
        high: upper bound of its interval.
        rank_low: the best rank it may have, 1 being the best; ranks hold for all systems at once.
        rank_high: the worst rank it may have.
        cluster: the number of its cluster, 1 being the best.
    """

    score: float
    low: float
    high: float
    rank_low: int
    rank_high: int
    cluster: int


@dataclass(frozen=True, slots=True)
class PoweredStanding:
    """A system by people and machine, and by people alone.

    Attributes:
        system: its name.
        powered: prediction-powered; None where `reason` says why.
        people: by people alone, from the same judgments; None where `powered` is.
        worth: number of judgments by people alone that would give the score as narrow an interval.
        reason: why there is no score; None if there is one.
    """

    system: str
    powered: RankedScore | None
    people: RankedScore | None
    worth: int | None
    reason: str | None


@dataclass(frozen=True, slots=True)
class PoweredRanking:
    """A prediction-powered ranking beside the ranking by people alone.

    Attributes:
        method: ExpectedWins or Bradley-Terry.
        confidence: of intervals and ranks.
        systems: best first; systems without a score last.
        people_sentences: number of sentences that people judged.
        machine_sentences: number of sentences that only the machine judged.
        judgments: number of judgments of people.
        weight: lambda, how much the machine counts, from 0 to 1; None if nothing is computed.
        width: mean width of the intervals as a share of those by people alone; None if nothing is computed.
        worth: number of judgments by people alone that would give as narrow intervals; None where `width` is.
        reason: why nothing is computed; None if it is.
    """

    method: Method
    confidence: float
    systems: tuple[PoweredStanding, ...]
    people_sentences: int
    machine_sentences: int
    judgments: int
    weight: float | None
    width: float | None
    worth: int | None
    reason: str | None


def prediction_powered_ranking(
    people: pd.DataFrame,
    machine: pd.DataFrame,
    method: Method = Method.EXPECTED_WINS,
    *,
    by: Basis = BY_RANKS,
    machine_by: Basis | None = None,
    weighted: bool = True,
    tuning: Tuning | float = Tuning.CROSS_FITTED,
    confidence: float = 0.95,
    seed: int = 0,
) -> PoweredRanking:
    """Rank the systems that people compared, with a machine's answers about further sentences.

    `people` and `machine` are snapshots, whose sentences are the same where their ids are. Outputs are
    compared `by` ranks or scores, and by `machine_by` in the machine's answers if it is given. People's
    sentences must be a random sample, or, if `weighted`, their items state propensities
    (`ranking.judgments.propensities`): people's comparisons then weigh by the inverse, and the machine's
    shares are those of all its sentences.

    Nothing is computed from fewer than 30 sentences of people, or without sentences that only the machine
    judged.

    Raises `SnapshotError` as `ranking.judgments.snapshot.compared_outputs` does, and `ValueError` for a
    method that is not prediction-powered.
    """
    if method not in COMPUTE:
        raise ValueError(f"{method} is not prediction-powered: choose {' or '.join(COMPUTE)}")
    is_weighted = weighted and holds_propensities(people)
    judged = group_pairs(people, Unit.SENTENCE, by, weighted=is_weighted)
    strange = set(system_names(machine)).difference(judged.systems)
    known = without_systems(machine, strange) if strange else machine
    answered = group_pairs(known, Unit.SENTENCE, machine_by or by)
    pairs = SystemPairs(judged.systems)
    units = comparisons_by_sentence(pairs, judged, answered, method, is_sample=not is_weighted)
    ranking = PoweredRanking(
        method=method,
        confidence=confidence,
        systems=(),
        people_sentences=len(judged.names),
        machine_sentences=len(set(answered.names).difference(judged.names)),
        judgments=int(people.loc[people[by.column].notna(), "judgment"].nunique()),
        weight=None,
        width=None,
        worth=None,
        reason=None,
    )
    fault = _why_not(ranking, pairs, units)
    if fault is not None:
        systems = tuple(PoweredStanding(system, None, None, None, fault) for system in pairs.systems)
        return replace(ranking, systems=systems, reason=fault)
    compute = COMPUTE[method]
    alone = replace(compute(pairs, units, Tuning.PEOPLE, seed), degrees=units.people.units - 1.0)
    return _ranked(ranking, pairs, units, alone, compute(pairs, units, tuning, seed))


def _why_not(ranking: PoweredRanking, pairs: SystemPairs, units: Units) -> str | None:
    if ranking.people_sentences < FEWEST_UNITS:
        return f"people judged {ranking.people_sentences} sentences, fewer than {FEWEST_UNITS}"
    if ranking.machine_sentences < FEWEST_OTHERS:
        return "the machine judged no sentences beyond those of people"
    if not (units.machine.means > 0).any():
        return "the machine judged nothing that people judged"
    if ranking.method is Method.BRADLEY_TERRY and not are_connected(pairs, units):
        return "people's wins do not link all systems both ways, so that strengths have no bounds"
    return None


def _ranked(
    ranking: PoweredRanking, pairs: SystemPairs, units: Units, alone: Powered, powered: Powered
) -> PoweredRanking:
    is_met = units.people.means > 0
    rows = np.unique(np.concatenate([pairs.first[is_met], pairs.second[is_met]]))
    quantile = tukey_quantile(len(rows), ranking.confidence, alone.degrees)
    by_people, by_both = (_scores(each, rows, ranking.confidence, quantile) for each in (alone, powered))
    variances = [np.diag(each.covariance)[rows] for each in (alone, powered)]
    standings = [
        PoweredStanding(
            system=pairs.systems[row],
            powered=by_both[place],
            people=by_people[place],
            worth=worth(variances[0][[place]], variances[1][[place]], ranking.judgments),
            reason=None,
        )
        for place, row in enumerate(rows.tolist())
    ]
    standings.sort(key=lambda each: -each.powered.score if each.powered else 0)
    unmet = [
        PoweredStanding(system, None, None, None, "no comparison of it by people was decided")
        for place, system in enumerate(pairs.systems)
        if place not in rows
    ]
    widths = [float(np.mean([each.high - each.low for each in scores])) for scores in (by_people, by_both)]
    return replace(
        ranking,
        systems=(*standings, *unmet),
        weight=powered.weight,
        width=widths[1] / widths[0] if widths[0] else 1.0,
        worth=worth(variances[0], variances[1], ranking.judgments),
    )


def _scores(powered: Powered, rows: IntArray, confidence: float, quantile: float) -> list[RankedScore]:
    """The scores of the systems in these rows, with their places among each other."""
    low, high = powered.intervals(confidence)
    best, worst = rank_sets(powered.estimates[rows], powered.covariance[np.ix_(rows, rows)], quantile)
    columns = (powered.estimates[rows], low[rows], high[rows], best, worst, rank_clusters(best, worst))
    return [RankedScore(*figures) for figures in zip(*(column.tolist() for column in columns), strict=True)]
