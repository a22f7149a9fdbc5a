"""Accuracy of metrics by the two ranks that people gave to a pair of outputs.

The pairwise analysis of Kobayashi, Mita and Komachi 2024 (SEEDA, TACL 12): judged pairs of outputs are
grouped by the judge's two ranks, and for each group the number of pairs that the metric orders as the judge
did is counted. A pair with ranks 1 and 5 should be easy, a pair with ranks 2 and 3 hard.

The rules are those of taus over sentences (`metrics.meta_evaluation.sentence_level`): each judgment of a pair
counts, ties of the judge are left out, ties of the metric are wrong, and all metrics are compared on the
same pairs.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.arrays import FloatArray, IntArray
from metrics.base.resampling import sentence_draws
from metrics.meta_evaluation.compared_data import MetricsAndPeople
from metrics.meta_evaluation.estimates import Estimate, estimated
from metrics.meta_evaluation.human_judgments import JudgedPairs
from metrics.meta_evaluation.sentence_level import (
    NO_JUDGED_OUTPUT,
    NO_SENTENCE_SCORES,
    scored_by_all,
    scores_judged_outputs,
)

NO_PAIRS = "people ordered no pair of outputs that all metrics score"


@dataclass(frozen=True, slots=True)
class PairShare:
    """The judged pairs of a group, and how many of them a metric orders as the judge did.

    Attributes:
        pairs: how many the judges ordered.
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
        better: rank of the one that the judge preferred, 1 being the best.
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
    """

    whole: PairShare | None
    cells: tuple[RankPair, ...]
    by_difference: Mapping[int, PairShare]
    reason: str | None


@dataclass(frozen=True, slots=True)
class RankPairs:
    """All metrics by pairs of ranks.

    Attributes:
        metrics: by name.
        beyond: pairs that are left out, since one of the ranks is beyond the last that is shown.
        not_scored: pairs that are left out, for all metrics, since some metric does not score them.
    """

    metrics: Mapping[str, MetricByRanks]
    beyond: int
    not_scored: int


def rank_pairs(
    data: MetricsAndPeople,
    *,
    last_rank: int = 10,
    replicates: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
) -> RankPairs:
    """How often each metric orders two outputs as a judge did, by the ranks that the judge gave them.

    Args:
        data: metrics and people.
        last_rank: pairs with a rank beyond it are left out.
        replicates: of the bootstrap over judged sentences, for intervals; 0 for none.
        confidence: of the intervals.
        seed: of the bootstrap.
    """
    judged = data.people.judged
    judged = judged.only(judged.outcome != 0)
    scored = scored_by_all(data)
    both = scored[judged.sentence, judged.first] & scored[judged.sentence, judged.second]
    near = np.maximum(judged.first_rank, judged.second_rank) <= last_rank
    grouped = _Grouped(judged.only(both & near), replicates, confidence, seed)
    metrics = {}
    for metric in data.metrics:
        if metric.sentences is None:
            metrics[metric.name] = MetricByRanks(None, (), {}, NO_SENTENCE_SCORES)
        elif scores_judged_outputs(data, metric.sentences):
            metrics[metric.name] = grouped.of_metric(metric.sentences)
        else:
            metrics[metric.name] = MetricByRanks(None, (), {}, NO_JUDGED_OUTPUT)
    return RankPairs(
        metrics=metrics,
        beyond=int(np.count_nonzero(both & ~near)),
        not_scored=int(np.count_nonzero(~both)),
    )


class _Grouped:
    """Ordered pairs by their two ranks, and resamples of their sentences."""

    def __init__(self, judged: JudgedPairs, replicates: int, confidence: float, seed: int) -> None:
        self._judged = judged
        better = np.minimum(judged.first_rank, judged.second_rank).astype(np.int64)
        worse = np.maximum(judged.first_rank, judged.second_rank).astype(np.int64)
        width = int(worse.max(initial=0)) + 1
        codes, self._cell = np.unique(better * width + worse, return_inverse=True)
        self._better, self._worse = codes // width, codes % width
        self._sentences, self._place = np.unique(judged.sentence, return_inverse=True)
        self._replicates, self._confidence, self._seed = replicates, confidence, seed

    def of_metric(self, scores: FloatArray) -> MetricByRanks:
        """The counts of a metric with scores of shape (n, S)."""
        judged, cells = self._judged, len(self._better)
        if not cells:
            return MetricByRanks(None, (), {}, NO_PAIRS)
        lead = scores[judged.sentence, judged.first] - scores[judged.sentence, judged.second]
        order = np.sign(lead) * judged.outcome
        agreed, ties = order > 0, order == 0
        counts = np.stack([self._counts(chosen) for chosen in (np.ones_like(agreed), agreed, ties)])
        drawn = self._drawn(agreed)

        def share(chosen: NDArray[np.bool_]) -> PairShare:
            pairs, right, tied = counts[:, chosen].sum(axis=1).tolist()
            of_pairs, of_right = drawn[:, :, chosen].sum(axis=2)
            shares = np.where(of_pairs > 0, of_right / np.maximum(of_pairs, 1), np.nan)
            return PairShare(pairs, right, tied, estimated(right / pairs, shares, self._confidence))

        difference = self._worse - self._better
        return MetricByRanks(
            whole=share(np.ones(cells, dtype=bool)),
            cells=tuple(
                RankPair(int(self._better[cell]), int(self._worse[cell]), share(np.arange(cells) == cell))
                for cell in range(cells)
            ),
            by_difference={each: share(difference == each) for each in np.unique(difference).tolist()},
            reason=None,
        )

    def _counts(self, chosen: NDArray[np.bool_]) -> IntArray:
        return np.bincount(self._cell[chosen], minlength=len(self._better))

    def _drawn(self, agreed: NDArray[np.bool_]) -> FloatArray:
        """All pairs and those that agree in resamples of the sentences, by cell, shape (2, B, cells)."""
        size, cells = len(self._sentences), len(self._better)
        tables = []
        for chosen in (np.ones_like(agreed), agreed):
            code = self._place[chosen] * cells + self._cell[chosen]
            tables.append(np.bincount(code, minlength=size * cells).reshape(size, cells).astype(np.float32))
        table = np.concatenate(tables, axis=1)
        drawn = [np.empty((0, 2 * cells), dtype=np.float32)]
        for draws in sentence_draws(size, range(self._replicates), self._seed):
            weights = np.stack([np.bincount(draw, minlength=size) for draw in draws]).astype(np.float32)
            drawn.append(weights @ table)
        return np.concatenate(drawn).reshape(-1, 2, cells).transpose(1, 0, 2).astype(np.float64)
