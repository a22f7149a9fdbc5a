"""Workers are killed, brokers lose their messages or go away: each job ends once, as if nothing had been.

Each test starts workers, which takes seconds; so each run has one of each kind of fault, a deep one all.
"""

import json
import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from dataclasses import astuple
from pathlib import Path
from time import monotonic
from uuid import uuid4

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile

from analysis.analyses.systems.ranking import RANKING, RankingParameters
from analysis.models import Run
from analysis.runs.computing import computed
from analysis.runs.queries import compute_anew
from analysis.runs.requests import request_of
from analysis.runs.results import to_json
from analysis.runs.sources.judgments import JUDGMENTS, judgments_of
from annotate.campaigns.lifecycle import ROWS_PER_PIECE
from annotate.corpora.importing import SENTENCES_PER_PIECE
from annotate.judgments.queries import snapshot
from annotate.models import (
    Campaign,
    CampaignState,
    Corpus,
    Item,
    Output,
    OutputScore,
    Production,
    ScoreSet,
    Sentence,
    Slot,
)
from annotate.models.job_kinds import DELETE_CORPUS, LAUNCH_CAMPAIGN
from annotate.scores.queueing import queue_scoring, queue_storing
from annotate.scores.scoring import OUTPUTS_PER_PIECE
from annotate.scores.uploading import SCORES_PER_PIECE
from annotate.web.uploads import folder_of
from core.progress import NoProgress
from jobs.models import Job
from jobs.priority import NICENESS
from jobs.queue import cancel, queue
from jobs.worker import sweep
from tests.annotate.designs import draft_campaign
from tests.annotate.samples import campaign_without_texts, ranking, sentence, small_corpus
from tests.annotate.scores.scoring import scores_of, values_of
from tests.conftest import unavailable
from tests.jobs.imports import SYSTEMS, queued_import
from tests.jobs.kinds import after_working, user
from tests.jobs.workers import (
    held_worker,
    run_out,
    wait_for_the_end,
    wait_until,
    worker,
)

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

SENTENCES = 2 * SENTENCES_PER_PIECE + 1
ITEMS = ROWS_PER_PIECE + 2


def assert_it_imports_once(job: Job, *, attempts: int) -> None:
    """In the end the corpus is there, whole, and nothing besides."""
    wait_for_the_end(job)
    wait_until(lambda: not folder_of(job.parameters["upload"]).exists(), "the end of the uploaded files")
    assert job.attempts == attempts
    assert job.state == "done", job.error
    corpus = Corpus.objects.get()
    assert (corpus.state, corpus.uuid) == ("ready", job.uuid)
    assert job.result is not None
    assert job.result["url"] == corpus.get_absolute_url()
    assert corpus.sentences.count() == SENTENCES
    assert Output.objects.count() == Production.objects.count() == SENTENCES * SYSTEMS


