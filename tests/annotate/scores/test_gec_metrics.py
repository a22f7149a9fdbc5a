"""A corpus scored by metrics of gec-metrics, which another interpreter runs."""

from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from annotate.models import OutputScore, ScorePiece, ScoreSet
from annotate.scores.metric_setup import gec_metrics_setup
from annotate.scores.queries import scored_of
from jobs.models import Job, JobState
from jobs.running import JobCancelledError
from jobs.worker import run_queued_jobs
from metrics.gec_metrics.metric import set_up
from tests.annotate.scores.scoring import edited_corpus, scored, scores_of, values_of
from tests.metrics.gec_stand_in import Use, listed_setup, stand_in, use

__all__ = ["use"]

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def operator(tmp_path: Path, settings: Any, use: Use) -> Any:
    """The settings of a site with gec-metrics, whose metrics are not listed yet."""
    settings.VAR_DIR = tmp_path
    settings.GEC_METRICS_PYTHON = str(stand_in(tmp_path / "other"))
    return settings


def test_an_operator_lists_the_metrics_that_are_offered(
    operator: Any, tmp_path: Path, use: Use, capsys: Capture
) -> None:
    options = tmp_path / "options.json"
    options.write_text('{"shorter": {"weight": 2}}')
    call_command("gec_metrics", "shorter", "shared", "--options", str(options))
    told = capsys.readouterr().out
    assert "gec-shorter (Shorter; no references)\ngec-shared (Shared; references)\n2 metrics of" in told
    setup = gec_metrics_setup()
    assert setup is not None
    use(setup)
    call_command("metrics")
    listed = capsys.readouterr()
    assert "gec-shorter (Shorter (gec-metrics))" in listed.out
    assert "From: gec-metrics-0.1.0" in listed.out
    assert not listed.err


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        (("nothing",), r"gec-metrics 0\.1\.0 has no metric nothing; metrics are: shorter, shared"),
        (("--options", "nowhere.json"), "nowhere.json"),
        (("--options", "list.json"), "write {"),
    ],
)
def test_an_interpreter_that_cannot_be_listed_is_refused(
    operator: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...], fault: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "list.json").write_text('["shorter"]')
    with pytest.raises(CommandError, match=fault):
        call_command("gec_metrics", *options)
    assert not (tmp_path / "gec-metrics.json").exists()


def test_without_the_setting_there_is_nothing_to_list() -> None:
    assert gec_metrics_setup() is None
    with pytest.raises(CommandError, match="Set GEC_METRICS_PYTHON"):
        call_command("gec_metrics")


def test_the_page_scores_a_corpus(researcher: Client, tmp_path: Path, use: Use) -> None:
    use(listed_setup(tmp_path))
    corpus = edited_corpus()
    path = f"/corpora/{corpus.uuid}/scores/"
    assert "Shorter (gec-metrics)" in researcher.get(path).content.decode()
    researcher.post(f"{path}compute/", {"metric": ["gec-shorter", "gec-shared"]})
    run_queued_jobs()
    job = Job.objects.get()
    assert (job.state, job.error) == (JobState.DONE, "")
    shorter, shared = ScoreSet.objects.order_by("name").reverse()
    expected = {"Alder": 1.0, "Birch": 1.0, "Cedar": 2 / 3, "INPUT": 1.0}
    assert values_of(shorter) == pytest.approx(expected)
    assert shorter.signature.startswith("gec-shorter|tok:given|package:gec-metrics-0.1.0|assay:")
    assert (shorter.references, shared.references) == ("", "1")
    assert scored_of(shorter).metric.additive
    set_up(None)
    assert scored(corpus, "gec-shorter").computed == 0


@pytest.mark.parametrize(
    ("metric", "fault"),
    [
        ("gec-dies", "ended with status 3: out of memory"),
        ("gec-miscounts", "Miscounts of gec-metrics gave 10 scores for 9 outputs."),
        ("gec-raises", "gec-metrics reports an error: ValueError: unknown token"),
    ],
)
def test_a_job_that_fails_says_why_and_stores_nothing(
    researcher: Client, tmp_path: Path, use: Use, metric: str, fault: str
) -> None:
    use(listed_setup(tmp_path))
    corpus = edited_corpus()
    researcher.post(f"/corpora/{corpus.uuid}/scores/compute/", {"metric": metric})
    run_queued_jobs()
    job = Job.objects.get()
    assert job.state == JobState.FAILED
    assert fault in job.error
    assert not ScoreSet.objects.exists()
    assert not ScorePiece.objects.exists()
    assert not OutputScore.objects.exists()


def test_scores_that_are_there_survive_a_later_failure(tmp_path: Path, use: Use) -> None:
    setup = listed_setup(tmp_path)
    use(setup)
    corpus = edited_corpus()
    before = values_of(scores_of(corpus, "gec-shorter"))
    (tmp_path / "python").write_text("#!/bin/sh\nexit 1\n")
    assert values_of(scores_of(corpus, "gec-shorter")) == before


def test_a_cancelled_job_ends_the_interpreter(
    researcher: Client, tmp_path: Path, use: Use, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jobs.running.REPORT_EVERY_SECONDS", 0)
    use(listed_setup(tmp_path))
    corpus = edited_corpus()
    researcher.post(f"/corpora/{corpus.uuid}/scores/compute/", {"metric": "gec-slow"})
    pid = tmp_path / "packages" / "gec_metrics" / "pid"

    def cancel_when_it_computes(held: Any, **news: Any) -> bool:
        if pid.exists():
            raise JobCancelledError
        return True

    monkeypatch.setattr("jobs.running.RunningJob._renew", cancel_when_it_computes)
    run_queued_jobs()
    assert Job.objects.get().state == JobState.CANCELLED
    assert not Path(f"/proc/{pid.read_text()}").exists()
