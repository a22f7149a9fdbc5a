"""The page of judgments of validity: share judged valid by frequency, and the judged outputs."""

from collections.abc import Iterator, Mapping
from typing import Any
from uuid import UUID

from django.http import Http404, HttpResponse
from django.views.decorators.http import require_safe

from analysis.analyses.valid_outputs import VALID_OUTPUTS, ValidOutputs
from analysis.pages.list_pages import CHOICES, rows_of_page
from analysis.pages.registered import AnalysisPage, register_page
from analysis.pages.results import result_or_404, table_view
from analysis.pages.shared_files import ResultTable
from analysis.runs.requests import Request
from analysis.runs.sources import source_of
from annotate.models import User
from annotate.web.access import AccountRequest, campaign_or_404, researcher
from annotate.web.images import image_of, width_of
from annotate.web.parameter_forms import query_of
from core.latex import escaped, number, tabular
from figures.validity import WIDTHS, DrawnShare, validity_figure

OUTPUTS_PER_PAGE = 20
COLUMNS = ("given", "outputs", "valid", "share", "low", "high", "signature")


def context(request: Request, result: ValidOutputs, user: User) -> dict[str, Any]:
    """The result in a sentence, the query of figure and table, and whether the user may make references."""
    return {
        "headline": headline(result),
        "why_empty": ""
        if result.answers
        else source_of(VALID_OUTPUTS).why_not(request.subject, VALID_OUTPUTS),
        "query": query_of(request.parameters),
        "confidence": round(100 * request.parameters.confidence),
        "may_make": user.is_admin and request.corpus.has_texts,
        "corpus": request.corpus,
    }


def page_of_outputs(
    request: Request, result: ValidOutputs, user: User, choices: Mapping[str, str]
) -> dict[str, Any]:
    """The judged outputs of a page, the most frequent first."""
    ordered = sorted(result.outputs, key=lambda each: (-(each.frequency or 0), each.sentence))
    shown, numbers = rows_of_page(ordered, choices, size=OUTPUTS_PER_PAGE)
    return {"shown": shown, **numbers}


def headline(result: ValidOutputs) -> str:
    """How many of the judged outputs are valid."""
    share = f"{result.valid / max(1, len(result.outputs)):.0%}".replace("%", " %")
    return f"{result.valid:,} of {len(result.outputs):,} outputs were judged valid ({share})"


register_page(
    AnalysisPage(
        VALID_OUTPUTS.name,
        "analysis/valid_outputs.html",
        context,
        choices=CHOICES,
        chosen=page_of_outputs,
    )
)


@researcher
@require_safe
def shares_image(request: AccountRequest, uuid: UUID, image: str) -> HttpResponse:
    """The share judged valid by frequency."""
    campaign = campaign_or_404(uuid)
    result: ValidOutputs = result_or_404(request, VALID_OUTPUTS, campaign)
    shares = [DrawnShare(row.label, row.share, row.low, row.high, row.outputs) for row in result.rows]
    if not shares:
        raise Http404
    title = f"{campaign}: judged valid by frequency"
    chart = validity_figure(shares, counted=result.counted, title=title, width=width_of(request, WIDTHS))
    return image_of(chart, request, image, signature=result.signature)


def _rows(result: ValidOutputs) -> Iterator[list[object]]:
    for row in result.rows:
        yield [row.label, row.outputs, row.valid, row.share, row.low, row.high, result.signature]


def _latex(result: ValidOutputs) -> Iterator[str]:
    return tabular(
        ["Given", "Outputs", "Valid", "Share", "from", "to"],
        (
            [
                escaped(row.label),
                str(row.outputs),
                str(row.valid),
                *(number(each, 3) for each in (row.share, row.low, row.high)),
            ]
            for row in result.rows
        ),
        comments=[result.signature],
    )


table = table_view(VALID_OUTPUTS, ResultTable(COLUMNS, _rows, _latex), name="valid-outputs")
