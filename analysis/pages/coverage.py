"""The page of the coverage of references: figure, tables and files."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from analysis.analyses.coverage import COVERAGE, CoverageParameters, ReferenceCoverage
from analysis.analyses.pilots import FEW_ANSWERS, left_out_in_words
from analysis.pages.registered import AnalysisPage, register_page
from analysis.pages.results import result_or_404, table_view
from analysis.pages.shared_files import ResultTable
from analysis.runs.requests import Request
from annotate.models import User
from annotate.web.access import AccountRequest, corpus_or_404, researcher
from annotate.web.images import image_of, width_of
from annotate.web.parameter_forms import query_of
from core.later import alt
from figures.coverage import DrawnCoverage, coverage_figure
from figures.curves import WIDTHS
from formats.writers.latex import number, tabular

FIELDS = (
    "match",
    "normalisation",
    "unchanged_below",
    "most_references",
    "sentences",
    "correct",
    "loss",
    "confidence",
)
COLUMNS = (
    "references",
    "accuracy",
    "accuracy_low",
    "accuracy_high",
    "accuracy_all_different",
    "test_set",
    "test_set_low",
    "test_set_high",
    "signature",
)


def context(request: Request, result: ReferenceCoverage, user: User) -> dict[str, Any]:
    """The result in a sentence, what the figure is asked for, and where figure and table are."""
    return {
        **context_of(request.parameters, result),
        "figure_route": "coverage-figure",
        "table_route": "coverage-table",
    }


def context_of(parameters: CoverageParameters, result: ReferenceCoverage) -> dict[str, Any]:
    """The result in a sentence, and what the figure is asked for."""
    return {
        "headline": headline(result),
        "left_out": left_out_in_words(result.left_out),
        "few_answers": result.answers < FEW_ANSWERS,
        "accuracy_wanted": 1 - result.needed.loss,
        "confidence": round(100 * parameters.confidence),
        "planned": parameters,
        "query": query_of(parameters),
    }


register_page(
    AnalysisPage(
        COVERAGE.name, "analysis/coverage.html", context, fields=FIELDS, group="coverage", label="Coverage"
    )
)


def headline(result: ReferenceCoverage) -> str:
    """How a perfect corrector would score against as many references as the curve ends with."""
    last = result.curve[-1]
    share = f"{last.accuracy.value or 0:.0%}".replace("%", " %")
    references = "1 reference" if last.references == 1 else f"{last.references} references"
    return f"Against {references}, a perfect corrector would match in {share} of the sentences."


@researcher
@require_safe
def coverage_image(request: AccountRequest, uuid: UUID, image: str) -> HttpResponse:
    """The accuracy of a perfect corrector by number of references."""
    corpus = corpus_or_404(uuid)
    result: ReferenceCoverage = result_or_404(request, COVERAGE, corpus)
    title = f"{corpus}: coverage of references"
    chart = coverage_chart(result, title=title, width=width_of(request, WIDTHS))
    return image_of(chart, request, image, signature=result.signature)


def coverage_chart(result: ReferenceCoverage, *, title: str, width: int) -> alt.LayerChart:
    """The curve of a result."""
    points = [
        DrawnCoverage(
            point.references, point.accuracy.value, point.accuracy.low, point.accuracy.high, point.different
        )
        for point in result.curve
    ]
    return coverage_figure(points, loss=result.needed.loss, title=title, width=width)


def _rows(result: ReferenceCoverage) -> Iterator[list[object]]:
    for point in result.curve:
        accuracy = point.accuracy
        yield [
            point.references,
            accuracy.value,
            accuracy.low,
            accuracy.high,
            point.different,
            point.test_set,
            point.low,
            point.high,
            result.signature,
        ]


def _latex(result: ReferenceCoverage) -> Iterator[str]:
    columns = ["References", "Accuracy", "from", "to", "All different", "Test set", "from", "to"]
    return tabular(
        columns,
        (
            [
                str(point.references),
                number(point.accuracy.value, 3),
                number(point.accuracy.low, 3),
                number(point.accuracy.high, 3),
                *(number(each, 3) for each in (point.different, point.test_set, point.low, point.high)),
            ]
            for point in result.curve
        ),
        comments=[result.signature],
    )


CURVE = ResultTable(COLUMNS, _rows, _latex)
"""The curve of references of a corpus, or of the corrections of a campaign."""

table = table_view(COVERAGE, CURVE, name="coverage")
