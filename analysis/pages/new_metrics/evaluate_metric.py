"""The page for the author of a metric: its table and figure over several judgment sets.

The scores become scores of the corpora, and the results are those of the analysis *A new metric* of each
campaign, which can be published there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter
from urllib.parse import urlencode

from django.conf import settings
from django.http import Http404, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from analysis.analyses.metric_titles import title_of_metric
from analysis.analyses.metrics.new_metric.analysis import (
    NEW_METRIC,
    PANELS,
    drawn_scores,
    headline,
    panels_of_metrics,
    sentences,
)
from analysis.analyses.metrics.new_metric.compared import TIES, ComparedMetric, NewMetric, NewMetricParameters
from analysis.analyses.metrics.new_metric.table import (
    about_table,
    columns_of_correlations,
    first_columns,
    further_columns,
)
from analysis.pages.comparable_campaigns import MOST_CAMPAIGNS, judgment_sets
from analysis.pages.new_metrics.asking import NewMetricForm, lacks_scores, names_of_metrics
from analysis.results.analysis_pages import coming
from analysis.results.registered_pages import address_of, pages
from analysis.results.result_files import table_file
from analysis.runs.queries import Current, compute_anew, current
from analysis.runs.requests import Request, request_of
from analysis.runs.results import to_plain_json
from analysis.runs.sources import version_of
from annotate.models import Campaign
from annotate.scores.queueing import jobs_of
from annotate.web.access import AccountRequest, may_cancel, researcher
from annotate.web.images import image_of, layout_of, title_of
from annotate.web.parameter_forms import query_of
from annotate.web.uploads import is_too_large
from core.columns import Text
from core.names import Naming
from core.parameters import ParameterError
from core.results import Computed, Layout, named
from core.tables import FilledTable, PageTable, Table
from figures.drawing import Chart
from figures.metrics.metric_scores import DrawnScore
from formats import FormatError
from jobs.models import Job
from metrics.meta_evaluation.tie_rules import TieRule

NAMING = Naming("", {}, {}, {})


@dataclass(frozen=True, slots=True)
class Asked:
    """What the address asks for.

    Attributes:
        metrics: names of the new metrics, as analyses name them.
        campaigns: the judgment sets.
        parameters: of the analysis of each.
    """

    metrics: Sequence[str]
    campaigns: Sequence[Campaign]
    parameters: NewMetricParameters

    @property
    def query(self) -> str:
        """The query of its address."""
        chosen = [("campaign", str(each.uuid)) for each in self.campaigns]
        named = [("metric", name) for name in self.metrics]
        return urlencode([*named, *chosen, ("ties", self.parameters.ties.value)])


@dataclass(frozen=True, slots=True)
class OnCampaign:
    """The new metrics on one judgment set.

    Attributes:
        campaign: the judgment set.
        lacking: the new metrics whose scores its corpus lacks.
        request: of the result.
        shown: what is stored of it, and the job of a newer result; None while scores are lacking.
        refusal: why there is no result and will be none; empty if there can be one.
    """

    campaign: Campaign
    lacking: Sequence[str]
    request: Request | None = None
    shown: Current | None = None
    refusal: str = ""

    @property
    def result(self) -> NewMetric | None:
        """The newest result; None if there is none."""
        result: NewMetric | None = self.shown.result if self.shown else None
        return result

    @property
    def is_missing(self) -> bool:
        """Whether a result is missing or out of date, and no job is on its way."""
        if self.shown is None:
            return False
        job = self.shown.job
        return (self.shown.result is None or self.shown.is_outdated) and (job is None or job.is_finished)

    @property
    def address(self) -> str:
        """The page of the result in the campaign."""
        page = address_of(self.campaign, pages()[NEW_METRIC.name])
        return f"{page}?{query_of(self.request.parameters)}" if self.request else page

    @property
    def publish(self) -> str:
        """The page on which admins publish the result."""
        query = query_of(self.request.parameters) if self.request else ""
        return f"{reverse('publications', args=[self.campaign.uuid])}?analysis={NEW_METRIC.name}&{query}"

    @property
    def sentences(self) -> list[str]:
        """How the new metrics stand to the best others."""
        return list(sentences(self.result, title=title_of_metric)) if self.result else []


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The content of the page.

    Attributes:
        asked: what the address asks for.
        sets: the judgment sets with their results.
    """

    asked: Asked
    sets: Sequence[OnCampaign]

    @property
    def with_result(self) -> list[OnCampaign]:
        """The judgment sets with a result."""
        return [each for each in self.sets if each.result is not None]

    @property
    def only(self) -> Computed | None:
        """The result where there is one alone, as its own page shows it; None of several or without one."""
        with_result = self.with_result
        if len(with_result) != 1 or with_result[0].request is None:
            return None
        return NEW_METRIC.shown(with_result[0].request.parameters, with_result[0].result)

    @property
    def signature(self) -> str:
        """The signatures of the results, one in a line."""
        return "\n".join(each.result.signature for each in self.sets if each.result)


