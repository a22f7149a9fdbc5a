"""Shared by pages about metrics: names of metrics, tests between them, the scatter plot of systems."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from analysis.analyses.metric_titles import title_of_metric
from analysis.analyses.metrics_people_result import HUMAN_SCORES, TITLES
from annotate.models import Campaign, JudgmentState
from core.names import Naming
from figures.drawing import Chart
from figures.metrics_people import scatter_figure, shown_p, significance_figure
from metrics.validation import HumanScore, PairwiseTests


def judged_without_reference(campaign: Campaign) -> int:
    """How many judged sentences have no reference, and so no score by most metrics."""
    judged = campaign.judgments.filter(state=JudgmentState.COMPLETE).values("item__sentence")
    return campaign.corpus.sentences.filter(pk__in=judged, references=None).count()


@dataclass(frozen=True, slots=True)
class PValue:
    """A p-value in a table.

    Attributes:
        value: not corrected.
        holm: the same by Holm's correction.
        text: as shown.
    """

    value: float
    holm: float
    text: str


@dataclass(frozen=True, slots=True)
class TestTable:
    """The tests between metrics by one method.

    Attributes:
        name: of the test.
        title: what people call it.
        rows: metrics with their p-values, by column; None on the diagonal.
        reasons: why there are no p-values, in words.
    """

    name: str
    title: str
    rows: list[tuple[str, list[PValue | None]]]
    reasons: list[str]


def test_table(name: str, tests: PairwiseTests, order: Sequence[str], *, smallest: float) -> TestTable:
    """The tests of this name as a table, metrics in this order.

    `smallest` is the smallest p-value that the tests can tell from 0.
    """
    tested = [metric for metric in order if metric in tests.metrics]
    places = [tests.metrics.index(metric) for metric in tested]
    rows = [
        (title_of_metric(metric), [_p_value(tests, row, column, smallest) for column in places])
        for metric, row in zip(tested, places, strict=True)
    ]
    reasons = {reason for of_row in tests.reasons.values() for reason in of_row.values()}
    return TestTable(name, TITLES[name], rows, sorted(reasons))


def tests_chart(
    naming: Naming,
    name: str,
    tests: PairwiseTests,
    order: Sequence[str],
    *,
    smallest: float,
) -> Chart:
    """The tests of this name as a heat map, metrics in this order; `smallest` as of `test_table`."""
    titled = replace(tests, metrics=tuple(map(title_of_metric, tests.metrics)))
    title = f"{naming.title}: {TITLES[name]}, p that the row agrees no better than the column"
    return significance_figure(titled, order=[*map(title_of_metric, order)], title=title, smallest=smallest)


def scatter_chart(
    naming: Naming,
    metric: str,
    systems: Mapping[str, float | None],
    scores: Mapping[str, float | None],
    *,
    human: HumanScore,
    synthetic: Sequence[tuple[float, float]] = (),
) -> Chart:
    """Systems by people's score and by the scores of a metric, with synthetic systems if there are any."""
    shown = {system: naming.label(system) for system in systems}
    if len(set(shown.values())) < len(shown):
        shown = {system: system for system in shown}
    return scatter_figure(
        {shown[system]: score for system, score in systems.items()},
        {shown[system]: scores.get(system) for system in shown},
        roles={shown[system]: naming.roles[system] for system in shown if system in naming.roles},
        human_name=f"{HUMAN_SCORES[human]} (people)",
        metric_name=title_of_metric(metric),
        title=f"{naming.title}: {title_of_metric(metric)} against people",
        synthetic=synthetic,
    )


def _p_value(tests: PairwiseTests, row: int, column: int, smallest: float) -> PValue | None:
    p, corrected = tests.p_values[row][column], tests.holm[row][column]
    if p is None or corrected is None:
        return None
    return PValue(p, corrected, shown_p(p, smallest))
