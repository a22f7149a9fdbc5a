"""Drawing judgments anew, with replacement: what is drawn together, and what comes out.

GJG15 (section 5.2) drew expanded pairs one by one. But the pairs of one ranking come from one look at one
sentence, and identical outputs multiply them: they are not independent, and drawing them so makes every
interval too narrow. Drawing whole judgments, sentences or judges keeps together what belongs together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import compress, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.later import pd, sparse
from ranking.arrays import CountArray, FloatArray, IntArray
from ranking.judgments.pairs import BY_RANKS, PAIRS_PER_BLOCK, PairCounts, row_pairs
from ranking.judgments.propensities import Propensities, inverse_weights
from ranking.judgments.snapshot import Basis, compared_outputs, system_names
from ranking.judgments.system_rows import SystemLists, runs, system_lists

Progress = Callable[[int], None]
"""Called with the number of replicates finished."""

Draw = Callable[[np.random.Generator], CountArray]

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
        weights: shape (n,), how often each pair counts (`ranking.judgments.propensities`); None where each counts once.
    """

    systems: tuple[str, ...]
    unit: Unit
    starts: NDArray[np.integer]
    codes: NDArray[np.integer]
    names: tuple[str, ...] = ()
    weights: FloatArray | None = None

    @property
    def totals(self) -> IntArray:
        """How many pairs have each code, shape (2 * S * S,)."""
        totals = np.zeros(2 * len(self.systems) ** 2, dtype=np.int64)
        for first in range(0, len(self.codes), PAIRS_PER_BLOCK):
            totals += np.bincount(self.codes[first : first + PAIRS_PER_BLOCK], minlength=len(totals))
        return totals

    @property
    def sums(self) -> CountArray:
        """For each code, the number of its pairs or the sum of their weights, shape (2 * S * S,)."""
        if self.weights is None:
            return self.totals
        return np.bincount(self.codes, self.weights, minlength=2 * len(self.systems) ** 2)

    @property
    def counts(self) -> PairCounts:
        """The same pairs, counted."""
        size = len(self.systems)
        wins, ties = self.sums.reshape(2, size, size)
        return PairCounts(self.systems, wins, ties + ties.T)

    def units_of_systems(self, *, decided: bool = False) -> IntArray:
        """In how many groups each system is compared, or wins or loses a comparison if `decided`; (S,)."""
        size = len(self.systems)
        totals = self.totals
        cells = np.flatnonzero(totals)
        member = np.zeros((len(cells), size))
        for side in np.divmod(cells % size**2, size):
            member[np.arange(len(cells)), side] = 1
        if decided:
            member[cells >= size**2] = 0
        if self.unit is Unit.PAIR:
            return np.rint(totals[cells] @ member).astype(np.int64)
        table = cells_of_groups(replace(self, weights=None), cells)
        units = np.zeros(size, dtype=np.int64)
        for first in range(0, table.shape[0], GROUPS_PER_BLOCK):
            units += np.count_nonzero(table[first : first + GROUPS_PER_BLOCK] @ member, axis=0)
        return units

    def places(self, groups: IntArray) -> IntArray:
        """The places of the pairs of these groups, group by group."""
        sizes = self.starts[groups + 1] - self.starts[groups]
        shift = np.repeat(self.starts[groups] - (np.cumsum(sizes) - sizes), sizes)
        places: IntArray = shift + np.arange(len(shift))
        return places

    def only(self, groups: NDArray[np.bool_]) -> GroupedPairs:
        """The pairs of some of the groups, shape (G,)."""
        sizes = np.diff(self.starts)
        starts = np.concatenate([[0], np.cumsum(sizes[groups])])
        names = tuple(compress(self.names, groups))
        chosen = np.repeat(groups, sizes)
        weights = None if self.weights is None else self.weights[chosen]
        return GroupedPairs(self.systems, self.unit, starts, self.codes[chosen], names, weights)


