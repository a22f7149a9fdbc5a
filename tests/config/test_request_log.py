"""The server's log of failed requests."""

import json
import logging
import re
from collections.abc import Iterator
from io import StringIO
from logging.config import dictConfigClass
from typing import Any

import pytest
from django.conf import settings as configured
from django.db import InterfaceError, OperationalError
from django.test import Client
from pytest_django import Settings

from annotate.models import Role, User
from jobs.database_errors import is_lost

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


@pytest.fixture(params=["text", "json"])
def log(request: pytest.FixtureRequest) -> Iterator[StringIO]:
    """The log on the console by the settings, in each format."""
    log = StringIO()
    handler = logging.StreamHandler(log)
    of_site: Any = configured.LOGGING
    configurator = dictConfigClass({})
    for name in of_site["handlers"]["console"]["filters"]:
        handler.addFilter(configurator.configure_filter(dict(of_site["filters"][name])))
    handler.setFormatter(configurator.configure_formatter(dict(of_site["formatters"][request.param])))
    logging.getLogger().addHandler(handler)
    yield log
    logging.getLogger().removeHandler(handler)


def test_a_refusal_is_one_line(log: StringIO, settings: Settings) -> None:
    settings.DATA_UPLOAD_MAX_NUMBER_FIELDS = 5
    client = Client()
    client.force_login(User.objects.create_user("ann", role=Role.ANNOTATOR))
    refused = client.get("/accounts/")
    assert refused.status_code == 403
    assert refused["X-Request-ID"] in log.getvalue()
    assert client.post("/account/", {f"field-{number}": "" for number in range(10)}).status_code == 400
    assert "/accounts/" in log.getvalue()
    assert "Traceback" not in log.getvalue()


def test_a_fault_of_the_program_has_its_traceback(log: StringIO, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*arguments: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("annotate.models.listed.corpora", broken)
    client = Client(raise_request_exception=False)
    client.force_login(User.objects.create_user("rita", role=Role.RESEARCHER))
    assert client.get("/").status_code == 500
    assert "Traceback" in log.getvalue()


def test_a_request_that_is_not_understood_is_answered_in_the_sites_own_words(
    settings: Settings,
) -> None:
    settings.DATA_UPLOAD_MAX_NUMBER_FIELDS = 5
    client = Client()
    client.force_login(User.objects.create_user("ann", role=Role.ANNOTATOR))
    page = client.post("/account/", {f"field-{number}": "" for number in range(10)})
    assert page.status_code == 400
    assert "The request was not understood" in page.content.decode()


def test_no_line_holds_a_token_or_a_workers_id(log: StringIO) -> None:
    Client().get("/join/of-a-link/?PROLIFIC_PID=w123")
    Client().get("/set-password/MQ/of-a-password/")
    Client().get("/nowhere/?PROLIFIC_PID=w123")
    assert "/join/-" in log.getvalue()
    assert "/nowhere/" in log.getvalue()
    assert not re.search("of-a|w123", log.getvalue())


def lost(*arguments: object) -> None:
    raise OperationalError("connection to server failed: refused\n\tIs the server running?")


def test_a_lost_database_is_one_line_and_tells_when_to_try_again(
    log: StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("annotate.models.listed.corpora", lost)
    client = Client(raise_request_exception=False)
    client.force_login(User.objects.create_user("rita", role=Role.RESEARCHER))
    page = client.get("/", headers={"X-Request-ID": "of-the-proxy-1"})
    assert (page.status_code, page["Retry-After"], page["X-Request-ID"]) == (503, "3", "of-the-proxy-1")
    assert "cannot be reached" in page.content.decode()
    assert "tries again by itself" in page.content.decode()
    assert "answer that you sent" not in page.content.decode()
    problem = client.get("/api/v1/corpora/")
    assert (problem.status_code, problem["Content-Type"]) == (503, "application/problem+json")
    first, second = log.getvalue().splitlines()
    assert "Is the server running" not in first
    for part in ("ERROR", "django.request", "of-the-proxy-1", "connection to server failed: refused"):
        assert part in first
    assert problem["X-Request-ID"] in second
    if first.startswith("{"):
        assert json.loads(first).keys() >= {"time", "level", "logger", "request_id", "message"}
    else:
        assert re.match(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ ERROR", first)


@pytest.mark.parametrize("given", ["short", "x" * 65, "with space and more", "fine-but\u00e9vil"])
def test_a_strange_request_id_is_replaced(given: str, client: Client) -> None:
    assert re.fullmatch(
        "[0-9a-f]{16}", client.get("/login/", headers={"X-Request-ID": given})["X-Request-ID"]
    )


def test_a_missing_table_is_a_fault_of_the_program() -> None:
    assert not is_lost(OperationalError("no such table: annotate_user"))
    assert is_lost(OperationalError("database is locked"))
    assert is_lost(InterfaceError("connection already closed"))
