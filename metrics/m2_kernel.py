"""MaxMatch, compiled: the edit lattice of a sentence and the path through it that matches most gold edits.

Dahlmeier and Ng 2012, "Better Evaluation for Grammatical Error Correction", sections 3 and 4. What the paper
leaves open (costs, order of arcs, ties, spans of insertions before the first token) is as in the official
scorer, version 3.2, so that counts are equal to its counts. Tokens are numbers.

A vertex of a lattice is a pair of positions in source and output; vertices are numbered in sorted order. An
arc is an edit, or a run of unchanged tokens. One array describes the arcs, *tables*, of shape (5, V, V), by
tail and head:

    LENGTH  number of simple steps; `NO_ARC` if there is no arc
    KEPT    unchanged tokens inside
    SAME    1 if it changes nothing
    START   first source position of its span
    END     source position after the span

The edits of an annotator are four arrays: `spans` of shape (G, 2), start and end in the file's order;
`firsts` of shape (G + 1,): edit g has the alternatives from firsts[g] to firsts[g + 1]; `bounds` of
shape (A + 1,): alternative a has the tokens corrections[bounds[a]:bounds[a + 1]]; and `corrections`.
"""

import numpy as np
from numpy.typing import NDArray

from ranking.compilation import compiled

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]
Tables = NDArray[np.int16]

EPSILON = 0.001
NO_ARC = 32_767
LENGTH, KEPT, SAME, START, END = range(5)
SUBSTITUTION, DELETION, INSERTION = 1, 2, 4


@compiled
def _steps(source: IntArray, output: IntArray, cost: int) -> NDArray[np.int8]:
    """Which last steps lead to each cell at the least distance, as bits, shape (n + 1, m + 1)."""
    n, m = len(source), len(output)
    steps = np.zeros((n + 1, m + 1), dtype=np.int8)
    steps[1:, 0] = DELETION
    steps[0, 1:] = INSERTION
    above = np.arange(m + 1)
    row = np.empty(m + 1, dtype=np.int64)
    for i in range(1, n + 1):
        row[0] = i
        for j in range(1, m + 1):
            substitution = above[j - 1] + (0 if source[i - 1] == output[j - 1] else cost)
            deletion, insertion = above[j] + 1, row[j - 1] + 1
            least = min(substitution, deletion, insertion)
            row[j] = least
            steps[i, j] = (
                SUBSTITUTION * (substitution == least)
                + DELETION * (deletion == least)
                + INSERTION * (insertion == least)
            )
        above, row = row, above
    return steps


@compiled
def _on_shortest_paths(steps: NDArray[np.int8]) -> None:
    """Clear the steps of cells from which no step leads on to the last cell, in place."""
    reached = np.zeros(steps.shape, dtype=np.bool_)
    reached[-1, -1] = True
    for i in range(steps.shape[0] - 1, -1, -1):
        for j in range(steps.shape[1] - 1, -1, -1):
            if not reached[i, j]:
                steps[i, j] = 0
            if steps[i, j] & SUBSTITUTION:
                reached[i - 1, j - 1] = True
            if steps[i, j] & DELETION:
                reached[i - 1, j] = True
            if steps[i, j] & INSERTION:
                reached[i, j - 1] = True


@compiled
def _vertices(light: NDArray[np.int8], heavy: NDArray[np.int8]) -> tuple[IntArray, IntArray]:
    """The vertices, shape (V, 2), and their numbers by cell, shape (n + 1, m + 1), -1 off the lattice."""
    numbers = np.full(light.shape, -1, dtype=np.int64)
    size = 0
    for i in range(light.shape[0]):
        for j in range(light.shape[1]):
            if light[i, j] | heavy[i, j] or i + j == 0:
                numbers[i, j] = size
                size += 1
    vertices = np.empty((size, 2), dtype=np.int64)
    for i in range(light.shape[0]):
        for j in range(light.shape[1]):
            if numbers[i, j] >= 0:
                vertices[numbers[i, j], 0] = i
                vertices[numbers[i, j], 1] = j
    return vertices, numbers


