"""The edit lattice of a sentence.

One array describes the arcs while the lattice is built, *tables*, of shape (5, V, V), by tail and head:

    LENGTH  number of simple steps; `NO_ARC` if there is no arc
    KEPT    unchanged tokens inside
    SAME    1 if it changes nothing
    START   first source position of its span
    END     source position after the span
"""

import numpy as np
from numpy.typing import NDArray

from core.arrays import IntArray
from ranking.compilation import compiled

Table = NDArray[np.int16]
Tables = NDArray[np.int16]

NO_ARC = 32_767
LENGTH, KEPT, SAME, START, END = range(5)
SUBSTITUTION, DELETION, INSERTION = 1, 2, 4


@compiled
def _steps(source: IntArray, output: IntArray, cost: int) -> NDArray[np.int8]:
    """The last steps that reach each cell at the least distance, as bits, shape (n + 1, m + 1)."""
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
    """Clear the steps of cells from which the last cell cannot be reached, in place."""
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
    """The arcs with one more at `number`, in a larger array if needed."""
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
    """The arcs of single steps, sorted; an arc on shortest paths of both distances occurs twice."""
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
    """The arcs plus joined arcs where these are shorter (Floyd-Warshall); updates tables in place."""
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
    """The arcs without joined arcs that change nothing, except those right after a removed arc.

    The official scorer removes items from the list that it iterates over, and so skips an arc after each
    removal. The remaining arcs change no edit, but the number of arcs is the weight of a match.
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
) -> tuple[IntArray, IntArray, Table, Table, Table, Table]:
    """The lattices of both Levenshtein distances (substitutions cost 1 and 2) in one, with joined arcs.

    Args:
        source: shape (n,), tokens.
        output: shape (m,), tokens.
        max_unchanged: maximum number of unchanged tokens inside a joined edit.
        most_vertices: a lattice with more vertices is refused; at most 30,000, because lengths take 2 bytes.

    Returns:
        arcs: shape (E, 2), tails and heads; an arc that was added twice occurs twice.
        vertices: shape (V, 2), source and output positions; empty if refused.
        lengths: shape (V, V), by tail and head of an arc, as the next three: its number of simple steps.
        same: 1 if it changes nothing.
        starts: first source position of its span.
        ends: source position after the span.
    """
    light = _steps(source, output, 1)
    heavy = _steps(source, output, 2)
    _on_shortest_paths(light)
    _on_shortest_paths(heavy)
    vertices, numbers = _vertices(light, heavy)
    if len(vertices) > most_vertices:
        empty = np.empty((0, 0), dtype=np.int16)
        return vertices[:0], vertices[:0], empty, empty, empty, empty
    tables = np.zeros((5, len(vertices), len(vertices)), dtype=np.int16)
    tables[LENGTH] = NO_ARC
    arcs = _simple_arcs(source, output, light, heavy, vertices, numbers, tables)
    arcs = _joined_arcs(arcs, tables, max_unchanged)
    arcs = _without_long_runs(arcs, tables)
    return arcs, vertices, tables[LENGTH], tables[SAME], tables[START], tables[END]
