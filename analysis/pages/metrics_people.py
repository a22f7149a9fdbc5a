"""The page of metrics against people: table, figures, tests, and all of them as files."""

from functools import partial
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.views.decorators.http import require_safe

from analysis.analyses.metric_titles import title_of_metric
from analysis.analyses.metrics_people import METRICS_PEOPLE
from analysis.analyses.metrics_people_result import (
    BOOTSTRAP,
    CALIBRATED,
    HUMAN_SCORES,
    SOFT,
    TITLES,
    MetricsAgainstPeople,
)
from analysis.pages.annotators import judges_of
from analysis.pages.metric_parts import (
    judged_without_reference,
    scatter_chart,
    test_table,
    tests_chart,
)
from analysis.pages.metrics_people_files import (
    ANNOTATORS,
    DOMAINS,
    SENTENCES,
    SYSTEMS,
    Parts,
    Tables,
    by_sentences,
    part_rows,
)
from analysis.pages.registered import AnalysisPage, register_page
from analysis.pages.results import CONTENT_TYPES, download, result_or_404
from analysis.pages.shared_files import Figure, FileTable, SharedFiles, naming_of
from analysis.pages.tables import in_order
from analysis.runs.requests import Request
from annotate.judgments.queries import labels_of
from annotate.models import Campaign, User
from annotate.web.access import AccountRequest, campaign_or_404, researcher
from annotate.web.images import image_of
from annotate.web.parameter_forms import query_of
from core.names import Judges, Naming
from core.results import Computed
from figures.drawing import Chart
from figures.metrics_people import SIGNIFICANT, SMALLEST_SHOWN, agreement_figure

OF_FILES = ("metric", "test", "table")
"""What addresses of figures and tables state beside the parameters of the analysis."""

FILE_NAMES = {CALIBRATED: "acc-eq"}
"""Of tables whose names do not suit a file."""

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


def context(request: Request, result: MetricsAgainstPeople, user: User) -> dict[str, Any]:
    """Metrics in their order, the tests between them, and what figures are asked for."""
    campaign = request.campaign
    metrics = list(result.metrics.items())
    judges = judges_of(campaign, may_see_names=user.may_see_names)
    query = query_of(request.parameters)
    annotators, domains = parts_of(result, judges)

    def stated(**more: str) -> str:
        return "&".join(filter(None, (query, urlencode(more))))

    return {
        "metrics": [(name, title_of_metric(name), metric) for name, metric in metrics],
        "headline": headline(result),
        "human": HUMAN_SCORES[result.human],
        "labels": labels_of(campaign.corpus),
        "tests": [
            (
                test_table(name, tests, list(result.metrics), smallest=smallest_p(name, result.permutations)),
                stated(test=name),
                stated(table=name),
            )
            for name, tests in result.tests.items()
        ],
        "open_test": SOFT,
        "scattered": [
            (title_of_metric(name), stated(metric=name))
            for name, metric in metrics
            if metric.pearson.value is not None
        ],
        "significant": SIGNIFICANT,
        "without_interval": without_interval(result),
        "by_sentences": [(title_of_metric(name), metric) for name, metric in by_sentences(result)],
        "not_by_sentences": [
            (title_of_metric(name), metric.sentences.reason)
            for name, metric in metrics
            if not metric.sentences.calibrated
        ],
        "pairs_left_out": max((metric.sentences.not_scored for _, metric in metrics), default=0),
        "without_reference": judged_without_reference(campaign),
        "leaving_out": [
            title_of_metric(name) for name, metric in by_sentences(result) if metric.sentences.unscored
        ],
        "parts": [
            (kind, label, part_rows(parts), stated(table=kind))
            for kind, label, parts in (
                (ANNOTATORS, "annotator", annotators),
                (DOMAINS, "domain", domains),
            )
            if part_rows(parts)
        ],
        "query": query,
        "of_systems": stated(table=SYSTEMS),
        "of_sentences": stated(table=SENTENCES),
        "confidence": round(100 * request.parameters.confidence),
    }


def parts_of(result: MetricsAgainstPeople, judges: Judges) -> tuple[Parts, Parts]:
    """The agreement of each metric with each annotator, by number, and within each domain."""
    annotators, domains = {}, {}
    for name, metric in by_sentences(result):
        by_judge = {part.part: part for part in metric.sentences.by_judge}
        annotators[name] = [(judge.known_as, by_judge[judge.key]) for judge in in_order(by_judge, judges)]
        domains[name] = [(part.part or "no domain", part) for part in metric.sentences.by_domain]
    return annotators, domains


def headline(result: MetricsAgainstPeople) -> str:
    """The result in a sentence: metrics from which the one of the highest r is not separated."""
    tests = result.tests[BOOTSTRAP]
    r = {name: each.pearson.value for name, each in result.metrics.items()}
    compared = sorted(tests.metrics, key=lambda name: -(r[name] or 0.0))
    if len(compared) < 2:
        [name, *others] = result.metrics
        if others or r[name] is None:
            return "These judgments do not say which metric agrees best with people."
        return f"{title_of_metric(name)} correlates with people at {r[name]:.2f}."
    of_best = dict(zip(tests.metrics, tests.holm[tests.metrics.index(compared[0])], strict=True))
    leading = [title_of_metric(name) for name in compared if not _is_significant(of_best[name])]
    if len(leading) == 1:
        return f"{leading[0]} agrees best with people."
    if len(leading) == len(compared):
        return "No metric agrees significantly better with people than another one."
    return (
        f"{', '.join(leading[:-1])} and {leading[-1]} agree best with people; "
        "the judgments do not separate them."
    )


