"""The page of corpus statistics, and its figures."""

from typing import Any
from uuid import UUID

from django.core.exceptions import BadRequest
from django.http import Http404, HttpResponse
from django.views.decorators.http import require_safe

from analysis.analyses.corpus_statistics import CORPUS_STATISTICS, DescribedCorpus
from analysis.pages.analyses import checked
from analysis.pages.registered import AnalysisPage, register_page
from analysis.runs.queries import current
from analysis.runs.requests import Request
from annotate.models import Corpus, User
from annotate.web.access import AccountRequest, corpus_or_404, researcher
from annotate.web.images import image_of
from annotate.web.parameter_forms import ParametersForm, query_of
from figures.edit_types import edit_types_figure
from figures.reference_agreement import reference_agreement_figure
from metrics.corpus_statistics import CorpusStatistics
from metrics.parameters import ParameterError


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
    corpus = corpus_or_404(uuid)
    statistics = _statistics(request, corpus)
    if not statistics.categories:
        raise Http404
    return image_of(
        edit_types_figure(statistics.categories, title=f"{corpus}: edits by type"), request, image
    )


@researcher
@require_safe
def agreement_image(request: AccountRequest, uuid: UUID, image: str) -> HttpResponse:
    corpus = corpus_or_404(uuid)
    statistics = _statistics(request, corpus)
    if not statistics.agreement:
        raise Http404
    chart = reference_agreement_figure(
        statistics.agreement, title=f"{corpus}: each reference against the others (M2)"
    )
    return image_of(chart, request, image)


def _statistics(request: AccountRequest, corpus: Corpus) -> CorpusStatistics:
    """The newest statistics; 404 if there are none, because a figure cannot show a message."""
    stated = {name: text for name, text in request.GET.dict().items() if name != "theme"}
    try:
        form = ParametersForm[Any](CORPUS_STATISTICS.parameters, stated)
        shown = current(checked(form, CORPUS_STATISTICS, corpus), asked_by=request.user)
    except ParameterError as error:
        raise BadRequest(str(error)) from error
    if shown.result is None:
        raise Http404
    result: DescribedCorpus = shown.result
    return result.statistics
