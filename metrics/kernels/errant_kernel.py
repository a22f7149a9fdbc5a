"""ERRANT's alignment of two texts, compiled (Felice, Bryant and Briscoe 2016; section 3 of the paper).

It is a Damerau-Levenshtein distance in which substitutions cost less for words with the same lemma, the same
part of speech or similar spelling, and in which runs of words may be transposed. Costs, the order of
operations of equal cost and the end of the search for a run follow the package `errant`, so that alignments
are equal. The package compares sorted words for each run; here each word has a random number, the sums of
these tell which runs can be equal, and only those are compared.
"""

import numpy as np
from numpy.typing import NDArray

from core.arrays import FloatArray, IntArray
from ranking.compilation import compiled

MATCH, SUBSTITUTION, INSERTION, DELETION = 0, 1, -1, -2
"""Operations; a number from 2 is a transposition of that many words."""

INFINITY = np.inf


@compiled
def align(
    source: IntArray, target: IntArray, distances: FloatArray, numbers: IntArray, open_pos: NDArray[np.bool_]
) -> IntArray:
    """The cheapest alignment as operations, shape (steps, 5), from left to right.

    Args:
        source: shape (4, n): words, lower-case forms, lemmas and parts of speech, as numbers from 0.
        target: shape (4, m), in the same numbers.
        distances: shape (n, m): normalised insertion-deletion distances of spelling.
        numbers: a random number for each lower-case form.
        open_pos: by part of speech, whether it is open (adjectives, adverbs, nouns, verbs).

    Returns:
        By step: operation, first source token and token after the last, the same of the target.
    """
    n, m = source.shape[1], target.shape[1]
    costs = np.zeros((n + 1, m + 1))
    operations = np.zeros((n + 1, m + 1), dtype=np.int64)
    for i in range(1, n + 1):
        costs[i, 0] = i
        operations[i, 0] = DELETION
    for j in range(1, m + 1):
        costs[0, j] = j
        operations[0, j] = INSERTION
    source_sums, target_sums = _running_sums(source[1], numbers), _running_sums(target[1], numbers)
    counts = np.zeros(len(numbers), dtype=np.int64)
    for i in range(n):
        for j in range(m):
            if source[0, i] == target[0, j]:
                costs[i + 1, j + 1] = costs[i, j]
                continue
            substitution = costs[i, j] + _substitution_cost(
                source[:, i], target[:, j], distances[i, j], open_pos
            )
            moved, size = _moved_run(i, j, source[1], target[1], costs, source_sums, target_sums, counts)
            best, operation = moved, size
            if substitution < best:
                best, operation = substitution, SUBSTITUTION
            if costs[i + 1, j] + 1 < best:
                best, operation = costs[i + 1, j] + 1, INSERTION
            if costs[i, j + 1] + 1 < best:
                best, operation = costs[i, j + 1] + 1, DELETION
            costs[i + 1, j + 1] = best
            operations[i + 1, j + 1] = operation
    return _path(operations)


@compiled
def _running_sums(words: IntArray, numbers: IntArray) -> IntArray:
    """Sums of the numbers of the first 0, 1, 2, ... words; overflow does no harm."""
    sums = np.zeros(len(words) + 1, dtype=np.int64)
    for place in range(len(words)):
        sums[place + 1] = sums[place] + numbers[words[place]]
    return sums


@compiled
def _substitution_cost(
    source: IntArray, target: IntArray, distance: float, open_pos: NDArray[np.bool_]
) -> float:
    if source[1] == target[1]:
        return 0.0
    lemma = 0.0 if source[2] == target[2] else 0.499
    if source[3] == target[3]:
        pos = 0.0
    elif open_pos[source[3]] and open_pos[target[3]]:
        pos = 0.25
    else:
        pos = 0.5
    return lemma + pos + distance


@compiled
def _moved_run(
    i: int,
    j: int,
    source: IntArray,
    target: IntArray,
    costs: FloatArray,
    source_sums: IntArray,
    target_sums: IntArray,
    counts: IntArray,
) -> tuple[float, int]:
    """Cost and size of the shortest run that ends at tokens i and j with the same words on both sides.

    The search goes back over the diagonal until two of its costs are equal. Without such a run the cost is
    infinite.
    """
    end = source_sums[i + 1] - target_sums[j + 1]
    k = 1
    while k <= i and k <= j and costs[i - k + 1, j - k + 1] != costs[i - k, j - k]:
        if end == source_sums[i - k] - target_sums[j - k] and _same_words(
            source[i - k : i + 1], target[j - k : j + 1], counts
        ):
            return costs[i - k, j - k] + k, k + 1
        k += 1
    return INFINITY, 0


@compiled
def _same_words(source: IntArray, target: IntArray, counts: IntArray) -> bool:
    """Whether two runs hold the same words equally often; `counts` is zero before and after."""
    for place in range(len(source)):
        counts[source[place]] += 1
        counts[target[place]] -= 1
    same = True
    for place in range(len(source)):
        if counts[source[place]] != 0 or counts[target[place]] != 0:
            same = False
    for place in range(len(source)):
        counts[source[place]] = 0
        counts[target[place]] = 0
    return same


@compiled
def _path(operations: IntArray) -> IntArray:
    """The operations from the last cell back to the first, in the order of the text."""
    i, j = operations.shape[0] - 1, operations.shape[1] - 1
    steps = np.zeros((i + j, 5), dtype=np.int64)
    used = 0
    while i + j > 0:
        operation = operations[i, j]
        rows, columns = 1, 1
        if operation == DELETION:
            columns = 0
        elif operation == INSERTION:
            rows = 0
        elif operation > SUBSTITUTION:
            rows, columns = operation, operation
        steps[used] = (operation, i - rows, i, j - columns, j)
        i, j = i - rows, j - columns
        used += 1
    return steps[:used][::-1].copy()
