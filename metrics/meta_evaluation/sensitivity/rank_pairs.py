"""Accuracy of metrics by the two ranks that people gave to a pair of outputs.

The pairwise analysis of Kobayashi, Mita and Komachi 2024 (SEEDA, TACL 12): judged pairs of outputs are
grouped by the annotator's two ranks, and for each group the number of pairs that the metric orders as the
annotator did is counted. A pair with ranks 1 and 5 should be easy, a pair with ranks 2 and 3 hard.

The rules are those of taus over sentences (`metrics.meta_evaluation.sentence_level`): each judgment of a pair
counts, ties of the annotator are left out, ties of the metric are wrong, and all metrics are compared on the
same pairs.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.arrays import FloatArray, IntArray
from core.progress import Advance
from metrics.base.resampling import replicates_of, sentence_draws
from metrics.meta_evaluation.compared_data import MetricsAndPeople
from metrics.meta_evaluation.estimates import Estimate, estimated
from metrics.meta_evaluation.judged_pairs import JudgedPairs
from metrics.meta_evaluation.sentence_level import (
    NO_JUDGED_OUTPUT,
    NO_SENTENCE_SCORES,
    scored_by_all,
    scores_judged_outputs,
)
from metrics.meta_evaluation.significance import PairwiseTests, bootstrap_tests

NO_PAIRS = "people ordered no pair of outputs that all metrics score"


@dataclass(frozen=True, slots=True)
class PairShare:
    """The judged pairs of a group, and how many of them a metric orders as the annotator did.

    Attributes:
        pairs: how many the annotators ordered.
        agreed: how many of these the metric orders so.
        ties: how many it ties, which are wrong.
        accuracy: `agreed` as a share of `pairs`, with its interval over resampled sentences.
    """

    pairs: int
    agreed: int
    ties: int
    accuracy: Estimate


@dataclass(frozen=True, slots=True)
class RankPair:
    """The pairs of outputs of two ranks.

    Attributes:
        better: rank of the one that the annotator preferred, 1 being the best.
        worse: rank of the other.
        share: how many of these pairs the metric orders so.
    """

    better: int
    worse: int
    share: PairShare


@dataclass(frozen=True, slots=True)
class MetricByRanks:
    """One metric by pairs of ranks.

    Attributes:
        whole: of all pairs; None without scores of sentences.
        cells: by pair of ranks that occurs, the best ones first.
        by_difference: by the number of ranks between the two, from 1.
        reason: why there is nothing, in words; None where there is.
        gain: accuracy on the pairs farthest apart less that on the closest, with its interval over the same
            resampled sentences; None if all are equally far apart, or in results that lack it.
    """

    whole: PairShare | None
    cells: tuple[RankPair, ...]
    by_difference: Mapping[int, PairShare]
    reason: str | None
    gain: Estimate | None = None


@dataclass(frozen=True, slots=True)
class RankPairs:
    """All metrics by pairs of ranks.

    Attributes:
        metrics: by name.
        tests: which metric has the higher accuracy on all pairs, of those with scores of sentences, by the
            bootstrap over judged sentences.
        beyond: pairs that are left out, since one of the ranks is beyond the last that is shown.
        not_scored: pairs that are left out, for all metrics, since some metric does not score them.
    """

    metrics: Mapping[str, MetricByRanks]
    tests: PairwiseTests
    beyond: int
    not_scored: int


def rank_pairs(
    data: MetricsAndPeople,
    *,
    last_rank: int = 10,
    replicates: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
    progress: Advance | None = None,
) -> RankPairs:
    """Shares of pairs that metrics order as the annotator did, by the ranks that the annotator gave.

    Args:
        data: metrics and people.
        last_rank: pairs with a rank beyond it are left out.
        replicates: of the bootstrap over judged sentences, for intervals; 0 for none.
        confidence: of the intervals.
        seed: of the bootstrap.
        progress: gets the number of judged pairs that were read. They are read once for all metrics, and
            once for each.
    """
    judged = data.people.judged
    ordered, both = judged.outcome != 0, judged.both(scored_by_all(data))
    near = (judged.first_rank <= last_rank) & (judged.second_rank <= last_rank)
    grouped = _Grouped(data, ordered & both & near, replicates, confidence, seed, progress)
    metrics, accuracies = {}, {}
    for metric in data.metrics:
        if metric.sentences is None:
            metrics[metric.name] = MetricByRanks(None, (), {}, NO_SENTENCE_SCORES)
        elif scores_judged_outputs(data, metric.sentences):
            metrics[metric.name], drawn = grouped.of_metric(metric.sentences)
            if (whole := metrics[metric.name].whole) is not None:
                accuracies[metric.name] = whole.agreed / whole.pairs, drawn
        else:
            metrics[metric.name] = MetricByRanks(None, (), {}, NO_JUDGED_OUTPUT)
    return RankPairs(
        metrics=metrics,
        tests=bootstrap_tests(accuracies, [*accuracies]),
        beyond=int(np.count_nonzero(ordered & both & ~near)),
        not_scored=int(np.count_nonzero(ordered & ~both)),
    )


class _Grouped:
    """Ordered pairs by sentence and by *cell*, which is a pair of ranks; and resamples of their sentences."""

    def __init__(
        self,
        data: MetricsAndPeople,
        kept: NDArray[np.bool_],
        replicates: int,
        confidence: float,
        seed: int,
        progress: Advance | None,
    ) -> None:
        """Group the judged pairs that are kept, shape (N,)."""
        self._judged, self._kept, self._progress = data.people.judged, kept, progress
        self._confidence, self._seed = confidence, seed
        self._width = 1 + max(
            int(ranks.max(where=kept, initial=0))
            for ranks in (self._judged.first_rank, self._judged.second_rank)
        )
        there = np.zeros(data.people.sentences, dtype=bool)
        occurs = np.zeros(self._width**2, dtype=bool)
        for block in self._blocks():
            there[block.sentence] = True
            occurs[self._ranks(block)] = True
        self._sentences = int(np.count_nonzero(there))
        self._replicates = replicates_of(self._sentences, replicates)
        self._place, self._cell = np.cumsum(there) - 1, np.cumsum(occurs) - 1
        self._better, self._worse = np.divmod(np.flatnonzero(occurs), self._width)
        self._pairs = np.zeros(self._sentences * len(self._better), dtype=np.int64)
        for block in self._blocks(progress):
            self._pairs += self._counted(self._groups(block))

    def _blocks(self, progress: Advance | None = None) -> Iterator[JudgedPairs]:
        for some in self._judged.blocks(progress):
            yield self._judged.only(some).only(self._kept[some])

    def _ranks(self, block: JudgedPairs) -> IntArray:
        """The better and the worse rank as one number."""
        better: IntArray = np.minimum(block.first_rank, block.second_rank).astype(np.int64)
        worse: IntArray = np.maximum(block.first_rank, block.second_rank).astype(np.int64)
        return better * self._width + worse

    def _groups(self, block: JudgedPairs) -> IntArray:
        """The sentence and the cell of each pair as one number."""
        groups: IntArray = self._place[block.sentence] * len(self._better) + self._cell[self._ranks(block)]
        return groups

    def _counted(self, groups: IntArray) -> IntArray:
        return np.bincount(groups, minlength=len(self._pairs))

    def of_metric(self, scores: FloatArray) -> tuple[MetricByRanks, FloatArray]:
        """The counts of a metric with scores of shape (n, S), and its accuracy in the resamples, (B,)."""
        cells = len(self._better)
        if not cells:
            return MetricByRanks(None, (), {}, NO_PAIRS), np.empty(0)
        agreed, ties = np.zeros((2, len(self._pairs)), dtype=np.int64)
        for block in self._blocks(self._progress):
            lead = scores[block.sentence, block.first] - scores[block.sentence, block.second]
            order, groups = np.sign(lead) * block.outcome, self._groups(block)
            agreed += self._counted(groups[order > 0])
            ties += self._counted(groups[order == 0])
        by_sentence = [table.reshape(-1, cells) for table in (self._pairs, agreed, ties)]
        counts = np.stack([table.sum(axis=0) for table in by_sentence])
        drawn = self._drawn(np.concatenate(by_sentence[:2], axis=1).astype(np.float32))

        def in_resamples(chosen: NDArray[np.bool_]) -> FloatArray:
            of_pairs, of_right = drawn[:, :, chosen].sum(axis=2)
            return np.where(of_pairs > 0, of_right / np.maximum(of_pairs, 1), np.nan)

        def share(chosen: NDArray[np.bool_]) -> PairShare:
            pairs, right, tied = counts[:, chosen].sum(axis=1).tolist()
            accuracy = estimated(right / pairs, in_resamples(chosen), self._confidence)
            return PairShare(pairs, right, tied, accuracy)

        difference, every = self._worse - self._better, np.ones(cells, dtype=bool)
        by_difference = {each: share(difference == each) for each in np.unique(difference).tolist()}
        gain, (near, far) = None, (min(by_difference), max(by_difference))
        if near != far:
            gained = (by_difference[far].accuracy.value or 0.0) - (by_difference[near].accuracy.value or 0.0)
            drawn_gains = in_resamples(difference == far) - in_resamples(difference == near)
            gain = estimated(gained, drawn_gains, self._confidence)
        by_ranks = MetricByRanks(
            whole=share(every),
            cells=tuple(
                RankPair(int(self._better[cell]), int(self._worse[cell]), share(np.arange(cells) == cell))
                for cell in range(cells)
            ),
            by_difference=by_difference,
            reason=None,
            gain=gain,
        )
        return by_ranks, in_resamples(every)

    def _drawn(self, table: NDArray[np.float32]) -> FloatArray:
        """Pairs and those that agree, both by cell, in resamples of the sentences, shape (2, B, cells).

        `table` has them by sentence, shape (m, 2 * cells).
        """
        drawn = [np.empty((0, table.shape[1]), dtype=np.float32)]
        for draws in sentence_draws(self._sentences, range(self._replicates), self._seed):
            weights = np.stack([np.bincount(draw, minlength=self._sentences) for draw in draws])
            drawn.append(weights.astype(np.float32) @ table)
            if self._progress is not None:
                self._progress(0)
        by_kind = np.concatenate(drawn).reshape(-1, 2, table.shape[1] // 2)
        return by_kind.transpose(1, 0, 2).astype(np.float64)
