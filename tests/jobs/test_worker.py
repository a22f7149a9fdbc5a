"""The life of a job, in one process and without a broker."""

import os
import sys
from collections.abc import Iterator
from datetime import timedelta
from threading import Thread
from time import sleep
from uuid import uuid4

import pytest
from django.db import OperationalError, connection
from django.dispatch import Signal
from django.utils import timezone
from kombu.exceptions import OperationalError as BrokerError

from config import celery_app
from jobs import running, starting_anew, tasks
from jobs.models import Job, JobState
from jobs.queue import CancelRefusedError, cancel, jobs_like
from jobs.refusals import RefusedError
from jobs.running import JobFailedError, RunningJob
from jobs.shutdown import stopping
from jobs.worker import MOST_ATTEMPTS, claim_next, run, run_queued_jobs, sweep
from tests.jobs.kinds import after_working, kind, queued, user

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def reports_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Progress is stored as it is told."""
    monkeypatch.setattr(running, "REPORT_EVERY_SECONDS", 0)


@pytest.fixture
def worker_stops() -> Iterator[None]:
    """The worker was asked to end."""
    yield
    stopping.clear()


def abandoned(job: Job, *, attempts: int = 1) -> None:
    """Its worker was killed a while ago."""
    Job.objects.filter(pk=job.pk).update(
        state=JobState.RUNNING,
        claim=uuid4(),
        attempts=attempts,
        leased_until=timezone.now() - timedelta(seconds=1),
    )


class TestDone:
    """Jobs that succeed."""

    def test_the_work_is_done_with_its_parameters_and_its_result_kept(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        kind(monkeypatch, lambda job: {"twice": job.parameters["number"] * 2})
        job = after_working(queued(number=21))
        assert (job.state, job.result, job.attempts, job.claim) == ("done", {"twice": 42}, 1, None)
        assert job.started_at is not None
        assert job.finished_at is not None

    def test_the_oldest_comes_first(self, monkeypatch: pytest.MonkeyPatch) -> None:
        order: list[int] = []
        kind(monkeypatch, lambda job: order.append(job.parameters["number"]))
        for number in (3, 1, 2):
            queued(number=number)
        run_queued_jobs()
        assert order == [3, 1, 2]

    def test_short_kinds_go_before_older_jobs(self, monkeypatch: pytest.MonkeyPatch) -> None:
        order: list[int] = []
        for name, goes_first in (("long", False), ("short", True)):
            kind(
                monkeypatch,
                lambda job: order.append(job.parameters["number"]),
                name=name,
                goes_first=goes_first,
            )
        for number, name in enumerate(("long", "long", "short")):
            queued(kind=name, number=number)
        run_queued_jobs()
        assert order == [2, 0, 1]

    def test_the_row_tells_how_far_it_is(self, monkeypatch: pytest.MonkeyPatch) -> None:
        seen: list[tuple[str, int, int]] = []

        def count(job: RunningJob) -> None:
            job.begin("Counting", total=3)
            for _ in range(3):
                job.advance(1)
                row = Job.objects.get()
                seen.append((row.step, row.done, row.total))

        kind(monkeypatch, count)
        job = after_working(queued())
        assert seen == [("Counting", number, 3) for number in (1, 2, 3)]
        assert (job.done, job.total) == (3, 3)

    def test_the_time_left_is_foreseen_from_the_time_so_far(self) -> None:
        now = timezone.now()
        began = now - timedelta(seconds=30)
        job = Job(state=JobState.RUNNING, step_started_at=began, done=3, total=4)
        assert job.time_left(now) == timedelta(seconds=10)
        job.done = 0
        assert job.time_left(now) is None

    def test_the_same_work_is_waited_for_once(self, monkeypatch: pytest.MonkeyPatch) -> None:
        kind(monkeypatch, lambda job: None)
        first = queued(number=1)
        assert queued(number=1) == first != queued(number=2)
        after_working(first)
        again = queued(number=1)
        assert again != first
        assert list(jobs_like(kind="toy", parameters={"number": 1})) == [again, first]

    def test_it_is_queued_though_the_broker_is_away(
        self, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        def refuse(*arguments: object, **options: object) -> None:
            raise BrokerError("connection refused")

        monkeypatch.setattr(celery_app, "send_task", refuse)
        kind(monkeypatch, lambda job: None)
        job = queued()
        sweep()
        assert "The broker is not available (connection refused)" in caplog.text
        assert after_working(job).state == "done"


class TestFailed:
    """Jobs whose function fails."""

    @pytest.mark.parametrize("kind_of_error", [JobFailedError, RefusedError])
    def test_a_reason_is_told_as_it_is(
        self, monkeypatch: pytest.MonkeyPatch, kind_of_error: type[Exception]
    ) -> None:
        def refuse(job: RunningJob) -> None:
            raise kind_of_error("The name is taken.")

        kind(monkeypatch, refuse)
        job = after_working(queued())
        assert (job.state, job.error, job.attempts) == ("failed", "The name is taken.", 1)

    def test_a_bug_is_logged_and_its_insides_are_not_shown(
        self, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        def crash(job: RunningJob) -> None:
            raise RuntimeError("secret")

        kind(monkeypatch, crash)
        job = after_working(queued())
        assert (job.state, job.error) == (
            "failed",
            "Internal error (RuntimeError); the server's log has details.",
        )
        assert "secret" in caplog.text

    def test_a_database_that_is_away_is_tried_again(
        self, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        def lose_it_once(job: RunningJob) -> None:
            if not job.is_rerun:
                raise OperationalError("the connection is closed")

        kind(monkeypatch, lose_it_once)
        job = after_working(queued())
        assert job.state == "running"
        Job.objects.update(leased_until=timezone.now())
        sweep()
        assert after_working(job).state == "done"
        assert "lost its database" in caplog.text


class TestCancelled:
    """Jobs that were cancelled."""

    def test_a_queued_job_is_not_begun(self, monkeypatch: pytest.MonkeyPatch) -> None:
        told: list[str] = []
        kind(monkeypatch, lambda job: pytest.fail("begun"), when_finished=lambda job: told.append(job.state))
        job = queued()
        cancel(job)
        assert (after_working(job).state, told) == ("cancelled", ["cancelled"])

    def test_a_running_job_ends_at_its_next_sign_of_life(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def work(job: RunningJob) -> None:
            cancel(Job.objects.get())
            job.advance(1)
            pytest.fail("went on")

        kind(monkeypatch, work)
        assert after_working(queued()).state == "cancelled"

    def test_one_whose_worker_died_is_not_begun_again(self, monkeypatch: pytest.MonkeyPatch) -> None:
        kind(monkeypatch, lambda job: pytest.fail("begun"))
        job = queued()
        abandoned(job)
        cancel(job)
        sweep()
        assert after_working(job).state == "cancelled"

    def test_ended_jobs_cannot_be_cancelled(self, monkeypatch: pytest.MonkeyPatch) -> None:
        kind(monkeypatch, lambda job: None)
        job = after_working(queued())
        with pytest.raises(CancelRefusedError, match="“A toy” has already ended"):
            cancel(job)
        assert after_working(job).state == "done"


class TestAbandoned:
    """Jobs that a dead worker left running."""

    def test_it_is_begun_again(self, monkeypatch: pytest.MonkeyPatch) -> None:
        kind(monkeypatch, lambda job: {"rerun": job.is_rerun})
        job = queued()
        abandoned(job)
        sweep()
        assert after_working(job).result == {"rerun": True}

    def test_it_is_left_alone_while_the_lease_lasts(self, monkeypatch: pytest.MonkeyPatch) -> None:
        kind(monkeypatch, lambda job: None)
        job = queued()
        claim_next()
        sweep()
        assert after_working(job).state == "running"

    def test_it_is_given_up_when_it_kills_every_worker(self, monkeypatch: pytest.MonkeyPatch) -> None:
        told: list[str] = []
        kind(monkeypatch, lambda job: pytest.fail("begun"), when_finished=lambda job: told.append(job.state))
        job = queued()
        abandoned(job, attempts=MOST_ATTEMPTS)
        sweep()
        assert (
            after_working(job).error
            == "It was started 3 times; each time its worker died or lost the database."
        )
        assert told == ["failed"]

    def test_a_late_worker_changes_nothing(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def work(job: RunningJob) -> dict[str, str]:
            if not job.is_rerun:
                Job.objects.update(leased_until=timezone.now())
                sweep()
                run_queued_jobs()
                return {"by": "the first"}
            return {"by": "the second"}

        kind(monkeypatch, work)
        job = after_working(queued())
        assert (job.state, job.result, job.attempts) == ("done", {"by": "the second"}, 2)

    def test_a_late_worker_notices_that_its_job_was_taken_over(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def work(job: RunningJob) -> None:
            if not job.is_rerun:
                Job.objects.update(leased_until=timezone.now())
                sweep()
                claim_next()
                job.advance(1)
                pytest.fail("went on")

        kind(monkeypatch, work)
        job = after_working(queued())
        assert (job.state, job.done, job.attempts) == ("running", 0, 2)

    def test_a_worker_that_stops_puts_its_job_back_without_counting_the_attempt(
        self, monkeypatch: pytest.MonkeyPatch, worker_stops: None
    ) -> None:
        def work(job: RunningJob) -> None:
            stopping.set()
            job.begin("Something long")
            pytest.fail("went on")

        kind(monkeypatch, work)
        job = after_working(queued())
        assert (job.state, job.attempts, job.claim) == ("queued", 0, None)

    def test_the_sweeping_goes_on_when_a_sweep_fails(
        self, monkeypatch: pytest.MonkeyPatch, worker_stops: None, caplog: pytest.LogCaptureFixture
    ) -> None:
        sweeps: list[None] = []

        def fail_twice() -> None:
            sweeps.append(None)
            if len(sweeps) == 3:
                stopping.set()
            else:
                raise OperationalError("the database is away")

        # The test's transaction holds the lock.
        monkeypatch.setattr(tasks, "give_sign", lambda: None)
        for signal in ("every_minute", "daily"):
            monkeypatch.setattr(tasks, signal, Signal())
        monkeypatch.setattr(tasks, "sweep", fail_twice)
        monkeypatch.setattr(tasks, "SWEEP_EVERY_SECONDS", 0)
        sweeper = Thread(target=tasks.sweep_every_minute)
        sweeper.start()
        sweeper.join(timeout=5)
        assert caplog.text.count("A sweep failed") == 2
        assert not sweeper.is_alive()

    def test_a_claim_that_somebody_else_was_faster_with_is_no_claim(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        kind(monkeypatch, lambda job: None)
        queued()
        assert claim_next() is not None
        assert claim_next() is None


@pytest.mark.django_db(transaction=True)
def test_work_without_a_word_keeps_its_lease(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "LISTEN_SECONDS", 0.02)
    monkeypatch.setattr(running, "BEAT_SECONDS", 0.05)
    leases: list[object] = []

    def brood(job: RunningJob) -> None:
        leases.append(Job.objects.get().leased_until)
        for _ in range(500):
            sleep(0.01)
            if (lease := Job.objects.get().leased_until) != leases[0]:
                leases.append(lease)
                return

    kind(monkeypatch, brood)
    user()
    queued()
    job = claim_next()
    assert job is not None
    run(job)
    assert len(leases) == 2


@pytest.mark.django_db(transaction=True)
def test_work_without_a_word_is_cancelled_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """The job ends while the work goes on, which cannot change its state any more."""
    monkeypatch.setattr(running, "LISTEN_SECONDS", 0.02)
    told: list[str] = []

    def brood(running_job: RunningJob) -> None:
        cancel(Job.objects.get())
        for _ in range(500):
            sleep(0.01)
            if told:
                assert Job.objects.get().state == "cancelled"
                running_job.advance(1)
                pytest.fail("went on")

    kind(monkeypatch, brood, when_finished=lambda job: told.append(job.state))
    user()
    queued()
    job = claim_next()
    assert job is not None
    run(job)
    ended = Job.objects.get()
    assert (ended.state, ended.claim, ended.done, told) == ("cancelled", None, 0, ["cancelled"])


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("only_computes", "stops", "ends"), [(True, False, True), (False, False, False), (True, True, False)]
)
def test_a_worker_starts_anew_to_be_free_of_work_that_is_cancelled_and_only_computes(
    only_computes: bool, stops: bool, ends: bool, monkeypatch: pytest.MonkeyPatch, worker_stops: None
) -> None:
    """It ends with the work, if that writes nothing and the worker is not asked to stop."""
    monkeypatch.setattr(running, "LISTEN_SECONDS", 0.02)
    monkeypatch.setattr(sys, "argv", ["/bin/celery", "-A", "config", "worker"])
    monkeypatch.setattr(starting_anew, "_command", [])
    starting_anew.is_worker()
    replaced: list[tuple[list[str], str]] = []

    def replace(path: str, command: list[str]) -> None:
        assert path == sys.executable
        replaced.append((command[1:], Job.objects.get().state))
        connection.close()

    monkeypatch.setattr(os, "execv", replace)
    told: list[str] = []

    def brood(job: RunningJob) -> None:
        if stops:
            stopping.set()
        cancel(Job.objects.get())
        for _ in range(50):
            sleep(0.01)
            if (told and not ends) or replaced:
                return

    kind(monkeypatch, brood, when_finished=lambda job: told.append(job.state), only_computes=only_computes)
    user()
    queued()
    job = claim_next()
    assert job is not None
    run(job)
    assert told == ["cancelled"]
    anew = (["-m", "celery", "-A", "config", "worker"], "cancelled")
    assert replaced == ([anew] if ends else [])
