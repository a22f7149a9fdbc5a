"""People's verdict from campaigns of the corpus, for the page of metrics without people."""

from collections.abc import Iterator
from dataclasses import dataclass
from uuid import UUID

from django.http import Http404, HttpResponse
from django.views.decorators.http import require_safe

from analysis.analyses.metric_titles import title_of_metric
from analysis.analyses.metrics.maege.analysis import MAEGE
from analysis.analyses.metrics.maege.verdict import MaegeVerdict
from analysis.analyses.metrics.metrics_people import METRICS_PEOPLE, MetricsPeopleParameters
from analysis.results.declared_pages import declared_page
from analysis.results.registered_pages import register_page
from analysis.results.result_files import result_or_404
from analysis.runs.queries import kept
from analysis.runs.requests import Request, request_of
from annotate.models import Campaign, Corpus, User
from annotate.models.listed import campaigns
from annotate.web.access import AccountRequest, corpus_or_404, researcher
from annotate.web.images import image_of, title_of
from core.parameters import ParameterError
from core.results import LAYOUTS, Computed
from figures.metrics.maege import people_figure, people_height
from metrics.meta_evaluation.maege import VerdictsCompared, compared_with_people


@dataclass(frozen=True, slots=True)
class BesidePeople:
    """People's verdict on the metrics, in one campaign.

    Attributes:
        campaign: in which systems of this corpus were judged.
        compared: MAEGE's Spearman and people's Pearson by metric, with their correlations.
        rows: the same by what people call metrics.
    """

    campaign: Campaign
    compared: VerdictsCompared
    rows: list[tuple[str, float, float]]


def further(request: Request, computed: Computed, user: User) -> dict[str, object]:
    """People's verdict where there is one."""
    beside = list(_beside_people(request.corpus, computed.result))
    drawn = sum(bool(each.rows) for each in beside)
    heights = {layout: people_height(drawn, layout) for layout in LAYOUTS}
    return {"beside": beside, "people_drawn": drawn, "people_heights": heights}


register_page(declared_page(MAEGE, further))


@researcher
@require_safe
def people_image(request: AccountRequest, uuid: UUID, image: str) -> HttpResponse:
    """Metrics by MAEGE and by people, a panel for each campaign of the corpus."""
    corpus = corpus_or_404(uuid)
    result: MaegeVerdict = result_or_404(request, MAEGE, corpus)
    judged = {title_of(each.campaign): each.rows for each in _beside_people(corpus, result) if each.rows}
    if not judged:
        raise Http404
    return image_of(
        people_figure(judged),
        request,
        image,
        signature=result.signature,
        caption="Metrics by their agreement with people and by MAEGE",
    )


def _beside_people(corpus: Corpus, result: MaegeVerdict) -> Iterator[BesidePeople]:
    """Campaigns of the corpus of which metrics against people are computed, with the usual parameters."""
    ours = {name: verdict.spearman.value for name, verdict in result.metrics.items()}
    for campaign in campaigns().filter(corpus=corpus).order_by("name"):
        try:
            judged = kept(request_of(METRICS_PEOPLE, campaign, MetricsPeopleParameters()))
        except ParameterError:
            continue
        if judged is None:
            continue
        theirs = {name: metric.pearson.value for name, metric in judged.metrics.items()}
        compared = compared_with_people(ours, theirs)
        rows = [(title_of_metric(name), *both) for name, both in compared.metrics.items()]
        yield BesidePeople(campaign, compared, rows)
