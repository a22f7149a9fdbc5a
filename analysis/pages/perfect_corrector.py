"""The page of attainable scores: figure, table and files."""

from collections.abc import Iterator
from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from analysis.analyses.metric_titles import title_of_metric
from analysis.analyses.perfect_corrector import PERFECT_CORRECTOR, PerfectCorrector
from analysis.analyses.pilots import FEW_ANSWERS, left_out_in_words
from analysis.pages.registered import AnalysisPage, register_page
from analysis.pages.results import result_or_404, table_view
from analysis.pages.shared_files import ResultTable
from analysis.runs.requests import Request
from annotate.models import User
from annotate.web.access import AccountRequest, corpus_or_404, researcher
from annotate.web.images import image_of, width_of
from annotate.web.parameter_forms import query_of
from core.latex import number, tabular
from figures.curves import WIDTHS
from figures.perfect_corrector import DrawnPerfect, perfect_corrector_figure
from metrics.validation.coverage.sampled import Draw

FIELDS = ("metric", "draw", "most_references", "sentences", "correct", "confidence")
COLUMNS = ("references", "score", "low", "high", "one_of_the_references", "metric", "signature")


def context(request: Request, result: PerfectCorrector, user: User) -> dict[str, Any]:
    """The result in a sentence, and what the figure is asked for."""
    return {
        "headline": headline(result, request.parameters.metric),
        "left_out": left_out_in_words(result.left_out),
        "few_answers": result.answers < FEW_ANSWERS,
        "with_replacement": request.parameters.draw == Draw.ANSWERS,
        "confidence": round(100 * request.parameters.confidence),
        "planned": request.parameters,
        "query": query_of(request.parameters),
    }


register_page(
    AnalysisPage(
        PERFECT_CORRECTOR.name,
        "analysis/perfect_corrector.html",
        context,
        fields=FIELDS,
        group="coverage",
        label="Attainable scores",
        place=1,
    )
)


def headline(result: PerfectCorrector, metric: str) -> str:
    """How a perfect corrector would score against the fewest and the most references."""
    first, last = result.points[0], result.points[-1]
    title = title_of_metric(metric)
    if last.perfect.value is None or first.perfect.value is None:
        return f"{title} scores no sentence."
    if first is last:
        return f"Against {_counted(1)}, a perfect corrector would score {last.perfect.value:.3f} by {title}."
    return (
        f"By {title}, a perfect corrector would score {first.perfect.value:.3f} against "
        f"{_counted(first.references)}, and {last.perfect.value:.3f} against {_counted(last.references)}."
    )


def _counted(references: int) -> str:
    return f"{references} reference{'' if references == 1 else 's'}"


@researcher
@require_safe
def curve_image(request: AccountRequest, uuid: UUID, image: str) -> HttpResponse:
    """The score of a perfect corrector by number of references."""
    corpus = corpus_or_404(uuid)
    result: PerfectCorrector = result_or_404(request, PERFECT_CORRECTOR, corpus)
    points = [DrawnPerfect(point.references, point.perfect, point.lucky) for point in result.points]
    metric = title_of_metric(result.metric.partition("|")[0])
    title = f"{corpus}: attainable scores"
    chart = perfect_corrector_figure(points, metric=metric, title=title, width=width_of(request, WIDTHS))
    return image_of(chart, request, image, signature=result.signature)


def _rows(result: PerfectCorrector) -> Iterator[list[object]]:
    for point in result.points:
        score = point.perfect
        yield [
            point.references,
            score.value,
            score.low,
            score.high,
            point.lucky,
            result.metric,
            result.signature,
        ]


def _latex(result: PerfectCorrector) -> Iterator[str]:
    return tabular(
        ["References", "Perfect corrector", "from", "to", "One of the references"],
        (
            [
                str(point.references),
                *(
                    number(each, 3)
                    for each in (point.perfect.value, point.perfect.low, point.perfect.high, point.lucky)
                ),
            ]
            for point in result.points
        ),
        comments=[result.signature, result.metric],
    )


table = table_view(PERFECT_CORRECTOR, ResultTable(COLUMNS, _rows, _latex), name="perfect-corrector")
