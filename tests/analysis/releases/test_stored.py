"""Data releases by page and API: checked, confirmed, written by a job, downloaded, deleted."""

import hashlib
import zipfile
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from analysis.models import DataRelease, DataReleasePiece
from analysis.releases.checks import Confirmation, ReleaseRefusedError
from analysis.releases.options import Options
from analysis.releases.stored import working
from analysis.releases.stored.requests import ask, confirm, delete
from annotate.models import Annotator, AuditEntry, Campaign, CampaignState, User
from jobs import queue
from jobs.models import JobState
from jobs.worker import run_queued_jobs
from tests.analysis.releases.released import (
    campaign_to_release,
    campaign_with_personal_data,
    release_of,
)
from tests.analysis.releases.stored import STATED, checked_release, releaser, stored_release

pytestmark = pytest.mark.django_db

FORM = {
    "title": "Judgments of “learners”",
    "name": "learner-judgments",
    "version": "1.0.0",
    "date": "2026-11-26",
    "description": "Rankings of corrections.",
    "url": "https://example.org/judgments",
    "licence": "CC-BY-4.0",
    "text_licence": "Own licence https://example.org/licence",
    "keywords": "learner English, ranks",
    "authors": "Lovelace, Ada; University; 0000-0002-1825-0097\r\nThe Group",
    "answer_purpose": "To compare systems.",
}


def page(campaign: Campaign, release: DataRelease | None = None, *, api: bool = False) -> str:
    start = "/api/v1" if api else ""
    return f"{start}/campaigns/{campaign.uuid}/releases/" + (f"{release.uuid}/" if release else "")


def zip_from(response: Any) -> bytes:
    content: bytes = b"".join(response.streaming_content)
    assert int(response["Content-Length"]) == len(content)
    return content


def test_an_admin_checks_confirms_downloads_and_deletes(admin: Client) -> None:
    campaign = campaign_to_release()
    assert "Nothing is released yet" in admin.get(page(campaign)).content.decode()
    sent = admin.post(page(campaign), FORM)
    release = DataRelease.objects.get()
    assert sent["Location"] == page(campaign, release)
    assert "Waiting for a worker" in admin.get(page(campaign, release)).content.decode()
    assert admin.get(f"{page(campaign, release)}data.zip").status_code == 404
    run_queued_jobs()
    shown = admin.get(page(campaign, release)).content.decode()
    assert "12 judgments of people" in shown
    assert "Only people can answer 13 questions" in shown
    admin.post(f"{page(campaign, release)}confirm/")
    run_queued_jobs()
    shown = admin.get(page(campaign, release)).content.decode()
    assert "This is the first version." in shown
    content = zip_from(admin.get(f"{page(campaign, release)}data.zip"))
    release.refresh_from_db()
    assert release.content is not None
    assert release.content["sha256"] == hashlib.sha256(content).hexdigest()
    with zipfile.ZipFile(BytesIO(content)) as archive:
        card = archive.read("learner-judgments-1.0.0/README.md").decode()
    assert "Ada Lovelace, The Group" in card
    assert "Own licence (https://example.org/licence)" in card
    admin.post(f"{page(campaign, release)}delete/")
    assert not DataRelease.objects.exists()
    assert not DataReleasePiece.objects.exists()
    written, deleted = AuditEntry.objects.filter(kind="campaign").order_by("pk")
    assert (written.action, deleted.action) == ("export", "delete")
    assert deleted.details["version"] == "1.0.0"


def test_the_zip_is_that_of_the_command(tmp_path: Path, admin: Client) -> None:
    campaign = campaign_to_release()
    release = stored_release(campaign, **WRITTEN)
    stored = zip_from(admin.get(f"{page(campaign, release)}data.zip"))
    assert stored == release_of(campaign, tmp_path).zip.read_bytes()


WRITTEN: dict[str, Any] = {
    "title": "Judgments: “learners” & co",
    "description": "Rankings of corrections.\n\nOf learners' sentences.",
    "contact": "data@example.org",
    "source": "https://example.org/corpus",
    "authors": [
        {
            "family": "Lovelace",
            "given": "Ada",
            "affiliation": "University",
            "orcid": "0000-0002-1825-0097",
        },
        {"family": "The Group"},
    ],
    "answers": {"purpose": "To compare systems.", "biases": "One test set."},
}


