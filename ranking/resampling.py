"""Drawing judgments anew, with replacement: what is drawn together, and what comes out.

GJG15 (section 5.2) drew expanded pairs one by one. But the pairs of one ranking come from one look at one
sentence, and identical outputs multiply them: they are not independent, and drawing them so makes every
interval too narrow. Drawing whole judgments, sentences or judges keeps together what belongs together.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.sparse import csr_array

from ranking.pairs import BY_RANKS, IntArray, PairCounts, expanded_pairs
from ranking.snapshot import Basis

Progress = Callable[[int], None]
"""Is told of replicates that are finished, by their number."""

Draw = Callable[[np.random.Generator], IntArray]

REPLICATES_PER_CHUNK = 50
"""Replicates that share a random generator. Part of what a seed means: another number, other replicates."""


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
    """

    systems: tuple[str, ...]
    unit: Unit
    starts: IntArray
    codes: NDArray[np.int32]

    @property
    def counts(self) -> PairCounts:
        """The same pairs, counted."""
        size = len(self.systems)
        wins, ties = np.bincount(self.codes, minlength=2 * size * size).reshape(2, size, size)
        return PairCounts(self.systems, wins, ties + ties.T)

    def only(self, groups: NDArray[np.bool_]) -> "GroupedPairs":
        """The pairs of some of the groups, shape (G,)."""
        sizes = np.diff(self.starts)
        starts = np.concatenate([[0], np.cumsum(sizes[groups])])
        return GroupedPairs(self.systems, self.unit, starts, self.codes[np.repeat(groups, sizes)])


def group_pairs(snapshot: pd.DataFrame, unit: Unit, by: Basis = BY_RANKS) -> GroupedPairs:
    """The expanded pairs of a snapshot, grouped by the unit that is to be drawn.

    Raises `SnapshotError` as `ranking.snapshot.compared_outputs` does.
    """
    pairs = expanded_pairs(snapshot, by)
    systems = tuple(pairs["first"].cat.categories)
    size = len(systems)
    first, second = (pairs[side].cat.codes.to_numpy(dtype=np.int32) for side in ("first", "second"))
    outcome = pairs["outcome"].to_numpy()
    codes = np.where(outcome < 0, second * size + first, first * size + second) + (outcome == 0) * size**2
    if unit is Unit.PAIR:
        return GroupedPairs(systems, unit, np.arange(len(codes) + 1), codes.astype(np.int32))
    groups, _ = pd.factorize(pairs[_COLUMNS[unit]])
    order = np.argsort(groups, kind="stable")
    starts = np.concatenate([[0], np.cumsum(np.bincount(groups))])
    return GroupedPairs(systems, unit, starts, codes[order].astype(np.int32))


def resampled_counts(pairs: GroupedPairs, replicates: range, seed: int) -> Iterator[IntArray]:
    """The counts of each replicate: as many groups as there are, drawn with replacement.

    Comes in blocks of up to `REPLICATES_PER_CHUNK`, shape (replicates, 2, S, S): [:, 0, i, j] is how often
    system i was judged better than system j, [:, 1, i, j], i < j, how often they tied. Replicate r is the
    same in whatever range it is asked for, so that ranges may be shared out among workers.

    Pairs that are drawn one by one are never copied: their counts are multinomial. Groups are drawn as
    weights of a sparse matrix of groups by cells.
    """
    size = len(pairs.systems)
    totals = np.bincount(pairs.codes, minlength=2 * size * size)
    cells = np.flatnonzero(totals)
    draw = _pair_draw(totals[cells]) if pairs.unit is Unit.PAIR else _group_draw(pairs, cells)
    first = replicates.start // REPLICATES_PER_CHUNK
    for chunk in range(first, -(-replicates.stop // REPLICATES_PER_CHUNK)):
        rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(chunk,)))
        begin = chunk * REPLICATES_PER_CHUNK
        counts = draw(rng)[max(replicates.start - begin, 0) : replicates.stop - begin]
        block = np.zeros((len(counts), 2 * size * size), dtype=np.int64)
        block[:, cells] = counts
        yield block.reshape(len(counts), 2, size, size)


def _pair_draw(totals: IntArray) -> Draw:
    if not len(totals):
        return lambda rng: np.empty((REPLICATES_PER_CHUNK, 0), dtype=np.int64)
    number = int(totals.sum())
    return lambda rng: rng.multinomial(number, totals / number, REPLICATES_PER_CHUNK)


def _group_draw(pairs: GroupedPairs, cells: IntArray) -> Draw:
    groups = len(pairs.starts) - 1
    column_of = np.zeros(int(cells.max(initial=0)) + 1, dtype=np.int32)
    column_of[cells] = np.arange(len(cells))
    table = csr_array(
        (np.ones(len(pairs.codes)), column_of[pairs.codes], pairs.starts), shape=(groups, len(cells))
    )
    by_cell = table.T.tocsr()
    rows = groups * np.arange(REPLICATES_PER_CHUNK)[:, np.newaxis]

    def draw(rng: np.random.Generator) -> IntArray:
        drawn = rng.integers(max(groups, 1), size=(REPLICATES_PER_CHUNK, groups)) + rows
        weights = np.bincount(drawn.ravel(), minlength=REPLICATES_PER_CHUNK * groups)
        counts = by_cell @ weights.reshape(REPLICATES_PER_CHUNK, groups).T.astype(np.float64)
        return np.rint(counts.T).astype(np.int64)

    return draw
