"""Inverse propensities: weights of comparisons from sentences that were not sampled as usual.

An item of a follow-up campaign states how often it asks about each pair of its outputs, relative to ordinary
sampling. Weighted by the inverse, comparisons estimate the same quantities as ordinary sampling (Horvitz and
Thompson 1952). Within a campaign the weights of a pair of systems are then multiplied by one factor, so that
they add up to the effective number of its comparisons (Kish 1965, section 11.7). This changes no share of a
campaign, and campaigns that are ranked together count by their information.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.arrays import FloatArray
from core.later import pd
from ranking.judgments.snapshot import SnapshotError
from ranking.judgments.system_rows import numbered


def holds_propensities(snapshot: pd.DataFrame) -> bool:
    """Whether some item was not sampled as usual."""
    return "propensities" in snapshot and bool(snapshot["propensities"].notna().any())


class Propensities:
    """The propensities of the outputs in the N rows of a frame.

    Raises `SnapshotError` for an output that the propensities of its item do not name.
    """

    def __init__(self, rows: pd.DataFrame) -> None:
        """`rows` has the columns `output` and `propensities`."""
        self._item, texts = pd.factorize(rows["propensities"])
        items = [json.loads(text) for text in texts]
        most = max(map(len, items), default=1)
        self._tables = np.ones((len(items) + 1, most, most))
        for table, item in zip(self._tables, items, strict=False):
            table[: len(item), : len(item)] = [item[digest] for digest in sorted(item)]
        self._place = _places(self._item, rows["output"], items)

    def between(self, upper: NDArray[np.integer], lower: NDArray[np.integer]) -> FloatArray:
        """The propensity of each pair of rows, shape (n,); 1 in ordinary sampling."""
        together: FloatArray = self._tables[self._item[upper], self._place[upper], self._place[lower]]
        return together


def _places(
    item: NDArray[np.integer], outputs: pd.Series[Any], items: list[dict[str, list[float]]]
) -> NDArray[np.int64]:
    """The place of each row's output among those of its item; 0 where the item has no propensities."""
    combined = numbered(item, outputs)
    _, firsts = np.unique(combined, return_index=True)
    places = np.zeros(len(firsts), dtype=np.int64)
    orders = [{digest: place for place, digest in enumerate(sorted(one))} for one in items]
    for number, row in enumerate(firsts.tolist()):
        if item[row] >= 0:
            digest = outputs.iloc[row]
            if digest not in orders[item[row]]:
                raise SnapshotError(f"the propensities of an item lack its output {digest}")
            places[number] = orders[item[row]][digest]
    return places[combined]


def inverse_weights(
    propensities: FloatArray,
    campaign: NDArray[np.integer],
    pair: NDArray[np.integer],
    differ: NDArray[np.bool_],
) -> FloatArray:
    """The weights of n comparisons of systems, shape (n,).

    They are the inverses of the propensities times a factor for each campaign and pair of systems, all three
    numbers from 0. `differ` states where the two systems have different outputs; the effective number is of
    these comparisons if there are any, because only they distinguish the systems.
    """
    weights = 1 / propensities
    of = campaign * np.int64(pair.max(initial=0) + 1) + pair

    def summed(values: FloatArray) -> FloatArray:
        differing = np.bincount(of, values * differ)
        return np.where(differing > 0, differing, np.bincount(of, values))

    sums, squares = summed(weights), summed(weights**2)
    factor = np.divide(sums, squares, out=np.ones(len(sums)), where=squares > 0)
    scaled: FloatArray = weights * factor[of]
    return scaled
