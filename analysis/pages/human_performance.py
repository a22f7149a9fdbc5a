"""The page of systems beside people: figure, table and files."""

from collections.abc import Iterator
from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from analysis.analyses.human_performance import HUMAN_PERFORMANCE, HumanPerformance
from analysis.pages.registered import AnalysisPage, register_page
from analysis.pages.results import result_or_404, table_view
from analysis.pages.shared_files import ResultTable
from analysis.runs.requests import Request
from annotate.judgments.queries import labels_of
from annotate.models import User
from annotate.web.access import AccountRequest, corpus_or_404, researcher
from annotate.web.images import image_of
from annotate.web.parameter_forms import query_of
from core.formulas import guarded
from core.latex import escaped, number, tabular
from core.marks import scale_of
from figures.human_performance import DrawnScorer, scorers_figure
from metrics.validation import Estimate

COLUMNS = ("corrector", "person", "score", "low", "high", "above_people", "signature")

Row = tuple[str, bool, Estimate, int | None]


def context(request: Request, result: HumanPerformance, user: User) -> dict[str, Any]:
    """The result in a sentence, and everybody by score."""
    labels = labels_of(request.corpus)
    by_score = rows(result, labels)
    ends = [end for _, _, score, _ in by_score for end in (score.value, score.low, score.high)]
    return {
        "headline": headline(result, labels),
        "rows": by_score,
        "scale": scale_of(end for end in ends if end is not None),
        "confidence": round(100 * request.parameters.confidence),
        "query": query_of(request.parameters),
    }


register_page(
    AnalysisPage(
        HUMAN_PERFORMANCE.name,
        "analysis/human_performance.html",
        context,
        fields=("metric", "confidence"),
        group="coverage",
        label="Systems beside people",
        place=2,
    )
)


def rows(result: HumanPerformance, labels: dict[str, str]) -> list[Row]:
    """Name, whether it is a person, score, and how many people a system is above; by descending score."""
    people: list[Row] = [(each.name, True, each.score, None) for each in result.people]
    systems: list[Row] = [
        (labels.get(each.name, each.name), False, each.score, each.above) for each in result.systems
    ]
    return sorted([*people, *systems], key=lambda row: -(row[2].value or 0.0))


def headline(result: HumanPerformance, labels: dict[str, str]) -> str:
    """How the best system stands among people."""
    best = result.systems[0]
    name, people = labels.get(best.name, best.name), len(result.people)
    if best.above == 0:
        return f"Every person scores above {name}, the best system."
    if best.above == people:
        return f"{name} scores above every person."
    return f"{name} scores above {best.above} of {people} people."


@researcher
@require_safe
def scorers_image(request: AccountRequest, uuid: UUID, image: str) -> HttpResponse:
    """Systems and people by score."""
    corpus = corpus_or_404(uuid)
    result: HumanPerformance = result_or_404(request, HUMAN_PERFORMANCE, corpus)
    drawn = [
        DrawnScorer(name, is_person, score) for name, is_person, score, _ in rows(result, labels_of(corpus))
    ]
    title = f"{corpus}: systems beside people, {result.references} references"
    return image_of(scorers_figure(drawn, title=title), request, image, signature=result.signature)


def _rows(result: HumanPerformance) -> Iterator[list[object]]:
    for name, is_person, score, above in rows(result, {}):
        is_one = "yes" if is_person else "no"
        yield [guarded(name), is_one, score.value, score.low, score.high, above, result.signature]


def _latex(result: HumanPerformance) -> Iterator[str]:
    return tabular(
        ["Corrector", "Score", "from", "to"],
        (
            [
                escaped(f"{name} (person)" if is_person else name),
                *(number(each, 3) for each in (score.value, score.low, score.high)),
            ]
            for name, is_person, score, _ in rows(result, {})
        ),
        comments=[result.signature, result.metric],
    )


table = table_view(HUMAN_PERFORMANCE, ResultTable(COLUMNS, _rows, _latex), name="systems-beside-people")
