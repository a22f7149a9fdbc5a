"""Pairwise accuracy of a metric on the outputs of a sentence, by what ties of people count as."""

from dataclasses import dataclass

import numpy as np

from core.arrays import FloatArray
from metrics.base.resampling import sentence_draws
from metrics.meta_evaluation.estimates import Estimate
from metrics.meta_evaluation.human_judgments import People
from metrics.meta_evaluation.metric_scores import MetricScores
from metrics.meta_evaluation.sensitivity.paired_differences import paired_difference
from metrics.meta_evaluation.sentence_level import NO_SENTENCE_SCORES
from metrics.meta_evaluation.tie_calibration import SAME


@dataclass(frozen=True, slots=True)
class TiesBySentence:
    """Pairwise accuracy on judged pairs, with people's ties dropped and counted as half right.

    Attributes:
        pairs: judged pairs of different texts that the metric scores.
        ties: how many of them people tie.
        dropped: share of the other pairs that the metric orders as people do; its ties are wrong.
        half: the same share of all pairs, each tie of people counting as half.
        difference: of the second from the first, with a paired interval over resampled sentences.
        reason: why there is nothing, in words; None where there is.
    """

    pairs: int
    ties: int
    dropped: float | None
    half: float | None
    difference: Estimate
    reason: str | None


def ties_by_sentence(
    people: People, metric: MetricScores, *, replicates: int, confidence: float, seed: int
) -> TiesBySentence:
    """Pairwise accuracy of a metric on judged pairs, with people's ties dropped and as half."""
    if metric.sentences is None:
        return _no_ties(NO_SENTENCE_SCORES)
    judged = people.judged.only(people.judged.both(np.isfinite(metric.sentences)))
    sums = np.zeros((people.sentences, 3))
    for some in judged.blocks():
        sentence = judged.sentence[some]
        ahead = (
            metric.sentences[sentence, judged.first[some]] - metric.sentences[sentence, judged.second[some]]
        )
        order = np.where(np.abs(ahead) <= SAME, 0, np.sign(ahead))
        tied = judged.outcome[some] == 0
        counts = (~tied & (order == judged.outcome[some]), ~tied, tied)
        for column, counted in enumerate(counts):
            sums[:, column] += np.bincount(sentence, counted, minlength=people.sentences)
    sums = sums[sums.any(axis=1)]
    if not sums[:, 1].any():
        return _no_ties("people order no pair of outputs that the metric scores")
    [dropped], [half] = _accuracies(sums.sum(axis=0)[None])
    drawn = [np.empty((2, 0))]
    for draws in sentence_draws(len(sums), range(replicates), seed):
        drawn.append(np.stack(_accuracies(sums[draws].sum(axis=1))))
    of_dropped, of_half = np.concatenate(drawn, axis=1)
    difference = paired_difference(float(half), float(dropped), of_half - of_dropped, confidence)
    ties = int(sums[:, 2].sum())
    return TiesBySentence(len(judged.outcome), ties, float(dropped), float(half), difference, None)


def _no_ties(reason: str) -> TiesBySentence:
    return TiesBySentence(0, 0, None, None, Estimate(None, None, None, reason), reason)


def _accuracies(sums: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Both accuracies, shape (B,), of counts of right, ordered and tied pairs, (B, 3)."""
    right, ordered, tied = sums.T
    with np.errstate(invalid="ignore", divide="ignore"):
        return right / ordered, (right + tied / 2) / (ordered + tied)
