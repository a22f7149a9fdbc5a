"""Results of metrics against people."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf
from typing import Any

from metrics.meta_evaluation import Estimate, HumanScore, Jackknife, PairwiseTests, SentenceAgreement
from metrics.meta_evaluation.sentence_level import CEILING
from ranking import Coefficient


@dataclass(frozen=True, slots=True)
class MetricAgainstPeople:
    """One metric against people.

    Attributes:
        signature: signature for repeating its scores; "" if not known.
        cluster: among the metrics by soft pairwise accuracy, 1 being the best; None where it has none.
        pearson: Pearson's r of the scores of systems.
        spearman: Spearman's rho.
        kendall: Kendall's tau-b.
        accuracy: share of the pairs of systems that it orders as people do.
        spa: soft pairwise accuracy.
        jackknife: each coefficient without each system.
        resampled: whether the intervals resample the metric too.
        scored_sentences: of the compared sentences, those of which it scores all systems; None where only
            scores of systems are known. Two metrics are tested on the sentences that both score.
        scores: by system.
        sentences: agreement by sentences.
        sentence_cluster: among the metrics by acc*eq; None where it has none.
    """

    signature: str
    cluster: int | None
    pearson: Estimate
    spearman: Estimate
    kendall: Estimate
    accuracy: Estimate
    spa: Estimate
    jackknife: Mapping[Coefficient, Jackknife]
    resampled: bool
    scored_sentences: int | None
    scores: Mapping[str, float | None]
    sentences: SentenceAgreement
    sentence_cluster: int | None


@dataclass(frozen=True, slots=True)
class ComparedScores:
    """The scores by people with which metrics are compared.

    Attributes:
        signature: what was computed; equal signatures mean equal numbers.
        human: how systems are scored by people.
        systems: by name, the human score; None where there is none.
        left_out: systems that were judged and not scored, or scored and not judged.
        judged_sentences: how many were judged.
        compared_sentences: how many metrics score.
        judged_pairs: how many pairs of different outputs were judged.
        permutations: of the tests by permutations.
    """

    signature: str
    human: HumanScore
    systems: Mapping[str, float | None]
    left_out: tuple[str, ...]
    judged_sentences: int
    compared_sentences: int
    judged_pairs: int
    permutations: int


@dataclass(frozen=True, slots=True)
class MetricsAgainstPeople(ComparedScores):
    """All metrics against people.

    Attributes:
        level: "system": of what the first figures of each metric are.
        without_z_scores: by annotator, why they have no z-scores.
        metrics: by name, best soft pairwise accuracy first.
        ceiling: one annotator against the others, in the figures that metrics have
            (`metrics.meta_evaluation.human_ceiling`).
        ceiling_annotators: of how many annotators these figures by systems are the mean.
        tests: which metric agrees better, by the name of the test: "williams", "bootstrap" (of Pearson's r),
            "spa" and "acc*eq" (PERM-BOTH).
    """

    level: str
    without_z_scores: Mapping[str, str]
    metrics: Mapping[str, MetricAgainstPeople]
    ceiling: MetricAgainstPeople
    ceiling_annotators: int
    tests: Mapping[str, PairwiseTests]


Row = tuple[str, MetricAgainstPeople]
"""A metric with its name, or one annotator against the others."""


def with_ceiling(result: MetricsAgainstPeople) -> list[Row]:
    """The metrics, then one annotator against the others where that is known by systems."""
    return [*result.metrics.items(), *ceiling_row(result, result.ceiling.accuracy)]


def by_r(result: MetricsAgainstPeople) -> list[Row]:
    """The metrics, the highest r first, then one annotator against the others where that is known."""
    return [*sorted_by_r(result), *ceiling_row(result, result.ceiling.accuracy)]


def sorted_by_r(result: MetricsAgainstPeople) -> list[Row]:
    """The metrics, the highest r first, those without one last."""
    return sorted(result.metrics.items(), key=lambda row: _descending(row[1].pearson.value))


def _descending(value: float | None) -> float:
    return inf if value is None else -value


def ceiling_row(result: MetricsAgainstPeople, figure: Estimate) -> list[Row]:
    """One annotator against the others, if this figure is known."""
    return [] if figure.value is None else [(CEILING, result.ceiling)]


def by_sentences(result: MetricsAgainstPeople) -> list[Row]:
    """The metrics with agreement by sentences, the best first."""
    compared = [(name, metric) for name, metric in result.metrics.items() if metric.sentences.calibrated]
    return sorted(compared, key=lambda row: -(calibrated("accuracy", row) or 0.0))


def calibrated(name: str, row: Row) -> Any:
    """A value of the metric's pairwise accuracy with tie calibration; None without one."""
    found = row[1].sentences.calibrated
    return getattr(found, name) if found else None


def unscored_pairs(result: MetricsAgainstPeople) -> int:
    """How many judged pairs are left out, because some metric does not score them."""
    return max((metric.sentences.not_scored for metric in result.metrics.values()), default=0)
