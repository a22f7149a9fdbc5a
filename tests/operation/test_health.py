"""/healthz and /metrics: what monitors see."""

import re
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import OperationalError, connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families
from pytest_django import Settings

from annotate.models import Annotator
from jobs.models import WorkerSign
from jobs.signs import FORGOTTEN_AFTER, SILENT_FOR, give_sign, last_sign
from operation import health
from tests.annotate.designs import running_campaign
from tests.annotate.samples import small_corpus

pytestmark = pytest.mark.django_db

TOKEN = {"Authorization": "Bearer of-monitors"}


@pytest.fixture
def alive(settings: Settings) -> None:
    settings.METRICS_TOKEN = "of-monitors"
    give_sign()


@pytest.mark.usefixtures("alive")
def test_a_site_that_works(client: Client) -> None:
    assert client.get("/healthz").json() == {"status": "ok"}
    checks = client.get("/healthz", headers=TOKEN).json()["checks"]
    assert checks == dict.fromkeys(("database", "migrations", "worker", "disk"), "ok")


def lost_database(patch: pytest.MonkeyPatch) -> None:
    def refuse(*args: Any) -> None:
        raise OperationalError("connection refused\nIs the server running?")

    patch.setattr(connection, "cursor", refuse)


def missing_migration(patch: pytest.MonkeyPatch) -> None:
    MigrationRecorder.Migration.objects.filter(app="jobs").delete()


def newer_database(patch: pytest.MonkeyPatch) -> None:
    MigrationRecorder(connection).record_applied("jobs", "9999_later")


def silent_worker(patch: pytest.MonkeyPatch) -> None:
    WorkerSign.objects.update(at=timezone.now() - SILENT_FOR)


def full_disk(patch: pytest.MonkeyPatch) -> None:
    usage = SimpleNamespace(free=2**20)
    patch.setattr(health, "shutil", SimpleNamespace(disk_usage=lambda folder: usage))


@pytest.mark.parametrize(
    ("check", "plant"),
    [
        ("database", lost_database),
        ("migrations", missing_migration),
        ("migrations", newer_database),
        ("worker", silent_worker),
        ("disk", full_disk),
    ],
)
@pytest.mark.usefixtures("alive")
def test_a_fault_is_found_and_told_to_monitors_only(
    check: str, plant: Any, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    for_strangers = client.get("/healthz")
    assert (for_strangers.status_code, for_strangers.json()) == (503, {"status": "unavailable"})
    assert for_strangers["Retry-After"] == "60"
    answer = client.get("/healthz", headers=TOKEN).json()
    assert [name for name, state in answer["checks"].items() if state != "ok"] == [check]
    monkeypatch.undo()


def test_workers_that_are_gone_are_forgotten() -> None:
    give_sign()
    give_sign()
    old = timezone.now() - FORGOTTEN_AFTER - timedelta(minutes=1)
    WorkerSign.objects.create(worker="elsewhere:7", at=old)
    give_sign()
    assert WorkerSign.objects.count() == 1
    assert last_sign() == WorkerSign.objects.get().at


@pytest.mark.parametrize("sent", [{}, {"Authorization": "Bearer of-others"}, {"Authorization": "Bearer "}])
def test_the_figures_are_for_the_token(sent: dict[str, str], client: Client, settings: Settings) -> None:
    for token in ("of-monitors", ""):
        settings.METRICS_TOKEN = token
        assert client.get("/metrics", headers=sent).status_code == 403


@pytest.mark.usefixtures("alive")
def test_the_figures(client: Client) -> None:
    campaign = running_campaign(small_corpus(), 'a "quoted" name')
    Annotator.objects.create(
        campaign=campaign, name="grace", complete=3, skipped=1, answered_at=timezone.now()
    )
    response = client.get("/metrics", headers=TOKEN)
    assert re.match("text/plain", response["Content-Type"])
    samples = [
        sample
        for family in text_string_to_metric_families(response.content.decode())
        for sample in family.samples
    ]
    values = {(sample.name, sample.labels.get("state", "")): sample.value for sample in samples}
    assert values["assay_answers", "complete"] == 3
    assert values["assay_answers", "skipped"] == 1
    assert values["assay_jobs", "failed"] == 0
    assert values["assay_judgments_wanted", ""] == campaign.slot_count
    assert values["assay_worker_last_sign_timestamp_seconds", ""] > 0
    assert {sample.labels["name"] for sample in samples if "name" in sample.labels} == {campaign.name}
    assert "grace" not in response.content.decode()
