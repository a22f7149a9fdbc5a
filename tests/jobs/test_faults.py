"""Workers are killed, brokers lose their messages or go away: each job ends once, as if nothing had been."""

import shutil
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path
from time import sleep

import pytest
from django.conf import settings

from analysis.as_json import to_json
from analysis.queries import queue_ranking
from analysis.rankings import Choice, rank
from analysis.tasks import judging_of
from annotate.models import Campaign, CampaignState, Corpus, Item, Output, Production, Sentence, Slot
from annotate.queries import answers_version, snapshot
from annotate.tasks import LAUNCH_CAMPAIGN
from annotate.uploads import folder_of
from jobs.models import Job
from jobs.queue import queue
from tests.annotate.designs import draft_campaign
from tests.annotate.samples import campaign_without_texts, ranking, small_corpus
from tests.conftest import unavailable
from tests.jobs.imports import SYSTEMS, queued_import
from tests.jobs.kinds import user
from tests.jobs.workers import (
    PATIENCE_SECONDS,
    kill_in_the_middle,
    run_out,
    wait_for_the_end,
    wait_until,
    while_it_waits,
    worker,
)

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

SENTENCES = 2000
"""They take even a fast machine a second, so that it can be caught in the middle."""


def assert_it_imports_once(job: Job, *, attempts: int) -> None:
    """A worker is there, and in the end the corpus is, whole, and nothing besides."""
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

    def test_of_an_import(self) -> None:
        job = queued_import(SENTENCES)
        with worker() as victim:
            kill_in_the_middle(victim, job, step="Storing", when=Sentence.objects.exists)
        assert Corpus.objects.get().state == "importing"
        run_out(job)
        with worker():
            assert_it_imports_once(job, attempts=2)

    def test_of_a_snapshot(self) -> None:
        rankings = [ranking(f"judge-{n % 7}", n // 7, "Alder > Birch = Cedar > INPUT") for n in range(2800)]
        campaign = campaign_without_texts(rankings=rankings)
        job = queue_ranking(campaign, Choice(), asked_by=user())
        with worker() as victim:
            kill_in_the_middle(victim, job, step="Reading the judgments")
        run_out(job)
        with worker():
            wait_for_the_end(job)
        assert (job.state, job.attempts) == ("done", 2)
        assert job.result == {
            "version": list(answers_version(campaign)),
            "ranking": to_json(rank(snapshot(campaign), Choice())),
            "judging": to_json(judging_of(campaign, snapshot(campaign), Choice())),
            "url": f"{campaign.get_absolute_url()}ranking/?method=ew&unit=pair&confidence=0.95",
        }

    def test_of_a_launch(self) -> None:
        campaign = draft_campaign(small_corpus(), items=3000, with_replacement=True)
        job = queue(
            kind=LAUNCH_CAMPAIGN,
            title="Launch",
            parameters={"campaign": str(campaign.uuid)},
            owner=user(),
        )
        with worker() as victim:
            kill_in_the_middle(victim, job, step="Storing items and slots", when=Item.objects.exists)
        assert Campaign.objects.get().state == CampaignState.LAUNCHING
        run_out(job)
        with worker():
            wait_for_the_end(job)
        assert (job.state, job.attempts) == ("done", 2)
        assert Campaign.objects.get().state == CampaignState.RUNNING
        assert Item.objects.count() == 3000
        assert Slot.objects.filter(repeats=None).count() == 3000 + 1500

    def test_that_only_slept_and_wakes_up_late(self) -> None:
        job = queued_import(SENTENCES)
        with worker() as sleeper:
            while_it_waits(sleeper.freeze, job, step="Storing")
            run_out(job)
            with worker():
                assert_it_imports_once(job, attempts=2)
            sleeper.wake_up()
            sleep(2)
            assert_it_imports_once(job, attempts=2)


def test_a_worker_that_is_stopped_puts_its_job_back_and_leaves_nothing() -> None:
    job = queued_import(SENTENCES)
    with worker() as stopped:
        while_it_waits(stopped.ask_to_end, job, step="Storing")
        stopped.process.wait(timeout=PATIENCE_SECONDS)
    job.refresh_from_db()
    assert (job.state, job.attempts) == ("queued", 0)
    assert not Corpus.objects.exists()
    with worker():
        assert_it_imports_once(job, attempts=1)


@pytest.fixture
def folder_broker() -> None:
    if not settings.CELERY_BROKER_URL.startswith("filesystem:"):
        pytest.skip("this broker has no folder")


@pytest.mark.usefixtures("folder_broker")
def test_the_broker_folder_may_be_deleted() -> None:
    folder = Path(settings.BROKER_DIR)
    job = queued_import(SENTENCES)
    with worker() as running:
        wait_until(lambda: Job.objects.get(pk=job.pk).step == "Storing", "the storing")
        shutil.rmtree(folder, ignore_errors=True)
        assert_it_imports_once(job, attempts=1)
        wait_until(folder.exists, "a new folder")
        assert running.is_alive


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


def test_redis_may_be_restarted(redis: Redis) -> None:
    job = queued_import(SENTENCES)
    with worker(CELERY_BROKER_URL=redis.url) as running:
        wait_until(lambda: Job.objects.get(pk=job.pk).step == "Storing", "the storing")
        redis.kill()
        redis.start()
        assert_it_imports_once(job, attempts=1)
        assert running.is_alive
