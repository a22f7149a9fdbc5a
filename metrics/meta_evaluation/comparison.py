"""All metrics compared with each other in their agreement with people, on some systems or by sentence."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

import numpy as np

from core.arrays import FloatArray
from metrics.meta_evaluation.compared_data import MetricsAndPeople
from metrics.meta_evaluation.human_judgments import HumanScore
from metrics.meta_evaluation.intervals import FEWEST_REPLICATES, LEAST_RELIABILITY, Resampled
from metrics.meta_evaluation.sentence_level import NO_JUDGED_OUTPUT, NO_SENTENCE_SCORES, scored_by_all
from metrics.meta_evaluation.significance import SMALLEST_DIFFERENCE, WIDENED
from metrics.meta_evaluation.system_level import why_no_correlation
from metrics.meta_evaluation.system_scores import SystemScores
from metrics.meta_evaluation.tie_calibration import item_pairs, ordered_as_people, tie_calibration
from metrics.meta_evaluation.true_scores import reliability
from ranking import Coefficient, correlation

MARGIN = 0.1
"""Largest distance of Pearson's r from the best."""

SENTENCE_MARGIN = MARGIN / 2
"""Largest distance of acc*eq from the best: half of `MARGIN`, since tau is twice an accuracy, less 1."""

DEVIATIONS = 1.645
"""Standard deviations from a lead to the lower end of its one-sided interval at 95 %."""


class Outcome(StrEnum):
    """Passed; failed; these judgments do not tell; or not checked."""

    PASSED = "passed"
    FAILED = "failed"
    UNDECIDED = "undecided"
    UNCHECKED = "unchecked"


class Verdict(NamedTuple):
    """The outcome for a metric.

    Attributes:
        outcome: passed or not.
        reason: why it did not pass, in a sentence; "" if it passed.
        in_short: the same without what was observed; "" if the reason is short.
    """

    outcome: Outcome
    reason: str = ""
    in_short: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """The agreement of K metrics with people on something, and by how much each leads each other one.

    Attributes:
        where: on what, as a sentence begins.
        measure: what the values are.
        without: the systems that are left out.
        values: shape (K,); NaN where there is none.
        reasons: by place of a metric that cannot be compared, the outcome and why.
        leads: shape (K, K), of the row; NaN where one of the two cannot be compared.
        errors: shape (K, K), their standard deviations.
        lowest: shape (K,), lower ends of what must be above 0: the metric agrees at all.
        margin: by how much a metric may fall short of the best.
        refutes: whether a metric passes unless a contender surely agrees more. It is so without the ends of
            the ranking, as any r of few systems of similar quality is uncertain.
        unseparated: whether people's judgments do not separate these systems.
    """

    where: str
    measure: str
    without: tuple[str, ...]
    values: FloatArray
    reasons: Mapping[int, tuple[Outcome, str]]
    leads: FloatArray
    errors: FloatArray
    lowest: FloatArray
    margin: float
    refutes: bool = False
    unseparated: bool = False

    def rank(self, place: int) -> int | None:
        """The rank of a metric, 1 being the best."""
        value = self.values[place]
        return None if np.isnan(value) else 1 + int(np.sum(self.values > value + SMALLEST_DIFFERENCE))

    def better(self, place: int) -> list[int]:
        """The places of the metrics that surely agree more with people than this one, by the margin."""
        lead, error = self.leads[place], DEVIATIONS * self.errors[place]
        return np.flatnonzero((lead < -self.margin) & (lead + error < 0)).tolist()

    def verdict(self, place: int, shown: Sequence[str], contenders: Collection[int], least: float) -> Verdict:
        """The outcome for a metric, and the reason if it did not pass."""
        if place in self.reasons:
            outcome, reason = self.reasons[place]
            return Verdict(outcome, f"{self.where}: {reason}.")
        value = self.values[place]
        better = [each for each in self.better(place) if each in contenders or not self.refutes]
        if better:
            other = max(better, key=lambda each: float(self.values[each]))
            return self._verdict(
                Outcome.FAILED,
                f"{shown[other]} is {self._beyond_margin(-self.leads[place, other])} ahead",
                f" ({self._both(place, other, shown)})",
            )
        own = f" ({self.measure} {value:z.2f})"
        if value < least:
            return self._verdict(Outcome.FAILED, "it hardly agrees with people", own)
        if self.lowest[place] <= 0:
            return self._verdict(Outcome.UNDECIDED, "it may not agree with people at all", own)
        if self.refutes:
            return Verdict(Outcome.PASSED)
        short = DEVIATIONS * self.errors[place] - self.leads[place]
        others = [each for each in contenders if each != place and np.isfinite(short[each])]
        if others and short[other := max(others, key=lambda each: float(short[each]))] > self.margin:
            both, most = self._both(place, other, shown), self._beyond_margin(float(short[other]))
            return Verdict(
                Outcome.UNDECIDED,
                f"{self.where}, it may be up to {most} behind {shown[other]}; the limit is "
                f"{self.margin:g} ({both}).",
                f"{self.where}, it may be {most} behind {shown[other]}.",
            )
        return Verdict(Outcome.PASSED)

    def _verdict(self, outcome: Outcome, reason: str, numbers: str) -> Verdict:
        return Verdict(outcome, f"{self.where}, {reason}{numbers}.", f"{self.where}, {reason}.")

    def _beyond_margin(self, distance: float) -> str:
        """A distance with two decimals, or more if it would look like the margin."""
        return next(
            (f"{distance:.{digits}f}" for digits in (2, 3) if round(distance, digits) > self.margin),
            f"{distance:.4f}",
        )

    def _both(self, place: int, other: int, shown: Sequence[str]) -> str:
        return f"{self.measure} {self.values[place]:z.2f}, {shown[other]} {self.values[other]:z.2f}"


