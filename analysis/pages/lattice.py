"""The page of one lattice: a picture for each metric, its corrections in words, and files."""

from collections.abc import Iterator, Sequence
from string import ascii_uppercase
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.views.decorators.http import require_safe

from analysis.analyses.lattice import LATTICE, AppliedEdit, ScoredLattice
from analysis.analyses.metric_titles import title_of_metric
from analysis.pages.registered import AnalysisPage, register_page
from analysis.pages.results import CONTENT_TYPES, download, result_or_404
from analysis.runs.requests import Request
from annotate.models import User
from annotate.web.access import AccountRequest, corpus_or_404, researcher
from annotate.web.images import image_of
from annotate.web.parameter_forms import query_of
from core.formulas import guarded
from core.latex import escaped, number, tabular
from core.tables import csv_lines
from figures.lattice import lattice_figure
from metrics.validation.maege.lattice_scores import Node


def context(request: Request, result: ScoredLattice, user: User) -> dict[str, Any]:
    """Corrections by letter with their scores, and what the figure is asked for."""
    words = result.nodes[0].text.split()
    return {
        "headline": headline(result),
        "titles": [title_of_metric(name) for name in result.metrics],
        "counts": [(title_of_metric(name), *counts) for name, counts in result.metrics.items()],
        "nodes": [
            (letter, len(node.edits), marked(words, result.edits, node), list(node.scores.values()))
            for letter, node in zip(letters(len(result.nodes)), result.nodes, strict=True)
        ],
        "others": [
            (name, edits, urlencode({"sentence": result.sentence, "annotator": name}))
            for name, edits in result.others.items()
        ],
        "query": query_of(request.parameters),
    }


register_page(AnalysisPage(LATTICE.name, "analysis/lattice.html", context))


def headline(result: ScoredLattice) -> str:
    """How many steps lower a score."""
    down = {title_of_metric(name): counts[1] for name, counts in result.metrics.items() if counts[1]}
    steps = len(result.steps)
    if not down:
        return "No metric goes down where the text gets better."
    worst, times = max(down.items(), key=lambda item: item[1])
    return f"{worst} goes down on {times} of {steps} steps to a better text."


def letters(size: int) -> list[str]:
    """A, B, ... Z, A2, B2, ..."""
    return [
        ascii_uppercase[place % 26] + (str(place // 26 + 1) if place >= 26 else "") for place in range(size)
    ]


def marked(words: Sequence[str], edits: Sequence[AppliedEdit], node: Node) -> list[tuple[str, str]]:
    """The correction in pieces: "ins" is what an edit has put there, "del" what one removes."""
    pieces: list[tuple[str, str]] = []
    position = 0
    for place in node.edits:
        edit = edits[place]
        if edit.start > position:
            pieces.append((" ".join(words[position : edit.start]), ""))
        pieces.append((edit.after, "ins") if edit.after else (edit.before, "del"))
        position = edit.end
    if position < len(words):
        pieces.append((" ".join(words[position:]), ""))
    return pieces


@researcher
@require_safe
def lattice_image(request: AccountRequest, uuid: UUID, image: str) -> HttpResponse:
    """The lattice, once for each metric."""
    corpus = corpus_or_404(uuid)
    result: ScoredLattice = result_or_404(request, LATTICE, corpus)
    chart = lattice_figure(
        result.nodes,
        result.steps,
        letters(len(result.nodes)),
        [(name, title_of_metric(name)) for name in result.metrics],
        title=f"{corpus}: corrections of sentence {result.sentence} by annotator {result.annotator}",
    )
    return image_of(chart, request, image, signature=result.signature)


@researcher
@require_safe
def table(request: AccountRequest, uuid: UUID, file: str) -> StreamingHttpResponse:
    """Corrections with all scores."""
    if file not in CONTENT_TYPES:
        raise Http404
    result: ScoredLattice = result_or_404(request, LATTICE, corpus_or_404(uuid))
    return download(_csv(result) if file == "csv" else _latex(result), "lattice", file)


def _csv(result: ScoredLattice) -> Iterator[str]:
    columns = ("node", "edits", "text", *(guarded(name) for name in result.metrics), "signature")
    return csv_lines(
        columns,
        (
            [letter, len(node.edits), guarded(node.text), *node.scores.values(), result.signature]
            for letter, node in zip(letters(len(result.nodes)), result.nodes, strict=True)
        ),
    )


def _latex(result: ScoredLattice) -> Iterator[str]:
    return tabular(
        ["Node", "Edits", "Text", *(escaped(title_of_metric(name)) for name in result.metrics)],
        (
            [
                letter,
                str(len(node.edits)),
                escaped(node.text),
                *(number(score, 3) for score in node.scores.values()),
            ]
            for letter, node in zip(letters(len(result.nodes)), result.nodes, strict=True)
        ),
        comments=[result.signature],
    )
