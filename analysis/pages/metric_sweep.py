"""The page of a metric over the values of a parameter: figure, table and files."""

from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import parse_qsl, urlencode

from analysis.analyses.metric_sweep import METRIC_SWEEP, SweptMetric
from analysis.analyses.metric_titles import title_of_metric
from analysis.analyses.metrics_people_result import HUMAN_SCORES
from analysis.pages.registered import AnalysisPage, register_page
from analysis.pages.results import figure_view, table_view
from analysis.pages.shared_files import Figure, ResultTable, SharedFiles, single_figure, single_table
from analysis.runs.requests import Request
from annotate.models import User
from annotate.web.parameter_forms import query_of
from core.latex import number, tabular
from core.names import Naming
from core.results import Computed
from figures.drawing import Chart
from figures.sweep import sweep_figure
from metrics.validation import BestValue, Estimate
from ranking import Coefficient

FIELDS = (
    "low",
    "high",
    "step",
    "human",
    "whole_set",
    "without_source",
    "references",
    "exclude_systems",
    "excluded",
)
SYMBOLS = {Coefficient.SPEARMAN: "Spearman’s ρ", Coefficient.PEARSON: "Pearson’s r"}
COLUMNS = ("value", *(f"{name}{end}" for name in SYMBOLS for end in ("", "_low", "_high")), "signature")
ROWS_SHOWN = 12
"""Values of the table on the page, about; the file has all."""

Row = tuple[float, Estimate, Estimate]


def context(request: Request, result: SweptMetric, user: User) -> dict[str, Any]:
    """The values with the highest correlations, some others, and links to other parameters."""
    swept = result.sweep
    kept = {
        name: text
        for name, text in _stated(request).items()
        if name not in ("of", "over", "low", "high", "step")
    }
    every = max(1, -(-len(swept.values) // ROWS_SHOWN))
    rows = list(_values(result))
    peaks = {best.value for best in swept.best.values()}
    return {
        "metric": title_of_metric(swept.metric),
        "human": HUMAN_SCORES[result.human],
        "best": [(SYMBOLS[name], best, _default(result, name)) for name, best in swept.best.items()],
        "headline": headline(result),
        "rows": [row for place, row in enumerate(rows) if place % every == 0 or row[0] in peaks],
        "others": [
            (
                f"{title_of_metric(each.metric)}: {each.label}",
                urlencode({**kept, "of": each.metric, "over": each.parameter}),
                (each.metric, each.parameter) == (swept.metric, swept.parameter),
                each.reduces_anew,
            )
            for each in result.available
        ],
        "query": query_of(request.parameters),
        "confidence": round(100 * request.parameters.confidence),
        "replicates": request.parameters.replicates,
    }


def headline(result: SweptMetric) -> str:
    """The result in a sentence."""
    best: BestValue = result.sweep.best[Coefficient.SPEARMAN]
    name = title_of_metric(result.sweep.metric)
    if best.value is None:
        return f"{name} cannot be correlated with people."
    return f"{name} correlates best with people at {result.sweep.parameter} = {best.value:g}."


def chart(result: SweptMetric, naming: Naming) -> Chart | None:
    """Both correlations over the values; None if there are none."""
    swept = result.sweep
    if all(best.value is None for best in swept.best.values()):
        return None
    return sweep_figure(
        swept.values,
        {SYMBOLS[name]: curve for name, curve in swept.correlations.items()},
        {SYMBOLS[name]: best for name, best in swept.best.items()},
        name=swept.parameter,
        default=swept.default,
        title=f"{naming.title}: {title_of_metric(swept.metric)} with {HUMAN_SCORES[result.human]}",
    )


def figures(shown: Computed, naming: Naming) -> dict[str, Figure]:
    """The figure of a published result."""
    result = shown.result
    caption = f"Correlation of {title_of_metric(result.sweep.metric)} with people over {result.label.lower()}"
    return single_figure("sweep", caption, chart(result, naming), result.signature)


def _values(result: SweptMetric) -> Iterator[Row]:
    """Each value with its correlations."""
    curves = [result.sweep.correlations[coefficient] for coefficient in SYMBOLS]
    yield from zip(result.sweep.values, *curves, strict=True)


def _rows(result: SweptMetric) -> Iterator[Sequence[object]]:
    for value, *estimates in _values(result):
        figures = [figure for each in estimates for figure in (each.value, each.low, each.high)]
        yield [value, *figures, result.signature]


def _latex(result: SweptMetric) -> Iterator[str]:
    columns = [result.sweep.parameter, "Spearman", "low", "high", "Pearson", "low", "high"]
    rows = (
        [
            f"{value:g}",
            *(number(figure, 4) for each in estimates for figure in (each.value, each.low, each.high)),
        ]
        for value, *estimates in _values(result)
    )
    return tabular(columns, rows, comments=[result.sweep.metric, result.signature])


TABLE = ResultTable(COLUMNS, _rows, _latex)

register_page(
    AnalysisPage(
        METRIC_SWEEP.name,
        "analysis/metric_sweep.html",
        context,
        route="metric-sweep",
        fields=FIELDS,
        group="metrics",
        label="By parameter",
        place=50,
        files=SharedFiles(
            lambda shown, naming: headline(shown.result),
            figures,
            single_table("sweep", TABLE),
        ),
    )
)


def _stated(request: Request) -> dict[str, str]:
    """The parameters that are not the usual ones, as an address states them."""
    return dict(parse_qsl(query_of(request.parameters)))


def _default(result: SweptMetric, coefficient: Coefficient) -> Estimate | None:
    """The correlation at the value of the scores that are shown elsewhere, if it is among the values."""
    swept = result.sweep
    if swept.default not in swept.values:
        return None
    return swept.correlations[coefficient][swept.values.index(swept.default)]


sweep_image = figure_view(METRIC_SWEEP, figures, "sweep")
table = table_view(METRIC_SWEEP, TABLE, name="metric-by-parameter")
