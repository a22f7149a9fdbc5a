"""Agreement of each annotator with all others and with themselves, and the agreement expected by chance.

Two annotators are compared by each outcome of one with each outcome of the other for the same pair of
outputs, as in `ranking.agreement.kappa`. That keeps a table of all pairs of annotators; here everything is
summed by annotator, so that thousands of annotators are no burden.

Chance depends on how often people tie, and on nothing else: an annotator who ties as often as this one
and otherwise chooses at random agrees in a share of

    P(E) = t * T + (1 - t) * (1 - T) / 2,

where t and T are the shares of ties among the outcomes of the annotator and of the others in their
comparisons. This is the P(E) of Cohen 1960 with the two decided outcomes equally likely on each side. Unlike
that of GJG15, it does not depend on which output of a pair counts as the first.
"""

from __future__ import annotations

from collections.abc import Callable
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
    """The comparisons of J annotators.

    Attributes:
        annotators: the annotators of the snapshot, in alphabetical order.
        compared: shape (J,); comparisons of the annotator with others.
        agreed: shape (J,); comparisons with the same outcome (better, equal, worse).
        by_chance: shape (J,); the share of comparisons that would agree by chance; NaN without comparisons.
        repeated: shape (J,); comparisons of the annotator's own outcomes for a pair of outputs.
        repeated_alike: shape (J,); these comparisons with the same outcome.
    """

    annotators: tuple[str, ...]
    compared: IntArray
    agreed: IntArray
    by_chance: FloatArray
    repeated: IntArray
    repeated_alike: IntArray


def peer_agreement(
    snapshot: pd.DataFrame, by: Basis = BY_RANKS, *, step: Callable[[], None] = lambda: None
) -> PeerAgreement:
    """Compare each annotator with all others and with themselves, over unexpanded pairs.

    `step` is called between parts of the work; it may stop it by raising an error.

    Raises `SnapshotError` as `ranking.judgments.snapshot.compared_outputs` does.
    """
    pairs = output_pairs(snapshot, by, step=step)
    sums = _sums(pairs, step)
    compared, repeated, agreed, repeated_alike, own_ties, other_ties = sums
    with np.errstate(invalid="ignore"):
        tie_share, others_tie_share = own_ties / compared, other_ties / compared
    return PeerAgreement(
        annotators=pairs.annotators,
        compared=compared.astype(np.int64),
        agreed=agreed.astype(np.int64),
        by_chance=tie_share * others_tie_share + (1 - tie_share) * (1 - others_tie_share) / 2,
        repeated=repeated.astype(np.int64),
        repeated_alike=repeated_alike.astype(np.int64),
    )


def _sums(pairs: OutputPairs, step: Callable[[], None]) -> FloatArray:
    """Shape (6, J): compared, repeated, agreed, repeated alike, own ties and others' ties among the compared.

    Exact: whole numbers far below 2**53.
    """
    annotators, number = len(pairs.annotators), int(pairs.pair.max(initial=-1)) + 1
    sums = np.zeros((6, annotators))
    size = max(number // BLOCKS, 1)
    for first in range(0, number, size):
        step()
        block = (pairs.pair >= first) & (pairs.pair < first + size)
        annotator, pair = pairs.annotator[block], pairs.pair[block] - np.int64(first)
        outcome = pairs.outcome[block]
        sums[:2] += _comparisons(annotator, pair, annotators)
        sums[2:4] += _comparisons(annotator, 3 * pair + outcome + 1, annotators)
        sums[4:] += _ties(annotator, pair, outcome == 0, annotators)
    return sums


def _comparisons(annotator: NDArray[np.integer], said: IntArray, annotators: int) -> FloatArray:
    """Shape (2, J): how often others said the same, and how often the annotator said it once more."""
    cells, times = np.unique(said * annotators + annotator, return_counts=True)
    who = cells % annotators
    others = np.bincount(said)[cells // annotators] - times
    return np.stack(
        [np.bincount(who, times * others, annotators), np.bincount(who, times * (times - 1) // 2, annotators)]
    )


def _ties(
    annotator: NDArray[np.integer], pair: IntArray, tied: NDArray[np.bool_], annotators: int
) -> FloatArray:
    """Shape (2, J): ties of the annotator, and of the others, among the outcomes of all their comparisons."""
    cells, cell, times = np.unique(pair * annotators + annotator, return_inverse=True, return_counts=True)
    own_ties = np.bincount(cell, tied, len(cells))
    who, where = cells % annotators, cells // annotators
    others = np.bincount(pair)[where] - times
    other_ties = np.bincount(pair, tied)[where] - own_ties
    return np.stack(
        [np.bincount(who, own_ties * others, annotators), np.bincount(who, times * other_ties, annotators)]
    )
