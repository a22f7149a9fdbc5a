"""Sums over shown outputs: sentences with the systems of one of their outputs."""

from __future__ import annotations

import numpy as np

from core.arrays import AnyArray, FloatArray
from core.later import pd
from ranking.judgments.system_rows import system_lists


class ShownOutputs:
    """Outputs shown: sentences with the systems of one of their outputs, K of them, each numbered.

    There are many times more rows, which are never split into their systems.

    Attributes:
        number: shape (N,); the output that each row shows.
        systems: shape (K,); tuples of names.
        place: shape (E,); an entry for each system of each of the K outputs, as in the next two: its output.
        system: shape (E,); its number among the names.
        sentence: shape (E,); its sentence.
    """

    def __init__(self, rows: pd.DataFrame, names: tuple[str, ...]) -> None:
        lists = system_lists(rows["systems"], names)
        sentence, sentences = pd.factorize(rows["sentence"], sort=True)
        keys = sentence * np.int64(max(len(lists.lists), 1)) + lists.of_row
        self.number, distinct = pd.factorize(keys)
        self._names = names
        first = np.empty(len(distinct), dtype=np.int64)
        first[self.number[::-1]] = np.arange(len(keys))[::-1]
        self.systems = [lists.lists[place] for place in lists.of_row[first].tolist()]
        self.place, self.system = lists.exploded(first)
        self.sentence = np.asarray(sentences)[sentence[first]][self.place]

    def sums(self, values: AnyArray) -> FloatArray:
        """The sums of the values of the rows, shape (N,), over the outputs that they show, shape (K,)."""
        sums: FloatArray = np.bincount(self.number, values, minlength=len(self.systems)).astype(np.float64)
        return sums

    def of_systems(self, **values: AnyArray) -> pd.DataFrame:
        """One row per `system` and `sentence` with the sums of the values, of shape (K,) each."""
        columns = {name: column[self.place] for name, column in values.items()}
        system = pd.Categorical.from_codes(self.system, categories=pd.Index(self._names, dtype="str"))
        cells = pd.DataFrame({"system": system, "sentence": self.sentence, **columns})
        return cells.groupby(["system", "sentence"], observed=True).sum().reset_index()
