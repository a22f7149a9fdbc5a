"""All errors under /api/ are problem details (RFC 9457)."""

import pytest
from django.test import Client

from annotate.models import listed
from tests.annotate.api.asking import problem_of, program

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "path",
    ["/api/", "/api/v2/", "/api/v1/corpora/1/", "/api/v1/corpora/00000000-0000-0000-0000-000000000000/"],
)
def test_missing_objects(path: str) -> None:
    problem_of(program().get(path), 404)


def test_pages_that_do_not_exist_stay_pages(stranger: Client) -> None:
    response = stranger.get("/apis/")
    assert response.status_code == 404
    assert response["Content-Type"].startswith("text/html")


def test_a_verb_that_the_address_does_not_know() -> None:
    client = program()
    for response in (client.post("/api/v1/corpora/"), client.options("/api/v1/corpora/")):
        problem_of(response, 405)
        assert response["Allow"] == "GET, HEAD, OPTIONS"


def test_parameters_that_are_wrong_are_named() -> None:
    problem = problem_of(program().get("/api/v1/corpora/", {"limit": "1001", "colour": "red"}), 400)
    assert problem["errors"] == {"colour": ["There is no such parameter."]}
    problem = problem_of(program(name="else").get("/api/v1/corpora/", {"limit": "1001"}), 400)
    assert problem["errors"] == {"limit": ["Ensure this value is less than or equal to 1000."]}


@pytest.mark.parametrize(
    "cursor", ["x", "é", "cD0lMDA=", "cD0xJnI9eA==", "bz0tMQ==", "cD1h", "cD05OTk5OTk5OTk5OTk5OTk5OTk5OTk5"]
)
@pytest.mark.parametrize("address", ["corpora", "jobs"])
def test_a_cursor_that_is_none_of_ours(cursor: str, address: str) -> None:
    """Not base64, a NUL, a direction or an offset that is no number, a key that is none, or a huge one."""
    response = program().get(f"/api/v1/{address}/", {"cursor": cursor})
    if response.status_code != 200:
        assert problem_of(response, 400)["errors"] == {
            "cursor": ["This is not a valid cursor for this list."]
        }
    else:
        assert response.json()["results"] == []


@pytest.mark.parametrize("body", ['{"colour": "red"}', "[" * 100_000, "\0"])
def test_a_body_is_refused(body: str) -> None:
    client = program()
    problem_of(client.generic("GET", "/api/v1/corpora/", body, content_type="application/json"), 415)


def test_a_request_that_cannot_be_read() -> None:
    response = program().get("/api/v1/corpora/", headers={"Host": "elsewhere.example"})
    problem_of(response, 400)


def test_a_fault_of_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listed, "corpora", lambda: 1 / 0)
    client = program()
    client.raise_request_exception = False
    problem_of(client.get("/api/v1/corpora/"), 500)
