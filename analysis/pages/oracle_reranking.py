"""The page of oracle re-ranking: figure, tables and files."""

from collections.abc import Iterator
from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from analysis.analyses.oracle_reranking import MOST_WORDS_CHANGED, ORACLE_RERANKING, OracleReranking
from analysis.pages.registered import AnalysisPage, register_page
from analysis.pages.results import result_or_404, table_view
from analysis.pages.shared_files import ResultTable
from analysis.runs.requests import Request
from annotate.models import User
from annotate.web.access import AccountRequest, corpus_or_404, researcher
from annotate.web.images import image_of
from annotate.web.parameter_forms import query_of
from core.latex import number, tabular
from figures.oracle_reranking import DrawnReranking, reranking_figure

WORDS = (*map(str, range(MOST_WORDS_CHANGED)), f"{MOST_WORDS_CHANGED}+")
COLUMNS = (
    "references",
    "words",
    "words_low",
    "words_high",
    "unchanged",
    "unchanged_low",
    "unchanged_high",
    *(f"sentences_{words}" for words in WORDS),
    "signature",
)


def context(request: Request, result: OracleReranking, user: User) -> dict[str, Any]:
    """The result in a sentence, and what the figure is asked for."""
    return {
        "headline": headline(result),
        "numbers_of_words": WORDS,
        "confidence": round(100 * request.parameters.confidence),
        "draws": request.parameters.draws,
        "query": query_of(request.parameters),
    }


register_page(
    AnalysisPage(
        ORACLE_RERANKING.name,
        "analysis/oracle_reranking.html",
        context,
        group="coverage",
        label="Re-ranking",
        place=4,
    )
)


def headline(result: OracleReranking) -> str:
    """Whether the best candidates change more against all references than against one."""
    first, last = result.points[0], result.points[-1]
    if last.words > first.words_high:
        change = "change more words"
    elif last.words < first.words_low:
        change = "change fewer words"
    else:
        change = "change about as many words"
    return (
        f"Picked against {last.references} references, the best candidates {change} than against one: "
        f"{last.words:.2f} against {first.words:.2f} per sentence."
    )


@researcher
@require_safe
def reranking_image(request: AccountRequest, uuid: UUID, image: str) -> HttpResponse:
    """Words changed by number of references."""
    corpus = corpus_or_404(uuid)
    result: OracleReranking = result_or_404(request, ORACLE_RERANKING, corpus)
    points = [
        DrawnReranking(point.references, point.words, point.words_low, point.words_high, point.by_words)
        for point in result.points
    ]
    chart = reranking_figure(points, title=f"{corpus}: oracle re-ranking")
    return image_of(chart, request, image, signature=result.signature)


def _rows(result: OracleReranking) -> Iterator[list[object]]:
    for point in result.points:
        yield [
            point.references,
            point.words,
            point.words_low,
            point.words_high,
            point.unchanged,
            point.unchanged_low,
            point.unchanged_high,
            *point.by_words,
            result.signature,
        ]


def _latex(result: OracleReranking) -> Iterator[str]:
    return tabular(
        ["References", "Words changed", "Unchanged", *WORDS],
        (
            [
                str(point.references),
                number(point.words, 3),
                number(point.unchanged, 3),
                *(number(each, 0) for each in point.by_words),
            ]
            for point in result.points
        ),
        comments=[result.signature, result.metric],
    )


table = table_view(ORACLE_RERANKING, ResultTable(COLUMNS, _rows, _latex), name="oracle-reranking")
