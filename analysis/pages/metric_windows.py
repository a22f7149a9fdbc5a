"""The page of metrics in windows of neighbouring systems: table, figures and files."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.views.decorators.http import require_safe

from analysis.analyses.metric_titles import title_of_metric
from analysis.analyses.metric_windows import METRIC_WINDOWS, MetricsInWindows
from analysis.analyses.metrics_people_result import HUMAN_SCORES
from analysis.pages.registered import AnalysisPage, register_page
from analysis.pages.results import result_or_404, table_file
from analysis.pages.shared_files import Figure, ResultTable, SharedFiles, naming_of, single_table
from analysis.runs.requests import Request
from annotate.judgments.queries import labels_of
from annotate.models import User
from annotate.web.access import AccountRequest, campaign_or_404, researcher
from annotate.web.images import image_of
from annotate.web.parameter_forms import query_of
from core.formulas import guarded
from core.latex import escaped, number, tabular
from core.names import Naming
from core.results import Computed
from figures.drawing import Chart
from figures.metric_windows import window_course_figure, windows_figure
from metrics.validation import Estimate, MetricInWindows, Window, WindowAgreement
from ranking import Coefficient

ACCURACY = "accuracy"
FIGURES = {
    Coefficient.PEARSON.value: "Pearson’s r",
    Coefficient.SPEARMAN.value: "Spearman’s ρ",
    Coefficient.KENDALL.value: "Kendall’s τ",
    ACCURACY: "Accuracy",
}
"""What can be shown of each window, by its name in addresses."""

CHOICES = ("figure", "metric")
FIELDS = ("size", "human", "whole_set", "without_source", "references", "exclude_systems", "excluded")
COLUMNS = (
    "metric",
    "first_rank",
    "last_rank",
    "systems",
    *(f"{name}{end}" for name in FIGURES for end in ("", "_low", "_high")),
    "signature",
)


def context(request: Request, result: MetricsInWindows, user: User) -> dict[str, Any]:
    """Systems in their order, with the label of each."""
    return {
        "human": HUMAN_SCORES[result.human],
        "labels": labels_of(request.campaign.corpus),
        "windows": [(title_of_window(window), window) for window in result.windows],
        "size": request.parameters.size,
        "confidence": round(100 * request.parameters.confidence),
        "query": query_of(request.parameters),
    }


def chosen(
    request: Request, result: MetricsInWindows, user: User, choices: Mapping[str, str]
) -> dict[str, Any]:
    """The rows of the figure that is shown, and the addresses of the others."""
    figure = choices.get("figure", "")
    figure = figure if figure in FIGURES else Coefficient.PEARSON.value
    query = query_of(request.parameters)

    def stated(**words: str) -> str:
        return "&".join(part for part in (query, urlencode(words)) if part)

    return {
        "figure": FIGURES[figure],
        "figures": [(title, stated(figure=name), name == figure) for name, title in FIGURES.items()],
        "rows": [
            (
                title_of_metric(name),
                of_figure(metric.whole, figure),
                [of_figure(each, figure) for each in metric.windows],
            )
            for name, metric in result.metrics.items()
        ],
        "headline": headline(result, figure),
        "stated": stated(figure=figure),
        "courses": [
            (title_of_metric(name), stated(figure=figure, metric=name))
            for name, metric in result.metrics.items()
            if any(of_figure(each, figure).value is not None for each in metric.windows)
        ],
    }


def title_of_window(window: Window) -> str:
    """The ranks of its systems."""
    return f"{window.first}–{window.last}"


def of_figure(agreement: WindowAgreement, figure: str) -> Estimate:
    """The figure of this name in `FIGURES`."""
    return agreement.accuracy if figure == ACCURACY else agreement.correlations[Coefficient(figure)]


def headline(result: MetricsInWindows, figure: str) -> str:
    """The result in a sentence: which metric agrees most among the best systems."""
    if result.reason:
        return result.reason
    values = {
        name: value
        for name, metric in result.metrics.items()
        if (value := of_figure(metric.windows[0], figure).value) is not None
    }
    best = f"the {result.windows[0].last} best systems"
    if not values:
        return f"No metric can be compared with people on {best}."
    highest = max(values.values())
    leading = [title_of_metric(name) for name, value in values.items() if value == highest]
    names = leading[0] if len(leading) == 1 else f"{', '.join(leading[:-1])} and {leading[-1]}"
    verb = "agrees" if len(leading) == 1 else "agree"
    return f"Among {best}, {names} {verb} most with people."


def windows_chart(result: MetricsInWindows, figure: str, naming: Naming) -> Chart | None:
    """All metrics by window; None if nothing can be compared."""
    values = {
        title_of_metric(name): [of_figure(each, figure) for each in (metric.whole, *metric.windows)]
        for name, metric in result.metrics.items()
    }
    if all(each.value is None for row in values.values() for each in row):
        return None
    columns = ["all", *map(title_of_window, result.windows)]
    title = f"{naming.title}: agreement with {HUMAN_SCORES[result.human]}"
    return windows_figure(values, columns, name=FIGURES[figure], title=title)


def course_chart(result: MetricsInWindows, name: str, figure: str, naming: Naming) -> Chart | None:
    """The metric of this name from window to window; None if it cannot be compared in any."""
    metric = result.metrics[name]
    values = [of_figure(each, figure) for each in metric.windows]
    if all(each.value is None for each in values):
        return None
    return window_course_figure(
        values,
        [title_of_window(window) for window in result.windows],
        whole=of_figure(metric.whole, figure),
        name=FIGURES[figure],
        title=f"{naming.title}: {title_of_metric(metric.metric)} in windows of systems",
    )


def figures(shown: Computed, naming: Naming) -> dict[str, Figure]:
    """The figures of a published result, by Pearson's r."""
    result, by = shown.result, Coefficient.PEARSON.value
    drawn: dict[str, Figure] = {}
    if (overview := windows_chart(result, by, naming)) is not None:
        caption = f"{FIGURES[by]} of metrics in windows of neighbouring systems"
        drawn["windows"] = Figure(caption, overview, result.signature)
    for place, name in enumerate(result.metrics, start=1):
        if (course := course_chart(result, name, by, naming)) is not None:
            caption = f"{FIGURES[by]} of {title_of_metric(name)} from window to window"
            drawn[f"metric-{place}"] = Figure(caption, course, result.signature)
    return drawn


