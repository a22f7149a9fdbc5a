"""The page of under-correction: figures, tables and files."""

from collections.abc import Iterator, Sequence
from typing import Any
from uuid import UUID

from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.views.decorators.http import require_safe

from analysis.analyses.conservatism import CONSERVATISM, Corrector, UnderCorrection
from analysis.pages.registered import AnalysisPage, register_page
from analysis.pages.results import result_or_404, table_file, table_view
from analysis.pages.shared_files import ResultTable
from analysis.runs.requests import Request
from annotate.judgments.queries import labels_of
from annotate.models import User
from annotate.web.access import AccountRequest, corpus_or_404, researcher
from annotate.web.images import image_of
from annotate.web.parameter_forms import query_of
from core.formulas import guarded
from core.latex import escaped, number, tabular
from figures.conservatism import DrawnCorrector, correctors_figure, type_ratios_figure
from metrics.validation.correction_types import TypeRatio

COLUMNS = (
    "corrector",
    "person",
    "sentences",
    "words",
    "words_low",
    "words_high",
    "changed",
    "deleted",
    "added",
    "edit_distance",
    "unchanged",
    "unchanged_low",
    "unchanged_high",
    "order",
    "split",
    "joined",
    "signature",
)
COLUMNS_OF_TYPES = ("type", "systems", "people", "ratio", "ratio_low", "ratio_high", "signature")


def context(request: Request, result: UnderCorrection, user: User) -> dict[str, Any]:
    """The result in a sentence, and what figures are asked for."""
    labels = labels_of(request.corpus)
    return {
        "headline": headline(result, labels),
        "of_sentences": of_sentences(result, labels),
        "correctors": [(labels.get(each.name, each.name), each) for each in result.correctors],
        "confidence": round(100 * request.parameters.confidence),
        "query": query_of(request.parameters),
    }


register_page(
    AnalysisPage(
        CONSERVATISM.name,
        "analysis/conservatism.html",
        context,
        fields=("types",),
        group="coverage",
        label="Under-correction",
        place=3,
    )
)


def headline(result: UnderCorrection, labels: dict[str, str]) -> str:
    """Whether the system that changes most still changes less than the person who changes least."""
    systems = [each for each in result.correctors if not each.is_person]
    people = [each for each in result.correctors if each.is_person]
    if not systems or not people:
        return "There is nothing to compare: every text of the systems or of the people is missing."
    boldest, shyest = systems[0], people[-1]
    name = labels.get(boldest.name, boldest.name)
    if _words(boldest) < _words(shyest):
        return f"Every system changes fewer words than any person; {name} comes closest."
    above = sum(_words(each) < _words(boldest) for each in people)
    return f"{name} changes the most words of all systems, more than {above} of {len(people)} people."


def of_sentences(result: UnderCorrection, labels: dict[str, str]) -> str:
    """The same by sentences left unchanged, which may say otherwise; empty if there is nothing to compare."""
    systems = [each for each in result.correctors if not each.is_person]
    people = [each for each in result.correctors if each.is_person]
    if not systems or not people:
        return ""
    boldest = min(systems, key=_unchanged)
    shyest = max(people, key=_unchanged)
    name = labels.get(boldest.name, boldest.name)
    return (
        f"{name} leaves {_unchanged(boldest):.0%} of the sentences unchanged, the fewest of all systems; "
        f"annotator {shyest.name} leaves {_unchanged(shyest):.0%}, the most of all people."
    ).replace("%", " %")


def _unchanged(corrector: Corrector) -> float:
    return corrector.unchanged.value or 0.0


def _words(corrector: Corrector) -> float:
    return corrector.words.value or 0.0


@researcher
@require_safe
def correctors_image(request: AccountRequest, uuid: UUID, image: str) -> HttpResponse:
    """Words changed and sentences unchanged, by corrector."""
    corpus = corpus_or_404(uuid)
    result: UnderCorrection = result_or_404(request, CONSERVATISM, corpus)
    labels = labels_of(corpus)
    drawn = [
        DrawnCorrector(labels.get(each.name, each.name), each.is_person, each.words, each.unchanged)
        for each in result.correctors
    ]
    is_narrow = request.GET.get("layout") == "narrow"
    chart = correctors_figure(drawn, title=f"{corpus}: under-correction", is_narrow=is_narrow)
    return image_of(chart, request, image, signature=result.signature)


@researcher
@require_safe
def types_image(request: AccountRequest, uuid: UUID, image: str) -> HttpResponse:
    """Edits of systems over those of people, by type."""
    corpus = corpus_or_404(uuid)
    result: UnderCorrection = result_or_404(request, CONSERVATISM, corpus)
    if result.types is None or not any(row.ratio.value is not None for row in result.types.types):
        raise Http404
    rows = [(row.type, row.ratio) for row in result.types.types]
    chart = type_ratios_figure(rows, title=f"{corpus}: edits of systems and people")
    return image_of(chart, request, image, signature=result.signature)


@researcher
@require_safe
def types_table(request: AccountRequest, uuid: UUID, file: str) -> StreamingHttpResponse:
    """Edits of systems and people by type, as CSV or LaTeX."""
    result: UnderCorrection = result_or_404(request, CONSERVATISM, corpus_or_404(uuid))
    if result.types is None:
        raise Http404
    types = ResultTable(COLUMNS_OF_TYPES, _rows_of_types, _latex_of_types)
    return table_file(types.of(result), file, name="under-correction-by-type")


def _rows(result: UnderCorrection) -> Iterator[list[object]]:
    for each in result.correctors:
        yield [
            guarded(each.name),
            "yes" if each.is_person else "no",
            each.sentences,
            each.words.value,
            each.words.low,
            each.words.high,
            each.changed,
            each.deleted,
            each.added,
            each.edit_distance,
            each.unchanged.value,
            each.unchanged.low,
            each.unchanged.high,
            each.order,
            each.split,
            each.joined,
            result.signature,
        ]


def _latex(result: UnderCorrection) -> Iterator[str]:
    columns = ["Corrector", "Words", "Changed", "Deleted", "Added", "Unchanged", "Order", "Split"]
    return tabular(
        columns,
        (
            [
                escaped(each.name),
                number(each.words.value, 2),
                str(each.changed),
                str(each.deleted),
                str(each.added),
                number(each.unchanged.value, 3),
                number(each.order, 3),
                str(each.split),
            ]
            for each in result.correctors
        ),
        comments=[result.signature],
    )


def _types(result: UnderCorrection) -> Sequence[TypeRatio]:
    return result.types.types if result.types else ()


def _rows_of_types(result: UnderCorrection) -> Iterator[list[object]]:
    for row in _types(result):
        ratio = row.ratio
        yield [row.type, row.systems, row.people, ratio.value, ratio.low, ratio.high, result.signature]


def _latex_of_types(result: UnderCorrection) -> Iterator[str]:
    return tabular(
        ["Type", "Systems", "People", "Ratio", "from", "to"],
        (
            [
                escaped(row.type),
                number(row.systems, 1),
                number(row.people, 1),
                *(number(each, 3) for each in (row.ratio.value, row.ratio.low, row.ratio.high)),
            ]
            for row in _types(result)
        ),
        comments=[result.signature],
    )


correctors_table = table_view(CONSERVATISM, ResultTable(COLUMNS, _rows, _latex), name="under-correction")
