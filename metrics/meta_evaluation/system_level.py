"""Agreement of metrics with people on systems: correlations, pairwise accuracies and their stability."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np

from core.arrays import FloatArray
from core.progress import Advance
from metrics.meta_evaluation.compared_data import MetricsAndPeople
from metrics.meta_evaluation.estimates import Estimate
from metrics.meta_evaluation.intervals import AgreementIntervals, Resampled
from metrics.meta_evaluation.significance import (
    PairwiseTests,
    SwappedScores,
    bootstrap_tests,
    williams_tests,
)
from metrics.meta_evaluation.soft_accuracy import (
    Signs,
    p_values_of_metric,
    p_values_of_people,
    sign_flips,
    soft_accuracy,
    system_pairs,
)
from metrics.meta_evaluation.system_scores import SystemScores
from ranking import Coefficient, correlation, jackknife, replicate_coefficients

FEWEST_SYSTEMS = 3
TOO_FEW = "a correlation of two systems is always 1 or -1: at least three have to be judged"
SAME_SCORE = "the metric gives every system the same score"
SAME_HUMAN_SCORE = "people give every system the same score"
NO_TRUE_SCORES = "an interval needs at least three systems whose scores differ"
SENTENCES_NEEDED = "soft pairwise accuracy needs scores of sentences, and only those of systems are known"

EQUAL = 1e-12
"""Scores closer than this differ only by rounding and count as equal."""


@dataclass(frozen=True, slots=True)
class Jackknife:
    """A correlation without each of the systems.

    Attributes:
        without: by system, the correlation of all others; None if it cannot be computed.
        standard_error: by the jackknife over systems (Efron and Tibshirani 1993, chapter 11); None where some
            correlation cannot be computed.
    """

    without: Mapping[str, float | None]
    standard_error: float | None


@dataclass(frozen=True, slots=True)
class SystemAgreement:
    """One metric against people, by systems.

    Attributes:
        metric: its name.
        signature: signature for repeating its scores; "" if not known.
        scores: by system; None for a system without a score.
        correlations: Pearson's r, Spearman's rho and Kendall's tau-b.
        jackknife: of each of them.
        accuracy: share of the pairs of systems that the metric orders as people do. Pairs that people tie are
            left out; those that the metric ties are wrong (Kocmi et al. 2021).
        soft_accuracy: soft pairwise accuracy, of scores of sentences; without an interval.
        resampled: whether intervals resample the metric too; otherwise only the judgments.
    """

    metric: str
    signature: str
    scores: Mapping[str, float | None]
    correlations: Mapping[Coefficient, Estimate]
    jackknife: Mapping[Coefficient, Jackknife]
    accuracy: Estimate
    soft_accuracy: Estimate
    resampled: bool


def system_agreement(
    data: MetricsAndPeople,
    scores: SystemScores,
    *,
    confidence: float = 0.95,
    permutations: int = 1000,
    seed: int = 0,
) -> tuple[SystemAgreement, ...]:
    """Agreement of each metric with people on systems.

    Args:
        data: metrics and people.
        scores: result of `system_scores` for them.
        confidence: confidence level of the intervals.
        permutations: number of permutations for soft pairwise accuracy.
        seed: seed of the permutations, and of the draws of true scores.
    """
    signs = sign_flips(len(scores.sentences), permutations, seed)
    people = p_values_of_people(scores.human_sentences, signs)
    agreements = []
    for place, metric in enumerate(data.metrics):
        correlations, accuracy = estimates(data.systems, scores, place, confidence, seed)
        agreements.append(
            SystemAgreement(
                metric=metric.name,
                signature=metric.signature,
                scores=_by_system(data.systems, scores.metrics[place]),
                correlations=correlations,
                jackknife={
                    coefficient: _jackknife(data, scores, place, coefficient) for coefficient in Coefficient
                },
                accuracy=accuracy,
                soft_accuracy=_soft_accuracy(metric.sentences, scores, people, signs),
                resampled=metric.resampled,
            )
        )
    return tuple(agreements)


def williams(data: MetricsAndPeople, scores: SystemScores, *, degrees_lost: int = 3) -> PairwiseTests:
    """Williams' test between all metrics that have a correlation."""
    tested = _correlated(data, scores)
    return williams_tests(
        scores.human,
        scores.metrics[tested],
        [data.metrics[place].name for place in tested],
        degrees_lost=degrees_lost,
    )


