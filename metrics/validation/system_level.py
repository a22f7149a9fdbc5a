"""Which metrics rank systems as people do: correlations, pairwise accuracy, and what would change them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from metrics.base import FloatArray, IntArray
from metrics.resampling import sentence_draws
from metrics.scoring import Progress
from metrics.validation.estimates import Estimate, estimated
from metrics.validation.inputs import MetricsAndPeople
from metrics.validation.people import HumanScore
from metrics.validation.significance import (
    PairwiseTests,
    bootstrap_tests,
    soft_accuracy_tests,
    williams_tests,
)
from metrics.validation.soft_accuracy import (
    p_values_of_metric,
    p_values_of_people,
    sign_flips,
    soft_accuracy,
    system_pairs,
)
from ranking import Coefficient, correlation, jackknife, replicate_coefficients

FEWEST_SYSTEMS = 3
TOO_FEW = "a correlation of two systems is 1 or -1 whatever their scores: at least three have to be judged"
SAME_SCORE = "the metric gives every system the same score"
SAME_HUMAN_SCORE = "people give every system the same score"
SENTENCES_NEEDED = "soft pairwise accuracy needs scores of sentences, and only those of systems are known"

EQUAL = 1e-12
"""Scores closer than this are equal: they differ by rounding only."""


@dataclass(frozen=True, slots=True)
class Jackknife:
    """What a correlation is without single systems.

    Attributes:
        without: by system, the correlation of all others; None where it cannot be computed.
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
        signature: what repeats its scores; "" where that is not known.
        scores: by system; None where it has none.
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


@dataclass(frozen=True, slots=True, eq=False)
class SystemScores:
    """Scores of the systems by people and by K metrics, on the compared sentences and on B resamples of them.

    Attributes:
        sentences: shape (m,), numbers of the sentences that metrics score.
        human: shape (S,); NaN where a system has no human score.
        metrics: shape (K, S); NaN where a metric does not score a system.
        human_replicates: shape (B, S).
        metric_replicates: shape (K, B, S).
    """

    sentences: IntArray
    human: FloatArray
    metrics: FloatArray
    human_replicates: FloatArray
    metric_replicates: FloatArray

    def of(self, places: Sequence[int]) -> "SystemScores":
        """The same of some of the systems, by their places."""
        chosen = list(places)
        return SystemScores(
            self.sentences,
            self.human[chosen],
            self.metrics[:, chosen],
            self.human_replicates[:, chosen],
            self.metric_replicates[:, :, chosen],
        )


def system_scores(
    data: MetricsAndPeople,
    human: HumanScore,
    *,
    whole_set: bool = False,
    replicates: int = 1000,
    seed: int = 0,
    threads: int = 1,
    progress: Progress | None = None,
) -> SystemScores:
    """Scores of people and metrics, with resamples of sentences that both share.

    In each replicate as many sentences are drawn with replacement as are compared; the judgments of these
    sentences are scored anew, and so are the outputs by each metric, from statistics. Replicate r is the same
    for any number of workers. `progress` is told of replicates finished.

    Raises:
        InputError: nothing was judged.
        SnapshotError: z-scores of rankings.
    """
    sentences = data.compared_sentences(whole_set=whole_set)
    of_people = data.people.scores_of_draws(human, threads=threads)
    size = len(data.systems)
    human_replicates = [np.empty((0, size))]
    metric_replicates = [np.empty((len(data.metrics), 0, size))]
    for draws in sentence_draws(len(sentences), range(replicates), seed):
        drawn = sentences[draws]
        human_replicates.append(of_people(drawn))
        metric_replicates.append(np.stack([metric.of_draws(drawn) for metric in data.metrics]))
        if progress is not None:
            progress(len(draws))
    return SystemScores(
        sentences=sentences,
        human=of_people(sentences[None])[0],
        metrics=np.stack([metric.of_systems(sentences) for metric in data.metrics]),
        human_replicates=np.concatenate(human_replicates),
        metric_replicates=np.concatenate(metric_replicates, axis=1),
    )


def system_agreement(
    data: MetricsAndPeople,
    scores: SystemScores,
    *,
    confidence: float = 0.95,
    permutations: int = 1000,
    seed: int = 0,
) -> tuple[SystemAgreement, ...]:
    """How far each metric agrees with people about systems.

    Args:
        data: metrics and people.
        scores: what `system_scores` gave for them.
        confidence: of the intervals.
        permutations: of soft pairwise accuracy.
        seed: of these.
    """
    signs = sign_flips(len(scores.sentences), permutations, seed)
    people = p_values_of_people(data.people.scores[scores.sentences], signs)
    return tuple(
        SystemAgreement(
            metric=metric.name,
            signature=metric.signature,
            scores=_by_system(data.systems, scores.metrics[place]),
            correlations={
                coefficient: estimated_correlation(data.systems, scores, place, coefficient, confidence)
                for coefficient in Coefficient
            },
            jackknife={
                coefficient: _jackknife(data.systems, scores.human, scores.metrics[place], coefficient)
                for coefficient in Coefficient
            },
            accuracy=estimated_accuracy(data.systems, scores, place, confidence),
            soft_accuracy=_soft_accuracy(metric.sentences, scores, people, signs),
            resampled=metric.resampled,
        )
        for place, metric in enumerate(data.metrics)
    )


def williams(data: MetricsAndPeople, scores: SystemScores, *, degrees_lost: int = 3) -> PairwiseTests:
    """Williams' test between all metrics that have a correlation."""
    tested = _correlated(data, scores)
    return williams_tests(
        scores.human,
        scores.metrics[tested],
        [data.metrics[place].name for place in tested],
        degrees_lost=degrees_lost,
    )


