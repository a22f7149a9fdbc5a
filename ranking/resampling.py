"""Drawing judgments anew, with replacement: what is drawn together, and what comes out.

GJG15 (section 5.2) drew expanded pairs one by one. But the pairs of one ranking come from one look at one
sentence, and identical outputs multiply them: they are not independent, and drawing them so makes every
interval too narrow. Drawing whole judgments, sentences or judges keeps together what belongs together.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import compress, pairwise
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.sparse import csr_array, vstack

from ranking.arrays import IntArray
from ranking.exploding import SystemLists, runs, system_lists
from ranking.pairs import BY_RANKS, PAIRS_PER_BLOCK, PairCounts, row_pairs
from ranking.snapshot import Basis, compared_outputs, system_names

Progress = Callable[[int], None]
"""Is told of replicates that are finished, by their number."""

Draw = Callable[[np.random.Generator], IntArray]

REPLICATES_PER_CHUNK = 50
"""Replicates that share a random generator. Part of what a seed means: another number, other replicates."""

JUDGMENTS_PER_BLOCK = 20_000
"""Of 500 ranked systems that would be 2.5 billion pairs; of 13 it is 1.6 million, in 50 MB."""

GROUPS_PER_BLOCK = 20_000


class Unit(StrEnum):
    """What is drawn as a whole."""

    PAIR = "pair"
    JUDGMENT = "judgment"
    SENTENCE = "sentence"
    JUDGE = "judge"


_COLUMNS = {Unit.JUDGMENT: "judgment", Unit.SENTENCE: "sentence", Unit.JUDGE: "annotator"}


@dataclass(frozen=True, slots=True, eq=False)
class GroupedPairs:
    """The n expanded pairs of a snapshot, those that are drawn together side by side.

    Attributes:
        systems: the S systems, in alphabetical order.
        unit: what the G groups are. Judgments, sentences and judges without any pair are none.
        starts: shape (G + 1,); the pairs of group g are `codes[starts[g]:starts[g + 1]]`.
        codes: shape (n,); S * i + j where system i was judged better than system j, S * S + S * i + j where
            they tie, i < j. A code is the place of the pair in the counts, flattened (`resampled_counts`).
        names: the G judgments, sentences or judges; empty where nobody named them, as for pairs.
    """

    systems: tuple[str, ...]
    unit: Unit
    starts: NDArray[np.integer]
    codes: NDArray[np.int32]
    names: tuple[str, ...] = ()

    @property
    def totals(self) -> IntArray:
        """How many pairs have each code, shape (2 * S * S,)."""
        totals = np.zeros(2 * len(self.systems) ** 2, dtype=np.int64)
        for first in range(0, len(self.codes), PAIRS_PER_BLOCK):
            totals += np.bincount(self.codes[first : first + PAIRS_PER_BLOCK], minlength=len(totals))
        return totals

    @property
    def counts(self) -> PairCounts:
        """The same pairs, counted."""
        size = len(self.systems)
        wins, ties = self.totals.reshape(2, size, size)
        return PairCounts(self.systems, wins, ties + ties.T)

    def only(self, groups: NDArray[np.bool_]) -> "GroupedPairs":
        """The pairs of some of the groups, shape (G,)."""
        sizes = np.diff(self.starts)
        starts = np.concatenate([[0], np.cumsum(sizes[groups])])
        names = tuple(compress(self.names, groups))
        return GroupedPairs(self.systems, self.unit, starts, self.codes[np.repeat(groups, sizes)], names)


def group_pairs(snapshot: pd.DataFrame, unit: Unit, by: Basis = BY_RANKS) -> GroupedPairs:
    """The expanded pairs of a snapshot, grouped by the unit that is to be drawn.

    Raises `SnapshotError` as `ranking.snapshot.compared_outputs` does.
    """
    outputs = compared_outputs(snapshot, by)
    systems = system_names(snapshot)
    lists = system_lists(outputs["systems"], systems)
    judgments = outputs["judgment"].cat.codes.to_numpy()
    order = np.argsort(judgments, kind="stable")
    starts, rows = runs(judgments[order])
    shown = np.add.reduceat(lists.sizes[lists.of_row][order], starts) if len(starts) else rows
    pairs = shown * (shown - 1) // 2
    compared = np.flatnonzero(pairs)
    if unit is not Unit.PAIR:
        groups, names = pd.factorize(outputs[_COLUMNS[unit]].take(order[starts[compared]]))
        compared = compared[np.argsort(groups, kind="stable")]
    codes = np.empty(int(pairs.sum()), dtype=np.int32)
    place = outputs["place"].to_numpy()
    end = 0
    for first in range(0, len(compared), JUDGMENTS_PER_BLOCK):
        block = compared[first : first + JUDGMENTS_PER_BLOCK]
        shift = np.repeat(starts[block] - (np.cumsum(rows[block]) - rows[block]), rows[block])
        of_block = order[shift + np.arange(len(shift))]
        judgment = np.repeat(np.arange(len(block)), rows[block])
        block_codes = _codes(judgment, place[of_block], lists, of_block, by)
        codes[end : end + len(block_codes)] = block_codes
        end += len(block_codes)
    if unit is Unit.PAIR:
        return GroupedPairs(systems, unit, np.arange(len(codes) + 1, dtype=np.int32), codes)
    sizes = np.bincount(groups, pairs[np.flatnonzero(pairs)]).astype(np.int64)
    starts = np.concatenate([[0], np.cumsum(sizes)])
    return GroupedPairs(systems, unit, starts, codes, tuple(map(str, names)))


def _codes(
    judgments: NDArray[np.integer],
    places: NDArray[Any],
    lists: SystemLists,
    rows: NDArray[np.integer],
    by: Basis,
) -> NDArray[np.int32]:
    """The codes of the expanded pairs of whole judgments, whose numbers and rows stand together."""
    row, system = lists.exploded(rows)
    order = np.lexsort((system, judgments[row]))
    row, system = row[order], system[order]
    upper, lower = row_pairs(judgments[row])
    size = len(lists.names)
    first, second = system[upper], system[lower]
    ahead = places[row][lower] - places[row][upper]
    tied = np.abs(ahead) <= by.tie_width
    codes = np.where((ahead < 0) & ~tied, second * size + first, first * size + second)
    return np.asarray(codes + tied * size**2, dtype=np.int32)


class CountDraws:
    """Draws the counts of replicates of grouped pairs; what all of them are drawn from is made once.

    It keeps no pairs. Counts of pairs that are drawn one by one are multinomial. Groups are drawn as weights
    of a sparse matrix of groups by cells.
    """

    def __init__(self, pairs: GroupedPairs) -> None:
        totals = pairs.totals
        self._size = len(pairs.systems)
        self._cells = cells = np.flatnonzero(totals)
        self._draw = _pair_draw(totals[cells]) if pairs.unit is Unit.PAIR else _group_draw(pairs, cells)

    def counts(self, replicates: range, seed: int) -> Iterator[IntArray]:
        """The counts of each replicate: as many groups as there are, drawn with replacement.

        Comes in blocks of up to `REPLICATES_PER_CHUNK`, shape (replicates, 2, S, S): [:, 0, i, j] is how
        often system i was judged better than system j, [:, 1, i, j], i < j, how often they tied. Replicate r
        is the same in whatever range it is asked for, so that ranges may be shared out among workers.
        """
        first = replicates.start // REPLICATES_PER_CHUNK
        for chunk in range(first, -(-replicates.stop // REPLICATES_PER_CHUNK)):
            rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(chunk,)))
            begin = chunk * REPLICATES_PER_CHUNK
            counts = self._draw(rng)[max(replicates.start - begin, 0) : replicates.stop - begin]
            block = np.zeros((len(counts), 2 * self._size**2), dtype=np.int64)
            block[:, self._cells] = counts
            yield block.reshape(len(counts), 2, self._size, self._size)


def resampled_counts(pairs: GroupedPairs, replicates: range, seed: int) -> Iterator[IntArray]:
    """The counts of each replicate, as `CountDraws.counts` draws them."""
    return CountDraws(pairs).counts(replicates, seed)


def _pair_draw(totals: IntArray) -> Draw:
    if not len(totals):
        return lambda rng: np.empty((REPLICATES_PER_CHUNK, 0), dtype=np.int64)
    number = int(totals.sum())
    return lambda rng: rng.multinomial(number, totals / number, REPLICATES_PER_CHUNK)


def _group_draw(pairs: GroupedPairs, cells: IntArray) -> Draw:
    groups = len(pairs.starts) - 1
    table = cells_of_groups(pairs, cells)

    def draw(rng: np.random.Generator) -> IntArray:
        # Row by row the generator gives the same numbers as all at once, and they take less memory.
        weights = np.empty((REPLICATES_PER_CHUNK, groups), dtype=np.int32)
        for weight in weights:
            weight[:] = np.bincount(rng.integers(max(groups, 1), size=groups), minlength=groups)
        counts = np.zeros((len(cells), REPLICATES_PER_CHUNK))
        for first in range(0, groups, GROUPS_PER_BLOCK):
            block = slice(first, first + GROUPS_PER_BLOCK)
            counts += table[block].T @ weights[:, block].T.astype(np.float64)
        return np.rint(counts.T).astype(np.int64)

    return draw


def cells_of_groups(pairs: GroupedPairs, cells: IntArray) -> csr_array:
    """Shape (G, cells): how many pairs of each group are in each of these cells of the counts."""
    column_of = np.zeros(int(cells.max(initial=0)) + 1, dtype=np.int32)
    column_of[cells] = np.arange(len(cells), dtype=np.int32)
    groups = len(pairs.starts) - 1
    tables = [csr_array((0, len(cells)), dtype=np.int32)]
    block_starts = np.arange(0, len(pairs.codes), PAIRS_PER_BLOCK)
    edges = np.unique([0, *(np.searchsorted(pairs.starts, block_starts, side="right") - 1), groups])
    for first, last in pairwise(edges):
        starts = pairs.starts[first : last + 1]
        columns = column_of[pairs.codes[starts[0] : starts[-1]]]
        table = csr_array(
            (np.ones(len(columns), dtype=np.int32), columns, starts - starts[0]),
            shape=(len(starts) - 1, len(cells)),
        )
        table.sum_duplicates()
        tables.append(table)
    return csr_array(vstack(tables))
