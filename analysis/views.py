from typing import cast
from uuid import UUID

import altair as alt
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from analysis import figures
from analysis.queries import ranking_of
from analysis.tables import MOST_SYSTEMS_HEAD_TO_HEAD, agreement_rows, head_to_head_rows
from annotate.access import campaign_or_404, corpus_or_404, researcher
from annotate.queries import distinct_output_histogram

CONTENT_TYPES = {"svg": "image/svg+xml", "png": "image/png"}


@researcher
def ranking(request: HttpRequest, uuid: UUID) -> HttpResponse:
    campaign = campaign_or_404(uuid)
    ranking = ranking_of(campaign)
    context = {
        "campaign": campaign,
        "ranking": ranking,
        "kappas": [
            ("Between judges", ranking.agreement.inter),
            ("Of judges with themselves", ranking.agreement.intra),
            ("Between judges, pooled", ranking.agreement.inter_pooled),
            ("Of judges with themselves, pooled", ranking.agreement.intra_pooled),
        ],
        "agreement_rows": list(agreement_rows(ranking)),
        "head_to_head_rows": list(head_to_head_rows(ranking)),
        "most_systems": MOST_SYSTEMS_HEAD_TO_HEAD,
    }
    return render(request, "analysis/ranking.html", context)


@researcher
def expected_wins(request: HttpRequest, uuid: UUID, image: str) -> HttpResponse:
    campaign = campaign_or_404(uuid)
    title = f"{campaign} (synthetic)" if campaign.synthetic else str(campaign)
    return _image(request, figures.expected_wins_figure(ranking_of(campaign), title=title), image)


@researcher
def distinct_outputs(request: HttpRequest, uuid: UUID, image: str) -> HttpResponse:
    corpus = corpus_or_404(uuid)
    chart = figures.distinct_outputs_figure(distinct_output_histogram(corpus), title=str(corpus))
    return _image(request, chart, image)


def _image(request: HttpRequest, chart: alt.LayerChart, image: str) -> HttpResponse:
    theme = request.GET.get("theme", "light")
    if theme not in ("light", "dark") or image not in CONTENT_TYPES:
        raise Http404
    content = figures.render(chart, theme=cast(figures.Theme, theme), format=cast(figures.Format, image))
    return HttpResponse(content, content_type=CONTENT_TYPES[image])
