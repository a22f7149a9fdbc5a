"""Fragility of a ranking: the fewest judgments whose removal puts the lower of two systems above the other.

Whole judgments are removed, because the pairs of a screen are one person's view of one sentence. Broderick,
Giordano and Meager (2020) study regressions in this way.

The search is greedy, so the number it finds is an upper bound. Each step ranks the remaining groups by the
derivative of the difference of scores, computes the scores without the most promising ones, and removes the
best. Groups that turn out not to be needed go back. If there are few smaller sets, each of them is tried, and
the number is exact.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np

from core.arrays import FloatArray, IntArray
from core.later import pd
from ranking.judgments.grouped_pairs import GROUPS_PER_BLOCK, GroupedPairs, Unit, group_pairs
from ranking.judgments.pairs import BY_RANKS, PairCounts
from ranking.judgments.snapshot import Basis
from ranking.uncertainty.bootstrap import DECIMALS, ResamplingError, log_strengths, shares_won
from ranking.uncertainty.influences import GRADIENTS, neighbouring
from ranking.uncertainty.methods import Method

CANDIDATES = 16
"""Groups without which a step scores the systems again: those with the largest derivatives."""

STEP = 0.1
"""The share of the remaining difference that one step removes at once, as far as derivatives tell."""

CELLS_PER_BLOCK = 4_000_000

FEWEST_SORTED = 1024
"""Effects sorted first: of a million, usually only the largest few are needed."""

_SCORES = {Method.EXPECTED_WINS: shares_won, Method.BRADLEY_TERRY: log_strengths}


@dataclass(frozen=True, slots=True)
class Fragility:
    """The fewest groups of judgments that keep one system above another.

    Attributes:
        above: the system with the better score.
        below: the system that is to overtake it.
        groups: number of groups with a comparison.
        removals: number of groups without which `below` scores better; 0 where there is a `reason`.
        removed: the names of these groups, in the order of removal.
        exact: whether every smaller set was tried without success; otherwise `removals` is an upper bound.
        difference: of the two scores, with all groups.
        difference_without: of the two scores without the removed groups, below 0; None where there is a
            `reason`.
        reason: why there is no such set, in words; None if there is one.
    """

    above: str
    below: str
    groups: int
    removals: int
    removed: tuple[str, ...]
    exact: bool
    difference: float
    difference_without: float | None
    reason: str | None


class Removals:
    """The judgments of a snapshot, prepared for scoring without some of them.

    Attributes:
        systems: the S systems, in alphabetical order.
        names: the G judgments, sentences or annotators, which are removed whole.

    Raises `ResamplingError` for single pairs and for methods other than ExpectedWins and Bradley-Terry;
    `SnapshotError` as `ranking.judgments.snapshot.compared_outputs` does.
    """

    def __init__(
        self,
        snapshot: pd.DataFrame,
        method: Method = Method.EXPECTED_WINS,
        unit: Unit = Unit.JUDGMENT,
        *,
        by: Basis = BY_RANKS,
        step: Callable[[], None] = lambda: None,
    ) -> None:
        """`step` is called between parts of the preparation; it may stop it by raising an error."""
        if unit is Unit.PAIR:
            raise ResamplingError(
                "fragility removes whole judgments, sentences or annotators, not single pairs"
            )
        if method not in _SCORES:
            raise ResamplingError(f"fragility is of rankings by {' or '.join(_SCORES)}, not by {method}")
        self._pairs = pairs = group_pairs(snapshot, unit, by, step=step)
        _sort_within_groups(pairs)
        step()
        self.systems, self.names = pairs.systems, pairs.names
        self._score, self._gradient = _SCORES[method], GRADIENTS[method]
        self._totals = pairs.totals

    def neighbours(self) -> list[tuple[str, str]]:
        """Each system and the next one below, from the best down, unless their scores are equal."""
        rows = neighbouring(self._scores(self._totals[np.newaxis])[0])
        return [(self.systems[above], self.systems[below]) for above, below in rows]

    def fragility(
        self, above: str, below: str, most_subsets: int = 2_000, *, step: Callable[[], None] = lambda: None
    ) -> Fragility:
        """The fewest groups without which `below` scores better than `above`.

        Sets smaller than the one that the greedy search finds are tried, the smallest first, if there are at
        most `most_subsets` of them. `step` is called before each step of the search, and may stop it by
        raising an error.

        Raises `ValueError` for a system that does not occur, and where `above` does not score better.
        """
        pair = self.systems.index(above), self.systems.index(below)
        difference = self._difference(pair, self._totals)
        if not 0 < difference < np.inf:
            raise ValueError(f"{above} does not score better than {below}")
        greedy = self._needed(pair, self._greedy(pair, step), step)
        smaller, exact = self._smaller(pair, len(greedy) or len(self.names) + 1, most_subsets)
        removed = smaller or greedy
        return Fragility(
            above=above,
            below=below,
            groups=len(self.names),
            removals=len(removed),
            removed=tuple(self.names[group] for group in removed),
            exact=exact,
            difference=difference,
            difference_without=self._difference(pair, self._without(removed)) if removed else None,
            reason=None if removed else _why_none(below, above, exact),
        )

    def _greedy(self, pair: tuple[int, int], step: Callable[[], None]) -> list[int]:
        """Groups without which the two are swapped, in the order of removal; none if it ends before."""
        removed: list[int] = []
        left = self._totals
        while (difference := self._difference(pair, left)) >= 0:
            step()
            effects = self._effects(pair, left)
            effects[removed] = 0
            best = _largest(effects, difference * STEP)
            if not len(best):
                return []
            at_once = int(np.searchsorted(np.cumsum(effects[best]), difference * STEP))
            if at_once > 1:
                chosen = best[:at_once].tolist()
            else:
                candidates = best[:CANDIDATES].tolist()
                without = self._differences(pair, left, [[group] for group in candidates])
                chosen = [candidates[int(np.argmin(without))]]
            removed += chosen
            left = left - self._counts(chosen)
        return removed

    def _effects(self, pair: tuple[int, int], left: IntArray) -> FloatArray:
        """How much each group adds to the difference, to first order, where these totals are left; (G,)."""
        from ranking.uncertainty.fragility_kernel import sums_over_groups

        gradient = self._gradient(_counts(self.systems, left), *pair)
        return sums_over_groups(self._pairs.codes, self._pairs.starts, gradient.ravel())

    def _needed(self, pair: tuple[int, int], removed: list[int], step: Callable[[], None]) -> list[int]:
        """The removed groups without those that can go back while the two stay swapped."""
        left = self._without(removed)
        back = set()
        for group in reversed(removed):
            step()
            more = left + self._counts([group])
            if self._difference(pair, more) < 0:
                left = more
                back.add(group)
        return [group for group in removed if group not in back]

    def _smaller(self, pair: tuple[int, int], below: int, most_subsets: int) -> tuple[list[int], bool]:
        """A smallest set of fewer than `below` groups, and whether all smaller sets were tried.

        The set is empty if there is none, or if they are too many to try.
        """
        tried = 0
        for size in range(1, below):
            tried += comb(len(self.names), size)
            if tried > most_subsets:
                return [], False
            sets = list(combinations(range(len(self.names)), size))
            swapped = np.flatnonzero(self._differences(pair, self._totals, sets) < 0)
            if len(swapped):
                return list(sets[swapped[0]]), True
        return [], True

    def _difference(self, pair: tuple[int, int], left: IntArray) -> float:
        """The difference of the two scores by these totals; infinite where one has no score."""
        return float(self._differences(pair, left, [[]])[0])

    def _differences(
        self, pair: tuple[int, int], left: IntArray, sets: Sequence[Sequence[int]]
    ) -> FloatArray:
        """The difference of the two scores without each of these sets of groups; infinite without a score."""
        above, below = pair
        per_block = max(1, CELLS_PER_BLOCK // len(left))
        differences = np.empty(len(sets))
        for first in range(0, len(sets), per_block):
            block = slice(first, first + per_block)
            scores = self._scores(np.array([left - self._counts(groups) for groups in sets[block]]))
            differences[block] = np.round(scores[:, above] - scores[:, below], DECIMALS)
        return np.nan_to_num(differences, nan=np.inf, posinf=np.inf, neginf=-np.inf)

    def _without(self, groups: Sequence[int]) -> IntArray:
        """The totals of all other groups, shape (2 * S * S,)."""
        left: IntArray = self._totals - self._counts(groups)
        return left

    def _counts(self, groups: Sequence[int]) -> IntArray:
        """The totals of these groups, shape (2 * S * S,)."""
        places = self._pairs.places(np.array(groups, dtype=np.int64))
        return np.bincount(self._pairs.codes[places], minlength=len(self._totals))

    def _scores(self, totals: IntArray) -> FloatArray:
        size = len(self.systems)
        return self._score([totals.reshape(len(totals), 2, size, size)], self.systems)


def _largest(effects: FloatArray, together: float) -> IntArray:
    """The places of the largest effects above 0, in their order: so many that they amount to `together`.

    At least `CANDIDATES`, if there are as many.
    """
    number = FEWEST_SORTED
    while True:
        least = np.partition(effects, -number)[-number] if number < len(effects) else 0.0
        largest: IntArray = np.flatnonzero((effects >= least) & (effects > 0))
        largest = largest[np.argsort(-effects[largest], kind="stable")]
        if least <= 0 or np.cumsum(effects[largest])[-1] >= together:
            return largest
        number *= 8


def _sort_within_groups(pairs: GroupedPairs) -> None:
    """Sort the codes of each group, in place."""
    kinds = 2 * len(pairs.systems) ** 2
    groups = len(pairs.starts) - 1
    for first in range(0, groups, GROUPS_PER_BLOCK):
        starts = pairs.starts[first : first + GROUPS_PER_BLOCK + 1]
        keys = np.repeat(np.arange(len(starts) - 1) * kinds, np.diff(starts))
        keys += pairs.codes[starts[0] : starts[-1]]
        keys.sort()
        pairs.codes[starts[0] : starts[-1]] = keys % kinds


def _counts(systems: tuple[str, ...], totals: IntArray) -> PairCounts:
    wins, ties = totals.reshape(2, len(systems), len(systems))
    return PairCounts(systems, wins, ties + ties.T)


def _why_none(below: str, above: str, exact: bool) -> str:
    if exact:
        return f"no removal makes {below} score better than {above}"
    return f"the search found no judgments without which {below} scores better than {above}"
