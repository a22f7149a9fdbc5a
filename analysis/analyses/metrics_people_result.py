"""Results of metrics against people, and their tables for the terminal."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from analysis.analyses.base import Table
from metrics.validation import Estimate, HumanScore, Jackknife, PairwiseTests, SentenceAgreement
from metrics.validation.estimates import NOTHING_RESAMPLED
from ranking import Coefficient

if TYPE_CHECKING:
    from analysis.analyses.metrics_people import MetricsPeopleParameters

HUMAN_SCORES = {
    HumanScore.EXPECTED_WINS: "ExpectedWins",
    HumanScore.TRUESKILL: "TrueSkill",
    HumanScore.BRADLEY_TERRY: "Bradley-Terry",
    HumanScore.MEAN: "mean",
    HumanScore.Z: "mean of z-scores",
}
INTERVALS_OF_TRUE_SCORES = (
    "Intervals, at {confidence:g} % confidence, are of the agreement of true scores: those that the systems "
    "would have on all sentences like these. They are of the posterior of a hierarchical model with normal "
    "errors, with 60 % of the nominal tails for Pearson's r and 10 % for measures of the order of systems. "
    "They are left out where errors are more than half of the variance of scores among systems."
)
"""For papers; `confidence` in percent."""

WILLIAMS, BOOTSTRAP, SOFT, CALIBRATED = "williams", "bootstrap", "spa", "acc*eq"
TITLES = {
    WILLIAMS: "Williams' test of Pearson's r",
    BOOTSTRAP: "Difference in Pearson's r of true scores",
    SOFT: "PERM-BOTH of SPA",
    CALIBRATED: "PERM-BOTH of acc*eq",
}


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
class MetricsAgainstPeople:
    """All metrics against people.

    Attributes:
        signature: what was computed; equal signatures mean equal numbers.
        level: "system": of what the first figures of each metric are.
        human: how systems are scored by people.
        systems: by name, the human score; None where there is none.
        left_out: systems that were judged and not scored, or scored and not judged.
        judged_sentences: how many were judged.
        compared_sentences: how many metrics score.
        judged_pairs: how many pairs of different outputs were judged.
        permutations: of the tests by permutations.
        without_z_scores: by judge, why they have no z-scores.
        metrics: by name, best soft pairwise accuracy first.
        tests: which metric agrees better, by the name of the test: "williams", "bootstrap" (of Pearson's r),
            "spa" and "acc*eq" (PERM-BOTH).
    """

    signature: str
    level: str
    human: HumanScore
    systems: Mapping[str, float | None]
    left_out: tuple[str, ...]
    judged_sentences: int
    compared_sentences: int
    judged_pairs: int
    permutations: int
    without_z_scores: Mapping[str, str]
    metrics: Mapping[str, MetricAgainstPeople]
    tests: Mapping[str, PairwiseTests]


def tables(result: MetricsAgainstPeople) -> tuple[Table, ...]:
    """The result for the terminal."""
    by_systems = Table(
        f"By systems: {len(result.systems)} systems by {HUMAN_SCORES[result.human]}, "
        f"{result.compared_sentences:,} sentences",
        (
            "Metric",
            "Pearson",
            "low",
            "high",
            "Spearman",
            "low",
            "high",
            "Kendall",
            "Accuracy",
            "SPA",
            "Cluster",
        ),
        tuple(
            (
                name,
                *_with_interval(metric.pearson),
                *_with_interval(metric.spearman),
                metric.kendall.value,
                metric.accuracy.value,
                metric.spa.value,
                metric.cluster,
            )
            for name, metric in result.metrics.items()
        ),
    )
    by_sentences = Table(
        "By sentences: judged pairs of outputs, and acc*eq",
        ("Metric", "Pairs", "Tau", "low", "high", "without ties", "Tau-b", "Accuracy", "acc*eq", "Cluster"),
        tuple(_sentence_row(name, metric) for name, metric in result.metrics.items()),
    )
    reasons = [
        (name, figure, reason)
        for name, metric in result.metrics.items()
        for figure, reason in _reasons(metric)
    ]
    shown = [by_systems, by_sentences, *(_matrix(name, tests) for name, tests in result.tests.items())]
    if reasons:
        shown.append(Table("What is missing", ("Metric", "Figure", "Reason"), tuple(reasons)))
    if result.left_out:
        names = ", ".join(result.left_out)
        shown.append(Table("Left out, since not both judged and scored", ("Systems",), ((names,),)))
    return tuple(shown)


def left_out_in_words(left_out: Sequence[str]) -> list[str]:
    """The sentence on systems that were not both judged and scored, for a paper; empty if there are none."""
    if not left_out:
        return []
    return [f"Not both judged and scored, and left out: {', '.join(left_out)}."]


def methods(parameters: "MetricsPeopleParameters", result: MetricsAgainstPeople) -> list[str]:
    """The comparison in sentences for a paper."""
    by = parameters.systems_by
    scored_by = "" if by == "metric" else f", by {by} of sentence scores"
    sentences = [
        f"{len(result.metrics)} metrics are compared with people on {len(result.systems)} systems, which "
        f"people score by {HUMAN_SCORES[result.human]} on {result.judged_sentences:,} sentences and metrics "
        f"on {result.compared_sentences:,}{scored_by}.",
        f"By sentences, metrics are compared on {result.judged_pairs:,} judged pairs of outputs by Kendall's "
        "tau and by pairwise accuracy with calibrated ties (acc*eq, Deutsch et al. 2023).",
        f"Soft pairwise accuracy (SPA, Thompson et al. 2024) and the tests between metrics take "
        f"{result.permutations:,} permutations (seed {parameters.seed}).",
    ]
    if parameters.replicates:
        sentences.append(
            f"{INTERVALS_OF_TRUE_SCORES.format(confidence=100 * parameters.confidence)} Errors are "
            f"estimated from {parameters.replicates:,} bootstrap replicates that resample sentences, of "
            "people and metrics together."
        )
    return [*sentences, *left_out_in_words(result.left_out)]


def _with_interval(estimate: Estimate) -> tuple[float | None, float | None, float | None]:
    return estimate.value, estimate.low, estimate.high


def _sentence_row(name: str, metric: MetricAgainstPeople) -> tuple[str | float | None, ...]:
    agreed = metric.sentences
    if agreed.pairs is None or agreed.calibrated is None:
        return (name, *[None] * 9)
    counts = agreed.pairs
    return (
        name,
        counts.concordant + counts.discordant + counts.metric_ties,
        *_with_interval(agreed.tau),
        counts.without_ties,
        counts.tau_b,
        counts.accuracy,
        agreed.calibrated.accuracy,
        metric.sentence_cluster,
    )


def _matrix(name: str, tests: PairwiseTests) -> Table:
    """P-values by row and column, not corrected."""
    return Table(
        f"{TITLES[name]}: p that the row agrees no better than the column",
        ("Metric", *tests.metrics),
        tuple((row, *cells) for row, cells in zip(tests.metrics, tests.p_values, strict=True)),
    )


def _reasons(metric: MetricAgainstPeople) -> list[tuple[str, str]]:
    estimates = {
        "Correlations": metric.pearson,
        "Accuracy": metric.accuracy,
        "SPA": metric.spa,
        "Tau": metric.sentences.tau,
        "Tau-b": metric.sentences.tau_b,
    }
    return [
        (figure if estimate.value is None else f"{figure}: interval", estimate.reason)
        for figure, estimate in estimates.items()
        if estimate.reason and estimate.reason != NOTHING_RESAMPLED
    ]
