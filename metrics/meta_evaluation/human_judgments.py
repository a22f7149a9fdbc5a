"""People's judgments as arrays over sentences and systems, for comparing with metrics.

A system's *human score* for a sentence is the mean of its ratings if outputs were scored. If they were
ranked, it is the share of the sentence's decided comparisons that the system won: ties are dropped, and a
system whose comparisons all tied has no score. Missing scores are NaN, never 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from core.arrays import FloatArray, IntArray
from core.later import pd
from ranking import (
    Basis,
    GroupedPairs,
    Method,
    Ranks,
    Scores,
    SnapshotError,
    Unit,
    scores_of_draws,
    standardised,
)
from ranking.judgments.pairs import PAIRS_PER_BLOCK, row_pairs
from ranking.judgments.snapshot import NEED_SCORES, compared_outputs, system_names
from ranking.judgments.system_rows import runs, system_lists
from ranking.uncertainty.joint_replicates import ScoreDraws

NO_Z_SCORES = f"z-scores {NEED_SCORES}"


class HumanScore(StrEnum):
    """How the judgments become scores of systems.

    By ExpectedWins, TrueSkill or Bradley-Terry of the pairs that ranks or scores imply; by the mean over
    sentences of a sentence's human score; or by the same mean of scores that are standardised within each
    judge.
    """

    EXPECTED_WINS = "ew"
    TRUESKILL = "trueskill"
    BRADLEY_TERRY = "bradley-terry"
    MEAN = "mean"
    Z = "z"


@dataclass(frozen=True, slots=True, eq=False)
class JudgedPairs:
    """N comparisons of two systems by a judge; systems that share a text are not compared.

    There are tens of millions in a large campaign, so numbers are as short as they can be: widen them before
    arithmetic.

    Attributes:
        sentence: shape (N,), counted from 0.
        judge: shape (N,), the number of the judge.
        first: shape (N,), the number of a system.
        second: shape (N,), that of a system later in the alphabet.
        outcome: shape (N,); 1 if the first was judged better, 0 for a tie, -1 if the second was.
        first_rank: shape (N,), the rank that the judge gave to the first, 1 being the best. Where outputs
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


@dataclass(frozen=True, slots=True, eq=False)
class People:
    """Judgments of S systems on n sentences.

    Attributes:
        systems: in alphabetical order.
        judges: in alphabetical order.
        pairs: all expanded pairs; group i holds those of sentence i.
        judged: those of them that are between different texts.
        scores: shape (n, S), the human score of each system in each sentence; NaN if there is none.
        z_scores: the same for standardised scores; None for rankings.
        texts: shape (n, S): systems of equal number share a text in this sentence; -1 where not judged.
        without_z_scores: by judge, why they have no z-scores.
        part: the sentences' numbers in a larger evaluation set, and the number of its sentences; None if
            these are all of its sentences.
    """

    systems: tuple[str, ...]
    judges: tuple[str, ...]
    pairs: GroupedPairs
    judged: JudgedPairs
    scores: FloatArray
    z_scores: FloatArray | None
    texts: IntArray
    without_z_scores: Mapping[str, str]
    part: tuple[IntArray, int] | None = None

    @property
    def sentences(self) -> int:
        """Number of sentences, judged or not."""
        return len(self.scores)

    @property
    def judged_sentences(self) -> IntArray:
        """Indices of the sentences in which a system has a human score or was compared."""
        compared = np.diff(self.pairs.starts) > 0
        return np.flatnonzero(compared | np.isfinite(self.scores).any(axis=1))

    def sentence_scores(self, human: HumanScore) -> FloatArray:
        """The human score of each system in each sentence, shape (n, S): standardised for z-scores.

        Raises `SnapshotError` for z-scores of rankings.
        """
        if human is not HumanScore.Z:
            return self.scores
        if self.z_scores is None:
            raise SnapshotError(NO_Z_SCORES)
        return self.z_scores

    def scores_of_draws(self, human: HumanScore, *, threads: int = 1) -> ScoreDraws:
        """The function from drawn sentences, shape (B, m), to scores of systems, shape (B, S).

        Raises `SnapshotError` for z-scores of rankings.
        """
        if human in (HumanScore.MEAN, HumanScore.Z):
            return mean_of_draws(self.sentence_scores(human), self.part)
        return scores_of_draws(Method(human.value), self.pairs, threads=threads)


