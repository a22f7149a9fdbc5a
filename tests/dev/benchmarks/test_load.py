"""The load benchmark: all kinds of annotators and all background activity, in a few seconds."""

import asyncio
import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.conf import settings
from pytest_django.live_server_helper import LiveServer

from annotate.judging.entering import mint_personal_link
from annotate.models import Role, User
from dev.benchmarks import load
from tests.annotate.running import cast, running

PROGRAM = """
from dev.benchmarks import load
load.BATCH, load.IMPORTED_SENTENCES = 3, 5
load.main()
"""
SOON = 0.3 / 60
"""Minutes; each annotator answers once at least."""


@pytest.mark.any_database
@pytest.mark.django_db(transaction=True)
def test_confirmed_answers_of_all_habits_are_stored(
    live_server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the server of the tests. Beside them somebody exports and reloads; nobody imports."""

    async def nobody(*_: object) -> None:
        return

    monkeypatch.setattr(load, "import_corpora", nobody)
    monkeypatch.setattr(load, "FORMATS", ("csv",))
    User.objects.create_user("admin", password=load.PASSWORD, role=Role.ADMIN)
    campaign = running(items=12, batch_size=3, annotators_per_item=2, shared_percent=100)
    people = [mint_personal_link(person) for person in cast(campaign, "anna ben carl dora")]
    work = load.work(
        live_server.thread.port, str(campaign.uuid), people, load.Pace(0.1), SOON, seek_highest=False
    )
    with ThreadPoolExecutor(1) as apart:  # The loop of the browser tests runs in this thread.
        log, _ = apart.submit(asyncio.run, work).result()
    figures = load.comparison(campaign, log.confirmed)
    assert figures["confirmed"] == figures["stored"] >= len(people)
    assert figures["lost"] == figures["doubled"] == figures["over"] == 0
    assert not log.errors + log.refused
    assert log.beside["exports"]
    assert list(log.memory) == ["start", "middle", "end"]


@pytest.mark.deep
def test_every_confirmed_answer_is_stored() -> None:
    """The whole program, with the server of an installation."""
    options = ["--database", "sqlite", "--annotators", "4", "--pause", "0.1", "--minutes", "0.05", "--json"]
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM, *options], cwd=settings.BASE_DIR, stdout=subprocess.PIPE, check=True
    )
    figures = json.loads(run.stdout)
    assert figures["confirmed"] == figures["stored"] >= 4
    assert figures["lost"] == figures["doubled"] == figures["over"] == figures["errors"] == 0
    assert 0 < figures["p50_ms"] <= figures["p95_ms"]
    assert figures["beside"]["exports"]
    for memory in figures["memory_mb"].values():
        assert sorted(memory) == ["job worker", "web master", "web worker 1", "web worker 2"]
        assert all(40 < megabytes < 1000 for megabytes in memory.values())
