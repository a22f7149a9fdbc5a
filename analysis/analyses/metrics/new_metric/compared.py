"""New metrics held against the best of the others: parameters, computation and result."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from analysis.analyses.base import stated
from analysis.analyses.metric_titles import UPLOADED
from analysis.analyses.metrics.metric_parts import SOFT, WILLIAMS
from analysis.analyses.metrics.metrics_people import MetricsPeopleParameters, Part, Prepared, compare
from analysis.analyses.metrics.metrics_people_result import ComparedScores, MetricAgainstPeople
from analysis.analyses.metrics.scored_judgments import ScoredJudgments
from core.parameters import ParameterError, parameter
from core.wording import p_is
from metrics.base.resampling import SIGNIFICANT
from metrics.meta_evaluation import Estimate, PairwiseTests
from metrics.meta_evaluation.sentence_level import CEILING
from metrics.meta_evaluation.tie_rules import TieRule, accuracy_tests, ordered_pairs

TIES = {
    TieRule.HALF: "as half of a pair",
    TieRule.ERRORS: "as errors",
    TieRule.SEEDA: "as a win of the alphabetically later system",
}


def ties_of_metrics() -> TieRule:
    """The parameter that says what a tie of a metric counts as."""
    return parameter(
        TieRule.HALF,
        label="Ties of metrics",
        help=(
            "What a tie of a metric counts as in the accuracy: half of a pair, an error, or, as in SEEDA's "
            "script and gec-metrics, that the alphabetically later system wins."
        ),
        labels=TIES,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class NewMetricParameters(MetricsPeopleParameters):
    """The new metrics, and how all are compared. The help of each parameter describes it."""

    of: str | None = parameter(
        None,
        label="New metric",
        help="Names of the new metrics, as their scores are named, separated by commas.",
        placeholder="those uploaded, or else the first one",
        several=True,
    )
    ties: TieRule = ties_of_metrics()


@dataclass(frozen=True, slots=True)
class Lead:
    """A new metric and the best of the others.

    Attributes:
        other: the best other metric by the same figure.
        is_ahead: whether the new metric has the higher figure.
        p_value: two-sided, of the test that both agree equally well; None if it is impossible.
    """

    other: str
    is_ahead: bool
    p_value: float | None

    @property
    def is_clear(self) -> bool:
        """Whether the test tells the two apart."""
        return self.p_value is not None and self.p_value <= SIGNIFICANT

    def __str__(self) -> str:
        """In words."""
        tested = "" if self.p_value is None else f", {p_is(self.p_value)}"
        return f"{'ahead of' if self.is_ahead else 'behind'} {self.other}{tested}"


@dataclass(frozen=True, slots=True)
class ComparedMetric:
    """A metric beside the others.

    Attributes:
        metric: its name.
        is_new: whether the comparison is about it.
        agreement: with people, by systems.
        accuracy: over the pairs that people ordered; None for scores of systems alone.
        pairs: how many these are.
        ties: in how many of them the metric ties.
        leads: by the name of a figure ("pearson", "spa" or "accuracy"), how a new metric stands to the best
            other.
    """

    metric: str
    is_new: bool
    agreement: MetricAgainstPeople
    accuracy: Estimate | None
    pairs: int | None
    ties: int | None
    leads: Mapping[str, Lead]

    @property
    def tau(self) -> float | None:
        """Kendall's tau over the pairs, ties by the same rule."""
        value = self.accuracy.value if self.accuracy else None
        return None if value is None else 2 * value - 1


def estimate_of(row: ComparedMetric, figure: str) -> Estimate | None:
    """The figure of this name of a metric: "accuracy", "spa" or "pearson"."""
    estimate: Estimate | None = row.accuracy if figure == "accuracy" else getattr(row.agreement, figure)
    return estimate


@dataclass(frozen=True, slots=True)
class NewMetric(ComparedScores):
    """New metrics beside those that are known.

    Attributes:
        metrics: the best soft pairwise accuracy first.
        ceiling: one annotator against the others; None where that is not known.
        available: the names of all metrics with scores.
    """

    metrics: tuple[ComparedMetric, ...]
    ceiling: ComparedMetric | None
    available: tuple[str, ...]

    @property
    def rows(self) -> list[ComparedMetric]:
        """The metrics, and one annotator against the others where that is known."""
        return [*self.metrics, *([self.ceiling] if self.ceiling else [])]

    @property
    def new(self) -> list[ComparedMetric]:
        """The metrics that the comparison is about."""
        return [each for each in self.metrics if each.is_new]