def bootstrap_of_differences(data: MetricsAndPeople, scores: SystemScores) -> PairwiseTests:
    """The bootstrap of the difference in Pearson's r between all metrics that have one, of true scores."""
    tested = _correlated(data, scores)
    reasons, corrected = {}, {}
    for place in tested:
        resampled = Resampled(
            scores.human, scores.metrics[place], scores.human_replicates, scores.metric_replicates[place]
        )
        if resampled.reason is None:
            corrected[data.metrics[place].name] = resampled.corrected()
        else:
            reasons[data.metrics[place].name] = resampled.reason
    return bootstrap_tests(corrected, [data.metrics[place].name for place in tested], reasons)


def soft_tests(
    data: MetricsAndPeople,
    scores: SystemScores,
    *,
    permutations: int = 1000,
    seed: int = 0,
    progress: Advance | None = None,
) -> PairwiseTests:
    """PERM-BOTH of soft pairwise accuracy between all metrics with scores of sentences.

    There are `permutations` of signs for each accuracy, and of swaps for each pair of metrics; `progress`
    gets the number of swaps.
    """
    swapped = swapped_scores(data, scores, permutations=permutations, seed=seed)
    return swapped.tests(swapped.counts(range(permutations), seed, progress=progress), permutations)


def swapped_scores(
    data: MetricsAndPeople, scores: SystemScores, *, permutations: int, seed: int, threads: int = 1
) -> SwappedScores:
    """PERM-BOTH of soft pairwise accuracy between all metrics with scores of sentences, in parts.

    `permutations` of signs for each accuracy, drawn with `seed`.
    """
    signs = sign_flips(len(scores.sentences), permutations, seed)
    scored = {metric.name: metric.sentences for metric in data.metrics if metric.sentences is not None}
    return SwappedScores(
        p_values_of_people(scores.human_sentences, signs),
        [sentences[scores.sentences] for sentences in scored.values()],
        list(scored),
        signs,
        threads=threads,
    )


def _correlated(data: MetricsAndPeople, scores: SystemScores) -> list[int]:
    return [
        place
        for place in range(len(data.metrics))
        if _why_no_correlation(data.systems, scores, place) is None
    ]


def estimates(
    systems: tuple[str, ...], scores: SystemScores, place: int, confidence: float, seed: int
) -> tuple[dict[Coefficient, Estimate], Estimate]:
    """The correlations of the metric at this place with people, and its pairwise accuracy, with intervals.

    Intervals are of the true scores of the systems (`metrics.meta_evaluation.true_scores`).
    """
    human, metric = scores.human, scores.metrics[place]
    if fault := _why_no_correlation(systems, scores, place):
        missing = Estimate(None, None, None, fault)
        return dict.fromkeys(Coefficient, missing), _accuracy_alone(systems, scores, place)
    resampled = Resampled(human, metric, scores.human_replicates, scores.metric_replicates[place])
    intervals = AgreementIntervals(resampled, confidence=confidence, seed=seed)
    correlations = {
        coefficient: intervals.of(
            correlation(metric, human, coefficient).value,
            partial(replicate_coefficients, coefficient=coefficient),
            by_order=coefficient is not Coefficient.PEARSON,
        )
        for coefficient in Coefficient
    }
    accuracy = float(accuracies(human[None], metric[None])[0])
    return correlations, intervals.of(accuracy, accuracies, by_order=True)


def _accuracy_alone(systems: tuple[str, ...], scores: SystemScores, place: int) -> Estimate:
    """The accuracy of a metric that has no correlation, without an interval."""
    if fault := _why_no_score(systems, scores, place):
        return Estimate(None, None, None, fault)
    [value] = accuracies(scores.human[None], scores.metrics[place][None]).tolist()
    if np.isnan(value):
        return Estimate(None, None, None, SAME_HUMAN_SCORE)
    return Estimate(value, None, None, NO_TRUE_SCORES)


