"""Counting of n-grams for GLEU, compiled. Tokens are integers."""

import numpy as np

from core.arrays import IntArray
from ranking.compilation import compiled

SOURCE, OUTPUT, FIRST_REFERENCE = range(3)
MULTIPLIER = 0x9E3779B97F4A7C15 >> 1
"""Multiplier of Fibonacci hashing (Knuth, The Art of Computer Programming, vol. 3, 6.4), halved."""


@compiled
def _numbered(keys: IntArray) -> IntArray:
    """Numbers from 0 for the keys, equal for equal keys, by a hash table with linear probing."""
    bits = 1
    while 1 << bits < 2 * len(keys):
        bits += 1
    table = np.full(1 << bits, -1, dtype=np.int64)
    mask = (1 << bits) - 1
    numbers = np.empty(len(keys), dtype=np.int64)
    for place in range(len(keys)):
        slot = ((keys[place] * MULTIPLIER) >> 20) & mask
        while table[slot] >= 0 and keys[table[slot]] != keys[place]:
            slot = (slot + 1) & mask
        if table[slot] < 0:
            table[slot] = place
        numbers[place] = table[slot]
    return numbers


@compiled
def _counted(numbers: IntArray, start: int, stop: int) -> IntArray:
    counts = np.zeros(len(numbers), dtype=np.int64)
    for place in range(start, stop):
        counts[numbers[place]] += 1
    return counts


@compiled
def matches(tokens: IntArray, bounds: IntArray, order: int, by_frequency: bool) -> IntArray:
    """The numerators of GLEU's precisions for each reference, shape (references, order).

    Napoles et al. 2016, "GLEU without tuning": the n-grams that output and reference share, minus those that
    output and source share but the reference does not contain; at least 0.

    Args:
        tokens: tokens of source, output and references, one text after the other.
        bounds: start of each text, and the end of the last one.
        order: length of the longest n-grams.
        by_frequency: whether what output and source share counts as often as the reference contains it less
            often, and numerators may be negative: TI + TK - UD of Koyama et al. 2024, "n-gram F-score for
            evaluating grammatical error correction".
    """
    numerators = np.zeros((len(bounds) - 1 - FIRST_REFERENCE, order), dtype=np.int64)
    words = _numbered(tokens)
    grams = words
    for n in range(1, order + 1):
        if n > 1:
            if len(grams) < 2:
                break
            grams = _numbered(grams[:-1] * len(tokens) + words[n - 1 :])
        source = _counted(grams, bounds[SOURCE], bounds[SOURCE + 1] - n + 1)
        output = _counted(grams, bounds[OUTPUT], bounds[OUTPUT + 1] - n + 1)
        for number in range(len(numerators)):
            start, end = bounds[FIRST_REFERENCE + number], bounds[FIRST_REFERENCE + number + 1]
            reference = _counted(grams, start, end - n + 1)
            total = 0
            for gram in range(len(grams)):
                total += min(output[gram], reference[gram])
                if by_frequency or reference[gram] == 0:
                    total -= max(min(output[gram], source[gram]) - reference[gram], 0)
            numerators[number, n - 1] = total if by_frequency else max(total, 0)
    return numerators