def _rows(result: MetricsInWindows) -> Iterator[Sequence[object]]:
    systems = tuple(result.systems)
    everything = Window(1, len(systems), systems)
    for name, metric in result.metrics.items():
        for window, agreed in zip(
            (everything, *result.windows), (metric.whole, *metric.windows), strict=True
        ):
            estimates = [of_figure(agreed, figure) for figure in FIGURES]
            yield [
                guarded(name),
                window.first,
                window.last,
                guarded(" ".join(window.systems)),
                *(value for each in estimates for value in (each.value, each.low, each.high)),
                result.signature,
            ]


def _latex(figure: str, result: MetricsInWindows) -> Iterator[str]:
    def row(name: str, metric: MetricInWindows) -> list[str]:
        estimates = [of_figure(each, figure) for each in (metric.whole, *metric.windows)]
        return [escaped(title_of_metric(name)), *(number(each.value, 3) for each in estimates)]

    columns = ["Metric", "All", *(f"{window.first}--{window.last}" for window in result.windows)]
    rows = (row(name, metric) for name, metric in result.metrics.items())
    return tabular(columns, rows, comments=[f"{figure}, by ranks of systems", result.signature])


def _table(figure: str) -> ResultTable[MetricsInWindows]:
    return ResultTable(COLUMNS, _rows, partial(_latex, figure))


register_page(
    AnalysisPage(
        METRIC_WINDOWS.name,
        "analysis/metric_windows.html",
        context,
        route="metric-windows",
        fields=FIELDS,
        group="metrics",
        label="Windows",
        place=20,
        choices=CHOICES,
        chosen=chosen,
        files=SharedFiles(
            lambda shown, naming: headline(shown.result, Coefficient.PEARSON.value),
            figures,
            single_table("windows", _table(Coefficient.PEARSON.value)),
        ),
    )
)


@researcher
@require_safe
def windows_image(request: AccountRequest, uuid: UUID, image: str) -> HttpResponse:
    """All metrics by window."""
    result, figure = _asked(request, uuid)
    chart = windows_chart(result, figure, naming_of(campaign_or_404(uuid)))
    return image_of(chart, request, image, signature=result.signature)


@researcher
@require_safe
def course_image(request: AccountRequest, uuid: UUID, image: str) -> HttpResponse:
    """The metric that the address names, from window to window."""
    result, figure = _asked(request, uuid)
    name = request.GET.get("metric", "")
    if name not in result.metrics:
        raise Http404
    chart = course_chart(result, name, figure, naming_of(campaign_or_404(uuid)))
    return image_of(chart, request, image, signature=result.signature)


@researcher
@require_safe
def table(request: AccountRequest, uuid: UUID, file: str) -> StreamingHttpResponse:
    """All figures of each window as CSV, or the one that is shown as LaTeX."""
    result, figure = _asked(request, uuid)
    return table_file(_table(figure).of(result), file, name="metrics-in-windows")


def _asked(request: AccountRequest, uuid: UUID) -> tuple[MetricsInWindows, str]:
    """The result, and the name of the figure that the address chooses."""
    figure = request.GET.get("figure", Coefficient.PEARSON.value)
    if figure not in FIGURES:
        raise Http404
    result: MetricsInWindows = result_or_404(request, METRIC_WINDOWS, campaign_or_404(uuid), choices=CHOICES)
    return result, figure
