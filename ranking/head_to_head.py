"""Systems against each other, in pairs, with the sign test (GJG15, section 5.4 and Table 3d)."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from core.later import stats
from ranking.arrays import FloatArray
from ranking.pairs import PairCounts

MARKS = ((0.01, "‡"), (0.05, "†"), (0.10, "⋆"))


@dataclass(frozen=True, slots=True)
class Comparison:
    """One system against one opponent.

    Attributes:
        wins: how often the system was judged better than the opponent.
        losses: how often it was judged worse.
        ties: how often they were judged equal.
        share: wins / (wins + losses); None where all comparisons are ties, or there are none.
        p_value: of the exact two-sided sign test, wins against losses at even odds; None where `share` is.
        mark: "⋆" for p <= .10, "†" for p <= .05, "‡" for p <= .01, else "".
        holm_p_value: the p-value corrected for the number of comparisons (`holm_correction`).
        holm_mark: the mark of that.
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
        comparisons: by (system, opponent), from the system's side, for each pair of systems both ways round.
            The cell of the paper's Table 3d in row r and column c is the share of (c, r).
    """

    systems: tuple[str, ...]
    comparisons: Mapping[tuple[str, str], Comparison]


def head_to_head(counts: PairCounts) -> HeadToHead:
    """Compare each system with each other one by the sign test, ties dropped (GJG15, Table 3d).

    The p-value is that of the exact binomial test: twice the smaller tail at even odds, at most 1. It treats
    expanded pairs as independent, as the paper does, and stands for itself. Beside it stands the one that is
    corrected for all comparisons of two systems with a decided pair.
    """
    fewer = np.minimum(counts.wins, counts.wins.T)
    p_values = np.minimum(1.0, 2 * stats.binom.cdf(fewer, counts.decided, 0.5))
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
    return HeadToHead(counts.systems, comparisons)


def holm_correction(p_values: ArrayLike) -> FloatArray:
    """The p-values of m tests, shape (m,), such that none at most alpha is wrong but with chance alpha.

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
