"""Counting of n-grams, compiled by Numba at the first call; the machine code is kept for later processes.

Imported only when a metric counts n-grams, because Numba takes half a second to load.
"""

import numpy as np

from core.arrays import IntArray
from ranking.compilation import compiled

MULTIPLIER = 0x9E3779B97F4A7C15
"""2**64 over the golden ratio: multiplying by it spreads keys over the upper bits (Knuth, volume 3, 6.4)."""


@compiled
def count_ngrams(ids: IntArray, bounds: IntArray, max_order: int) -> tuple[IntArray, IntArray]:
    """Count each n-gram in each of T texts, for n = 1 to `max_order`.

    An n-gram is identified by the number of its first n-1 symbols and the number of its last symbol, so each
    order takes one pass, for any n.

    Args:
        ids: all texts one after the other, each symbol as a number from 0.
        bounds: shape (T + 1,), text t is ``ids[bounds[t]:bounds[t + 1]]``.
        max_order: the largest n.

    Returns:
        Counts, shape (T, U), of the U distinct n-grams, shorter ones first; and where each order begins
        among them, shape (max_order + 1,): those of order n are ``starts[n - 1]:starts[n]``.
    """
    texts = len(bounds) - 1
    bits = 1
    while (1 << bits) < 2 * len(ids):
        bits += 1
    size = 1 << bits
    shift = np.uint64(64 - bits)
    keys = np.empty(size, np.int64)
    slots = np.empty(size, np.int64)
    counts = np.zeros((texts, max(1, len(ids) * max_order)), np.int64)
    starts = np.zeros(max_order + 1, np.int64)
    symbols = np.zeros(len(ids), np.int64)
    prefixes = np.zeros(len(ids), np.int64)
    number = 0
    width = 0
    for order in range(1, max_order + 1):
        slots[:] = -1
        for text in range(texts):
            for begin in range(bounds[text], bounds[text + 1] - order + 1):
                key = ids[begin] if order == 1 else prefixes[begin] * width + symbols[begin + order - 1]
                slot = np.int64((np.uint64(key) * np.uint64(MULTIPLIER)) >> shift)
                while slots[slot] >= 0 and keys[slot] != key:
                    slot = (slot + 1) & (size - 1)
                if slots[slot] < 0:
                    slots[slot] = number
                    keys[slot] = key
                    number += 1
                counts[text, slots[slot]] += 1
                prefixes[begin] = slots[slot] - starts[order - 1]
        if order == 1:
            width = number
            for place in range(len(ids)):
                symbols[place] = prefixes[place]
        starts[order] = number
    return counts[:, :number], starts