@compiled
def _appended(arcs: IntArray, number: int, tail: int, head: int) -> IntArray:
    """The arcs with one more at `number`, in a larger array where needed."""
    if number == len(arcs):
        larger = np.empty((2 * number + 16, 2), dtype=np.int64)
        for place in range(number):
            larger[place, 0] = arcs[place, 0]
            larger[place, 1] = arcs[place, 1]
        arcs = larger
    arcs[number, 0] = tail
    arcs[number, 1] = head
    return arcs


@compiled
def _simple_arcs(
    source: IntArray,
    output: IntArray,
    light: NDArray[np.int8],
    heavy: NDArray[np.int8],
    vertices: IntArray,
    numbers: IntArray,
    tables: Tables,
) -> IntArray:
    """The arcs of single steps, sorted; one on shortest paths of both distances stands there twice."""
    arcs = np.empty((4 * len(vertices) + 16, 2), dtype=np.int64)
    count = 0
    for tail in range(len(vertices)):
        i, j = vertices[tail]
        for step in (INSERTION, DELETION, SUBSTITUTION):
            down, right = i + (step != INSERTION), j + (step != DELETION)
            if down > len(source) or right > len(output):
                continue
            times = int(light[down, right] & step != 0) + int(heavy[down, right] & step != 0)
            if times == 0:
                continue
            head = numbers[down, right]
            for _ in range(times):
                arcs = _appended(arcs, count, tail, head)
                count += 1
            same = int(step == SUBSTITUTION and source[i] == output[j])
            # An insertion before the first token has the output's position as its span.
            start = j if step == INSERTION and i == 0 else i
            tables[LENGTH, tail, head] = 1
            tables[KEPT, tail, head] = same
            tables[SAME, tail, head] = same
            tables[START, tail, head] = start
            tables[END, tail, head] = start if step == INSERTION else down
    return arcs[:count]


@compiled
def _joined_arcs(arcs: IntArray, tables: Tables, max_unchanged: int) -> IntArray:
    """The arcs with those that join others where that is shorter (Floyd and Warshall), tables in place."""
    lengths, kept = tables[LENGTH], tables[KEPT]
    size = tables.shape[1]
    count = len(arcs)
    heads = np.empty(size, dtype=np.int64)
    for middle in range(size):
        successors = 0
        for head in range(middle + 1, size):
            if lengths[middle, head] != NO_ARC:
                heads[successors] = head
                successors += 1
        for tail in range(middle):
            first = np.int64(lengths[tail, middle])
            if first == NO_ARC:
                continue
            for number in range(successors):
                head = heads[number]
                length = first + lengths[middle, head]
                tokens = kept[tail, middle] + kept[middle, head]
                if length >= lengths[tail, head] or tokens > max_unchanged:
                    continue
                arcs = _appended(arcs, count, tail, head)
                count += 1
                lengths[tail, head] = length
                kept[tail, head] = tokens
                tables[SAME, tail, head] = tables[SAME, tail, middle] & tables[SAME, middle, head]
                tables[START, tail, head] = tables[START, tail, middle]
                tables[END, tail, head] = tables[END, middle, head]
    return arcs[:count]


@compiled
def _without_long_runs(arcs: IntArray, tables: Tables) -> IntArray:
    """The arcs without joined ones that change nothing, but for each that comes right after a removed one.

    The official scorer removes from the list that it walks through, and so skips an arc after each removal.
    The arcs that are left over change no edit, but the number of arcs is the weight of a match.
    """
    left = np.empty_like(arcs)
    count = 0
    skipped = False
    for number in range(len(arcs)):
        tail, head = arcs[number]
        if not skipped and tables[SAME, tail, head] and tables[LENGTH, tail, head] > 1:
            skipped = True
            continue
        skipped = False
        left[count, 0] = tail
        left[count, 1] = head
        count += 1
    return left[:count]


