"""Rows of outputs taken apart into rows of systems, as arrays; and small ways to number things.

A tuple of systems stands in very many rows, and is looked at once.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.arrays import IntArray
from core.later import pd

Codes = IntArray


@dataclass(frozen=True, slots=True, eq=False)
class SystemLists:
    """The systems of N rows.

    Attributes:
        names: the S systems, in alphabetical order.
        lists: the L distinct tuples of systems, in order of appearance.
        of_row: shape (N,); the number of a row's tuple.
        sizes: shape (L,); the lengths of the tuples.
    """

    names: tuple[str, ...]
    lists: Sequence[tuple[str, ...]]
    of_row: Codes
    sizes: Codes
    _starts: Codes
    _systems: NDArray[np.int32]

    def exploded(self, rows: NDArray[np.integer]) -> tuple[NDArray[np.integer], NDArray[np.int32]]:
        """The systems of these rows, in order: the place of each one's row among them, and its number."""
        lists = self.of_row[rows]
        sizes = self.sizes[lists]
        place = np.repeat(np.arange(len(rows), dtype=np.int32), sizes)
        shift = self._starts[lists] - (np.cumsum(sizes) - sizes)
        return place, self._systems[np.repeat(shift, sizes) + np.arange(len(place))]


def system_lists(systems: "pd.Series[Any]", names: tuple[str, ...]) -> SystemLists:
    """The systems of the rows, each of which is among the names."""
    of_row, lists = pd.factorize(systems.to_numpy())
    number = {name: place for place, name in enumerate(names)}
    sizes = np.array([len(members) for members in lists], dtype=np.int64)
    flat = np.array([number[name] for members in lists for name in members], dtype=np.int32)
    return SystemLists(names, list(lists), of_row, sizes, np.cumsum(sizes) - sizes, flat)


def numbered(*columns: "pd.Series[Any] | NDArray[np.generic]") -> Codes:
    """Numbers of the rows of columns, in order of appearance: equal rows, and only they, have it equal."""
    codes = np.zeros(len(columns[0]), dtype=np.int64)
    for column in columns:
        values, distinct = pd.factorize(column)
        codes, _ = pd.factorize(codes * (len(distinct) + 1) + values + 1)
    return codes


def alphabetical(strings: "pd.Series[str]") -> NDArray[np.integer]:
    """Numbers of the strings whose order is that of the alphabet."""
    if not isinstance(strings.dtype, pd.CategoricalDtype):
        codes, _ = pd.factorize(strings, sort=True)
        return codes
    order = strings.cat.categories.argsort()
    rank = np.empty(len(order), dtype=np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    return rank[strings.cat.codes.to_numpy()]


def runs(owners: NDArray[np.integer]) -> tuple[Codes, Codes]:
    """The first row and the number of rows of each owner, whose rows stand together; owners count from 0."""
    starts = np.flatnonzero(np.diff(owners, prepend=-1))
    return starts, np.diff(np.append(starts, len(owners)))


def numbered_sequences(owners: NDArray[np.integer], values: NDArray[np.integer]) -> Codes:
    """A number for the owner of each row, equal for owners with equal sequences of values, and only these.

    The rows of an owner stand together; values count from 0.
    """
    starts, sizes = runs(owners)
    numbers = np.zeros(len(starts), dtype=np.int64)
    for place in range(int(sizes.max(initial=0))):
        longer = place < sizes
        value = np.where(longer, values[np.where(longer, starts + place, 0)] + 1, 0)
        numbers = numbered(numbers, value)
    return np.repeat(numbers, sizes)