def _jackknife(
    data: MetricsAndPeople, scores: SystemScores, place: int, coefficient: Coefficient
) -> Jackknife:
    if _why_no_correlation(data.systems, scores, place) or len(data.systems) <= FEWEST_SYSTEMS:
        return Jackknife(dict.fromkeys(data.systems), None)
    values = jackknife(scores.metrics[place], scores.human, coefficient)
    n = len(values)
    spread = float(np.sqrt((n - 1) / n * np.sum((values - values.mean()) ** 2)))
    return Jackknife(_by_system(data.systems, values), None if np.isnan(spread) else spread)


def accuracies(human: FloatArray, metric: FloatArray) -> FloatArray:
    """Pairwise accuracy, shape (B,), of scores of shape (B, S).

    NaN where people order no pair or a system has no score.
    """
    first, second = system_pairs(human.shape[1])
    with np.errstate(invalid="ignore"):
        by_people = _signs(human[:, first] - human[:, second])
        by_metric = _signs(metric[:, first] - metric[:, second])
    ordered = np.count_nonzero(by_people, axis=1)
    agreed = np.count_nonzero((by_people == by_metric) & (by_people != 0), axis=1)
    defined = np.isfinite(by_people + by_metric).all(axis=1) & (ordered > 0)
    return np.where(defined, agreed / np.maximum(ordered, 1), np.nan)


def _signs(differences: FloatArray) -> FloatArray:
    return np.where(np.abs(differences) <= EQUAL, 0.0, np.sign(differences))


def _soft_accuracy(
    sentences: FloatArray | None, scores: SystemScores, people: FloatArray, signs: Signs
) -> Estimate:
    if sentences is None:
        return Estimate(None, None, None, SENTENCES_NEEDED)
    compared = sentences[scores.sentences]
    whole = np.isfinite(compared).all(axis=1)
    if not whole.any():
        return Estimate(None, None, None, "the metric scores no sentence for all systems")
    if np.ptp(compared[whole], axis=1).max() <= EQUAL:
        return Estimate(None, None, None, "the metric gives all outputs of a sentence the same score")
    value = soft_accuracy(people, p_values_of_metric(compared, signs))
    reason = "no two systems have human scores of the same sentence" if value is None else None
    return Estimate(value, None, None, reason)


def why_no_correlation(
    systems: tuple[str, ...], human: FloatArray, metric: FloatArray, fault: str | None = None
) -> str | None:
    """Why scores of S systems, shape (S,) each, have no correlation, in words; None where they have one.

    `fault` says why the metric scores no systems, if it does not.
    """
    if reason := _why_no_values(systems, human, metric, fault):
        return reason
    if len(systems) < FEWEST_SYSTEMS:
        return TOO_FEW
    if np.ptp(human) <= EQUAL:
        return SAME_HUMAN_SCORE
    return SAME_SCORE if np.ptp(metric) <= EQUAL else None


def _why_no_correlation(systems: tuple[str, ...], scores: SystemScores, place: int) -> str | None:
    return why_no_correlation(systems, scores.human, scores.metrics[place], scores.faults[place])


def _why_no_score(systems: tuple[str, ...], scores: SystemScores, place: int) -> str | None:
    return _why_no_values(systems, scores.human, scores.metrics[place], scores.faults[place])


def _why_no_values(
    systems: tuple[str, ...], human: FloatArray, metric: FloatArray, fault: str | None
) -> str | None:
    if len(systems) < 2:
        return "at least two systems have to be judged"
    if fault is not None:
        return fault
    for values, who in ((human, "people have"), (metric, "the metric has")):
        there = np.isfinite(values)
        if not there.any():
            return f"{who} no score of any system"
        missing = [name for name, scored in zip(systems, there, strict=True) if not scored]
        if missing:
            return f"{who} no score of {', '.join(missing)}: leave it out, or have it judged and scored"
    return None


def _by_system(systems: tuple[str, ...], scores: FloatArray) -> dict[str, float | None]:
    return {
        system: score if np.isfinite(score) else None
        for system, score in zip(systems, scores.tolist(), strict=True)
    }
