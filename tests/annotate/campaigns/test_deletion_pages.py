"""Admins delete a corpus or a campaign by typing its name."""

import pytest
from django.test import Client
from django.utils import timezone

from annotate.campaigns.lifecycle import close
from annotate.database.audit_log import record
from annotate.models import AuditAction, AuditEntry, Campaign, Corpus
from jobs.models import Job
from jobs.queue import CancelRefusedError, cancel
from jobs.running import RunningJob
from jobs.worker import claim_next, run_queued_jobs, sweep
from tests.annotate.designs import running_campaign
from tests.annotate.samples import small_campaign, small_corpus


@pytest.fixture
def campaign(db: None) -> Campaign:
    """Judgments that were imported."""
    return small_campaign(small_corpus())


def test_the_page_lists_dependent_campaigns(admin: Client, campaign: Campaign) -> None:
    running_campaign(campaign.corpus, "open")
    record(user=None, action=AuditAction.EXPORT, subject=campaign)
    page = admin.get(f"/corpora/{campaign.corpus.uuid}/delete/").content.decode()
    for campaign_listed in Campaign.objects.all():
        assert f'href="/campaigns/{campaign_listed.uuid}/export/"' in page
    assert "4 sentences" in page
    assert page.count(">never<") == 1


def test_the_typed_name_deletes_it_in_a_job(admin: Client, campaign: Campaign) -> None:
    corpus = campaign.corpus
    page = admin.post(f"/corpora/{corpus.uuid}/delete/", {"name": "small"}, follow=True).content.decode()
    assert "Deletion of corpus small" in page
    run_queued_jobs()
    assert not Corpus.objects.exists()
    assert Job.objects.get().state == "done"
    assert set(AuditEntry.objects.values_list("who", "action")) == {("the-admin", "delete")}


def test_imported_judgments_go_and_leave_their_corpus(admin: Client, campaign: Campaign) -> None:
    admin.post(f"/campaigns/{campaign.uuid}/delete/", {"name": "judged"})
    run_queued_jobs()
    assert not Campaign.objects.exists()
    assert Corpus.objects.exists()


@pytest.mark.parametrize("name", ["", "Small", "small "])
def test_another_name_deletes_nothing(admin: Client, campaign: Campaign, name: str) -> None:
    response = admin.post(f"/corpora/{campaign.corpus.uuid}/delete/", {"name": name})
    assert "errorlist" in response.content.decode()
    assert not Job.objects.exists()


def test_while_a_campaign_runs_it_is_refused(admin: Client, campaign: Campaign) -> None:
    running = running_campaign(campaign.corpus, "open")
    page = admin.post(f"/corpora/{campaign.corpus.uuid}/delete/", {"name": "small"}).content.decode()
    assert "open is running" in page
    assert not Job.objects.exists()
    close(running)
    admin.post(f"/corpora/{campaign.corpus.uuid}/delete/", {"name": "small"})
    assert Job.objects.exists()


def test_a_campaign_that_was_resumed_meanwhile_fails_the_job_and_stays(
    admin: Client, campaign: Campaign
) -> None:
    admin.post(f"/campaigns/{campaign.uuid}/delete/", {"name": "judged"})
    Campaign.objects.update(state="running")
    run_queued_jobs()
    job = Job.objects.get()
    assert (job.state, job.error) == (
        "failed",
        "Still in use: 'judged' (running). Close running campaigns, then delete.",
    )
    assert campaign.items.exists()


def test_it_is_gone_from_all_pages_while_it_is_being_deleted(admin: Client, campaign: Campaign) -> None:
    Corpus.objects.update(state="deleting")
    Campaign.objects.update(state="deleting")
    home = admin.get("/").content.decode()
    assert campaign.get_absolute_url() not in home
    assert campaign.corpus.get_absolute_url() not in home
    for path in ("", "delete/", "export/", "manage/", "ranking/"):
        assert admin.get(f"/campaigns/{campaign.uuid}/{path}").status_code == 404
    for path in ("", "delete/"):
        assert admin.get(f"/corpora/{campaign.corpus.uuid}/{path}").status_code == 404


def test_it_can_be_called_off_until_it_has_begun(
    admin: Client, campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    admin.post(f"/campaigns/{campaign.uuid}/delete/", {"name": "judged"})
    cancel(Job.objects.get())
    run_queued_jobs()
    assert campaign.items.exists()
    admin.post(f"/campaigns/{campaign.uuid}/delete/", {"name": "judged"})
    advance = RunningJob.advance

    def advance_too_late(job: RunningJob, parts: int) -> None:
        deletion = Job.objects.get(state="running")
        assert ">Cancel<" not in admin.get(deletion.get_absolute_url()).content.decode()
        page = admin.post(f"{deletion.get_absolute_url()}cancel/", follow=True).content.decode()
        assert "has begun and cannot be cancelled" in page
        advance(job, parts)

    monkeypatch.setattr("jobs.running.REPORT_EVERY_SECONDS", 0)
    monkeypatch.setattr(RunningJob, "advance", advance_too_late)
    run_queued_jobs()
    assert not Campaign.objects.exists()
    assert Job.objects.filter(state="done").count() == 1


def test_one_that_was_killed_midway_cannot_be_called_off_either(admin: Client, campaign: Campaign) -> None:
    """Half of the campaign would stay behind, where nobody sees it."""
    admin.post(f"/campaigns/{campaign.uuid}/delete/", {"name": "judged"})
    killed = claim_next()
    assert killed is not None
    Job.objects.update(leased_until=timezone.now())
    sweep()
    with pytest.raises(CancelRefusedError, match="cannot be cancelled"):
        cancel(killed)
    run_queued_jobs()
    assert not Campaign.objects.exists()


def test_a_job_that_comes_twice_finds_it_gone(admin: Client, campaign: Campaign) -> None:
    admin.post(f"/campaigns/{campaign.uuid}/delete/", {"name": "judged"})
    Campaign.objects.all().delete()
    run_queued_jobs()
    assert Job.objects.get().state == "done"
