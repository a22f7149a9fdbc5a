"""The page that compares metrics over several campaigns: table, figure and files.

It computes nothing: it shows the stored results of metrics against people of each campaign, and queues those
that are missing when somebody asks for it.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter
from urllib.parse import urlencode

from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from analysis.analyses.base import Group
from analysis.analyses.metric_titles import MetricName, title_of_metric
from analysis.analyses.metrics.against_people import CORRELATIONS
from analysis.analyses.metrics.leading_metrics import clearly_above, leading, not_separated
from analysis.analyses.metrics.metric_parts import BOOTSTRAP
from analysis.analyses.metrics.metrics_people import METRICS_PEOPLE
from analysis.analyses.metrics.metrics_people_result import (
    MetricAgainstPeople,
    MetricsAgainstPeople,
)
from analysis.analyses.metrics.metrics_people_tables import about_order
from analysis.pages.comparable_campaigns import MOST_CAMPAIGNS, Offered, comparable_campaigns
from analysis.results.registered_pages import FurtherPage, register_further
from analysis.results.result_files import table_file
from analysis.runs.queries import Current, compute_anew, current
from analysis.runs.requests import Request, request_of
from annotate.models import Campaign
from annotate.web.access import AccountRequest, researcher
from annotate.web.images import image_of, layout_of, title_of
from core.columns import Column, Estimated, Number, Text
from core.names import Naming
from core.results import Computed, Layout
from core.tables import FilledTable, Table
from core.wording import are, briefly, counted, in_words, listed, literal
from figures.drawing import Chart
from figures.metrics.metric_scores import DrawnScore, metric_scores_figure
from metrics.meta_evaluation import Estimate, MeanRank, mean_ranks
from ranking import Coefficient

FIGURES = {
    **CORRELATIONS,
    "spa": "SPA",
    "accuracy": "Accuracy",
    "tau": "Tau by sentences",
    "acc_eq": "acc*eq by sentences",
}
"""Figures that can be compared, by name in addresses."""

NOT_SCORED = "the metric has no scores in this campaign"
BELOW = "clearly below"
NO_RESULT = "there is no result yet"


@dataclass(frozen=True, slots=True)
class ComparedCampaign:
    """A campaign on the page.

    Attributes:
        campaign: the campaign.
        judgments: number of its judgments.
        figure: name in `FIGURES` of what is compared.
        request: of the result that is shown.
        shown: what is stored of it.
    """

    campaign: Campaign
    judgments: int
    figure: str
    request: Request
    shown: Current

    @property
    def result(self) -> MetricsAgainstPeople | None:
        """The newest result; None if there is none."""
        result: MetricsAgainstPeople | None = self.shown.result
        return result

    @property
    def about(self) -> str:
        """How many judgments it has, and whether they are simulated."""
        simulated = ", simulated" if self.campaign.synthetic else ""
        return f"{counted(self.judgments, 'judgment')}{simulated}"

    @property
    def signature(self) -> str | None:
        """The signature of the result."""
        return None if self.result is None else self.result.signature

    @property
    def is_missing(self) -> bool:
        """Whether a result is missing or out of date, and no job is on its way."""
        job = self.shown.job
        return (self.shown.result is None or self.shown.is_outdated) and (job is None or job.is_finished)

    def estimate(self, metric: str) -> Estimate:
        """The figure of a metric in this campaign."""
        if self.result is None:
            return Estimate(None, None, None, NO_RESULT)
        found = self.result.metrics.get(metric)
        return Estimate(None, None, None, NOT_SCORED) if found is None else estimate_of(found, self.figure)


Ranked = tuple[str, MeanRank]
"""A metric by name, with its ranks among the metrics that all campaigns with a result have."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """The content of the page.

    Attributes:
        figure: name of the figure in `FIGURES`.
        offered: all campaigns that can be compared, by name, and why some are not unless chosen.
        compared: those that are.
        rows: metrics, the best mean rank first, those without one last.
    """

    figure: str
    offered: Sequence[Offered]
    compared: Sequence[ComparedCampaign]
    rows: Sequence[Ranked]

    @property
    def with_result(self) -> list[ComparedCampaign]:
        """The campaigns that have a result."""
        return [each for each in self.compared if each.result is not None]

    @property
    def is_of_one(self) -> bool:
        """Whether a single campaign is shown, so that its table draws what the figure does."""
        return len(self.compared) == 1

    @property
    def separates(self) -> bool:
        """Whether tests say which metrics are below the best one: of r, in a single campaign."""
        return self.figure == Coefficient.PEARSON and self.is_of_one and bool(self.with_result)

    @property
    def has_mean_ranks(self) -> bool:
        """Whether ranks are a mean over several campaigns, and not the order of the rows once more."""
        return len(self.with_result) > 1 and any(rank.mean is not None for _, rank in self.rows)

    @property
    def signature(self) -> str:
        """The signatures of the results, one in a line."""
        return "\n".join(each.signature for each in self.compared if each.signature)

    @property
    def query(self) -> str:
        """The address of this comparison."""
        chosen = [("campaign", str(each.campaign.uuid)) for each in self.compared]
        return urlencode([("figure", self.figure), *chosen])


register_further(
    FurtherPage(
        Campaign,
        "Compare metrics",
        Group.METRICS,
        "Do the same metrics agree with people in other campaigns?",
        "Each metric by campaign, and its mean rank.",
        "compare-metrics",
        tabs="metrics",
        tab="Agreement",
        label="Several campaigns",
        place=6,
    )
)


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


def comparison(request: AccountRequest) -> Comparison:
    """The comparison that the address requests; of campaigns alike if it names none.

    Raises:
        Http404: it names a figure or a campaign that cannot be compared, or too many campaigns.
    """
    figure = request.GET.get("figure", "pearson")
    offered = comparable_campaigns()
    by_uuid = {str(each.campaign.uuid): each for each in offered}
    asked = list(dict.fromkeys(request.GET.getlist("campaign")))
    if figure not in FIGURES or not by_uuid.keys() >= set(asked) or len(asked) > MOST_CAMPAIGNS:
        raise Http404
    chosen = [by_uuid[uuid] for uuid in asked] or [each for each in offered if not each.left_out]
    compared = []
    for each in chosen:
        wanted = request_of(METRICS_PEOPLE, each.campaign, METRICS_PEOPLE.parameters())
        shown = current(wanted, asked_by=request.user)
        compared.append(ComparedCampaign(each.campaign, each.judgments, figure, wanted, shown))
    return Comparison(figure, offered, compared, compared_rows(compared))


def compared_rows(compared: Sequence[ComparedCampaign]) -> list[Ranked]:
    """The metrics of all results, the best mean rank first."""
    with_result = [each for each in compared if each.result is not None]
    names = dict.fromkeys(name for each in with_result if each.result for name in each.result.metrics)
    ranks = mean_ranks({name: [each.estimate(name).value for each in with_result] for name in names})
    return sorted(
        ranks.items(), key=lambda row: (row[1].mean is None, row[1].mean or 0.0, title_of_metric(row[0]))
    )


def _columns(computed: Computed) -> Sequence[Column]:
    mean_rank = Number(
        "", "Mean rank", lambda row: row[1].mean, digits=2, hint=lambda row: row[1].reason or ""
    )
    shown: Comparison = computed.result
    campaigns = [*map(_of_campaign, shown.compared)]
    if not shown.has_mean_ranks:
        drawn = FIGURES[shown.figure] if shown.is_of_one else ""
        campaigns = [replace(each, is_shaded=not drawn, drawn=drawn) for each in campaigns]
        below = _below(shown)
        metric = MetricName("", "Metric", itemgetter(0), note=lambda row: BELOW if row[0] in below else "")
        return (metric, *campaigns)
    return (
        MetricName("", "Metric", itemgetter(0)),
        replace(mean_rank, on_paper=False),
        *campaigns,
        replace(mean_rank, on_page=False),
    )


def _of_campaign(each: ComparedCampaign) -> Estimated:
    return Estimated(
        "",
        str(each.campaign),
        lambda row: each.estimate(row[0]) if each.result else None,
        note=lambda row: "no result yet",
        is_shaded=True,
        address=reverse("metrics", args=[each.campaign.uuid]),
    )


def _below(shown: Comparison) -> set[str]:
    """The metrics that are clearly below the highest r of a single campaign; empty for other figures."""
    result = shown.with_result[0].result if shown.separates else None
    return set() if result is None else {*result.tests[BOOTSTRAP].metrics}.difference(_not_below(result))


def _in_files(computed: Computed) -> Iterator[tuple[str, float | None, ComparedCampaign, float | None]]:
    """Metric, its mean rank, a campaign, and its rank there."""
    for name, rank in computed.result.rows:
        ranks = iter(rank.ranks or ())
        for each in computed.result.compared:
            yield name, rank.mean, each, next(ranks, None) if each.result else None


COMPARED = Table(
    rows=lambda computed: computed.result.rows,
    columns=_columns,
    caption=lambda computed: f"{FIGURES[computed.result.figure]} of each metric in each campaign",
    comment=lambda computed: " ".join([f"{computed.result.figure}.", *about_mean_ranks(computed.result)]),
    long=Table(
        rows=_in_files,
        columns=(
            Text("figure", value=lambda row: row[2].figure),
            Text("metric", value=itemgetter(0)),
            Text("campaign", value=lambda row: str(row[2].campaign)),
            Text("campaign_uuid", value=lambda row: str(row[2].campaign.uuid)),
            Estimated("value", value=lambda row: row[2].estimate(row[0]), ends=("low", "high")),
            Number("rank", value=itemgetter(3)),
            Number("mean_rank", value=itemgetter(1)),
            Text("reason", value=lambda row: row[2].estimate(row[0]).reason),
        ),
        caption="",
        signature=lambda row: row[2].signature,
    ),
)


def table_of(shown: Comparison) -> FilledTable:
    """The metrics by campaign."""
    return COMPARED.of(Computed(None, shown), Naming("", {}, {}, {}))


def headline(shown: Comparison) -> str:
    """The result of campaigns, at least one of which has one, in a sentence."""
    means = {name: rank.mean for name, rank in shown.rows if rank.mean is not None}
    if not means:
        return f"Fewer than two metrics have {FIGURES[shown.figure]} in every campaign"
    best = [title_of_metric(name) for name, mean in means.items() if mean == min(means.values())]
    figure, over = FIGURES[shown.figure], [each.campaign for each in shown.with_result]
    simulated = sum(campaign.synthetic for campaign in over)
    if len(over) == 1:
        where = f"{over[0]}, which is simulated" if simulated else str(over[0])
        return f"{briefly(best, 'has', 'have')} the highest {figure} in {where}{_how_clearly(shown, best)}"
    of_which = f", {in_words(simulated)} of which {are(simulated)} simulated" if simulated else ""
    campaigns = counted(len(over), "campaign")
    return f"{briefly(best, 'has', 'have')} the best mean rank by {figure} over {campaigns}{of_which}"


def _how_clearly(shown: Comparison, best: Sequence[str]) -> str:
    """How clearly the best metrics of a single campaign lead, as the end of a sentence.

    By r, how many others are clearly below, as on *Metrics against people*; by other figures, the metrics
    within the interval of the best.
    """
    [only] = shown.with_result
    if shown.figure == Coefficient.PEARSON and only.result is not None:
        others = _not_below(only.result)[1:]
        return f", {clearly_above(others, only.result.tests[BOOTSTRAP])}" if len(best) == 1 else ""
    near = leading({name: only.estimate(name) for name, _ in shown.rows})
    others = [title for name in near if (title := title_of_metric(name)) not in best]
    those = "it" if len(best) == 1 else "them"
    return f"; the judgments do not separate {those} from {briefly(others)}" if others else ""


def _not_below(result: MetricsAgainstPeople) -> list[str]:
    """The metric of the highest r, and those that are not clearly below."""
    r = {name: metric.pearson.value for name, metric in result.metrics.items()}
    return not_separated(r, result.tests[BOOTSTRAP])


def about_campaigns(shown: Comparison) -> list[str]:
    """What is compared in each campaign, and why a metric of low r may not be marked as below the highest."""
    said = [
        f"{literal(str(each.campaign))}: {counted(len(each.result.systems), 'system')}, "
        f"{counted(each.result.compared_sentences, 'sentence')}, {each.about}."
        for each in shown.with_result
        if each.result
    ]
    if shown.separates and (result := shown.with_result[0].result):
        said.append(about_order(result))
    return [*filter(None, said)]


def about_mean_ranks(shown: Comparison) -> list[str]:
    """Over what the mean ranks are, in sentences; empty if there are none."""
    if not shown.has_mean_ranks:
        return []
    ranked = sum(rank.mean is not None for _, rank in shown.rows)
    over = [f"{each.campaign} ({each.about})" for each in shown.with_result]
    said = [
        f"The mean rank is over {listed(over)}, among the {ranked} metrics with a value in each of them.",
        "Each campaign counts once, however many judgments it has.",
    ]
    corpora = Counter(each.campaign.corpus for each in shown.with_result)
    said += [
        f"{counted(number, 'campaign')} are of the corpus {corpus}, so its systems count more often."
        for corpus, number in corpora.items()
        if number > 1
    ]
    if without := [str(each.campaign) for each in shown.compared if each.result is None]:
        said.append(f"Without a result yet, and so left out: {listed(without)}.")
    return said


def draw(shown: Comparison, layout: Layout = "wide") -> Chart | None:
    """A panel for each campaign, metrics in the order of the table; None without a value."""
    panels = [
        (
            title_of(each.campaign),
            [
                DrawnScore(title_of_metric(name), estimate.value, estimate.low, estimate.high)
                for name, _ in shown.rows
                if (estimate := each.estimate(name)).value is not None
            ],
        )
        for each in shown.with_result
    ]
    ends = [end for _, drawn in panels for score in drawn for end in (score.value, score.low or 0.0)]
    if not ends:
        return None
    return metric_scores_figure(
        panels,
        order=[title_of_metric(name) for name, _ in shown.rows],
        title=f"Agreement with people: {FIGURES[shown.figure]}",
        domain=(-1 if min(ends) < 0 else 0, 1),
        layout=layout,
    )


@researcher
@require_safe
def compare_metrics(request: AccountRequest) -> HttpResponse:
    """Metrics by campaigns."""
    shown = comparison(request)
    chosen = {each.campaign.uuid for each in shown.compared}
    context = {
        "comparison": shown,
        "table": table_of(shown).page(),
        "figures": [(name, title, name == shown.figure) for name, title in FIGURES.items()],
        "offered": [(each, each.campaign.uuid in chosen) for each in shown.offered],
        "mean_rank": about_mean_ranks(shown),
        "about": about_campaigns(shown),
        "missing": sum(each.is_missing for each in shown.compared),
        "waiting": [each for each in shown.compared if each.shown.job and not each.shown.job.is_finished],
        "most": MOST_CAMPAIGNS,
        "finding": headline(shown) if shown.with_result else "",
        "stated": shown.query,
    }
    return render(request, "analysis/compare_metrics.html", context)


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
    """A panel for each campaign."""
    shown = comparison(request)
    signatures = dict.fromkeys(shown.signature.splitlines())
    caption = headline(shown) if shown.with_result else ""
    chart = draw(shown, layout_of(request))
    return image_of(chart, request, image, signature=" · ".join(signatures), caption=caption)


@researcher
@require_safe
def table(request: AccountRequest, file: str) -> StreamingHttpResponse:
    """A row for each metric and campaign as CSV, or for each metric as LaTeX."""
    return table_file(table_of(comparison(request)), file, name="compared-metrics")
