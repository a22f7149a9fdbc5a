"""The page that compares metrics over several campaigns.

It computes nothing: it shows the stored results of metrics against people of each campaign, and queues those
that are missing when somebody asks for it.
"""

from django.http import HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from analysis.analyses.base import Group
from analysis.pages.comparable_campaigns import MOST_CAMPAIGNS
from analysis.pages.compare_metrics.campaigns import FIGURES, comparison
from analysis.pages.compare_metrics.table import draw, table_of
from analysis.pages.compare_metrics.words import (
    about_below,
    about_campaigns,
    about_mean_ranks,
    headline,
    how_many,
)
from analysis.results.registered_pages import FurtherPage, register_further
from analysis.results.result_files import table_file
from analysis.runs.queries import compute_anew
from annotate.models import Campaign
from annotate.web.access import AccountRequest, researcher
from annotate.web.images import image_of, layout_of

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
        "below": about_below(shown),
        "how_many": how_many(shown),
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