def by_system(
    data: MetricsAndPeople,
    scores: SystemScores,
    places: Sequence[int],
    where: str,
    without: tuple[str, ...] = (),
    *,
    refutes: bool = False,
) -> Comparison:
    """Pearson's r on the systems at these places, corrected for errors in leads."""
    some = scores.of(places)
    systems = tuple(data.systems[place] for place in places)
    size, replicates = len(data.metrics), len(some.human_replicates)
    values, corrected = np.full((2, size), np.nan)
    drawn = np.full((size, replicates), np.nan)
    reasons: dict[int, tuple[Outcome, str]] = {}
    for place in range(size):
        by_metric = some.metrics[place]
        if fault := why_no_correlation(systems, some.human, by_metric, some.faults[place]):
            reasons[place] = Outcome.FAILED, fault
            continue
        values[place] = correlation(by_metric, some.human, Coefficient.PEARSON).value
        resampled = Resampled(some.human, by_metric, some.human_replicates, some.metric_replicates[place])
        if resampled.reason is None:
            corrected[place], drawn[place] = resampled.corrected()
        else:
            reasons[place] = Outcome.UNDECIDED, resampled.reason
    leads, errors, spreads = _leads(corrected, drawn)
    whole = some.human_replicates[np.isfinite(some.human_replicates).all(axis=1)]
    varied = len(whole) >= FEWEST_REPLICATES and np.ptp(some.human) > SMALLEST_DIFFERENCE
    return Comparison(
        where=where,
        measure="observed r",
        without=without,
        values=values,
        reasons=reasons,
        leads=leads,
        errors=errors,
        lowest=corrected - DEVIATIONS * spreads,
        margin=MARGIN,
        refutes=refutes,
        unseparated=not varied or reliability(some.human, whole) < LEAST_RELIABILITY,
    )


def _leads(values: FloatArray, drawn: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Leads of K metrics, shape (K, K), and standard deviations of these and of the values.

    `drawn` has the values in B replicates, shape (K, B); they are NaN for a metric that cannot be compared.
    """
    there = np.isfinite(values)
    errors = np.full((len(values), len(values)), np.nan)
    spreads = np.full(len(values), np.nan)
    defined = np.isfinite(drawn[there]).all(axis=0)
    if there.any() and np.count_nonzero(defined) >= FEWEST_REPLICATES:
        covariance = np.atleast_2d(np.cov(drawn[there][:, defined]))
        variances = np.diag(covariance)
        of_leads = np.sqrt(np.maximum(variances[:, None] + variances - 2 * covariance, 0.0))
        errors[np.ix_(there, there)] = WIDENED * of_leads
        spreads[there] = WIDENED * np.sqrt(variances)
    return np.where(np.isfinite(errors), values[:, None] - values, np.nan), errors, spreads


def by_sentence(data: MetricsAndPeople, human: HumanScore, places: Sequence[int]) -> Comparison:
    """acc*eq on the systems at these places; errors are those of sentences."""
    kept = list(places)
    pairs = item_pairs(
        data.people.sentence_scores(human)[:, kept], scored_by_all(data)[:, kept], data.people.texts[:, kept]
    )
    numbers, sentence = np.unique(pairs.sentence, return_inverse=True)
    size, sentences = len(data.metrics), len(numbers)
    values, lowest = np.full((2, size), np.nan)
    right = np.full((size, sentences), np.nan)
    reasons: dict[int, tuple[Outcome, str]] = {}
    for place, metric in enumerate(data.metrics):
        if metric.sentences is None:
            reasons[place] = Outcome.FAILED, NO_SENTENCE_SCORES
            continue
        of_kept = metric.sentences[:, kept]
        if not np.isfinite(of_kept[data.people.texts[:, kept] >= 0]).any():
            reasons[place] = Outcome.FAILED, NO_JUDGED_OUTPUT
            continue
        calibrated = tie_calibration(pairs, of_kept)
        if calibrated.accuracy is None or sentences < 2:
            reasons[place] = Outcome.UNDECIDED, calibrated.reason or "only one sentence was judged"
            continue
        values[place] = calibrated.accuracy
        ordered = ordered_as_people(pairs, of_kept, calibrated.epsilon or 0.0)
        weight = pairs.weight * sentences
        right[place] = np.bincount(sentence, ordered * weight, minlength=sentences)
        ahead = of_kept[pairs.sentence, pairs.first] - of_kept[pairs.sentence, pairs.second]
        agreed = np.bincount(sentence, np.sign(ahead) * pairs.human * weight, minlength=sentences)
        lowest[place] = agreed.mean() - DEVIATIONS * agreed.std(ddof=1) / np.sqrt(sentences)
    there = np.isfinite(values)
    leads, errors = np.full((2, size, size), np.nan)
    if there.any():
        covariance = np.atleast_2d(np.cov(right[there])) / sentences
        variances = np.diag(covariance)
        leads[np.ix_(there, there)] = values[there, None] - values[there]
        errors[np.ix_(there, there)] = np.sqrt(
            np.maximum(variances[:, None] + variances - 2 * covariance, 0.0)
        )
    return Comparison(
        where="By sentence",
        measure="acc*eq",
        without=(),
        values=values,
        reasons=reasons,
        leads=leads,
        errors=errors,
        lowest=lowest,
        margin=SENTENCE_MARGIN,
    )
