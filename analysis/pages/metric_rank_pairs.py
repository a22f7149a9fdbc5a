"""The page of metrics by pairs of ranks: table, figures and files."""

from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.http import Http404, HttpResponse
from django.views.decorators.http import require_safe

from analysis.analyses.metric_rank_pairs import METRIC_RANK_PAIRS, MetricsByRankPairs
from analysis.analyses.metric_titles import title_of_metric
from analysis.pages.metric_parts import judged_without_reference
from analysis.pages.registered import AnalysisPage, register_page
from analysis.pages.results import result_or_404, table_view
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
from figures.drawing import Chart
from figures.rank_pairs import rank_pairs_figure
from metrics.validation import MetricByRanks, PairShare

CHOICES = ("metric",)
FIELDS = ("last_rank", "without_source", "references", "exclude_systems", "excluded")
COLUMNS = (
    "metric",
    "better_rank",
    "worse_rank",
    "pairs",
    "agreed",
    "ties",
    "accuracy",
    "accuracy_low",
    "accuracy_high",
    "signature",
)


def context(request: Request, result: MetricsByRankPairs, user: User) -> dict[str, Any]:
    """A row for each difference and each pair of ranks, a column for each metric."""
    scored = scored_metrics(result)
    query = query_of(request.parameters)
    first = next(iter(scored.values()), None)
    return {
        "titles": [title_of_metric(name) for name in scored],
        "whole": [metric.whole for metric in scored.values()],
        "differences": []
        if first is None
        else [
            (difference, share.pairs, [metric.by_difference[difference] for metric in scored.values()])
            for difference, share in first.by_difference.items()
        ],
        "cells": []
        if first is None
        else [
            (cell, [metric.cells[place].share for metric in scored.values()])
            for place, cell in enumerate(first.cells)
        ],
        "missing": [
            (title_of_metric(name), metric.reason)
            for name, metric in result.metrics.items()
            if metric.whole is None
        ],
        "headline": headline(result),
        "drawn": [
            (title_of_metric(name), "&".join(filter(None, (query, urlencode({"metric": name})))))
            for name in scored
        ],
        "without_reference": judged_without_reference(request.campaign),
        "last_rank": request.parameters.last_rank,
        "confidence": round(100 * request.parameters.confidence),
        "query": query,
    }


def scored_metrics(result: MetricsByRankPairs) -> dict[str, MetricByRanks]:
    """The metrics with scores of sentences, which are compared on the same pairs."""
    return {name: metric for name, metric in result.metrics.items() if metric.whole is not None}


def headline(result: MetricsByRankPairs) -> str:
    """The result in a sentence: how far it is easier to order outputs that people put far apart."""
    scored = scored_metrics(result)
    if not scored:
        return "These judgments have no pair of outputs that metrics could order."
    accuracies = {name: metric.whole.accuracy.value or 0.0 for name, metric in scored.items() if metric.whole}
    best = max(accuracies, key=lambda name: accuracies[name])
    by_difference = scored[best].by_difference
    near, far = min(by_difference), max(by_difference)
    start = f"{title_of_metric(best)} orders most pairs of outputs as people do: {accuracies[best]:.0%}"
    if near == far:
        return f"{start}."
    return (
        f"{start}, {_percent(by_difference[near])} of those {near} rank{'s' if near > 1 else ''} apart and "
        f"{_percent(by_difference[far])} of those {far} apart."
    )


def _percent(share: PairShare) -> str:
    return f"{share.accuracy.value or 0.0:.0%}"


def chart(result: MetricsByRankPairs, name: str, naming: Naming) -> Chart:
    """The pairs of ranks of the metric of this name, which has some."""
    title = f"{naming.title}: accuracy of {title_of_metric(name)} by ranks"
    return rank_pairs_figure(result.metrics[name], title=title)


def figures(shown: Computed, naming: Naming) -> dict[str, Figure]:
    """The figures of a published result, one for each metric."""
    result = shown.result
    return {
        f"metric-{place}": Figure(
            f"Accuracy of {title_of_metric(name)} by the ranks of two outputs",
            chart(result, name, naming),
            result.signature,
        )
        for place, (name, metric) in enumerate(result.metrics.items(), start=1)
        if metric.cells
    }


def _rows(result: MetricsByRankPairs) -> Iterator[Sequence[object]]:
    for name, metric in scored_metrics(result).items():
        for cell in metric.cells:
            share = cell.share
            accuracy = share.accuracy
            yield [
                guarded(name),
                cell.better,
                cell.worse,
                share.pairs,
                share.agreed,
                share.ties,
                accuracy.value,
                accuracy.low,
                accuracy.high,
                result.signature,
            ]


def _latex(result: MetricsByRankPairs) -> Iterator[str]:
    scored = scored_metrics(result)
    cells = next((metric.cells for metric in scored.values()), ())
    rows = (
        [
            f"{cell.better}, {cell.worse}",
            number(cell.share.pairs, 0),
            *(number(metric.cells[place].share.accuracy.value, 3) for metric in scored.values()),
        ]
        for place, cell in enumerate(cells)
    )
    columns = ["Ranks", "Pairs", *(escaped(title_of_metric(name)) for name in scored)]
    return tabular(columns, rows, comments=[result.signature])


TABLE = ResultTable(COLUMNS, _rows, _latex)

register_page(
    AnalysisPage(
        METRIC_RANK_PAIRS.name,
        "analysis/metric_rank_pairs.html",
        context,
        route="metric-rank-pairs",
        fields=FIELDS,
        group="metrics",
        label="Pairs of ranks",
        place=30,
        files=SharedFiles(
            lambda shown, naming: headline(shown.result),
            figures,
            single_table("rank-pairs", TABLE),
        ),
    )
)


@researcher
@require_safe
def pairs_image(request: AccountRequest, uuid: UUID, image: str) -> HttpResponse:
    """The pairs of ranks of the metric that the address names."""
    campaign = campaign_or_404(uuid)
    name = request.GET.get("metric", "")
    result: MetricsByRankPairs = result_or_404(request, METRIC_RANK_PAIRS, campaign, choices=CHOICES)
    metric = result.metrics.get(name)
    if metric is None or not metric.cells:
        raise Http404
    drawn = chart(result, name, naming_of(campaign))
    return image_of(drawn, request, image, signature=result.signature)


table = table_view(METRIC_RANK_PAIRS, TABLE, name="metrics-by-pairs-of-ranks", choices=CHOICES)
