"""Comparisons of systems by sentence, as people and a machine judged them."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from core.arrays import AnyArray, FloatArray
from core.later import pd, sparse
from ranking.judgments.grouped_pairs import GroupedPairs
from ranking.judgments.pairs import PAIRS_PER_BLOCK
from ranking.machines.prediction_powered import Tallies, Units
from ranking.uncertainty.methods import Method


class SystemPairs:
    """The P pairs of S systems, each once, the first before the second in the alphabet.

    Attributes:
        systems: the S systems, in alphabetical order.
        first: shape (P,); the place of the first system.
        second: shape (P,); the place of the second system.
    """

    def __init__(self, systems: tuple[str, ...]) -> None:
        self.systems = systems
        self.first, self.second = np.triu_indices(len(systems), 1)
        self._pair = np.zeros((len(systems), len(systems)), dtype=np.int64)
        self._pair[self.first, self.second] = self._pair[self.second, self.first] = np.arange(len(self.first))

    def incidence(self, first: FloatArray, second: FloatArray) -> sparse.csr_array:
        """Shape (S, P): the values of each pair, shape (P,), in the rows of its two systems."""
        columns = np.arange(len(self.first))
        cells = np.concatenate([self.first, self.second]), np.concatenate([columns, columns])
        shape = len(self.systems), len(self.first)
        return sparse.csr_array((np.concatenate([first, second]), cells), shape=shape)

    def tables(
        self, judged: GroupedPairs, method: Method
    ) -> tuple[sparse.csr_array, sparse.csr_array, sparse.csr_array]:
        """Comparisons won by the first system, those that count, and all, by group and pair; shape (G, P).

        Ties are dropped for ExpectedWins, else half a win. The groups are of systems that all occur here. The
        three tables have the same cells, and share the arrays that say where these are. Groups are summed
        some at a time, so that memory does not depend on the number of comparisons.
        """
        own = np.searchsorted(self.systems, judged.systems)
        pairs, groups = len(self.first), len(judged.starts) - 1
        cells = [np.empty(0, dtype=np.int32)]
        sums = [np.empty((3, 0))]
        sizes = np.zeros(groups + 1, dtype=np.int64)
        first_pairs = np.arange(0, len(judged.codes), PAIRS_PER_BLOCK)
        edges = np.unique([0, *(np.searchsorted(judged.starts, first_pairs, side="right") - 1), groups])
        for first, last in pairwise(edges):
            starts = judged.starts[first : last + 1]
            some = slice(starts[0], starts[-1])
            kinds, codes = np.divmod(judged.codes[some].astype(np.int64), len(own) ** 2)
            better, worse = own[codes // len(own)], own[codes % len(own)]
            is_tie = kinds == 1
            asked = np.ones(len(codes)) if judged.weights is None else judged.weights[some]
            counted = asked * ~is_tie if method is Method.EXPECTED_WINS else asked
            won = counted * np.where(is_tie, 0.5, better < worse)
            group = np.repeat(np.arange(last - first), np.diff(starts))
            there, place = np.unique(group * pairs + self._pair[better, worse], return_inverse=True)
            cells.append((there % pairs).astype(np.int32))
            sums.append(np.stack([np.bincount(place, each) for each in (won, counted, asked)]))
            sizes[first + 1 : last + 1] = np.bincount(there // pairs, minlength=last - first)
        columns, ends = np.concatenate(cells), sizes.cumsum().astype(np.int32)
        won_table, counted_table, asked_table = (
            sparse.csr_array((np.concatenate(values), columns, ends), shape=(groups, pairs))
            for values in zip(*sums, strict=True)
        )
        return won_table, counted_table, asked_table


def comparisons_by_sentence(
    pairs: SystemPairs, people: GroupedPairs, machine: GroupedPairs, method: Method, *, is_sample: bool
) -> Units:
    """What people judged, and a machine, of each pair of systems in each sentence.

    The machine's answers about a pair of a sentence count as one, each with its share, and beside those of
    people as often as these. `is_sample` says that people judged a random sample of the sentences.
    """
    won, counted, asked = pairs.tables(people, method)
    share_won, share_counted, times = pairs.tables(machine, method)
    for share in (share_won, share_counted):
        share.data /= times.data
    rows = pd.Index(machine.names).get_indexer(pd.Index(people.names)).astype(np.int64)
    present = np.flatnonzero(rows >= 0)
    shape = len(rows), len(machine.names)
    beside = sparse.csr_array((np.ones(len(present)), (present, rows[present])), shape=shape)
    by_people = Tallies(won, counted)
    by_machine = Tallies(
        asked.multiply(beside @ share_won).tocsr(), asked.multiply(beside @ share_counted).tocsr()
    )
    if not is_sample:
        return Units(by_people, by_machine, Tallies(share_won, share_counted), rows)
    kept = _with_values(share_won, np.arange(share_won.nnz))[np.setdiff1d(np.arange(shape[1]), rows)]
    won_there, counted_there = (
        _with_values(kept, share.data[kept.data]) for share in (share_won, share_counted)
    )
    return Units(by_people, by_machine, Tallies(won_there, counted_there))


def _with_values(table: sparse.csr_array, values: AnyArray) -> sparse.csr_array:
    """A table with other values in the same cells."""
    return sparse.csr_array((values, table.indices, table.indptr), shape=table.shape)
