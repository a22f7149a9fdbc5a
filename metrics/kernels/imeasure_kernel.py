"""Exact three-way alignment for the I-measure, compiled, and its counts. Tokens are integers.

Felice and Briscoe 2015, "Towards a standard evaluation method for grammatical error detection and
correction". The alignment of source, output and reference has the least sum of pairwise costs; ties are
broken as in the tool that was released with the paper. A full table has a cell for each triple of positions.
Only cells that an alignment below a bound may pass are visited (Carrillo and Lipman 1988): those where the
sum of the best pairwise alignments through the cell's pairs of positions is at most the bound. The bound
grows until the best alignment is within it. A cell on a best alignment is never skipped, so costs and ties
equal those of the full table.
"""

import numpy as np
from numpy.typing import NDArray

from core.arrays import IntArray
from ranking.compilation import compiled

Costs = NDArray[np.int32]

GAP, MISMATCH = 2, 3
FAR = 1 << 29
# Numba compiles functions once more for a constant that is a number of Python.
FIRST_SLACK = np.int64(4)
"""Distance of the first bound above the sum of the best pairwise costs; doubled until it is enough."""

EVERYTHING = np.int64(1 << 28)
"""A first slack that skips no cell."""

TP, TN, FP, FN, FPN, SAME, DIFFERENT = range(7)


@compiled
def _forward(first: IntArray, second: IntArray) -> Costs:
    """The least cost of aligning the first i and j tokens of two texts, shape (n + 1, m + 1)."""
    costs = np.empty((len(first) + 1, len(second) + 1), dtype=np.int32)
    for j in range(len(second) + 1):
        costs[0, j] = j * GAP
    for i in range(1, len(first) + 1):
        costs[i, 0] = i * GAP
        for j in range(1, len(second) + 1):
            diagonal = costs[i - 1, j - 1] + (0 if first[i - 1] == second[j - 1] else MISMATCH)
            costs[i, j] = min(diagonal, min(costs[i - 1, j], costs[i, j - 1]) + GAP)
    return costs


@compiled
def _excess(first: IntArray, second: IntArray) -> tuple[Costs, int]:
    """Excess cost of the best alignment through each pair of positions, and the least cost overall."""
    costs = _forward(first, second)
    n, m = len(first), len(second)
    best = costs[n, m]
    below = np.empty(m + 1, dtype=np.int32)
    row = np.empty(m + 1, dtype=np.int32)
    for i in range(n, -1, -1):
        for j in range(m, -1, -1):
            if i == n:
                rest = (m - j) * GAP
            elif j == m:
                rest = (n - i) * GAP
            else:
                diagonal = below[j + 1] + (0 if first[i] == second[j] else MISMATCH)
                rest = min(diagonal, min(below[j], row[j + 1]) + GAP)
            row[j] = rest
            costs[i, j] += np.int32(rest) - best
        below, row = row, below
    return costs, int(best)


@compiled
def _spans(excess: Costs, slack: np.int64) -> IntArray:
    """First and last column of each row within the slack, shape (rows, 2); first > last if there is none."""
    spans = np.empty((len(excess), 2), dtype=np.int64)
    for i in range(len(excess)):
        first, last = 0, excess.shape[1] - 1
        while first <= last and excess[i, first] > slack:
            first += 1
        while last >= first and excess[i, last] > slack:
            last -= 1
        spans[i, 0] = first
        spans[i, 1] = last
    return spans


@compiled
def _layout(
    in_output: Costs, by_source: IntArray, by_output: IntArray, slack: np.int64
) -> tuple[IntArray, int]:
    """The place of the cells of each pair of source and output position, and their number.

    Returns:
        segments: shape (n + 1, m + 1, 3), first and last reference position, and the index of the first one.
        size: number of cells.
    """
    segments = np.empty((in_output.shape[0], in_output.shape[1], 3), dtype=np.int64)
    size = 0
    for i in range(in_output.shape[0]):
        for j in range(in_output.shape[1]):
            first = max(by_source[i, 0], by_output[j, 0])
            last = min(by_source[i, 1], by_output[j, 1])
            if in_output[i, j] > slack or last < first:
                first, last = 1, 0
            segments[i, j, 0] = first
            segments[i, j, 1] = last
            segments[i, j, 2] = size
            size += last - first + 1
    return segments, size


@compiled
def _cost(table: Costs, segments: IntArray, i: int, j: int, k: int) -> int:
    """The stored cost of a cell; very large if it is not stored."""
    if i < 0 or j < 0 or k < segments[i, j, 0] or k > segments[i, j, 1]:
        return FAR
    return int(table[segments[i, j, 2] + k - segments[i, j, 0]])


