"""Uploaded scores, of systems alone and of sentences, in the analyses that hold metrics against people."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command

from annotate.models import Campaign
from annotate.scores.queueing import queue_storing
from jobs.worker import run_queued_jobs
from tests.analysis.scored_campaigns import edited_campaign
from tests.jobs.kinds import user

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

SYSTEMS = {"Alder": 0.9, "Birch": 0.5, "Cedar": 0.7, "INPUT": 0.1}

SENTENCES = (
    {"Alder": 0.9, "Birch": 0.9, "Cedar": 0.7, "INPUT": 0.1},
    {"Alder": 0.8, "Birch": 0.2, "Cedar": 0.0, "INPUT": 0.3},
    {"Alder": 0.6, "Birch": 0.5, "Cedar": 0.6, "INPUT": 0.6},
)
"""Systems that share an output share its score."""


def rows() -> Iterator[str]:
    yield "metric,system,sentence,score"
    for system, score in SYSTEMS.items():
        yield f"judge-model,{system},,{score}"
    for number, scores in enumerate(SENTENCES):
        for system, score in scores.items():
            yield f"BERTScore,{system},{number},{score}"


@pytest.fixture
def campaign() -> Campaign:
    """Judged, with uploaded scores: `judge-model` of systems, `BERTScore` of sentences."""
    campaign = edited_campaign()
    file = SimpleUploadedFile("mine.csv", "\n".join(rows()).encode())
    queue_storing(campaign.corpus, file, by=user("uploader"))
    run_queued_jobs()
    return campaign


def check(metrics: dict[str, Any]) -> None:
    """Both stand among the results as what they are."""
    of_systems, of_sentences = metrics["judge-model (uploaded)"], metrics["BERTScore (uploaded)"]
    assert of_systems["scores"] == pytest.approx(SYSTEMS)
    assert not of_systems["resampled"]
    assert of_systems["sentences"]["reason"] == "only scores of systems are known"
    means = {system: sum(each[system] for each in SENTENCES) / len(SENTENCES) for system in SYSTEMS}
    assert of_sentences["scores"] == pytest.approx(means)
    assert of_sentences["sentences"]["tau"]["value"] is not None
    assert of_systems["signature"] == of_sentences["signature"] == ""


def test_the_command_reads_them(campaign: Campaign, capsys: pytest.CaptureFixture[str]) -> None:
    call_command(
        *("analyse", "metrics-people", campaign.name, "--json"),
        *("--replicates", "20", "--permutations", "100"),
    )
    check(json.loads(capsys.readouterr().out)["metrics"])
