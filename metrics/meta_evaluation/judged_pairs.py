"""Judged pairs of systems: tens of millions in a large campaign, so all work on them goes in blocks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from core.arrays import FloatArray, IntArray
from core.later import pd
from core.progress import Advance
from ranking.judgments.pairs import PAIRS_PER_BLOCK
from ranking.judgments.system_rows import runs


@dataclass(frozen=True, slots=True, eq=False)
class JudgedPairs:
    """N comparisons of two systems by an annotator; systems that share a text are not compared.

    Numbers are as short as they can be: widen them before arithmetic.

    Attributes:
        sentence: shape (N,), counted from 0.
        judge: shape (N,), the number of the annotator.
        first: shape (N,), the number of a system.
        second: shape (N,), that of a system later in the alphabet.
        outcome: shape (N,); 1 if the first was judged better, 0 for a tie, -1 if the second was.
        first_rank: shape (N,), the rank that the annotator gave to the first, 1 being the best. Where outputs
            were scored, it is the place of the score among the different scores of the judgment.
        second_rank: shape (N,), that of the second.
    """

    sentence: NDArray[np.integer]
    judge: NDArray[np.integer]
    first: NDArray[np.integer]
    second: NDArray[np.integer]
    outcome: NDArray[np.int8]
    first_rank: NDArray[np.integer]
    second_rank: NDArray[np.integer]

    def only(self, chosen: NDArray[np.bool_] | IntArray | slice) -> JudgedPairs:
        """A selection, by a mask of shape (N,), by indices or by a slice."""
        return JudgedPairs(
            self.sentence[chosen],
            self.judge[chosen],
            self.first[chosen],
            self.second[chosen],
            self.outcome[chosen],
            self.first_rank[chosen],
            self.second_rank[chosen],
        )

    def blocks(self, progress: Advance | None = None) -> Iterator[slice]:
        """Consecutive parts; `progress` gets the number of pairs of each part as soon as it is done."""
        for begin in range(0, len(self.outcome), PAIRS_PER_BLOCK):
            block = slice(begin, min(begin + PAIRS_PER_BLOCK, len(self.outcome)))
            yield block
            if progress is not None:
                progress(block.stop - begin)

    def both(self, marked: NDArray[np.bool_], progress: Advance | None = None) -> NDArray[np.bool_]:
        """Shape (N,): whether both systems of a pair are marked in its sentence.

        `marked` has the shape (n, S), for n sentences and S systems; `progress` is that of `blocks`.
        """
        both = np.empty(len(self.outcome), dtype=bool)
        for some in self.blocks(progress):
            sentence = self.sentence[some]
            both[some] = marked[sentence, self.first[some]] & marked[sentence, self.second[some]]
        return both


@dataclass(frozen=True, slots=True, eq=False)
class ComparedSystems:
    """M pairs of systems in a sentence, each once, in the order in which they were first judged.

    Attributes:
        sentence: shape (M,), counted from 0.
        first: shape (M,), the number of a system.
        second: shape (M,), that of a system later in the alphabet.
        outcome: shape (M,), the sum of the outcomes of its judgments.
        judgments: shape (M,), how many there are.
    """

    sentence: IntArray
    first: IntArray
    second: IntArray
    outcome: IntArray
    judgments: IntArray


def compared_systems(judged: JudgedPairs, systems: int, progress: Advance | None = None) -> ComparedSystems:
    """The judgments of each pair of systems in a sentence, summed up; `progress` as of `JudgedPairs.blocks`.

    `systems` is the number of systems.
    """
    keys, outcome, judgments = np.zeros((3, 0), dtype=np.int64)
    for some in judged.blocks(progress):
        first = cells(judged.sentence[some], judged.first[some], systems)
        of_block = cells(first, judged.second[some], systems)
        # Known keys come first and keep their places.
        places, keys = pd.factorize(np.concatenate([keys, of_block]))
        places = places[len(outcome) :]
        outcome, judgments = (
            np.pad(summed, (0, len(keys) - len(summed)))
            + np.bincount(places, weights, minlength=len(keys)).astype(np.int64)
            for summed, weights in ((outcome, judged.outcome[some]), (judgments, None))
        )
    pair, second = np.divmod(keys, systems)
    sentence, first = np.divmod(pair, systems)
    return ComparedSystems(sentence, first, second, outcome, judgments)


def tables_of_others(
    judged: JudgedPairs,
    places: NDArray[np.integer],
    sentences: int,
    systems: int,
    judges: int,
    progress: Advance | None = None,
) -> IntArray:
    """One annotator against each other one, on pairs of outputs that both judged.

    Args:
        judged: the pairs.
        places: shape (n,), the place of each sentence among those that count.
        sentences: number of those that count.
        systems: number of systems.
        judges: number of annotators.
        progress: called with the number of pairs of each part.

    Returns:
        Numbers of pairs by sentence, outcome by one annotator and outcome by another (worse, tie, better),
        shape (sentences, 3, 3). Each two judgments count in both directions.
    """
    tables = np.zeros((sentences, 3, 3), dtype=np.int64)
    ends = np.cumsum(np.bincount(judged.sentence, minlength=len(places)))
    begins = np.flatnonzero(np.diff(ends // PAIRS_PER_BLOCK, prepend=-1))
    for begin, end in pairwise([*begins.tolist(), len(places)]):
        part = judged.only((judged.sentence >= begin) & (judged.sentence < end))
        if not len(part.outcome):
            continue
        pair = (part.sentence.astype(np.int64) * systems + part.first) * systems + part.second
        pairs, number = np.unique(pair, return_inverse=True)
        keys, entry = np.unique(number * np.int64(judges) + part.judge, return_inverse=True)
        given = np.bincount(entry * 3 + part.outcome + 1, minlength=len(keys) * 3).reshape(-1, 3)
        starts = np.flatnonzero(np.diff(keys // judges, prepend=-1))
        total = np.add.reduceat(given, starts)
        own = np.add.reduceat(given[:, :, None] * given[:, None, :], starts)
        np.add.at(tables, places[pairs // systems**2], total[:, :, None] * total[:, None, :] - own)
        if progress is not None:
            progress(len(part.outcome))
    return tables


class CollectedPairs:
    """Expanded pairs of judgments, added block by block, so that memory holds each of them once.

    Attributes:
        starts: shape (n + 1,), where the codes of each sentence begin.
        codes: of all pairs, as of `GroupedPairs`.
    """

    def __init__(self, shape: tuple[int, int], numbers: IntArray, judges: int, last_rank: int) -> None:
        """Make room for so many pairs in each of n sentences, of S systems, `shape` being (n, S)."""
        self._shape = shape
        self.starts = np.concatenate([[0], np.cumsum(numbers)])
        size = int(self.starts[-1])
        self.codes = short(2 * shape[1] ** 2, size)
        self._free = self.starts[:-1].copy()
        self._won, self._lost = np.zeros((2, shape[0] * shape[1]), dtype=np.int64)
        self._judged = JudgedPairs(
            sentence=short(shape[0], size),
            judge=short(judges, size),
            first=short(shape[1], size),
            second=short(shape[1], size),
            outcome=np.empty(size, dtype=np.int8),
            first_rank=short(last_rank, size),
            second_rank=short(last_rank, size),
        )
        self._size = 0

    def add(self, pairs: JudgedPairs, of_different_texts: NDArray[np.bool_]) -> None:
        """Add the next judgments."""
        self._group(pairs)
        self._count(pairs)
        kept = pairs.only(of_different_texts)
        begin, self._size = self._size, self._size + len(kept.outcome)
        for field in fields(JudgedPairs):
            getattr(self._judged, field.name)[begin : self._size] = getattr(kept, field.name)

    def judged(self) -> JudgedPairs:
        """The pairs of different texts."""
        return self._judged.only(slice(self._size))

    def shares_won(self) -> FloatArray:
        """The share of the decided comparisons of each sentence that each system won, shape (n, S)."""
        compared = self._won + self._lost
        return np.where(compared > 0, self._won / np.maximum(compared, 1), np.nan).reshape(self._shape)

    def _group(self, pairs: JudgedPairs) -> None:
        size, won = self._shape[1], pairs.outcome >= 0
        code = np.where(won, pairs.first, pairs.second).astype(np.int32) * size
        code += np.where(won, pairs.second, pairs.first)
        code[pairs.outcome == 0] += size**2
        order = np.argsort(pairs.sentence, kind="stable")
        sentence = pairs.sentence[order]
        begins, counts = runs(sentence)
        places = np.arange(len(sentence)) - np.repeat(begins, counts)
        self.codes[self._free[sentence] + places] = code[order]
        self._free[sentence[begins]] += counts

    def _count(self, pairs: JudgedPairs) -> None:
        decided = pairs.only(pairs.outcome != 0)
        won = decided.outcome > 0
        for counts, first, second in (
            (self._won, decided.first, decided.second),
            (self._lost, decided.second, decided.first),
        ):
            of_winners = cells(decided.sentence, np.where(won, first, second), self._shape[1])
            counts += np.bincount(of_winners, minlength=len(counts))


def cells(sentences: NDArray[np.integer], systems: NDArray[np.integer], number_of_systems: int) -> IntArray:
    """The places of systems in sentences in a flattened array of shape (n, S)."""
    return sentences.astype(np.int64) * number_of_systems + systems


def short(most: int, size: int) -> NDArray[np.integer]:
    """An array for numbers from 0 to `most`, in as few bytes as these need."""
    return np.empty(size, dtype=np.min_scalar_type(most))
