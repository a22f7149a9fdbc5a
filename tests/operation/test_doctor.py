"""The command `doctor` finds planted faults, and says what to do."""

import os
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
from celery import current_app
from django.core.management import call_command
from django.db import OperationalError, connection
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone
from pytest_django import Settings

from jobs.models import WorkerSign
from jobs.signs import SILENT_FOR, give_sign
from operation import doctor, health

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def healthy(settings: Settings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """An installation without faults."""
    settings.HTTPS, settings.PROXIES, settings.ALLOWED_HOSTS = True, 1, ["assay.example.org"]
    settings.BASE_DIR = settings.VAR_DIR = tmp_path
    settings.SECRET_KEY = "k" * 50
    tmp_path.chmod(0o700)
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr(doctor, "get_localzone_name", lambda: "Etc/UTC")
    monkeypatch.setattr(doctor, "_others_may_read", lambda file: file.stat().st_mode & 0o044 != 0)
    if connection.vendor == "sqlite":
        Path(connection.settings_dict["NAME"]).chmod(0o600)
    give_sign()


def test_all_is_well(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("doctor")
    assert "FAULT" not in capsys.readouterr().out


Plant = Callable[[Settings, pytest.MonkeyPatch], object]


def lost_database(settings: Settings, patch: pytest.MonkeyPatch) -> None:
    def refuse(*args: object) -> None:
        raise OperationalError("connection refused")

    patch.setattr(connection, "cursor", refuse)


def readable_environment(settings: Settings, patch: pytest.MonkeyPatch) -> None:
    (settings.BASE_DIR / ".env").touch()
    (settings.BASE_DIR / ".env").chmod(0o644)


def full_disk(settings: Settings, patch: pytest.MonkeyPatch) -> None:
    usage = SimpleNamespace(free=2**20)
    patch.setattr(health, "shutil", SimpleNamespace(disk_usage=lambda folder: usage))


def lost_broker(settings: Settings, patch: pytest.MonkeyPatch) -> None:
    broker = current_app.connection_for_write("redis://127.0.0.1:1/0")
    patch.setattr(current_app, "connection_for_write", lambda **options: broker)


FAULTS: list[tuple[str, Plant, str]] = [
    ("HTTPS", lambda settings, patch: setattr(settings, "HTTPS", False), "HTTPS=True"),
    ("PROXIES", lambda settings, patch: setattr(settings, "PROXIES", 0), "Set PROXIES"),
    ("ALLOWED_HOSTS", lambda settings, patch: setattr(settings, "ALLOWED_HOSTS", ["*"]), "Set ALLOWED_HOSTS"),
    ("DEBUG", lambda settings, patch: setattr(settings, "DEBUG", True), "Remove DEBUG"),
    (
        "secret key",
        lambda settings, patch: setattr(settings, "SECRET_KEY", "changeme"),
        "Remove SECRET_KEY",
    ),
    ("private files", readable_environment, "chmod go-rwx"),
    ("user", lambda settings, patch: patch.setattr(os, "geteuid", lambda: 0), "as a user of its own"),
    (
        "time zone",
        lambda settings, patch: patch.setattr(doctor, "get_localzone_name", lambda: "Asia/Tokyo"),
        "TIME_ZONE=Asia/Tokyo",
    ),
    ("disk", full_disk, "delete old backups"),
    ("broker", lost_broker, "CELERY_BROKER_URL"),
    ("database", lost_database, "DATABASE_URL"),
    (
        "migrations",
        lambda settings, patch: MigrationRecorder.Migration.objects.filter(app="jobs").delete(),
        "manage.py migrate",
    ),
    (
        "worker",
        lambda settings, patch: WorkerSign.objects.update(at=timezone.now() - SILENT_FOR),
        "systemctl restart assay-worker",
    ),
]


@pytest.mark.parametrize(("check", "plant", "mend"), FAULTS, ids=[check for check, _, _ in FAULTS])
def test_a_planted_fault_is_found(
    check: str,
    plant: Plant,
    mend: str,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    plant(settings, monkeypatch)
    with pytest.raises(SystemExit):
        call_command("doctor")
    monkeypatch.undo()
    said = capsys.readouterr().out
    assert [line.split("  ", 1)[1] for line in said.splitlines() if line.startswith("FAULT")] == [check]
    assert mend in said


@pytest.mark.parametrize(
    ("server", "client", "mend"),
    [(13, 15, "Upgrade the server"), (17, 15, "client-17"), (15, None, "client-15")],
)
def test_the_version_of_postgresql(
    server: int, client: int | None, mend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = SimpleNamespace(vendor="postgresql", pg_version=server * 10000 + 4)
    monkeypatch.setattr(doctor, "connection", there)
    monkeypatch.setattr(doctor, "client_version", lambda: client)
    assert mend in doctor.check_database_version().mend
