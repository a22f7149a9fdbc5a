"""On PostgreSQL, a request's statement that takes too long is cancelled, and the visitor is told."""

from typing import Any

import pytest
from django.conf import settings
from django.db import connection, connections
from django.test import Client

from annotate.models import listed
from config.statement_timeout import limit_statements

POSTGRESQL = "django.db.backends.postgresql"


@pytest.mark.parametrize(
    ("engine", "seconds", "given", "options"),
    [
        (POSTGRESQL, 20, {}, {"options": "-c statement_timeout=20s"}),
        (POSTGRESQL, 3, {"options": "-c x=y"}, {"options": "-c x=y -c statement_timeout=3s"}),
        (POSTGRESQL, 0, {}, {}),
        ("django.db.backends.sqlite3", 20, {"timeout": 20}, {"timeout": 20}),
    ],
)
def test_connections_of_the_web_server_end_statements(
    engine: str,
    seconds: int,
    given: dict[str, Any],
    options: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    database = {"ENGINE": engine, "OPTIONS": dict(given)}
    monkeypatch.setitem(connections.settings, "default", database)
    monkeypatch.setattr(settings, "REQUEST_STATEMENT_SECONDS", seconds)
    limit_statements()
    limit_statements()
    assert database["OPTIONS"] == options


def too_long(*args: Any, **kwargs: Any) -> Any:
    with connection.cursor() as cursor:
        cursor.execute("SET statement_timeout = 50")
        try:
            cursor.execute("SELECT pg_sleep(10)")
        finally:
            cursor.execute("SET statement_timeout = 0")


@pytest.mark.django_db(transaction=True)
def test_the_visitor_is_told(researcher: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite ends no statement.")
    monkeypatch.setattr(listed, "corpora", too_long)
    researcher.raise_request_exception = False
    page = researcher.get("/")
    assert (page.status_code, page["Retry-After"]) == (503, "30")
    assert "Nothing was changed" in page.content.decode()
    problem = researcher.get("/api/v1/corpora/")
    assert (problem.status_code, problem["Content-Type"]) == (503, "application/problem+json")
    answer = researcher.get("/", headers={"Accept": "application/json"})
    assert "Nothing was changed" in answer.json()["fault"]
