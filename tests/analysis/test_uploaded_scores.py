"""Uploaded scores, of systems alone and of sentences, in the analyses that hold metrics against people."""

import json
from collections.abc import Iterator
from html import unescape
from http import HTTPStatus
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client

from analysis.analyses.base import Analysis, analyses
from analysis.analyses.scored_judgments import ScoredJudgments
from analysis.runs.queries import in_this_process
from analysis.runs.requests import request_of
from annotate.models import Campaign
from annotate.scores.queueing import queue_storing
from core.progress import NoProgress
from jobs.worker import run_queued_jobs
from tests.analysis.scored_campaigns import edited_campaign
from tests.annotate.api.asking import ask, program
from tests.annotate.scores.scoring import scored
from tests.jobs.kinds import user

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

SYSTEMS = {"Alder": 0.9, "Birch": 0.5, "Cedar": 0.7, "INPUT": 0.1}

SENTENCES = (
    {"Alder": 0.9, "Birch": 0.9, "Cedar": 0.7, "INPUT": 0.1},
    {"Alder": 0.8, "Birch": 0.2, "Cedar": 0.0, "INPUT": 0.3},
    {"Alder": 0.6, "Birch": 0.5, "Cedar": 0.6, "INPUT": 0.6},
)
"""Systems that share an output share its score."""

QUICK = "replicates=20&permutations=100"


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


SMALLER = {"learned-mterater": {"folds": 3}}
"""Parameters for three sentences."""


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


def test_a_program_reads_them(campaign: Campaign) -> None:
    client = program()
    path = f"campaigns/{campaign.uuid}/analyses/metrics-people/"
    assert client.get(f"/api/v1/{path}?{QUICK}").status_code == HTTPStatus.ACCEPTED
    run_queued_jobs()
    check(ask(client, f"{path}?{QUICK}")["result"]["metrics"])


def test_the_page_shows_them(campaign: Campaign, researcher: Client) -> None:
    path = f"/campaigns/{campaign.uuid}/metrics/"
    researcher.get(f"{path}?{QUICK}")
    run_queued_jobs()
    shown = unescape(researcher.get(f"{path}?{QUICK}").content.decode())
    for name in ("judge-model (uploaded)", "BERTScore (uploaded)"):
        assert f'<th scope="row">{name}' in shown
    assert "nan" not in shown.partition("<main")[2].lower().replace("finance", "")


@pytest.mark.parametrize(
    "analysis",
    [each for each in analyses().values() if each.inputs is ScoredJudgments],
    ids=lambda analysis: analysis.name,
)
def test_every_analysis_of_metrics_works_with_them(campaign: Campaign, analysis: Analysis[Any, Any]) -> None:
    scored(campaign.corpus, "gleu")
    parameters = analysis.parameters(**SMALLER.get(analysis.name, {}))
    assert in_this_process(request_of(analysis, campaign, parameters), NoProgress()).signature
