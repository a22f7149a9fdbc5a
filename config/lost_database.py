"""Answers 503 with Retry-After when the database is away, or a statement took too long."""

import sys
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views import defaults
from psycopg.errors import QueryCanceled

from annotate.api.problems import CONTENT_TYPE, PREFIX, problem, problem_or
from annotate.judging.ways_in import wants_json
from jobs.database_errors import is_lost

RETRY_AFTER_SECONDS = 30
TOO_LONG = "The database took too long, so the request was cancelled. Nothing was changed. Try again later."
AWAY = "The database cannot be reached at the moment. What was saved before is safe. Try again in a minute."

_broken = problem_or(defaults.server_error, HTTPStatus.INTERNAL_SERVER_ERROR)


def server_error(request: HttpRequest) -> HttpResponse:
    """The response to an error that no view has handled: 503 if the database is away, else 500."""
    error = sys.exc_info()[1]
    if error is None or not is_lost(error):
        return _broken(request)
    words = TOO_LONG if isinstance(error.__cause__, QueryCanceled) else AWAY
    response = _unavailable(request, words)
    response["Retry-After"] = str(RETRY_AFTER_SECONDS)
    return response


def _unavailable(request: HttpRequest, words: str) -> HttpResponse:
    status = HTTPStatus.SERVICE_UNAVAILABLE
    if request.path.startswith(PREFIX):
        return JsonResponse(problem(status, words), status=status, content_type=CONTENT_TYPE)
    if wants_json(request):
        return JsonResponse({"fault": words}, status=status)
    return render(None, "503.html", {"words": words}, status=status)