@compiled
def lattice(
    source: IntArray, output: IntArray, max_unchanged: int, most_vertices: int
) -> tuple[IntArray, IntArray, Tables]:
    """The lattices of both Levenshtein distances (substitutions cost 1 and 2) in one, with joined arcs.

    Args:
        source: shape (n,), tokens.
        output: shape (m,), tokens.
        max_unchanged: most unchanged tokens inside an edit that joins others.
        most_vertices: a lattice with more is refused; at most 30,000, for lengths take two bytes.

    Returns:
        arcs: shape (E, 2), tails and heads; an arc that was added twice stands there twice.
        vertices: shape (V, 2), source and output positions; empty if refused.
        tables: shape (5, V, V), see above.
    """
    light = _steps(source, output, 1)
    heavy = _steps(source, output, 2)
    _on_shortest_paths(light)
    _on_shortest_paths(heavy)
    vertices, numbers = _vertices(light, heavy)
    if len(vertices) > most_vertices:
        return vertices[:0], vertices[:0], np.empty((5, 0, 0), dtype=np.int16)
    tables = np.zeros((5, len(vertices), len(vertices)), dtype=np.int16)
    tables[LENGTH] = NO_ARC
    arcs = _simple_arcs(source, output, light, heavy, vertices, numbers, tables)
    arcs = _joined_arcs(arcs, tables, max_unchanged)
    return _without_long_runs(arcs, tables), vertices, tables


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
def _edit(tail: int, head: int, vertices: IntArray, tables: Tables) -> IntArray:
    """Start and end of an arc's span, then source and output position before and after it."""
    edit = np.empty(6, dtype=np.int64)
    edit[0] = tables[START, tail, head]
    edit[1] = tables[END, tail, head]
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
    tables: Tables,
    spans: IntArray,
    firsts: IntArray,
    bounds: IntArray,
    corrections: IntArray,
) -> FloatArray:
    """The weight of each arc, shape (V, V): minus the number of arcs for a match, else about its length."""
    weights: FloatArray = tables[LENGTH].astype(np.float64)
    for place in range(len(arcs)):
        tail, head = arcs[place]
        start, end = tables[START, tail, head], tables[END, tail, head]
        if start == end and _has_insertion(start, spans):
            continue
        match = False
        for number in range(len(spans)):
            if spans[number, 0] == start and spans[number, 1] == end:
                edit = _edit(tail, head, vertices, tables)
                match |= _matches(source, output, edit, number, spans, firsts, bounds, corrections)
        if match:
            weights[tail, head] = -len(arcs)
        elif not tables[SAME, tail, head]:
            weights[tail, head] += EPSILON
    return weights


@compiled
def _insertions(position: int, arcs: IntArray, tables: Tables) -> IntArray:
    """The arcs whose span is empty and at a position, shape (A, 2), sorted."""
    size = tables.shape[1]
    keys = np.empty(len(arcs), dtype=np.int64)
    count = 0
    for place in range(len(arcs)):
        tail, head = arcs[place]
        if tables[START, tail, head] == position and tables[END, tail, head] == position:
            keys[count] = tail * size + head
            count += 1
    keys = np.sort(keys[:count])
    group = np.empty((count, 2), dtype=np.int64)
    group[:, 0] = keys // size
    group[:, 1] = keys % size
    return group


