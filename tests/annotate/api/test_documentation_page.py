"""The page that shows the OpenAPI document: complete, without scripts, for researchers and admins."""

import re
from typing import Any

import pytest
from django.test import Client

from annotate.api.described import Kind, Value, described, described_api
from tests.annotate.api.asking import ask, program

pytestmark = pytest.mark.django_db

ADDRESS = "/programs/documentation/"


@pytest.fixture
def page(researcher: Client) -> str:
    described_api.cache_clear()
    return researcher.get(ADDRESS).content.decode()


@pytest.mark.any_database
def test_it_shows_every_operation_parameter_and_object(page: str) -> None:
    document = ask(program(), "openapi.json")
    for path, operations in document["paths"].items():
        [shown] = re.findall(f"<h3><a [^>]*><code>{re.escape(path)}</code>.*?</article>", page, re.DOTALL)
        for method, operation in operations.items():
            assert f'<span class="method">{method.upper()}</span>' in shown
            for parameter in operation.get("parameters", []):
                assert f"<code>{parameter['name']}</code>" in shown
    for name in document["components"]["schemas"]:
        assert f'id="object-{name}"' in page


@pytest.mark.any_database
def test_its_links_lead_somewhere_and_no_two_places_have_one_name(page: str) -> None:
    places = re.findall(r'\bid="([^"]+)"', page)
    assert len(places) == len(set(places))
    assert set(re.findall(r'href="#([^"]+)"', page)) <= set(places)


def test_it_needs_no_script(page: str) -> None:
    assert "<script" not in page


@pytest.mark.any_database
def test_an_example_has_what_the_request_needs(page: str) -> None:
    assert (
        'curl -X POST -H "Authorization: Bearer $ASSAY_TOKEN" -H "Content-Type: text/csv" --data-binary @FILE'
        ' "http://testserver/api/v1/corpora/UUID/scores/upload/"'
    ) in page.replace("&quot;", '"')


@pytest.mark.parametrize(("role", "status"), [("annotator", 403), ("stranger", 302), ("admin", 200)])
def test_permissions(role: str, status: int, request: pytest.FixtureRequest) -> None:
    client: Client = request.getfixturevalue(role)
    assert client.get(ADDRESS).status_code == status


@pytest.mark.any_database
@pytest.mark.parametrize(
    ("schema", "kind"),
    [
        ({"type": "integer", "minimum": 0, "maximum": 9}, Kind("integer from 0 to 9")),
        ({"type": "integer", "minimum": 0, "maximum": 2**63 - 1}, Kind("integer from 0")),
        ({"type": "string", "format": "uuid", "nullable": True}, Kind("UUID", or_null=True)),
        ({"type": "string", "enum": ["ew", "mean"]}, Kind("ew | mean")),
        ({"allOf": [{"$ref": "#/components/schemas/Kappa"}]}, Kind("", "Kappa")),
        ({"type": "array", "items": {"$ref": "#/components/schemas/Kappa"}}, Kind("list of ", "Kappa")),
        ({"type": "object", "additionalProperties": {"type": "string"}}, Kind("object of string")),
        ({}, Kind("any value")),
    ],
)
def test_types_in_words(schema: dict[str, Any], kind: Kind) -> None:
    document = {
        "paths": {},
        "components": {"schemas": {"Thing": {"properties": {"field": {**schema, "description": "Words."}}}}},
    }
    [shape] = described(document).shapes
    assert shape.fields == (Value("field", kind, "Words."),)
