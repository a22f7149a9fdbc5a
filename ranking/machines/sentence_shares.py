"""Comparisons of systems by sentence, as people and a machine judged them."""

from __future__ import annotations

import numpy as np

from core.arrays import FloatArray
from core.later import pd, sparse
from ranking.judgments.grouped_pairs import GroupedPairs
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

        Ties are dropped for ExpectedWins, else half a win. The groups are of systems that all occur here.
        """
        own = np.searchsorted(self.systems, judged.systems)
        size = len(judged.systems)
        kinds, codes = np.divmod(judged.codes.astype(np.int64), size**2)
        better, worse = own[codes // size], own[codes % size]
        is_tie = kinds == 1
        asked = np.ones(len(codes)) if judged.weights is None else judged.weights
        counted = asked * ~is_tie if method is Method.EXPECTED_WINS else asked
        won = counted * np.where(is_tie, 0.5, better < worse)
        group = np.repeat(np.arange(len(judged.starts) - 1), np.diff(judged.starts))
        cells, shape = (group, self._pair[better, worse]), (len(judged.starts) - 1, len(self.first))
        won_table, counted_table, asked_table = (
            sparse.csr_array((values, cells), shape=shape) for values in (won, counted, asked)
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
    times = pairs.tables(machine, method)
    once = times[2].copy()
    once.data = 1 / once.data
    share_won, share_counted = (table.multiply(once).tocsr() for table in times[:2])
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
    others = np.setdiff1d(np.arange(len(machine.names)), rows)
    return Units(by_people, by_machine, Tallies(share_won[others], share_counted[others]))
