"""Public pages of published results. They need none of the modules that compute results."""

import re
from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Any, TypeVar

from django.db.models.functions import Substr
from django.http import HttpResponse, StreamingHttpResponse
from django.http.request import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from analysis.analyses.rules import is_of_older_rule
from analysis.models import LeaderboardVersion, Publication, PublicationPreview
from analysis.publishing.citation import citation
from analysis.publishing.previews import alternative_text
from analysis.publishing.storing import DrawnMark, zip_of
from annotate.web.access import anyone
from core.marks import scale_of

GONE = 410
PREPARING = 202
HIDDEN = {"X-Robots-Tag": "noindex", "Cache-Control": "no-store"}
"""Search engines do not list these pages, and no cache stores them, because they may be retracted."""

CLUSTER = "Cluster"
"""Heading of the column by which a drawn table has lines between its rows."""

_HEAD = 400
"""Characters at the beginning of an SVG file that hold its size."""

_SIZE = re.compile(r'<svg[^>]* width="([0-9.]+)" height="([0-9.]+)"')

Response = TypeVar("Response", bound=HttpResponseBase)


@anyone
@require_safe
@gzip_page
def published(request: HttpRequest, link: str) -> HttpResponse:
    """A published result, for anyone with the link."""
    publication = get_object_or_404(Publication, link=link)
    if publication.retracted_at:
        return _gone(request, publication)
    status = 200 if publication.content else PREPARING
    return hidden(
        render(request, "analysis/published.html", page_context(request, publication), status=status)
    )


@anyone
@require_safe
def published_preview(request: HttpRequest, link: str) -> HttpResponse:
    """The picture by which other sites preview a link to a published result."""
    publication = get_object_or_404(
        Publication.objects.defer("content").select_related("preview"),
        link=link,
        content__isnull=False,
        preview__isnull=False,
    )
    if publication.retracted_at:
        return _gone(request, publication)
    return hidden(HttpResponse(bytes(publication.preview.png), content_type="image/png"))


@anyone
@require_safe
@gzip_page
def published_figure(request: HttpRequest, link: str, name: str) -> HttpResponse:
    """A figure of a published result."""
    publication = get_object_or_404(Publication.objects.defer("content"), link=link)
    if publication.retracted_at:
        return _gone(request, publication)
    theme, layout = request.GET.get("theme", "light"), request.GET.get("layout", "wide")
    figure = get_object_or_404(publication.figures, name=name, theme=theme, layout=layout)
    return hidden(HttpResponse(figure.svg, content_type="image/svg+xml"))


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
    return hidden(response)


def page_context(request: HttpRequest, publication: Publication) -> dict[str, Any]:
    """What the page of a published result shows."""
    content = publication.content or {}
    address = request.build_absolute_uri(publication.get_absolute_url())
    sizes = _sizes(publication)
    has_preview = PublicationPreview.objects.filter(publication=publication).exists()
    return {
        "publication": publication,
        "content": publication.content,
        "ranking": content.get("ranking"),
        "methods": _without_signatures(content),
        "figures": [
            {**figure, **sizes.get(figure["name"], {})}
            for figure in content.get("figures", ())
            if not figure.get("is_in_table")
        ],
        "tables": [_with_columns(table) for table in content.get("tables", ())],
        "companions": _companions(publication) if "ranking" in content else [],
        "is_of_older_rule": published_by_older_rule(content.get("signatures", ())),
        "address": address,
        "citation": citation(publication, address),
        "version": _version(publication),
        "preview": f"{address}preview.png" if has_preview and content else "",
        "preview_text": alternative_text(content) if content else "",
    }


def _without_signatures(content: Mapping[str, Any]) -> str:
    """The methods paragraph of a page without the signature, which the page states below it."""
    paragraph: str = content.get("methods", "")
    for _, signature in content.get("signatures", ()):
        paragraph = paragraph.replace(f"; signature {signature}", "")
    return paragraph


def _version(publication: Publication) -> LeaderboardVersion | None:
    """The version that it is of a leaderboard in use."""
    versions = LeaderboardVersion.objects.select_related("leaderboard")
    return versions.filter(publication=publication, leaderboard__retired_at=None).first()


def _companions(publication: Publication) -> list[dict[str, Any]]:
    """The newest result of each analysis that is shown with the rankings of the campaign.

    Without names, systems have other numbers in each result, so there are none.
    """
    if not publication.with_names:
        return []
    shown = Publication.objects.filter(
        campaign=publication.campaign_id,
        is_beside_rankings=True,
        with_names=True,
        retracted_at=None,
        content__isnull=False,
    )
    newest: dict[str, int] = {}
    for analysis, key in shown.order_by("published_at", "pk").values_list("analysis", "pk"):
        newest[analysis] = key
    companions = Publication.objects.filter(pk__in=newest.values()).order_by("analysis")
    return [
        {
            "publication": each,
            "content": each.content,
            "tables": [_with_columns(table) for table in (each.content or {})["tables"][:1]],
        }
        for each in companions
    ]


def _sizes(publication: Publication) -> dict[str, dict[str, tuple[str, str]]]:
    """The width and height of each figure by name and layout, "" if its file states none."""
    sizes: dict[str, dict[str, tuple[str, str]]] = {}
    figures = publication.figures.filter(theme="light").annotate(head=Substr("svg", 1, _HEAD))
    for name, layout, head in figures.values_list("name", "layout", "head"):
        size = _SIZE.search(head)
        sizes.setdefault(name, {})[layout] = (size[1], size[2]) if size else ("", "")
    return sizes


def published_by_older_rule(signatures: Iterable[tuple[str, str]]) -> bool:
    """Whether a result with these signatures, by what they are of, was computed by an older rule."""
    return any(is_of_older_rule(of.removeprefix("the "), signature) for of, signature in signatures)


def _with_columns(table: dict[str, Any]) -> dict[str, object]:
    """A table whose cells have their columns beside them, and its rows what is drawn in them.

    Tables that were published earlier draw nothing, or know neither percentages nor a value to compare with.
    """
    marks = [mark and DrawnMark(*mark) for mark in table.get("marks") or [None] * len(table["rows"])]
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
        "scale": scale_of(
            (
                end
                for mark in marks
                if mark
                for end in (mark.value, mark.low, mark.high, *(mark.beside or ()))
                if end is not None
            ),
            is_percent=table.get("is_percent", False),
            even=table.get("even"),
            has_bars=any(mark and mark.is_bar for mark in marks),
        ),
    }


def _gone(request: HttpRequest, publication: Publication) -> HttpResponse:
    context = {"publication": publication}
    return hidden(render(request, "analysis/published.html", context, status=GONE))


def hidden(response: Response) -> Response:
    """The response, for no cache and no search engine."""
    for name, value in HIDDEN.items():
        response[name] = value
    return response
