"""Metrics against people over synthetic systems: parameters, result, computation."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf

from analysis.analyses.base import stated
from analysis.analyses.metrics.against_people import (
    MixturesAgainstPeople,
    by_system,
    degrees_lost_by_williams,
    mean_human_score,
    synthetic_systems,
)
from analysis.analyses.metrics.scored_judgments import ScoredJudgments
from analysis.analyses.resampling import (
    confidence_of_intervals,
    replicates_of_intervals,
)
from analysis.analyses.systems.ranking import THREADS
from core.arrays import FloatArray, IntArray
from core.progress import Progress
from metrics.meta_evaluation import (
    Estimate,
    HumanScore,
    MixedAgreement,
    PairwiseTests,
    mixed_agreement,
    mixed_bootstrap,
    mixed_scores,
    mixed_williams,
)
from ranking import Coefficient


@dataclass(frozen=True, slots=True, kw_only=True)
class HybridsParameters(MixturesAgainstPeople):
    """How synthetic systems are made. The help of each parameter describes it."""

    human: HumanScore = mean_human_score()
    draws: int = synthetic_systems(maximum=100)
    replicates: int = replicates_of_intervals(200)
    confidence: float = confidence_of_intervals()
    degrees_lost: int = degrees_lost_by_williams()


@dataclass(frozen=True, slots=True)
class MetricWithHybrids:
    """One metric against people, with synthetic systems and without.

    Attributes:
        signature: signature for repeating its scores; "" if not known.
        pearson: Pearson's r over systems and synthetic systems.
        spearman: Spearman's rho over them.
        judged_pearson: Pearson's r over the systems alone.
        judged_spearman: Spearman's rho over these.
        scores: by system.
        hybrids: shape (H,), the scores of synthetic systems; NaN where there is none.
    """

    signature: str
    pearson: Estimate
    spearman: Estimate
    judged_pearson: Estimate
    judged_spearman: Estimate
    scores: Mapping[str, float | None]
    hybrids: FloatArray


@dataclass(frozen=True, slots=True)
class MetricsWithHybrids:
    """All metrics against people, with synthetic systems.

    Attributes:
        signature: what was computed; equal signatures mean equal numbers.
        human: how systems are scored by people.
        systems: by name, the human score; None where there is none.
        left_out: systems that were judged and not scored, or scored and not judged.
        sentences: how many were judged.
        first: shape (H,), the number among the systems of the first system of each synthetic one.
        second: shape (H,), that of the second system.
        percent: shape (H,), the percentage of sentences taken from the first system.
        draw: shape (H,), number of the draw of the same two systems and percentage, from 0.
        hybrids: shape (H,), people's scores of synthetic systems; NaN where there is none.
        metrics: by name, the highest Pearson's r first.
        bootstrap: bootstrap test of the differences in Pearson's r over systems and synthetic systems.
        tests: Williams' test over them.
        is_of_ranks: whether people ranked outputs instead of scoring them; None in results that lack it.
    """

    signature: str
    human: HumanScore
    systems: Mapping[str, float | None]
    left_out: tuple[str, ...]
    sentences: int
    first: IntArray
    second: IntArray
    percent: IntArray
    draw: IntArray
    hybrids: FloatArray
    metrics: Mapping[str, MetricWithHybrids]
    bootstrap: PairwiseTests
    tests: PairwiseTests
    is_of_ranks: bool | None = None


def hybrids(inputs: ScoredJudgments, parameters: HybridsParameters, progress: Progress) -> MetricsWithHybrids:
    """Compare metrics with people over systems and mixtures of them
    (`metrics.meta_evaluation.sensitivity.hybrids`).

    Raises:
        InputError: judgments and scores have nothing in common, or do not allow what was asked.
        SnapshotError: the judgments lack something.
    """
    data = inputs.compared()
    progress.begin("Scoring synthetic systems", total=parameters.replicates * len(data.metrics))
    scores = mixed_scores(
        data,
        parameters.human,
        draws=parameters.draws,
        replicates=parameters.replicates,
        seed=parameters.seed,
        threads=THREADS,
        progress=progress.advance,
    )
    size = len(data.systems)
    mixed = scores.hybrids
    metrics = {
        each.metric: _metric(each, data.systems, of_metric)
        for each, of_metric in zip(
            mixed_agreement(data, scores, confidence=parameters.confidence, seed=parameters.seed),
            scores.metrics,
            strict=True,
        )
    }
    return MetricsWithHybrids(
        signature=inputs.signature(stated("hybrids", parameters)),
        human=parameters.human,
        systems=by_system(data.systems, scores.human),
        left_out=inputs.unmatched,
        sentences=len(scores.sentences),
        first=mixed.first,
        second=mixed.second,
        percent=mixed.percent,
        draw=mixed.draw,
        hybrids=scores.human[size:],
        metrics=dict(sorted(metrics.items(), key=lambda item: _best_first(item[1].pearson))),
        bootstrap=mixed_bootstrap(data, scores),
        tests=mixed_williams(data, scores, degrees_lost=parameters.degrees_lost),
        is_of_ranks=bool(inputs.judgments.snapshot["rank"].notna().any()),
    )


def _metric(agreed: MixedAgreement, systems: Sequence[str], scores: FloatArray) -> MetricWithHybrids:
    return MetricWithHybrids(
        signature=agreed.signature,
        pearson=agreed.correlations[Coefficient.PEARSON],
        spearman=agreed.correlations[Coefficient.SPEARMAN],
        judged_pearson=agreed.judged[Coefficient.PEARSON],
        judged_spearman=agreed.judged[Coefficient.SPEARMAN],
        scores=by_system(systems, scores),
        hybrids=scores[len(systems) :],
    )


def _best_first(estimate: Estimate) -> float:
    return inf if estimate.value is None else -estimate.value
