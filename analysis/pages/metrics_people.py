"""The page of metrics against people: table, figures, tests, and all of them as files."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.views.decorators.http import require_safe

from analysis.analyses.metrics_people import METRICS_PEOPLE
from analysis.analyses.metrics_people_result import (
    HUMAN_SCORES,
    SOFT,
    MetricAgainstPeople,
    MetricsAgainstPeople,
)
from analysis.pages.annotators import judges_of
from analysis.pages.metric_parts import scatter_chart, test_table, tests_chart, title_of_metric
from analysis.pages.registered import AnalysisPage, register_page
from analysis.pages.results import CONTENT_TYPES, download, result_or_404
from analysis.pages.tables import Judge, Judges, in_order
from analysis.runs.requests import Request
from annotate.judgments.queries import labels_of
from annotate.models import Campaign, User
from annotate.web.access import AccountRequest, campaign_or_404, researcher
from annotate.web.images import image_of, title_of
from annotate.web.parameter_forms import query_of
from figures.metrics_people import SIGNIFICANT, agreement_figure
from formats.formulas import guarded
from formats.writers.latex import escaped, number, tabular
from formats.writers.tables import csv_lines
from metrics.validation import Estimate, PartAgreement

OF_FIGURES = ("metric", "test")
"""What addresses of figures state beside the parameters of the analysis."""

FIELDS = (
    "human",
    "systems_by",
    "whole_set",
    "confidence",
    "without_source",
    "references",
    "exclude_systems",
    "excluded",
)
"""Of the form; the others are for the address, and for `manage.py analyse`."""

ESTIMATES = ("pearson", "spearman", "kendall", "accuracy", "spa")
OF_SENTENCES = ("tau", "tau_b", "accuracy")
COLUMNS = (
    "metric",
    "cluster",
    *(f"{name}{end}" for name in ESTIMATES for end in ("", "_low", "_high")),
    *(f"sentence_{name}{end}" for name in OF_SENTENCES for end in ("", "_low", "_high")),
    "acc_eq",
    "acc_eq_cluster",
    "metric_signature",
    "signature",
)


def context(request: Request, result: MetricsAgainstPeople, user: User) -> dict[str, Any]:
    """Metrics in their order, the tests between them, and what figures are asked for."""
    campaign = request.campaign
    metrics = list(result.metrics.items())
    judges = judges_of(campaign, may_see_names=user.may_see_names)
    query = query_of(request.parameters)
    return {
        "metrics": [(name, title_of_metric(name), metric) for name, metric in metrics],
        "headline": headline(result),
        "human": HUMAN_SCORES[result.human],
        "labels": labels_of(campaign.corpus),
        "tests": [test_table(name, tests, list(result.metrics)) for name, tests in result.tests.items()],
        "drawn_test": SOFT,
        "drawn": f"{query}&{urlencode({'test': SOFT})}",
        "scattered": [
            (title_of_metric(name), f"{query}&{urlencode({'metric': name})}")
            for name, metric in metrics
            if metric.pearson.value is not None
        ],
        "significant": SIGNIFICANT,
        "by_sentences": sorted(
            ((title_of_metric(name), metric) for name, metric in metrics if metric.sentences.calibrated),
            key=lambda row: -(row[1].sentences.calibrated.accuracy or 0),
        ),
        "parts": [(title_of_metric(name), *_parts(metric, judges)) for name, metric in metrics],
        "query": query,
        "confidence": round(100 * request.parameters.confidence),
    }


register_page(
    AnalysisPage(
        METRICS_PEOPLE.name,
        "analysis/metrics_people.html",
        context,
        route="metrics",
        fields=FIELDS,
        group="metrics",
        label="Agreement with people",
    )
)


def _parts(
    metric: MetricAgainstPeople, judges: Judges
) -> tuple[list[tuple[Judge, PartAgreement]], tuple[PartAgreement, ...]]:
    """The agreement of a metric with each annotator, by number, and within each domain."""
    by_judge = {part.part: part for part in metric.sentences.by_judge}
    return [(judge, by_judge[judge.key]) for judge in in_order(by_judge, judges)], metric.sentences.by_domain


def headline(result: MetricsAgainstPeople) -> str:
    """The result in a sentence."""
    leading = [title_of_metric(name) for name, each in result.metrics.items() if each.cluster == 1]
    if not leading:
        return "These judgments do not say which metric agrees best with people."
    if len(leading) == 1:
        return f"{leading[0]} agrees best with people."
    if len(leading) == len(result.metrics):
        return "No metric agrees significantly better with people than another one."
    return (
        f"{', '.join(leading[:-1])} and {leading[-1]} agree best with people; "
        "the judgments do not separate them."
    )


@researcher
@require_safe
def agreement_image(request: AccountRequest, uuid: UUID, image: str) -> HttpResponse:
    """Metrics by Pearson's r."""
    campaign = campaign_or_404(uuid)
    result = _result(request, campaign)
    drawn = {title_of_metric(name): each.pearson for name, each in result.metrics.items()}
    if all(each.value is None for each in drawn.values()):
        raise Http404
    title = f"{title_of(campaign)}: agreement with {HUMAN_SCORES[result.human]}"
    return image_of(agreement_figure(drawn, name="Pearson’s r", title=title), request, image)


