"""Systems against each other, two by two, with the sign test (GJG15, section 5.4 and Table 3d)."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from scipy.stats import binom

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
        reason: why there is no share, in words; None where there is one.
    """

    wins: int
    losses: int
    ties: int
    share: float | None
    p_value: float | None
    mark: str
    reason: str | None


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """All systems against all others.

    Attributes:
        systems: the systems, in alphabetical order.
        comparisons: by (system, opponent), from the system's side, each two systems both ways round. The cell
            of the paper's Table 3d in row r and column c is the share of (c, r).
    """

    systems: tuple[str, ...]
    comparisons: Mapping[tuple[str, str], Comparison]


def head_to_head(counts: PairCounts) -> HeadToHead:
    """Compare each system with each other one by the sign test, ties dropped (GJG15, Table 3d).

    The p-value is that of the exact binomial test: twice the smaller tail at even odds, at most 1. It treats
    expanded pairs as independent, as the paper does, and stands for itself: nothing corrects for the number
    of comparisons.
    """
    fewer = np.minimum(counts.wins, counts.wins.T)
    p_values = np.minimum(1.0, 2 * binom.cdf(fewer, counts.decided, 0.5))
    comparisons = {
        (system, opponent): _comparison(
            wins=int(counts.wins[row, column]),
            losses=int(counts.wins[column, row]),
            ties=int(counts.ties[row, column]),
            p_value=float(p_values[row, column]),
        )
        for row, system in enumerate(counts.systems)
        for column, opponent in enumerate(counts.systems)
        if row != column
    }
    return HeadToHead(counts.systems, comparisons)


def _comparison(*, wins: int, losses: int, ties: int, p_value: float) -> Comparison:
    decided = wins + losses
    if not decided:
        reason = "all their comparisons are ties" if ties else "they were never compared"
        return Comparison(wins, losses, ties, None, None, "", reason)
    return Comparison(wins, losses, ties, wins / decided, p_value, _mark(p_value), None)


def _mark(p_value: float) -> str:
    return next((mark for level, mark in MARKS if p_value <= level), "")
