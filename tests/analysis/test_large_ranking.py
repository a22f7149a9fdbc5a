"""The ranking of a large campaign is computed by a job; the page shows the last result."""

import pytest
from django.core.cache import cache
from django.test import Client

from analysis.analyses.agreement import PARTS
from analysis.analyses.ranking import REPLICATES_PER_PART
from analysis.models import Run
from analysis.runs import queries
from annotate.campaigns.deletion import delete_campaign
from annotate.models import Campaign, User
from jobs.models import Job
from jobs.running import RunningJob
from jobs.worker import run_queued_jobs
from tests.analysis.forgetting import forget_results
from tests.annotate.running import answer, cast, running, shown
from tests.annotate.samples import small_campaign, small_corpus


@pytest.fixture(autouse=True)
def everything_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queries, "MOST_AT_ONCE", 0)


@pytest.fixture
def campaign(db: None) -> Campaign:
    return small_campaign(small_corpus())


def page(client: Client, campaign: Campaign) -> str:
    return client.get(f"/campaigns/{campaign.uuid}/ranking/").content.decode().partition("<main")[2]


def test_the_first_look_queues_what_the_page_shows_and_shows_how_far_it_is(
    researcher: Client, campaign: Campaign
) -> None:
    for _ in range(2):
        assert "Waiting for a worker" in page(researcher, campaign)
    jobs = list(Job.objects.order_by("pk"))
    assert [job.title for job in jobs] == ["Ranking of campaign judged", "Agreement of campaign judged"]
    assert {job.owner for job in jobs} == {User.objects.get(username="the-researcher")}
    assert researcher.get(f"/campaigns/{campaign.uuid}/analyses/ranking/ranking.svg").status_code == 404
    run_queued_jobs()
    assert list(Job.objects.order_by("pk")) == jobs
    assert researcher.get(f"/campaigns/{campaign.uuid}/analyses/ranking/ranking.svg").status_code == 200


def test_the_job_gives_what_the_page_of_a_small_campaign_gives(
    researcher: Client, campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    page(researcher, campaign)
    run_queued_jobs()
    by_job = page(researcher, campaign)
    forget_results()
    monkeypatch.undo()
    assert by_job == page(researcher, campaign)


def test_the_job_tells_how_far_it_is_all_along(
    researcher: Client, campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where it says something, it can be cancelled; it also does so without having advanced."""
    told: list[str | int] = []
    monkeypatch.setattr("annotate.judgments.snapshot_reading.ANSWERS_PER_CHUNK", 2)
    monkeypatch.setattr(RunningJob, "begin", lambda job, step, total=0: told.extend((step, total)))
    monkeypatch.setattr(RunningJob, "advance", lambda job, parts: told.extend(filter(None, [parts])))
    page(researcher, campaign)
    run_queued_jobs()
    assert told == [
        *("Reading the judgments", 6, 2, 2, 2),  # None of them was in the file before.
        *("Preparing", 0, "Ranking", 1000, *[REPLICATES_PER_PART] * 20),
        *("Reading the judgments", 6, 6),
        *("Comparing systems and judges", PARTS, *[1] * PARTS),
    ]


def test_later_answers_are_told_of_and_ranked_on_request(researcher: Client) -> None:
    campaign = running()
    anna, _ = cast(campaign)
    answer(shown(anna))
    page(researcher, campaign)
    run_queued_jobs()
    assert "came after this was computed" not in page(researcher, campaign)
    answer(shown(anna))
    assert "1 answer or skip came after this was computed" in page(researcher, campaign)
    assert Job.objects.count() == 2
    researcher.post(f"/campaigns/{campaign.uuid}/ranking/compute/")
    assert "Waiting for a worker" in page(researcher, campaign)
    run_queued_jobs()
    assert "came after this was computed" not in page(researcher, campaign)


def test_a_failure_is_told_and_tried_again_on_request(researcher: Client, campaign: Campaign) -> None:
    page(researcher, campaign)
    for failed in (Job.objects, Run.objects):
        failed.update(state="failed", error="The disk is full.")
    shown_page = page(researcher, campaign)
    assert "The disk is full." in shown_page
    assert "Try again" in shown_page
    assert Job.objects.count() == 2
    researcher.post(f"/campaigns/{campaign.uuid}/ranking/compute/")
    run_queued_jobs()
    assert "Systems by ExpectedWins" in page(researcher, campaign)


def test_results_of_an_earlier_release_are_computed_anew(researcher: Client, campaign: Campaign) -> None:
    page(researcher, campaign)
    run_queued_jobs()
    Run.objects.filter(analysis="ranking").update(result={"signature": "old"})
    cache.clear()
    assert "Waiting for a worker" in page(researcher, campaign)
    run_queued_jobs()
    assert "Systems by ExpectedWins" in page(researcher, campaign)


def test_a_campaign_that_was_deleted_meanwhile_fails_the_job(researcher: Client, campaign: Campaign) -> None:
    page(researcher, campaign)
    delete_campaign(campaign, by=None, progress=lambda parts: None)
    run_queued_jobs()
    assert {job.error for job in Job.objects.all()} == {"The campaign or corpus has been deleted."}
