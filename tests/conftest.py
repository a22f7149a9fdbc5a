import os
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

from annotate.models import Role, User

REQUIRE_ALL = os.environ.get("REQUIRE_ALL_TESTS") == "1"


def unavailable(reason: str) -> None:
    """Skip the test for want of a resource; fail it where every test is required."""
    if REQUIRE_ALL:
        pytest.fail(f"{reason} (REQUIRE_ALL_TESTS=1)")
    pytest.skip(reason)


@pytest.fixture(scope="session")
def reference_data() -> Path:
    """The folder of public reference data."""
    folder: Path = settings.REFERENCE_DATA
    if not folder.is_dir():
        unavailable(f"no reference data in {folder}; name its folder by REFERENCE_DATA")
    return folder


def _client(role: Role) -> Client:
    client = Client()
    client.force_login(User.objects.create_user(f"the-{role.value}", role=role))
    return client


@pytest.fixture
def admin(db: None) -> Client:
    """An admin's browser."""
    return _client(Role.ADMIN)


@pytest.fixture
def researcher(db: None) -> Client:
    """A researcher's browser."""
    return _client(Role.RESEARCHER)


@pytest.fixture
def annotator(db: None) -> Client:
    """An annotator's browser."""
    return _client(Role.ANNOTATOR)


@pytest.fixture
def stranger(db: None) -> Client:
    """The browser of somebody without an account."""
    return Client()
