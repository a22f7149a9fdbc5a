"""How often a metric orders two outputs as the annotators did: tau and accuracy over judged pairs (WMT10)."""

from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import ArrayLike

from core.arrays import FloatArray, IntArray
from ranking.judgments.pairs import PAIRS_PER_BLOCK


@dataclass(frozen=True, slots=True)
class PairwiseTau:
    """A metric against N judged pairs.

    Attributes:
        value: (concordant - discordant) / (concordant + discordant), ties of the metric being discordant;
            from -1 to 1, None if it cannot be computed.
        without_ties: `value` without ties of the metric; None if it cannot be computed.
        tau_b: Kendall's tau-b: pairs tied by both sides do not count, and ties of either side lower it
            equally; None where one side ties all pairs.
        accuracy: share of the pairs ordered by the annotator that the metric orders in the same way; ties of
            the metric are wrong. None where `value` is.
        concordant: pairs that the metric orders as the annotator did.
        discordant: pairs that it orders the other way round.
        metric_ties: pairs that the annotator ordered and the metric did not.
        judge_ties: pairs that the annotator did not order; they enter tau-b only.
        both_tie: pairs among `judge_ties` that the metric does not order either.
        reason: why a value is missing, in words; None if none is missing.
    """

    value: float | None
    without_ties: float | None
    tau_b: float | None
    accuracy: float | None
    concordant: int
    discordant: int
    metric_ties: int
    judge_ties: int
    both_tie: int
    reason: str | None


def pairwise_tau(outcomes: ArrayLike, first: ArrayLike, second: ArrayLike) -> PairwiseTau:
    """Kendall's tau of a metric over judged pairs (Callison-Burch et al. 2010; Macháček and Bojar 2014).

    `outcomes` has the outcomes of N pairs as in `ranking.expanded_pairs`: 1 where the first was judged
    better, -1 where the second was, 0 for a tie; `first` and `second` are the metric's scores of the two,
    higher being better. All have the shape (N,). Each judgment of a pair counts.

    Ties of the annotators are left out. Ties of the metric count against it in `value`, so that it gains
    nothing by not deciding; the campaigns of WMT differ in this, hence also `without_ties`.

    Raises `ValueError` for shapes that differ and scores that are not numbers.
    """
    arrays = [np.asarray(values) for values in (outcomes, first, second)]
    if arrays[0].ndim != 1 or len({array.shape for array in arrays}) > 1:
        shapes = [array.shape for array in arrays]
        raise ValueError(f"{shapes[0]}, {shapes[1]} and {shapes[2]} should be one shape (N,)")
    table = np.zeros((3, 3), dtype=np.int64)
    for begin in range(0, len(arrays[0]), PAIRS_PER_BLOCK):
        table += _table(*(array[begin : begin + PAIRS_PER_BLOCK].astype(float) for array in arrays))
    return tau_of_table(table)


def tau_of_table(table: IntArray) -> PairwiseTau:
    """`pairwise_tau` of counted pairs.

    Args:
        table: shape (3, 3), numbers of pairs by outcome (worse, tie, better) and by the sign of the metric's
            difference (negative, 0, positive).
    """
    pairs, both_tie = int(table.sum()), int(table[1, 1])
    concordant, discordant = int(table[0, 0] + table[2, 2]), int(table[0, 2] + table[2, 0])
    ties = int(table[0, 1] + table[2, 1])
    ordered = concordant + discordant + ties
    norm = sqrt(ordered) * sqrt(int(table[:, [0, 2]].sum()))
    return PairwiseTau(
        value=(concordant - discordant - ties) / ordered if ordered else None,
        without_ties=(concordant - discordant) / (ordered - ties) if ordered > ties else None,
        tau_b=(concordant - discordant) / norm if norm else None,
        accuracy=concordant / ordered if ordered else None,
        concordant=concordant,
        discordant=discordant,
        metric_ties=ties,
        judge_ties=pairs - ordered,
        both_tie=both_tie,
        reason=_reason(pairs, ordered, ties),
    )


def _table(judged: FloatArray, one: FloatArray, other: FloatArray) -> IntArray:
    """Numbers of pairs by outcome and sign, shape (3, 3)."""
    if any(np.isnan(values).any() for values in (judged, one, other)):
        raise ValueError("some outcomes or scores are not numbers")
    cells = 3 * np.sign(judged) + np.sign(one - other) + 4
    return np.bincount(cells.astype(np.int64), minlength=9).reshape(3, 3)


def _reason(pairs: int, ordered: int, ties: int) -> str | None:
    if not pairs:
        return "there are no pairs"
    if not ordered:
        return "the annotators ordered no pair"
    return "the metric orders none of the pairs" if ordered == ties else None
