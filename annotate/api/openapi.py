"""Parts of the OpenAPI document that serializers do not describe."""

from http import HTTPStatus
from typing import Any

from drf_spectacular.openapi import AutoSchema

from annotate.api.problems import CONTENT_TYPE

EVERYWHERE = (
    HTTPStatus.BAD_REQUEST,
    HTTPStatus.UNAUTHORIZED,
    HTTPStatus.FORBIDDEN,
    HTTPStatus.METHOD_NOT_ALLOWED,
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
    HTTPStatus.TOO_MANY_REQUESTS,
)
PROBLEM = {
    "type": "object",
    "description": "What went wrong (RFC 9457).",
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "errors": {"type": "object", "description": "Errors by parameter."},
    },
    "required": ["type", "title", "status", "detail"],
}


class Schema(AutoSchema):
    """How a view is described in OpenAPI."""

    def get_override_parameters(self) -> list[object]:
        """The parameters that the view's query checks."""
        return [self.view.query] if self.view.query().fields else []

    def get_summary(self) -> str:
        """The docstring of the view or its method, which is short."""
        return super().get_description()

    def get_description(self) -> str:
        """No text beyond the summary."""
        return ""


def document_problems(result: dict[str, Any], **about: object) -> dict[str, object]:
    """Add to each operation the problems that it may return."""
    result["components"]["schemas"]["Problem"] = PROBLEM
    for path, operations in result["paths"].items():
        for operation in operations.values():
            responses = operation["responses"]
            for status in _problems(path, responses):
                responses[str(status.value)] = {
                    "description": status.phrase,
                    "content": {CONTENT_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
                }
    return result


def _problems(path: str, responses: dict[str, object]) -> list[HTTPStatus]:
    statuses = [*EVERYWHERE]
    if "{" in path:
        statuses.append(HTTPStatus.NOT_FOUND)
    if "409" in responses:
        statuses.append(HTTPStatus.CONFLICT)
    return statuses
