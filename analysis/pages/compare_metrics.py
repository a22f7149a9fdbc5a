"""The page that compares metrics over several campaigns: table, figure and files.

It computes nothing: it shows the stored results of metrics against people of each campaign, and queues those
that are missing when somebody asks for it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode
from uuid import UUID

from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from analysis.analyses.metric_titles import title_of_metric
from analysis.analyses.metrics_people import METRICS_PEOPLE
from analysis.analyses.metrics_people_result import MetricAgainstPeople, MetricsAgainstPeople
from analysis.pages.registered import register_further
from analysis.pages.results import CONTENT_TYPES, download
from analysis.runs.queries import Current, compute_anew, current
from analysis.runs.requests import Request, request_of
from annotate.models import Annotator, Campaign, ScoreSet, ScoreSetState
from annotate.models.listed import campaigns
from annotate.web.access import AccountRequest, researcher
from annotate.web.images import image_of, title_of
from core.formulas import guarded
from core.latex import escaped, number, tabular
from core.tables import csv_lines
from figures.metric_scores import DrawnScore, metric_scores_figure
from metrics.validation import Estimate, MeanRank, mean_ranks

FIGURES = {
    "pearson": "Pearson’s r",
    "spearman": "Spearman’s ρ",
    "kendall": "Kendall’s τ",
    "spa": "SPA",
    "accuracy": "Accuracy",
    "tau": "Tau by sentences",
    "acc_eq": "acc*eq by sentences",
}
"""What can be compared, by its name in addresses."""

MOST_CAMPAIGNS = 12
"""Campaigns that are compared at a time."""

COLUMNS = (
    "figure",
    "metric",
    "campaign",
    "campaign_uuid",
    "value",
    "low",
    "high",
    "rank",
    "mean_rank",
    "reason",
    "signature",
)

NOT_SCORED = "the metric has no scores in this campaign"
NO_RESULT = "there is no result yet"


@dataclass(frozen=True, slots=True)
class ComparedCampaign:
    """A campaign on the page, with what is stored of it."""

    campaign: Campaign
    request: Request
    shown: Current

    @property
    def result(self) -> MetricsAgainstPeople | None:
        """The newest result; None if there is none."""
        result: MetricsAgainstPeople | None = self.shown.result
        return result

    @property
    def is_missing(self) -> bool:
        """Whether a result is missing or out of date, and no job is on its way."""
        job = self.shown.job
        is_outdated = self.shown.newer > 0 or self.shown.is_of_older_rule
        return (self.shown.result is None or is_outdated) and (job is None or job.is_finished)

    def estimate(self, metric: str, figure: str) -> Estimate:
        """The figure of a metric in this campaign."""
        if self.result is None:
            return Estimate(None, None, None, NO_RESULT)
        found = self.result.metrics.get(metric)
        return Estimate(None, None, None, NOT_SCORED) if found is None else estimate_of(found, figure)


@dataclass(frozen=True, slots=True)
class Row:
    """A metric on the page.

    Attributes:
        name: as results name it.
        title: what people call it.
        cells: its figure in each campaign.
        rank: its ranks among the metrics that all campaigns with a result have.
    """

    name: str
    title: str
    cells: tuple[Estimate, ...]
    rank: MeanRank


@dataclass(frozen=True, slots=True)
class Comparison:
    """The content of the page.

    Attributes:
        figure: name of the figure in `FIGURES`.
        offered: all campaigns that can be compared, by name.
        compared: those that are.
        rows: metrics, the best mean rank first, those without one last.
    """

    figure: str
    offered: Sequence[Campaign]
    compared: Sequence[ComparedCampaign]
    rows: Sequence[Row]

    @property
    def with_result(self) -> list[ComparedCampaign]:
        """The campaigns that have a result."""
        return [each for each in self.compared if each.result is not None]

    @property
    def query(self) -> str:
        """The address of this comparison."""
        chosen = [("campaign", str(each.campaign.uuid)) for each in self.compared]
        return urlencode([("figure", self.figure), *chosen])


register_further("metrics", "Several campaigns", "compare-metrics")


def estimate_of(metric: MetricAgainstPeople, figure: str) -> Estimate:
    """The figure of this name in `FIGURES`; acc*eq has no interval."""
    if figure == "tau":
        return metric.sentences.tau
    if figure != "acc_eq":
        estimate: Estimate = getattr(metric, figure)
        return estimate
    calibrated = metric.sentences.calibrated
    if calibrated is None:
        return Estimate(None, None, None, metric.sentences.reason)
    return Estimate(calibrated.accuracy, None, None, calibrated.reason)


def comparable_campaigns() -> list[Campaign]:
    """The campaigns with judgments of a corpus with metric scores, by name."""
    scored = ScoreSet.objects.filter(state=ScoreSetState.READY).values_list("corpus", flat=True).distinct()
    judged = Annotator.objects.filter(complete__gt=0).values("campaign")
    return list(campaigns().filter(corpus__in=list(scored), pk__in=judged))


def comparison(request: AccountRequest) -> Comparison:
    """The comparison that the address requests; of the first campaigns if it names none.

    Raises:
        Http404: it names a figure or a campaign that cannot be compared, or too many campaigns.
    """
    figure = request.GET.get("figure", "pearson")
    offered = comparable_campaigns()
    by_uuid = {str(campaign.uuid): campaign for campaign in offered}
    asked = list(dict.fromkeys(request.GET.getlist("campaign")))
    if figure not in FIGURES or not by_uuid.keys() >= set(asked) or len(asked) > MOST_CAMPAIGNS:
        raise Http404
    chosen = [by_uuid[uuid] for uuid in asked] if asked else offered[:MOST_CAMPAIGNS]
    compared = []
    for campaign in chosen:
        wanted = request_of(METRICS_PEOPLE, campaign, METRICS_PEOPLE.parameters())
        compared.append(ComparedCampaign(campaign, wanted, current(wanted, asked_by=request.user)))
    return Comparison(figure, offered, compared, compared_rows(compared, figure))


def compared_rows(compared: Sequence[ComparedCampaign], figure: str) -> list[Row]:
    """The metrics of all results, the best mean rank first."""
    with_result = [each for each in compared if each.result is not None]
    names = dict.fromkeys(
        name for each in with_result for name in (each.result.metrics if each.result else ())
    )
    ranks = mean_ranks({name: [each.estimate(name, figure).value for each in with_result] for name in names})
    rows = [
        Row(
            name,
            title_of_metric(name),
            tuple(each.estimate(name, figure) for each in compared),
            ranks[name],
        )
        for name in names
    ]
    return sorted(rows, key=lambda row: (row.rank.mean is None, row.rank.mean or 0.0, row.title))


@researcher
@require_safe
def compare_metrics(request: AccountRequest) -> HttpResponse:
    """Metrics by campaigns."""
    shown = comparison(request)
    chosen = {each.campaign.uuid for each in shown.compared}
    context = {
        "comparison": shown,
        "figure": FIGURES[shown.figure],
        "figures": [(name, title, name == shown.figure) for name, title in FIGURES.items()],
        "offered": [(campaign, campaign.uuid in chosen) for campaign in shown.offered],
        "missing": sum(each.is_missing for each in shown.compared),
        "waiting": [each for each in shown.compared if each.shown.job and not each.shown.job.is_finished],
        "most": MOST_CAMPAIGNS,
        "headline": headline(shown),
        "stated": shown.query,
    }
    return render(request, "analysis/compare_metrics.html", context)


def headline(shown: Comparison) -> str:
    """The result in a sentence."""
    compared, name = len(shown.with_result), FIGURES[shown.figure]
    ranked = [row for row in shown.rows if row.rank.mean is not None]
    if not ranked:
        if not shown.with_result:
            return "No result yet"
        return f"Fewer than two metrics have {name} in every campaign"
    best = [row.title for row in ranked if row.rank.mean == ranked[0].rank.mean]
    names = best[0] if len(best) == 1 else f"{', '.join(best[:-1])} and {best[-1]}"
    over = f"over {compared} campaign{'s' if compared != 1 else ''}"
    return f"{names} {'has' if len(best) == 1 else 'have'} the best mean rank by {name} {over}"


@researcher
@require_POST
def compute_missing(request: AccountRequest) -> HttpResponse:
    """Queue the results that are missing or out of date."""
    shown = comparison(request)
    for each in shown.compared:
        if each.is_missing:
            compute_anew(each.request, asked_by=request.user)
    return redirect(f"{reverse('compare-metrics')}?{shown.query}")


@researcher
@require_safe
def comparison_image(request: AccountRequest, image: str) -> HttpResponse:
    """A panel for each campaign, metrics in the order of the table."""
    shown = comparison(request)
    panels = [
        (title_of(each.campaign), list(_drawn(each, shown.rows, shown.figure))) for each in shown.with_result
    ]
    if not any(drawn for _, drawn in panels):
        raise Http404
    lowest = min(value for _, drawn in panels for score in drawn for value in (score.value, score.low or 0.0))
    chart = metric_scores_figure(
        panels,
        order=[row.title for row in shown.rows],
        title=f"Agreement with people: {FIGURES[shown.figure]}",
        domain=(-1 if lowest < 0 else 0, 1),
    )
    signatures = dict.fromkeys(each.result.signature for each in shown.with_result if each.result)
    return image_of(chart, request, image, signature=" · ".join(signatures))


def _drawn(each: ComparedCampaign, rows: Sequence[Row], figure: str) -> Iterator[DrawnScore]:
    for row in rows:
        estimate = each.estimate(row.name, figure)
        if estimate.value is not None:
            yield DrawnScore(row.title, estimate.value, estimate.low, estimate.high)


@researcher
@require_safe
def table(request: AccountRequest, file: str) -> StreamingHttpResponse:
    """A row for each metric and campaign as CSV, or for each metric as LaTeX."""
    if file not in CONTENT_TYPES:
        raise Http404
    shown = comparison(request)
    lines = csv_lines(COLUMNS, _rows(shown)) if file == "csv" else _latex(shown)
    return download(lines, "compared-metrics", file)


def _rows(shown: Comparison) -> Iterator[Sequence[object]]:
    ranked: Mapping[UUID, int] = {each.campaign.uuid: place for place, each in enumerate(shown.with_result)}
    for row in shown.rows:
        for each, cell in zip(shown.compared, row.cells, strict=True):
            place = ranked.get(each.campaign.uuid)
            yield [
                shown.figure,
                guarded(row.name),
                guarded(str(each.campaign)),
                each.campaign.uuid,
                cell.value,
                cell.low,
                cell.high,
                None if place is None or row.rank.ranks is None else row.rank.ranks[place],
                row.rank.mean,
                cell.reason,
                each.result.signature if each.result else None,
            ]


def _latex(shown: Comparison) -> Iterator[str]:
    def cells(row: Row) -> list[str]:
        return [escaped(row.title), *(number(cell.value, 3) for cell in row.cells), number(row.rank.mean, 2)]

    columns = ["Metric", *(str(each.campaign) for each in shown.compared), "Mean rank"]
    signatures = [each.result.signature for each in shown.compared if each.result]
    return tabular(columns, map(cells, shown.rows), comments=[shown.figure, *signatures])