def asked_by(request: AccountRequest) -> Asked:
    """What the address asks for; the campaigns that are compared at first if it names none.

    Raises:
        Http404: it names a campaign that is no judgment set, or another rule.
    """
    offered = judgment_sets(corpus__has_texts=True)
    there = {str(each.campaign.uuid): each.campaign for each in offered}
    chosen = list(dict.fromkeys(request.GET.getlist("campaign")))
    metrics = list(dict.fromkeys(request.GET.getlist("metric")))
    ties = request.GET.get("ties", TieRule.HALF.value)
    if not there.keys() >= {*chosen} or len(chosen) > MOST_CAMPAIGNS or ties not in list(TieRule):
        raise Http404
    parameters = NewMetricParameters(of=",".join(metrics) or None, ties=TieRule(ties))
    campaigns = [there[uuid] for uuid in chosen] or [each.campaign for each in offered if not each.left_out]
    return Asked(metrics, campaigns, parameters)


def evaluation(request: AccountRequest) -> Evaluation:
    """What the address asks for, with the stored results."""
    asked = asked_by(request)
    return Evaluation(asked, [_on(campaign, asked, request) for campaign in asked.campaigns])


def _on(campaign: Campaign, asked: Asked, request: AccountRequest) -> OnCampaign:
    if lacking := lacks_scores(campaign.corpus, asked.metrics):
        return OnCampaign(campaign, lacking)
    try:
        wanted = request_of(NEW_METRIC, campaign, asked.parameters)
        return OnCampaign(campaign, (), wanted, current(wanted, asked_by=request.user))
    except ParameterError as error:
        return OnCampaign(campaign, (), refusal=str(error))


@dataclass(frozen=True, slots=True)
class Row:
    """A metric on a judgment set."""

    on: OnCampaign
    metric: ComparedMetric


def _metric(row: object) -> ComparedMetric:
    metric: ComparedMetric = attrgetter("metric")(row)
    return metric


def _signature(row: Row) -> str | None:
    return row.on.result.signature if row.on.result else None


_first, *_others = first_columns(_metric)
TABLE = Table(
    rows=lambda computed: [
        Row(each, metric) for each in computed.result.with_result for metric in each.result.rows
    ],
    columns=[
        _first,
        Text("set", "Judgment set", lambda row: str(row.on.campaign)),
        Text("campaign_uuid", value=lambda row: str(row.on.campaign.uuid)),
        *_others,
        *columns_of_correlations(_metric),
        *further_columns(_metric),
    ],
    caption="Metrics and people on each judgment set",
    comment=lambda computed: about_table(computed.parameters),
    signature=_signature,
)


def shown_table(shown: Evaluation) -> tuple[PageTable, str] | None:
    """The table of the page and how to read it; None without a result.

    A single judgment set has the table of its own page, in which each metric is drawn.
    """
    if not shown.with_result:
        return None
    if shown.only is None:
        return table_of(shown).page(), "Below the numbers are 95 % intervals."
    drawn = NEW_METRIC.filled_tables(shown.only, NAMING)["drawn"]
    return drawn.page(), named(drawn.table.note, shown.only, NAMING)


def table_of(shown: Evaluation) -> FilledTable:
    """The metrics by judgment set."""
    return TABLE.of(Computed(shown.asked.parameters, shown), NAMING)


Panel = tuple[str, Sequence[DrawnScore]]


def panels_of(shown: Evaluation, figure: str) -> list[Panel]:
    """A panel for each judgment set with a value."""
    return [
        (title_of(each.campaign), drawn)
        for each in shown.with_result
        if each.result and (drawn := drawn_scores(each.result, figure))
    ]


def draw(shown: Evaluation, figure: str, layout: Layout) -> Chart | None:
    """A panel for each judgment set; None without a value."""
    panels = panels_of(shown, figure)
    if not panels:
        return None
    return panels_of_metrics(panels, f"Agreement with people: {PANELS[figure]}", layout)