def without_interval(result: MetricsAgainstPeople) -> dict[str, list[str]]:
    """By reason, the metrics whose correlations have no interval."""
    reasons: dict[str, list[str]] = {}
    for name, each in result.metrics.items():
        if each.pearson.value is not None and each.pearson.low is None and each.pearson.reason:
            reasons.setdefault(each.pearson.reason, []).append(title_of_metric(name))
    return reasons


def _is_significant(p: float | None) -> bool:
    return p is not None and p <= SIGNIFICANT


def smallest_p(test: str, permutations: int) -> float:
    """The smallest p-value that a test can tell from 0."""
    return max(SMALLEST_SHOWN, 1 / permutations if test in (SOFT, CALIBRATED) else 0)


def agreement_chart(result: MetricsAgainstPeople, naming: Naming) -> Chart | None:
    """Metrics by Pearson's r; None if none has one."""
    drawn = {title_of_metric(name): each.pearson for name, each in result.metrics.items()}
    if all(each.value is None for each in drawn.values()):
        return None
    title = f"{naming.title}: agreement with {HUMAN_SCORES[result.human]}"
    return agreement_figure(drawn, name="Pearson’s r", title=title)


def chart_of_metric(result: MetricsAgainstPeople, name: str, naming: Naming) -> Chart:
    """Systems by this metric and by people."""
    scores = result.metrics[name].scores
    return scatter_chart(naming, name, result.systems, scores, human=result.human)


def chart_of_test(result: MetricsAgainstPeople, name: str, naming: Naming) -> Chart:
    """P-values of the test of this name."""
    smallest = smallest_p(name, result.permutations)
    return tests_chart(naming, name, result.tests[name], [*result.metrics], smallest=smallest)


def figures(shown: Computed, naming: Naming) -> dict[str, Figure]:
    """The figures of a published result: all metrics, each metric, each test."""
    result = shown.result
    drawn: dict[str, Figure] = {}
    if (overview := agreement_chart(result, naming)) is not None:
        caption = f"Agreement of metrics with {HUMAN_SCORES[result.human]}"
        drawn["agreement"] = Figure(caption, overview, result.signature)
    for place, (name, metric) in enumerate(result.metrics.items(), start=1):
        if metric.pearson.value is not None:
            caption = f"Systems by {title_of_metric(name)} and by people"
            chart = chart_of_metric(result, name, naming)
            drawn[f"metric-{place}"] = Figure(caption, chart, result.signature)
    for name, tests in result.tests.items():
        if len(tests.metrics) > 1:
            caption = f"{TITLES[name]}: p that the row agrees no better than the column"
            chart = chart_of_test(result, name, naming)
            drawn[f"test-{FILE_NAMES.get(name, name)}"] = Figure(caption, chart, result.signature)
    return drawn


def tables(shown: Computed, naming: Naming) -> dict[str, FileTable]:
    """The tables of a published result."""
    of_result = Tables(shown.result, *parts_of(shown.result, naming.judges))
    return {
        FILE_NAMES.get(name, name): FileTable(
            partial(of_result.lines, name, "csv"), partial(of_result.lines, name, "tex")
        )
        for name in (SYSTEMS, SENTENCES, ANNOTATORS, DOMAINS, *shown.result.tests)
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
        files=SharedFiles(lambda shown, naming: headline(shown.result), figures, tables),
    )
)


@researcher
@require_safe
def agreement_image(request: AccountRequest, uuid: UUID, image: str) -> HttpResponse:
    """Metrics by Pearson's r."""
    campaign = campaign_or_404(uuid)
    result = _result(request, campaign)
    chart = agreement_chart(result, naming_of(campaign))
    return image_of(chart, request, image, signature=result.signature)


@researcher
@require_safe
def scatter_image(request: AccountRequest, uuid: UUID, image: str) -> HttpResponse:
    """Systems by the metric that the address names, and by people."""
    campaign = campaign_or_404(uuid)
    result = _result(request, campaign)
    name = request.GET.get("metric", "")
    if name not in result.metrics:
        raise Http404
    chart = chart_of_metric(result, name, naming_of(campaign))
    return image_of(chart, request, image, signature=result.signature)


@researcher
@require_safe
def tests_image(request: AccountRequest, uuid: UUID, image: str) -> HttpResponse:
    """P-values of the test that the address names."""
    campaign = campaign_or_404(uuid)
    result = _result(request, campaign)
    name = request.GET.get("test", "")
    if name not in result.tests or len(result.tests[name].metrics) < 2:
        raise Http404
    chart = chart_of_test(result, name, naming_of(campaign))
    return image_of(chart, request, image, signature=result.signature)


@researcher
@require_safe
def table(request: AccountRequest, uuid: UUID, file: str) -> StreamingHttpResponse:
    """The table that the address names: all figures as CSV, the main ones as LaTeX."""
    campaign = campaign_or_404(uuid)
    if file not in CONTENT_TYPES:
        raise Http404
    result = _result(request, campaign)
    name = request.GET.get("table", SYSTEMS)
    tables = Tables(result, *parts_of(result, judges_of(campaign, may_see_names=False)))
    try:
        lines = tables.lines(name, file)
    except KeyError as error:
        raise Http404 from error
    return download(lines, f"metrics-against-people-{FILE_NAMES.get(name, name)}", file)


def _result(request: AccountRequest, campaign: Campaign) -> MetricsAgainstPeople:
    result: MetricsAgainstPeople = result_or_404(request, METRICS_PEOPLE, campaign, choices=OF_FILES)
    return result
