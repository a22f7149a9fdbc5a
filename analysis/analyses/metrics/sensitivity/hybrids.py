"""What pages say and draw of metrics against people over synthetic systems."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from operator import itemgetter
from typing import Any

from analysis.analyses.base import Analysis, Group, register
from analysis.analyses.metric_titles import METRIC, MetricName, missing_table, title_of_metric
from analysis.analyses.metrics.against_people import (
    HUMAN_SCORES,
    OF_METRICS,
    human_scores_of_systems,
    left_out_in_words,
    left_out_on_pages,
    resolved_of_mixtures,
    true_intervals_in_words,
)
from analysis.analyses.metrics.leading_metrics import clearly_above, not_separated, why_not_below
from analysis.analyses.metrics.metric_parts import (
    BOOTSTRAP,
    HOW_TO_READ,
    NOT_TOLD_APART,
    TITLES,
    WILLIAMS,
    MetricTests,
    about_mark,
    agreement_of_metrics,
    below_highest,
    drawn_estimate,
    marked_below,
    systems_by_metric,
)
from analysis.analyses.metrics.sensitivity.mixed_systems import (
    HybridsParameters,
    MetricsWithHybrids,
    MetricWithHybrids,
    hybrids,
)
from analysis.analyses.resampling import (
    UNSHADED,
    small_intervals,
)
from analysis.analyses.systems.ranking_headline import NO_SYSTEMS
from core.columns import Column, Count, Estimated, Number, System, Text
from core.names import Naming
from core.results import Computed, Section
from core.tables import Table
from core.wording import counted, literal, with_interval
from metrics.meta_evaluation import (
    Estimate,
)


def _correlation(name: str, row: tuple[str, MetricWithHybrids]) -> Estimate:
    estimate: Estimate = getattr(row[1], name)
    return estimate


MOST_DRAWN = 1500
"""Synthetic systems in a scatter plot: more are a cloud that loads slowly."""

CORRELATIONS = {
    "pearson": ("Pearson", "Pearson’s r"),
    "spearman": ("Spearman", "Spearman’s ρ"),
    "judged_pearson": ("Pearson, systems alone", "Pearson’s r, systems alone"),
    "judged_spearman": ("Spearman, systems alone", "Spearman’s ρ, systems alone"),
}
"""Heading in LaTeX and on pages of each correlation."""


def _r(result: MetricsWithHybrids) -> dict[str, float]:
    """Pearson's r of the metrics that have one, the highest first."""
    return {
        name: each.pearson.value for name, each in result.metrics.items() if each.pearson.value is not None
    }


def _near(result: MetricsWithHybrids) -> list[str]:
    """The metric of the highest r, and those that the bootstrap test does not tell apart from it."""
    return not_separated(_r(result), result.bootstrap)


def about_metrics(computed: Computed, naming: Naming) -> str:
    """What the intervals are of, and why lower metrics may have no mark."""
    lines = small_intervals(
        computed,
        "of the agreement on all sentences like these.",
    )
    unsure = NOT_TOLD_APART if _why_not_marked(computed.result) else ""
    return f"{lines} {unsure}".strip()


def _columns(computed: Computed) -> Sequence[Column]:
    result: MetricsWithHybrids = computed.result
    heading = with_interval("Pearson’s r", computed.parameters.confidence)
    pearson = drawn_estimate("Pearson", partial(_correlation, "pearson"), heading, heading="r")
    return (
        marked_below("metric", _r(result), result.bootstrap, itemgetter(0)),
        replace(pearson, name="pearson"),
        Number(
            "",
            "Alone",
            lambda row: row[1].judged_pearson.value,
            heading=f"{counted(len(result.systems), 'system')} alone",
            on_paper=False,
        ),
        *(
            Estimated(name, label, partial(_correlation, name), on_page=False)
            for name, (label, _) in CORRELATIONS.items()
            if name != "pearson"
        ),
        Text("metric_signature", value=lambda row: row[1].signature),
    )


def _coefficients(computed: Computed) -> Sequence[Column]:
    result: MetricsWithHybrids = computed.result
    pearson, *others = (
        Estimated("", label, partial(_correlation, name), heading=heading, is_shaded=True)
        for name, (label, heading) in CORRELATIONS.items()
    )
    return (
        MetricName("", "Metric", itemgetter(0)),
        pearson,
        below_highest(_r(result), result.bootstrap, itemgetter(0), "Below the highest r"),
        *others,
    )