class TestKilledWorker:
    """`kill -9` in the middle."""

    def test_of_an_import(self, tmp_path: Path) -> None:
        job = queued_import(SENTENCES)
        with held_worker(tmp_path, step="Storing") as victim:
            assert os.getpriority(os.PRIO_PROCESS, victim.pid) >= NICENESS
            victim.kill()
        assert Corpus.objects.get().state == "importing"
        assert 0 < Sentence.objects.count() < SENTENCES
        run_out(job)
        with worker():
            assert_it_imports_once(job, attempts=2)

    @pytest.mark.deep
    def test_of_a_snapshot(self, tmp_path: Path) -> None:
        rankings = [ranking(f"judge-{n % 7}", n // 7, "Alder > Birch = Cedar > INPUT") for n in range(70)]
        campaign = campaign_without_texts(rankings=rankings)
        request = request_of(RANKING, campaign, RankingParameters())
        job = compute_anew(request, asked_by=user())
        with held_worker(tmp_path, step="Reading the judgments", on_entry=True) as victim:
            victim.kill()
        run_out(job)
        sweep()
        after_working(job)
        assert (job.state, job.attempts) == ("done", 2)
        run = Run.objects.get()
        inputs = judgments_of(request, snapshot(campaign))
        expected = computed(RANKING, inputs, request.parameters, NoProgress())
        assert run.result == json.loads(json.dumps(to_json(expected)))
        assert (run.inputs, run.size) == astuple(JUDGMENTS.version(campaign))
        assert (run.has_result, run.digest) == (True, inputs.digest)
        assert job.result == {"url": f"{campaign.get_absolute_url()}ranking/?method=ew&replicates=1000"}

    @pytest.mark.deep
    def test_of_a_launch(self, tmp_path: Path) -> None:
        campaign = draft_campaign(small_corpus(), items=ITEMS, with_replacement=True)
        job = queue(
            kind=LAUNCH_CAMPAIGN,
            title="Launch",
            parameters={"campaign": str(campaign.uuid)},
            owner=user(),
        )
        with held_worker(tmp_path, step="Storing items and slots") as victim:
            victim.kill()
        assert 0 < Item.objects.count() < ITEMS
        assert Campaign.objects.get().state == CampaignState.LAUNCHING
        run_out(job)
        sweep()
        after_working(job)
        assert (job.state, job.attempts) == ("done", 2)
        assert Campaign.objects.get().state == CampaignState.RUNNING
        assert Item.objects.count() == ITEMS
        assert Slot.objects.filter(repeats=None).count() == ITEMS + ITEMS // 2

    @pytest.mark.deep
    def test_of_an_upload_of_scores_that_is_given_up(self, tmp_path: Path) -> None:
        number = SCORES_PER_PIECE + 1
        corpus = small_corpus(
            sentences=[sentence(f"He go {n} .", f"He goes {n} .", "", "") for n in range(number)]
        )
        text = "metric,system,sentence,score\n" + "".join(f"LM,Alder,{n},{n}\n" for n in range(number))
        owner = user()
        job = queue_storing(corpus, SimpleUploadedFile("lm.csv", text.encode()), by=owner)
        with held_worker(tmp_path, step="Storing") as victim:
            victim.kill()
        assert ScoreSet.objects.get().state == "storing"
        assert OutputScore.objects.count() == SCORES_PER_PIECE
        cancel(job)
        run_out(job)
        sweep()
        after_working(job)
        assert job.state == "cancelled"
        again = queue_storing(corpus, SimpleUploadedFile("lm.csv", text.encode()), by=owner)
        after_working(again)
        assert again.state == "done", again.error
        assert ScoreSet.objects.get().state == "ready"
        assert OutputScore.objects.count() == number

    @pytest.mark.deep
    def test_that_only_slept_and_wakes_up_late(self, tmp_path: Path) -> None:
        job = queued_import(SENTENCES)
        with held_worker(tmp_path, step="Storing") as sleeper:
            sleeper.freeze()
            run_out(job)
            sweep()
            after_working(job)
            assert_it_imports_once(job, attempts=2)
            sleeper.wake_up()
            sleeper.end()
            assert_it_imports_once(job, attempts=2)


def test_a_worker_that_is_stopped_puts_its_job_back_and_leaves_nothing(tmp_path: Path) -> None:
    job = queued_import(SENTENCES)
    with held_worker(tmp_path, step="Storing") as stopped:
        stopped.end()
    job.refresh_from_db()
    assert (job.state, job.attempts) == ("queued", 0)
    assert not Corpus.objects.exists()
    after_working(job)
    assert_it_imports_once(job, attempts=1)


def test_a_worker_is_free_for_the_next_job_within_seconds_of_a_cancellation(tmp_path: Path) -> None:
    """The cancelled analysis never looks up: the worker stands still in it, and would do so for ever."""
    rankings = [ranking(f"judge-{n % 7}", n // 7, "Alder > Birch = Cedar > INPUT") for n in range(70)]
    campaign = campaign_without_texts(rankings=rankings)
    asked_by = user()
    job = compute_anew(request_of(RANKING, campaign, RankingParameters()), asked_by=asked_by)
    with held_worker(tmp_path, step="Reading the judgments", on_entry=True) as held:
        following = queue(
            kind=DELETE_CORPUS, title="Next", parameters={"corpus": str(uuid4())}, owner=asked_by
        )
        cancel(job)
        cancelled_at = monotonic()
        wait_for_the_end(job)
        assert monotonic() - cancelled_at < 2
        wait_for_the_end(following)
        assert held.is_alive
        assert held.file.exists()
    assert (job.state, following.state) == ("cancelled", "done")


@pytest.fixture
def folder_broker() -> None:
    if not settings.CELERY_BROKER_URL.startswith("filesystem:"):
        pytest.skip("this broker has no folder")


@pytest.mark.usefixtures("folder_broker")
def test_the_broker_folder_may_be_deleted(tmp_path: Path) -> None:
    folder = Path(settings.BROKER_DIR)
    job = queued_import(SENTENCES)
    with held_worker(tmp_path, step="Storing") as running:
        shutil.rmtree(folder)
        running.go_on()
        assert_it_imports_once(job, attempts=1)
        wait_until(folder.exists, "a new folder")
        assert running.is_alive


@pytest.mark.deep
@pytest.mark.usefixtures("folder_broker")
def test_a_lost_message_is_made_up_for_when_a_worker_starts() -> None:
    job = queued_import(SENTENCES)
    shutil.rmtree(settings.BROKER_DIR)
    with worker():
        assert_it_imports_once(job, attempts=1)


class Redis:
    """A Redis of our own, which keeps nothing when it goes."""

    def __init__(self, program: str) -> None:
        self.program = program
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.url = f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        self.process = subprocess.Popen(
            [self.program, "--port", str(self.port), "--save", "", "--appendonly", "no"],
            stdout=subprocess.DEVNULL,
        )
        wait_until(self._answers, "Redis")

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def _answers(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0


@pytest.fixture
def redis() -> Iterator[Redis]:
    program = shutil.which("redis-server")
    if program is None:
        unavailable("no redis-server on the PATH")
    server = Redis(str(program))
    server.start()
    yield server
    server.kill()


@pytest.mark.deep
def test_redis_may_be_restarted(redis: Redis, tmp_path: Path) -> None:
    job = queued_import(SENTENCES)
    with held_worker(tmp_path, step="Storing", CELERY_BROKER_URL=redis.url) as running:
        redis.kill()
        redis.start()
        running.go_on()
        assert_it_imports_once(job, attempts=1)
        assert running.is_alive


def test_a_killed_scoring_goes_on_where_it_stopped(tmp_path: Path) -> None:
    sentences = [
        sentence(f"He go {n} .", f"He goes {n} .", f"He went {n} .", f"He gone {n} .") for n in range(200)
    ]
    corpus, same = (small_corpus(name, sentences=sentences) for name in ("killed", "whole"))
    job = queue_scoring(corpus, ["ld-source"], by=user())
    with held_worker(tmp_path, step="Scoring by LD source", HOLD_AFTER=str(OUTPUTS_PER_PIECE + 2)) as victim:
        victim.kill()
    assert OutputScore.objects.count() == OUTPUTS_PER_PIECE
    run_out(job)
    sweep()
    after_working(job)
    assert (job.state, job.attempts) == ("done", 2)
    assert job.result is not None
    assert "550 scores of outputs computed, 250 already stored" in job.result["summary"]
    values = [values_of(scores_of(each, "ld-source")) for each in (corpus, same)]
    assert values[0] == values[1]
