"""The stored result that figures and files of a page show, and the views of those that need nothing else."""

from collections.abc import Collection, Iterable
from typing import Any
from uuid import UUID

from django.core.exceptions import BadRequest
from django.http import Http404, HttpResponse, JsonResponse, StreamingHttpResponse
from django.views.decorators.http import require_safe

from analysis.analyses.base import AnyAnalysis, UnknownOptionError
from analysis.results.analysis_pages import checked, page_or_404
from analysis.results.shared_files import described, naming_of
from analysis.runs.queries import current
from analysis.runs.requests import request_beside
from analysis.runs.results import to_plain_json
from analysis.runs.sources import Subject
from annotate.web.access import AccountRequest, campaign_or_404, corpus_or_404, researcher
from annotate.web.images import OF_IMAGES, image_of, layout_of
from annotate.web.parameter_forms import AnyParametersForm
from core.parameters import ParameterError
from core.results import Computed
from core.tables import FilledTable
from formats.writers.pieces import in_pieces

IMAGES = ("svg", "pdf", "png")

CONTENT_TYPES = {"csv": "text/csv; charset=utf-8", "tex": "application/x-tex; charset=utf-8"}
"""Content types of tables, by the ending of the file."""


def result_or_404(
    request: AccountRequest, analysis: AnyAnalysis, subject: Subject, *, choices: Collection[str] = ()
) -> Any:
    """The newest result with the parameters in the address; arguments and errors as of `computed_or_404`."""
    return computed_or_404(request, analysis, subject, choices=choices).result


def computed_or_404(
    request: AccountRequest, analysis: AnyAnalysis, subject: Subject, *, choices: Collection[str] = ()
) -> Computed:
    """The newest result with the parameters and choices in the address.

    `choices` are further names that the address may hold, beside theme and layout of a figure.

    Raises:
        Http404: there is no result yet, or no such option of a choice.
        BadRequest: the address holds impossible parameters.
    """
    own = (*OF_IMAGES, *choices, *analysis.choices)
    stated = {name: text for name, text in request.GET.dict().items() if name not in own}
    try:
        form = AnyParametersForm(analysis.parameters, stated)
        wanted = checked(form, analysis, subject)
        shown = current(wanted, asked_by=request.user)
    except ParameterError as error:
        raise BadRequest(str(error)) from error
    beside = current(request_beside(wanted), asked_by=request.user) if analysis.beside else None
    if shown.result is None or (beside is not None and beside.result is None):
        raise Http404
    try:
        return analysis.shown(
            wanted.parameters, shown.result, beside=beside and beside.result, asked=request.GET.dict()
        )
    except UnknownOptionError as error:
        raise Http404 from error


@researcher
@require_safe
def campaign_file(
    request: AccountRequest, uuid: UUID, analysis: str, part: str, file: str
) -> HttpResponse | StreamingHttpResponse:
    """A figure or table of the newest result for a campaign."""
    return _file(request, campaign_or_404(uuid), analysis, part, file)


@researcher
@require_safe
def corpus_file(
    request: AccountRequest, uuid: UUID, analysis: str, part: str, file: str
) -> HttpResponse | StreamingHttpResponse:
    """A figure or table of the newest result for a corpus."""
    return _file(request, corpus_or_404(uuid), analysis, part, file)


def _file(
    request: AccountRequest, subject: Subject, name: str, part: str, file: str
) -> HttpResponse | StreamingHttpResponse:
    page, analysis = page_or_404(subject, name, request.user)
    computed = computed_or_404(request, analysis, subject, choices=page.choices)
    try:
        analysis = page.said_by(
            analysis, {each: request.GET[each] for each in page.choices if each in request.GET}
        )
    except ParameterError as error:
        raise BadRequest(str(error)) from error
    naming = naming_of(subject, computed.parameters)
    if file in IMAGES:
        figure = analysis.figures.get(part)
        if figure is None or not figure.has_content(computed):
            raise Http404
        chart = figure.draw(computed, naming, layout_of(request))
        return image_of(
            chart,
            request,
            file,
            signature=computed.signature(of_beside=figure.is_of_beside),
            caption=described(analysis, figure, computed, naming),
        )
    table = analysis.filled_tables(computed, naming).get(part)
    if table is None or not table.table.in_files:
        raise Http404
    file_name = part if part == analysis.name else f"{analysis.name}-{part}"
    if file == "json":
        records = {"signature": table.signature, "rows": list(table.records())}
        return JsonResponse(to_plain_json(records), json_dumps_params={"ensure_ascii": False, "indent": 1})
    return table_file(table, file, name=file_name)


def table_file(table: FilledTable, file: str, *, name: str) -> StreamingHttpResponse:
    """The table as a file of this name, as CSV or LaTeX.

    Raises:
        Http404: `file` is another ending.
    """
    if file not in CONTENT_TYPES:
        raise Http404
    return download(table.csv() if file == "csv" else table.latex(), name, file)


def download(lines: Iterable[str], name: str, file: str) -> StreamingHttpResponse:
    """The lines of a table as a file of this name, with the ending `file`."""
    response = StreamingHttpResponse(in_pieces(lines), content_type=CONTENT_TYPES[file])
    response["Content-Disposition"] = f'attachment; filename="{name}.{file}"'
    return response