def people(
    snapshot: pd.DataFrame, sentences: int, *, tie_width: float = 0.0, only: IntArray | None = None
) -> People:
    """The judgments of a snapshot whose `sentence` counts the sentences of an evaluation set from 0.

    Args:
        snapshot: a snapshot of rankings or of scores (`ranking.judgments.snapshot`).
        sentences: number of sentences of the evaluation set, judged or not.
        tie_width: largest difference of two scores that tie as a pair; None for rankings.
        only: the sentences to keep, ascending, all judged ones among them; None for all.

    Raises:
        SnapshotError: as `ranking.ranked_outputs` and `ranking.scored_outputs`, for rankings and scores
            together, and for a sentence that the evaluation set does not have.
    """
    by = _basis(snapshot, tie_width)
    shown = _Shown(compared_outputs(snapshot, by), system_names(snapshot), sentences, only)
    pairs = shown.pairs(by)
    scores, z_scores, without_z_scores = pairs.shares_won(), None, {}
    if isinstance(by, Scores):
        standard = standardised(snapshot)
        rated = snapshot["score"].notna().to_numpy()
        scores = shown.means(snapshot["score"].to_numpy(dtype=np.float64, na_value=np.nan)[rated])
        z_scores = shown.means(standard.snapshot["score"].to_numpy(dtype=np.float64)[rated])
        without_z_scores = dict(standard.left_out)
    return People(
        systems=shown.systems,
        judges=shown.judges,
        pairs=GroupedPairs(shown.systems, Unit.SENTENCE, pairs.starts, pairs.codes),
        judged=pairs.judged(),
        scores=scores,
        z_scores=z_scores,
        texts=shown.texts,
        without_z_scores=without_z_scores,
        part=None if only is None else (only, sentences),
    )


