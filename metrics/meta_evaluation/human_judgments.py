"""People's judgments as arrays over sentences and systems, for comparing with metrics.

A system's *human score* for a sentence is the mean of its ratings if outputs were scored. If they were
ranked, it is the share of the sentence's decided comparisons that the system won: ties are dropped, and a
system whose comparisons all tied has no score. Missing scores are NaN, never 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from core.arrays import FloatArray, IntArray
from core.later import pd
from metrics.meta_evaluation.judged_pairs import CollectedPairs, JudgedPairs, cells
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
    annotator.
    """

    EXPECTED_WINS = "ew"
    TRUESKILL = "trueskill"
    BRADLEY_TERRY = "bradley-terry"
    MEAN = "mean"
    Z = "z"


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
        without_z_scores: by annotator, why they have no z-scores.
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
    snapshot: pd.DataFrame,
    sentences: int,
    *,
    tie_width: float = 0.0,
    only: IntArray | None = None,
    step: Callable[[], None] = lambda: None,
) -> People:
    """The judgments of a snapshot whose `sentence` counts the sentences of an evaluation set from 0.

    Args:
        snapshot: a snapshot of rankings or of scores (`ranking.judgments.snapshot`).
        sentences: number of sentences of the evaluation set, judged or not.
        tie_width: largest difference of two scores that tie as a pair; None for rankings.
        only: the sentences to keep, ascending, all judged ones among them; None for all.
        step: called between the parts of the work; an exception that it raises ends it.

    Raises:
        SnapshotError: as `ranking.ranked_outputs` and `ranking.scored_outputs`, for rankings and scores
            together, and for a sentence that the evaluation set does not have.
    """
    by = _basis(snapshot, tie_width)
    outputs = compared_outputs(snapshot, by)
    step()
    shown = _Shown(outputs, system_names(snapshot), sentences, only, step)
    scored = snapshot if isinstance(by, Scores) else None
    del outputs, snapshot  # Pairs need memory.
    pairs = shown.pairs(by)
    scores, z_scores, without_z_scores = pairs.shares_won(), None, {}
    if scored is not None:
        standard = standardised(scored)
        rated = scored["score"].notna().to_numpy()
        scores = shown.means(scored["score"].to_numpy(dtype=np.float64, na_value=np.nan)[rated])
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
        self,
        outputs: pd.DataFrame,
        systems: tuple[str, ...],
        sentences: int,
        only: IntArray | None,
        step: Callable[[], None],
    ) -> None:
        self._step = step
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
            yield _Block(row, system, cells(self._sentence[row], system, self._shape[1]))
            self._step()

    def pairs(self, by: Basis) -> CollectedPairs:
        """All expanded pairs."""
        ranks = self._ranks(by)
        firsts = runs(self._judgment)[0]
        numbers = np.bincount(self._sentence[firsts], np.diff(self._ends, prepend=0), self._shape[0])
        collected = CollectedPairs(
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
        """The rank of each row: as the annotator gave it, or among the different scores of the judgment."""
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


def _numbers(outputs: pd.DataFrame, sentences: int) -> NDArray[np.int32]:
    try:
        numbers = outputs["sentence"].to_numpy().astype(np.int64)
    except (TypeError, ValueError) as error:
        raise SnapshotError(f"sentences must be counted by integers: {error}") from error
    outside = numbers[(numbers < 0) | (numbers >= sentences)]
    if len(outside):
        raise SnapshotError(f"sentence {outside[0]} was judged, and there are {sentences}, counted from 0")
    return numbers.astype(np.int32)
