"""Finds the path through a lattice that matches the most gold edits, and counts the matches.

The edits of an annotator are four arrays: `spans` of shape (G, 2), start and end in the file's order;
`firsts` of shape (G + 1,): edit g has the alternatives from firsts[g] to firsts[g + 1]; `bounds` of
shape (A + 1,): alternative a has the tokens corrections[bounds[a]:bounds[a + 1]]; and `corrections`.
"""

import numpy as np
from numpy.typing import NDArray

from core.arrays import FloatArray, IntArray
from ranking.compilation import compiled

BoolArray = NDArray[np.bool_]
Table = NDArray[np.int16]

EPSILON = 0.001


@compiled
def _equal(first: IntArray, second: IntArray) -> bool:
    return len(first) == len(second) and bool((first == second).all())


@compiled
def _matches(
    source: IntArray,
    output: IntArray,
    edit: IntArray,
    number: int,
    spans: IntArray,
    firsts: IntArray,
    bounds: IntArray,
    corrections: IntArray,
) -> bool:
    """Whether an edit (see `best_edits`) has span, source tokens and a correction of a gold edit."""
    if edit[0] != spans[number, 0] or edit[1] != spans[number, 1]:
        return False
    if not _equal(source[edit[2] : edit[4]], source[spans[number, 0] : spans[number, 1]]):
        return False
    changed = output[edit[3] : edit[5]]
    for each in range(firsts[number], firsts[number + 1]):
        if _equal(changed, corrections[bounds[each] : bounds[each + 1]]):
            return True
    return False


@compiled
def _edit(tail: int, head: int, vertices: IntArray, starts: Table, ends: Table) -> IntArray:
    """Start and end of an arc's span, then source and output position before and after it."""
    edit = np.empty(6, dtype=np.int64)
    edit[0] = starts[tail, head]
    edit[1] = ends[tail, head]
    edit[2] = vertices[tail, 0]
    edit[3] = vertices[tail, 1]
    edit[4] = vertices[head, 0]
    edit[5] = vertices[head, 1]
    return edit


@compiled
def _weigh_insertions(group: IntArray, matching: BoolArray, weights: FloatArray, match_weight: float) -> None:
    """Weigh the arcs of one empty span, in place; gold edits are matched from both ends of the list in turn.

    Args:
        group: shape (A, 2), arcs sorted by tail and head.
        matching: shape (A, G), whether an arc matches each of the span's gold edits, in the file's order.
        weights: shape (V, V).
        match_weight: weight of an arc that matches.
    """
    left, right = 0, len(group) - 1
    gold_left, gold_right = 0, matching.shape[1] - 1
    current = left
    while left <= right:
        tail, head = group[current]
        at_left = current == left
        hits = np.flatnonzero(matching[current, gold_left : gold_right + 1])
        left, right = (left + 1, right) if at_left else (left, right - 1)
        if len(hits) == 0:
            weights[tail, head] += EPSILON
            current = right if at_left else left
        elif at_left:
            weights[tail, head] = match_weight
            gold_left += hits[0] + 1
            while left < len(group) and group[left, 0] != head:
                weights[group[left, 0], group[left, 1]] += EPSILON
                left += 1
            current = left
        else:
            weights[tail, head] = match_weight
            gold_right = gold_left + hits[-1] - 1
            while right >= 0 and group[right, 1] != tail:
                weights[group[right, 0], group[right, 1]] += EPSILON
                right -= 1
            current = right


@compiled
def _has_insertion(position: int, spans: IntArray) -> bool:
    for number in range(len(spans)):  # noqa: SIM110 a generator is not compiled
        if spans[number, 0] == position and spans[number, 1] == position:
            return True
    return False


@compiled
def _weights(
    source: IntArray,
    output: IntArray,
    arcs: IntArray,
    vertices: IntArray,
    lengths: Table,
    same: Table,
    starts: Table,
    ends: Table,
    spans: IntArray,
    firsts: IntArray,
    bounds: IntArray,
    corrections: IntArray,
) -> FloatArray:
    """The weight of each arc, shape (V, V): minus the number of arcs for a match, else about its length."""
    weights: FloatArray = lengths.astype(np.float64)
    for place in range(len(arcs)):
        tail, head = arcs[place]
        start, end = starts[tail, head], ends[tail, head]
        if start == end and _has_insertion(start, spans):
            continue
        match = False
        for number in range(len(spans)):
            if spans[number, 0] == start and spans[number, 1] == end:
                edit = _edit(tail, head, vertices, starts, ends)
                match |= _matches(source, output, edit, number, spans, firsts, bounds, corrections)
        if match:
            weights[tail, head] = -len(arcs)
        elif not same[tail, head]:
            weights[tail, head] += EPSILON
    return weights


