"""A request does not wait for the database for long, and the visitor is told what happened."""

from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings
from django.db import OperationalError, connection, connections
from django.test import Client
from django.urls import reverse
from psycopg.errors import LockNotAvailable

from annotate.judging import ways_in
from annotate.models import listed
from config.request_limits import limit_requests

POSTGRESQL, SQLITE = "config.watched_postgres", "config.sqlite_queue"
pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("seconds", "given", "limits"),
    [
        (
            20,
            "",
            "-c lock_timeout=4s -c statement_timeout=20s -c idle_in_transaction_session_timeout=20s",
        ),
        (
            3,
            "-c x=y",
            "-c x=y -c lock_timeout=4s -c statement_timeout=3s -c idle_in_transaction_session_timeout=3s",
        ),
        (0, "", "-c lock_timeout=4s"),
    ],
)
def test_connections_of_the_web_server_end_statements(
    seconds: int, given: str, limits: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = {"ENGINE": POSTGRESQL, "OPTIONS": {"options": given, "connect_timeout": 10}}
    monkeypatch.setitem(connections.settings, "default", database)
    monkeypatch.setattr(settings, "REQUEST_STATEMENT_SECONDS", seconds)
    limit_requests()
    limit_requests()
    assert database["OPTIONS"] == {
        "options": limits,
        "connect_timeout": 2,
        "tcp_user_timeout": 4000,
        "watched": True,
    }


def test_connections_of_the_web_server_wait_for_no_lock_of_sqlite_for_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    database = {"ENGINE": SQLITE, "OPTIONS": {"timeout": 20}}
    monkeypatch.setitem(connections.settings, "default", database)
    limit_requests()
    assert database["OPTIONS"] == {"timeout": 4.0, "impatient": True}


def locked(*args: Any, **kwargs: Any) -> Any:
    error = OperationalError("database is locked")
    if connection.vendor == "postgresql":
        raise error from LockNotAvailable("canceling statement due to lock timeout")
    raise error


def test_a_visitor_behind_a_lock_is_asked_to_come_back_soon(
    researcher: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listed, "corpora", locked)
    researcher.raise_request_exception = False
    page = researcher.get("/")
    assert (page.status_code, page["Retry-After"]) == (503, "3")
    assert "is busy" in page.content.decode()


def test_an_annotator_is_told_that_the_answer_is_kept(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ways_in, "annotator_of", locked)
    client.raise_request_exception = False
    address = reverse("work", args=[uuid4()])
    page = client.get(address).content.decode()
    assert "is kept in this browser until it is saved" in page
    assert 'http-equiv="refresh"' in page
    assert 'http-equiv="refresh"' not in client.post(address).content.decode()


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
