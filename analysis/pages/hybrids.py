"""The page of metrics against people with synthetic systems: tables, figures and files."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.views.decorators.http import require_safe

from analysis.analyses.hybrids import HYBRIDS, MetricsWithHybrids, MetricWithHybrids
from analysis.analyses.metric_titles import title_of_metric
from analysis.analyses.metrics_people_result import HUMAN_SCORES, TITLES, WILLIAMS
from analysis.pages.metric_parts import scatter_chart, test_table, tests_chart
from analysis.pages.registered import AnalysisPage, register_page
from analysis.pages.results import download, result_or_404, table_view
from analysis.pages.shared_files import Figure, ResultTable, SharedFiles, naming_of, single_table
from analysis.runs.requests import Request
from annotate.models import User
from annotate.web.access import AccountRequest, campaign_or_404, researcher
from annotate.web.images import image_of
from annotate.web.parameter_forms import query_of
from core.formulas import guarded
from core.latex import escaped, number, tabular
from core.names import Naming
from core.results import Computed
from core.tables import csv_lines
from figures.drawing import Chart
from figures.metrics_people import SIGNIFICANT, SMALLEST_SHOWN, agreement_figure

CHOICES = ("metric",)
FIELDS = ("human", "draws", "with_source", "references", "exclude_systems", "excluded")
ESTIMATES = ("pearson", "spearman", "judged_pearson", "judged_spearman")
COLUMNS = (
    "metric",
    *(f"{name}{end}" for name in ESTIMATES for end in ("", "_low", "_high")),
    "metric_signature",
    "signature",
)
MOST_DRAWN = 1500
"""Synthetic systems in a scatter plot: more are a cloud that loads slowly."""


def context(request: Request, result: MetricsWithHybrids, user: User) -> dict[str, Any]:
    """Metrics in their order, the tests between them, and what figures are asked for."""
    query = query_of(request.parameters)
    scattered = [
        (title_of_metric(name), "&".join(part for part in (query, urlencode({"metric": name})) if part))
        for name, metric in result.metrics.items()
        if metric.pearson.value is not None
    ]
    return {
        "metrics": [(title_of_metric(name), metric) for name, metric in result.metrics.items()],
        "headline": headline(result),
        "human": HUMAN_SCORES[result.human],
        "test": test_table(WILLIAMS, result.tests, list(result.metrics), smallest=SMALLEST_SHOWN),
        "scattered": scattered,
        "significant": SIGNIFICANT,
        "draws": request.parameters.draws,
        "query": query,
        "confidence": round(100 * request.parameters.confidence),
        "replicates": request.parameters.replicates,
        "is_thinned": len(result.hybrids) > MOST_DRAWN,
        "most_drawn": MOST_DRAWN,
    }


def headline(result: MetricsWithHybrids) -> str:
    """The result in a sentence."""
    best = next((name for name, each in result.metrics.items() if each.pearson.value is not None), None)
    if best is None:
        return "No metric can be correlated with people over synthetic systems."
    return f"{title_of_metric(best)} correlates best with people over systems and synthetic systems."


def agreement_chart(result: MetricsWithHybrids, naming: Naming) -> Chart | None:
    """Metrics by Pearson's r over systems and synthetic systems; None if none has one."""
    drawn = {title_of_metric(name): each.pearson for name, each in result.metrics.items()}
    if all(each.value is None for each in drawn.values()):
        return None
    title = f"{naming.title}: agreement with people over {len(result.hybrids):,} synthetic systems"
    return agreement_figure(drawn, name="Pearson’s r", title=title)


