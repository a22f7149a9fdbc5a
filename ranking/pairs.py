"""Pairwise judgments: rankings and scorings taken apart into pairs (GJG15, section 4.3).

*Unexpanded* pairs are between two outputs of a judgment, *expanded* pairs between two systems, after each
output is given back to all the systems that produced it: within an output they tie, between outputs they are
compared as their outputs were, `by` their ranks or scores. A ranking of n systems has C(n, 2) expanded pairs
however they collapsed.

Both come as a frame of one row per pair, with the columns `judgment`, `annotator`, `sentence`, `first`,
`second` and `outcome`: 1 where `first` is better, 0 for a tie, -1 where `second` is better.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ranking.snapshot import Basis, Ranks, compared_outputs, system_names

IntArray = NDArray[np.int64]

JUDGMENTS_PER_BLOCK = 2000
"""A block of judgments by 500 systems takes 8 MB."""

BY_RANKS = Ranks()


@dataclass(frozen=True, slots=True, eq=False)
class PairCounts:
    """How often each system was judged better than, and equal to, each other one.

    Attributes:
        systems: the S systems, in alphabetical order.
        wins: shape (S, S); wins[i, j] is how often system i was judged better than system j.
        ties: shape (S, S), symmetric; ties[i, j] is how often they were judged equal.
    """

    systems: tuple[str, ...]
    wins: IntArray
    ties: IntArray

    @property
    def decided(self) -> IntArray:
        """Shape (S, S), symmetric: the comparisons of two systems that were no ties."""
        return self.wins + self.wins.T


def unexpanded_pairs(snapshot: pd.DataFrame, by: Basis = BY_RANKS) -> pd.DataFrame:
    """The pairs of outputs: one row per pair of outputs ranked (or scored) in one judgment.

    A pair of outputs has the same orientation in all judgments: `first` is the output whose system names,
    joined by blanks, come first in the alphabet. (An output named with different systems in different
    judgments goes by the first such name.) Chance agreement depends on this orientation; it is the one that
    gives GJG15's figures.

    Raises `SnapshotError` as `ranking.snapshot.compared_outputs` does.
    """
    outputs = compared_outputs(snapshot, by)
    outputs["name"] = [" ".join(sorted(systems)) for systems in outputs["systems"]]
    outputs["name"] = outputs.groupby(["sentence", "output"])["name"].transform("min")
    outputs = outputs.sort_values(["judgment", "name", "output"], ignore_index=True)
    return _pairs_of(outputs, "output", by)


def expanded_pairs(snapshot: pd.DataFrame, by: Basis = BY_RANKS) -> pd.DataFrame:
    """The pairs of systems: one row per pair of systems ranked (or scored) in one judgment.

    `first` and `second` are systems, `first` before `second` in the alphabet; as categories they know all the
    systems of the snapshot, ranked or not.

    Raises `SnapshotError` as `ranking.snapshot.compared_outputs` does.
    """
    outputs = compared_outputs(snapshot, by)
    systems = outputs.explode("systems").rename(columns={"systems": "system"})
    systems["system"] = pd.Categorical(systems["system"], categories=system_names(snapshot))
    return _pairs_of(systems.sort_values(["judgment", "system"], ignore_index=True), "system", by)


def count_pairs(snapshot: pd.DataFrame, by: Basis = BY_RANKS) -> PairCounts:
    """Count the expanded pairs: all that scores and comparisons of systems need to know of the judgments.

    Counts from a matrix of judgments by systems, a block at a time, without making the pairs: memory does not
    grow with their number, which is quadratic in the systems.

    Raises `SnapshotError` as `ranking.snapshot.compared_outputs` does.
    """
    outputs = compared_outputs(snapshot, by).sort_values("judgment").explode("systems")
    names = system_names(snapshot)
    systems = pd.Categorical(outputs["systems"], categories=names).codes
    judgments = outputs["judgment"].cat.codes.to_numpy()
    places = outputs["place"].to_numpy()
    wins, ties = np.zeros((2, len(names), len(names)), dtype=np.int64)
    for first in range(0, len(outputs["judgment"].cat.categories), JUDGMENTS_PER_BLOCK):
        rows = slice(*np.searchsorted(judgments, [first, first + JUDGMENTS_PER_BLOCK]))
        table = np.full((JUDGMENTS_PER_BLOCK, len(names)), np.nan)
        table[judgments[rows] - first, systems[rows]] = places[rows]
        for system, own in enumerate(table.T):
            ahead = table - own[:, np.newaxis]
            wins[system] += np.count_nonzero(ahead > by.tie_width, axis=0)
            ties[system] += np.count_nonzero(np.abs(ahead) <= by.tie_width, axis=0)
    np.fill_diagonal(ties, 0)
    return PairCounts(names, wins, ties)


def _pairs_of(compared: pd.DataFrame, unit: str, by: Basis) -> pd.DataFrame:
    """All pairs of rows of a judgment, the upper being `first`; its rows stand together."""
    upper, lower = row_pairs(compared["judgment"].cat.codes.to_numpy())
    places = compared["place"].to_numpy()
    ahead = places[lower] - places[upper]
    pairs = compared.loc[upper, ["judgment", "annotator", "sentence"]].reset_index(drop=True)
    pairs["first"] = compared[unit].array.take(upper)
    pairs["second"] = compared[unit].array.take(lower)
    pairs["outcome"] = np.where(np.abs(ahead) <= by.tie_width, 0, np.sign(ahead)).astype(np.int8)
    return pairs


def row_pairs(judgments: NDArray[np.integer]) -> tuple[IntArray, IntArray]:
    """The numbers of the upper and the lower row of each pair of rows of one judgment.

    The rows of a judgment, a number each, stand together.
    """
    _, starts, sizes = np.unique(judgments, return_index=True, return_counts=True)
    uppers, lowers = [np.empty(0, dtype=np.int64)], [np.empty(0, dtype=np.int64)]
    for size in np.unique(sizes):
        upper, lower = np.triu_indices(size, k=1)
        start = starts[sizes == size, np.newaxis]
        uppers.append((start + upper).ravel())
        lowers.append((start + lower).ravel())
    upper, lower = np.concatenate(uppers), np.concatenate(lowers)
    order = np.lexsort((lower, upper))
    return upper[order], lower[order]
