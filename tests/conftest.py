import os
import shutil
from datetime import datetime
from pathlib import Path

import pytest
from django.conf import settings
from django.core.cache import caches
from django.test import Client
from django.utils import timezone
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings

from annotate.models import Role, User
from annotate.storage import staging
from tests.annotate import protocols
from tests.annotate.running import NOON
from tests.depth import DEEP, examples

REQUIRE_ALL = os.environ.get("REQUIRE_ALL_TESTS") == "1"

# Where every test is required, the same examples are tried each time; elsewhere new ones are looked for.
hypothesis_settings.register_profile(
    "assay",
    deadline=None,
    derandomize=REQUIRE_ALL and not DEEP,
    max_examples=examples(100),
    suppress_health_check=[HealthCheck.too_slow],
)
hypothesis_settings.load_profile("assay")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--database-only",
        action="store_true",
        help="leave out tests whose result cannot depend on the database, to run on another one",
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    database_only = config.getoption("--database-only")
    selected: list[pytest.Item] = []
    deselected: list[pytest.Item] = []
    for item in items:
        wanted = DEEP or item.get_closest_marker("deep") is None
        if database_only:
            wanted = wanted and _depends_on_the_database(item)
        (selected if wanted else deselected).append(item)
    if deselected:
        config.hook.pytest_deselected(items=deselected)
        items[:] = selected


def _depends_on_the_database(item: pytest.Item) -> bool:
    """Whether it uses a database in a way of its own; of a test for each protocol, one run is enough."""
    fixtures = getattr(item, "fixturenames", ())
    uses_one = item.get_closest_marker("django_db") or not {"db", "transactional_db"}.isdisjoint(fixtures)
    parameters = getattr(getattr(item, "callspec", None), "params", {})
    repeated = parameters.get("protocol") == protocols.SCALARS and not DEEP
    return bool(uses_one) and not repeated and item.get_closest_marker("any_database") is None


def pytest_unconfigure(config: pytest.Config) -> None:
    """Delete the folder of the run, which its processes share (see `tests.settings`)."""
    if not hasattr(config, "workerinput"):
        shutil.rmtree(os.environ["TESTS_DIR"], ignore_errors=True)


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


@pytest.fixture(params=protocols.EACH)
def protocol(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """By which protocol the campaigns of the test are asked: the test runs once for each."""
    monkeypatch.setattr(protocols, "current", request.param)
    name: str = request.param
    return name


@pytest.fixture
def noon(monkeypatch: pytest.MonkeyPatch) -> datetime:
    """The clock of pages and services stands still, so that no day ends in the middle of the test."""
    monkeypatch.setattr(timezone, "now", lambda: NOON)
    return NOON


@pytest.fixture(autouse=True)
def nobody_has_asked_the_api() -> None:
    """No request of an earlier test counts."""
    caches["throttling"].clear()


@pytest.fixture(autouse=True)
def imports_do_not_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody else waits for SQLite's lock."""
    monkeypatch.setattr(staging, "LOOKED_FOR_EVERY", 0)


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
