"""The page of sentences in which a metric and people disagree most: the list of sentences."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl, urlencode
from uuid import UUID

from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.views.decorators.http import require_safe

from analysis.analyses.base import AnyAnalysis
from analysis.analyses.metric_titles import title_of_metric
from analysis.analyses.metrics.disagreements import DISAGREEMENTS, Disagreements, rows, sentences_table
from analysis.analyses.metrics.metric_advice import METRIC_ADVICE
from analysis.analyses.metrics.metric_advice_verdicts import MetricAdvice
from analysis.analyses.metrics.metrics_people import METRICS_PEOPLE
from analysis.analyses.metrics.metrics_people_result import MetricsAgainstPeople, sorted_by_r
from analysis.pages.shown_disagreements import shown_disagreements
from analysis.results.declared_pages import ShownSection, declared_page
from analysis.results.registered_pages import register_page
from analysis.results.result_files import computed_or_404, table_file
from analysis.results.shared_files import naming_of
from analysis.runs.queries import kept
from analysis.runs.requests import Request, request_of
from annotate.judgments.queries import labels_of
from annotate.models import Campaign, User
from annotate.web.access import AccountRequest, campaign_or_404, researcher
from annotate.web.paging import Page
from annotate.web.parameter_forms import query_of
from core.parameters import ParameterError

SENTENCES_PER_PAGE = 3
OF_THE_LIST = ("domain", "after", "before")
PAGE = declared_page(DISAGREEMENTS)


def chosen(
    request: Request, result: Disagreements, user: User, choices: Mapping[str, str]
) -> dict[str, object]:
    """The page of the list that the address asks for, of a metric and a domain.

    It begins with a metric that the advice recommends, or else the one of the highest r with people.
    """
    usual = {"metric": first_metric(request.campaign, result)}
    declared = PAGE.chosen(request, result, user, {**usual, **choices})
    campaign, name = request.campaign, declared["computed"].chosen["metric"]
    metric = result.metrics[name]
    domain = choices.get("domain", "")
    domain = domain if domain in metric.by_domain else ""
    part = metric.by_domain[domain] if domain else metric.whole
    listed = metric.rows(domain)
    page = page_of_rows(listed, choices)
    query = query_of(request.parameters)
    words = {"metric": name, **({"domain": domain} if domain else {})}
    return {
        **declared,
        "sections": [without_other_metrics(each) for each in declared["sections"]],
        "metric": metric,
        "title": title_of_metric(name),
        "part": part,
        "listed": len(listed),
        "differing": part.sentences - part.agreed,
        "choices": [("Metric", _metrics(result, name, query, domain))],
        "domains": [(each, its, each == domain) for each, its in metric.by_domain.items()],
        "domain": domain,
        "hidden": [*parse_qsl(query), ("metric", name)],
        "kept": words,
        "page": page.with_rows(
            shown_disagreements(campaign, result, name, page.rows, excluded=request.parameters.excluded)
        ),
        "labels": labels_of(campaign.corpus),
        "corpus": campaign.corpus,
        "of_list": "&".join(filter(None, (query, urlencode(words)))),
    }


def _metrics(result: Disagreements, chosen: str, query: str, domain: str) -> list[tuple[str, str, bool]]:
    """The metrics to choose from: title, query, and whether it is shown."""
    in_domain = [("domain", domain)] if domain else []
    return [
        (title_of_metric(name), urlencode([*parse_qsl(query), ("metric", name), *in_domain]), name == chosen)
        for name in result.metrics
    ]


def without_other_metrics(section: ShownSection) -> ShownSection:
    """The section with figures that do not link to other metrics: the whole page is of a chosen one."""
    return replace(section, figures=[replace(figure, others=()) for figure in section.figures])


def first_metric(campaign: Campaign, result: Disagreements) -> str:
    """The metric of most interest that disagrees anywhere; empty if nothing says which that is.

    That is the first one that the advice recommends, or else that of the highest r with people. Both are
    taken from stored results.
    """
    names = metrics_of_interest(campaign)
    return next((name for name in names if name in result.metrics and result.metrics[name].overall), "")


def metrics_of_interest(campaign: Campaign) -> list[str]:
    """The metrics that the advice recommends, then all in the order of *Metrics against people*.

    Empty until one of the two has been computed.
    """
    advice: MetricAdvice | None = usual_result(METRIC_ADVICE, campaign)
    people: MetricsAgainstPeople | None = usual_result(METRICS_PEOPLE, campaign)
    highest = sorted_by_r(people) if people else []
    return [*(advice.recommended if advice else ()), *(name for name, _ in highest)]


def usual_result(analysis: AnyAnalysis, campaign: Campaign) -> Any:
    """The stored result with the usual parameters; None if there is none."""
    try:
        return kept(request_of(analysis, campaign, analysis.parameters()))
    except ParameterError:
        return None


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


register_page(replace(PAGE, choices=(*PAGE.choices, *OF_THE_LIST), chosen=chosen))


@researcher
@require_safe
def table(request: AccountRequest, uuid: UUID, file: str) -> HttpResponse | StreamingHttpResponse:
    """The listed sentences of a metric with their texts as CSV, or the first ones as LaTeX."""
    campaign = campaign_or_404(uuid)
    computed = computed_or_404(request, DISAGREEMENTS, campaign, choices=OF_THE_LIST)
    if not computed.result.metrics:
        raise Http404
    domain = request.GET.get("domain", "")
    positions = [row.sentence for row in rows(computed, domain)]
    texts = campaign.corpus.sentences.filter(position__in=positions).values_list("position", "text")
    listed = sentences_table({position: text or "" for position, text in texts}, domain)
    return table_file(listed.of(computed, naming_of(campaign)), file, name="disagreements")
