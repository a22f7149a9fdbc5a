"""`make faults` detects errors. The faults run only there: their time varies by machine."""

import json
import resource
import shutil
import subprocess
import sys
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from pytest_django.live_server_helper import LiveServer

from annotate.judging.entering import mint_personal_link
from annotate.models import Judgment, JudgmentState, Revision, Role, User
from dev.benchmarks.load import PASSWORD
from dev.benchmarks.processes import children, is_alive
from dev.faults import __main__ as faults
from dev.faults import crowd, services
from dev.faults.campaign import LaunchJob, compare
from dev.faults.clock import seconds_ahead, set_ahead
from dev.faults.crowd import Crowd
from dev.faults.rounds import ROUNDS
from dev.faults.services import Disk, MissingError
from tests.annotate.running import NOON, answer, cast, running, shown
from tests.annotate.samples import small_corpus

PATIENCE_SECONDS = 60


@pytest.mark.django_db
def test_answers_that_are_missing_or_there_twice_are_counted() -> None:
    campaign = running(items=3)
    [anna] = cast(campaign, "anna")
    judgments = [answer(shown(anna)) for _ in range(3)]
    keys = {str(key) for key in Revision.objects.values_list("submission_key", flat=True)}
    assert (compare(campaign, keys).stored, compare(campaign, keys).lost) == (3, 0)
    assert compare(campaign, {*keys, "another"}).lost == 1
    assert compare(campaign, keys).doubled == compare(campaign, keys).over == 0
    Revision.objects.create(judgment=judgments[0], number=2, submitted_at=NOON, is_current=False)
    assert compare(campaign, keys).doubled == 1
    complete = {"item": judgments[0].item, "repetition": 1, "state": JudgmentState.COMPLETE}
    Judgment.objects.filter(pk=judgments[1].pk).update(**complete)
    assert compare(campaign, keys).over == 1


