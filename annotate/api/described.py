"""The OpenAPI document as a page shows it: endpoints in groups, and the objects that they return."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from drf_spectacular.generators import SchemaGenerator

Schema = Mapping[str, Any]
"""A part of an OpenAPI document."""

PREFIX = "/api/v1/"
OBJECTS = "#/components/schemas/"
ERROR = "application/problem+json"
BOUNDLESS = 2**63 - 1
"""The maximum of database columns without one of their own."""

FORMATS = {"uuid": "UUID", "date-time": "date and time", "uri": "address", "binary": "file"}


@dataclass(frozen=True, slots=True)
class Kind:
    """The type of a value in words.

    Attributes:
        words: all of it, or what comes before the object.
        name: of the object, if there is one in it.
        or_null: whether there may be no value.
    """

    words: str
    name: str = ""
    or_null: bool = False


@dataclass(frozen=True, slots=True)
class Value:
    """A parameter, or a field of an object.

    Attributes:
        name: as it is sent.
        kind: its type.
        text: what it means.
        default: as it is sent; empty if there is none.
        is_required: whether a request must have it.
        is_in_path: whether it is a part of the path.
    """

    name: str
    kind: Kind
    text: str
    default: str = ""
    is_required: bool = False
    is_in_path: bool = False


@dataclass(frozen=True, slots=True)
class Response:
    """The response to a successful request.

    Attributes:
        status: of HTTP.
        kind: its body.
        media_types: in which the body can be had.
        text: what else there is to say.
    """

    status: str
    kind: Kind
    media_types: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Operation:
    """One method of an endpoint.

    Attributes:
        method: of HTTP.
        summary: what it does.
        sends: media type of the body that it takes; empty if it takes none.
        responses: of success.
        may_conflict: whether the state of its subject may refuse it, with status 409.
        query: the parameters that a request must have, as an example.
    """

    method: str
    summary: str
    sends: str
    responses: tuple[Response, ...]
    may_conflict: bool
    query: str


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A path with its operations, which have the same parameters.

    Attributes:
        path: with the names of its parts in braces.
        anchor: identifier on the page.
        text: what it is about, if its operations do not say.
        parameters: in the path and in the query.
        operations: by method.
        example: the path with names in capitals for its parts.
    """

    path: str
    example: str
    anchor: str
    text: str
    parameters: tuple[Value, ...]
    operations: tuple[Operation, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """Endpoints about the same subject, under a title."""

    title: str
    anchor: str
    endpoints: tuple[Endpoint, ...]


@dataclass(frozen=True, slots=True)
class Shape:
    """An object that responses consist of."""

    name: str
    text: str
    fields: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Described:
    """The whole API."""

    groups: tuple[Group, ...]
    shapes: tuple[Shape, ...]


@cache
def described_api() -> Described:
    """The API of this installation, which does not change while it runs."""
    generator: Any = SchemaGenerator  # It is not typed.
    return described(generator().get_schema(request=None, public=True))


def described(document: Schema) -> Described:
    """The contents of an OpenAPI document, version 3.0."""
    groups: dict[str, list[Endpoint]] = {}
    for path, operations in document["paths"].items():
        groups.setdefault(_title(path), []).append(_endpoint(path, operations))
    return Described(
        groups=tuple(
            Group(title, f"group-{title.lower().replace(': ', '-')}", tuple(endpoints))
            for title, endpoints in sorted(groups.items())
        ),
        shapes=tuple(
            Shape(name, shape.get("description", ""), tuple(_fields(shape)))
            for name, shape in sorted(document["components"]["schemas"].items())
        ),
    )


def _title(path: str) -> str:
    subject, _, rest = path.removeprefix(PREFIX).partition("/")
    return f"{subject.capitalize()}: analyses" if "/analyses/" in f"/{rest}" else subject.capitalize()


def _endpoint(path: str, operations: Schema) -> Endpoint:
    parts = [part for part in path.removeprefix(PREFIX).split("/") if part]
    first = next(iter(operations.values()))
    parameters = tuple(map(_parameter, first.get("parameters", [])))
    return Endpoint(
        path=path,
        example=re.sub(r"{(\w+)}", lambda part: part[1].upper(), path),
        anchor="-".join(part.strip("{}") for part in parts),
        text=first.get("description", ""),
        parameters=tuple(sorted(parameters, key=lambda parameter: not parameter.is_in_path)),
        operations=tuple(_operation(method, each) for method, each in operations.items()),
    )


def _parameter(parameter: Schema) -> Value:
    schema = parameter["schema"]
    default = schema.get("default")
    return Value(
        name=parameter["name"],
        kind=_kind(schema),
        text=_quoted(parameter.get("description", "")),
        default=""
        if default is None
        else str(default).lower()
        if isinstance(default, bool)
        else str(default),
        is_required=parameter.get("required", False),
        is_in_path=parameter["in"] == "path",
    )


def _operation(method: str, operation: Schema) -> Operation:
    required = [
        f"{each['name']}={each['name'].upper()}"
        for each in operation.get("parameters", [])
        if each["in"] == "query" and each.get("required")
    ]
    return Operation(
        method=method.upper(),
        summary=operation["summary"],
        sends=next(iter(operation.get("requestBody", {}).get("content", {})), ""),
        responses=tuple(
            _response(status, response)
            for status, response in operation["responses"].items()
            if status.startswith("2")
        ),
        may_conflict="409" in operation["responses"],
        query="&".join(required),
    )


def _response(status: str, response: Schema) -> Response:
    content: Schema = response.get("content", {})
    schemas = [body["schema"] for body in content.values()]
    kind = _kind(schemas[0]) if schemas else Kind("")
    return Response(status, kind, tuple(content), response.get("description", ""))


def _fields(shape: Schema) -> Iterator[Value]:
    for name, schema in shape.get("properties", {}).items():
        # Values of an enumeration are listed in the text as well.
        text = schema.get("description", "").partition("* `")[0].strip()
        yield Value(name, _kind(schema), _quoted(text))


def _quoted(text: str) -> str:
    """The text with names in quotes instead of Markdown's marks of code."""
    return re.sub("`([^`]+)`", r"“\1”", text)


def _kind(schema: Schema) -> Kind:
    """The type that a schema allows, with its bounds."""
    return replace(_kind_of_value(schema), or_null=schema.get("nullable", False))


def _kind_of_value(schema: Schema) -> Kind:
    if "allOf" in schema:
        return _kind(schema["allOf"][0])
    if reference := schema.get("$ref", ""):
        return Kind("", reference.removeprefix(OBJECTS))
    if "enum" in schema:
        return Kind(" | ".join(map(str, schema["enum"])))
    of: str = schema.get("type", "any value")
    if of == "array":
        item = _kind(schema["items"])
        return Kind(f"list of {item.words}", item.name)
    if of == "object" and schema.get("additionalProperties"):
        item = _kind(schema["additionalProperties"])
        return Kind(f"object of {item.words}", item.name)
    return Kind(FORMATS.get(schema.get("format", ""), of) + _bounds(schema))


def _bounds(schema: Mapping[str, object]) -> str:
    low, high = schema.get("minimum"), schema.get("maximum")
    if high is None or high == BOUNDLESS:
        return "" if low is None else f" from {low}"
    return f" up to {high}" if low is None else f" from {low} to {high}"
