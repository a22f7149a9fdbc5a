"""Workers die while they renew answers: nothing is lost, and nothing is repeated forever."""

from datetime import timedelta
from pathlib import Path
from uuid import uuid4

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from analysis.models import COMPUTED, Run
from analysis.runs.answering import renew_answers, stored_answers
from jobs.models import Job, JobState
from jobs.worker import MOST_ATTEMPTS, run_queued_jobs, sweep
from tests.analysis.scored_campaigns import edited_campaign
from tests.jobs.workers import held_worker, run_out

WITHOUT_METRICS = 5
"""Results of a campaign whose corpus has no scores."""


def renew() -> None:
    """Renew the answers after a restart, which forgets what has been looked at."""
    cache.clear()
    renew_answers()


@pytest.mark.django_db(transaction=True)
@pytest.mark.slow
def test_a_killed_worker_loses_nothing(tmp_path: Path) -> None:
    campaign = edited_campaign()
    renew()
    assert Job.objects.count() == WITHOUT_METRICS
    with held_worker(tmp_path, step="Removing judgments") as victim:
        victim.kill()
    renew()
    run_out(Job.objects.get(state=JobState.RUNNING))
    sweep()
    run_queued_jobs()
    renew()
    assert [*Job.objects.values_list("state", flat=True)] == [JobState.DONE] * WITHOUT_METRICS
    assert Run.objects.filter(COMPUTED).count() == WITHOUT_METRICS
    assert stored_answers(campaign, for_admins=True).is_current


@pytest.mark.django_db
@pytest.mark.any_database
def test_what_kills_every_worker_is_given_up_until_there_are_more_judgments(researcher: Client) -> None:
    campaign = edited_campaign()
    renew()
    Job.objects.update(
        state=JobState.RUNNING,
        claim=uuid4(),
        attempts=MOST_ATTEMPTS,
        leased_until=timezone.now() - timedelta(seconds=1),
    )
    sweep()
    renew()
    assert [*Job.objects.values_list("state", flat=True)] == [JobState.FAILED] * WITHOUT_METRICS
    page = researcher.get(f"/campaigns/{campaign.uuid}/answers/").content.decode()
    assert page.count("Not computed: It was started 3 times; each time its worker died") == 3
    assert "Compute the answers</button>" in page
    Run.objects.update(inputs="before", size=1)
    renew()
    assert Job.objects.filter(state=JobState.QUEUED).count() == WITHOUT_METRICS
