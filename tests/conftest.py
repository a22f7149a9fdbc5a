import gc
import os
import shutil
from collections.abc import Generator, Iterable
from datetime import datetime
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.auth.management import create_permissions
from django.contrib.contenttypes.management import create_contenttypes
from django.core.cache import caches
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.db.models.signals import post_migrate
from django.test import Client
from django.utils import timezone
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings
from pytest_django import DjangoDbBlocker

from annotate.campaigns import launch_plans
from annotate.database import staging
from annotate.models import Role, User
from jobs import memory, running
from operation.health import known_migrations
from tests import rotation
from tests.annotate import protocols
from tests.annotate.running import NOON, SECRET
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
    parser.addoption(
        "--rotating",
        action="store_true",
        help="of the tests that rotate, run those whose turn it is at this commit",
    )


ALLOCATED_BEFORE_A_LOOK = 50_000
"""Objects; Python's own 700 costs the tests a tenth of their time."""


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Freeze the objects loaded with the tests, so that garbage collections skip them."""
    gc.disable()
    collected = yield
    gc.freeze()
    gc.set_threshold(ALLOCATED_BEFORE_A_LOOK)
    gc.enable()
    return collected


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    database_only = config.getoption("--database-only")
    selected: list[pytest.Item] = []
    deselected: list[pytest.Item] = []
    for item in items:
        wanted = DEEP or not (item.get_closest_marker("deep") or _repeats_for_a_protocol(item))
        if database_only:
            wanted = wanted and _depends_on_the_database(item)
        (selected if wanted else deselected).append(item)
    if config.getoption("--rotating") and not DEEP:
        part = rotation.part_of_the_commit()
        chosen = {*rotation.whose_turn_it_is(selected, part, on_a_second_database=database_only)}
        deselected += [item for item in selected if item not in chosen]
        selected = [item for item in selected if item in chosen]
    if deselected:
        config.hook.pytest_deselected(items=deselected)
    long = {item.path for item in selected if item.get_closest_marker("slow")}
    items[:] = sorted(
        selected, key=lambda item: item.path not in long
    )  # No process waits for a long one at the end.


def _repeats_for_a_protocol(item: pytest.Item) -> bool:
    """Whether it is the repetition of a test whose result cannot depend on the protocol."""
    return item.get_closest_marker("any_protocol") is not None and _is_of_another_protocol(item)


def _is_of_another_protocol(item: pytest.Item) -> bool:
    parameters = getattr(getattr(item, "callspec", None), "params", {})
    asked = parameters.get("protocol", parameters.get("rating_protocol", protocols.RANKING))
    return bool(asked != protocols.RANKING)


def _depends_on_the_database(item: pytest.Item) -> bool:
    """Whether it uses a database in a way of its own; of a test for each protocol, one run is enough."""
    fixtures = getattr(item, "fixturenames", ())
    uses_one = item.get_closest_marker("django_db") or not {"db", "transactional_db"}.isdisjoint(fixtures)
    repeated = _is_of_another_protocol(item) and not DEEP
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
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> None:
    """All migrations count as applied; after a test with transactions, rows are deleted, and that is all.

    Django would make its permissions anew, which nobody here reads; and what truncating costs PostgreSQL is a
    fifth of a second, however few rows there are.
    """
    with django_db_blocker.unblock():
        recorder = MigrationRecorder(connection)
        recorder.ensure_schema()
        missing = known_migrations() - recorder.applied_migrations().keys()
        recorder.migration_qs.bulk_create(
            recorder.Migration(app=app, name=name) for app, name in sorted(missing)
        )
    post_migrate.disconnect(
        create_permissions, dispatch_uid=f"{create_permissions.__module__}.create_permissions"
    )
    post_migrate.disconnect(create_contenttypes)
    if connection.vendor == "postgresql":
        connection.ops.sql_flush = _deletions  # type: ignore[method-assign]


def _deletions(style: object, tables: Iterable[str], **options: bool) -> list[str]:
    """The statements that empty the tables, in one transaction, at whose end keys are checked."""
    return [f"DELETE FROM {connection.ops.quote_name(table)}" for table in tables]  # noqa: S608


@pytest.fixture(scope="session", autouse=True)
def no_heartbeat_from_another_thread() -> None:
    """A job that a test runs sends no heartbeat and listens to nobody, however slow the machine is.

    A test is usually one transaction. SQLite has one writer, so a heartbeat would wait for the end of the
    test, and the test for the heartbeat.
    """
    running.LISTEN_SECONDS = 24 * 60 * 60


@pytest.fixture(scope="session", autouse=True)
def memory_is_kept() -> None:
    """A job that a test runs leaves the memory of its process as it is: giving it back takes 0.1 s."""
    memory.give_back = lambda: None


@pytest.fixture(scope="session", autouse=True)
def campaigns_are_drawn_alike() -> None:
    """Campaigns that tests launch have the same draws each time."""
    launch_plans.new_secret = lambda: SECRET  # type: ignore[attr-defined]  # where it is used


@pytest.fixture(scope="session")
def reference_data() -> Path:
    """The folder of public reference data."""
    folder: Path = settings.REFERENCE_DATA
    if not folder.is_dir():
        unavailable(f"no reference data in {folder}; name its folder by REFERENCE_DATA")
    return folder


@pytest.fixture(params=protocols.EACH)
def protocol(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Runs the test once for each protocol, which its campaigns then have."""
    monkeypatch.setattr(protocols, "current", request.param)
    name: str = request.param
    return name


@pytest.fixture(params=protocols.RATING)
def rating_protocol(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Runs the test once for each protocol that rates several outputs."""
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
