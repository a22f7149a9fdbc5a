"""Releases whose worker dies: the next one does what is left, and the zip is the same."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch
from uuid import uuid4

import pytest

from analysis.models import DataRelease
from analysis.publishing import storing
from analysis.releases import judgment_rows, releasing, tables, text_rows
from analysis.releases.checks import Confirmation
from analysis.releases.options import Layout, Options
from analysis.releases.steps import Steps
from analysis.releases.stored import resuming, working
from analysis.releases.stored.requests import confirm, delete
from annotate.models import Annotator, AuditEntry, Campaign, System
from jobs import queue
from jobs.models import Job, JobState
from jobs.running import RunningJob, WorkerStopsError
from jobs.worker import claim_next, run_queued_jobs, sweep
from tests.analysis.releases.released import campaign_to_release
from tests.analysis.releases.stored import checked_release, releaser, stored_release
from tests.annotate.machine_judges import with_machine
from tests.jobs.workers import held_worker, run_out

STEPS = (
    *("checks", "comparison", "judgments by people", "judgments by machines", "texts", "scores", "layouts"),
    *("descriptions", "zip"),
)
WITH_LAYOUTS = Options(layouts=tuple(Layout))


def campaign_of_all() -> Campaign:
    campaign = campaign_to_release()
    with_machine(campaign)
    return campaign


def zip_of(release: DataRelease) -> bytes:
    release.refresh_from_db()
    assert release.is_written, release.job and release.job.error
    return b"".join(storing.zip_of(release))


def uninterrupted(campaign: Campaign) -> bytes:
    """The zip of a release that is deleted again."""
    release = stored_release(campaign, options=WITH_LAYOUTS)
    content = zip_of(release)
    delete(release, by=releaser())
    AuditEntry.objects.all().delete()
    return content


def to_write(campaign: Campaign) -> DataRelease:
    release = checked_release(campaign, options=WITH_LAYOUTS)
    confirm(release, [*Confirmation], by=releaser())
    release.refresh_from_db()
    return release


def write_until(*steps: str, then: Callable[[], object] = lambda: None) -> Counter[str]:
    """Run the queued jobs, with a worker that is stopped after each of these; how often each was done."""
    done = Steps.done
    worked: Counter[str] = Counter()
    stops = list(steps)

    def stopped(self: Steps, name: str, kind: Any, work: Callable[[], object]) -> object:
        def counted() -> object:
            worked[name] += 1
            return work()

        result = done(self, name, kind, counted)
        if name in stops:
            stops.remove(name)
            then()
            raise WorkerStopsError
        return result

    with patch.object(Steps, "done", stopped):
        run_queued_jobs()
    assert stops == []
    return worked


@pytest.mark.django_db
@pytest.mark.any_database
def test_finished_steps_are_not_done_again() -> None:
    campaign = campaign_of_all()
    whole = uninterrupted(campaign)
    release = to_write(campaign)
    assert write_until(*STEPS) == dict.fromkeys(STEPS, 1)
    assert zip_of(release) == whole
    assert AuditEntry.objects.filter(action="export").count() == 1
    assert not any(resuming.FOLDER.iterdir())


@pytest.mark.django_db
@pytest.mark.slow
def test_a_worker_may_die_at_any_report(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judgment_rows, "JUDGMENTS_PER_CHUNK", 2)
    monkeypatch.setattr(tables, "ROWS_PER_GROUP", 3)
    monkeypatch.setattr(text_rows, "SENTENCES_AT_ONCE", 1)
    monkeypatch.setattr(storing, "PIECE", 10_000)
    campaign = campaign_of_all()
    whole = uninterrupted(campaign)
    release = to_write(campaign)
    begin, advance = RunningJob.begin, RunningJob.advance
    reports: list[str] = []
    died: set[tuple[str, int]] = set()
    half_written: set[str] = set()

    def die_once() -> None:
        here = (reports[-1], len(reports))
        if here not in died:
            died.add(here)
            half_written.update(path.name for path in resuming.FOLDER.rglob("*.jsonl"))
            reports.clear()
            raise WorkerStopsError

    def begin_or_die(self: RunningJob, step: str, *, total: int = 0) -> None:
        begin(self, step, total=total)
        reports.append(step)
        die_once()

    def advance_or_die(self: RunningJob, parts: int) -> None:
        advance(self, parts)
        reports.append(reports[-1] if reports else "")
        die_once()

    monkeypatch.setattr(RunningJob, "begin", begin_or_die)
    monkeypatch.setattr(RunningJob, "advance", advance_or_die)
    run_queued_jobs()
    assert zip_of(release) == whole
    steps = {step for step, _ in died}
    assert {"Writing judgments by people", "Reading the texts", "Writing the zip", "Storing"} <= steps
    assert len(died) > 30
    assert {"judgments.jsonl", "outputs.jsonl"} <= half_written


@pytest.mark.django_db
@pytest.mark.parametrize("change", ["annotator", "label", "file", "notes"])
def test_all_begins_again_if_anything_has_changed(change: str) -> None:
    campaign = campaign_of_all()

    def alter() -> None:
        if change == "annotator":
            carla = Annotator.objects.filter(campaign=campaign, name="carla")
            carla.update(excluded_at="2026-05-04T00:00Z", exclusion_reason="careless")
        elif change == "label":
            System.objects.filter(corpus=campaign.corpus, name="Alder").update(label="The Alder")
        else:
            [path] = resuming.FOLDER.rglob("outputs.jsonl" if change == "file" else "steps.json")
            path.write_bytes(path.read_bytes()[:-3])

    release = to_write(campaign)
    worked = write_until("layouts", then=alter)
    written = zip_of(release)
    delete(release, by=releaser())
    assert written == uninterrupted(campaign)
    assert worked == {step: 1 if step in ("descriptions", "zip") else 2 for step in STEPS}


@pytest.mark.django_db(transaction=True)
@pytest.mark.slow
def test_a_killed_worker_loses_no_finished_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    campaign = campaign_of_all()
    whole = uninterrupted(campaign)
    release = to_write(campaign)
    with held_worker(tmp_path, step="Writing metric scores", on_entry=True) as victim:
        victim.kill()
    assert release.job is not None
    run_out(release.job)
    sweep()

    def again(*given: object, **named: object) -> None:
        pytest.fail("a finished step was done again")

    monkeypatch.setattr(working, "checked", again)
    monkeypatch.setattr(releasing, "compared", again)
    monkeypatch.setattr(judgment_rows.Released, "rows", again)
    monkeypatch.setattr(releasing, "sentences_of", again)
    run_queued_jobs()
    assert zip_of(release) == whole
    assert Job.objects.get(pk=release.job.pk).attempts == 2


@pytest.mark.django_db
@pytest.mark.parametrize("end", ["cancelled", "failed", "campaign deleted", "job deleted"])
def test_nothing_stays_of_what_is_not_written(end: str) -> None:
    campaign = campaign_of_all()
    release = to_write(campaign)
    job = release.job
    assert job is not None

    def stop() -> None:
        [folder] = resuming.FOLDER.iterdir()
        assert folder.name == str(job.uuid)
        if end == "cancelled":
            queue.cancel(job)
        elif end == "failed":
            raise OSError("the disk is full")
        elif end == "campaign deleted":
            campaign.delete()
        else:
            Job.objects.filter(pk=job.pk).delete()

    write_until("texts", then=stop)
    if end == "job deleted":
        assert any(resuming.FOLDER.iterdir())
        resuming.sweep_working_folders()
    else:
        job.refresh_from_db()
        assert job.state == (JobState.CANCELLED if end == "cancelled" else JobState.FAILED)
    assert not any(resuming.FOLDER.iterdir())


@pytest.mark.django_db
def test_folders_of_unfinished_jobs_are_not_swept() -> None:
    release = to_write(campaign_of_all())
    assert release.job is not None
    job = claim_next()
    assert job == release.job
    mine, another = (resuming.FOLDER / str(uuid) for uuid in (job.uuid, uuid4()))
    for folder in (mine, another):
        (folder / "part").mkdir(parents=True)
    resuming.sweep_working_folders()
    assert [*resuming.FOLDER.iterdir()] == [mine]
    queue.cancel(job)
    Job.objects.update(state=JobState.CANCELLED)
    resuming.sweep_working_folders()
    assert not any(resuming.FOLDER.iterdir())


@pytest.mark.django_db
def test_a_worker_waits_for_one_that_has_lost_the_job(monkeypatch: pytest.MonkeyPatch) -> None:
    release = to_write(campaign_of_all())
    waited: list[float] = []
    assert release.job is not None
    late = RunningJob(release.job, lambda: None)
    lost = resuming.working_folder(late)
    lost.__enter__()

    def notices(seconds: float) -> None:
        waited.append(seconds)
        lost.__exit__(None, None, None)

    monkeypatch.setattr(resuming, "sleep", notices)
    run_queued_jobs()
    assert waited == [resuming.LOOK_AGAIN_SECONDS]
    assert zip_of(release)
