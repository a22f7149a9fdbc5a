"""Plain implementation of the official M2 scorer: dictionaries of arcs, loops over all vertices.

The original (version 3.2) runs only on Python 2 and is under the GPL. `metrics.m2` is checked against this
implementation, and the benchmark compares their times.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from metrics import Annotation, GoldEdit

Vertex = tuple[int, int]
Arc = tuple[Vertex, Vertex]
EPSILON = 0.001


class Edit(NamedTuple):
    """An edit as an arc of the lattice."""

    same: bool
    start: int
    end: int
    original: str
    correction: str
    unchanged: int


Edits = dict[Arc, Edit]
Lengths = dict[Arc, float]
Counts = tuple[int, int, int]


def counts(
    source: str, output: str, annotations: Sequence[Annotation], max_unchanged: int = 2, ignore: bool = False
) -> list[Counts]:
    """Correct, proposed and gold edits of an output against each annotator."""
    tokens = source.split()
    vertices, arcs, edits = merged(tokens, output.split())
    lengths: Lengths = dict.fromkeys(edits, 1)
    add_transitive(vertices, arcs, edits, lengths, max_unchanged)
    rows = []
    for annotation in annotations or [Annotation("", ())]:
        gold = [
            (edit.start, edit.end, " ".join(tokens[edit.start : edit.end]), edit) for edit in annotation.edits
        ]
        path = best_path(vertices, arcs, weighted(arcs, edits, lengths, [each[3] for each in gold], tokens))
        chosen = [edits[arc] for arc in path if not edits[arc].same]
        if ignore:
            chosen = [edit for edit in chosen if _bare(edit.original) != _bare(edit.correction)]
        correct, first = 0, 0
        for edit in chosen:
            for number in range(first, len(gold)):
                if matches(edit, gold[number][3], tokens):
                    correct += 1
                    first = number + 1
        rows.append((correct, len(chosen), len(gold)))
    return rows


def corpus(rows: Iterable[Sequence[Counts]], beta: float) -> Counts:
    """Total counts, choosing for each sentence the annotator that gives the highest F so far."""
    total = (0, 0, 0)
    for sentence in rows:
        sums = [
            (total[0] + correct, total[1] + proposed, total[2] + gold) for correct, proposed, gold in sentence
        ]
        total = max(sums, key=lambda each: (f_score(each, beta), each[0], -(each[1] + beta * beta * each[2])))
    return total


def f_score(count: Counts, beta: float) -> float:
    """F of correct, proposed and gold edits."""
    correct, proposed, gold = count
    load = beta * beta * gold + proposed
    return (1 + beta * beta) * correct / load if load else 1.0


def steps(source: Sequence[str], output: Sequence[str], cost: int) -> Iterator[tuple[Arc, Edit]]:
    """All steps on shortest paths from the end of both texts back to their beginnings."""
    distance = {(0, 0): 0}
    back: dict[Vertex, list[tuple[Vertex, Edit]]] = {(0, 0): []}
    for i, token in enumerate(source, 1):
        distance[i, 0] = i
        back[i, 0] = [((i - 1, 0), Edit(False, i - 1, i, token, "", 0))]
    for j, token in enumerate(output, 1):
        distance[0, j] = j
        back[0, j] = [((0, j - 1), Edit(False, j - 1, j - 1, "", token, 0))]
    for i, token in enumerate(source, 1):
        for j, word in enumerate(output, 1):
            same = token == word
            ways = (
                (distance[i - 1, j - 1] + (0 if same else cost), (i - 1, j - 1), (i - 1, i, token, word)),
                (distance[i - 1, j] + 1, (i - 1, j), (i - 1, i, token, "")),
                (distance[i, j - 1] + 1, (i, j - 1), (i, i, "", word)),
            )
            least = min(way[0] for way in ways)
            distance[i, j] = least
            back[i, j] = [
                (
                    tail,
                    Edit(same and bool(edit[2] and edit[3]), *edit, int(same and bool(edit[2] and edit[3]))),
                )
                for length, tail, edit in ways
                if length == least
            ]
    queue = [(len(source), len(output))]
    seen = set()
    for vertex in queue:
        if vertex not in seen:
            seen.add(vertex)
            for tail, edit in back[vertex]:
                yield (tail, vertex), edit
                queue.append(tail)


def merged(source: Sequence[str], output: Sequence[str]) -> tuple[list[Vertex], list[Arc], Edits]:
    """The lattices of both costs in one; an arc of both occurs twice in the list."""
    both = [*steps(source, output, 1), *steps(source, output, 2)]
    vertices = {vertex for arc, _ in both for vertex in arc} | {(0, 0)}
    return sorted(vertices), sorted(arc for arc, _ in both), dict(both)


def add_transitive(
    vertices: Sequence[Vertex], arcs: list[Arc], edits: Edits, lengths: Lengths, max_unchanged: int
) -> None:
    """Join consecutive arcs, in place, if that is shorter and leaves few tokens unchanged."""
    infinite = float("inf")
    for middle in vertices:
        for tail in vertices:
            if (tail, middle) not in edits:
                continue
            for head in vertices:
                if (middle, head) not in edits:
                    continue
                length = lengths[tail, middle] + lengths[middle, head]
                if length < lengths.get((tail, head), infinite):
                    joint = _joined(edits[tail, middle], edits[middle, head])
                    if joint.unchanged <= max_unchanged:
                        arcs.append((tail, head))
                        lengths[tail, head] = length
                        edits[tail, head] = joint
    for arc in arcs:  # The list shrinks during the loop, so the arc after a removed one is skipped.
        if edits[arc].same and lengths[arc] > 1:
            arcs.remove(arc)


def matches(edit: Edit, gold: GoldEdit, tokens: Sequence[str]) -> bool:
    """Whether span, source text and one of the corrections are equal."""
    return (
        (edit.start, edit.end) == (gold.start, gold.end)
        and edit.original == " ".join(tokens[gold.start : gold.end])
        and edit.correction in gold.corrections
    )


def weighted(
    arcs: Sequence[Arc], edits: Edits, lengths: Lengths, golds: Sequence[GoldEdit], tokens: Sequence[str]
) -> Lengths:
    """The weights of arcs: minus their number for a match."""
    weights = dict(lengths)
    spans: dict[tuple[int, int], list[Arc]] = {}
    for arc in arcs:
        spans.setdefault((edits[arc].start, edits[arc].end), []).append(arc)
    for span, members in spans.items():
        candidates = [gold for gold in golds if (gold.start, gold.end) == span]
        if span[0] == span[1]:
            _weigh_insertions(sorted(members), candidates, edits, weights, tokens, -len(arcs))
            continue
        for arc in members:
            if any(matches(edits[arc], gold, tokens) for gold in candidates):
                weights[arc] = -len(arcs)
            elif not edits[arc].same:
                weights[arc] += EPSILON
    return weights


def best_path(vertices: Sequence[Vertex], arcs: Sequence[Arc], weights: Mapping[Arc, float]) -> list[Arc]:
    """The lightest path from the first to the last vertex by Bellman-Ford, with all rounds."""
    costs = dict.fromkeys(vertices, float("inf"))
    costs[vertices[0]] = 0
    before: dict[Vertex, Vertex] = {}
    for _ in range(len(vertices) - 1):
        for tail, head in arcs:
            if costs[tail] + weights[tail, head] < costs[head]:
                costs[head] = costs[tail] + weights[tail, head]
                before[head] = tail
    path: list[Arc] = []
    vertex = vertices[-1]
    while vertex in before:
        path.append((before[vertex], vertex))
        vertex = before[vertex]
    return path[::-1]


def _weigh_insertions(
    arcs: Sequence[Arc],
    golds: Sequence[GoldEdit],
    edits: Edits,
    weights: Lengths,
    tokens: Sequence[str],
    match_weight: float,
) -> None:
    left, right = 0, len(arcs) - 1
    gold_left, gold_right = 0, len(golds) - 1
    current = left
    while left <= right:
        arc = arcs[current]
        at_left = current == left
        numbers = list(range(gold_left, gold_right + 1))
        hit = next(
            (n for n in (numbers if at_left else numbers[::-1]) if matches(edits[arc], golds[n], tokens)),
            None,
        )
        if hit is None:
            weights[arc] += EPSILON
            left, right = (left + 1, right) if at_left else (left, right - 1)
            current = right if at_left else left
        elif at_left:
            weights[arc] = match_weight
            gold_left = hit + 1
            left += 1
            while left < len(arcs) and arcs[left][0] != arc[1]:
                weights[arcs[left]] += EPSILON
                left += 1
            current = left
        else:
            weights[arc] = match_weight
            gold_right = hit - 1
            right -= 1
            while right >= 0 and arcs[right][1] != arc[0]:
                weights[arcs[right]] += EPSILON
                right -= 1
            current = right


def _joined(first: Edit, second: Edit) -> Edit:
    return Edit(
        first.same and second.same,
        first.start,
        second.end,
        " ".join(part for part in (first.original, second.original) if part),
        " ".join(part for part in (first.correction, second.correction) if part),
        first.unchanged + second.unchanged,
    )


def _bare(text: str) -> str:
    return text.replace(" ", "").lower()
