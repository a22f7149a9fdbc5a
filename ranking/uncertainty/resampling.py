"""Resampling of judgments with replacement, by judgments, sentences, annotators or single pairs.

GJG15 (section 5.2) drew expanded pairs one by one. But the pairs of a ranking are one person's view of one
sentence, and identical outputs multiply them: they are not independent, and drawing them one by one makes
every interval too narrow. Whole judgments, sentences or annotators are therefore drawn together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from core.arrays import CountArray, FloatArray, IntArray
from core.later import sparse
from ranking.judgments.grouped_pairs import GROUPS_PER_BLOCK, GroupedPairs, Unit, cells_of_groups

Draw = Callable[[np.random.Generator], CountArray]

REPLICATES_PER_CHUNK = 50
"""Replicates that share a random generator. Part of what a seed means: another number, other replicates."""


class CountDraws:
    """Draws the counts of replicates of grouped pairs; the sums that all draws share are computed once.

    It keeps no pairs. Counts of pairs that are drawn one by one are multinomial; with weights, so are the
    counts of pairs of each kind and weight. Groups are drawn as weights of a sparse matrix of groups by
    cells. `step` is called after each block of pairs.
    """

    def __init__(self, pairs: GroupedPairs, *, step: Callable[[], None] = lambda: None) -> None:
        totals = pairs.totals
        self._size = len(pairs.systems)
        self._cells = cells = np.flatnonzero(totals)
        self._dtype: type[np.generic] = np.int64 if pairs.weights is None else np.float64
        if pairs.unit is not Unit.PAIR:
            self._draw = _group_draw(pairs, cells, step)
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


def _group_draw(pairs: GroupedPairs, cells: IntArray, step: Callable[[], None]) -> Draw:
    groups = len(pairs.starts) - 1
    table = cells_of_groups(pairs, cells, step=step)

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
