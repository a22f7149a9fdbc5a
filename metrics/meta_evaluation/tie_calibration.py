"""Pairwise accuracy with tie calibration, acc*eq: how often a metric orders or ties two outputs as people do.

Deutsch, Foster and Freitag 2023 ("Ties Matter: Meta-Evaluating Modern Metrics with Pairwise Accuracy and Tie
Calibration"), the sentence-level measure of WMT23 and WMT24. Metrics rarely give two outputs the same score,
but people often do. So two metric scores tie if they differ by at most epsilon, and epsilon is chosen to
maximise the metric's accuracy.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.arrays import FloatArray, IntArray
from metrics.meta_evaluation.soft_accuracy import system_pairs

SAME = 1e-12
"""Differences of scores, and accuracies, closer than this differ only by rounding and count as equal."""


@dataclass(frozen=True, slots=True)
class TieCalibration:
    """A metric against people, sentence by sentence.

    Attributes:
        accuracy: mean over sentences of the share of pairs that the metric orders or ties as people do; None
            where it cannot be computed.
        epsilon: the largest difference of metric scores that is a tie; the smallest one that gives this
            accuracy. None where `accuracy` is.
        sentences: number of sentences in the mean.
        pairs: number of pairs in these sentences.
        human_ties: how many of these people tie.
        reason: why there is no accuracy, in words; None where there is one.
    """

    accuracy: float | None
    epsilon: float | None
    sentences: int
    pairs: int
    human_ties: int
    reason: str | None


@dataclass(frozen=True, slots=True, eq=False)
class ItemPairs:
    """P pairs of outputs of one sentence, of different texts, that people and all metrics score.

    Attributes:
        sentence: shape (P,), counted from 0.
        first: shape (P,), the number of a system.
        second: shape (P,), that of another one.
        human: shape (P,): 1 where the first has the higher human score, 0 where they are equal, else -1.
        weight: shape (P,): 1 over the number of pairs of the sentence, over the number of sentences.
    """

    sentence: IntArray
    first: IntArray
    second: IntArray
    human: NDArray[np.int8]
    weight: FloatArray

    @property
    def sentences(self) -> int:
        """Number of sentences with a pair."""
        return len(np.unique(self.sentence))


def item_pairs(human: FloatArray, scored: NDArray[np.bool_], texts: IntArray | None = None) -> ItemPairs:
    """The pairs of outputs of each sentence that people and metrics score.

    Args:
        human: shape (n, S), NaN where there is no human score.
        scored: shape (n, S), whether all metrics have a score.
        texts: shape (n, S); two systems of equal number share a text, which no metric could order, and are
            no pair. All texts differ if None.
    """
    first, second = system_pairs(human.shape[1])
    both = np.where(scored, human, np.nan)
    judged = np.flatnonzero(np.isfinite(both).any(axis=1))
    ahead = both[judged][:, first] - both[judged][:, second]
    chosen = np.isfinite(ahead)
    if texts is not None:
        chosen &= texts[judged][:, first] != texts[judged][:, second]
    sentence, pair = np.nonzero(chosen)
    numbers = np.bincount(sentence, minlength=len(judged))
    ahead = ahead[sentence, pair]
    return ItemPairs(
        sentence=judged[sentence].astype(np.int64),
        first=first[pair],
        second=second[pair],
        human=np.where(np.abs(ahead) <= SAME, 0, np.sign(ahead)).astype(np.int8),
        weight=1.0 / (numbers[sentence] * max(int(np.count_nonzero(numbers)), 1)),
    )


def tie_calibration(pairs: ItemPairs, scores: FloatArray) -> TieCalibration:
    """The accuracy of a metric with scores of shape (n, S) on these pairs, with the best epsilon.

    All differences of metric scores are tried, and 0.
    """
    counts = (pairs.sentences, len(pairs.sentence), int(np.count_nonzero(pairs.human == 0)))
    if not len(pairs.sentence):
        return TieCalibration(None, None, *counts, "no sentence has two different outputs with scores")
    ahead = scores[pairs.sentence, pairs.first] - scores[pairs.sentence, pairs.second]
    distance = np.abs(ahead)
    order = np.argsort(distance, kind="stable")
    tied = pairs.human == 0
    concordant = ~tied & (np.sign(ahead) == pairs.human)
    # The change of the accuracy when epsilon reaches the distance of a pair.
    gain = (tied * 1.0 - concordant) * pairs.weight
    sorted_distance = distance[order]
    accuracies = (concordant * pairs.weight).sum() + np.concatenate([[0.0], np.cumsum(gain[order])])
    # Epsilon takes in all pairs of equal distance; 0 takes in those that the metric ties.
    ends = np.flatnonzero(np.diff(sorted_distance, append=np.inf) > SAME) + 1
    none_closer = np.searchsorted(sorted_distance, SAME, side="right")
    ends = np.concatenate([[none_closer], ends[ends > none_closer]])
    best = int(ends[np.argmax(accuracies[ends] >= accuracies[ends].max() - SAME)])
    epsilon = float(sorted_distance[best - 1]) if best > none_closer else 0.0
    return TieCalibration(min(float(accuracies[best]), 1.0), epsilon, *counts, None)


def ordered_as_people(pairs: ItemPairs, scores: FloatArray, epsilon: float) -> NDArray[np.bool_]:
    """Shape (P,): whether the metric orders or ties a pair as people do, epsilon being given."""
    ahead = scores[pairs.sentence, pairs.first] - scores[pairs.sentence, pairs.second]
    order = np.where(np.abs(ahead) <= epsilon + SAME, 0, np.sign(ahead))
    return np.asarray(order == pairs.human)
