"""The server's log of failed requests."""

import logging
from collections.abc import Iterator
from io import StringIO
from logging.config import dictConfigClass
from typing import Any

import pytest
from django.conf import settings as configured
from django.test import Client
from pytest_django import Settings

from annotate.models import Role, User

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


@pytest.fixture
def log() -> Iterator[StringIO]:
    """What goes to the console as the settings have it."""
    log = StringIO()
    handler = logging.StreamHandler(log)
    logging_of_site: Any = configured.LOGGING
    for name in logging_of_site["handlers"]["console"].get("filters", []):
        handler.addFilter(dictConfigClass({}).configure_filter(logging_of_site["filters"][name]))
    logging.getLogger().addHandler(handler)
    yield log
    logging.getLogger().removeHandler(handler)


def test_a_refusal_is_one_line(log: StringIO, settings: Settings) -> None:
    settings.DATA_UPLOAD_MAX_NUMBER_FIELDS = 5
    client = Client()
    client.force_login(User.objects.create_user("ann", role=Role.ANNOTATOR))
    assert client.get("/accounts/").status_code == 403
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
