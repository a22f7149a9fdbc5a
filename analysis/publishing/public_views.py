"""Public pages of published results. They need none of the modules that compute results."""

from collections.abc import Iterable
from itertools import groupby
from typing import Any, TypeVar

from django.http import HttpResponse, StreamingHttpResponse
from django.http.request import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from analysis.analyses.rules import is_of_older_rule
from analysis.models import Publication
from analysis.publishing.citation import citation
from analysis.publishing.storing import zip_of
from annotate.web.access import anyone
from core.marks import scale_of

GONE = 410
PREPARING = 202
HIDDEN = {"X-Robots-Tag": "noindex", "Cache-Control": "no-store"}
"""Search engines do not list these pages, and no cache stores them, because they may be retracted."""

CLUSTER = "Cluster"
"""Heading of the column by which a drawn table has lines between its rows."""

Response = TypeVar("Response", bound=HttpResponseBase)


@anyone
@require_safe
def published(request: HttpRequest, link: str) -> HttpResponse:
    """A published result, for anyone with the link."""
    publication = get_object_or_404(Publication, link=link)
    if publication.retracted_at:
        return _gone(request, publication)
    address = request.build_absolute_uri(publication.get_absolute_url())
    context = {
        "publication": publication,
        "content": publication.content,
        "figures": [
            figure
            for figure in (publication.content or {}).get("figures", ())
            if not figure.get("is_in_table")
        ],
        "tables": [_with_columns(table) for table in (publication.content or {}).get("tables", ())],
        "has_narrow": publication.figures.filter(layout="narrow").exists(),
        "is_of_older_rule": published_by_older_rule((publication.content or {}).get("signatures", ())),
        "address": address,
        "citation": citation(publication, address),
    }
    status = 200 if publication.content else PREPARING
    return _hidden(render(request, "analysis/published.html", context, status=status))


@anyone
@require_safe
def published_figure(request: HttpRequest, link: str, name: str) -> HttpResponse:
    """A figure of a published result."""
    publication = get_object_or_404(Publication.objects.defer("content"), link=link)
    if publication.retracted_at:
        return _gone(request, publication)
    theme, layout = request.GET.get("theme", "light"), request.GET.get("layout", "wide")
    figure = get_object_or_404(publication.figures, name=name, theme=theme, layout=layout)
    return _hidden(HttpResponse(figure.svg, content_type="image/svg+xml"))


@anyone
@require_safe
def published_zip(request: HttpRequest, link: str, name: str) -> HttpResponseBase:
    """Judgments, scores, tables and figures of a published result."""
    publication = get_object_or_404(Publication, link=link, analysis=name, content__isnull=False)
    if publication.retracted_at:
        return _gone(request, publication)
    response = StreamingHttpResponse(zip_of(publication), content_type="application/zip")
    response["Content-Disposition"] = f'attachment; filename="{name}.zip"'
    response["Content-Length"] = (publication.content or {})["bytes"]
    return _hidden(response)


def published_by_older_rule(signatures: Iterable[tuple[str, str]]) -> bool:
    """Whether a result with these signatures, by what they are of, was computed by an older rule."""
    return any(is_of_older_rule(of.removeprefix("the "), signature) for of, signature in signatures)


def _with_columns(table: dict[str, Any]) -> dict[str, object]:
    """A table whose cells have their columns beside them, and its rows what is drawn in them.

    Tables that were published earlier draw nothing.
    """
    marks = table.get("marks") or [None] * len(table["rows"])
    names = [column["name"] for column in table["columns"]]
    cluster = names.index(CLUSTER) if "marks" in table and CLUSTER in names else None
    rows = [
        (list(zip(row, table["columns"], strict=True)), mark)
        for row, mark in zip(table["rows"], marks, strict=True)
    ]
    grouped = groupby(rows, key=lambda row: None if cluster is None else row[0][cluster][0])
    return {
        **table,
        "clusters": [list(members) for _, members in grouped],
        "scale": scale_of(end for mark in marks if mark for end in mark[:3] if end is not None),
    }


def _gone(request: HttpRequest, publication: Publication) -> HttpResponse:
    context = {"publication": publication}
    return _hidden(render(request, "analysis/published.html", context, status=GONE))


def _hidden(response: Response) -> Response:
    for name, value in HIDDEN.items():
        response[name] = value
    return response