@compiled
def _step(
    table: Costs,
    segments: IntArray,
    source: IntArray,
    output: IntArray,
    reference: IntArray,
    cell: tuple[int, int, int],
) -> tuple[int, int]:
    """The least cost of a cell by its neighbours, and the tokens in its last column.

    The tokens are bits: 4 for source, 2 for output, 1 for reference. Ties go to columns without gaps, then to
    those with one gap, then two, and among these to source and output before reference.
    """
    i, j, k = cell
    in_pair = 0 if i > 0 and j > 0 and source[i - 1] == output[j - 1] else MISMATCH
    in_source = 0 if i > 0 and k > 0 and source[i - 1] == reference[k - 1] else MISMATCH
    in_output = 0 if j > 0 and k > 0 and output[j - 1] == reference[k - 1] else MISMATCH
    best, column = _cost(table, segments, i - 1, j - 1, k - 1) + in_pair + in_source + in_output, 7
    cost = _cost(table, segments, i - 1, j - 1, k) + in_pair + 2 * GAP
    if cost < best:
        best, column = cost, 6
    cost = _cost(table, segments, i - 1, j, k - 1) + in_source + 2 * GAP
    if cost < best:
        best, column = cost, 5
    cost = _cost(table, segments, i, j - 1, k - 1) + in_output + 2 * GAP
    if cost < best:
        best, column = cost, 3
    cost = _cost(table, segments, i - 1, j, k) + 2 * GAP
    if cost < best:
        best, column = cost, 4
    cost = _cost(table, segments, i, j - 1, k) + 2 * GAP
    if cost < best:
        best, column = cost, 2
    cost = _cost(table, segments, i, j, k - 1) + 2 * GAP
    if cost < best:
        best, column = cost, 1
    return best, column


@compiled
def _fill(
    table: Costs,
    segments: IntArray,
    source: IntArray,
    output: IntArray,
    reference: IntArray,
    in_output: Costs,
    in_source: Costs,
    in_both: Costs,
    slack: np.int64,
) -> None:
    """The least cost of each cell whose excesses are within the slack, in place."""
    for i in range(len(source) + 1):
        for j in range(len(output) + 1):
            for k in range(segments[i, j, 0], segments[i, j, 1] + 1):
                if in_output[i, j] + in_source[i, k] + in_both[j, k] <= slack:
                    cost = 0
                    if i + j + k > 0:
                        cost, _ = _step(table, segments, source, output, reference, (i, j, k))
                    table[segments[i, j, 2] + k - segments[i, j, 0]] = min(cost, FAR)


@compiled
def _align_three(
    source: IntArray, output: IntArray, reference: IntArray, first_slack: np.int64, most_cells: int
) -> tuple[IntArray, bool]:
    """The columns of the alignment as bits (see `_step`), the last one first, and whether it exists."""
    in_output, first_cost = _excess(source, output)
    in_source, second_cost = _excess(source, reference)
    in_both, third_cost = _excess(output, reference)
    lowest = first_cost + second_cost + third_cost
    slack = first_slack
    end = (len(source), len(output), len(reference))
    while True:
        segments, size = _layout(in_output, _spans(in_source, slack), _spans(in_both, slack), slack)
        if size > most_cells:
            return np.empty(0, dtype=np.int64), False
        table = np.full(size, FAR, dtype=np.int32)
        _fill(table, segments, source, output, reference, in_output, in_source, in_both, slack)
        if _cost(table, segments, *end) <= lowest + slack:
            break
        slack *= 2
    columns = np.empty(len(source) + len(output) + len(reference), dtype=np.int64)
    count = 0
    i, j, k = end
    while i + j + k > 0:
        _, column = _step(table, segments, source, output, reference, (i, j, k))
        columns[count] = column
        count += 1
        i, j, k = i - (column >> 2), j - (column >> 1 & 1), k - (column & 1)
    return columns[:count], True


@compiled
def _equal(first: IntArray, second: IntArray) -> bool:
    return len(first) == len(second) and bool((first == second).all())


