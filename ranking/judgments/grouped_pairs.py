"""The expanded pairs of a snapshot, grouped by judgment, sentence or annotator.

The pairs of a ranking are one person's view of one sentence, and identical outputs multiply them: they are
not independent. Whole groups are therefore drawn or removed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import compress, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.arrays import AnyArray, CountArray, FloatArray, IntArray
from core.later import pd, sparse
from ranking.judgments.pairs import BY_RANKS, PAIRS_PER_BLOCK, PairCounts, row_pairs
from ranking.judgments.propensities import Propensities, inverse_weights
from ranking.judgments.snapshot import Basis, compared_outputs, system_names
from ranking.judgments.system_rows import SystemLists, runs, system_lists

JUDGMENTS_PER_BLOCK = 20_000
"""Judgments expanded at once: 1.6 million pairs of 13 systems, in 50 MB; 2.5 billion of 500."""

GROUPS_PER_BLOCK = 20_000


class Unit(StrEnum):
    """The unit of resampling, which is drawn as a whole."""

    PAIR = "pair"
    JUDGMENT = "judgment"
    SENTENCE = "sentence"
    ANNOTATOR = "judge"


_COLUMNS = {Unit.JUDGMENT: "judgment", Unit.SENTENCE: "sentence", Unit.ANNOTATOR: "annotator"}


@dataclass(frozen=True, slots=True, eq=False)
class GroupedPairs:
    """The n expanded pairs of a snapshot, those that are drawn together side by side.

    Attributes:
        systems: the S systems, in alphabetical order.
        unit: what the G groups are. Judgments, sentences and annotators without a pair form no group.
        starts: shape (G + 1,); the pairs of group g are `codes[starts[g]:starts[g + 1]]`.
        codes: shape (n,); S * i + j where system i was judged better than system j, S * S + S * i + j where
            they tie, i < j. A code is the place of the pair in the counts, flattened (`resampled_counts`).
        names: the G judgments, sentences or annotators; empty where they have no names, as for pairs.
        weights: shape (n,), how often each pair counts (`ranking.judgments.propensities`); None where each
            counts once.
    """

    systems: tuple[str, ...]
    unit: Unit
    starts: NDArray[np.integer]
    codes: NDArray[np.integer]
    names: tuple[str, ...] = ()
    weights: FloatArray | None = None

    @property
    def totals(self) -> IntArray:
        """Number of pairs of each code, shape (2 * S * S,)."""
        totals = np.zeros(2 * len(self.systems) ** 2, dtype=np.int64)
        for first in range(0, len(self.codes), PAIRS_PER_BLOCK):
            totals += np.bincount(self.codes[first : first + PAIRS_PER_BLOCK], minlength=len(totals))
        return totals

    @property
    def sums(self) -> CountArray:
        """The number of pairs of each code or the sum of their weights, shape (2 * S * S,)."""
        if self.weights is None:
            return self.totals
        return np.bincount(self.codes, self.weights, minlength=2 * len(self.systems) ** 2)

    @property
    def counts(self) -> PairCounts:
        """Wins and ties of each pair of systems."""
        size = len(self.systems)
        wins, ties = self.sums.reshape(2, size, size)
        return PairCounts(self.systems, wins, ties + ties.T)

    def units_of_systems(self, *, decided: bool = False, step: Callable[[], None] = lambda: None) -> IntArray:
        """Number of groups in which each system is compared, or wins or loses if `decided`; shape (S,).

        `step` is called after each block of pairs and of groups.
        """
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
        table = cells_of_groups(replace(self, weights=None), cells, step=step)
        units = np.zeros(size, dtype=np.int64)
        for first in range(0, table.shape[0], GROUPS_PER_BLOCK):
            units += np.count_nonzero(table[first : first + GROUPS_PER_BLOCK] @ member, axis=0)
            step()
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
    snapshot: pd.DataFrame,
    unit: Unit,
    by: Basis = BY_RANKS,
    *,
    weighted: bool = False,
    step: Callable[[], None] = lambda: None,
) -> GroupedPairs:
    """The expanded pairs of a snapshot, grouped by the unit that is to be drawn.

    If `weighted`, pairs count by the inverse of their propensities (`ranking.judgments.propensities`); the
    snapshot then has the columns `campaign` and `propensities`. `step` is called between parts of the work;
    it may stop it by raising an error.

    Raises `SnapshotError` as `ranking.judgments.snapshot.compared_outputs` does.
    """
    outputs = compared_outputs(snapshot, by, step)
    systems = system_names(snapshot)
    lists = system_lists(outputs["systems"], systems)
    judgments = outputs["judgment"].cat.codes.to_numpy()
    order = np.argsort(judgments, kind="stable")
    starts, rows = runs(judgments[order])
    step()
    shown = np.add.reduceat(lists.sizes[lists.of_row][order], starts) if len(starts) else rows
    pairs = shown * (shown - 1) // 2
    compared = np.flatnonzero(pairs)
    if unit is not Unit.PAIR:
        groups, names = pd.factorize(outputs[_COLUMNS[unit]].take(order[starts[compared]]))
        compared = compared[np.argsort(groups, kind="stable")]
    codes = np.empty(int(pairs.sum()), dtype=np.int32)
    weighting = _Weighting(snapshot, outputs, by) if weighted else None
    place = outputs["place"].to_numpy()
    step()
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
        step()
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
    places: AnyArray,
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


def cells_of_groups(
    pairs: GroupedPairs, cells: IntArray, *, step: Callable[[], None] = lambda: None
) -> sparse.csr_array:
    """Shape (G, cells): how many pairs of each group are in each of these cells of the counts.

    With weights, their sums. `step` is called after each block of pairs.
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
            values: AnyArray = np.ones(len(columns), dtype=np.int32)
        else:
            values = pairs.weights[starts[0] : starts[-1]].copy()  # The table sorts them in place.
        table = sparse.csr_array((values, columns, starts - starts[0]), shape=(len(starts) - 1, len(cells)))
        table.sum_duplicates()
        tables.append(table)
        step()
    return sparse.csr_array(sparse.vstack(tables))