def new_metric(
    inputs: ScoredJudgments, prepared: Prepared, parameters: NewMetricParameters, parts: Sequence[Part]
) -> NewMetric:
    """Hold new metrics against the best of the others: in r by Williams' test, in soft pairwise accuracy by
    PERM-BOTH, in accuracy by the bootstrap over sentences.

    Raises:
        ParameterError: there are no scores by a new metric.
    """
    available = tuple(metric.name for metric in prepared.data.metrics)
    new = _new(available, parameters.of)
    result = compare(inputs, prepared, parameters, parts)
    pairs = ordered_pairs(
        prepared.data,
        parameters.ties,
        replicates=parameters.replicates,
        confidence=parameters.confidence,
        seed=parameters.seed,
        step=inputs.step,
    )
    of_pairs = {each.metric: each for each in pairs}
    figures = {
        "pearson": ({name: each.pearson for name, each in result.metrics.items()}, result.tests[WILLIAMS]),
        "spa": ({name: each.spa for name, each in result.metrics.items()}, result.tests[SOFT]),
        "accuracy": ({name: each.accuracy for name, each in of_pairs.items()}, accuracy_tests(pairs)),
    }

    def row(name: str, agreement: MetricAgainstPeople) -> ComparedMetric:
        leads = {figure: _lead(name, *of, new) for figure, of in figures.items()} if name in new else {}
        ordered = of_pairs.get(name)
        return ComparedMetric(
            metric=name,
            is_new=name in new,
            agreement=agreement,
            accuracy=ordered.accuracy if ordered else None,
            pairs=ordered.pairs if ordered else None,
            ties=ordered.ties if ordered else None,
            leads={figure: lead for figure, lead in leads.items() if lead},
        )

    has_ceiling = result.ceiling.accuracy.value is not None
    return NewMetric(
        signature=inputs.signature(stated("new-metric", parameters)),
        human=result.human,
        systems=result.systems,
        left_out=result.left_out,
        judged_sentences=result.judged_sentences,
        compared_sentences=result.compared_sentences,
        judged_pairs=result.judged_pairs,
        permutations=result.permutations,
        metrics=tuple(row(name, agreement) for name, agreement in result.metrics.items()),
        ceiling=row(CEILING, result.ceiling) if has_ceiling else None,
        available=available,
    )


def _new(available: Sequence[str], asked: str | None) -> frozenset[str]:
    """The names of the new metrics.

    Raises:
        ParameterError: there are no scores by one that is asked for.
    """
    if asked is None:
        return frozenset([name for name in available if name.endswith(UPLOADED)] or available[:1])
    names = [asked] if asked in available else [name.strip() for name in asked.split(",")]
    # Scores of systems by comparisons have names that end so.
    found = {name: each for each in available for name in (each, each.rpartition(", by ")[0])}
    if unknown := [name for name in names if name not in found]:
        there = ", ".join(available) or "none"
        fault = f"there are no scores by {', '.join(unknown)}; there are: {there}"
        raise ParameterError(faults={"of": fault})
    return frozenset(found[name] for name in names)


def _lead(
    name: str, figures: Mapping[str, Estimate], tests: PairwiseTests, new: Collection[str]
) -> Lead | None:
    """How a metric stands to the best of those that are not new; None if either has no figure."""
    others = {
        other: each.value for other, each in figures.items() if other not in new and each.value is not None
    }
    own = figures[name].value if name in figures else None
    if own is None or not others:
        return None
    best = max(others, key=lambda other: others[other])
    is_ahead = own > others[best]
    row, column = (name, best) if is_ahead else (best, name)
    there = {row, column} <= {*tests.metrics}
    of_one_side = tests.p_values[tests.metrics.index(row)][tests.metrics.index(column)] if there else None
    return Lead(best, is_ahead, None if of_one_side is None else min(1.0, 2 * of_one_side))
