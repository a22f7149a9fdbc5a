"""Pairwise judgments: rankings and scorings taken apart into pairs (GJG15, section 4.3).

*Unexpanded* pairs are between two outputs of a judgment, *expanded* pairs between two systems, where each
output counts for all systems that produced it: systems of one output tie, others are compared as their
outputs were, `by` their ranks or scores. A ranking of n systems has C(n, 2) expanded pairs, whatever outputs
they share.

Both come as a frame of one row per pair, with the columns `judgment`, `annotator`, `sentence`, `first`,
`second` and `outcome`: 1 where `first` is better, 0 for a tie, -1 where `second` is better.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.arrays import AnyArray, CountArray, IntArray
from core.later import pd
from ranking.judgments.snapshot import Basis, Ranks, compared_outputs, system_names
from ranking.judgments.system_rows import alphabetical, numbered, runs, system_lists

JUDGMENTS_PER_BLOCK = 2000
"""A block of judgments by 500 systems takes 8 MB."""

PAIRS_PER_BLOCK = 1_000_000

BY_RANKS = Ranks()


@dataclass(frozen=True, slots=True, eq=False)
class PairCounts:
    """Numbers of wins and ties of each pair of systems; with weights, their sums.

    Attributes:
        systems: the S systems, in alphabetical order.
        wins: shape (S, S); wins[i, j] is how often system i was judged better than system j.
        ties: shape (S, S), symmetric; ties[i, j] is how often they were judged equal.
    """

    systems: tuple[str, ...]
    wins: CountArray
    ties: CountArray

    @property
    def decided(self) -> CountArray:
        """Shape (S, S), symmetric: numbers of comparisons of two systems that were no ties."""
        return self.wins + self.wins.T


@dataclass(frozen=True, slots=True, eq=False)
class OutputPairs:
    """The n unexpanded pairs of a snapshot as numbers, in a tenth of the memory of their frame.

    Attributes:
        annotators: the annotators of the snapshot, in alphabetical order.
        annotator: shape (n,); the number of the annotator.
        pair: shape (n,); the number of the pair of outputs of a sentence, in order of appearance.
        outcome: shape (n,); 1 where the first output is better, 0 for a tie, -1 where the second one is.
    """

    annotators: tuple[str, ...]
    annotator: NDArray[np.integer]
    pair: NDArray[np.int32]
    outcome: NDArray[np.int8]


def output_pairs(
    snapshot: pd.DataFrame, by: Basis = BY_RANKS, *, step: Callable[[], None] = lambda: None
) -> OutputPairs:
    """The pairs of `unexpanded_pairs`, in their order, as numbers.

    `step` is called between parts of the work; it may stop it by raising an error.

    Raises `SnapshotError` as `ranking.judgments.snapshot.compared_outputs` does.
    """
    return output_pairs_with_sentences(snapshot, by, step=step)[0]


def output_pairs_with_sentences(
    snapshot: pd.DataFrame, by: Basis = BY_RANKS, *, step: Callable[[], None] = lambda: None
) -> tuple[OutputPairs, IntArray]:
    """The pairs of `output_pairs`, and the sentence of each pair of outputs by its number.

    `step` is called as by `output_pairs`.

    Raises `SnapshotError` as `ranking.judgments.snapshot.compared_outputs` does.
    """
    outputs, unit = _in_order(snapshot, by, step)
    step()
    upper, lower = row_pairs(outputs["judgment"].cat.codes.to_numpy())
    annotators = tuple(outputs["annotator"].cat.categories)
    annotator = outputs["annotator"].cat.codes.to_numpy()[upper]
    outcome = _outcomes(outputs["place"].to_numpy(), upper, lower, by)
    units = np.int64(unit.max(initial=0) + 1)
    sentences = np.empty(units, dtype=np.int64)
    sentences[unit] = outputs["sentence"].to_numpy()
    keys = unit[upper] * units + unit[lower]
    del outputs, upper, lower  # Numbering the pairs needs memory.
    step()
    pair, distinct = pd.factorize(keys)
    step()
    return OutputPairs(annotators, annotator, pair.astype(np.int32), outcome), sentences[distinct // units]


def unexpanded_pairs(snapshot: pd.DataFrame, by: Basis = BY_RANKS) -> pd.DataFrame:
    """The pairs of outputs: one row per pair of outputs ranked (or scored) in one judgment.

    A pair of outputs has the same orientation in all judgments: `first` is the output whose system names,
    joined by blanks, come first in the alphabet. (An output named with different systems in different
    judgments goes by the first such name.) Chance agreement depends on this orientation; it is the one that
    gives GJG15's figures.

    Raises `SnapshotError` as `ranking.judgments.snapshot.compared_outputs` does.
    """
    return _pairs_of(_in_order(snapshot, by)[0], "output", by)


def _in_order(
    snapshot: pd.DataFrame, by: Basis, step: Callable[[], None] = lambda: None
) -> tuple[pd.DataFrame, NDArray[np.int32]]:
    """The outputs of the judgments in the order of `unexpanded_pairs`, and the number of each output."""
    outputs = compared_outputs(snapshot, by, step)
    step()
    lists = system_lists(outputs["systems"], system_names(outputs))
    joined = np.array([" ".join(sorted(systems)) for systems in lists.lists], dtype=object)
    names = np.unique(joined, return_inverse=True)[1][lists.of_row]
    unit = numbered(outputs["sentence"], outputs["output"]).astype(np.int32)
    step()
    first_name = pd.Series(names).groupby(unit).min().to_numpy()
    of_unit = np.empty(len(first_name), dtype=np.int64)
    of_unit[unit] = alphabetical(outputs["output"])
    place = np.empty(len(first_name), dtype=np.int64)
    place[np.lexsort((of_unit, first_name))] = np.arange(len(first_name))
    judgments = outputs["judgment"].cat.codes.to_numpy()
    order = np.argsort(judgments * np.int64(len(place)) + place[unit])
    columns = ["judgment", "annotator", "sentence", "output", "place"]
    return outputs[columns].take(order).reset_index(drop=True), unit[order]


def expanded_pairs(snapshot: pd.DataFrame, by: Basis = BY_RANKS) -> pd.DataFrame:
    """The pairs of systems: one row per pair of systems ranked (or scored) in one judgment.

    `first` and `second` are systems, `first` before `second` in the alphabet; as categories they know all the
    systems of the snapshot, ranked or not.

    Raises `SnapshotError` as `ranking.judgments.snapshot.compared_outputs` does.
    """
    outputs = compared_outputs(snapshot, by)
    systems = outputs.explode("systems").rename(columns={"systems": "system"})
    systems["system"] = pd.Categorical(systems["system"], categories=system_names(snapshot))
    return _pairs_of(systems.sort_values(["judgment", "system"], ignore_index=True), "system", by)


def count_pairs(
    snapshot: pd.DataFrame, by: Basis = BY_RANKS, *, step: Callable[[], None] = lambda: None
) -> PairCounts:
    """Count the expanded pairs, from which systems are scored and compared.

    It counts in a matrix of judgments by systems, a block at a time, without making the pairs, whose number
    is quadratic in the systems. `step` is called after each block and between other parts of the work; it
    may stop it by raising an error.

    Raises `SnapshotError` as `ranking.judgments.snapshot.compared_outputs` does.
    """
    outputs = compared_outputs(snapshot, by, step)
    names = system_names(snapshot)
    lists = system_lists(outputs["systems"], names)
    step()
    codes = outputs["judgment"].cat.codes.to_numpy()
    order = np.argsort(codes, kind="stable")
    judgments, places = codes[order], outputs["place"].to_numpy()[order]
    wins, ties = np.zeros((2, len(names), len(names)), dtype=np.int64)
    for first in range(0, len(outputs["judgment"].cat.categories), JUDGMENTS_PER_BLOCK):
        rows = slice(*np.searchsorted(judgments, [first, first + JUDGMENTS_PER_BLOCK]))
        row, system = lists.exploded(order[rows])
        table = np.full((JUDGMENTS_PER_BLOCK, len(names)), np.nan)
        table[judgments[rows][row] - first, system] = places[rows][row]
        for place, places_of_system in enumerate(table.T):
            ahead = table - places_of_system[:, np.newaxis]
            wins[place] += np.count_nonzero(ahead > by.tie_width, axis=0)
            ties[place] += np.count_nonzero(np.abs(ahead) <= by.tie_width, axis=0)
        step()
    np.fill_diagonal(ties, 0)
    return PairCounts(names, wins, ties)


def _pairs_of(compared: pd.DataFrame, unit: str, by: Basis) -> pd.DataFrame:
    """All pairs of rows of a judgment, the upper being `first`; its rows stand together."""
    upper, lower = row_pairs(compared["judgment"].cat.codes.to_numpy())
    pairs = compared.loc[upper, ["judgment", "annotator", "sentence"]].reset_index(drop=True)
    pairs["first"] = compared[unit].array.take(upper)
    pairs["second"] = compared[unit].array.take(lower)
    pairs["outcome"] = _outcomes(compared["place"].to_numpy(), upper, lower, by)
    return pairs


def _outcomes(
    places: AnyArray, upper: NDArray[np.integer], lower: NDArray[np.integer], by: Basis
) -> NDArray[np.int8]:
    outcomes = np.empty(len(upper), dtype=np.int8)
    for first in range(0, len(upper), PAIRS_PER_BLOCK):
        block = slice(first, first + PAIRS_PER_BLOCK)
        ahead = places[lower[block]] - places[upper[block]]
        outcomes[block] = np.where(np.abs(ahead) <= by.tie_width, 0, np.sign(ahead))
    return outcomes


def row_pairs(judgments: NDArray[np.integer]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """The numbers of the upper and the lower row of each pair of rows of one judgment, in order.

    The rows of a judgment are adjacent; judgments are numbered from 0.
    """
    starts, sizes = runs(judgments)
    after = np.repeat(starts + sizes, sizes) - np.arange(len(judgments)) - 1
    upper = np.repeat(np.arange(len(judgments), dtype=np.int32), after)
    before = (np.cumsum(after) - after).astype(np.int32 if len(upper) < 2**31 else np.int64)
    lower = np.arange(1, len(upper) + 1, dtype=before.dtype) - np.repeat(before, after) + upper
    return upper, lower.astype(np.int32, copy=False)
