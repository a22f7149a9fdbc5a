"""A database of an earlier commit is migrated, and everything continues: see `tests.upgrade.make`."""

import json
import re
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

import psycopg
import pytest
from django.apps import apps
from django.conf import settings
from django.core.cache import cache
from django.core.management import call_command
from django.db import connection, connections, transaction
from django.test import Client
from pytest_django import DjangoDbBlocker

from analysis.analyses.base import analyses
from analysis.models import COMPUTED, Run
from analysis.runs.requests import request_of_run
from analysis.runs.sources import Version, version_of
from annotate.models import Annotator, Campaign, Design, Judgment, Machine, Revision
from assay import __version__
from tests.upgrade.clock import set_clock
from tests.upgrade.facts import facts_again
from tests.upgrade.judging import entered, judged, opened, screen, send
from tests.upgrade.then import SECRET_KEY

pytestmark = pytest.mark.django_db

ARCHIVES = sorted((Path(__file__).parent / "stored").glob("*.tar.xz"))
assert ARCHIVES, "No database of an earlier commit is kept in tests/upgrade/stored."

ADDED = frozenset(
    {
        "circular",
        *("annotator_kind", "confidence", "family", "interface_language", "is_current", "kind", "machine"),
        *("natural_text", "opinion", "opinion_of", "rating_details", "text_rules", "tokenisation"),
    }
)
"""Fields of the API and columns of exports that came later than a kept database, each of them meant to."""

VERSIONS = frozenset({"schema_version"})
"""Fields that name the version of what made them, and nothing else."""

WORDS = frozenset({"reason", "detail"})
"""Fields that say why something is missing or refused. They have to stay, in whatever words."""

VERSION = re.compile(r"\|assay:[^|]+$")
"""The part of a signature that names the version of Assay."""

RULE = re.compile(r"\|rule:\d+")
"""The part of a signature that names the rule, which is raised where numbers are meant to change."""

SNAPSHOT = re.compile(r"(?<=\|snapshot:)[0-9a-f]+$")
"""The hash of the judgments at the end of a signature without its version."""

BY_NEWER_RULES = frozenset({"score_low", "score_high", "rank_low", "rank_high", "cluster", "borders"})
"""Fields of rankings that a newer rule gives otherwise; those that stay are the others."""

NEWEST_FIRST = frozenset({"/audit/"})
"""Pages on which what these tests do takes the place of what was there."""

Tables = dict[str, list[str]]

OWN = ("annotate", "analysis", "jobs")

MEANWHILE = timedelta(minutes=5)
"""How long the update took. Leases last half an hour or more."""


@dataclass(frozen=True)
class Upgraded:
    """A migrated database, which the connection leads to.

    Attributes:
        then: the facts as the earlier commit saw them.
        now: the facts as they are.
        clock: what the time is.
        tables: what its tables are made of, and what those of the other tests are.
    """

    then: dict[str, Any]
    now: dict[str, Any]
    clock: datetime
    tables: tuple[Tables, Tables]

    def browser(self, person: str) -> Client:
        """The browser that the person used, with its cookies."""
        return browser(self.then["people"][person]["cookies"])