def group_pairs(
    snapshot: pd.DataFrame, unit: Unit, by: Basis = BY_RANKS, *, weighted: bool = False
) -> GroupedPairs:
    """The expanded pairs of a snapshot, grouped by the unit that is to be drawn.

    If `weighted`, pairs count by the inverse of their propensities (`ranking.judgments.propensities`); the snapshot
    then has the columns `campaign` and `propensities`.

    Raises `SnapshotError` as `ranking.judgments.snapshot.compared_outputs` does.
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
    weighting = _Weighting(snapshot, outputs, by) if weighted else None
    place = outputs["place"].to_numpy()
    end = 0
    for first in range(0, len(compared), JUDGMENTS_PER_BLOCK):
        block = compared[first : first + JUDGMENTS_PER_BLOCK]
        shift = np.repeat(starts[block] - (np.cumsum(rows[block]) - rows[block]), rows[block])
        of_block = order[shift + np.arange(len(shift))]
        judgment = np.repeat(np.arange(len(block)), rows[block])
        block_codes, upper, lower = _codes(judgment, place[of_block], lists, of_block, by)
        if weighting is not None:
            weighting.add(of_block[upper], of_block[lower])
        codes[end : end + len(block_codes)] = block_codes
        end += len(block_codes)
    weights = None if weighting is None else weighting.weights(codes, len(systems))
    if unit is Unit.PAIR:
        starts = np.arange(len(codes) + 1, dtype=np.int32)
        return GroupedPairs(systems, unit, starts, codes, weights=weights)
    sizes = np.bincount(groups, pairs[np.flatnonzero(pairs)]).astype(np.int64)
    starts = np.concatenate([[0], np.cumsum(sizes)])
    return GroupedPairs(systems, unit, starts, codes, tuple(map(str, names)), weights)


class _Weighting:
    """Gathers what the weights of pairs depend on, block by block in their order."""

    def __init__(self, snapshot: pd.DataFrame, outputs: pd.DataFrame, by: Basis) -> None:
        rows = snapshot.loc[snapshot[by.column].notna(), ["output", "campaign", "propensities"]]
        self._propensities = Propensities(rows)
        self._campaign, _ = pd.factorize(rows["campaign"])
        self._blocks: list[tuple[FloatArray, NDArray[np.integer], NDArray[np.bool_]]] = []

    def add(self, upper: NDArray[np.integer], lower: NDArray[np.integer]) -> None:
        """The rows of the outputs of further pairs."""
        asked = self._propensities.between(upper, lower)
        self._blocks.append((asked, self._campaign[upper], upper != lower))

    def weights(self, codes: NDArray[np.integer], systems: int) -> FloatArray:
        """The weights of all pairs, whose codes these are."""
        if not self._blocks:
            return np.empty(0)
        first, second = np.divmod(codes.astype(np.int64) % systems**2, systems)
        pair = np.minimum(first, second) * systems + np.maximum(first, second)
        asked, campaign, differ = (np.concatenate(parts) for parts in zip(*self._blocks, strict=True))
        return inverse_weights(asked, campaign, pair, differ)


def _codes(
    judgments: NDArray[np.integer],
    places: NDArray[Any],
    lists: SystemLists,
    rows: NDArray[np.integer],
    by: Basis,
) -> tuple[NDArray[np.int32], NDArray[np.integer], NDArray[np.integer]]:
    """The codes of the expanded pairs of whole judgments, whose numbers and rows stand together.

    With them come the places among `rows` of the output of the upper and of the lower system of each pair.
    """
    row, system = lists.exploded(rows)
    order = np.lexsort((system, judgments[row]))
    row, system = row[order], system[order]
    upper, lower = row_pairs(judgments[row])
    size = len(lists.names)
    first, second = system[upper], system[lower]
    ahead = places[row][lower] - places[row][upper]
    tied = np.abs(ahead) <= by.tie_width
    codes = np.where((ahead < 0) & ~tied, second * size + first, first * size + second)
    return np.asarray(codes + tied * size**2, dtype=np.int32), row[upper], row[lower]


class CountDraws:
    """Draws the counts of replicates of grouped pairs; what all of them are drawn from is made once.

    It keeps no pairs. Counts of pairs that are drawn one by one are multinomial; with weights, those of pairs
    of one kind and weight are. Groups are drawn as weights of a sparse matrix of groups by cells.
    """

    def __init__(self, pairs: GroupedPairs) -> None:
        totals = pairs.totals
        self._size = len(pairs.systems)
        self._cells = cells = np.flatnonzero(totals)
        self._dtype: type[np.generic] = np.int64 if pairs.weights is None else np.float64
        if pairs.unit is not Unit.PAIR:
            self._draw = _group_draw(pairs, cells)
        elif pairs.weights is None:
            self._draw = _pair_draw(totals[cells])
        else:
            self._draw = _weighted_pair_draw(pairs.codes, pairs.weights, cells)

    def counts(self, replicates: range, seed: int) -> Iterator[CountArray]:
        """The counts of each replicate: as many groups as there are, drawn with replacement.

        Comes in blocks of up to `REPLICATES_PER_CHUNK`, shape (replicates, 2, S, S): [:, 0, i, j] is how
        often system i was judged better than system j, [:, 1, i, j], i < j, how often they tied; with
        weights, these are sums of weights. Replicate r is the same in any range, so that
        ranges may be shared out among workers.
        """
        first = replicates.start // REPLICATES_PER_CHUNK
        for chunk in range(first, -(-replicates.stop // REPLICATES_PER_CHUNK)):
            rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(chunk,)))
            begin = chunk * REPLICATES_PER_CHUNK
            counts = self._draw(rng)[max(replicates.start - begin, 0) : replicates.stop - begin]
            block = np.zeros((len(counts), 2 * self._size**2), dtype=self._dtype)
            block[:, self._cells] = counts
            yield block.reshape(len(counts), 2, self._size, self._size)


def resampled_counts(pairs: GroupedPairs, replicates: range, seed: int) -> Iterator[CountArray]:
    """The counts of each replicate, as `CountDraws.counts` draws them."""
    return CountDraws(pairs).counts(replicates, seed)


def _pair_draw(totals: IntArray) -> Draw:
    if not len(totals):
        return lambda rng: np.empty((REPLICATES_PER_CHUNK, 0), dtype=np.int64)
    number = int(totals.sum())
    return lambda rng: rng.multinomial(number, totals / number, REPLICATES_PER_CHUNK)


def _weighted_pair_draw(codes: NDArray[np.integer], weights: FloatArray, cells: IntArray) -> Draw:
    kinds, numbers = np.unique(np.stack([codes, weights]), axis=1, return_counts=True)
    if not len(codes):
        return lambda rng: np.empty((REPLICATES_PER_CHUNK, 0))
    columns = np.searchsorted(cells, kinds[0])
    rows = np.arange(len(columns))
    weight_of_cell = sparse.csr_array((kinds[1], (rows, columns)), shape=(len(rows), len(cells)))

    def draw(rng: np.random.Generator) -> FloatArray:
        drawn = rng.multinomial(len(codes), numbers / len(codes), REPLICATES_PER_CHUNK)
        summed: FloatArray = drawn @ weight_of_cell
        return summed

    return draw


def _group_draw(pairs: GroupedPairs, cells: IntArray) -> Draw:
    groups = len(pairs.starts) - 1
    table = cells_of_groups(pairs, cells)

    def draw(rng: np.random.Generator) -> CountArray:
        # Row by row the generator gives the same numbers as all at once, and they take less memory.
        weights = np.empty((REPLICATES_PER_CHUNK, groups), dtype=np.int32)
        for weight in weights:
            weight[:] = np.bincount(rng.integers(max(groups, 1), size=groups), minlength=groups)
        counts = np.zeros((len(cells), REPLICATES_PER_CHUNK))
        for first in range(0, groups, GROUPS_PER_BLOCK):
            block = slice(first, first + GROUPS_PER_BLOCK)
            counts += table[block].T @ weights[:, block].T.astype(np.float64)
        return counts.T if pairs.weights is not None else np.rint(counts.T).astype(np.int64)

    return draw


def cells_of_groups(pairs: GroupedPairs, cells: IntArray) -> sparse.csr_array:
    """Shape (G, cells): how many pairs of each group are in each of these cells of the counts.

    With weights, how much they weigh.
    """
    column_of = np.zeros(int(cells.max(initial=0)) + 1, dtype=np.int32)
    column_of[cells] = np.arange(len(cells), dtype=np.int32)
    groups = len(pairs.starts) - 1
    tables: list[sparse.csr_array[Any, Any]] = [sparse.csr_array((0, len(cells)), dtype=np.int32)]
    block_starts = np.arange(0, len(pairs.codes), PAIRS_PER_BLOCK)
    edges = np.unique([0, *(np.searchsorted(pairs.starts, block_starts, side="right") - 1), groups])
    for first, last in pairwise(edges):
        starts = pairs.starts[first : last + 1]
        columns = column_of[pairs.codes[starts[0] : starts[-1]]]
        if pairs.weights is None:
            values: NDArray[Any] = np.ones(len(columns), dtype=np.int32)
        else:
            values = pairs.weights[starts[0] : starts[-1]].copy()  # The table sorts them in place.
        table = sparse.csr_array((values, columns, starts - starts[0]), shape=(len(starts) - 1, len(cells)))
        table.sum_duplicates()
        tables.append(table)
    return sparse.csr_array(sparse.vstack(tables))
