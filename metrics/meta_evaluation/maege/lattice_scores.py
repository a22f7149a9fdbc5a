"""One lattice with the scores of all its corrections."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from math import isfinite

import numpy as np

from metrics.base.evaluation_sets import Checker, Parser
from metrics.base.metric import AnyMetric
from metrics.meta_evaluation.maege.drawing import Texts
from metrics.meta_evaluation.maege.lattices import Lattice, LatticeCorpus
from metrics.meta_evaluation.maege.levels import SAME
from metrics.meta_evaluation.maege.pair_scores import PairScorer, Work

MOST_EDITS = 5
"""Maximum size of a lattice that is scored as a whole: 32 corrections."""


@dataclass(frozen=True, slots=True)
class Node:
    """A correction in a lattice.

    Attributes:
        edits: numbers of its edits, from 0, in text order.
        text: tokens separated by blanks.
        scores: by metric; None where one is not scored.
    """

    edits: tuple[int, ...]
    text: str
    scores: Mapping[str, float | None]


@dataclass(frozen=True, slots=True)
class Step:
    """A pair of corrections that differ by one edit.

    Attributes:
        worse: the number of the correction without it.
        better: the number of the correction with it.
    """

    worse: int
    better: int


def lattice_nodes(
    corpus: LatticeCorpus,
    place: int,
    metrics: Mapping[str, AnyMetric],
    *,
    checker: Checker | None = None,
    parser: Parser | None = None,
) -> tuple[tuple[Node, ...], tuple[Step, ...]]:
    """All corrections of a lattice, from the original to the top, with their scores, and the steps between.

    The source is the original.

    Args:
        corpus: with the references that metrics compare with.
        place: of the lattice in `corpus.lattices`; it has `MOST_EDITS` edits at most.
        metrics: by name.
        checker: a grammar checker, for metrics that need one.
        parser: an English pipeline, for metrics that need one.

    Raises:
        InputError: a metric lacks what it needs.
    """
    lattice = corpus.lattices[place]
    subsets = subsets_of(lattice)
    texts = Texts(corpus)
    source = np.array([texts.original(lattice.sentence)])
    outputs = np.array([texts.correction(place, sum(1 << edit for edit in edits)) for edits in subsets])
    scores: dict[str, list[float]] = {}
    for name, metric in metrics.items():
        scorer = PairScorer(metric, corpus, texts, checker=checker, parser=parser)
        scorer.add(source, outputs, Work())
        scores[name] = scorer.sentence_scores(source, outputs).tolist()
    nodes = tuple(
        Node(
            edits,
            texts.texts[outputs[number]],
            {name: each[number] if isfinite(each[number]) else None for name, each in scores.items()},
        )
        for number, edits in enumerate(subsets)
    )
    steps = tuple(
        Step(worse, better)
        for worse, fewer in enumerate(subsets)
        for better, more in enumerate(subsets)
        if len(more) == len(fewer) + 1 and set(fewer) < set(more)
    )
    return nodes, steps


def subsets_of(lattice: Lattice) -> list[tuple[int, ...]]:
    """All subsets of the edits, smaller ones first."""
    edits = range(len(lattice.edits))
    return [subset for size in range(len(lattice.edits) + 1) for subset in combinations(edits, size)]


def direction(nodes: tuple[Node, ...], step: Step, metric: str) -> int:
    """1 if the metric scores the better correction higher, -1 if lower; 0 for a tie or no score."""
    before, after = nodes[step.worse].scores[metric], nodes[step.better].scores[metric]
    if before is None or after is None or abs(after - before) <= SAME:
        return 0
    return 1 if after > before else -1
