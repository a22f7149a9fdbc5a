"""The page of growing references: scores before and after, and outputs that no reference contains."""

from collections.abc import Iterator
from typing import Any
from uuid import UUID

from django.http import Http404, StreamingHttpResponse
from django.views.decorators.http import require_safe

from analysis.analyses.grown_references import GROWN_REFERENCES, GrownResult
from analysis.pages.registered import AnalysisPage, register_page
from analysis.pages.results import result_or_404, table_file
from analysis.pages.shared_files import ResultTable
from analysis.runs.requests import Request
from annotate.design.wording import counted
from annotate.judgments.queries import labels_of
from annotate.models import User
from annotate.web.access import AccountRequest, corpus_or_404, researcher
from annotate.web.parameter_forms import query_of
from core.formulas import guarded
from core.latex import escaped, number, tabular
from metrics.references import SystemChange

KINDS = ("before", "after", "without_own")
COLUMNS = (
    "system",
    *(
        f"{figure}_{kind}"
        for kind in KINDS
        for figure in ("f", "f_low", "f_high", "precision", "recall", "tp", "fp", "fn")
    ),
    "gain",
    "gain_low",
    "gain_high",
    "rank_before",
    "rank_after",
    "rank_without_own",
    "own_references",
    "signature",
)


def context(request: Request, result: GrownResult, user: User) -> dict[str, Any]:
    """The result in a sentence, labels of systems, and the query of the table."""
    systems = result.scores.systems if result.scores else ()
    return {
        "headline": headline(result),
        "labels": labels_of(request.corpus),
        "moved": [each for each in systems if each.rank_before != each.rank_after],
        "moved_without_own": [each for each in systems if each.rank_before != each.rank_without_own],
        "query": query_of(request.parameters),
        "confidence": round(100 * request.parameters.confidence),
        "metric": request.parameters.metric,
    }


def headline(result: GrownResult) -> str:
    """How much references have grown and scores risen."""
    if result.scores is None or not result.scores.systems:
        return "No output has become a reference yet"
    became = "a reference" if result.grown == 1 else "references"
    said = f"{counted(result.grown, 'output')} became {became}"
    gains = [each.gain.value for each in result.scores.systems if each.gain.value is not None]
    return f"{said}; F changed by {min(gains):+.3f} to {max(gains):+.3f}" if gains else said


register_page(AnalysisPage(GROWN_REFERENCES.name, "analysis/grown_references.html", context))


@researcher
@require_safe
def table(request: AccountRequest, uuid: UUID, file: str) -> StreamingHttpResponse:
    """The systems before and after as CSV or LaTeX."""
    result: GrownResult = result_or_404(request, GROWN_REFERENCES, corpus_or_404(uuid))
    if result.scores is None:
        raise Http404
    return table_file(ResultTable(COLUMNS, _rows, _latex).of(result), file, name="grown-references")


def _systems(result: GrownResult) -> tuple[SystemChange, ...]:
    return result.scores.systems if result.scores else ()


def _rows(result: GrownResult) -> Iterator[list[object]]:
    for each in _systems(result):
        row: list[object] = [guarded(each.system)]
        for figures in (each.before, each.after, each.without_own):
            row += [figures.f.value, figures.f.low, figures.f.high]
            row += [figures.precision.value, figures.recall.value, figures.tp, figures.fp, figures.fn]
        row += [each.gain.value, each.gain.low, each.gain.high]
        yield [*row, each.rank_before, each.rank_after, each.rank_without_own, each.own, result.signature]


def _latex(result: GrownResult) -> Iterator[str]:
    return tabular(
        ["System", "F before", "F after", "F without its own", "Rank before", "after", "without its own"],
        (
            [
                escaped(each.system),
                *(number(figures.f.value, 3) for figures in (each.before, each.after, each.without_own)),
                *(str(rank) for rank in (each.rank_before, each.rank_after, each.rank_without_own)),
            ]
            for each in _systems(result)
        ),
        comments=[result.signature],
    )
