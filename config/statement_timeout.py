"""On PostgreSQL, cancels statements of a request that take too long, and tells the visitor.

Only the web server calls `limit_statements`, when it loads the application: commands, migrations and jobs
take the time that they need.
"""

import logging
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.db import OperationalError, connections
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from psycopg.errors import QueryCanceled

from annotate.api.problems import CONTENT_TYPE, PREFIX, problem
from annotate.judging.ways_in import wants_json

RETRY_AFTER_SECONDS = 30
IN_WORDS = "The database took too long, so the request was cancelled. Nothing was changed. Try again later."

logger = logging.getLogger(__name__)


def limit_statements() -> None:
    """Set the time limit on each connection that this process opens from now on."""
    database = connections.settings["default"]
    if database["ENGINE"] == "django.db.backends.postgresql" and settings.REQUEST_STATEMENT_SECONDS:
        limit = f"-c statement_timeout={settings.REQUEST_STATEMENT_SECONDS}s"
        given = database["OPTIONS"].get("options", "")
        if limit not in given:
            database["OPTIONS"]["options"] = f"{given} {limit}".strip()


class StatementTimeout:
    """Middleware that answers a request whose statement was cancelled."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """503 for a cancelled statement; other errors are handled as usual."""
        if not isinstance(exception, OperationalError) or not isinstance(exception.__cause__, QueryCanceled):
            return None
        logger.warning("A statement was cancelled: %s %s", request.method, request.path)
        response = _answer(request)
        response["Retry-After"] = str(RETRY_AFTER_SECONDS)
        return response


def _answer(request: HttpRequest) -> HttpResponse:
    status = HTTPStatus.SERVICE_UNAVAILABLE
    if request.path.startswith(PREFIX):
        body: dict[str, Any] = problem(status, IN_WORDS)
        return JsonResponse(body, status=status, content_type=CONTENT_TYPE)
    if wants_json(request):
        return JsonResponse({"fault": IN_WORDS}, status=status)
    return render(request, "503.html", status=status)
