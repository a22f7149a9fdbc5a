"""Scores of a corpus in the API."""

from io import BytesIO

import pytest
from django.test import Client, RequestFactory

from annotate.api.scores import CsvParser
from annotate.models import AuditEntry, Corpus, Role, ScoreSet
from jobs.models import Job
from jobs.worker import run_queued_jobs
from tests.annotate.api.asking import ask, post, problem_of, program
from tests.annotate.samples import sentence, small_corpus
from tests.annotate.scores.scoring import edited_corpus, scores_of
from tests.memory import peak_of

pytestmark = pytest.mark.django_db


def path(corpus: Corpus, rest: str = "") -> str:
    return f"/api/v1/corpora/{corpus.uuid}/scores/{rest}"


def posted(client: Client, address: str, body: str | None = None) -> dict[str, str]:
    """The job that is answered to a request without a body, or with a table."""
    more = {} if body is None else {"data": body, "content_type": "text/csv"}
    response = post(client, address, **more)
    assert response.status_code == 202
    answer: dict[str, str] = response.json()
    return answer


def test_scores_are_computed_and_read() -> None:
    corpus, client = edited_corpus(), program()
    job = posted(client, path(corpus, "compute/?metric=gleu&metric=m2:beta=1"))
    assert (job["kind"], job["state"]) == ("score-corpus", "queued")
    assert Job.objects.get().parameters["metrics"] == ["gleu", "m2:beta=1"]
    run_queued_jobs()
    listed = ask(client, f"corpora/{corpus.uuid}/scores/")["results"]
    assert [each["name"] for each in listed] == ["gleu", "m2:beta=1"]
    assert listed[1]["parameters"]["beta"] == "1"
    assert (listed[0]["references"], listed[0]["replicates"], listed[0]["is_uploaded"]) == ("1", 1000, False)
    whole = ask(client, f"corpora/{corpus.uuid}/scores/{listed[1]['uuid']}/")
    alder = whole["systems"][0]
    assert (alder["system"], alder["value"], alder["scored"], alder["missing"]) == ("Alder", 1.0, 3, 0)
    assert alder["details"]["precision"] == 1.0
    sentences = ask(client, f"corpora/{corpus.uuid}/scores/{listed[0]['uuid']}/sentences/?limit=4")
    assert [row["sentence"] for row in sentences["results"]] == [0, 0, 0, 1]
    assert ["Alder", "Birch"] in [row["systems"] for row in sentences["results"]]
    rest = client.get(sentences["next"]).json()
    assert [row["sentence"] for row in rest["results"]] == [1, 1, 1, 2]


@pytest.mark.parametrize(
    ("query", "status"),
    [("", 400), ("?metric=nothing", 400), ("?metric=m2:beta=-1", 400), ("?metric=m2", 409)],
)
def test_impossible_scorings_are_refused(query: str, status: int) -> None:
    corpus = small_corpus(sentences=[sentence("He go .", "He goes .", "He go .", "")])
    problem_of(post(program(), path(corpus, f"compute/{query}")), status)
    assert not Job.objects.exists()


def test_scores_are_uploaded() -> None:
    corpus, client = edited_corpus(), program()
    posted(client, path(corpus, "upload/"), "metric,system,score\nLM,Alder,0.5\n")
    run_queued_jobs()
    [listed] = ask(client, f"corpora/{corpus.uuid}/scores/")["results"]
    assert (listed["name"], listed["is_uploaded"], listed["metric"]) == ("LM", True, "")


def test_an_upload_is_not_held_in_memory() -> None:
    body = BytesIO(b"metric,system,score\n" * 250_000)
    about = {"request": RequestFactory().post("/")}
    assert peak_of(lambda: CsvParser().parse(body, None, about)) < 500_000


def test_a_wrong_line_of_an_upload_is_named() -> None:
    body = "metric,system,score\nLM,Nobody,0.5\n"
    response = program().post(path(edited_corpus(), "upload/"), body, content_type="text/csv")
    assert problem_of(response, 400)["errors"]["body"][0].startswith("scores.csv:2: the corpus has no system")
    assert not Job.objects.exists()


def test_another_kind_of_body_is_refused() -> None:
    response = program().post(path(edited_corpus(), "upload/"), {"a": 1}, content_type="application/json")
    problem_of(response, 415)


def test_admins_delete_scores() -> None:
    corpus = edited_corpus()
    score_set = scores_of(corpus, "gleu")
    address = path(corpus, f"{score_set.uuid}/delete/")
    problem_of(post(program(), address), 403)
    posted(program(Role.ADMIN), address)
    run_queued_jobs()
    assert not ScoreSet.objects.exists()
    assert AuditEntry.objects.filter(kind="scores", name="gleu").exists()
