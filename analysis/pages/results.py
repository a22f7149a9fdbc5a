"""The stored result that files and figures of a page show."""

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, TypeVar

from django.core.exceptions import BadRequest
from django.http import Http404, StreamingHttpResponse

from analysis.analyses.base import Analysis
from analysis.pages.analyses import checked
from analysis.runs.queries import current
from analysis.runs.sources import Subject
from annotate.web.access import AccountRequest
from annotate.web.images import OF_IMAGES
from annotate.web.parameter_forms import ParametersForm
from formats.writers.pieces import in_pieces
from formats.writers.tables import csv_lines
from metrics.parameters import ParameterError

R = TypeVar("R")

CONTENT_TYPES = {"csv": "text/csv; charset=utf-8", "tex": "application/x-tex; charset=utf-8"}
"""Of tables, by the ending of the file."""


def result_or_404(
    request: AccountRequest, analysis: Analysis[Any, Any], subject: Subject, *, choices: Collection[str] = ()
) -> Any:
    """The newest result of what the address states.

    `choices` are names in the address that are no parameters of the analysis; nor are theme and layout of
    a figure.

    Raises:
        Http404: there is no result yet, and a file has no room for words.
        BadRequest: the address states something impossible.
    """
    stated = {name: text for name, text in request.GET.dict().items() if name not in (*OF_IMAGES, *choices)}
    try:
        form = ParametersForm[Any](analysis.parameters, stated)
        shown = current(checked(form, analysis, subject), asked_by=request.user)
    except ParameterError as error:
        raise BadRequest(str(error)) from error
    if shown.result is None:
        raise Http404
    return shown.result


def table_file(
    result: R,
    file: str,
    *,
    name: str,
    columns: Sequence[str],
    rows: Callable[[R], Iterable[Sequence[object]]],
    latex: Callable[[R], Iterable[str]],
) -> StreamingHttpResponse:
    """A table of the result as a file of this name, as CSV or LaTeX.

    Raises:
        Http404: `file` is another ending.
    """
    if file not in CONTENT_TYPES:
        raise Http404
    return download(csv_lines(columns, rows(result)) if file == "csv" else latex(result), name, file)


def download(lines: Iterable[str], name: str, file: str) -> StreamingHttpResponse:
    """The lines of a table as a file of this name, with the ending `file`."""
    response = StreamingHttpResponse(in_pieces(lines), content_type=CONTENT_TYPES[file])
    response["Content-Disposition"] = f'attachment; filename="{name}.{file}"'
    return response
