"""How few judgments carry a border: the fewest whose removal puts the lower of two systems above the other.

Whole judgments are removed, since the pairs of one screen come from one look at one sentence. Broderick,
Giordano and Meager (2020) ask the same of regressions.

The search is greedy, so the number it finds is an upper bound. Each step ranks the remaining groups by the
derivative of the difference of scores, scores the most promising anew without them, and removes the best.
Groups that turn out not to be needed go back. Where the smaller sets are few, each of them is tried, and the
number is exact.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np
import pandas as pd
from scipy.sparse import csr_array

from ranking.arrays import FloatArray, IntArray
from ranking.bootstrap import DECIMALS, ResamplingError, log_strengths, shares_won
from ranking.gradients import GRADIENTS, neighbouring
from ranking.methods import Method
from ranking.pairs import BY_RANKS, PairCounts
from ranking.resampling import Unit, cells_of_groups, group_pairs
from ranking.snapshot import Basis

CANDIDATES = 16
"""Groups that a step scores anew: those of the largest derivatives."""

STEP = 0.1
"""The share of the remaining difference that one step removes at once, as far as derivatives tell."""

CELLS_PER_BLOCK = 4_000_000

_SCORES = {Method.EXPECTED_WINS: shares_won, Method.BRADLEY_TERRY: log_strengths}


@dataclass(frozen=True, slots=True)
class Fragility:
    """How few groups of judgments keep one system above another.

    Attributes:
        above: the system with the better score.
        below: the system that is to overtake it.
        groups: how many groups there are; those without a comparison are none.
        removed: the names of the groups without which `below` scores better, in the order found. Empty where
            there is a `reason`.
        exact: whether every smaller set was tried, and none does. Otherwise their number is an upper bound.
        difference: of the two scores, with all groups.
        difference_without: of the two scores without the removed groups, below 0; None where there is a
            `reason`.
        reason: why there is no such set, in words; None if there is one.
    """

    above: str
    below: str
    groups: int
    removed: tuple[str, ...]
    exact: bool
    difference: float
    difference_without: float | None
    reason: str | None


class Removals:
    """The judgments of a snapshot, made ready to be scored without some of them.

    Attributes:
        systems: the S systems, in alphabetical order.
        names: the G judgments, sentences or judges, which are removed whole.

    Raises `ResamplingError` for single pairs and for methods other than ExpectedWins and Bradley-Terry;
    `SnapshotError` as `ranking.snapshot.compared_outputs` does.
    """

    def __init__(
        self,
        snapshot: pd.DataFrame,
        method: Method = Method.EXPECTED_WINS,
        unit: Unit = Unit.JUDGMENT,
        *,
        by: Basis = BY_RANKS,
    ) -> None:
        if unit is Unit.PAIR:
            raise ResamplingError("fragility removes whole judgments, sentences or judges, not single pairs")
        if method not in _SCORES:
            raise ResamplingError(f"fragility is of rankings by {' or '.join(_SCORES)}, not by {method}")
        pairs = group_pairs(snapshot, unit, by)
        self.systems, self.names = pairs.systems, pairs.names
        self._score, self._gradient = _SCORES[method], GRADIENTS[method]
        self._totals = pairs.totals
        self._cells = np.flatnonzero(self._totals)
        self._table = cells_of_groups(pairs, self._cells)

    def neighbours(self) -> list[tuple[str, str]]:
        """Each system and the next one below, from the best down; without those that score the same."""
        rows = neighbouring(self._scores(self._totals[np.newaxis])[0])
        return [(self.systems[above], self.systems[below]) for above, below in rows]

    def fragility(self, above: str, below: str, most_subsets: int = 2_000) -> Fragility:
        """The fewest groups without which `below` scores better than `above`.

        Sets smaller than the one that the greedy search finds are tried, the smallest first, as long as they
        are no more than `most_subsets`.

        Raises `ValueError` for a system that does not occur, and where `above` does not score better.
        """
        pair = self.systems.index(above), self.systems.index(below)
        difference = self._difference(pair, [])
        if not 0 < difference < np.inf:
            raise ValueError(f"{above} does not score better than {below}")
        found = self._needed(pair, self._greedy(pair))
        smaller, exact = self._smaller(pair, len(found) or len(self.names) + 1, most_subsets)
        removed = smaller or found
        return Fragility(
            above=above,
            below=below,
            groups=len(self.names),
            removed=tuple(self.names[group] for group in removed),
            exact=exact,
            difference=difference,
            difference_without=self._difference(pair, removed) if removed else None,
            reason=None if removed else _why_none(below, above, exact),
        )

    def _greedy(self, pair: tuple[int, int]) -> list[int]:
        """Groups without which the two are swapped, in the order found; none where the search ends before."""
        removed: list[int] = []
        while (difference := self._difference(pair, removed)) >= 0:
            effects = self._effects(pair, removed)
            order = np.argsort(-effects, kind="stable")
            helpful = order[effects[order] > 0]
            if not len(helpful):
                return []
            at_once = int(np.searchsorted(np.cumsum(effects[helpful]), difference * STEP))
            if at_once > 1:
                removed += helpful[:at_once].tolist()
            else:
                candidates = helpful[:CANDIDATES].tolist()
                without = self._differences(pair, [(*removed, group) for group in candidates])
                removed.append(candidates[int(np.argmin(without))])
        return removed

    def _effects(self, pair: tuple[int, int], removed: Sequence[int]) -> FloatArray:
        """How much each group adds to the difference, to first order, shape (G,); 0 for removed ones."""
        totals = self._without([removed])[0]
        gradient = self._gradient(_counts(self.systems, totals), *pair)
        effects: FloatArray = self._table @ gradient.ravel()[self._cells]
        effects[list(removed)] = 0
        return effects

    def _needed(self, pair: tuple[int, int], removed: list[int]) -> list[int]:
        """The removed groups without those that can go back while the two stay swapped."""
        for group in reversed(removed):
            others = [other for other in removed if other != group]
            if self._difference(pair, others) < 0:
                removed = others
        return removed

    def _smaller(self, pair: tuple[int, int], found: int, most_subsets: int) -> tuple[list[int], bool]:
        """A smallest set of fewer than `found` groups; none if there is none, or too many to try.

        Returns too whether all smaller sets were tried.
        """
        tried = 0
        for size in range(1, found):
            tried += comb(len(self.names), size)
            if tried > most_subsets:
                return [], False
            sets = list(combinations(range(len(self.names)), size))
            swapped = np.flatnonzero(self._differences(pair, sets) < 0)
            if len(swapped):
                return list(sets[swapped[0]]), True
        return [], True

    def _difference(self, pair: tuple[int, int], removed: Sequence[int]) -> float:
        return float(self._differences(pair, [removed])[0])

    def _differences(self, pair: tuple[int, int], sets: Sequence[Sequence[int]]) -> FloatArray:
        """The difference of the two scores without each of the sets; infinite where one has no score."""
        above, below = pair
        per_block = max(1, CELLS_PER_BLOCK // len(self._totals))
        differences = np.empty(len(sets))
        for first in range(0, len(sets), per_block):
            block = slice(first, first + per_block)
            scores = self._scores(self._without(sets[block]))
            differences[block] = np.round(scores[:, above] - scores[:, below], DECIMALS)
        return np.nan_to_num(differences, nan=np.inf, posinf=np.inf, neginf=-np.inf)

    def _without(self, sets: Sequence[Sequence[int]]) -> IntArray:
        """The totals of all groups but those of each set, shape (n, 2 * S * S)."""
        sizes = [len(groups) for groups in sets]
        members = csr_array(
            (
                np.ones(sum(sizes), dtype=np.int64),
                np.array([group for groups in sets for group in groups], dtype=np.int64),
                np.concatenate([[0], np.cumsum(sizes)]),
            ),
            shape=(len(sets), len(self.names)),
        )
        totals = np.repeat(self._totals[np.newaxis], len(sets), axis=0)
        totals[:, self._cells] -= (members @ self._table).toarray()
        return totals

    def _scores(self, totals: IntArray) -> FloatArray:
        size = len(self.systems)
        return self._score([totals.reshape(len(totals), 2, size, size)], self.systems)


def _counts(systems: tuple[str, ...], totals: IntArray) -> PairCounts:
    wins, ties = totals.reshape(2, len(systems), len(systems))
    return PairCounts(systems, wins, ties + ties.T)


def _why_none(below: str, above: str, exact: bool) -> str:
    if exact:
        return f"whatever is removed, {below} does not score better than {above}"
    return f"the search found no judgments without which {below} scores better than {above}"
