"""The launch of a large campaign is a job; the campaign's page shows its progress."""

import re
from collections.abc import Callable

import pytest
from django.test import Client
from django.utils import timezone

from annotate.campaigns import preview, views
from annotate.database.staging import ABANDONED_AFTER
from annotate.models import Campaign, CampaignState
from jobs.models import Job
from jobs.worker import run_queued_jobs
from tests.annotate.designs import draft_campaign
from tests.annotate.samples import small_corpus


@pytest.fixture(autouse=True)
def everything_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "LAUNCHED_AT_ONCE", 0)


@pytest.fixture
def campaign(db: None) -> Campaign:
    return draft_campaign(small_corpus())


@pytest.fixture
def page(admin: Client, campaign: Campaign) -> Callable[[], str]:
    return lambda: admin.get(f"/campaigns/{campaign.uuid}/manage/").content.decode()


def launch(admin: Client, campaign: Campaign) -> None:
    response = admin.post(f"/campaigns/{campaign.uuid}/launch/")
    assert response["Location"] == f"/campaigns/{campaign.uuid}/manage/"


def test_it_is_queued_once_and_runs_when_the_job_is_done(
    admin: Client, campaign: Campaign, page: Callable[[], str]
) -> None:
    for _ in range(2):
        launch(admin, campaign)
        assert "Waiting for a worker" in page()
    run_queued_jobs()
    assert Job.objects.get().state == "done"
    campaign.refresh_from_db()
    assert campaign.state == CampaignState.RUNNING
    assert campaign.slots.count() > 0
    assert "Pause" in page()


def test_one_that_fails_leaves_the_draft_and_says_why(
    admin: Client, campaign: Campaign, page: Callable[[], str]
) -> None:
    launch(admin, campaign)
    campaign.design.items = 9
    campaign.design.save()
    run_queued_jobs()
    assert "9 sentences asked for, but only 4 can be drawn" in page()
    campaign.refresh_from_db()
    assert campaign.state == CampaignState.DRAFT


def test_one_that_killed_its_workers_can_be_launched_again(
    admin: Client, campaign: Campaign, page: Callable[[], str]
) -> None:
    launch(admin, campaign)
    Job.objects.update(state="failed", error="Its worker died.")
    Campaign.objects.update(state=CampaignState.LAUNCHING, touched_at=timezone.now() - 2 * ABANDONED_AFTER)
    assert "Its worker died." in page()
    assert "Launch again" in page()
    launch(admin, campaign)
    run_queued_jobs()
    campaign.refresh_from_db()
    assert campaign.state == CampaignState.RUNNING


def test_a_cancelled_one_is_a_draft_again(admin: Client, campaign: Campaign, page: Callable[[], str]) -> None:
    launch(admin, campaign)
    admin.post(f"{Job.objects.get().get_absolute_url()}cancel/")
    run_queued_jobs()
    campaign.refresh_from_db()
    assert campaign.state == CampaignState.DRAFT
    assert "Launch …" in page()


def test_a_large_draft_is_previewed_by_a_job(
    admin: Client, campaign: Campaign, page: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    small = page()
    monkeypatch.setattr(preview, "PREVIEWED_AT_ONCE", 0)
    for _ in range(2):
        assert "Its items are being drawn" in page()
    assert admin.get(f"/campaigns/{campaign.uuid}/launch/").status_code == 302, "it is not known yet"
    run_queued_jobs()
    assert Job.objects.get().state == "done"
    assert without_token(page()) == without_token(small)
    assert admin.get(f"/campaigns/{campaign.uuid}/launch/").status_code == 200


def test_a_large_draft_that_asks_too_much_says_so(
    campaign: Campaign, page: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(preview, "PREVIEWED_AT_ONCE", 0)
    campaign.design.items = 9
    campaign.design.save()
    page()
    run_queued_jobs()
    assert "9 sentences asked for, but only 4 can be drawn" in page()


def without_token(page: str) -> str:
    return re.sub(r'name="csrfmiddlewaretoken" value="[^"]*"', "", page)
