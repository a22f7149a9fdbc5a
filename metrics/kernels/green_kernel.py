"""The counts of GREEN for a sentence, compiled by Numba at the first call."""

import numpy as np

from core.arrays import IntArray
from ranking.compilation import compiled


@compiled
def green_counts(source: IntArray, output: IntArray, reference: IntArray, starts: IntArray) -> IntArray:
    """True positives, false positives and false negatives by order, shape (3, orders).

    Args:
        source: shape (U,), how often each n-gram occurs in the source.
        output: the same in the output.
        reference: the same in the reference.
        starts: n-grams of order n are ``starts[n - 1]:starts[n]``.
    """
    counts = np.zeros((3, len(starts) - 1), np.int64)
    for order in range(len(starts) - 1):
        for ngram in range(starts[order], starts[order + 1]):
            s, c, r = source[ngram], output[ngram], reference[ngram]
            true_delete, true_insert = max(s - max(r, c), 0), max(min(r, c) - s, 0)
            true_keep = min(s, r, c)
            over_delete, over_insert = max(min(s, r) - c, 0), max(c - max(s, r), 0)
            under_delete, under_insert = max(min(s, c) - r, 0), max(r - max(s, c), 0)
            counts[0, order] += true_delete + true_insert + true_keep
            counts[1, order] += over_delete + over_insert
            counts[2, order] += under_delete + under_insert
    return counts
