"""The page of metrics under stress: scores of all systems, a card for each metric, and files."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from analysis.analyses.stress import STRESS, MetricsUnderStress, TriedMetric, scores_of
from analysis.pages.registered import AnalysisPage, register_page
from analysis.pages.results import result_or_404, table_view
from analysis.pages.shared_files import ResultTable
from analysis.runs.requests import Request
from annotate.models import User
from annotate.web.access import AccountRequest, corpus_or_404, researcher
from annotate.web.images import image_of
from annotate.web.parameter_forms import query_of
from core.formulas import guarded
from core.latex import escaped, number, tabular
from figures.stress import stress_figure
from metrics.validation.stress import PERSON, WORDS, Degenerate

COLUMNS = ("metric", "system", "score", "findings", "signature")


@dataclass(frozen=True, slots=True)
class Cell:
    """A score in the table.

    Attributes:
        score: None where there is none.
        is_named: whether a rule names it.
    """

    score: float | None
    is_named: bool


def context(request: Request, result: MetricsUnderStress, user: User) -> dict[str, Any]:
    """The table of scores, and what the rules name in each metric."""
    tried = [each for each in result.metrics if each.card is not None]
    return {
        "headline": headline(tried),
        "tried": tried,
        "rows": [(WORDS[system], _cells(tried, system)) for system in (PERSON, *Degenerate)],
        "not_tried": [each for each in result.metrics if each.card is None],
        "query": query_of(request.parameters),
    }


register_page(AnalysisPage(STRESS.name, "analysis/stress.html", context, fields=("metric", "sentences")))


def _cells(tried: Sequence[TriedMetric], system: str) -> list[Cell]:
    return [
        Cell(each.card.scores[system], any(finding.system == system for finding in each.card.findings))
        for each in tried
        if each.card is not None
    ]


def headline(tried: Sequence[TriedMetric]) -> str:
    """How many metrics pass, in a sentence."""
    passing = [each.label for each in tried if each.card and not each.card.findings]
    if not tried:
        return "No metric could be tried"
    if not passing:
        return f"None of {len(tried)} metrics sees all degenerate outputs as people would"
    named = passing[0] if len(passing) == 1 else f"{', '.join(passing[:-1])} and {passing[-1]}"
    sees = "sees" if len(passing) == 1 else "see"
    return f"Of {len(tried)} metrics, {named} {sees} all degenerate outputs as people would"


@researcher
@require_safe
def stress_image(request: AccountRequest, uuid: UUID, image: str) -> HttpResponse:
    """How each metric places each degenerate system between no change and a person."""
    corpus = corpus_or_404(uuid)
    result: MetricsUnderStress = result_or_404(request, STRESS, corpus)
    chart = stress_figure(
        [(each.label, each.card.scores) for each in result.metrics if each.card is not None],
        title=f"{corpus}: metrics under stress",
    )
    return image_of(chart, request, image, signature=result.signature)


def _rows(result: MetricsUnderStress) -> Iterator[Sequence[object]]:
    for each in result.metrics:
        if each.card is None:
            yield [guarded(each.name), None, None, guarded(each.reason), result.signature]
            continue
        for system, score in each.card.scores.items():
            rules = [finding.rule for finding in each.card.findings if finding.system == system]
            yield [guarded(each.name), system, score, " ".join(rules), result.signature]


def _latex(result: MetricsUnderStress) -> Iterator[str]:
    labels = [escaped(each.label) for each in result.metrics if each.card is not None]
    rows = (
        [escaped(WORDS[system]), *(number(score, 3) for score in scores)]
        for system, scores in scores_of(result).items()
    )
    return tabular(["Outputs", *labels], rows, comments=[result.signature])


table = table_view(STRESS, ResultTable(COLUMNS, _rows, _latex), name="metrics-under-stress")
