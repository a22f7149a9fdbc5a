"""Answers 503 with Retry-After when the database is away, or a statement took too long."""

import random
import sys
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views import defaults
from psycopg.errors import LockNotAvailable, QueryCanceled

from annotate.api.problems import CONTENT_TYPE, PREFIX, problem, problem_or
from annotate.judging.ways_in import wants_json
from config.sqlite_queue.base import LOCKED
from core.translations import gettext, translatable
from jobs.database_errors import is_lost

AWAY = translatable(
    "The database cannot be reached at the moment. What was saved before is safe. Try again in a minute."
)
BUSY = translatable(
    "The database is busy at the moment, so the request was cancelled. Try again in a minute."
)
SOON_SECONDS = 3
"""Scripts come back soon: until the database is there, each request is refused at once."""

TOO_LONG = translatable(
    "The database took too long, so the request was cancelled. Nothing was changed. Try again later."
)
TOO_LONG_SECONDS = 30

LOAD_AGAIN_SECONDS = (8, 16)
"""A page that could not be shown is loaded again after a time between these, different for each visitor."""

FOR_ANNOTATORS = "/judge/"

_broken = problem_or(defaults.server_error, HTTPStatus.INTERNAL_SERVER_ERROR)


def server_error(request: HttpRequest) -> HttpResponse:
    """The response to an error that no view has handled: 503 if the database is away, else 500."""
    error = sys.exc_info()[1]
    if error is None or not is_lost(error):
        return _broken(request)
    words, seconds = _words_about(error)
    response = _unavailable(request, words)
    response["Retry-After"] = str(seconds)
    return response


def _words_about(error: BaseException) -> tuple[str, int]:
    """The message for people, and the seconds after which to try again."""
    if isinstance(error.__cause__, QueryCanceled):
        return TOO_LONG, TOO_LONG_SECONDS
    if isinstance(error.__cause__, LockNotAvailable) or str(error).startswith(LOCKED):
        return BUSY, SOON_SECONDS
    return AWAY, SOON_SECONDS


def _unavailable(request: HttpRequest, words: str) -> HttpResponse:
    status = HTTPStatus.SERVICE_UNAVAILABLE
    if request.path.startswith(PREFIX):
        return JsonResponse(problem(status, words), status=status, content_type=CONTENT_TYPE)
    if wants_json(request):
        return JsonResponse({"fault": gettext(words)}, status=status)
    about = {
        "words": words,
        "is_for_annotators": request.path.startswith(FOR_ANNOTATORS),
        "load_again_seconds": random.randint(*LOAD_AGAIN_SECONDS) if request.method == "GET" else None,  # noqa: S311
    }
    return render(None, "503.html", about, status=status)
