"""What views of the API raise, and the problem that it is answered with."""

from http import HTTPStatus
from typing import Any

from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import exception_handler

from annotate.api.problems import CONTENT_TYPE, problem
from jobs.refusals import RefusedError


class ConflictError(exceptions.APIException):
    """What is asked does not go with the state that things are in."""

    status_code = HTTPStatus.CONFLICT


def answer(error: Exception, context: dict[str, Any]) -> Response | None:
    """The answer to what a view of the API raised; None for faults of the program."""
    if isinstance(error, RefusedError):
        error = ConflictError(str(error))
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