def chart_of_metric(result: MetricsWithHybrids, name: str, naming: Naming) -> Chart:
    """Systems and synthetic systems by this metric and by people."""
    metric = result.metrics[name]
    every = max(1, -(-len(result.hybrids) // MOST_DRAWN))
    synthetic = list(zip(result.hybrids.tolist()[::every], metric.hybrids.tolist()[::every], strict=True))
    return scatter_chart(naming, name, result.systems, metric.scores, human=result.human, synthetic=synthetic)


def chart_of_tests(result: MetricsWithHybrids, naming: Naming) -> Chart:
    """P-values of Williams' test."""
    return tests_chart(naming, WILLIAMS, result.tests, [*result.metrics], smallest=SMALLEST_SHOWN)


def figures(shown: Computed, naming: Naming) -> dict[str, Figure]:
    """The figures of a published result: all metrics, each metric, the tests."""
    result = shown.result
    drawn: dict[str, Figure] = {}
    if (overview := agreement_chart(result, naming)) is not None:
        caption = "Agreement of metrics with people over systems and synthetic systems"
        drawn["agreement"] = Figure(caption, overview, result.signature)
    for place, (name, metric) in enumerate(result.metrics.items(), start=1):
        if metric.pearson.value is not None:
            caption = f"Systems and synthetic systems by {title_of_metric(name)} and by people"
            chart = chart_of_metric(result, name, naming)
            drawn[f"metric-{place}"] = Figure(caption, chart, result.signature)
    if len(result.tests.metrics) > 1:
        caption = f"{TITLES[WILLIAMS]}: p that the row agrees no better than the column"
        drawn["test-williams"] = Figure(caption, chart_of_tests(result, naming), result.signature)
    return drawn


def _rows(result: MetricsWithHybrids) -> Iterator[Sequence[object]]:
    for name, metric in result.metrics.items():
        estimates = [getattr(metric, each) for each in ESTIMATES]
        figures = [figure for each in estimates for figure in (each.value, each.low, each.high)]
        yield [guarded(name), *figures, metric.signature, result.signature]


def _latex(result: MetricsWithHybrids) -> Iterator[str]:
    def row(name: str, metric: MetricWithHybrids) -> list[str]:
        return [
            escaped(title_of_metric(name)),
            *(number(getattr(metric, each).value, 3) for each in ESTIMATES),
        ]

    columns = ["Metric", "Pearson", "Spearman", "Pearson, systems alone", "Spearman, systems alone"]
    metrics: Mapping[str, MetricWithHybrids] = result.metrics
    return tabular(columns, (row(name, each) for name, each in metrics.items()), comments=[result.signature])


TABLE = ResultTable(COLUMNS, _rows, _latex)

register_page(
    AnalysisPage(
        HYBRIDS.name,
        "analysis/hybrids.html",
        context,
        route="hybrids",
        fields=FIELDS,
        group="metrics",
        label="Synthetic systems",
        place=40,
        files=SharedFiles(
            lambda shown, naming: headline(shown.result),
            figures,
            single_table("hybrids", TABLE),
        ),
    )
)


@researcher
@require_safe
def agreement_image(request: AccountRequest, uuid: UUID, image: str) -> HttpResponse:
    """Metrics by Pearson's r over systems and synthetic systems."""
    campaign = campaign_or_404(uuid)
    result = _result(request, uuid)
    chart = agreement_chart(result, naming_of(campaign))
    return image_of(chart, request, image, signature=result.signature)


@researcher
@require_safe
def scatter_image(request: AccountRequest, uuid: UUID, image: str) -> HttpResponse:
    """Systems and synthetic systems by the metric that the address names, and by people."""
    campaign = campaign_or_404(uuid)
    result = _result(request, uuid)
    name = request.GET.get("metric", "")
    metric = result.metrics.get(name)
    if metric is None or metric.pearson.value is None:
        raise Http404
    chart = chart_of_metric(result, name, naming_of(campaign))
    return image_of(chart, request, image, signature=result.signature)


@researcher
@require_safe
def tests_image(request: AccountRequest, uuid: UUID, image: str) -> HttpResponse:
    """P-values of Williams' test."""
    result = _result(request, uuid)
    if len(result.tests.metrics) < 2:
        raise Http404
    chart = chart_of_tests(result, naming_of(campaign_or_404(uuid)))
    return image_of(chart, request, image, signature=result.signature)


@researcher
@require_safe
def systems_table(request: AccountRequest, uuid: UUID, file: str) -> StreamingHttpResponse:
    """All systems, synthetic ones with what they are mixed of, with their scores, as CSV."""
    if file != "csv":
        raise Http404
    return download(_systems(_result(request, uuid)), "synthetic-systems", file)


def _result(request: AccountRequest, uuid: UUID) -> MetricsWithHybrids:
    result: MetricsWithHybrids = result_or_404(request, HYBRIDS, campaign_or_404(uuid), choices=CHOICES)
    return result


def _systems(result: MetricsWithHybrids) -> Iterator[str]:
    columns = ["first", "second", "percent_of_first", "draw", "people", *map(guarded, result.metrics)]
    return csv_lines(columns, _system_rows(result))


def _system_rows(result: MetricsWithHybrids) -> Iterator[list[object]]:
    names = list(result.systems)
    for system, human in result.systems.items():
        scores = [metric.scores[system] for metric in result.metrics.values()]
        yield [guarded(system), None, None, None, human, *scores]
    of_metrics = [metric.hybrids.tolist() for metric in result.metrics.values()]
    columns = (result.first, result.second, result.percent, result.draw, result.hybrids)
    mixed: Iterator[tuple[Any, ...]] = zip(*(each.tolist() for each in columns), *of_metrics, strict=True)
    for first, second, percent, draw, *scores in mixed:
        shown = [None if score != score else score for score in scores]  # NaN
        yield [guarded(names[first]), guarded(names[second]), percent, draw + 1, *shown]


table = table_view(HYBRIDS, TABLE, name="metrics-synthetic-systems", choices=CHOICES)
