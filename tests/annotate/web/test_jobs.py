"""The pages of jobs, as each role sees them."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from annotate.models import User
from jobs.models import BEGUN_WITHIN, Job, JobState
from jobs.worker import claim_next
from tests.jobs.kinds import after_working, kind, queued


@pytest.fixture
def toys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Jobs of the kind *toy* do nothing."""
    kind(monkeypatch, lambda job: {"summary": "Played."})


def account(role: str) -> User:
    """The account that uses the browser of the fixture of that name."""
    return User.objects.get(username=f"the-{role}")


def text(client: Client, address: str) -> str:
    return client.get(address).content.decode()


def test_the_list_names_jobs_newest_first(researcher: Client, toys: None) -> None:
    queued(number=1)
    Job.objects.update(title="The first")
    queued(number=2)
    page = text(researcher, "/jobs/")
    assert page.index("A toy") < page.index("The first")


def test_an_empty_list_says_so(researcher: Client) -> None:
    assert "No jobs yet" in text(researcher, "/jobs/")


def test_a_running_job_says_how_far_it_is_and_how_long_it_will_take(researcher: Client, toys: None) -> None:
    job = queued()
    now = timezone.now()
    Job.objects.update(
        state=JobState.RUNNING,
        claim=job.uuid,
        leased_until=now,
        step="Storing",
        step_started_at=now - timedelta(minutes=3),
        done=25,
        total=100,
    )
    page = text(researcher, job.get_absolute_url())
    assert "Storing: 25 of 100" in page
    assert "about 9 minutes left" in page
    Job.objects.update(step_started_at=now - timedelta(seconds=9))
    assert ">less than a minute left" in text(researcher, job.get_absolute_url())
    assert 'value="25" max="100"' in page


class TestLeftWaiting:
    """A job that no worker begins."""

    SAID = "No worker seems to be running"

    def test_how_to_start_a_worker_is_said_after_a_while(self, researcher: Client, toys: None) -> None:
        job = queued()
        assert self.SAID not in text(researcher, job.get_absolute_url())
        Job.objects.update(created_at=timezone.now() - BEGUN_WITHIN)
        assert self.SAID in text(researcher, job.get_absolute_url())

    def test_not_while_a_worker_is_busy(self, researcher: Client, toys: None) -> None:
        queued(number=1)
        claim_next()
        job = queued(number=2)
        Job.objects.update(created_at=timezone.now() - BEGUN_WITHIN)
        assert self.SAID not in text(researcher, job.get_absolute_url())
        Job.objects.filter(state=JobState.RUNNING).update(leased_until=timezone.now())
        assert self.SAID in text(researcher, job.get_absolute_url())


def test_the_bar_is_fetched_until_the_job_has_ended_and_then_the_page_is_loaded_anew(
    researcher: Client, toys: None
) -> None:
    job = queued()
    bar = researcher.get(f"{job.get_absolute_url()}progress/")
    assert "hx-get" in bar.content.decode()
    assert "HX-Refresh" not in bar
    after_working(job)
    bar = researcher.get(f"{job.get_absolute_url()}progress/")
    assert "hx-get" not in bar.content.decode()
    assert bar["HX-Refresh"] == "true"
    assert "Played." in text(researcher, job.get_absolute_url())


def test_a_failed_job_says_why(researcher: Client, toys: None) -> None:
    job = queued()
    Job.objects.update(state=JobState.FAILED, error="<b>too large</b>")
    assert "&lt;b&gt;too large&lt;/b&gt;" in text(researcher, job.get_absolute_url())


class TestCancel:
    """Its owner and admins may, nobody else."""

    def test_by_its_owner(self, researcher: Client, toys: None) -> None:
        job = queued(account("researcher"))
        assert "Cancel" in text(researcher, job.get_absolute_url())
        researcher.post(f"{job.get_absolute_url()}cancel/")
        job.refresh_from_db()
        assert job.state == "cancelled"

    def test_by_an_admin(self, admin: Client, toys: None) -> None:
        job = queued()
        admin.post(f"{job.get_absolute_url()}cancel/")
        job.refresh_from_db()
        assert job.state == "cancelled"

    @pytest.mark.parametrize(("role", "status"), [("researcher", 403), ("annotator", 403), ("stranger", 302)])
    def test_by_nobody_else(
        self, role: str, status: int, admin: Client, toys: None, request: pytest.FixtureRequest
    ) -> None:
        client: Client = request.getfixturevalue(role)
        job = queued(account("admin"))
        assert ">Cancel<" not in text(client, job.get_absolute_url())
        assert client.post(f"{job.get_absolute_url()}cancel/").status_code == status
        job.refresh_from_db()
        assert job.state == "queued"

    def test_too_late(self, admin: Client, toys: None) -> None:
        job = after_working(queued())
        page = admin.post(f"{job.get_absolute_url()}cancel/", follow=True).content.decode()
        assert "“A toy” has already ended" in page
        assert Job.objects.get().state == "done"


def test_an_admin_may_repeat_a_failed_job(admin: Client, toys: None) -> None:
    job = queued(number=1)
    Job.objects.update(state=JobState.FAILED)
    assert "Try again" in text(admin, job.get_absolute_url())
    admin.post(f"{job.get_absolute_url()}again/")
    again = Job.objects.get(state=JobState.QUEUED)
    assert (again.kind, again.parameters, again.owner) == (job.kind, job.parameters, account("admin"))
