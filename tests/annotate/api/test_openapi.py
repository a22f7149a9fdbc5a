"""The OpenAPI document is complete, and only its users may read it."""

from typing import Any

import pytest
from django.test import Client
from drf_spectacular.drainage import GENERATOR_STATS

from analysis.analyses.base import analyses
from analysis.api import urls as analysis_api
from annotate.api import urls as annotate_api
from annotate.models import Role
from tests.annotate.api.asking import ask, problem_of, program

pytestmark = pytest.mark.django_db


@pytest.fixture
def document() -> Any:
    """The OpenAPI document, requested by a researcher's program."""
    return ask(program(), "openapi.json")


WITH_BODY = (
    *("/scores/upload/", "/corpora/{uuid}/add/", "/machine/answers/"),
    *("/releases/", "/releases/{release}/confirm/"),
)
"""Ends of the addresses that take a body."""


@pytest.mark.any_database
def test_every_operation_is_described(document: Any) -> None:
    patterns = [*annotate_api.urlpatterns, *analysis_api.urlpatterns]
    assert len(document["paths"]) == len(patterns) - 3 + len(analyses())  # The document itself is no path.
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            assert operation["summary"]
            of_machines: list[dict[str, list[str]]] = (
                [{"machine": []}] if path.startswith("/api/v1/machine/") else []
            )
            assert operation["security"] == [*of_machines, {"token": []}, {"cookieAuth": []}]
            assert {"400", "401", "403", "405", "415", "429"} <= operation["responses"].keys()
            assert ("requestBody" in operation) == (path.endswith(WITH_BODY) and method != "get")
            queried = [
                parameter for parameter in operation.get("parameters", []) if parameter["in"] == "query"
            ]
            assert [parameter["name"] for parameter in queried if "description" not in parameter] == []


@pytest.mark.any_database
@pytest.mark.usefixtures("document")
def test_nothing_had_to_be_guessed() -> None:
    assert not GENERATOR_STATS


@pytest.mark.any_database
def test_each_analysis_has_its_parameters(document: Any) -> None:
    operation = document["paths"]["/api/v1/campaigns/{uuid}/analyses/ranking/"]["get"]
    queried = {known["name"]: known for known in operation["parameters"] if known["in"] == "query"}
    assert queried["method"]["schema"]["enum"] == ["ew", "trueskill", "bradley-terry", "mean"]
    assert queried["confidence"]["schema"] == {
        "type": "number",
        "minimum": 0.5,
        "maximum": 0.999,
        "default": 0.95,
    }
    assert "mean for scores" in queried["method"]["description"]


def test_an_analysis_stands_where_its_inputs_are(document: Any) -> None:
    paths = document["paths"]
    assert "/api/v1/corpora/{uuid}/analyses/corpus-statistics/" in paths
    assert "/api/v1/campaigns/{uuid}/analyses/corpus-statistics/" not in paths
    assert "/api/v1/corpora/{uuid}/analyses/ranking/" not in paths


def test_an_export_answers_in_every_format(document: Any) -> None:
    answers = document["paths"]["/api/v1/campaigns/{uuid}/export/"]["get"]["responses"]
    assert answers["200"]["content"].keys() == {
        "text/csv",
        "application/jsonl",
        "application/vnd.apache.parquet",
        "application/xml",
    }


def test_it_is_not_for_annotators() -> None:
    problem_of(program(Role.ANNOTATOR).get("/api/v1/openapi.json"), 403)
    problem_of(Client().get("/api/v1/openapi.json"), 401)
