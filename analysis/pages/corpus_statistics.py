"""The page of corpus statistics, and its figures."""

from typing import Any
from uuid import UUID

from django.http import Http404, HttpResponse
from django.views.decorators.http import require_safe

from analysis.analyses.corpus_statistics import CORPUS_STATISTICS, DescribedCorpus
from analysis.pages.registered import AnalysisPage, register_page
from analysis.pages.results import result_or_404
from analysis.runs.requests import Request
from annotate.models import User
from annotate.web.access import AccountRequest, corpus_or_404, researcher
from annotate.web.images import image_of
from annotate.web.parameter_forms import query_of
from figures.edit_types import edit_types_figure
from figures.reference_agreement import reference_agreement_figure


def context(request: Request, result: DescribedCorpus, user: User) -> dict[str, Any]:
    """Categories with their shares in percent, and the query of the figures."""
    categories = result.statistics.categories
    total = sum(categories.values())
    return {
        "statistics": result.statistics,
        "categories": [(name, number, 100 * number / total) for name, number in categories.items()],
        "query": query_of(request.parameters),
    }


register_page(AnalysisPage(CORPUS_STATISTICS.name, "analysis/corpus_statistics.html", context))


@researcher
@require_safe
def edit_types_image(request: AccountRequest, uuid: UUID, image: str) -> HttpResponse:
    """Edits by type, the most frequent first."""
    corpus = corpus_or_404(uuid)
    result: DescribedCorpus = result_or_404(request, CORPUS_STATISTICS, corpus)
    if not result.statistics.categories:
        raise Http404
    chart = edit_types_figure(result.statistics.categories, title=f"{corpus}: edits by type")
    return image_of(chart, request, image, signature=result.signature)


@researcher
@require_safe
def agreement_image(request: AccountRequest, uuid: UUID, image: str) -> HttpResponse:
    """Each reference by its score against the others."""
    corpus = corpus_or_404(uuid)
    result: DescribedCorpus = result_or_404(request, CORPUS_STATISTICS, corpus)
    if not result.statistics.agreement:
        raise Http404
    title = f"{corpus}: each reference against the others (M2)"
    chart = reference_agreement_figure(result.statistics.agreement, title=title)
    return image_of(chart, request, image, signature=result.signature)
