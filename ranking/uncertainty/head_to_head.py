"""Systems against each other, in pairs (GJG15, section 5.4 and Table 3d), tested by whole sentences.

The paper tests by the sign test over comparisons, as if these were independent. Comparisons of one sentence
are of the same two outputs: with three judgments of a sentence, the sign test finds a difference between
equal systems in far more campaigns than its level. So the comparisons of a sentence are exchanged as a whole.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from core.arrays import FloatArray, IntArray
from core.later import sparse, stats
from ranking.judgments.grouped_pairs import GROUPS_PER_BLOCK, GroupedPairs, Unit, cells_of_groups
from ranking.judgments.pairs import PairCounts
from ranking.uncertainty.sign_flips import sign_flip_p_value

MARKS = ((0.01, "‡"), (0.05, "†"), (0.10, "⋆"))


@dataclass(frozen=True, slots=True)
class Comparison:
    """One system against one opponent.

    Attributes:
        wins: how often the system was judged better than the opponent.
        losses: how often it was judged worse.
        ties: how often they were judged equal.
        share: wins / (wins + losses); None where all comparisons are ties, or there are none.
        p_value: of the exact two-sided test of sign flips (`head_to_head`); None where `share` is.
        mark: "⋆" for p <= .10, "†" for p <= .05, "‡" for p <= .01, else "".
        holm_p_value: the p-value corrected for the number of comparisons (`holm_correction`).
        holm_mark: the mark of `holm_p_value`.
        reason: why there is no share, in words; None if there is one.
    """

    wins: int
    losses: int
    ties: int
    share: float | None
    p_value: float | None
    mark: str
    holm_p_value: float | None
    holm_mark: str
    reason: str | None


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """All systems against all others.

    Attributes:
        systems: the systems, in alphabetical order.
        comparisons: by (system, opponent), from the system's side; each pair of systems in both orders.
            The cell of the paper's Table 3d in row r and column c is the share of (c, r).
        unit: what the tests exchange as a whole. Results that were stored without it are by pair.
    """

    systems: tuple[str, ...]
    comparisons: Mapping[tuple[str, str], Comparison]
    unit: Unit = Unit.PAIR


def head_to_head(pairs: GroupedPairs, *, step: Callable[[], None] = lambda: None) -> HeadToHead:
    """Compare each system with each other one, ties dropped; weights do not count.

    Under the hypothesis that two systems are equal, wins less losses of each group of `pairs`, such as a
    sentence, are as likely to have the other sign (`ranking.uncertainty.sign_flips`). With single pairs as
    groups (`Unit.PAIR`) this is the sign test of GJG15, Table 3d: twice the smaller tail at even odds, at
    most 1. Each comparison has its own p-value and one that is corrected for all comparisons of two systems
    with a decided pair. `step` is called between parts of the work; it may stop it by raising an error.
    """
    size = len(pairs.systems)
    wins, ties = pairs.totals.reshape(2, size, size)
    counts = PairCounts(pairs.systems, wins, ties + ties.T)
    fewer = np.minimum(counts.wins, counts.wins.T)
    p_values = np.minimum(1.0, 2 * stats.binom.cdf(fewer, counts.decided, 0.5))
    for row, column, sizes, numbers in _imbalances(pairs, step):
        lead = int(wins[row, column] - wins[column, row])
        p_values[row, column] = p_values[column, row] = sign_flip_p_value(sizes, numbers, lead)
        step()
    tested = np.triu(counts.decided > 0)
    corrected = np.ones_like(p_values)
    corrected[tested] = holm_correction(p_values[tested])
    corrected = np.minimum(corrected, corrected.T)
    comparisons = {
        (system, opponent): _comparison(
            wins=int(counts.wins[row, column]),
            losses=int(counts.wins[column, row]),
            ties=int(counts.ties[row, column]),
            p_value=float(p_values[row, column]),
            holm_p_value=float(corrected[row, column]),
        )
        for row, system in enumerate(counts.systems)
        for column, opponent in enumerate(counts.systems)
        if row != column
    }
    return HeadToHead(counts.systems, comparisons, pairs.unit)


def _imbalances(
    pairs: GroupedPairs, step: Callable[[], None]
) -> Iterator[tuple[int, int, IntArray, IntArray]]:
    """How far wins and losses of groups are apart, other than 0, and in how many groups.

    Yields the rows of two systems, the distances, and the number of groups at each; nothing for two systems
    whose every decided comparison is a group.
    """
    size = len(pairs.systems)
    totals = pairs.totals
    cells = np.flatnonzero(totals)
    first, second = np.divmod(cells[cells < size * size], size)
    of_two = np.minimum(first, second) * size + np.maximum(first, second)
    signs = np.where(first < second, 1, -1)
    leading = sparse.csr_array((signs, (np.arange(len(signs)), of_two)), shape=(len(cells), size * size))
    table = cells_of_groups(replace(pairs, weights=None), cells, step=step)
    farthest = int(np.diff(pairs.starts).max(initial=0)) + 1
    keys, numbers = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    for start in range(0, table.shape[0], GROUPS_PER_BLOCK):
        leads = sparse.csr_array(table[start : start + GROUPS_PER_BLOCK] @ leading)
        found, number = np.unique(
            leads.indices.astype(np.int64) * farthest + np.abs(leads.data), return_counts=True
        )
        keys.append(found)
        numbers.append(number)
        step()
    found, places = np.unique(np.concatenate(keys), return_inverse=True)
    number = np.bincount(places, np.concatenate(numbers), minlength=len(found)).astype(np.int64)
    cell, distance = np.divmod(found, farthest)
    decided = np.bincount(of_two, totals[cells[cells < size * size]], minlength=size * size)
    for two in np.unique(of_two).tolist():
        chosen = (cell == two) & (distance > 0)
        if number[chosen].sum() < decided[two]:
            yield *divmod(two, size), distance[chosen], number[chosen]


def holm_correction(p_values: ArrayLike) -> FloatArray:
    """Corrected p-values of m tests, shape (m,), which keep the family-wise error rate.

    Step-down: the smallest times m, the next times m - 1, and so on, at most 1, and none below the one before
    (Holm 1979, section 2).
    """
    p_values = np.asarray(p_values, dtype=np.float64)
    order = np.argsort(p_values)
    factors = np.arange(len(p_values), 0, -1)
    corrected = np.empty_like(p_values)
    corrected[order] = np.minimum(1.0, np.maximum.accumulate(p_values[order] * factors))
    return corrected


def _comparison(*, wins: int, losses: int, ties: int, p_value: float, holm_p_value: float) -> Comparison:
    decided = wins + losses
    if not decided:
        reason = "all their comparisons are ties" if ties else "they were never compared"
        return Comparison(wins, losses, ties, None, None, "", None, "", reason)
    return Comparison(
        wins=wins,
        losses=losses,
        ties=ties,
        share=wins / decided,
        p_value=p_value,
        mark=_mark(p_value),
        holm_p_value=holm_p_value,
        holm_mark=_mark(holm_p_value),
        reason=None,
    )


def _mark(p_value: float) -> str:
    return next((mark for level, mark in MARKS if p_value <= level), "")
