"""Which metrics judge the outputs of a sentence as people do: taus over judged pairs, and accuracies."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from metrics.base import FloatArray, IntArray
from metrics.resampling import sentence_draws
from metrics.validation.estimates import Estimate, estimated
from metrics.validation.inputs import MetricsAndPeople
from metrics.validation.people import JudgedPairs
from metrics.validation.significance import PairwiseTests, calibrated_accuracy_tests
from metrics.validation.tie_calibration import (
    ItemPairs,
    TieCalibration,
    item_pairs,
    ordered_as_people,
    tie_calibration,
)
from ranking import PairwiseTau, pairwise_tau

NO_SENTENCE_SCORES = "only scores of systems are known"
ONE_SENTENCE = "all pairs are of one sentence, which says little"


@dataclass(frozen=True, slots=True)
class PartAgreement:
    """A metric against a part of the judgments.

    Attributes:
        part: the judge, or the domain.
        sentences: of how many sentences its pairs are.
        pairs: tau and accuracy.
        reason: what is missing, or why it says little, in words; None where nothing is to be said.
    """

    part: str
    sentences: int
    pairs: PairwiseTau
    reason: str | None


@dataclass(frozen=True, slots=True)
class SentenceAgreement:
    """One metric against people, by sentences.

    Attributes:
        metric: its name.
        pairs: counts, taus and accuracy over all judged pairs of different texts; None without scores of
            sentences.
        tau: `pairs.value`, the form of WMT10, with its interval over resampled sentences.
        tau_b: Kendall's tau-b over the same pairs.
        accuracy: share of the pairs that people ordered which the metric orders so.
        calibrated: pairwise accuracy with tie calibration (acc*eq); None without scores of sentences.
        by_judge: each judge alone.
        by_domain: the sentences of each domain.
        not_scored: judged pairs that are left out, for all metrics, since some metric does not score them.
        reason: why there is nothing, in words; None where there is.
    """

    metric: str
    pairs: PairwiseTau | None
    tau: Estimate
    tau_b: Estimate
    accuracy: Estimate
    calibrated: TieCalibration | None
    by_judge: tuple[PartAgreement, ...]
    by_domain: tuple[PartAgreement, ...]
    not_scored: int
    reason: str | None


def sentence_agreement(
    data: MetricsAndPeople, *, replicates: int = 1000, confidence: float = 0.95, seed: int = 0
) -> tuple[SentenceAgreement, ...]:
    """How far each metric agrees with people about the outputs of a sentence.

    Judged pairs are the expanded pairs of all judgments, but for those of one text. All metrics are compared
    on the same pairs: those that all metrics score, of the metrics that have scores of sentences.

    Args:
        data: metrics and people.
        replicates: of the bootstrap over judged sentences, for intervals; 0 for none.
        confidence: of the intervals.
        seed: of the bootstrap.
    """
    scored = scored_by_all(data)
    judged = data.people.judged
    both = scored[judged.sentence, judged.first] & scored[judged.sentence, judged.second]
    compared = _Compared(data, judged.only(both), replicates, confidence, seed)
    pairs = compared_items(data)
    left_out = int(np.count_nonzero(~both))
    return tuple(
        compared.nothing(metric.name, left_out)
        if metric.sentences is None
        else compared.agreement(metric.name, metric.sentences, pairs, left_out)
        for metric in data.metrics
    )


def compared_items(data: MetricsAndPeople) -> ItemPairs:
    """The pairs of outputs of a sentence that people and all metrics with scores of sentences score."""
    return item_pairs(data.people.scores, scored_by_all(data), data.people.texts)


def calibrated_tests(data: MetricsAndPeople, *, permutations: int = 1000, seed: int = 0) -> PairwiseTests:
    """PERM-BOTH of pairwise accuracy with tie calibration between all metrics with scores of sentences."""
    pairs = compared_items(data)
    scored = {metric.name: metric.sentences for metric in data.metrics if metric.sentences is not None}
    ordered = [
        ordered_as_people(pairs, scores, tie_calibration(pairs, scores).epsilon or 0.0)
        for scores in scored.values()
    ]
    return calibrated_accuracy_tests(pairs, ordered, list(scored), permutations=permutations, seed=seed)


class _Compared:
    """Judged pairs that all metrics score, and resamples of their sentences."""

    def __init__(
        self, data: MetricsAndPeople, judged: JudgedPairs, replicates: int, confidence: float, seed: int
    ) -> None:
        self._judged = judged
        self._judges = _parts(judged.judge, data.people.judges)
        names, domains = np.unique(np.array(data.domains, dtype=object), return_inverse=True)
        self._domains = _parts(domains[judged.sentence], names.tolist()) if data.domains else {}
        self._sentences = np.unique(judged.sentence)
        self._place = np.searchsorted(self._sentences, judged.sentence)
        self._replicates, self._confidence, self._seed = replicates, confidence, seed

    def nothing(self, metric: str, left_out: int) -> SentenceAgreement:
        """Of a metric without scores of sentences."""
        none = Estimate(None, None, None, NO_SENTENCE_SCORES)
        return SentenceAgreement(metric, None, none, none, none, None, (), (), left_out, NO_SENTENCE_SCORES)

    def agreement(
        self, metric: str, scores: FloatArray, pairs: ItemPairs, left_out: int
    ) -> SentenceAgreement:
        """Of a metric with scores of shape (n, S)."""
        judged = self._judged
        one, other = scores[judged.sentence, judged.first], scores[judged.sentence, judged.second]
        tau = pairwise_tau(judged.outcome, one, other)
        drawn = self._drawn_taus(np.sign(one - other))
        of_tau, of_tau_b, of_accuracy = (
            estimated(value, replicates, self._confidence, tau.reason)
            for value, replicates in zip((tau.value, tau.tau_b, tau.accuracy), drawn, strict=True)
        )

        def parts(groups: Mapping[str, IntArray]) -> tuple[PartAgreement, ...]:
            return tuple(
                _part(name, judged.only(chosen), one[chosen], other[chosen])
                for name, chosen in groups.items()
            )

        return SentenceAgreement(
            metric=metric,
            pairs=tau,
            tau=of_tau,
            tau_b=of_tau_b,
            accuracy=of_accuracy,
            calibrated=tie_calibration(pairs, scores),
            by_judge=parts(self._judges),
            by_domain=parts(self._domains),
            not_scored=left_out,
            reason=tau.reason,
        )

    def _drawn_taus(self, order: FloatArray) -> FloatArray:
        """Tau, tau-b and accuracy in resamples of the sentences, shape (3, B); NaN where undefined."""
        outcome = self._judged.outcome
        kinds = (outcome * order > 0, outcome * order < 0, outcome != 0, order != 0)
        size = len(self._sentences)
        counts = np.stack([np.bincount(self._place[kind], minlength=size) for kind in kinds], axis=1)
        drawn = [np.empty((0, len(kinds)))]
        if size:
            for draws in sentence_draws(size, range(self._replicates), self._seed):
                weights = np.stack([np.bincount(draw, minlength=size) for draw in draws])
                drawn.append((weights @ counts).astype(np.float64))
        concordant, discordant, ordered, scored = np.concatenate(drawn).T
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.stack(
                [
                    2 * concordant / ordered - 1,
                    (concordant - discordant) / np.sqrt(ordered * scored),
                    concordant / ordered,
                ]
            )


def _part(name: str, judged: JudgedPairs, one: FloatArray, other: FloatArray) -> PartAgreement:
    sentences = len(np.unique(judged.sentence))
    tau = pairwise_tau(judged.outcome, one, other)
    return PartAgreement(name, sentences, tau, tau.reason or (ONE_SENTENCE if sentences == 1 else None))


def _parts(numbers: IntArray, names: Sequence[str]) -> dict[str, IntArray]:
    """By name, which of the pairs have its number; also of names without any pair."""
    order = np.argsort(numbers, kind="stable")
    ends = np.searchsorted(numbers[order], np.arange(len(names) + 1))
    return {name: order[ends[place] : ends[place + 1]] for place, name in enumerate(names)}


def scored_by_all(data: MetricsAndPeople) -> NDArray[np.bool_]:
    """Shape (n, S): whether all metrics that have scores of sentences have one of the output."""
    scored = np.ones(data.people.scores.shape, dtype=bool)
    for metric in data.metrics:
        if metric.sentences is not None:
            scored &= np.isfinite(metric.sentences)
    return scored