@pytest.fixture(scope="module")
def tables_of_tests(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Tables:
    """What the tables of the other tests are made of."""
    with django_db_blocker.unblock():
        return tables()


@pytest.fixture(scope="module", params=ARCHIVES, ids=lambda path: path.name.partition(".")[0])
def site(
    request: pytest.FixtureRequest,
    tables_of_tests: Tables,
    django_db_blocker: DjangoDbBlocker,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Upgraded]:
    """The site after the migration. Tests of this module run on its database, and leave it as it is."""
    dump, facts = _kept(request.param, connection.vendor)
    clock = datetime.fromisoformat(facts["made_at"]) + MEANWHILE
    with pytest.MonkeyPatch.context() as patch, django_db_blocker.unblock():
        set_clock(patch, lambda: clock)
        patch.setattr(settings, "SECRET_KEY", SECRET_KEY)
        # Campaigns of the kept databases have the same UUIDs, by which snapshots and results are kept.
        cache.clear()
        patch.setattr(settings, "SNAPSHOTS_DIR", tmp_path_factory.mktemp("snapshots"))
        with _in_place_of_the_tests_own(dump, tmp_path_factory.mktemp("upgrade")):
            call_command("migrate", verbosity=0)
            migrated = tables()
            cookies = {name: person["cookies"] for name, person in facts["people"].items()}
            with transaction.atomic():
                now = facts_again(facts, browser(cookies["admin"]), browser(cookies["researcher"]))
                transaction.set_rollback(True)
            with django_db_blocker.block():
                yield Upgraded(facts, now, clock, (migrated, tables_of_tests))


def tables() -> Tables:
    """Columns, constraints and indexes of the tables of Assay; rules by name where a model names them."""
    look = connection.introspection
    models = [model._meta for app in OWN for model in apps.get_app_config(app).get_models()]
    named = {one.name for model in models for one in (*model.constraints, *model.indexes)}
    found = {}
    with connection.cursor() as cursor:
        for table in (model.db_table for model in models):
            columns = [
                str(column._replace(display_size=None))
                for column in look.get_table_description(cursor, table)
            ]
            rules = [
                f"{name if name in named else 'unnamed'}: {rule}"
                for name, rule in look.get_constraints(cursor, table).items()
            ]
            found[table] = sorted(columns + rules)
    return found


def _kept(archive: Path, vendor: str) -> tuple[str, dict[str, Any]]:
    """The dump and the facts of the database."""
    with tarfile.open(archive) as tar:
        dump, facts = (tar.extractfile(name) for name in (f"{vendor}.sql", "facts.json"))
        assert dump
        assert facts
        return dump.read().decode(), json.load(facts)


@contextmanager
def _in_place_of_the_tests_own(dump: str, folder: Path) -> Iterator[None]:
    """The default connection leads to a database of its own, made by the SQL."""
    of_tests = connections["default"]
    ours = of_tests.copy()
    if connection.vendor == "sqlite":
        ours.settings_dict["NAME"] = str(folder / "upgraded.sqlite3")
        ours.ensure_connection()
        # Tables stand in the dump in the order of their names.
        ours.connection.executescript(f"PRAGMA foreign_keys=OFF; {dump} PRAGMA foreign_keys=ON;")
    else:
        ours.settings_dict["NAME"] = f"{of_tests.settings_dict['NAME']}-upgraded"
        _create_postgresql(ours.settings_dict["NAME"])
        with psycopg.connect(**ours.get_connection_params(), autocommit=True) as database:
            database.execute(dump.encode())
    connections["default"] = ours
    try:
        yield
    finally:
        ours.close()
        connections["default"] = of_tests
        if connection.vendor == "postgresql":
            _drop_postgresql(ours.settings_dict["NAME"])


def _create_postgresql(name: str) -> None:
    _drop_postgresql(name)
    with connection._nodb_cursor() as cursor:
        cursor.execute(f"CREATE DATABASE {connection.ops.quote_name(name)}")


def _drop_postgresql(name: str) -> None:
    with connection._nodb_cursor() as cursor:
        cursor.execute(f"DROP DATABASE IF EXISTS {connection.ops.quote_name(name)}")


def browser(cookies: dict[str, str]) -> Client:
    client = Client()
    client.cookies.load(cookies)
    return client


def differences(then: Any, now: Any, where: str = "") -> Iterator[str]:
    """Where the two differ, but for fields that were added since, for versions, and for wording."""
    if isinstance(then, dict) and isinstance(now, dict):
        of_older_rule = RULE.findall(str(then.get("signature"))) != RULE.findall(str(now.get("signature")))
        if of_older_rule and "systems" in then:
            then, now = without(then, BY_NEWER_RULES), without(now, BY_NEWER_RULES)
        for name in sorted((then.keys() | (now.keys() - ADDED)) - VERSIONS):
            one, other = then.get(name), now.get(name)
            if name == "signature" and one and other:
                one, other = comparable(one, other)
            if name in WORDS:
                one, other = bool(one), bool(other)
            yield from differences(one, other, f"{where}.{name}")
    elif isinstance(then, list) and isinstance(now, list) and len(then) == len(now):
        for number, (one, other) in enumerate(zip(then, now, strict=True)):
            yield from differences(one, other, f"{where}[{number}]")
    elif then != now:
        yield f"{where}: {then!r:.200} became {now!r:.200}"


def without(values: Any, names: frozenset[str]) -> Any:
    """The values without what these names stand for, at any depth."""
    if isinstance(values, dict):
        return {name: without(value, names) for name, value in values.items() if name not in names}
    return [without(value, names) for value in values] if isinstance(values, list) else values


def comparable(then: str, now: str) -> tuple[str, str]:
    """Two signatures without their versions, of Assay and of the rule.

    Where the earlier one names no version, it names a snapshot with the annotators' names. Since signatures
    name one, snapshots hold pseudonyms, so the same judgments have another hash. It is left out of both.
    """
    one, other = (VERSION.sub("", RULE.sub("", signature)) for signature in (then, now))
    if VERSION.search(then):
        return one, other
    return SNAPSHOT.sub("", one), SNAPSHOT.sub("", other)


@pytest.mark.parametrize(
    ("then", "now", "same"),
    [
        ("ew|seed:1|snapshot:1a|assay:0.1.0", "ew|seed:1|snapshot:1a|assay:0.2.0", True),
        ("ew|seed:1|snapshot:1a|assay:0.1.0", "ew|seed:1|snapshot:2b|assay:0.2.0", False),
        ("ew|seed:1|snapshot:1a|assay:0.1.0", "ew|seed:2|snapshot:1a|assay:0.1.0", False),
        ("ew|seed:1|snapshot:1a|assay:0.1.0", "ew|seed:1|rule:2|snapshot:1a|assay:0.1.0", True),
        ("ew|seed:1|rule:2|snapshot:1a|assay:0.1.0", "ew|seed:2|rule:3|snapshot:1a|assay:0.1.0", False),
        ("ew|seed:1|snapshot:1a", "ew|seed:1|snapshot:2b|assay:0.1.0", True),
        ("ew|seed:1|snapshot:1a", "ew|seed:2|snapshot:1a|assay:0.1.0", False),
        ("ew|seed:1|snapshot:1a", "ew|seed:1|assay:0.1.0", False),
    ],
)
def test_signatures_differ_in_more_than_the_version(then: str, now: str, same: bool) -> None:
    assert (not list(differences({"signature": then}, {"signature": now}))) is same


@pytest.mark.parametrize(
    "ending",
    [
        pytest.param("annotators/", id="pseudonyms"),
        pytest.param("ranking/", id="ranking-numbers"),
        pytest.param("agreement/", id="agreement"),
        pytest.param("export/", id="exports"),
        pytest.param("judgments/", id="judgments"),
        pytest.param("progress/", id="progress"),
        pytest.param("items/", id="items"),
        pytest.param("sentences/", id="sentences"),
        pytest.param("", id="everything"),
    ],
)
def test_the_data_are_the_same(site: Upgraded, ending: str) -> None:
    then = {address: answer for address, answer in site.then["api"].items() if ending in address}
    assert then
    now = {address: answer for address, answer in site.now["api"].items() if ending in address}
    assert not list(differences(then, now))


def test_migrations_lead_to_the_tables_that_the_other_tests_have(site: Upgraded) -> None:
    """Those are made from the models; see `tests.settings`."""
    migrated, of_models = site.tables
    assert migrated == of_models


def test_results_that_were_kept_are_still_up_to_date(site: Upgraded) -> None:
    runs = Run.objects.filter(COMPUTED)
    assert runs
    for run in runs:
        analysis = analyses()[run.analysis]
        assert Version(run.inputs, run.size) == version_of(analysis, run.subject)
        if run.version == __version__:
            assert run.request == request_of_run(run, analysis).key


def test_nobody_becomes_a_machine_and_nobody_saw_one(site: Upgraded) -> None:
    # The demo has had one machine since there are any.
    machines = int("annotator_kind" in json.dumps(site.then["api"]))
    assert Machine.objects.count() == machines
    assert Annotator.every.count() - machines == Annotator.objects.count() > 0
    assert (Judgment.every.count() > Judgment.objects.count() > 0) == bool(machines)
    assert Campaign.objects.exclude(last_machine_number=0).count() == machines
    assert not Revision.objects.exclude(opinion=None).exists()
    assert not Design.objects.exclude(opinion_of="").exists()


def test_admins_see_the_same_names(site: Upgraded) -> None:
    assert site.now["names"] == site.then["names"]
    assert "anna" in str(site.now["names"])


def test_every_page_opens_and_shows_what_it_showed(site: Upgraded) -> None:
    """A page that failed then may open now."""
    assert len(site.then["pages"]) > 50
    for address, then in site.then["pages"].items():
        now = site.now["pages"][address]
        assert now["status"] < 500, address
        if then["status"] < 500:
            assert now["status"] == then["status"], address
            assert now["names"] == then["names"] or address in NEWEST_FIRST, address


def test_published_results_stay_as_they_were(site: Upgraded) -> None:
    """Tables and files may be added."""
    for address, then in site.then.get("published", {}).items():
        now = site.now["published"][address]
        assert then["rows"]
        assert [row for row in then["rows"] if row not in now["rows"]] == []
        assert then["files"].items() <= now["files"].items()


@pytest.mark.parametrize("person", ["anna", "carl", "visitor", "early", "worker"])
def test_whoever_is_at_work_goes_on(site: Upgraded, person: str) -> None:
    """The leased slot is still theirs, with what they entered; they answer and get the next."""
    _goes_on(site, site.browser(person), site.then["people"][person])


@pytest.mark.parametrize("person", ["anna", "visitor", "worker"])
def test_they_come_back_in_another_browser(site: Upgraded, person: str) -> None:
    """By the personal link, the resume code or the address of the crowd platform."""
    at_work = site.then["people"][person]
    client = Client()
    if "code" in at_work:
        client.post(f"/judge/{at_work['campaign']}/come-back/", {"code": at_work["code"]})
    elif "link" in at_work:
        client.post(at_work["link"])
    else:
        page = client.get(at_work["address"])
        client.post(at_work["address"], {"agree": page.context["crowd"].consent_digest})
    _goes_on(site, client, at_work)


def _goes_on(site: Upgraded, client: Client, at_work: dict[str, Any]) -> None:
    campaign = at_work["campaign"]
    form = screen(client, campaign)
    assert entered(form) == at_work["screen"]
    draw = Random(1)  # noqa: S311
    before = _filled(site, campaign)
    send(client, form, judged(form, draw), now=site.clock, draw=draw)
    assert form.action not in opened(client, f"/judge/{campaign}/")[1]
    assert _filled(site, campaign) > before


def _filled(site: Upgraded, campaign: str) -> int:
    """How many judgments of the campaign are there, as the researcher sees it."""
    count: int = site.browser("researcher").get(f"/api/v1/campaigns/{campaign}/progress/").json()["filled"]
    return count


def test_some_had_entered_something(site: Upgraded) -> None:
    """Else the drafts would be tried in vain."""
    for person in ("anna", "worker"):
        assert any(any(values) for values in site.then["people"][person]["screen"]["fields"].values())


def test_a_worker_who_is_done_is_shown_the_same_code(site: Upgraded) -> None:
    done = site.then["people"]["done"]
    page = Client().get(done["address"]).content.decode()
    assert done["code"] in page


def test_an_excluded_annotator_gets_nothing(site: Upgraded) -> None:
    campaign = site.then["people"]["anna"]["campaign"]
    assert 'name="key"' not in opened(site.browser("eve"), f"/judge/{campaign}/")[1]
