"""Scores of an automatic metric for comparing with people: of sentences, and of any resample."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.arrays import FloatArray, IntArray
from metrics.base.metric import AnyMetric
from metrics.base.scoring import Scored
from metrics.meta_evaluation.human_judgments import mean_of_draws
from metrics.meta_evaluation.output_statistics import (
    GivenScores,
    Statistics,
    statistics_of_metric,
    statistics_of_sentences,
)
from ranking import GroupedPairs, Method, Unit, scores_of_draws
from ranking.uncertainty.joint_replicates import ScoreDraws

SMALLEST_DIFFERENCE = 1e-12
"""Scores closer than this differ only by rounding and count as equal."""

NO_COMPARISONS = "only its scores of systems are known, and no scores of sentences that compare systems"


OF_WHOLE_CORPUS = "its scores of systems are known for the whole corpus only"


@dataclass(frozen=True, slots=True, eq=False)
class MetricScores:
    """The scores of S systems on n sentences by one metric.

    Attributes:
        name: as shown.
        signature: signature for repeating the scores; "" if not known.
        sentences: shape (n, S), sentence scores, NaN if missing; None if only systems have scores.
        of_draws: function from drawn sentences, shape (B, m), to scores of systems, shape (B, S).
        resampled: whether scores of systems depend on the sentences; if not, they are the same in each draw.
        fault: why systems have no scores; None if they may have scores.
        statistics: what system scores are computed from; None if other systems cannot be scored the same way.
    """

    name: str
    signature: str
    sentences: FloatArray | None
    of_draws: ScoreDraws
    resampled: bool = True
    fault: str | None = None
    statistics: Statistics | None = None

    def of_systems(self, sentences: IntArray) -> FloatArray:
        """The scores of systems, shape (S,), on these sentences, each once."""
        scores: FloatArray = self.of_draws(sentences[None])[0]
        return scores

    def in_order(self, places: Sequence[int]) -> "MetricScores":
        """Scores of the systems at these indices, in this order."""
        chosen, of_draws = list(places), self.of_draws
        return replace(
            self,
            sentences=None if self.sentences is None else self.sentences[:, chosen],
            of_draws=lambda draws: of_draws(draws)[:, chosen],
            statistics=None if self.statistics is None else self.statistics.of_systems(chosen),
        )

    def on(self, sentences: IntArray) -> "MetricScores":
        """Scores on these sentences, counted from 0; memory need not hold the statistics of others."""
        statistics = None if self.statistics is None else self.statistics.on(sentences)
        of_draws = self.of_draws
        return replace(
            self,
            sentences=None if self.sentences is None else self.sentences[sentences],
            of_draws=(lambda draws: of_draws(sentences[draws]))
            if statistics is None or isinstance(statistics.metric, GivenScores)
            else statistics.scores_of_draws,
            statistics=statistics,
        )


def scores_of_part(metric: MetricScores, sentences: IntArray) -> MetricScores:
    """Scores by the metric of a corpus of just these sentences, ascending, which are counted from 0.

    Scores of systems that do not come from sentences are of the whole corpus, so systems have none here.
    """
    of_sentences = None if metric.sentences is None else metric.sentences[sentences]
    if metric.statistics is None or of_sentences is None:
        of_no_system = np.full(len(metric.of_systems(np.arange(len(sentences)))), np.nan)
        part = scores_of_systems(metric.name, of_no_system, signature=metric.signature)
        return replace(part, sentences=of_sentences, fault=OF_WHOLE_CORPUS)
    if isinstance(metric.statistics.metric, GivenScores):
        return scores_of_sentences(metric.name, of_sentences, signature=metric.signature)
    statistics = metric.statistics.as_corpus(sentences)
    return replace(metric, sentences=of_sentences, of_draws=statistics.scores_of_draws, statistics=statistics)


def scores_of_metric(
    name: str,
    scored: Scored,
    systems: Sequence[str],
    *,
    score_anew: Callable[[AnyMetric], Scored] | None = None,
) -> MetricScores:
    """Scores from statistics: resamples are scored as corpora, without reading texts again.

    Args:
        name: name of the metric, as shown.
        scored: result of `metrics.score`.
        systems: order of the systems.
        score_anew: scores the same outputs by a metric with other statistics; None without texts.
    """
    statistics = statistics_of_metric(scored, systems, score_anew)
    sentences = scored.of_outputs[statistics.picks.T]
    return MetricScores(name, scored.signature, sentences, statistics.scores_of_draws, statistics=statistics)


def scores_of_sentences(name: str, scores: FloatArray, *, signature: str = "") -> MetricScores:
    """Sentence scores that were computed elsewhere, shape (n, S); a system scores their mean."""
    statistics = statistics_of_sentences(scores)
    return MetricScores(name, signature, scores, mean_of_draws(scores), statistics=statistics)


def scores_of_systems(name: str, scores: FloatArray, *, signature: str = "") -> MetricScores:
    """System scores that were computed elsewhere, shape (S,): the same in every resample."""
    return MetricScores(
        name, signature, None, lambda draws: np.tile(scores, (len(draws), 1)), resampled=False
    )


def scored_by_comparisons(
    metric: MetricScores, method: Method, systems: tuple[str, ...], *, threads: int = 1
) -> MetricScores:
    """Scores of systems from comparisons by the metric's sentence scores, by a method of `ranking`.

    Each sentence counts by all pairs of its systems, as in human rankings scored by TrueSkill or ExpectedWins
    (Goto, Sakai and Watanabe 2025). Equal scores tie; a system without a score for a sentence is not compared
    there. A metric without sentence scores has a `fault` instead of scores.

    Raises `ResamplingError` for the mean score.
    """
    name = f"{metric.name}, by {method}"
    signature = f"{metric.signature}|by:{method}" if metric.signature else ""
    if metric.sentences is None:
        size = len(systems)
        return MetricScores(
            name,
            signature,
            sentences=None,
            of_draws=lambda draws: np.full((len(draws), size), np.nan),
            fault=NO_COMPARISONS,
        )
    pairs = pairs_of_scores(metric.sentences, systems)
    return MetricScores(name, signature, metric.sentences, scores_of_draws(method, pairs, threads=threads))


def pairs_of_scores(scores: FloatArray, systems: tuple[str, ...]) -> GroupedPairs:
    """All pairs of systems in each sentence, group i holding those of sentence i; scores of shape (n, S)."""
    size = len(systems)
    first, second = np.triu_indices(size, 1)
    ahead = scores[:, first] - scores[:, second]
    compared = np.isfinite(ahead)
    ties = np.abs(ahead) <= SMALLEST_DIFFERENCE
    codes = np.where(ahead >= 0, first * size + second, second * size + first)
    codes = np.where(ties, size**2 + first * size + second, codes)
    starts = np.concatenate([[0], np.cumsum(compared.sum(axis=1))])
    return GroupedPairs(systems, Unit.SENTENCE, starts, codes[compared].astype(np.int32))