@compiled
def _compare_two(first: IntArray, second: IntArray) -> tuple[int, int]:
    """Equal and different columns of two aligned texts; ties go to columns without a gap."""
    costs = _forward(first, second)
    equal, different = 0, 0
    i, j = len(first), len(second)
    while i > 0 or j > 0:
        same = i > 0 and j > 0 and first[i - 1] == second[j - 1]
        if i > 0 and j > 0 and costs[i, j] == costs[i - 1, j - 1] + (0 if same else MISMATCH):
            i, j = i - 1, j - 1
            equal += int(same)
            different += int(not same)
            continue
        different += 1
        if i > 0 and costs[i, j] == costs[i - 1, j] + GAP:
            i -= 1
        else:
            j -= 1
    return equal, different


@compiled
def _tally(
    source: IntArray, output: IntArray, reference: IntArray, columns: IntArray, counts: IntArray
) -> None:
    """Count TP, TN, FP, FN and FPN of an alignment (Felice and Briscoe 2015, table 3); a gap equals a gap."""
    i, j, k = len(source), len(output), len(reference)
    for column in columns:
        s = source[i - 1] if column & 4 else -1
        o = output[j - 1] if column & 2 else -1
        r = reference[k - 1] if column & 1 else -1
        i, j, k = i - (column >> 2), j - (column >> 1 & 1), k - (column & 1)
        if s == o:
            counts[TN if o == r else FN] += 1
        elif s == r:
            counts[FP] += 1
        elif o == r:
            counts[TP] += 1
        else:
            counts[FP] += 1
            counts[FN] += 1
            counts[FPN] += 1


@compiled
def align(
    source: IntArray, output: IntArray, reference: IntArray, first_slack: np.int64, most_cells: int
) -> tuple[IntArray, bool]:
    """The counts of an output against one reference, and whether they could be computed.

    If the source equals one or both of the others, a pairwise alignment is enough. If only output and
    reference are equal, the released tool aligns all three, and so does this function.

    Args:
        source: tokens, not negative.
        output: tokens.
        reference: tokens.
        first_slack: `FIRST_SLACK`, or `EVERYTHING` for a full table.
        most_cells: maximum number of cells of the table.

    Returns:
        counts: shape (7,), TP, TN, FP, FN and FPN of correction, then TN and FN of the unchanged source.
        made: False if it needs more cells.
    """
    counts = np.zeros(7, dtype=np.int64)
    counts[SAME], counts[DIFFERENT] = _compare_two(source, reference)
    if _equal(source, output):
        counts[TN], counts[FN] = counts[SAME], counts[DIFFERENT]
        return counts, True
    if _equal(source, reference):
        counts[TN], counts[FP] = _compare_two(reference, output)
        return counts, True
    columns, made = _align_three(source, output, reference, first_slack, most_cells)
    _tally(source, output, reference, columns, counts)
    return counts, made


@compiled
def _accuracies(
    tp: float, tn: float, fp: float, fn: float, fpn: float, base: float, weight: float
) -> tuple[float, float, float, float]:
    """Sort key of references: weighted accuracy, I, weighted accuracy again, accuracy."""
    columns = tp + tn + fp + fn - fpn
    if columns == 0:
        return 1.0, 1.0, 1.0, 1.0
    weighted = (weight * tp + tn) / (weight * (tp + fp) + tn + fn - (weight + 1) * fpn / 2)
    if weighted == base:
        improvement = np.floor(weighted)
    elif weighted > base:
        improvement = (weighted - base) / (1 - base)
    else:
        improvement = weighted / base - 1
    return weighted, improvement, weighted, (tp + tn) / columns


@compiled
def best_counts(tokens: IntArray, bounds: IntArray, weight: float, most_cells: int) -> tuple[IntArray, bool]:
    """The counts against the reference that gives the highest accuracies; ties go to the first one.

    Args:
        tokens: tokens of source, output and references, one text after the other.
        bounds: start of each text, and the end of the last one.
        weight: weight of true and false positives in weighted accuracy.
        most_cells: see `align`.

    Returns:
        What `align` returns for this reference.
    """
    source = tokens[bounds[0] : bounds[1]]
    output = tokens[bounds[1] : bounds[2]]
    best = np.zeros(7, dtype=np.int64)
    highest = (-2.0,) * 8
    for number in range(2, len(bounds) - 1):
        reference = tokens[bounds[number] : bounds[number + 1]]
        counts, made = align(source, output, reference, FIRST_SLACK, most_cells)
        if not made:
            return counts, False
        tp, tn, fp, fn, fpn, same, different = counts
        base = same / (same + different) if same + different > 0 else 1.0
        scores = _accuracies(tp, tn, fp, fn, fpn, base, weight) + _accuracies(
            tp + fpn, tn, fp - fpn, fn - fpn, 0, base, weight
        )
        if scores > highest:
            best, highest = counts, scores
    return best, True
