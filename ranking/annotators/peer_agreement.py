"""Agreement of each judge with all others together, what chance would give, and agreement with themselves.

Two judges are compared by each outcome of one with each outcome of the other for the same pair of outputs, as
in `ranking.agreement.kappa`. That keeps a table of all pairs of judges; here everything is summed by judge,
so that thousands of judges are no burden.

Chance depends on how often people tie, and on nothing else: a judge who ties as often as this one does but
otherwise tosses a coin agrees by

    P(E) = t * T + (1 - t) * (1 - T) / 2,

where t and T are the shares of ties among the outcomes of the judge and of the others in their comparisons.
This is the P(E) of Cohen 1960 with the two decided outcomes equally likely on each side. Unlike that of
GJG15, it does not depend on which output of a pair counts as the first.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.arrays import FloatArray, IntArray
from core.later import pd
from ranking.judgments.pairs import BY_RANKS, OutputPairs, output_pairs
from ranking.judgments.snapshot import Basis

BLOCKS = 10
"""Pairs of outputs are counted in so many parts, in a tenth of the memory."""


@dataclass(frozen=True, slots=True, eq=False)
class PeerAgreement:
    """The comparisons of J judges.

    Attributes:
        judges: the judges of the snapshot, in alphabetical order.
        compared: shape (J,); comparisons of the judge with others.
        agreed: shape (J,); those in which both say the same (better, equal, worse).
        by_chance: shape (J,); the share of them that would agree by chance; NaN without comparisons.
        repeated: shape (J,); comparisons of the judge's own outcomes for a pair of outputs.
        repeated_alike: shape (J,); those in which the judge says the same.
    """

    judges: tuple[str, ...]
    compared: IntArray
    agreed: IntArray
    by_chance: FloatArray
    repeated: IntArray
    repeated_alike: IntArray


def peer_agreement(snapshot: pd.DataFrame, by: Basis = BY_RANKS) -> PeerAgreement:
    """Compare each judge with all others and with themselves, over unexpanded pairs.

    Raises `SnapshotError` as `ranking.judgments.snapshot.compared_outputs` does.
    """
    pairs = output_pairs(snapshot, by)
    sums = _sums(pairs)
    compared, repeated, agreed, repeated_alike, own_ties, other_ties = sums
    with np.errstate(invalid="ignore"):
        tie_share, others_tie_share = own_ties / compared, other_ties / compared
    return PeerAgreement(
        judges=pairs.judges,
        compared=compared.astype(np.int64),
        agreed=agreed.astype(np.int64),
        by_chance=tie_share * others_tie_share + (1 - tie_share) * (1 - others_tie_share) / 2,
        repeated=repeated.astype(np.int64),
        repeated_alike=repeated_alike.astype(np.int64),
    )


def _sums(pairs: OutputPairs) -> FloatArray:
    """Shape (6, J): compared, repeated, agreed, repeated alike, own ties and others' ties among the compared.

    Exact: whole numbers far below 2**53.
    """
    judges, number = len(pairs.judges), int(pairs.pair.max(initial=-1)) + 1
    sums = np.zeros((6, judges))
    size = max(number // BLOCKS, 1)
    for first in range(0, number, size):
        block = (pairs.pair >= first) & (pairs.pair < first + size)
        judge, pair = pairs.judge[block], pairs.pair[block] - np.int64(first)
        outcome = pairs.outcome[block]
        sums[:2] += _comparisons(judge, pair, judges)
        sums[2:4] += _comparisons(judge, 3 * pair + outcome + 1, judges)
        sums[4:] += _ties(judge, pair, outcome == 0, judges)
    return sums


def _comparisons(judge: NDArray[np.integer], said: IntArray, judges: int) -> FloatArray:
    """Shape (2, J): how often others said the same, and how often the judge said it once more."""
    cells, times = np.unique(said * judges + judge, return_counts=True)
    who = cells % judges
    others = np.bincount(said)[cells // judges] - times
    return np.stack(
        [np.bincount(who, times * others, judges), np.bincount(who, times * (times - 1) // 2, judges)]
    )


def _ties(judge: NDArray[np.integer], pair: IntArray, tied: NDArray[np.bool_], judges: int) -> FloatArray:
    """Shape (2, J): ties of the judge, and of the others, among the outcomes of all their comparisons."""
    cells, cell, times = np.unique(pair * judges + judge, return_inverse=True, return_counts=True)
    own_ties = np.bincount(cell, tied, len(cells))
    who, where = cells % judges, cells // judges
    others = np.bincount(pair)[where] - times
    other_ties = np.bincount(pair, tied)[where] - own_ties
    return np.stack(
        [np.bincount(who, own_ties * others, judges), np.bincount(who, times * other_ties, judges)]
    )
