"""Public pages of living leaderboards."""

from collections.abc import Iterable
from typing import Any

from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from analysis.models import Leaderboard, LeaderboardVersion, Publication
from analysis.publishing.leaderboards import current_version, standing_versions
from analysis.publishing.public_views import GONE, PREPARING, hidden, page_context
from analysis.publishing.version_changes import Version, changes
from annotate.web.access import anyone
from annotate.web.paging import page_of

VERSIONS_ON_A_PAGE = 10


@anyone
@require_safe
@gzip_page
def leaderboard(request: HttpRequest, slug: str) -> HttpResponse:
    """The current version of a leaderboard, and what has changed with it."""
    if request.user.is_authenticated and request.user.is_admin and (awaited := _first_awaited(slug)):
        waiting = {"publication": awaited}
        return hidden(render(request, "analysis/published.html", waiting, status=PREPARING))
    board = _public_or_404(slug)
    current = None if board.retired_at else current_version(board)
    if current is None:
        return _gone(request, board)
    publication = Publication.objects.get(pk=current.publication_id)
    [shown] = _with_changes(board, [current])
    context = {
        **page_context(request, publication),
        "leaderboard": board,
        "living_address": request.build_absolute_uri(board.get_absolute_url()),
        "shown": shown,
    }
    return hidden(render(request, "analysis/published.html", context))


@anyone
@require_safe
@gzip_page
def leaderboard_versions(request: HttpRequest, slug: str) -> HttpResponse:
    """All versions of a leaderboard, the newest first, with what has changed from one to the next."""
    board = _public_or_404(slug)
    if board.retired_at:
        return _gone(request, board)
    page = page_of(public_versions(board), request.GET, size=VERSIONS_ON_A_PAGE, by="-number")
    current = current_version(board)
    context = {
        "leaderboard": board,
        "page": page,
        "versions": _with_changes(board, page.rows),
        "current": current and current.number,
    }
    return hidden(render(request, "analysis/leaderboard_versions.html", context))


def public_versions(board: Leaderboard) -> QuerySet[LeaderboardVersion]:
    """The versions that strangers may know of: those that were computed, with retracted ones."""
    versions = board.versions.filter(publication__content__isnull=False)
    return versions.select_related("publication").defer("publication__content")


def _public_or_404(slug: str) -> Leaderboard:
    """A leaderboard that has had a version; before, strangers learn nothing of it."""
    board = get_object_or_404(Leaderboard, slug=slug)
    if not public_versions(board).exists():
        raise Http404
    return board


def _first_awaited(slug: str) -> Publication | None:
    """The result that a leaderboard will show first, while it is being prepared; only admins learn of it."""
    board = get_object_or_404(Leaderboard, slug=slug)
    if public_versions(board).exists():
        return None
    versions = board.versions.select_related("publication__job", "publication__campaign").order_by("-number")
    return next((each.publication for each in versions if each.publication.is_awaited), None)


def _gone(request: HttpRequest, board: Leaderboard) -> HttpResponse:
    return hidden(render(request, "analysis/leaderboard_gone.html", {"leaderboard": board}, status=GONE))


def _with_changes(board: Leaderboard, versions: Iterable[LeaderboardVersion]) -> list[dict[str, Any]]:
    """Each version with what has changed since the version before it that stands.

    Nothing is said of versions that are retracted.
    """
    standing = list(standing_versions(board).values_list("number", "publication"))
    before = {
        version: next(((number, key) for number, key in standing if number < version.number), None)
        for version in versions
    }
    keys = [key for earlier in before.values() if earlier for key in earlier[1:]]
    needed = Q(pk__in=keys) | Q(pk__in=[version.publication_id for version in before])
    contents = {
        each.pk: Version(each.content or {}, each.parameters, each.with_names)
        for each in Publication.objects.filter(needed, retracted_at=None)
    }
    return [
        {
            "version": version,
            "since": earlier and earlier[0],
            "changes": changes(contents[earlier[1]], contents[version.publication_id])
            if earlier and version.publication_id in contents
            else [],
        }
        for version, earlier in before.items()
    ]
