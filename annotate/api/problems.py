"""Errors as problem details (RFC 9457): what the API answers when it cannot do what is asked."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import exception_handler

CONTENT_TYPE = "application/problem+json"
PREFIX = "/api/"


class ConflictError(exceptions.APIException):
    """What is asked does not go with the state that things are in."""

    status_code = HTTPStatus.CONFLICT


def problem(status: int, detail: str, **more: Any) -> dict[str, Any]:
    """The members of a problem."""
    known = HTTPStatus(status)
    return {"type": "about:blank", "title": known.phrase, "status": known.value, "detail": detail, **more}


def answer(error: Exception, context: dict[str, Any]) -> Response | None:
    """The answer to what a view of the API raised; None for faults of the program."""
    response = exception_handler(error, context)
    if response is None:
        return None
    if isinstance(error, exceptions.ValidationError):
        response.data = problem(
            response.status_code, "The parameters are not what they should be.", errors=response.data
        )
    else:
        response.data = problem(response.status_code, str(response.data["detail"]))
    response.content_type = CONTENT_TYPE
    return response


def problem_or(page: Callable[..., HttpResponse], status: HTTPStatus) -> Callable[..., HttpResponse]:
    """Handler of errors outside of views: `page`, or under /api/ a problem."""

    def handle(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not request.path.startswith(PREFIX):
            return page(request, *args, **kwargs)
        return JsonResponse(problem(status, status.description), status=status, content_type=CONTENT_TYPE)

    return handle