def test_what_may_be_personal_is_listed_and_must_be_confirmed(admin: Client) -> None:
    campaign = campaign_with_personal_data()
    release = checked_release(campaign)
    shown = admin.get(page(campaign, release)).content.decode()
    assert "sentence 0: e-mail address: ada @ example.org" in shown
    assert 'name="texts-checked"' in shown
    answer = admin.post(f"{page(campaign, release)}confirm/", follow=True).content.decode()
    assert "Confirm what has to be confirmed first: texts-checked." in answer
    admin.post(f"{page(campaign, release)}confirm/", {"texts-checked": "on"})
    run_queued_jobs()
    release.refresh_from_db()
    assert release.is_written
    entry = AuditEntry.objects.get(action="export")
    assert entry.details["confirmed"] == ["texts-checked"]
    assert entry.who == "the-admin"


def test_a_wrong_form_says_what_is_wrong_where(admin: Client) -> None:
    campaign = campaign_to_release()
    for changes, said in (
        ({"version": "1"}, "must be three numbers such as 1.0.0"),
        ({"licence": "GPL"}, "is not one of CC-BY-4.0"),
        ({"authors": "A; B; 1"}, "is not like 0000-0002-1825-0097"),
        ({"title": ""}, "This field is required"),
        ({"answer_pay": "a\x07b"}, "cannot be printed"),
    ):
        answer = admin.post(page(campaign), {**FORM, **changes})
        assert answer.status_code == 422, changes
        assert said in answer.content.decode(), changes
    assert not DataRelease.objects.exists()


def test_a_campaign_that_runs_is_refused_on_its_page(admin: Client) -> None:
    campaign = campaign_to_release()
    Campaign.objects.filter(pk=campaign.pk).update(state=CampaignState.RUNNING)
    release = checked_release(campaign)
    shown = admin.get(page(campaign, release)).content.decode()
    assert "is not closed. A release names the systems" in shown
    assert "Write the release" not in shown
    with pytest.raises(ReleaseRefusedError, match="is not closed"):
        confirm(release, (), by=releaser())


def test_versions_say_what_has_changed_and_must_rise(admin: Client) -> None:
    campaign = campaign_to_release()
    stored_release(campaign)
    form = admin.get(page(campaign)).content.decode()
    assert 'value="1.1.0"' in form
    assert f'value="{timezone.localdate().isoformat()}"' in form
    assert 'value="learner-judgments"' in form
    Annotator.objects.filter(campaign=campaign, name="carla").update(
        excluded_at="2026-05-04T00:00Z", exclusion_reason="careless"
    )
    second = stored_release(campaign, version="1.1.0")
    for address in (page(campaign), page(campaign, second)):
        assert "annotators: 3 → 2" in admin.get(address).content.decode()
    for version, why in (("1.1.0", "is written already"), ("1.0.5", "must be higher")):
        answer = admin.post(page(campaign), {**FORM, "version": version})
        assert why in answer.content.decode()
    # A data set of another name has versions of its own.
    other = stored_release(campaign, name="others")
    assert other.content is not None
    assert other.content["changes"] == ""


def test_one_that_was_never_written_is_replaced() -> None:
    campaign = campaign_to_release()
    first = checked_release(campaign)
    second = checked_release(campaign, title="Another title")
    assert DataRelease.objects.get() == second
    assert first.pk != second.pk


def test_nothing_is_left_of_a_release_that_is_cancelled(monkeypatch: pytest.MonkeyPatch) -> None:
    campaign = campaign_to_release()
    release = checked_release(campaign)
    content = working._content

    def cancelled(*given: Any) -> Any:
        release.refresh_from_db()
        assert release.job is not None
        assert release.pieces.exists()
        queue.cancel(release.job)
        return content(*given)

    monkeypatch.setattr(working, "_content", cancelled)
    job = confirm(release, (), by=releaser())
    with pytest.raises(ReleaseRefusedError, match="is being made"):
        delete(DataRelease.objects.get(), by=releaser())
    run_queued_jobs()
    job.refresh_from_db()
    release.refresh_from_db()
    assert job.state == JobState.CANCELLED
    assert not release.is_written
    assert not DataReleasePiece.objects.exists()
    monkeypatch.undo()
    confirm(release, (), by=releaser())
    run_queued_jobs()
    release.refresh_from_db()
    assert release.is_written