METRICS = Table(
    rows=lambda computed: computed.result.metrics.items(),
    columns=_columns,
    caption="Correlation of each metric with people over synthetic systems",
    note=about_metrics,
)
COEFFICIENTS = Table(
    rows=lambda computed: computed.result.metrics.items(),
    columns=_coefficients,
    caption="All coefficients, with synthetic systems and without",
    in_files=False,
    note=UNSHADED,
)
TESTS = MetricTests(TITLES[WILLIAMS], lambda result: result.tests)
DIFFERENCES = MetricTests(TITLES[BOOTSTRAP], lambda result: result.bootstrap)
MISSING = missing_table(
    lambda computed: [
        (name, each.pearson.reason or "")
        for name, each in computed.result.metrics.items()
        if each.pearson.value is None
    ]
)


def _all_systems(computed: Computed) -> Iterator[tuple[Any, ...]]:
    """First and second system, percentage of the first, draw, scores by people and by each metric."""
    result: MetricsWithHybrids = computed.result
    names = list(result.systems)
    for system, human in result.systems.items():
        yield system, None, None, None, human, *(each.scores[system] for each in result.metrics.values())
    drawn = (result.first, result.second, result.percent, result.draw, result.hybrids)
    of_metrics = (each.hybrids for each in result.metrics.values())
    mixed: Iterator[tuple[Any, ...]] = zip(*(each.tolist() for each in (*drawn, *of_metrics)), strict=True)
    for first, second, percent, draw, *scores in mixed:
        shown = (None if score != score else score for score in scores)  # NaN
        yield names[first], names[second], percent, draw + 1, *shown


SYSTEMS = Table(
    rows=_all_systems,
    columns=lambda computed: (
        System("first", "First", itemgetter(0), on_page=False),
        System("second", "Second", itemgetter(1), on_page=False),
        Count("percent_of_first", "Percent of first", itemgetter(2), on_page=False),
        Count("draw", "Draw", itemgetter(3), on_page=False),
        Number("people", "People", itemgetter(4), on_page=False),
        *(
            Number(name, title_of_metric(name), itemgetter(place), on_page=False)
            for place, name in enumerate(computed.result.metrics, start=5)
        ),
    ),
    caption="the scores of all systems",
    is_published=False,
)


def headline(computed: Computed, naming: Naming) -> str:
    """The metric of the highest r, and how many are clearly below."""
    result: MetricsWithHybrids = computed.result
    r = _r(result)
    if not r:
        return "No metric can be correlated with people over synthetic systems"
    near = _near(result)
    highest, *others = near or r
    systems = len(result.systems) + len(result.hybrids)
    said = (
        f"Over {systems:,} real and synthetic systems, {title_of_metric(highest)} has the highest r with "
        f"people ({r[highest]:.2f})"
    )
    return f"{said}, {clearly_above(others, result.bootstrap.metrics)}" if len(near) and len(r) > 1 else said


def lead(computed: Computed, naming: Naming) -> str:
    """Which metrics, systems and sentences are compared."""
    result: MetricsWithHybrids = computed.result
    return (
        f"{counted(len(result.systems), 'system')} and {len(result.hybrids):,} mixtures of two of them, on "
        f"{counted(result.sentences, 'judged sentence')}.{_how_mixed(result)} People’s score is the "
        f"{HUMAN_SCORES[result.human]} over sentences.{left_out_on_pages(computed, naming)}"
        f"{about_mark(_r(result), result.bootstrap)}"
    )


def _how_mixed(result: MetricsWithHybrids) -> str:
    """How a mixture is made, in a sentence; empty without mixtures."""
    if not len(result.percent):
        return ""
    return (
        f" A mixture takes {result.percent.min()} % to {result.percent.max()} % of its sentences from one "
        "system and the rest from another, so mixtures bring no new judgments."
    )


def _alone(result: MetricsWithHybrids) -> str:
    """That r of the metric of the highest r, in brackets; empty where there is none."""
    for name in [*_r(result)][:1]:
        if (r := result.metrics[name].judged_pearson.value) is not None:
            return f" ({literal(title_of_metric(name))}: {r:.3f})"
    return ""


def methods(parameters: HybridsParameters, result: MetricsWithHybrids) -> list[str]:
    """The comparison in sentences for a paper."""
    sentences = [
        f"{len(result.metrics)} metrics are correlated with {human_scores_of_systems(result.human)} from "
        f"people over {len(result.systems)} systems and {len(result.hybrids):,} synthetic ones, on "
        f"{result.sentences:,} sentences."
    ]
    if len(result.percent):
        sentences.append(
            f"A synthetic system takes {result.percent.min()} % to {result.percent.max()} % of the "
            "sentences from one system and the others from another, "
            f"in {parameters.draws} draws (seed {parameters.seed})."
        )
    return [*sentences, *true_intervals_in_words(parameters), *left_out_in_words(result.left_out)]


