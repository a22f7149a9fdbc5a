"""How sure agreement between people and a metric over systems is, from resampled sentences."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from core.arrays import FloatArray
from metrics.meta_evaluation.estimates import NOTHING_RESAMPLED, Estimate
from metrics.meta_evaluation.true_scores import TrueScores, reliability, true_scores
from ranking import Coefficient, replicate_coefficients

Measure = Callable[[FloatArray, FloatArray], FloatArray]
"""Computes B measures of agreement from scores of people and of a metric, (B, S) each; NaN if undefined."""

LEAST_RELIABILITY = 0.5
"""Least reliability of the scores of people and of the metric. With less, intervals say almost nothing."""

SHARE_OF_TAILS = 0.6
"""Share of the probability outside an interval that counts in the posterior: systems are not quite normal, so
with all of it, intervals of 150 sentences held in about 90 % of simulations, not 95 %."""

SHARE_OF_TAILS_BY_ORDER = 0.1
"""Share of the probability outside an interval for measures of the order of systems. If the true order of
several that are almost equal is an unlikely one, these lie far out in the posterior, however many sentences
there are."""

FEWEST_REPLICATES = 10
"""Fewer do not tell the errors of the scores."""


class Resampled:
    """Scores of S systems by people and by a metric, with their errors as resampled sentences show them.

    Attributes:
        reliability: of the scores of people and of the metric; None if too little was resampled.
        reason: why neither intervals nor tests can be made of them, in words; None where they can. Errors may
            be half of the variance among systems at most, else the sentences do not separate the systems.
    """

    def __init__(
        self,
        human: FloatArray,
        metric: FloatArray,
        human_replicates: FloatArray,
        metric_replicates: FloatArray,
    ) -> None:
        """Estimate the reliability.

        Args:
            human: shape (S,), observed, of at least three systems, not all equal.
            metric: the same by the metric.
            human_replicates: shape (B, S), on resampled sentences; NaN where a system has no score.
            metric_replicates: the same by the metric, on the same sentences.
        """
        people, by_metric = (np.isfinite(each).all(axis=1) for each in (human_replicates, metric_replicates))
        self.defined: NDArray[np.bool_] = np.asarray(people & by_metric)
        self.scores = human, metric
        self.replicates = human_replicates[self.defined], metric_replicates[self.defined]
        self.reliability: tuple[float, float] | None = None
        self.reason = self._too_few()
        if self.reason is None:
            of_people, of_metric = (
                reliability(scores, drawn) for scores, drawn in zip(self.scores, self.replicates, strict=True)
            )
            self.reliability = of_people, of_metric
            self.reason = _not_separated(of_people, of_metric)

    def corrected(self, mixed: FloatArray | None = None) -> tuple[float, FloatArray]:
        """Pearson's r, and that of each of B replicates, corrected for attenuation (Spearman 1904).

        Divided by the root of both reliabilities, and r to 1 at most; NaN in replicates that have none. Only
        without a `reason`. `mixed`: shares of S systems in H mixtures, shape (S, H), that r is over.
        """
        assert self.reliability is not None  # noqa: S101  # there is no reason
        factor = 1 / float(np.sqrt(np.prod(self.reliability)))
        mixed = np.eye(len(self.scores[0])) if mixed is None else mixed
        r = self._pearson(*(each[None] @ mixed for each in self.scores))[0] * factor
        drawn = np.full(len(self.defined), np.nan)
        drawn[self.defined] = self._pearson(*(each @ mixed for each in self.replicates)) * factor
        return float(np.clip(r, -1, 1)), drawn

    @staticmethod
    def _pearson(human: FloatArray, metric: FloatArray) -> FloatArray:
        return replicate_coefficients(human, metric, Coefficient.PEARSON)

    def _too_few(self) -> str | None:
        count, number = np.count_nonzero(self.defined), len(self.defined)
        if not number:
            return NOTHING_RESAMPLED
        if 2 * count < number:
            return f"all systems have scores in {count:,} of {number:,} resamples of the sentences"
        if count < FEWEST_REPLICATES:
            return f"scores of all systems are needed in {FEWEST_REPLICATES} resamples of the sentences"
        return None


class AgreementIntervals:
    """Intervals of what people and a metric agree on, for the true scores of S systems."""

    def __init__(self, scores: Resampled, *, confidence: float, seed: int) -> None:
        """Draw true scores, as many as there are replicates; `seed` is that of the draws."""
        self._confidence, self._reason = confidence, scores.reason
        self._true: TrueScores | None = None
        if scores.reason is None:
            self._true = true_scores(*scores.scores, *scores.replicates, seed=seed)

    def of(self, value: float | None, measure: Measure, *, by_order: bool) -> Estimate:
        """The observed value of a measure with the interval of the true one.

        `by_order` says whether scores count by their order alone; then the interval is wider.
        """
        if self._true is None:
            return Estimate(value, None, None, self._reason)
        drawn = measure(self._true.human, self._true.metric)
        share = SHARE_OF_TAILS_BY_ORDER if by_order else SHARE_OF_TAILS
        tail = share * (1 - self._confidence) / 2
        low, high = np.nanquantile(drawn, [tail, 1 - tail]).tolist()
        return Estimate(value, low, high, None)


def _not_separated(people: float, metric: float) -> str | None:
    for share, whose in ((people, "people’s scores"), (metric, "the metric’s scores")):
        if share < LEAST_RELIABILITY:
            error = f"{100 * (1 - share):.0f} %" if share > 0 else "all"
            return (
                "these judgments do not separate the systems enough: "
                f"{error} of the variance of {whose} among systems is error"
            )
    return None
