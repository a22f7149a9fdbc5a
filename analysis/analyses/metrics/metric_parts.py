"""Tables and figures of metrics against people: tests between metrics, systems by metric and by people."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from operator import itemgetter
from typing import Any, ClassVar

from analysis.analyses.metric_titles import MetricName, title_of_metric
from analysis.analyses.metrics.against_people import HUMAN_SCORES
from analysis.analyses.metrics.leading_metrics import against, not_separated
from core.columns import Column, Estimated, PValue, Spread, Text
from core.latex import p_value
from core.names import Naming
from core.results import Computed, Figure, Layout, NamedWords, Words
from core.tables import Table
from core.wording import counted, p_is
from figures.drawing import Chart
from figures.metrics.metrics_people import (
    SMALLEST_SHOWN,
    agreement_figure,
    scatter_figure,
    shown_p,
    significance_figure,
)
from metrics.base.resampling import SIGNIFICANT
from metrics.meta_evaluation import PairwiseTests

BELOW = "clearly below"
CLEARLY_BELOW = (
    f"*Clearly below* the highest: the difference in r has p ≤ {SIGNIFICANT} when sentences are resampled, "
    "corrected for all pairs of metrics (Holm)."
)
NOT_TOLD_APART = (
    "Lower ones without the mark are not told apart from it after this correction, even where two intervals "
    "lie apart."
)

WILLIAMS, BOOTSTRAP, SOFT, CALIBRATED = "williams", "bootstrap", "spa", "acc*eq"
TITLES = {
    WILLIAMS: "Williams' test of Pearson's r",
    BOOTSTRAP: "Difference in Pearson's r of true scores",
    SOFT: "PERM-BOTH of SPA",
    CALIBRATED: "PERM-BOTH of acc*eq",
}
HOW_TO_READ = (
    f"p that the metric of the row agrees no better than that of the column. Shaded and marked ✓: p ≤ "
    f"{SIGNIFICANT}; ✓✓: also after Holm’s correction for all tests of the table."
)


@dataclass(frozen=True, slots=True)
class Significance(Column):
    """A p-value before and after Holm's correction, of which files have the first; marked if significant.

    Attributes:
        smallest: the smallest p-value that the tests can tell from 0.
    """

    _: KW_ONLY
    smallest: float = SMALLEST_SHOWN

    css: ClassVar[str] = "number"

    def css_of(self, value: tuple[float, float]) -> str:
        """Shaded if it is significant."""
        return f"{self.css} shade-3" if value[0] <= SIGNIFICANT else self.css

    def text(self, value: tuple[float, float], naming: Naming) -> str:
        """Rounded, with the marks of significance."""
        p, corrected = value
        marks = (p <= SIGNIFICANT) + (p <= SIGNIFICANT and corrected <= SIGNIFICANT)
        return f"{shown_p(p, self.smallest)} {'✓' * marks}".strip()

    def paper(self, value: tuple[float, float], naming: Naming) -> str:
        """Rounded."""
        return p_value(value[0])


@dataclass(frozen=True, slots=True)
class MetricTests:
    """The tests of one kind in a result with metrics by name.

    Attributes:
        title: what people call the test.
        tests: reads them from the result.
        smallest: the smallest p-value that they can tell from 0.
    """

    title: str
    tests: Callable[[Any], PairwiseTests]
    smallest: Callable[[Any], float] = lambda result: SMALLEST_SHOWN

    def table(self, **options: Any) -> Table:
        """P-values by row and column, metrics in the order of the result."""
        return Table(
            rows=self._rows_of_tests,
            columns=self._columns,
            caption=f"{self.title}: p-values, row against column",
            long=Table(rows=self._pairs, columns=OF_PAIRS, caption=""),
            note=self._reasons,
            **options,
        )

    def figure(self, of_table: str) -> Figure:
        """The p-values as a heat map, which the table of this name is on pages."""
        return Figure(
            caption=f"{self.title}: p that the row agrees no better than the column",
            draw=self._draw,
            has_content=lambda computed: len(self.tests(computed.result).metrics) > 1,
            of_table=of_table,
        )

    def _tested(self, computed: Computed) -> list[str]:
        tested = self.tests(computed.result).metrics
        return [name for name in computed.result.metrics if name in tested]

    def _columns(self, computed: Computed) -> Sequence[Column]:
        smallest = self.smallest(computed.result)
        return (
            MetricName("", " ", itemgetter(0), heading="Metric"),
            *(
                Significance("", title_of_metric(name), itemgetter(place), smallest=smallest)
                for place, name in enumerate(self._tested(computed), start=1)
            ),
        )

    def _rows_of_tests(self, computed: Computed) -> list[list[object]]:
        tests, tested = self.tests(computed.result), self._tested(computed)
        places = [tests.metrics.index(name) for name in tested]
        return [
            [name, *(_values(tests, row, column) for column in places)]
            for name, row in zip(tested, places, strict=True)
        ]

    def _pairs(self, computed: Computed) -> list[tuple[object, ...]]:
        tests = self.tests(computed.result)
        return [
            (
                metric,
                than,
                tests.p_values[row][column],
                tests.holm[row][column],
                tests.reasons.get(metric, {}).get(than),
            )
            for row, metric in enumerate(tests.metrics)
            for column, than in enumerate(tests.metrics)
            if row != column
        ]

    def _reasons(self, computed: Computed, naming: Naming) -> str:
        of_rows = self.tests(computed.result).reasons.values()
        reasons = sorted({reason for of_row in of_rows for reason in of_row.values()})
        return "\n\n".join(f"No test: {reason}." for reason in reasons)

    def _draw(self, computed: Computed, naming: Naming, layout: Layout) -> Chart:
        tests = self.tests(computed.result)
        titled = replace(tests, metrics=tuple(map(title_of_metric, tests.metrics)))
        return significance_figure(
            titled,
            order=[*map(title_of_metric, computed.result.metrics)],
            title=f"{naming.title}: {self.title}, p that the row agrees no better than the column",
            smallest=self.smallest(computed.result),
        )


def below_highest(
    values: Mapping[str, float | None], tests: PairwiseTests, name: Callable[[Any], str], heading: str
) -> Text:
    """Whether the tests separate the metric of a row from that of the highest value, with p."""
    near = not_separated(values, tests)
    p = against(near[0], tests) if near else {}

    def note(row: object) -> str:
        of_row = p.get(name(row))
        return "" if of_row is None else p_is(of_row)

    return Text(
        "",
        "Below the best",
        lambda row: "clearly" if name(row) in p.keys() - near else "",
        heading=heading,
        note=note,
        on_paper=False,
    )


def about_marks(why_not_marked: str) -> str:
    """What *clearly below* says, where metrics may lack the mark although their value is lower."""
    return f"{CLEARLY_BELOW} {NOT_TOLD_APART}" if why_not_marked else CLEARLY_BELOW


def about_mark(values: Mapping[str, float | None], tests: PairwiseTests) -> str:
    """What *clearly below* says, before a table with this mark; empty if these tests mark no metric."""
    if len(not_separated(values, tests)) == len(tests.metrics):
        return ""
    pairs = sum(p is not None for row in tests.holm for p in row) // 2
    return (
        f" *Clearly below* the highest r: p ≤ {SIGNIFICANT} after correction for {counted(pairs, 'pair')} of "
        "metrics (Holm)."
    )


def marked_below(
    column: str, values: Mapping[str, float | None], tests: PairwiseTests, name: Callable[[Any], str]
) -> MetricName:
    """The metric of a row, with a note if the tests separate it from that of the highest value."""
    below = {*tests.metrics}.difference(not_separated(values, tests))
    return MetricName(column, "Metric", name, note=lambda row: BELOW if name(row) in below else "")


def drawn_estimate(
    label: str,
    estimate: Callable[[Any], Any],
    drawn: str,
    is_hollow: Callable[[Any], bool] | None = None,
    **options: Any,
) -> Estimated:
    """The column of a page that draws an estimate with its interval.

    Why there is no interval stands elsewhere: here it would take the place of a few digits.
    """

    def without_reason(row: object) -> Spread | None:
        value = estimate(row)
        return None if value is None else Spread(value.value, value.low, value.high)

    return Estimated("", label, without_reason, drawn=drawn, is_hollow=is_hollow, **options)


OF_PAIRS = (
    Text("metric", value=itemgetter(0)),
    Text("than", value=itemgetter(1)),
    PValue("p", value=itemgetter(2)),
    PValue("p_holm", value=itemgetter(3)),
    Text("reason", value=itemgetter(4)),
)


def _values(tests: PairwiseTests, row: int, column: int) -> tuple[float, float] | None:
    p, corrected = tests.p_values[row][column], tests.holm[row][column]
    return None if p is None or corrected is None else (p, corrected)


def agreement_of_metrics(caption: Words, against: Callable[[Computed], str], *, of_table: str) -> Figure:
    """The metrics by Pearson's r; `against` says with what they agree, for the title.

    `of_table` names the table that draws the same on pages.
    """

    def draw(computed: Computed, naming: Naming, layout: Layout) -> Chart:
        drawn = {title_of_metric(name): each.pearson for name, each in computed.result.metrics.items()}
        title = f"{naming.title}: agreement with {against(computed)}"
        ceiling = getattr(computed.result, "ceiling", None)
        return agreement_figure(drawn, name="Pearson’s r", title=title, ceiling=ceiling and ceiling.pearson)

    def has_content(computed: Computed) -> bool:
        return any(each.pearson.value is not None for each in computed.result.metrics.values())

    return Figure(caption=caption, draw=draw, has_content=has_content, of_table=of_table)


def systems_by_metric(
    systems: str,
    note: NamedWords,
    synthetic: Callable[[Computed], Sequence[tuple[float, float]]] = lambda computed: (),
) -> Figure:
    """Systems, or what else they are, by people's score and by that of the chosen metric.

    `synthetic` gives both scores of systems that are drawn small.
    """

    def draw(computed: Computed, naming: Naming, layout: Layout) -> Chart:
        result, name = computed.result, computed.chosen["metric"]
        shown = {system: naming.label(system) for system in result.systems}
        if len(set(shown.values())) < len(shown):
            shown = {system: system for system in shown}
        return scatter_figure(
            {shown[system]: score for system, score in result.systems.items()},
            {shown[system]: result.metrics[name].scores.get(system) for system in shown},
            roles={shown[system]: naming.roles[system] for system in shown if system in naming.roles},
            human_name=f"{HUMAN_SCORES[result.human]} (people)",
            metric_name=title_of_metric(name),
            title=f"{naming.title}: {title_of_metric(name)} against people",
            synthetic=synthetic(computed),
        )

    def finding(computed: Computed, naming: Naming) -> str:
        pearson = computed.result.metrics[computed.chosen["metric"]].pearson.value
        return f"Pearson’s r is {pearson:.2f}"

    return Figure(
        finding=finding,
        caption=lambda computed: f"{systems} by {title_of_metric(computed.chosen['metric'])} and by people",
        draw=draw,
        has_content=lambda computed: (
            computed.result.metrics[computed.chosen["metric"]].pearson.value is not None
        ),
        by="metric",
        note=note,
    )
