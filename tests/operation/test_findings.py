"""Weaknesses that an attack found, each closed."""

import os
import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as configured
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.db import OperationalError
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from annotate.crowd.payouts import payouts
from annotate.database import staging
from annotate.judging.entering import mint_shared_link
from annotate.models import Annotator, Corpus, Visit, Worker
from annotate.web import uploads
from tests.annotate.crowds import crowd_of, visit_of
from tests.annotate.designs import running_campaign
from tests.annotate.imports.steps import parallel
from tests.annotate.running import running
from tests.annotate.samples import small_corpus

MINUTE_MS = 60_000


@pytest.mark.django_db
@pytest.mark.parametrize(("claimed", "paid", "flagged"), [(3, 3, False), (10, 10, False), (600, 10, True)])
def test_paid_minutes_end_with_the_servers_time(claimed: int, paid: int, flagged: bool) -> None:
    visit = visit_of(crowd_of(running()))
    now = timezone.now()
    Visit.objects.update(opened_at=now - timedelta(minutes=10))
    Annotator.objects.update(active_ms=claimed * MINUTE_MS, answered_at=now)
    [payout] = payouts([Worker.objects.get(pk=visit.worker_id)])
    assert (payout.active_minutes, payout.claimed_minutes) == (paid, claimed)
    assert payout.claims_too_much is flagged


@pytest.mark.django_db
def test_a_shared_link_has_the_limit_on_newcomers(settings: Settings) -> None:
    settings.CROWD_NEWCOMERS_PER_HOUR, settings.PROXIES = 2, 1
    campaign = running_campaign(small_corpus())
    link = f"/join/{mint_shared_link(campaign)}/"
    entered = [Client(headers={"X-Forwarded-For": "8.8.8.8"}).post(link).status_code for _ in range(3)]
    assert entered == [302, 302, 429]
    assert Client(headers={"X-Forwarded-For": "9.9.9.9"}).post(link).status_code == 302
    crowd = crowd_of(campaign)
    worker = Client(headers={"X-Forwarded-For": "8.8.8.8"})
    address = f"/crowd/{crowd.entrance}/?PROLIFIC_PID=w1&SESSION_ID=s1"
    assert worker.post(address, {"agree": crowd.consent_digest}).status_code == 429
    assert campaign.annotators.count() == 3


def test_a_failed_upload_leaves_nothing(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.UPLOADS_DIR = tmp_path

    def full(*args: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(uploads.shutil, "copyfileobj", full)  # type: ignore[attr-defined]
    with pytest.raises(OSError, match="No space"):
        uploads.keep_files({"source": [SimpleUploadedFile("a.txt", b"A .\n")]})
    assert list(tmp_path.iterdir()) == []


@pytest.mark.django_db
def test_an_upload_whose_job_cannot_be_stored_leaves_nothing(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, admin: Client
) -> None:
    settings.UPLOADS_DIR = tmp_path

    def lose(**about: object) -> None:
        raise OperationalError("connection refused")

    monkeypatch.setattr("annotate.imports.queueing.queue", lose)
    admin.raise_request_exception = False
    assert admin.post("/imports/corpus/", parallel()).status_code == 503
    assert list(tmp_path.iterdir()) == []


@pytest.mark.django_db(transaction=True)
def test_an_import_that_lost_the_database_says_so_and_frees_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "source.txt").write_text("A sentence .\n")
    (tmp_path / "system.txt").write_text("The sentence .\n")
    command: list[Any] = ["import_corpus", "new", "--language", "en", "--source", tmp_path / "source.txt"]
    command += ["--system", f"sys={tmp_path / 'system.txt'}"]
    discard, times = staging._discard, [0]

    def lose(*args: object) -> None:
        raise OperationalError("server closed the connection unexpectedly\n\tThis probably means")

    def discard_later(row: Corpus) -> None:
        times[0] += 1
        lose() if times[0] == 1 else discard(row)

    with monkeypatch.context() as patch:
        patch.setattr(staging, "renew_stamp", lose)
        patch.setattr(staging, "_discard", discard_later)
        patch.setattr(staging, "RECONNECT_EVERY_SECONDS", 0)
        with pytest.raises(CommandError, match=r"database was lost, so nothing was imported: server closed"):
            call_command(*map(str, command))
    assert not Corpus.objects.exists()
    call_command(*map(str, command))
    assert Corpus.objects.get().state == "ready"


@pytest.mark.django_db
@pytest.mark.parametrize(
    "address",
    [
        "https://app.prolific.com@evil.example/?cc={code}",
        "https://user:secret@app.prolific.com/?cc={code}",
        "https://app.prolific.com/?cc={code}'onclick='x",
        'https://app.prolific.com/"?cc={code}',
        "https://app.prolific.com/<b>?cc={code}",
        "https://app.prolific.com\\@evil.example/?cc={code}",
    ],
)
def test_the_completion_address_has_no_user_and_no_quotes(address: str) -> None:
    crowd = crowd_of(running())
    crowd.return_url = "https://app.prolific.com/submissions/complete?cc={code}"
    crowd.full_clean()
    crowd.return_url = address
    with pytest.raises(ValidationError, match="Enter an https"):
        crowd.full_clean()


@pytest.mark.django_db
def test_an_override_of_direction_ends_with_its_text(admin: Client) -> None:
    evil = "‮live si siht"
    crowd = crowd_of(running())
    visit_of(crowd, worker=evil)
    page = admin.get(f"/campaigns/{crowd.campaign.uuid}/crowd/").content.decode()
    assert f"<bdi>{evil}</bdi>" in page


@pytest.mark.django_db
def test_a_browser_shows_answers_of_the_api(admin: Client) -> None:
    for path in ("corpora/", "openapi.json", "nowhere/", "corpora/?limit=x"):
        response = admin.get(f"/api/v1/{path}", headers={"Accept": "text/html"})
        assert response["Content-Type"].partition(";")[0].endswith("json")
        response.json()


def test_a_new_sqlite_file_is_for_its_owner(tmp_path: Path) -> None:
    script = "from django.db import connection; connection.ensure_connection()"
    before = os.umask(0o022)
    try:
        run(["shell", "--command", script], DATABASE_URL="", VAR_DIR=str(tmp_path))
    finally:
        os.umask(before)
    assert (tmp_path / "assay.sqlite3").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    "address",
    [
        "nonsense",
        "mysql://u:secret@h/x",
        "postgres://u:secret@h:port/x",
        "postgres://u:secret@h/",
        "postgres://[/",
    ],
)
def test_a_malformed_database_url_is_a_sentence_without_the_password(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from config.database_url import read_database_url

    with pytest.raises(SystemExit, match=r"DATABASE_URL cannot be understood: .* Write it like") as stop:
        read_database_url(address)
    assert "secret" not in str(stop.value)


def run(arguments: list[str], **variables: str) -> str:
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings", **variables}
    ran = subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=configured.BASE_DIR,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return ran.stdout