def _synthetic(computed: Computed) -> list[tuple[float, float]]:
    """The scores of synthetic systems by people and by the chosen metric, evenly thinned out."""
    result: MetricsWithHybrids = computed.result
    metric, every = result.metrics[computed.chosen["metric"]], max(1, -(-len(result.hybrids) // MOST_DRAWN))
    return list(zip(result.hybrids.tolist()[::every], metric.hybrids.tolist()[::every], strict=True))


def _scatter_note(computed: Computed, naming: Naming) -> str:
    result: MetricsWithHybrids = computed.result
    is_thinned = len(result.hybrids) > MOST_DRAWN
    apart = any(naming.roles.get(system) in NO_SYSTEMS for system in result.systems)
    return (
        f"Large: systems{', hollow the source and references' if apart else ''}. Small and pale: synthetic "
        f"systems{f', at most {MOST_DRAWN:,} of them' if is_thinned else ''}."
    )


EXPLANATION = """
A synthetic system takes 10 % to 90 % of its sentences from one system and the rest from another, in several
draws for each pair of systems and each share (hybrid super-sampling, Graham and Liu 2016; GMEG, Napoles et
al. 2019). People’s score of a system, synthetic or not, is here the mean of its sentences’ scores, or of
their z-scores, and metrics score its outputs. Synthetic systems make a correlation steadier, because no
single system decides it. They bring no new judgments, so intervals are of the agreement on all sentences like
the judged ones, where a mixture scores the weighted mean of its two systems.
"""


def explanation(computed: Computed) -> str:
    """How it is computed, why r differs elsewhere, and why a metric of low r may not be marked."""
    result: MetricsWithHybrids = computed.result
    elsewhere = (
        "*Metrics against people* takes ExpectedWins of these rankings, so r of the systems alone"
        f"{_alone(result)} differs from r there."
        if result.is_of_ranks
        else ""
    )
    return "\n\n".join(filter(None, [EXPLANATION, elsewhere, _why_not_marked(result)]))


def _why_not_marked(result: MetricsWithHybrids) -> str:
    r = _r(result)
    return why_not_below({name: r[name] for name in result.bootstrap.metrics}, result.bootstrap)


ABOUT_TESTS = f"""
{HOW_TO_READ} The first test resamples sentences. Williams’ test treats all systems as independent, which
synthetic ones are not, so its p-values are too small; use them only to compare with published ones.
"""

HYBRIDS = register(
    Analysis(
        **OF_METRICS,
        name="hybrids",
        title="Metrics against people with synthetic systems",
        group=Group.METRICS,
        question="Which metrics agree with people over many synthetic systems?",
        defined_in="metrics-against-people.md#with-synthetic-systems",
        help="Correlations of metrics with people over the judged systems and mixtures of each pair of them.",
        parameters=HybridsParameters,
        result=MetricsWithHybrids,
        compute=hybrids,
        tables={
            "hybrids": METRICS,
            "coefficients": COEFFICIENTS,
            "missing": MISSING,
            "systems": SYSTEMS,
            "bootstrap": DIFFERENCES.table(is_published=False),
            "williams": TESTS.table(is_published=False),
        },
        figures={
            "agreement": agreement_of_metrics(
                "Agreement of metrics with people over systems and synthetic systems",
                lambda computed: f"people over {len(computed.result.hybrids):,} synthetic systems",
                of_table="hybrids",
            ),
            "metric": systems_by_metric("Systems and synthetic systems", _scatter_note, _synthetic),
            "test-bootstrap": DIFFERENCES.figure(of_table="bootstrap"),
            "test-williams": TESTS.figure(of_table="williams"),
        },
        choices={"metric": METRIC},
        headline=headline,
        lead=lead,
        sections=[
            Section(title="All coefficients", tables=["coefficients"], is_folded=True),
            Section(
                title="Systems by metric and people",
                figures=["metric"],
                tables=["systems"],
                is_folded=True,
            ),
            Section(
                title="Tests between metrics",
                text=ABOUT_TESTS,
                tables=["bootstrap", "williams"],
                is_folded=True,
            ),
        ],
        explanation=explanation,
        fields=("human", "draws", "with_source", "references", "exclude_systems", "domain", "excluded"),
        route="hybrids",
        tab="Sensitivity",
        label="Synthetic systems",
        place=50,
        methods=methods,
        resolve=resolved_of_mixtures,
    )
)