@compiled
def _insertions(position: int, arcs: IntArray, starts: Table, ends: Table) -> IntArray:
    """The arcs whose span is empty and at a position, shape (A, 2), sorted."""
    size = len(starts)
    times = np.zeros((size, size), dtype=np.int16)
    count = 0
    for place in range(len(arcs)):
        tail, head = arcs[place]
        if starts[tail, head] == position and ends[tail, head] == position:
            times[tail, head] += 1
            count += 1
    # In loops, because `np.sort` and the assignment of a column take three seconds to compile.
    group = np.empty((count, 2), dtype=np.int64)
    number = 0
    for tail in range(size):
        for head in range(size):
            for _ in range(times[tail, head]):
                group[number, 0] = tail
                group[number, 1] = head
                number += 1
    return group


@compiled
def _add_insertion_weights(
    weights: FloatArray,
    source: IntArray,
    output: IntArray,
    arcs: IntArray,
    vertices: IntArray,
    starts: Table,
    ends: Table,
    spans: IntArray,
    firsts: IntArray,
    bounds: IntArray,
    corrections: IntArray,
) -> None:
    """Weigh the arcs at positions with gold insertions, in place."""
    for first in range(len(spans)):
        position = spans[first, 0]
        if spans[first, 1] != position or _has_insertion(position, spans[:first]):
            continue
        numbers = np.flatnonzero((spans[:, 0] == position) & (spans[:, 1] == position))
        group = _insertions(position, arcs, starts, ends)
        matching = np.zeros((len(group), len(numbers)), dtype=np.bool_)
        for place in range(len(group)):
            edit = _edit(group[place, 0], group[place, 1], vertices, starts, ends)
            for column in range(len(numbers)):
                matching[place, column] = _matches(
                    source, output, edit, numbers[column], spans, firsts, bounds, corrections
                )
        _weigh_insertions(group, matching, weights, -len(arcs))


@compiled
def _lightest_path(arcs: IntArray, weights: FloatArray) -> IntArray:
    """The vertex before each one on the lightest path from the first, -1 if none (Bellman and Ford)."""
    costs = np.full(len(weights), np.inf)
    costs[0] = 0
    before = np.full(len(weights), -1, dtype=np.int64)
    changed = True
    while changed:
        changed = False
        for place in range(len(arcs)):
            tail, head = arcs[place]
            cost = costs[tail] + weights[tail, head]
            if cost < costs[head]:
                costs[head] = cost
                before[head] = tail
                changed = True
    return before


@compiled
def best_edits(
    source: IntArray,
    output: IntArray,
    arcs: IntArray,
    vertices: IntArray,
    lengths: Table,
    same: Table,
    starts: Table,
    ends: Table,
    spans: IntArray,
    firsts: IntArray,
    bounds: IntArray,
    corrections: IntArray,
) -> IntArray:
    """The edits of the path that matches the most gold edits, in text order.

    Args:
        source: shape (n,), tokens.
        output: shape (m,), tokens.
        arcs: with the next five the lattice, as `metrics.kernels.m2_kernel.lattice.lattice` returns it.
        vertices: see there.
        lengths: see there.
        same: see there.
        starts: see there.
        ends: see there.
        spans: with the next three the gold edits, see above.
        firsts: see there.
        bounds: see there.
        corrections: see there.

    Returns:
        Shape (edits, 6): start and end of the span, source and output position before and after the edit.
    """
    weights = _weights(
        source, output, arcs, vertices, lengths, same, starts, ends, spans, firsts, bounds, corrections
    )
    _add_insertion_weights(
        weights, source, output, arcs, vertices, starts, ends, spans, firsts, bounds, corrections
    )
    before = _lightest_path(arcs, weights)
    edits = np.empty((len(vertices), 6), dtype=np.int64)
    first = len(edits)
    head = len(vertices) - 1
    while before[head] >= 0:
        tail = before[head]
        if not same[tail, head]:
            first -= 1
            edit = _edit(tail, head, vertices, starts, ends)
            for part in range(6):
                edits[first, part] = edit[part]
        head = tail
    return edits[first:]


@compiled
def matched(
    source: IntArray,
    output: IntArray,
    edits: IntArray,
    spans: IntArray,
    firsts: IntArray,
    bounds: IntArray,
    corrections: IntArray,
) -> int:
    """How many gold edits the edits match, both in order; arguments as in `best_edits`.

    An edit also matches equal gold edits after the first one, as in the official scorer.
    """
    count = 0
    first = 0
    for number in range(len(edits)):
        for gold in range(first, len(spans)):
            if _matches(source, output, edits[number], gold, spans, firsts, bounds, corrections):
                count += 1
                first = gold + 1
    return count
