"""Errors raised by API views, and the problems that answer them."""

from http import HTTPStatus

from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import exception_handler

from annotate.api.problems import CONTENT_TYPE, problem
from jobs.refusals import RefusedError


class ConflictError(exceptions.APIException):
    """The current state does not allow the request."""

    status_code = HTTPStatus.CONFLICT


def answer(error: Exception, context: dict[str, object]) -> Response | None:
    """The response to an exception of an API view; None for internal errors."""
    if isinstance(error, RefusedError):
        error = ConflictError(str(error))
    response = exception_handler(error, context)
    if response is None:
        return None
    if isinstance(error, exceptions.ValidationError):
        response.data = problem(response.status_code, "Some parameters are invalid.", errors=response.data)
    else:
        response.data = problem(response.status_code, str(response.data["detail"]))
    response.content_type = CONTENT_TYPE
    return response
