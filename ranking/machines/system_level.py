"""A machine's ranking of systems beside that of people, from the same pairs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from core.arrays import FloatArray
from core.later import pd, sparse
from ranking.agreement.correlation import (
    Coefficient,
    Correlation,
    CorrelationInterval,
    correlation,
    replicate_interval,
)
from ranking.machines.screen_pairs import NO_ANSWER, Outcomes, ScreenPairs
from ranking.models.expected_wins import mean_shares_won
from ranking.uncertainty.bootstrap import win_probabilities

CELLS_PER_BLOCK = 5_000_000


@dataclass(frozen=True, slots=True)
class SystemBeside:
    """A system as people and a machine rank it.

    Attributes:
        system: its name.
        people: its ExpectedWins by people.
        machine: its ExpectedWins by the machine.
        rank_difference: its rank by the machine less that by people: positive where the machine thinks less
            of it.
        low: lower bound of the interval of this difference.
        high: upper bound.
    """

    system: str
    people: float
    machine: float
    rank_difference: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class SystemLevel:
    """Rankings of systems by people and by a machine.

    Attributes:
        systems: best first by people; systems that one of the two never decided about are left out.
        correlations: of the scores, by coefficient.
        intervals: of the correlations.
        soft_accuracy: 1 less the mean difference, over pairs of systems, of how certain the two are that the
            first is better, by the share of resamples; None for fewer than two systems.
        reason: why nothing is computed; None if it is.
    """

    systems: tuple[SystemBeside, ...]
    correlations: dict[Coefficient, Correlation]
    intervals: dict[Coefficient, CorrelationInterval]
    soft_accuracy: float | None
    reason: str | None


def system_level(
    pairs: ScreenPairs,
    answers: Outcomes,
    *,
    replicates: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
) -> SystemLevel:
    """Compare ExpectedWins of people and machine, with resampled sentences.

    The machine's wins are counted as often as people judged the pair. Soft accuracy is that of Thompson et
    al. 2024 with resamples in place of their permutations.
    """
    chosen = answers != NO_ANSWER
    judged, said = pairs.only(chosen), answers[chosen]
    tables = _wins(judged, judged.outcome), _wins(judged, said)
    size = len(pairs.systems)
    scores = [_scores(np.asarray(table.sum(axis=0), dtype=np.float64), size) for table in tables]
    ranked = np.flatnonzero(np.isfinite(scores[0]) & np.isfinite(scores[1]))
    if len(ranked) < 2:
        return SystemLevel((), {}, {}, None, "the two decided about fewer than two systems")
    people, machine = (each[ranked] for each in scores)
    draws = [np.concatenate(each) for each in zip(*_replicates(tables, size, replicates, seed), strict=True)]
    by_people, by_machine = (each[:, ranked] for each in draws)
    moves = _ranks(by_machine) - _ranks(by_people)
    tail = (1 - confidence) / 2
    low, high = np.quantile(moves, [tail, 1 - tail], axis=0)
    move = (_ranks(machine[None]) - _ranks(people[None]))[0]
    order = np.argsort(-people, kind="stable").tolist()
    certain = np.abs(win_probabilities(by_people) - win_probabilities(by_machine))
    return SystemLevel(
        systems=tuple(
            SystemBeside(
                system=pairs.systems[ranked[place]],
                people=float(people[place]),
                machine=float(machine[place]),
                rank_difference=float(move[place]),
                low=float(low[place]),
                high=float(high[place]),
            )
            for place in order
        ),
        correlations={each: correlation(people, machine, each) for each in Coefficient},
        intervals={
            each: replicate_interval(by_people, by_machine, each, confidence=confidence)
            for each in Coefficient
        },
        soft_accuracy=1 - float(certain[np.triu_indices(len(ranked), 1)].mean()),
        reason=None,
    )


def _wins(pairs: ScreenPairs, outcome: Outcomes) -> sparse.csr_array:
    """How often each system beat each other one, by sentence; shape (sentences, S * S)."""
    size = len(pairs.systems)
    unit, sentences = pd.factorize(pairs.sentence)
    decided = outcome != 0
    better = np.where(outcome > 0, pairs.first, pairs.second)[decided]
    worse = np.where(outcome > 0, pairs.second, pairs.first)[decided]
    cells = unit[decided], better * size + worse
    return sparse.csr_array((np.ones(len(better)), cells), shape=(len(sentences), size * size))


def _scores(wins: FloatArray, size: int) -> FloatArray:
    return mean_shares_won(wins.reshape(*wins.shape[:-1], size, size))


def _replicates(
    tables: tuple[sparse.csr_array, sparse.csr_array], size: int, replicates: int, seed: int
) -> Iterator[tuple[FloatArray, FloatArray]]:
    """Scores of people and machine on the same resampled sentences, shape (b, S) each, block by block."""
    rng = np.random.default_rng(seed)
    sentences = tables[0].shape[0]
    step = max(1, CELLS_PER_BLOCK // (size * size))
    for first in range(0, replicates, step):
        number = min(step, replicates - first)
        times = rng.multinomial(sentences, np.full(sentences, 1 / sentences), size=number).astype(np.float64)
        people, machine = (_scores(times @ table, size) for table in tables)
        yield people, machine


def _ranks(scores: FloatArray) -> FloatArray:
    """Ranks of systems in each row, 1 for the best; the mean of their places for equal ones."""
    comparable = np.where(np.isnan(scores), -np.inf, scores)
    above = (comparable[:, np.newaxis] > comparable[:, :, np.newaxis]).sum(axis=2)
    equal = (comparable[:, np.newaxis] == comparable[:, :, np.newaxis]).sum(axis=2)
    ranks: FloatArray = above + (equal + 1) / 2
    return ranks
