"""Analysis of a new metric beside those that are known: does it agree better with people?"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from analysis.analyses.base import Analysis, AnyChunks, Group, register, stated
from analysis.analyses.metric_titles import UPLOADED, MetricName, title_of_metric
from analysis.analyses.metrics.against_people import (
    CHOOSING,
    HUMAN_SCORES,
    OF_METRICS,
    RENEWED_AFTER_SECONDS,
    left_out_in_words,
    left_out_on_pages,
    resolved_of_systems,
)
from analysis.analyses.metrics.metric_parts import SOFT, WILLIAMS
from analysis.analyses.metrics.metrics_people import (
    METRICS_PEOPLE,
    MetricsPeopleParameters,
    Part,
    Prepared,
    compare,
)
from analysis.analyses.metrics.metrics_people import methods as methods_of_all
from analysis.analyses.metrics.metrics_people_result import MetricAgainstPeople
from analysis.analyses.metrics.scored_judgments import ScoredJudgments, ScoresBesideEdits
from core.columns import Column, Count, Estimated, Number, PValue, Text
from core.names import Naming
from core.parameters import ParameterError, parameter
from core.results import Computed, Figure, Layout, Section
from core.tables import Table
from core.wording import counted, literal, p_is, percent
from figures.drawing import Chart
from figures.metrics.metric_scores import DrawnScore, metric_scores_figure
from figures.metrics.metrics_people import SIGNIFICANT
from metrics.meta_evaluation import Estimate, HumanScore, PairwiseTests
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
        p_value: of the test that whichever has the higher figure agrees better; None if it is impossible.
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
        leads: by the name of a figure in `TESTS`, how a new metric stands to the best other.
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


@dataclass(frozen=True, slots=True)
class NewMetric:
    """New metrics beside those that are known.

    Attributes:
        signature: what was computed; equal signatures mean equal numbers.
        human: how systems are scored by people.
        systems: by name, the human score; None where there is none.
        left_out: systems that were judged and not scored, or scored and not judged.
        judged_sentences: how many were judged.
        compared_sentences: how many metrics score.
        judged_pairs: how many pairs of different outputs were judged.
        permutations: of the tests by permutations.
        metrics: the best soft pairwise accuracy first.
        ceiling: one annotator against the others; None where that is not known.
        available: the names of all metrics with scores.
    """

    signature: str
    human: HumanScore
    systems: Mapping[str, float | None]
    left_out: tuple[str, ...]
    judged_sentences: int
    compared_sentences: int
    judged_pairs: int
    permutations: int
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
    p_value = tests.p_values[tests.metrics.index(row)][tests.metrics.index(column)] if there else None
    return Lead(best, is_ahead, p_value)


TESTS = {"pearson": "r, Williams' test", "spa": "SPA, PERM-BOTH", "accuracy": "accuracy, bootstrap"}
"""Figures in which a new metric is held against the best other, and the test of each, by name."""

ENDS = ("low", "high")

Of = Callable[[object], ComparedMetric]
"""Reads the metric of a row."""


def _itself(row: object) -> ComparedMetric:
    return cast(ComparedMetric, row)


def first_columns(of: Of = _itself) -> list[Column]:
    """The metric."""
    return [
        MetricName(
            "metric", "Metric", lambda row: of(row).metric, note=lambda row: "new" if of(row).is_new else ""
        ),
        Text("is_new", value=lambda row: "yes" if of(row).is_new else "no"),
    ]


def columns_of_correlations(of: Of = _itself) -> list[Column]:
    """Correlations of the scores of systems."""
    return [
        Estimated(
            "pearson",
            "r",
            _agreement(of, "pearson"),
            heading="Pearson’s r",
            ends_on_paper=ENDS,
            is_shaded=True,
        ),
        *_tested(of, "pearson"),
        Estimated("spearman", "rho", _agreement(of, "spearman"), heading="Spearman’s ρ", is_shaded=True),
        Estimated("kendall", value=_agreement(of, "kendall")),
    ]


def further_columns(of: Of = _itself) -> list[Column]:
    """Soft pairwise accuracy, and the pairs that people ordered."""
    return [
        Estimated("spa", "SPA", _agreement(of, "spa"), is_shaded=True),
        *_tested(of, "spa"),
        Estimated("accuracy", "Accuracy", lambda row: of(row).accuracy, ends_on_paper=ENDS, is_shaded=True),
        *_tested(of, "accuracy"),
        Number("tau", "Tau", lambda row: of(row).tau),
        Count("pairs", value=lambda row: of(row).pairs),
        Count("ties", "Ties", lambda row: of(row).ties, on_paper=False),
    ]


def _agreement(of: Of, figure: str) -> Callable[[object], Estimate | None]:
    def read(row: object) -> Estimate | None:
        estimate: Estimate = getattr(of(row).agreement, figure)
        return None if estimate.value is None else estimate

    return read


def _tested(of: Of, figure: str) -> Iterator[Column]:
    """The test against the best other metric, which pages and the terminal say in sentences."""

    def of_lead(what: str) -> Callable[[object], object]:
        return lambda row: getattr(of(row).leads.get(figure), what, None)

    yield Text(f"{figure}_best_other", value=of_lead("other"))
    yield PValue(f"{figure}_p", "p", of_lead("p_value"), on_page=False)


def about_table(parameters: Any) -> str:
    """What stands above the table in LaTeX."""
    return (
        "Pearson's r, Spearman's rho and soft pairwise accuracy (SPA) of systems; accuracy and tau over the "
        f"pairs that people ordered, ties of metrics: {parameters.ties}. Intervals at "
        f"{100 * parameters.confidence:g} % confidence. p: the metric and the best other one agree equally "
        "with people."
    )


METRICS = Table(
    rows=lambda computed: computed.result.rows,
    columns=[*first_columns(), *columns_of_correlations(), *further_columns()],
    caption="Metrics and people",
    comment=lambda computed: about_table(computed.parameters),
    note=lambda computed, naming: (
        f"The lines are {percent(computed.parameters.confidence)} intervals."
        if computed.parameters.replicates
        else ""
    ),
)


def sentences(result: NewMetric, title: Callable[[str], str] = str) -> Iterator[str]:
    """How each new metric stands to the best others."""
    for row in result.new:
        if row.leads:
            said = "; ".join(
                f"{replace(lead, other=title(lead.other))} ({TESTS[figure]})"
                for figure, lead in row.leads.items()
            )
            yield f"{title(row.metric)} is {said}."
        else:
            yield f"{title(row.metric)} has no figures: {row.agreement.pearson.reason}."


LEVELS = {"by sentence": ("accuracy",), "by system": ("spa", "pearson")}
"""The figures that a headline is about, by level the first that there is."""


def headline(computed: Computed, naming: Naming) -> str:
    """How the best new metric stands to the best known one, by sentence and by system."""
    result: NewMetric = computed.result
    rows = [row for row in result.new if row.leads]
    if not rows:
        return "There is no other metric to compare with"
    best = max(rows, key=lambda row: _value(row, next(each for each in BEST_BY if each in row.leads)))
    said: dict[str, list[str]] = {}
    for level, figures in LEVELS.items():
        for figure in [figure for figure in figures if figure in best.leads][:1]:
            said.setdefault(_standing(best.leads[figure]), []).append(level)
    parts = [f"{standing} {' and '.join(levels)}" for standing, levels in said.items()]
    return f"{title_of_metric(best.metric)} agrees with people {', and '.join(parts)}"


BEST_BY = ("accuracy", "spa", "pearson")


def _standing(lead: Lead) -> str:
    other = title_of_metric(lead.other)
    if not lead.is_clear:
        return f"neither clearly better nor worse than {other}"
    return f"{'better' if lead.is_ahead else 'less'} than {other}"


def _value(row: ComparedMetric, figure: str) -> float:
    estimate = _estimate(row, figure)
    return estimate.value if estimate and estimate.value is not None else float("-inf")


def _estimate(row: ComparedMetric, figure: str) -> Estimate | None:
    """The figure of this name in `PANELS`."""
    estimate: Estimate | None = row.accuracy if figure == "accuracy" else getattr(row.agreement, figure)
    return estimate


def lead(computed: Computed, naming: Naming) -> str:
    """What is compared."""
    result: NewMetric = computed.result
    pairs = next((row.pairs for row in result.metrics if row.pairs), 0)
    return (
        f"{counted(len(result.systems), 'system')} by {HUMAN_SCORES[result.human]} on "
        f"{counted(result.compared_sentences, 'sentence')}, and {counted(pairs, 'pair')} of outputs that "
        f"people ordered; ties of metrics count {TIES[computed.parameters.ties]}."
        f"{left_out_on_pages(computed, naming)}"
    )


def tested_in_words(computed: Computed, naming: Naming) -> str:
    """The tests against the best known metric, a paragraph for each new metric."""
    return "\n\n".join(sentences(computed.result, title=lambda name: literal(title_of_metric(name))))


PANELS = {"pearson": "Pearson’s r", "spa": "SPA", "accuracy": "Accuracy"}
"""The figures that are drawn, by name in addresses."""


def drawn_scores(result: NewMetric, figure: str) -> list[DrawnScore]:
    """The metrics with this figure, each with its interval."""
    estimates = {row.metric: _estimate(row, figure) for row in result.metrics}
    return [
        DrawnScore(title_of_metric(name), estimate.value, estimate.low, estimate.high)
        for name, estimate in estimates.items()
        if estimate is not None and estimate.value is not None
    ]


def panels_of_metrics(
    panels: Sequence[tuple[str, Sequence[DrawnScore]]], title: str, layout: Layout
) -> Chart:
    """A panel for each figure, or each judgment set, from 0 (-1 if an interval reaches below 0) to 1."""
    return metric_scores_figure(
        panels,
        order=[*dict.fromkeys(score.system for _, drawn in panels for score in drawn)],
        title=title,
        domain={name: (-1 if _reaches_below_0(drawn) else 0, 1) for name, drawn in panels},
        layout=layout,
    )


def _reaches_below_0(drawn: Sequence[DrawnScore]) -> bool:
    return any(min(score.value, score.low or 0.0) < 0 for score in drawn)


def draw(computed: Computed, naming: Naming, layout: Layout) -> Chart:
    """All metrics, a panel for each figure."""
    panels = [(title, drawn_scores(computed.result, figure)) for figure, title in PANELS.items()]
    return panels_of_metrics(panels, f"{naming.title}: metrics and people", layout)


def methods(parameters: NewMetricParameters, result: NewMetric) -> list[str]:
    """The comparison in sentences for a paper."""
    every = methods_of_all(parameters, result)
    left_out = left_out_in_words(result.left_out)
    by_sentence = (
        f"Accuracy is over the pairs of outputs that people ordered and all metrics score; ties of metrics "
        f"count {TIES[parameters.ties]}."
    )
    against = (
        f"{', '.join(row.metric for row in result.new)}: held against the best other metric in r by "
        "Williams' test, in SPA by PERM-BOTH, in accuracy by the bootstrap over sentences. P-values are of "
        "one side, that of the metric with the higher figure."
    )
    return [*every[: len(every) - len(left_out)], by_sentence, against, *left_out]


EXPLANATION = """
A new metric is held against the best of the others, figure by figure: in r by Williams' test, in soft
pairwise accuracy (SPA) by PERM-BOTH, in accuracy by the bootstrap over sentences. P-values are of one side,
that of the metric with the higher figure. Accuracy is over the pairs of outputs that people ordered and all
metrics score; tau is twice the accuracy minus 1. One of the others is always *most edits*, by which the
output that changes more is better: a learned metric behind it has learnt nothing.
"""

NEW_METRIC = register(
    Analysis(
        **{**OF_METRICS, "inputs": ScoresBesideEdits},
        name="new-metric",
        title="A new metric",
        group=Group.METRICS,
        question="Does a new metric agree better with people than the known ones?",
        defined_in="metrics-against-people.md#the-table-of-a-new-metric",
        help="How a new metric agrees with people beside known ones, tested against the best of them.",
        parameters=NewMetricParameters,
        result=NewMetric,
        chunks=replace(cast(AnyChunks, METRICS_PEOPLE.chunks), combine=new_metric),
        tables={"metrics": METRICS},
        figures={
            "agreement": Figure(
                caption="Agreement of metrics with people",
                draw=draw,
                has_content=lambda computed: any(drawn_scores(computed.result, each) for each in PANELS),
            )
        },
        headline=headline,
        lead=lead,
        sections=[
            Section(title="Against the best known metric", note=tested_in_words),
            Section(title="Figure", figures=["agreement"], is_folded=True),
        ],
        explanation=EXPLANATION,
        fields=("ties", "human", "whole_set", "confidence", *CHOOSING),
        tab="Agreement",
        label="A new metric",
        place=4,
        methods=methods,
        resolve=resolved_of_systems,
        renewed_after=RENEWED_AFTER_SECONDS,
    )
)