def test_what_appears_after_the_check_has_to_be_confirmed(admin: Client) -> None:
    campaign = campaign_to_release()
    release = checked_release(campaign)
    Annotator.objects.filter(campaign=campaign, name="carla").update(
        excluded_at="2026-05-04T00:00Z", exclusion_reason="careless"
    )
    job = confirm(release, (), by=releaser())
    run_queued_jobs()
    job.refresh_from_db()
    assert job.error == working.HAS_CHANGED
    shown = admin.get(page(campaign, release)).content.decode()
    assert "Only 2 annotators judged" in shown
    assert working.HAS_CHANGED in shown
    release.refresh_from_db()
    confirm(release, [Confirmation.FEW_ANNOTATORS], by=releaser())
    run_queued_jobs()
    release.refresh_from_db()
    assert release.is_written


def test_deleting_the_campaign_deletes_its_releases() -> None:
    campaign = campaign_to_release()
    stored_release(campaign)
    campaign.delete()
    assert not DataReleasePiece.objects.exists()


def test_the_secret_is_refused_for_imported_judgments(admin: Client) -> None:
    release = checked_release(campaign_to_release(), options=Options(with_secret=True))
    assert release.checks is not None
    [refusal] = release.checks["refusals"]
    assert refusal.startswith("The secret of the draws cannot be released")


def test_the_api_makes_releases_like_the_pages(admin: Client) -> None:
    campaign = campaign_with_personal_data()
    body = {"about": STATED, "layouts": ["gec-metrics"]}
    asked = admin.post(page(campaign, api=True), body, "application/json")
    assert asked.status_code == 202, asked.content
    release = DataRelease.objects.get()
    assert asked.json()["uuid"] == str(release.uuid)
    run_queued_jobs()
    address = page(campaign, release, api=True)
    checks = admin.get(address).json()["checks"]
    assert list(checks["to_confirm"]) == ["texts-checked"]
    refused = admin.post(f"{address}confirm/", {"confirmed": []}, "application/json")
    assert (refused.status_code, "texts-checked" in refused.json()["detail"]) == (409, True)
    confirmed = {"confirmed": ["texts-checked"]}
    assert admin.post(f"{address}confirm/", confirmed, "application/json").status_code == 202
    run_queued_jobs()
    shown = admin.get(address).json()
    assert shown["is_written"]
    content = zip_from(admin.get(f"{address}data.zip"))
    assert hashlib.sha256(content).hexdigest() == shown["content"]["sha256"]
    with zipfile.ZipFile(BytesIO(content)) as archive:
        assert any("/layouts/gec-metrics/SEEDA/" in name for name in archive.namelist())
    assert [each["version"] for each in admin.get(page(campaign, api=True)).json()["results"]] == ["1.0.0"]
    assert admin.generic("POST", f"{address}delete/").status_code == 204
    assert not DataRelease.objects.exists()


@pytest.mark.parametrize(
    ("about", "said"),
    [
        ({**STATED, "version": "1"}, "version: must be three numbers"),
        ({**STATED, "date": "soon"}, "date: must be a day"),
        ({**STATED, "colour": "red"}, "colour: there is no such key"),
        (["no object"], "This has to be an object"),
    ],
)
def test_the_api_says_what_is_wrong(about: object, said: str, admin: Client) -> None:
    answer = admin.post(page(campaign_to_release(), api=True), {"about": about}, "application/json")
    assert answer.status_code == 400
    assert said in str(answer.json())


def test_deep_json_is_refused(admin: Client) -> None:
    body = '{"about": ' + "[" * 100_000
    answer = admin.post(page(campaign_to_release(), api=True), body, "application/json")
    assert (answer.status_code, "nested too deeply" in answer.content.decode()) == (400, True)


def test_hostile_texts_are_escaped(admin: Client) -> None:
    campaign = campaign_to_release()
    release = checked_release(campaign, title="<script>alert(1)</script>")
    assert "<script>alert" not in admin.get(page(campaign, release)).content.decode()


def test_an_account_that_is_deleted_leaves_its_releases() -> None:
    release = stored_release(campaign_to_release())
    User.objects.filter(pk=releaser().pk).delete()
    release.refresh_from_db()
    assert release.released_by is None


def test_two_who_ask_at_once_get_one_release() -> None:
    campaign = campaign_to_release()
    ask(campaign, STATED, Options(), by=releaser())
    with pytest.raises(ReleaseRefusedError, match="is being made"):
        ask(campaign, STATED, Options(), by=releaser())
