"""Plain implementation of the released I-measure tool: a full three-way table filled cell by cell.

`metrics.imeasure` is checked against it, and the benchmark compares their times.
"""

from collections.abc import Sequence
from itertools import product
from math import floor

import numpy as np
from numpy.typing import NDArray

GAP, MISMATCH = 2, 3
STEPS = [(1, 1, 1), (1, 1, 0), (1, 0, 1), (0, 1, 1), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
"""The tokens that a column may hold, in the order in which ties are broken."""

Tokens = Sequence[str]
Column = tuple[str, str, str]
Counts = tuple[int, int, int, int, int]


def pair_cost(first: str, second: str) -> int:
    """The cost of two tokens in one column."""
    return 0 if first == second else MISMATCH


def cost_table(source: Tokens, output: Tokens, reference: Tokens) -> NDArray[np.int64]:
    """The least cost of aligning the first i, j and k tokens, filled cell by cell as in the tool."""
    shape = len(source) + 1, len(output) + 1, len(reference) + 1
    table = np.zeros(shape, dtype=np.int64)
    for i, j, k in product(*map(range, shape)):
        in_pair = pair_cost(source[i - 1], output[j - 1]) if i and j else 0
        in_source = pair_cost(source[i - 1], reference[k - 1]) if i and k else 0
        in_output = pair_cost(output[j - 1], reference[k - 1]) if j and k else 0
        costs = []
        if i and j and k:
            costs.append(table[i - 1, j - 1, k - 1] + in_pair + in_source + in_output)
        if i and j:
            costs.append(table[i - 1, j - 1, k] + in_pair + 2 * GAP)
        if i and k:
            costs.append(table[i - 1, j, k - 1] + in_source + 2 * GAP)
        if j and k:
            costs.append(table[i, j - 1, k - 1] + in_output + 2 * GAP)
        if i:
            costs.append(table[i - 1, j, k] + 2 * GAP)
        if j:
            costs.append(table[i, j - 1, k] + 2 * GAP)
        if k:
            costs.append(table[i, j, k - 1] + 2 * GAP)
        table[i, j, k] = min(costs, default=0)
    return table


def align_three(source: Tokens, output: Tokens, reference: Tokens) -> list[Column]:
    """The columns of the best alignment; "" is a gap."""
    table = cost_table(source, output, reference)
    i, j, k = len(source), len(output), len(reference)
    columns = []
    while i or j or k:
        for a, b, c in STEPS:
            if i < a or j < b or k < c:
                continue
            column = source[i - 1] if a else "", output[j - 1] if b else "", reference[k - 1] if c else ""
            cost = 2 * GAP if a + b + c < 3 else 0
            cost += sum(
                pair_cost(column[first], column[second])
                for first, second in ((0, 1), (0, 2), (1, 2))
                if (a, b, c)[first] and (a, b, c)[second]
            )
            if table[i, j, k] == table[i - a, j - b, k - c] + cost:
                columns.append(column)
                i, j, k = i - a, j - b, k - c
                break
    return columns[::-1]


def align_two(first: Tokens, second: Tokens) -> list[tuple[str, str]]:
    """The columns of the best alignment of two texts."""
    columns = align_three(first, second, ())
    return [(one, other) for one, other, _ in columns]


def alignment(source: Tokens, output: Tokens, reference: Tokens) -> list[Column]:
    """The alignment that is counted: of two texts where the source equals another text."""
    if list(source) == list(output):
        return [(one, one, other) for one, other in align_two(source, reference)]
    if list(source) == list(reference):
        return [(one, other, one) for one, other in align_two(source, output)]
    return align_three(source, output, reference)


def counts(source: Tokens, output: Tokens, reference: Tokens) -> Counts:
    """TP, TN, FP, FN and FPN of correction."""
    tp = tn = fp = fn = fpn = 0
    for one, other, right in alignment(source, output, reference):
        if one == other == right:
            tn += 1
        elif one == other:
            fn += 1
        elif one == right:
            fp += 1
        elif other == right:
            tp += 1
        else:
            fp, fn, fpn = fp + 1, fn + 1, fpn + 1
    return tp, tn, fp, fn, fpn


def weighted_accuracy(count: Counts, weight: float = 2) -> float:
    """WAcc; 1 if there is nothing to compare."""
    tp, tn, fp, fn, fpn = count
    load = weight * (tp + fp) + tn + fn - (weight + 1) * fpn / 2
    return (weight * tp + tn) / load if load else 1.0


def improvement(weighted: float, base: float) -> float:
    """I of the weighted accuracies of output and source."""
    if weighted == base:
        return float(floor(weighted))
    return (weighted - base) / (1 - base) if weighted > base else weighted / base - 1


def detection(count: Counts) -> Counts:
    """Counts of detection."""
    tp, tn, fp, fn, fpn = count
    return tp + fpn, tn, fp - fpn, fn - fpn, 0


def best(source: Tokens, output: Tokens, references: Sequence[Tokens]) -> Counts:
    """The counts against the reference that fits the output best."""
    scored = []
    for reference in references:
        base = weighted_accuracy(counts(source, source, reference))
        key: list[float] = []
        correction = counts(source, output, reference)
        for count in (correction, detection(correction)):
            tp, tn, fp, fn, fpn = count
            columns = tp + tn + fp + fn - fpn
            weighted = weighted_accuracy(count)
            key += [weighted, improvement(weighted, base), (tp + tn) / columns if columns else 1.0]
        scored.append((key, correction))
    return max(scored, key=lambda each: each[0])[1]
