"""The methods whose scores have derivatives by the number of comparisons, and influences of each."""

from collections.abc import Callable
from itertools import pairwise

import numpy as np

from core.arrays import FloatArray
from ranking.judgments.pairs import PairCounts
from ranking.models.bradley_terry import limiting_strengths, strengths_gradient
from ranking.models.expected_wins import mean_shares_won, shares_gradient, shares_influence
from ranking.uncertainty.bootstrap import DECIMALS
from ranking.uncertainty.methods import Method


def _shares(counts: PairCounts) -> FloatArray:
    return mean_shares_won(counts.wins)


SCORES: dict[Method, Callable[[PairCounts], FloatArray]] = {
    Method.EXPECTED_WINS: _shares,
    Method.BRADLEY_TERRY: limiting_strengths,
}
"""The score of each system, shape (S,); NaN where it has none, infinite where nothing bounds it."""

GRADIENTS: dict[Method, Callable[[PairCounts, int, int], FloatArray]] = {
    Method.EXPECTED_WINS: shares_gradient,
    Method.BRADLEY_TERRY: strengths_gradient,
}
"""The derivative of the difference of two rows' scores, shape (2, S, S); see `shares_gradient`."""

INFLUENCES: dict[Method, Callable[[PairCounts, int, int], FloatArray]] = {
    Method.EXPECTED_WINS: shares_influence,
    Method.BRADLEY_TERRY: strengths_gradient,
}
"""Share of one comparison in the error of the difference of two rows' scores, shape (2, S, S)."""


def neighbouring(scores: FloatArray) -> list[tuple[int, int]]:
    """The row of each system and of the next one below, from the best down.

    Systems without a finite score are left out, and two that score the same. Scores have the shape (S,).
    """
    rounded = np.round(scores, DECIMALS)
    order = [row for row in np.argsort(-rounded, kind="stable").tolist() if np.isfinite(rounded[row])]
    return [(above, below) for above, below in pairwise(order) if rounded[above] > rounded[below]]