def together(snapshots: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Several sets of judgments of the same sentences as one snapshot, by the names of the sets.

    Judgments and annotators of different sets are different, even if their names are equal.
    """
    if len(snapshots) == 1:
        return next(iter(snapshots.values()))
    frames = [
        frame.assign(
            judgment=[f"{name}: {judgment}" for judgment in frame["judgment"]],
            annotator=[f"{name}: {annotator}" for annotator in frame["annotator"]],
        )
        for name, frame in snapshots.items()
    ]
    return pd.concat(frames, ignore_index=True)


def mean_of_draws(scores: FloatArray, part: tuple[IntArray, int] | None = None) -> ScoreDraws:
    """The function from draws of n sentences, shape (B, m), to the means of scores, shape (n, S).

    Missing scores do not count; a system without any has NaN. If the sentences are part of a larger set
    (`People.part`), sums run over all of it: the last digit of a sum depends on how many numbers it adds.
    """
    if part is not None:
        numbers, sentences = part
        whole = np.full((sentences, scores.shape[1]), np.nan)
        whole[numbers] = scores
        of_whole = mean_of_draws(whole)
        return lambda draws: of_whole(numbers[draws])
    present = np.isfinite(scores)
    filled = np.where(present, scores, 0.0)

    def means(draws: IntArray) -> FloatArray:
        weights = np.stack([np.bincount(draw, minlength=len(scores)) for draw in draws]).astype(np.float64)
        counts = weights @ present
        return np.where(counts > 0, weights @ filled / np.maximum(counts, 1), np.nan)

    return means


def _basis(snapshot: pd.DataFrame, tie_width: float) -> Basis:
    ranked, scored = (_judgments_with(snapshot, rating) for rating in ("rank", "score"))
    if not scored:
        return Ranks()
    if ranked:
        raise SnapshotError(
            f"the judgments are of two kinds, {ranked:,} with ranks and {scored:,} with scores, which cannot "
            "be compared with metrics together: keep each kind in a campaign or file of its own"
        )
    return Scores(tie_width)


def _judgments_with(snapshot: pd.DataFrame, rating: str) -> int:
    """How many judgments have a rating of this kind."""
    rated = snapshot[rating].notna() if rating in snapshot else np.zeros(len(snapshot), dtype=np.bool_)
    return int(snapshot["judgment"][rated].nunique())


@dataclass(frozen=True, slots=True, eq=False)
class _Block:
    """N rows of outputs expanded to systems.

    Attributes:
        row: shape (N,), rows of outputs.
        system: shape (N,).
        cell: shape (N,), the places of systems in sentences in a flattened array of shape (n, S).
    """

    row: NDArray[np.integer]
    system: NDArray[np.int32]
    cell: IntArray


class _Shown:
    """The rows of ranked or scored outputs, judgment by judgment, which are expanded to systems in blocks.

    Attributes:
        systems: S names.
        judges: names.
        texts: shape (n, S), as in `People`.
    """

    def __init__(
        self, outputs: pd.DataFrame, systems: tuple[str, ...], sentences: int, only: IntArray | None
    ) -> None:
        self.systems = systems
        self.judges = tuple(map(str, outputs["annotator"].cat.categories))
        numbers = _numbers(outputs, sentences)
        if only is not None:
            sentences, numbers = len(only), np.searchsorted(only, numbers).astype(np.int32)
        self._shape = (sentences, len(systems))
        judgment = outputs["judgment"].cat.codes.to_numpy()
        self._lists = system_lists(outputs["systems"], systems)
        self._output = np.argsort(judgment, kind="stable").astype(np.int32)
        self._judgment = judgment[self._output]
        self._sentence = numbers[self._output]
        self._judge = outputs["annotator"].cat.codes.to_numpy()[self._output]
        self._place = outputs["place"].to_numpy()[self._output]
        shown = self._lists.sizes[self._lists.of_row[self._output]]
        shown = np.add.reduceat(shown, runs(self._judgment)[0]) if len(shown) else shown
        self._ends = np.cumsum(shown * (shown - 1) // 2)
        self.texts = np.full(sentences * len(systems), -1, dtype=np.int64)
        text = pd.factorize(outputs["output"])[0][self._output]
        for block in self._blocks():
            self.texts[block.cell] = text[block.row]
        self.texts = self.texts.reshape(self._shape)

    def _blocks(self) -> Iterator[_Block]:
        """The rows of whole judgments, expanded to systems, which follow the alphabet in each judgment."""
        begins = runs(self._judgment)[0]
        firsts = begins[np.flatnonzero(np.diff(self._ends // PAIRS_PER_BLOCK, prepend=-1))]
        for first, end in pairwise([*firsts.tolist(), len(self._judgment)]):
            row, system = self._lists.exploded(self._output[first:end])
            row = row + first
            order = np.lexsort((system, self._judgment[row]))
            row, system = row[order], system[order]
            yield _Block(row, system, _cells(self._sentence[row], system, self._shape[1]))

    def pairs(self, by: Basis) -> _CollectedPairs:
        """All expanded pairs."""
        ranks = self._ranks(by)
        firsts = runs(self._judgment)[0]
        numbers = np.bincount(self._sentence[firsts], np.diff(self._ends, prepend=0), self._shape[0])
        collected = _CollectedPairs(
            self._shape, numbers.astype(np.int64), len(self.judges), ranks.max(initial=0)
        )
        for block in self._blocks():
            upper, lower = row_pairs(self._judgment[block.row])
            one, other = block.row[upper], block.row[lower]
            ahead = self._place[other] - self._place[one]
            pairs = JudgedPairs(
                sentence=self._sentence[one],
                judge=self._judge[one],
                first=block.system[upper],
                second=block.system[lower],
                outcome=np.where(np.abs(ahead) <= by.tie_width, 0, np.sign(ahead)).astype(np.int8),
                first_rank=ranks[one],
                second_rank=ranks[other],
            )
            collected.add(pairs, of_different_texts=one != other)
        return collected

    def _ranks(self, by: Basis) -> NDArray[np.int16]:
        """The rank of each row: as the judge gave it, or among the different scores of the judgment."""
        if isinstance(by, Ranks):
            given: NDArray[np.int16] = self._place.astype(np.int16)
            return given
        order = np.lexsort((self._place, self._judgment))
        judgment, place = self._judgment[order], self._place[order]
        begins = np.diff(judgment, prepend=-1) != 0
        steps = np.cumsum(begins | (np.diff(place, prepend=np.nan) != 0))
        ranks = np.empty(len(order), dtype=np.int16)
        ranks[order] = steps - np.maximum.accumulate(np.where(begins, steps, 0)) + 1
        return ranks

    def means(self, values: FloatArray) -> FloatArray:
        """The mean of values of outputs, ignoring NaN, by sentence and system, shape (n, S)."""
        values = values[self._output]
        numbers, totals = np.zeros((2, self._shape[0] * self._shape[1]))
        for block in self._blocks():
            of_cell = values[block.row]
            there = np.isfinite(of_cell)
            numbers += np.bincount(block.cell[there], minlength=len(numbers))
            np.add.at(totals, block.cell[there], of_cell[there])
        return np.where(numbers > 0, totals / np.maximum(numbers, 1), np.nan).reshape(self._shape)


class _CollectedPairs:
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
        self.codes = _short(2 * shape[1] ** 2, size)
        self._free = self.starts[:-1].copy()
        self._won, self._lost = np.zeros((2, shape[0] * shape[1]), dtype=np.int64)
        self._judged = JudgedPairs(
            sentence=_short(shape[0], size),
            judge=_short(judges, size),
            first=_short(shape[1], size),
            second=_short(shape[1], size),
            outcome=np.empty(size, dtype=np.int8),
            first_rank=_short(last_rank, size),
            second_rank=_short(last_rank, size),
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
            cells = _cells(decided.sentence, np.where(won, first, second), self._shape[1])
            counts += np.bincount(cells, minlength=len(counts))


def _cells(sentences: NDArray[np.integer], systems: NDArray[np.integer], number_of_systems: int) -> IntArray:
    """The places of systems in sentences in a flattened array of shape (n, S)."""
    return sentences.astype(np.int64) * number_of_systems + systems


def _short(most: int, size: int) -> NDArray[np.integer]:
    """An array for numbers from 0 to `most`, in as few bytes as these need."""
    return np.empty(size, dtype=np.min_scalar_type(most))


def _numbers(outputs: pd.DataFrame, sentences: int) -> NDArray[np.int32]:
    try:
        numbers = outputs["sentence"].to_numpy().astype(np.int64)
    except (TypeError, ValueError) as error:
        raise SnapshotError(f"sentences must be counted by integers: {error}") from error
    outside = numbers[(numbers < 0) | (numbers >= sentences)]
    if len(outside):
        raise SnapshotError(f"sentence {outside[0]} was judged, and there are {sentences}, counted from 0")
    return numbers.astype(np.int32)
