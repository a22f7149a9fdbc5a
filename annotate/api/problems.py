"""Errors of the API as problem details (RFC 9457)."""

from collections.abc import Callable
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse, JsonResponse

CONTENT_TYPE = "application/problem+json"
PREFIX = "/api/"


def problem(status: int, detail: str, **more: object) -> dict[str, object]:
    """The members of a problem."""
    http_status = HTTPStatus(status)
    return {
        "type": "about:blank",
        "title": http_status.phrase,
        "status": http_status.value,
        "detail": detail,
        **more,
    }


def problem_or(page: Callable[..., HttpResponse], status: HTTPStatus) -> Callable[..., HttpResponse]:
    """Handler of errors outside of views: `page`, or under /api/ a problem."""

    def handle(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        if not request.path.startswith(PREFIX):
            return page(request, *args, **kwargs)
        return JsonResponse(problem(status, status.description), status=status, content_type=CONTENT_TYPE)

    return handle
