"""The table of metrics by campaign, and its figure."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from operator import itemgetter

from django.urls import reverse

from analysis.analyses.metric_titles import MetricName, title_of_metric
from analysis.analyses.metrics.metric_parts import BOOTSTRAP
from analysis.pages.compare_metrics.campaigns import FIGURES, ComparedCampaign, Comparison
from analysis.pages.compare_metrics.words import about_mean_ranks, never_below, not_below
from annotate.web.images import title_of
from core.columns import Column, Estimated, Number, Text
from core.names import Naming
from core.results import Computed, Layout
from core.tables import FilledTable, Table
from figures.drawing import Chart
from figures.metrics.metric_scores import DrawnScore, metric_scores_figure
from ranking import Coefficient

BELOW, NEVER_BELOW = "clearly below", "never clearly below"


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
    never = never_below(shown) if shown.figure == Coefficient.PEARSON else ()
    return (
        MetricName("", "Metric", itemgetter(0), note=lambda row: NEVER_BELOW if row[0] in never else ""),
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
    return set() if result is None else {*result.tests[BOOTSTRAP].metrics}.difference(not_below(result))


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
