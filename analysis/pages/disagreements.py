"""The page of sentences in which a metric and people disagree most: list, figure and files."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any
from urllib.parse import parse_qsl, urlencode
from uuid import UUID

from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.views.decorators.http import require_safe

from analysis.analyses.disagreements import DISAGREEMENTS, Disagreements, MetricDisagreements
from analysis.analyses.metric_titles import title_of_metric
from analysis.pages.registered import AnalysisPage, register_page
from analysis.pages.results import CONTENT_TYPES, download, result_or_404
from analysis.pages.shared_files import Figure, FileTable, SharedFiles, naming_of
from analysis.pages.shown_disagreements import shown_disagreements
from analysis.runs.requests import Request
from annotate.judgments.queries import labels_of
from annotate.models import Campaign, User
from annotate.web.access import AccountRequest, campaign_or_404, researcher
from annotate.web.images import image_of
from annotate.web.paging import Page
from annotate.web.parameter_forms import query_of
from core.formulas import guarded
from core.latex import escaped, number, tabular
from core.names import Naming
from core.results import Computed
from core.tables import csv_lines
from figures.disagreement import disagreement_figure
from figures.drawing import Chart

SENTENCES_PER_PAGE = 5
IN_LATEX = 20
"""Sentences of a table for a paper."""

CHOICES = ("metric", "domain", "after", "before")
FIELDS = ("fewest_pairs", "without_source", "references", "excluded")
COLUMNS = ("metric", "sentence", "domain", "disagreement", "pairs", "against", "source", "signature")


def chosen(request: Request, result: Disagreements, user: User, choices: Mapping[str, str]) -> dict[str, Any]:
    """The page of the list that the address asks for, of a metric and a domain."""
    campaign = request.campaign
    name = metric_named(result, choices.get("metric", ""))
    metric = result.metrics[name]
    domain = choices.get("domain", "")
    domain = domain if domain in metric.by_domain else ""
    rows = metric.rows(domain)
    page = page_of_rows(rows, choices)
    query = query_of(request.parameters)
    words = {"metric": name, **({"domain": domain} if domain else {})}
    return {
        "metric": metric,
        "title": title_of_metric(name),
        "headline": headline(metric, title_of_metric(name)),
        "part": metric.by_domain[domain] if domain else metric.whole,
        "listed": len(rows),
        "metrics": [(other, title_of_metric(other), other == name) for other in result.metrics],
        "domains": [(each, part, each == domain) for each, part in metric.by_domain.items()],
        "domain": domain,
        "hidden": parse_qsl(query),
        "query": query,
        "kept": words,
        "page": page.with_rows(
            shown_disagreements(campaign, result, name, page.rows, excluded=request.parameters.excluded)
        ),
        "labels": labels_of(campaign.corpus),
        "corpus": campaign.corpus,
        "stated": "&".join(filter(None, (query, urlencode(words)))),
    }


def metric_named(result: Disagreements, name: str) -> str:
    """The metric of this name, or the first one that disagrees anywhere."""
    if name in result.metrics:
        return name
    listed = [other for other, metric in result.metrics.items() if metric.overall]
    return next(iter([*listed, *result.metrics]))


def headline(metric: MetricDisagreements, title: str) -> str:
    """The result in a sentence."""
    if metric.reason:
        return f"{title} cannot be compared with people by sentences: {metric.reason}."
    agreed, sentences = metric.whole.agreed, metric.whole.sentences
    counted = f"{sentences:,} sentence{'s' if sentences != 1 else ''}"
    return f"{title} orders all outputs as people do in {agreed:,} of {counted}."


def page_of_rows(rows: Sequence[int], choices: Mapping[str, str]) -> Page[int]:
    """The rows after place `after`, or those before place `before`; an empty `before` is the last page."""
    size, last = SENTENCES_PER_PAGE, len(rows)
    before = choices.get("before")
    if before is None:
        begin = _place(choices.get("after", ""), last)
    elif before == "":
        begin = max(last - 1, 0) // size * size
    else:
        begin = max(_place(before, last) - size, 0)
    end = begin + size
    return Page(rows[begin:end], str(begin) if begin else None, str(end) if end < last else None)


def _place(text: str, last: int) -> int:
    """A place in the list; that of the first row if the text is none."""
    return min(int(text), max(last - 1, 0)) if text.isdecimal() and len(text) < 9 else 0


def chart(result: Disagreements, name: str, naming: Naming) -> Chart:
    """How far the metric of this name disagrees, over all sentences."""
    metric = result.metrics[name]
    title = f"{naming.title}: disagreement of {title_of_metric(name)} with people"
    return disagreement_figure(metric.distribution, metric.whole.agreed, title=title)


def figures(shown: Computed, naming: Naming) -> dict[str, Figure]:
    """The figures of a published result, one for each metric."""
    result = shown.result
    return {
        f"metric-{place}": Figure(
            f"Disagreement of {title_of_metric(name)} with people, by sentence",
            chart(result, name, naming),
            result.signature,
        )
        for place, (name, metric) in enumerate(result.metrics.items(), start=1)
        if metric.whole.sentences
    }


def tables(shown: Computed, naming: Naming) -> dict[str, FileTable]:
    """The tables of a published result, one for each metric, without texts of sentences."""
    result = shown.result
    return {
        f"metric-{place}": FileTable(
            partial(_csv, {}, result, name, metric.rows()),
            partial(_latex, {}, result, name, metric.rows()[:IN_LATEX]),
        )
        for place, (name, metric) in enumerate(result.metrics.items(), start=1)
    }


def headline_of_all(result: Disagreements) -> str:
    """The result of the metric that is listed first."""
    name = metric_named(result, "")
    return headline(result.metrics[name], title_of_metric(name))


register_page(
    AnalysisPage(
        DISAGREEMENTS.name,
        "analysis/disagreements.html",
        route="metric-disagreements",
        fields=FIELDS,
        group="metrics",
        label="Disagreements",
        place=40,
        choices=CHOICES,
        chosen=chosen,
        files=SharedFiles(lambda shown, naming: headline_of_all(shown.result), figures, tables),
    )
)


@researcher
@require_safe
def distribution_image(request: AccountRequest, uuid: UUID, image: str) -> HttpResponse:
    """How far the metric that the address names disagrees, over all sentences."""
    campaign = campaign_or_404(uuid)
    result = _result(request, campaign)
    name = request.GET.get("metric", "")
    metric = result.metrics.get(name)
    if metric is None or not metric.whole.sentences:
        raise Http404
    drawn = chart(result, name, naming_of(campaign))
    return image_of(drawn, request, image, signature=result.signature)


@researcher
@require_safe
def table(request: AccountRequest, uuid: UUID, file: str) -> StreamingHttpResponse:
    """The listed sentences of a metric as CSV, or the first ones as LaTeX; of a domain if one is named."""
    campaign = campaign_or_404(uuid)
    if file not in CONTENT_TYPES:
        raise Http404
    result = _result(request, campaign)
    if not result.metrics:
        raise Http404
    name = metric_named(result, request.GET.get("metric", ""))
    rows = result.metrics[name].rows(request.GET.get("domain", ""))
    rows = rows if file == "csv" else rows[:IN_LATEX]
    lines = (_csv if file == "csv" else _latex)(
        _sources(campaign, result.metrics[name], rows), result, name, rows
    )
    return download(lines, "disagreements", file)


def _result(request: AccountRequest, campaign: Campaign) -> Disagreements:
    result: Disagreements = result_or_404(request, DISAGREEMENTS, campaign, choices=CHOICES)
    return result


def _sources(campaign: Campaign, metric: MetricDisagreements, rows: Sequence[int]) -> dict[int, str]:
    positions = [int(metric.sentences[row]) for row in rows]
    texts = campaign.corpus.sentences.filter(position__in=positions).values_list("position", "text")
    return {position: text or "" for position, text in texts}


def _csv(sources: Mapping[int, str], result: Disagreements, name: str, rows: Sequence[int]) -> Iterator[str]:
    """The rows with the texts of their sentences, as far as these are given."""
    metric = result.metrics[name]
    cells = (
        [
            guarded(name),
            int(metric.sentences[row]),
            guarded(metric.domains[row]) if metric.domains else None,
            float(metric.sizes[row]),
            int(metric.pairs[row]),
            int(metric.against[row]),
            guarded(sources.get(int(metric.sentences[row]))),
            result.signature,
        ]
        for row in rows
    )
    return csv_lines(COLUMNS, cells)


def _latex(
    sources: Mapping[int, str], result: Disagreements, name: str, rows: Sequence[int]
) -> Iterator[str]:
    metric = result.metrics[name]
    cells = (
        [
            str(metric.sentences[row]),
            number(float(metric.sizes[row]), 3),
            f"{metric.against[row]} of {metric.pairs[row]}",
            escaped(sources.get(int(metric.sentences[row]), "")),
        ]
        for row in rows
    )
    columns = ["Sentence", "Disagreement", "Pairs against", "Source"]
    return tabular(columns, cells, comments=[f"{title_of_metric(name)} against people", result.signature])
