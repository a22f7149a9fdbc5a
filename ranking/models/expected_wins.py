"""ExpectedWins: the probability that a system is judged better than a random other one (GJG15, section 5.1).

The score of a system is the mean, over its opponents, of the share of decided comparisons that it won. Ties
are dropped (Koehn 2012; Bojar et al. 2013). Each opponent weighs the same, however often it was met.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from core.arrays import CountArray, FloatArray
from ranking.judgments.pairs import PairCounts

Opponents = Literal["met", "beaten"]


@dataclass(frozen=True, slots=True)
class SystemScore:
    """The score of one system.

    Attributes:
        system: its name.
        score: the mean share of wins, from 0 to 1; None where no comparison of the system was decided.
        opponents: number of opponents in the mean.
        decided: the number of its decided comparisons.
        reason: why there is no score, or which opponents it leaves out; None if it leaves out none.
    """

    system: str
    score: float | None
    opponents: int
    decided: int
    reason: str | None


@dataclass(frozen=True, slots=True)
class ExpectedWins:
    """A ranking of systems by ExpectedWins.

    Attributes:
        scores: the systems, best first; equal scores in alphabetical order, systems without a score last.
    """

    scores: tuple[SystemScore, ...]


def expected_wins(counts: PairCounts) -> ExpectedWins:
    """Score system i by the mean over j of wins[i, j] / (wins[i, j] + wins[j, i]) (GJG15, section 5.1).

    These are point scores. An opponent without a decided comparison is left out of the mean, and the reason
    says so.
    """
    decided = counts.decided
    opponents = np.count_nonzero(decided, axis=1)
    means = mean_shares_won(counts.wins)
    scores = [
        SystemScore(
            system=system,
            score=float(means[row]) if opponents[row] else None,
            opponents=int(opponents[row]),
            decided=int(decided[row].sum()),
            reason=_reason(counts, row),
        )
        for row, system in enumerate(counts.systems)
    ]
    return ExpectedWins(tuple(sorted(scores, key=_best_first)))


def mean_shares_won(wins: CountArray, opponents: Opponents = "met") -> FloatArray:
    """ExpectedWins of many rankings at once (GJG15, section 5.1).

    `wins` has the shape (..., S, S), wins[..., i, j] being how often system i was judged better than system
    j; the scores have the shape (..., S) and are NaN for a system without an opponent to take the mean over.

    The mean is over the opponents *met* in a decided comparison. The mean over those *beaten* at least once
    exists to reproduce GJG15, whose released script drops opponents that a system never beat, which favours
    weak systems.
    """
    decided = wins + np.swapaxes(wins, -1, -2)
    number = np.count_nonzero(decided if opponents == "met" else wins, axis=-1)
    totals = np.sum(wins / np.where(decided > 0, decided, 1), axis=-1)
    return np.where(number > 0, totals / np.maximum(number, 1), np.nan)


def shares_gradient(counts: PairCounts, first: int, second: int) -> FloatArray:
    """The derivative of a difference of ExpectedWins by the number of comparisons of each kind.

    The difference is that of the systems in rows `first` and `second`. Shape (2, S, S), the kinds as in
    `ranking.GroupedPairs`: [0, i, j] for one more win of system i over system j, [1, i, j] for one more tie,
    which changes nothing.
    """
    gradient = np.zeros((2, *counts.wins.shape))
    decided = counts.decided
    opponents = np.maximum(np.count_nonzero(decided, axis=1), 1)
    for sign, row in ((1, first), (-1, second)):
        weight = sign / (opponents[row] * np.where(decided[row] > 0, decided[row], 1) ** 2)
        gradient[0, row] += weight * counts.wins[:, row]
        gradient[0, :, row] -= weight * counts.wins[row]
    return gradient


def shares_influence(counts: PairCounts, first: int, second: int) -> FloatArray:
    """The influence of one comparison of each kind on a difference of ExpectedWins of two equal systems.

    Shapes and kinds are those of `shares_gradient`, which it comes close to where comparisons are many and
    the two systems win alike. Each comparison with an opponent is held against those of both systems with it
    (with each other, half are won), less the comparison itself and with one more win on each side. Held
    against those of its own system, as in the derivatives, comparisons that all went one way would add up to
    almost no variance, for few comparisons as for many.
    """
    influence = np.zeros((2, *counts.wins.shape))
    decided = counts.decided
    opponents = np.maximum(np.count_nonzero(decided, axis=1), 1)
    won = counts.wins[first] + counts.wins[second]
    lost = counts.wins[:, first] + counts.wins[:, second]
    won[[first, second]] = lost[[first, second]] = decided[first, second]
    for sign, row in ((1, first), (-1, second)):
        weight = sign / (opponents[row] * np.where(decided[row] > 0, decided[row], 1) * (won + lost + 1))
        influence[0, row] += weight * (lost + 1)
        influence[0, :, row] -= weight * (won + 1)
    return influence


def _best_first(score: SystemScore) -> tuple[bool, float, str]:
    return score.score is None, -(score.score or 0.0), score.system


def _reason(counts: PairCounts, row: int) -> str | None:
    """Why the system in this row has no score, or which opponents its score leaves out."""
    decided = counts.decided[row]
    if len(counts.systems) == 1:
        return "there is no other system"
    if not decided.any():
        return "all its comparisons are ties" if counts.ties[row].any() else "it was never compared"
    left_out = [name for column, name in enumerate(counts.systems) if column != row and not decided[column]]
    return f"no decided comparison with {', '.join(left_out)}" if left_out else None