@compiled
def _add_insertion_weights(
    weights: FloatArray,
    source: IntArray,
    output: IntArray,
    arcs: IntArray,
    vertices: IntArray,
    tables: Tables,
    spans: IntArray,
    firsts: IntArray,
    bounds: IntArray,
    corrections: IntArray,
) -> None:
    """Weigh the arcs at positions where there are gold insertions, in place."""
    for first in range(len(spans)):
        position = spans[first, 0]
        if spans[first, 1] != position or _has_insertion(position, spans[:first]):
            continue
        numbers = np.flatnonzero((spans[:, 0] == position) & (spans[:, 1] == position))
        group = _insertions(position, arcs, tables)
        matching = np.zeros((len(group), len(numbers)), dtype=np.bool_)
        for place in range(len(group)):
            edit = _edit(group[place, 0], group[place, 1], vertices, tables)
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
    tables: Tables,
    spans: IntArray,
    firsts: IntArray,
    bounds: IntArray,
    corrections: IntArray,
) -> IntArray:
    """The edits of the path that matches most gold edits, in text order.

    Args:
        source: shape (n,), tokens.
        output: shape (m,), tokens.
        arcs: with `vertices` and `tables` as `lattice` returns them.
        vertices: see there.
        tables: see there.
        spans: with the next three the gold edits, see above.
        firsts: see there.
        bounds: see there.
        corrections: see there.

    Returns:
        Shape (edits, 6): start and end of the span, source and output position before and after the edit.
    """
    weights = _weights(source, output, arcs, vertices, tables, spans, firsts, bounds, corrections)
    _add_insertion_weights(
        weights, source, output, arcs, vertices, tables, spans, firsts, bounds, corrections
    )
    before = _lightest_path(arcs, weights)
    edits = np.empty((len(vertices), 6), dtype=np.int64)
    first = len(edits)
    head = len(vertices) - 1
    while before[head] >= 0:
        tail = before[head]
        if not tables[SAME, tail, head]:
            first -= 1
            edit = _edit(tail, head, vertices, tables)
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

    As in the official scorer an edit also matches equal gold edits after the first one.
    """
    count = 0
    first = 0
    for number in range(len(edits)):
        for gold in range(first, len(spans)):
            if _matches(source, output, edits[number], gold, spans, firsts, bounds, corrections):
                count += 1
                first = gold + 1
    return count


@compiled
def _best_row(values: FloatArray, size: int, total: FloatArray, square: float) -> int:
    """The first of a sentence's rows that gives the highest F on top of the total; -1 if there are none.

    Ties go to more correct edits, then to the smaller sum of proposed and beta squared times gold edits.
    """
    best, best_f, best_correct, best_load = -1, -1.0, -1.0, np.inf
    for row in range(size):
        correct = total[0] + values[row, 0]
        load = total[1] + values[row, 1] + square * (total[2] + values[row, 2])
        f = (1 + square) * correct / load if load > 0 else 1.0
        if f > best_f or (
            f == best_f and (correct > best_correct or (correct == best_correct and load < best_load))
        ):
            best, best_f, best_correct, best_load = row, f, correct, load
    return best


@compiled
def choose_annotators(
    values: FloatArray, sizes: IntArray, picks: IntArray, beta: float, annotators: int
) -> tuple[FloatArray, IntArray]:
    """Choose an annotator for each sentence in order, the one that gives the highest F up to there.

    Args:
        values: shape (D, R, 4), correct, proposed and gold edits, and the number of the annotator.
        sizes: shape (D,), annotators of each output.
        picks: shape (B, n), outputs of each corpus.
        beta: weight of recall.
        annotators: how many there are.

    Returns:
        totals: shape (B, 3), correct, proposed and gold edits of the chosen annotators.
        chosen: shape (B, A), how often each annotator was chosen, by number.
    """
    totals = np.zeros((len(picks), 3))
    chosen = np.zeros((len(picks), annotators), dtype=np.int64)
    for corpus in range(len(picks)):
        total = totals[corpus]
        for output in picks[corpus]:
            best = _best_row(values[output], sizes[output], total, beta * beta)
            if best >= 0:
                for part in range(3):
                    total[part] += values[output, best, part]
                chosen[corpus, int(values[output, best, 3])] += 1
    return totals, chosen