def bootstrap_of_differences(
    data: MetricsAndPeople, scores: SystemScores, coefficient: Coefficient
) -> PairwiseTests:
    """The bootstrap of the difference between the correlations of all metrics that have one."""
    tested = _correlated(data, scores)
    values = [
        replicate_coefficients(scores.human_replicates, scores.metric_replicates[place], coefficient)
        for place in tested
    ]
    names = [data.metrics[place].name for place in tested]
    shape = (len(scores.human_replicates), len(tested))
    return bootstrap_tests(np.array(values).T.reshape(shape), names)


def soft_tests(
    data: MetricsAndPeople,
    scores: SystemScores,
    *,
    permutations: int = 1000,
    seed: int = 0,
    progress: Progress | None = None,
) -> PairwiseTests:
    """PERM-BOTH of soft pairwise accuracy between all metrics with scores of sentences.

    `permutations` of signs for each accuracy, and of swaps for each two metrics; of the swaps `progress` is
    told.
    """
    signs = sign_flips(len(scores.sentences), permutations, seed)
    scored = {metric.name: metric.sentences for metric in data.metrics if metric.sentences is not None}
    return soft_accuracy_tests(
        p_values_of_people(data.people.scores[scores.sentences], signs),
        [sentences[scores.sentences] for sentences in scored.values()],
        list(scored),
        signs,
        permutations=permutations,
        seed=seed,
        progress=progress,
    )


def _correlated(data: MetricsAndPeople, scores: SystemScores) -> list[int]:
    return [
        place
        for place in range(len(data.metrics))
        if why_no_correlation(data.systems, scores.human, scores.metrics[place]) is None
    ]


def estimated_correlation(
    systems: tuple[str, ...], scores: SystemScores, place: int, coefficient: Coefficient, confidence: float
) -> Estimate:
    """The correlation of the metric at this place with people, with its interval over the replicates."""
    metric = scores.metrics[place]
    if fault := why_no_correlation(systems, scores.human, metric):
        return Estimate(None, None, None, fault)
    value = correlation(metric, scores.human, coefficient).value
    drawn = replicate_coefficients(scores.human_replicates, scores.metric_replicates[place], coefficient)
    return estimated(value, drawn, confidence)


def _jackknife(
    systems: tuple[str, ...], human: FloatArray, metric: FloatArray, coefficient: Coefficient
) -> Jackknife:
    if why_no_correlation(systems, human, metric) or len(systems) <= FEWEST_SYSTEMS:
        return Jackknife(dict.fromkeys(systems), None)
    values = jackknife(metric, human, coefficient)
    n = len(values)
    spread = float(np.sqrt((n - 1) / n * np.sum((values - values.mean()) ** 2)))
    return Jackknife(_by_system(systems, values), None if np.isnan(spread) else spread)


def estimated_accuracy(
    systems: tuple[str, ...], scores: SystemScores, place: int, confidence: float
) -> Estimate:
    """The share of pairs of systems that the metric at this place orders as people do, with its interval."""
    if fault := _why_no_score(systems, scores.human, scores.metrics[place]):
        return Estimate(None, None, None, fault)
    [value] = _accuracies(scores.human[None], scores.metrics[place][None])
    if np.isnan(value):
        return Estimate(None, None, None, SAME_HUMAN_SCORE)
    drawn = _accuracies(scores.human_replicates, scores.metric_replicates[place])
    return estimated(float(value), drawn, confidence)


def _accuracies(human: FloatArray, metric: FloatArray) -> FloatArray:
    """Shape (B,), of scores of shape (B, S); NaN where people order no pair or a system has no score."""
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
    sentences: FloatArray | None, scores: SystemScores, people: FloatArray, signs: FloatArray
) -> Estimate:
    if sentences is None:
        return Estimate(None, None, None, SENTENCES_NEEDED)
    compared = sentences[scores.sentences]
    whole = np.isfinite(compared).all(axis=1)
    if not whole.any():
        return Estimate(None, None, None, "there is no sentence of which the metric scores all systems")
    if np.ptp(compared[whole], axis=1).max() <= EQUAL:
        return Estimate(None, None, None, "the metric gives all outputs of a sentence the same score")
    value = soft_accuracy(people, p_values_of_metric(compared, signs))
    reason = "no two systems have human scores of the same sentence" if value is None else None
    return Estimate(value, None, None, reason)


def why_no_correlation(systems: tuple[str, ...], human: FloatArray, metric: FloatArray) -> str | None:
    """Why scores of S systems, shape (S,) each, have no correlation, in words; None where they have one."""
    if fault := _why_no_score(systems, human, metric):
        return fault
    if len(systems) < FEWEST_SYSTEMS:
        return TOO_FEW
    if np.ptp(human) <= EQUAL:
        return SAME_HUMAN_SCORE
    return SAME_SCORE if np.ptp(metric) <= EQUAL else None


def _why_no_score(systems: tuple[str, ...], human: FloatArray, metric: FloatArray) -> str | None:
    if len(systems) < 2:
        return "at least two systems have to be judged"
    for scores, who in ((human, "people have"), (metric, "the metric has")):
        missing = [name for name, there in zip(systems, np.isfinite(scores), strict=True) if not there]
        if missing:
            return f"{who} no score of {', '.join(missing)}: exclude it, or judge it"
    return None


def _by_system(systems: tuple[str, ...], scores: FloatArray) -> dict[str, float | None]:
    return {
        system: score if np.isfinite(score) else None
        for system, score in zip(systems, scores.tolist(), strict=True)
    }