@pytest.mark.django_db(transaction=True)
def test_the_crowd_answers_as_a_browser_does(
    live_server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And so notices when the pages that it reads change."""
    monkeypatch.setattr(crowd, "PAUSE_SECONDS", 0)
    monkeypatch.setattr(crowd, "PATIENCE_SECONDS", PATIENCE_SECONDS)
    campaign = running(items=12, protocol="relative-ranking")
    tokens = [mint_personal_link(person) for person in cast(campaign, "anna ben")]
    User.objects.create_user("admin", password=PASSWORD, role=Role.ADMIN)
    people = Crowd(live_server.thread.port, tokens, "admin")
    with people:
        assert services.wait_until(lambda: people.all_answered_since(0))
        assert services.wait_until(lambda: all(len(person.log.confirmed) >= 3 for person in people.people))
    assert not people.troubles
    assert not people.all_answered_since(monotonic())
    assert len(people.waits_since(0)) > len(people.confirmed)
    assert {name for _, name in people.waits_since(0)} == {*crowd.BESIDE, crowd.BY_ANNOTATOR}
    assert all(seconds > 0 for seconds, _ in people.waits_since(0))
    assert not people.waits_since(monotonic())
    comparison = compare(campaign, people.confirmed)
    assert comparison.stored == comparison.confirmed >= 6
    assert comparison.lost == comparison.doubled == comparison.over == 0


@pytest.mark.django_db
def test_a_job_that_does_not_end_is_a_trouble() -> None:
    job = LaunchJob(small_corpus("faults"))
    assert not job.has_begun()
    assert job.trouble(seconds=0) == "The job has not ended within 0 s: it is queued."


@pytest.mark.parametrize(("process", "role", "seconds"), [(7, "web", -5), (8, "web", 3600), (8, "jobs", 0)])
def test_the_clock_of_a_process_is_set(process: int, role: str, seconds: int, tmp_path: Path) -> None:
    path = tmp_path / "clock"
    assert not seconds_ahead(path, process, role)
    set_ahead(path, {"web": 3600, "7": -5})
    assert seconds_ahead(path, process, role) == timedelta(seconds=seconds)


def test_without_the_right_to_mount_files_cannot_grow_while_the_disk_is_full(tmp_path: Path) -> None:
    disk = Disk(tmp_path)
    assert disk.means == "RLIMIT_FSIZE"
    writer = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    try:
        before = resource.prlimit(writer.pid, resource.RLIMIT_FSIZE)
        disk.fill([writer.pid])
        assert resource.prlimit(writer.pid, resource.RLIMIT_FSIZE) == (0, before[1])
        disk.free([writer.pid])
        assert resource.prlimit(writer.pid, resource.RLIMIT_FSIZE) == before
    finally:
        writer.kill()
        writer.communicate()
    disk.free([writer.pid])


def test_processes_are_seen_until_they_have_ended() -> None:
    parent = subprocess.Popen(["/bin/sh", "-c", "sleep 600 & wait"])
    try:
        assert services.wait_until(lambda: bool(children(parent.pid)))
        [child] = children(parent.pid)
        assert is_alive(parent.pid)
        assert is_alive(child)
        services_killed = subprocess.run(["/bin/kill", "-9", str(child)], check=True)
        assert services_killed.returncode == 0
        assert services.wait_until(lambda: not is_alive(child))
    finally:
        parent.kill()
        parent.wait()
    assert not is_alive(parent.pid)


@pytest.mark.parametrize(
    ("look_up", "package"),
    [(services.redis_program, "redis-server"), (services.postgres_programs, "postgresql")],
)
def test_missing_programs_are_named_with_their_package(
    look_up: Any, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    monkeypatch.setattr(Path, "glob", lambda *pattern: iter(()))
    with pytest.raises(MissingError, match=f"apt-get install {package}"):
        look_up()


def outcome(**changes: object) -> dict[str, Any]:
    """How a fault ended."""
    figures = dict.fromkeys(("confirmed", "stored"), 20) | dict.fromkeys(("lost", "doubled", "over"), 0)
    well = {"fault": "disk full", "database": "SQLite", "back_seconds": 1.5, "troubles": [], "notes": []}
    return {**well, **figures, "waits": [0.1, 0.2, 3.1], **changes}


@pytest.fixture
def outcomes(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """The outcomes of all rounds."""
    outcomes: list[dict[str, Any]] = []

    def outcomes_of(name: str, only: Sequence[str]) -> list[dict[str, Any]]:
        return outcomes

    monkeypatch.setattr(faults, "outcomes_of", outcomes_of)
    monkeypatch.setattr(faults, "postgres_programs", lambda: None)
    monkeypatch.setattr(faults, "redis_program", lambda: None)
    return outcomes


def test_all_is_well_when_no_fault_has_ended_badly(
    outcomes: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    outcomes.append(outcome(notes=["a full tmpfs"]))
    monkeypatch.setattr(sys, "argv", ["faults", "--json"])
    faults.main()
    printed = json.loads(capsys.readouterr().out)
    whole = printed.pop()
    assert whole["fault"] == "the whole run"
    assert whole["confirmed"] == 20 * len(ROUNDS)
    for figures in (whole, *printed):
        assert (figures["p50"], figures["longest"]) == (0.2, 3.1)
    assert [figures["fault"] for figures in printed] == ["disk full"] * len(ROUNDS)
    monkeypatch.setattr(sys, "argv", ["faults"])
    faults.main()
    assert "well: a full tmpfs" in capsys.readouterr().out


@pytest.mark.parametrize("bad", [[], [outcome(), outcome(lost=1, troubles=["One is lost."])]])
def test_a_fault_that_ended_badly_or_none_at_all_is_an_error(
    bad: list[dict[str, Any]],
    outcomes: list[dict[str, Any]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    outcomes.extend(bad)
    monkeypatch.setattr(sys, "argv", ["faults", "--round", "embedded"])
    with pytest.raises(SystemExit) as end:
        faults.main()
    assert end.value.code == 1
    assert ("failed: One is lost." in capsys.readouterr().out) is bool(bad)
