"""Systems and references are added to a corpus through the API."""

from collections.abc import Mapping
from typing import Any

import pytest
from django.test import Client

from annotate.models import Corpus, Reference, Role, System
from jobs.worker import run_queued_jobs
from tests.annotate.api.asking import ask, problem_of, program
from tests.annotate.corpora.test_additions import ELM
from tests.annotate.samples import small_corpus
from tests.annotate.uploading import sent

pytestmark = pytest.mark.django_db


def post(client: Client, corpus: Corpus, files: Mapping[str, Any], query: str = "") -> Any:
    return client.post(f"/api/v1/corpora/{corpus.uuid}/add/{query}", files)


def test_files_are_checked_then_added() -> None:
    corpus, client = small_corpus(), program(Role.ADMIN)
    files = {"systems": [sent("Elm", ELM)], "references": [sent("late.txt", ELM)]}
    response = post(client, corpus, files, "?dry_run=true")
    assert (response.status_code, response.json()["kind"]) == (202, "check-upload")
    run_queued_jobs()
    assert "gets 1 system" in ask(client, f"jobs/{response.json()['uuid']}/")["summary"]
    assert System.objects.count() == 4
    files = {"systems": [sent("Elm", ELM)], "references": [sent("late.txt", ELM)]}
    job = post(client, corpus, files).json()
    run_queued_jobs()
    assert ask(client, f"jobs/{job['uuid']}/")["state"] == "done"
    assert System.objects.filter(name="Elm", is_whole=True).exists()
    assert Reference.objects.filter(annotator="late").count() == 4


def test_a_wrong_file_fails_its_job() -> None:
    corpus, client = small_corpus(), program(Role.ADMIN)
    job = post(client, corpus, {"systems": [sent("Elm", "One .\n")]}).json()
    run_queued_jobs()
    assert "systems/Elm:2: 1 lines, but 4" in ask(client, f"jobs/{job['uuid']}/")["error"]
    assert System.objects.count() == 4


def test_wrong_requests() -> None:
    corpus, client = small_corpus(), program(Role.ADMIN)
    assert "Give a file" in str(problem_of(post(client, corpus, {}), 400))
    assert "no such file" in str(problem_of(post(client, corpus, {"source": [sent("Elm", ELM)]}), 400))
    assert post(program(), corpus, {"systems": [sent("Elm", ELM)]}).status_code == 403
