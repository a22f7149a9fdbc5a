import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from annotate.models import Role, User
from jobs.models import Job, JobState
from tests.annotate.api.asking import ask, post, problem_of, program
from tests.jobs.kinds import after_working, kind, queued

pytestmark = pytest.mark.django_db
WHO = 1


@pytest.fixture(autouse=True)
def jobs_that_say_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    kind(monkeypatch, lambda job: {"summary": "Two items.", "judges": ["anna"]})


@pytest.fixture
def owner() -> Client:
    """The program of ada, who starts jobs."""
    return program(name="ada")


def queued_by(name: str, **parameters: str) -> Job:
    """A job of that account."""
    return queued(User.objects.get(username=name), **parameters)


def test_jobs_are_listed_newest_first(
    owner: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    older, newer = queued_by("ada", what="older"), queued_by("ada", what="newer")
    after_working(older)
    with django_assert_num_queries(WHO + 1):
        rows = ask(owner, "jobs/")["results"]
    assert [row["uuid"] for row in rows] == [str(newer.uuid), str(older.uuid)]
    assert (rows[0]["title"], rows[0]["owner"], rows[0]["kind"]) == ("A toy", "ada", "toy")


def test_a_job_shows_its_state_but_neither_parameters_nor_result(owner: Client) -> None:
    job = queued_by("ada", secret="parameter")
    waiting = ask(owner, f"jobs/{job.uuid}/")
    assert (waiting["state"], waiting["summary"], waiting["seconds_left"]) == ("queued", None, None)
    assert waiting["warnings"] == []
    after_working(job)
    response = owner.get(f"/api/v1/jobs/{job.uuid}/")
    ended = response.json()
    assert (ended["state"], ended["summary"], ended["error"]) == ("done", "Two items.", "")
    assert ended["warnings"] == []
    assert b"anna" not in response.content
    assert b"parameter" not in response.content


def test_a_job_of_nobody_is_told_as_well(owner: Client) -> None:
    assert ask(owner, f"jobs/{queued().uuid}/")["owner"] is None


@pytest.mark.parametrize("who", ["ada", "an admin"])
def test_owner_and_admins_cancel(owner: Client, who: str) -> None:
    client = owner if who == "ada" else program(Role.ADMIN)
    job = queued_by("ada")
    assert post(client, f"/api/v1/jobs/{job.uuid}/cancel/").json()["state"] == "cancelled"
    response = post(client, f"/api/v1/jobs/{job.uuid}/cancel/")
    assert problem_of(response, 409)["detail"] == "“A toy” has already ended."


def test_others_do_not(owner: Client) -> None:
    job = queued_by("ada")
    path = f"/api/v1/jobs/{job.uuid}/cancel/"
    for client, status in (
        (program(name="another researcher"), 403),
        (program(Role.ANNOTATOR), 403),
        (Client(), 401),
    ):
        problem_of(post(client, path), status)
    job.refresh_from_db()
    assert job.state == JobState.QUEUED
