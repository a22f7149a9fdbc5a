"""Statistics of the outputs of several systems: any corpus made of their outputs is scored from these."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from core.arrays import FloatArray, IntArray
from core.parameters import same_statistics
from metrics.base.evaluation_sets import EvaluationSet, InputError
from metrics.base.metric import (
    AdditiveMetric,
    AnyMetric,
    MeanMetric,
    NoParameters,
    Reduce,
    Rows,
    pick_counts,
)
from metrics.base.scoring import Scored

NOT_SCORED = -1
"""Stands for the output of a system that the metric does not score."""


@dataclass(frozen=True, slots=True, eq=False)
class Statistics:
    """The outputs of S systems on n sentences, reduced by a metric.

    Attributes:
        metric: with its parameters.
        rows: statistics of the distinct outputs.
        picks: shape (S, n), the outputs of each system as numbers into `rows`, or `NOT_SCORED`.
        reduced_by: the same outputs reduced by another metric, from their texts; None where there are none.
    """

    metric: AnyMetric
    rows: Rows
    picks: IntArray
    reduced_by: "Callable[[AnyMetric], Statistics] | None" = None

    def of_systems(self, places: Sequence[int]) -> "Statistics":
        """Statistics of the systems at these indices, in order; `NOT_SCORED` stands for a system without."""
        chosen = np.array(places, dtype=np.int64)
        picks = np.where((chosen == NOT_SCORED)[:, None], NOT_SCORED, self.picks[chosen])
        reduced_by = self.reduced_by
        if reduced_by is None:
            return replace(self, picks=picks)
        return replace(self, picks=picks, reduced_by=lambda metric: reduced_by(metric).of_systems(places))

    def on(self, sentences: IntArray) -> "Statistics":
        """Statistics on these sentences, with the rows of their outputs, and a scored one if there is any.

        Rows keep their order and the numbers of their sentences, so that sums and draws are the same.
        """
        picks = self.picks[:, sentences]
        used = np.union1d(picks[picks != NOT_SCORED], np.flatnonzero(self.rows.sizes)[:1])
        rows = Rows(self.rows.values[used], self.rows.sizes[used], self.rows.sentences[used])
        picks = np.where(picks == NOT_SCORED, NOT_SCORED, np.searchsorted(used, picks))
        reduced_by = self.reduced_by
        if reduced_by is None:
            return replace(self, rows=rows, picks=picks)
        return replace(
            self, rows=rows, picks=picks, reduced_by=lambda metric: reduced_by(metric).on(sentences)
        )

    def as_corpus(self, sentences: IntArray) -> "Statistics":
        """Statistics of a corpus of just these sentences, ascending, which are counted from 0."""
        on, reduced_by = self.on(sentences), self.reduced_by
        rows = replace(on.rows, sentences=np.searchsorted(sentences, on.rows.sentences))
        if reduced_by is None:
            return replace(on, rows=rows)
        return replace(on, rows=rows, reduced_by=lambda metric: reduced_by(metric).as_corpus(sentences))

    def with_metric(self, metric: AnyMetric) -> "Statistics":
        """These outputs under the metric with other parameters, reduced again only if necessary.

        Raises:
            InputError: they have to be reduced anew, and there are no texts.
        """
        if same_statistics(self.metric.parameters, metric.parameters):
            return replace(self, metric=metric)
        if self.reduced_by is None:
            raise InputError(
                f"{metric.name} has to read the texts again for other statistics, and there are none"
            )
        return self.reduced_by(metric)

    def scores_of_draws(self, draws: IntArray) -> FloatArray:
        """Scores of the systems on drawn sentences: from draws of shape (B, m), shape (B, S)."""
        scores = np.full((len(draws), len(self.picks)), np.nan)
        if self.rows.sizes.any():
            for system, picks in enumerate(self.picks):
                if (picks != NOT_SCORED).all():
                    scores[:, system] = self.metric.corpus_scores(self.rows, picks[draws])
        return scores

    def scores(self, origins: IntArray, draws: IntArray) -> FloatArray:
        """Scores of corpora that take each sentence from one of the systems, shape (B, H).

        Sums of rows for additive metrics; others read the sentences of a draw in its order.

        Args:
            origins: shape (H, n), the system that each of H corpora takes the output of a sentence from.
            draws: shape (B, m), the sentences that count.

        Returns:
            NaN for a corpus that takes a sentence from a system that is not scored, or in which no sentence
            has a score.
        """
        scores: FloatArray = self.scores_by([self.metric], origins, draws)[0]
        return scores

    def scores_by(self, metrics: Sequence[AnyMetric], origins: IntArray, draws: IntArray) -> FloatArray:
        """Scores of H corpora by V metrics of these statistics, which differ in parameters: (V, B, H)."""
        picks = self.picks[origins, np.arange(self.picks.shape[1])]
        scores = np.full((len(metrics), len(draws), len(origins)), np.nan)
        scored = np.flatnonzero((picks != NOT_SCORED).all(axis=1))
        if not len(scored) or not self.rows.sizes.any():
            return scores
        of_corpora = self._sums if isinstance(self.metric, AdditiveMetric) else self._drawn
        scores[:, :, scored] = of_corpora(metrics, picks[scored], draws)
        return scores

    def _sums(self, metrics: Sequence[Any], picks: IntArray, draws: IntArray) -> FloatArray:
        sentences, times = pick_counts(draws, picks.shape[1])
        sums = np.tensordot(times, self.rows.values[picks[:, sentences], 0], axes=(1, 1))
        return np.stack([metric.score_sums(sums) for metric in metrics])

    def _drawn(self, metrics: Sequence[Any], picks: IntArray, draws: IntArray) -> FloatArray:
        drawn = picks[:, draws]
        corpora = drawn.reshape(-1, draws.shape[1])
        scores = np.stack([metric.corpus_scores(self.rows, corpora) for metric in metrics])
        return scores.reshape(len(metrics), *drawn.shape[:2]).swapaxes(1, 2)


class GivenScores(MeanMetric[NoParameters]):
    """Scores of sentences that were computed elsewhere, of which a system scores the mean."""

    name = "given"
    label = "Given scores"
    summary = "The mean of scores that were computed elsewhere."
    needs = frozenset()

    def prepare(self, data: EvaluationSet) -> Reduce:
        """Raises `InputError`: texts alone do not have these scores."""
        raise InputError("scores that were computed elsewhere cannot be computed from texts")


def statistics_of_metric(
    scored: Scored, systems: Sequence[str], score_anew: Callable[[AnyMetric], Scored] | None = None
) -> Statistics:
    """Statistics of `metrics.score` by system; `score_anew` scores the same outputs by a metric."""
    picks = np.stack([scored.picks[system] for system in systems]) if systems else np.empty((0, 0), np.int64)
    if score_anew is None:
        return Statistics(scored.metric, scored.rows, picks)
    return Statistics(
        scored.metric,
        scored.rows,
        picks,
        lambda metric: statistics_of_metric(score_anew(metric), systems, score_anew),
    )


def statistics_of_sentences(scores: FloatArray) -> Statistics:
    """Statistics of scores of shape (n, S), NaN where there is none."""
    sentences, systems = scores.shape
    there = np.isfinite(scores).T.ravel()
    values = np.stack([np.where(there, scores.T.ravel(), 0.0), there.astype(np.float64)], axis=1)
    rows = Rows(values[:, None], there.astype(np.int64), np.tile(np.arange(sentences), systems))
    return Statistics(GivenScores(), rows, np.arange(len(there)).reshape(systems, sentences))
