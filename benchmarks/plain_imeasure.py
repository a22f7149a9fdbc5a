"""The released I-measure tool's algorithm, stated plainly: a full three-way table filled cell by cell.

`metrics.imeasure` is checked against this statement, and the benchmark compares their times.
"""

from collections.abc import Sequence
from itertools import product
from math import floor

GAP, MISMATCH = 2, 3
STEPS = [(1, 1, 1), (1, 1, 0), (1, 0, 1), (0, 1, 1), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
"""Which tokens a column holds, in the order in which ties are broken."""

Tokens = Sequence[str]
Column = tuple[str, str, str]
Counts = tuple[int, int, int, int, int]


def column_cost(column: Column) -> int:
    """The sum over the three pairs of a column."""
    cost = 0
    for first, second in ((0, 1), (0, 2), (1, 2)):
        one, other = column[first], column[second]
        if one != other:
            cost += MISMATCH if one and other else GAP
    return cost


def align_three(source: Tokens, output: Tokens, reference: Tokens) -> list[Column]:
    """The columns of the best alignment; "" is a gap."""
    table: dict[tuple[int, int, int], int] = {}

    def ways(i: int, j: int, k: int) -> list[tuple[int, tuple[int, int, int], Column]]:
        found = []
        for a, b, c in STEPS:
            if i >= a and j >= b and k >= c:
                column = (
                    source[i - 1] if a else "",
                    output[j - 1] if b else "",
                    reference[k - 1] if c else "",
                )
                cell = i - a, j - b, k - c
                found.append((table[cell] + column_cost(column), cell, column))
        return found

    for cell in product(range(len(source) + 1), range(len(output) + 1), range(len(reference) + 1)):
        table[cell] = min(way[0] for way in ways(*cell)) if any(cell) else 0
    cell = len(source), len(output), len(reference)
    columns = []
    while any(cell):
        _, cell, column = min(ways(*cell), key=lambda way: way[0])
        columns.append(column)
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
    """WAcc; 1 for nothing."""
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
    """The counts against the reference that suits the output best."""
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