@researcher
@require_safe
def scatter_image(request: AccountRequest, uuid: UUID, image: str) -> HttpResponse:
    """Systems by the metric that the address names, and by people."""
    campaign = campaign_or_404(uuid)
    result = _result(request, campaign)
    name = request.GET.get("metric", "")
    if name not in result.metrics:
        raise Http404
    scores = result.metrics[name].scores
    return image_of(scatter_chart(campaign, name, result.systems, scores, human=result.human), request, image)


@researcher
@require_safe
def tests_image(request: AccountRequest, uuid: UUID, image: str) -> HttpResponse:
    """P-values of the test that the address names."""
    campaign = campaign_or_404(uuid)
    result = _result(request, campaign)
    tests = result.tests.get(request.GET.get("test", ""))
    if tests is None or len(tests.metrics) < 2:
        raise Http404
    return image_of(tests_chart(campaign, request.GET["test"], tests, [*result.metrics]), request, image)


@researcher
@require_safe
def table(request: AccountRequest, uuid: UUID, file: str) -> StreamingHttpResponse:
    """All figures of each metric as CSV, or the main ones as LaTeX."""
    campaign = campaign_or_404(uuid)
    if file not in CONTENT_TYPES:
        raise Http404
    result = _result(request, campaign)
    lines = _csv(result) if file == "csv" else _latex(result)
    return download(lines, "metrics-against-people", file)


def _result(request: AccountRequest, campaign: Campaign) -> MetricsAgainstPeople:
    result: MetricsAgainstPeople = result_or_404(request, METRICS_PEOPLE, campaign, choices=OF_FIGURES)
    return result


def _csv(result: MetricsAgainstPeople) -> Iterator[str]:
    return csv_lines(
        COLUMNS, (_row(name, metric, result.signature) for name, metric in result.metrics.items())
    )


def _row(name: str, metric: MetricAgainstPeople, signature: str) -> list[object]:
    sentences = metric.sentences
    estimates: list[Estimate] = [
        *(getattr(metric, each) for each in ESTIMATES),
        *(getattr(sentences, each) for each in OF_SENTENCES),
    ]
    return [
        guarded(name),
        metric.cluster,
        *(value for each in estimates for value in (each.value, each.low, each.high)),
        sentences.calibrated.accuracy if sentences.calibrated else None,
        metric.sentence_cluster,
        metric.signature,
        signature,
    ]


def _latex(result: MetricsAgainstPeople) -> Iterator[str]:
    columns = ["Metric", "Pearson", "Spearman", "Kendall", "SPA", "Cluster", "Tau", "acc*eq", "Cluster"]
    return tabular(
        columns,
        (
            [
                escaped(title_of_metric(name)),
                *(
                    number(getattr(metric, each).value, 3)
                    for each in ("pearson", "spearman", "kendall", "spa")
                ),
                number(metric.cluster, 0),
                number(metric.sentences.tau.value, 3),
                number(metric.sentences.calibrated.accuracy if metric.sentences.calibrated else None, 3),
                number(metric.sentence_cluster, 0),
            ]
            for name, metric in result.metrics.items()
        ),
        comments=[result.signature],
    )
