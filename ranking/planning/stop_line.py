"""The rule by which a campaign may stop: one look at the differences that the judgments have settled.

A look takes all judgments as they are now and reads them twice, in pieces, so that its memory does not grow
with their number. Its intervals are those of `ranking.planning.watching`: they hold at all looks together,
whenever these are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from math import comb

import numpy as np

from core.arrays import AnyArray, FloatArray, IntArray
from core.later import pd, sparse
from ranking.judgments.grouped_pairs import Unit, cells_of_groups, group_pairs
from ranking.judgments.pairs import BY_RANKS, PairCounts
from ranking.judgments.snapshot import Basis
from ranking.planning.watching import anytime_width, standard_errors
from ranking.uncertainty.influences import INFLUENCES, SCORES
from ranking.uncertainty.methods import Method

METHOD = Method.EXPECTED_WINS


class StopLine(StrEnum):
    """The differences that have to be settled before a campaign may stop."""

    FIRST = "first"
    """The first place: the best system is better than each other one."""

    ORDER = "order"
    """The whole order: each system is better than the next one."""


@dataclass(frozen=True, slots=True, eq=False)
class JudgedPairs:
    """The n judgments that compare systems.

    Attributes:
        systems: the S systems, in alphabetical order.
        cells: shape (C,); flattened places of the pairs that occur in the counts, as in `GroupedPairs`.
        table: shape (n, C), how many pairs of each judgment are in each cell.
        sentences: shape (n,), the sentence of each judgment.
    """

    systems: tuple[str, ...]
    cells: IntArray
    table: sparse.csr_array
    sentences: AnyArray


Pieces = Callable[[], Iterable[JudgedPairs]]
"""Returns the judgments in pieces, each time it is called."""


@dataclass(frozen=True, slots=True)
class Look:
    """A look at the judgments: the differences that they have settled.

    Attributes:
        judgments: the number of judgments that compare systems.
        sentences: the number of their sentences.
        settled: how many of the borders are settled.
        borders: number of borders, one fewer than systems: between the best system and each other one, or
            between neighbours.
    """

    judgments: int
    sentences: int
    settled: int
    borders: int

    @property
    def is_reached(self) -> bool:
        """Whether all borders are settled, so that the campaign may stop."""
        return 0 < self.borders == self.settled


def judged_pairs(snapshot: pd.DataFrame, by: Basis = BY_RANKS) -> JudgedPairs:
    """The judgments of a snapshot that compare systems.

    Raises `SnapshotError` as `ranking.judgments.snapshot.compared_outputs` does.
    """
    pairs = group_pairs(snapshot, Unit.JUDGMENT, by)
    cells = np.flatnonzero(pairs.totals)
    sentences = snapshot.drop_duplicates("judgment").set_index("judgment")["sentence"].astype("object")
    of_judgments = sentences.loc[list(pairs.names)].to_numpy()
    return JudgedPairs(pairs.systems, cells, cells_of_groups(pairs, cells), of_judgments)


def look_at(
    pieces: Pieces,
    systems: Sequence[str],
    line: StopLine,
    *,
    confidence: float = 0.95,
    planned: int = 1000,
) -> Look:
    """Look at a ranking by ExpectedWins: which borders the judgments have settled.

    A border is settled if the difference of its two systems is above 0 by the interval of `ranking.watch`,
    whose `confidence` and `planned` have the same meaning. It holds for all pairs of `systems`, all systems
    that have to be ranked; the borders of a system without judgments are not settled.

    Raises:
        ValueError: a piece names a system that is not among them.
    """
    names = tuple(sorted(systems))
    counts = _counts(pieces, names)
    scores = SCORES[METHOD](counts)
    borders = _borders(scores, line)
    of_pairs = np.zeros((len(borders), 2, len(names), len(names)))
    for influence, border in zip(of_pairs, borders, strict=True):
        influence[:] = INFLUENCES[METHOD](counts, *border)
    judgments, sums = _influences(pieces, names, of_pairs)
    settled = 0
    if judgments:
        differences = np.array([scores[above] - scores[below] for above, below in borders])
        alpha = (1 - confidence) / comb(len(names), 2)
        width = anytime_width(np.array([judgments]), alpha, planned)
        settled = int(np.count_nonzero(differences > standard_errors(sums) * width))
    return Look(judgments, len(sums), settled, max(0, len(names) - 1))


def _borders(scores: FloatArray, line: StopLine) -> list[tuple[int, int]]:
    """The rows of the two systems of each border between systems with a score, the better one first."""
    order = [row for row in np.argsort(-scores, kind="stable").tolist() if np.isfinite(scores[row])]
    if line is StopLine.FIRST:
        return [(order[0], row) for row in order[1:]]
    return list(pairwise(order))


def _counts(pieces: Pieces, names: tuple[str, ...]) -> PairCounts:
    totals = np.zeros((2, len(names), len(names)), dtype=np.int64)
    for piece in pieces():
        rows = _places_of_systems(piece, names)
        of_piece = np.zeros((2, len(rows), len(rows)), dtype=np.int64)
        of_piece.ravel()[piece.cells] = piece.table.sum(axis=0)
        totals[:, rows[:, np.newaxis], rows] += of_piece
    wins, ties = totals
    return PairCounts(names, wins, ties + ties.T)


def _influences(pieces: Pieces, names: tuple[str, ...], of_pairs: FloatArray) -> tuple[int, FloatArray]:
    """The number of judgments, and the influence of each of n sentences on each difference, shape (n, P)."""
    judgments = 0
    sums = pd.DataFrame(columns=range(len(of_pairs)), dtype=np.float64)
    for piece in pieces():
        rows = _places_of_systems(piece, names)
        of_piece = of_pairs[:, :, rows][:, :, :, rows].reshape(len(of_pairs), 2 * len(rows) ** 2)
        influences = pd.DataFrame(piece.table @ of_piece[:, piece.cells].T)
        sums = sums.add(influences.groupby(piece.sentences).sum(), fill_value=0.0)
        judgments += len(piece.sentences)
    return judgments, sums.to_numpy()


def _places_of_systems(piece: JudgedPairs, names: tuple[str, ...]) -> IntArray:
    """The row of each system of a piece."""
    if unknown := set(piece.systems).difference(names):
        raise ValueError(f"{', '.join(sorted(unknown))} should not be in the judgments")
    return np.array([names.index(name) for name in piece.systems], dtype=np.int64)
