"""The log: which request a line belongs to, and what goes in one line."""

import logging
import re
import time
from collections.abc import Callable
from contextvars import ContextVar
from uuid import uuid4

from django.core.signals import request_finished
from django.http import HttpRequest, HttpResponse

from jobs.database_errors import first_line, is_lost

HEADER = "X-Request-ID"
NONE = "-"
GIVEN_BY_PROXY = re.compile(r"[A-Za-z0-9-]{8,64}")

TOKENS = re.compile(r"(/join/|/set-password/|/submit/|/submitted/)[^\s\"']+")

current_request: ContextVar[str] = ContextVar("current_request", default=NONE)
"""The id of the request that this thread answers."""


class RequestIds:
    """Middleware that gives each request an id, the proxy's if there is one, and returns it in a header."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        given = request.headers.get(HEADER, "")
        number = given if GIVEN_BY_PROXY.fullmatch(given) else uuid4().hex[:16]
        current_request.set(number)  # Django logs refusals after all middleware.
        response = self.get_response(request)
        response[HEADER] = number
        return response


def _forget_request(**about: object) -> None:
    current_request.set(NONE)


request_finished.connect(_forget_request)


class WithRequestId(logging.Filter):
    """Adds `request_id` to each record, and takes away tokens of links, and the query with a worker's id."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id = current_request.get()
        record.msg, record.args = TOKENS.sub(r"\1-", record.getMessage()), ()
        record.__dict__.pop("request", None)
        return True


class OneLine(logging.Filter):
    """Logs errors that are no fault of the program without a traceback.

    These are requests that were refused on purpose (400 to 499), and a database that is away.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if record.exc_info else None
        if is_lost(error):
            record.msg, record.args = f"{record.getMessage()} ({first_line(error)})", ()
        if is_lost(error) or 400 <= getattr(record, "status_code", 0) < 500:
            record.exc_info = record.exc_text = None
        return True


class LineFormatter(logging.Formatter):
    """Time in UTC, level, logger, request and message."""

    converter = staticmethod(time.gmtime)

    def __init__(self) -> None:
        super().__init__(
            "%(asctime)s %(levelname)s %(name)s %(request_id)s %(message)s", "%Y-%m-%dT%H:%M:%SZ"
        )