@researcher
@require_http_methods(["GET", "HEAD", "POST"])
def evaluate_metric(request: AccountRequest) -> HttpResponse:
    """The form; or, if the address names metrics and judgment sets, the table and the figure."""
    if request.method == "POST":
        return _asked_anew(request)
    if "metric" not in request.GET:
        return _form(request, NewMetricForm(offered=judgment_sets(corpus__has_texts=True), label_suffix=""))
    shown = evaluation(request)
    waiting = [*_scoring_jobs(shown), *_begun(request, shown)]
    table, note = shown_table(shown) or (None, "")
    context = {
        "evaluation": shown,
        "finding": headline(shown.only, NAMING) if shown.only else "",
        "table": table,
        "note": note,
        "titles": [title_of_metric(name) for name in shown.asked.metrics],
        "figures": [
            (title, f"{shown.asked.query}&figure={name}")
            for name, title in PANELS.items()
            if panels_of(shown, name)
        ],
        "jobs": [(job, may_cancel(request.user, job)) for job in dict.fromkeys(waiting)],
        "unfinished": any(not job.is_finished for job in waiting),
        "missing": sum(each.is_missing for each in shown.sets),
        "ties": TIES[shown.asked.parameters.ties],
        "stated": shown.asked.query,
    }
    return render(request, "analysis/evaluate_metric.html", context)


def _asked_anew(request: AccountRequest) -> HttpResponse:
    """Have the scores made or stored, and show what comes of them."""
    offered = judgment_sets(corpus__has_texts=True)
    form = NewMetricForm(request.POST, request.FILES, offered=offered, label_suffix="")
    if is_too_large(request):
        form.add_error(None, f"The file is larger than {settings.UPLOAD_MAX_MB} MB.")
    if form.is_valid():
        try:
            metrics = form.queue(by=request.user)
        except FormatError as error:
            form.add_error("file", str(error))
        else:
            parameters = NewMetricParameters(of=",".join(metrics), ties=TieRule(form.cleaned_data["ties"]))
            query = Asked(metrics, form.campaigns, parameters).query
            return redirect(f"{reverse('evaluate-metric')}?{query}")
    return _form(request, form, status=422)


def _form(request: AccountRequest, form: NewMetricForm, status: int = 200) -> HttpResponse:
    context = {"form": form, "metrics": names_of_metrics(), "most": settings.UPLOAD_MAX_MB}
    return render(request, "analysis/new_metric_form.html", context, status=status)


def _scoring_jobs(shown: Evaluation) -> list[Job]:
    """The jobs that make scores which are lacking."""
    corpora = {each.campaign.corpus.pk: each.campaign.corpus for each in shown.sets if each.lacking}
    return [job for corpus in corpora.values() for job in jobs_of(corpus, "")]


def _begun(request: AccountRequest, shown: Evaluation) -> list[Job]:
    """The jobs of missing results; those that are short begin by themselves."""
    jobs = []
    for each in shown.sets:
        if each.request and each.shown:
            version = version_of(NEW_METRIC, each.campaign)
            job, _ = coming(each.request, each.shown, version, asked_by=request.user)
            jobs += [job] if job else []
    return jobs


@researcher
@require_POST
def compute_evaluation(request: AccountRequest) -> HttpResponse:
    """Queue the results that are missing or out of date."""
    shown = evaluation(request)
    for each in shown.sets:
        if each.is_missing and each.request:
            compute_anew(each.request, asked_by=request.user)
    return redirect(f"{reverse('evaluate-metric')}?{shown.asked.query}")


@researcher
@require_safe
def evaluation_image(request: AccountRequest, image: str) -> HttpResponse:
    """A panel for each judgment set."""
    figure = request.GET.get("figure", "accuracy")
    if figure not in PANELS:
        raise Http404
    shown = evaluation(request)
    signatures = dict.fromkeys(shown.signature.splitlines())
    caption = f"{PANELS[figure]} of each metric with intervals, a panel for each judgment set"
    chart = draw(shown, figure, layout_of(request))
    return image_of(chart, request, image, signature=" · ".join(signatures), caption=caption)


@researcher
@require_safe
def evaluation_table(request: AccountRequest, file: str) -> HttpResponseBase:
    """A row for each metric and judgment set as CSV, LaTeX or JSON."""
    table = table_of(evaluation(request))
    if file == "json":
        records = {"signature": table.signature, "rows": list(table.records())}
        return JsonResponse(to_plain_json(records), json_dumps_params={"ensure_ascii": False, "indent": 1})
    return table_file(table, file, name="new-metric")
