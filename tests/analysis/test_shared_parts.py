"""Several workers compute parts of one run: each part once, and the same result as one worker."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from analysis.models import Run, RunPart
from analysis.runs import helping, parts
from analysis.runs.durations import duration_of
from analysis.runs.job_kinds import HELP_WITH_ANALYSIS
from analysis.runs.parts import HelpedParts, SharedParts
from analysis.runs.queries import compute_anew, current
from analysis.runs.requests import request_of
from analysis.runs.results import to_json
from analysis.runs.sources import Version
from annotate.models import Campaign
from core.progress import NoProgress
from jobs.models import Job, JobState, WorkerSign
from jobs.queue import cancel, queue
from jobs.signs import SILENT_FOR
from jobs.worker import PUT_BACK, sweep
from tests.analysis import toys
from tests.analysis.stored import forget_results
from tests.analysis.toys import IN_CHUNKS, ToyParameters
from tests.annotate.samples import small_campaign, small_corpus
from tests.jobs.kinds import after_working, begun, claimed
from tests.jobs.workers import held_worker, wait_for_the_end

SIZES = [1, 1, 1, 1, 1]
"""Sizes of the parts of the toy analysis."""


@pytest.fixture
def campaign(everything_is_large: None) -> Campaign:
    return small_campaign(small_corpus())


@pytest.fixture
def run(campaign: Campaign) -> Run:
    """A run that a worker has begun."""
    begun(compute_anew(request_of(IN_CHUNKS, campaign, ToyParameters()), asked_by=None))
    return Run.objects.get()


class Worker:
    """A worker on the run, which asks for parts in turn."""

    def __init__(self, run: Run, kind: type[SharedParts]) -> None:
        self.job = claimed()
        self.parts = kind(run, "digest", float, self.job)
        self._numbers: Iterator[int] = self.parts.to_compute(SIZES, NoProgress())

    def next(self) -> int | None:
        return next(self._numbers, None)

    def die(self) -> None:
        Job.objects.filter(uuid=self.job.uuid).update(leased_until=timezone.now() - timedelta(seconds=1))
        sweep()


@pytest.mark.django_db
def test_no_part_is_computed_twice(run: Run) -> None:
    first, helper = Worker(run, SharedParts), Worker(run, HelpedParts)
    taken = [first.next(), helper.next()]
    first.parts[0] = 0.5
    taken.append(first.next())
    helper.parts[1] = 1.5
    taken.append(helper.next())
    first.parts[2], helper.parts[3] = 2.5, 3.5
    taken.append(first.next())
    assert taken == [0, 1, 2, 3, 4]
    assert helper.next() is None
    first.parts[4] = 4.5
    assert first.next() is None
    assert dict(first.parts) == {number: number + 0.5 for number in range(5)}


@pytest.mark.django_db
def test_a_helper_that_dies_costs_its_part(run: Run) -> None:
    first, helper = Worker(run, SharedParts), Worker(run, HelpedParts)
    assert [first.next(), helper.next()] == [0, 1]
    helper.die()
    for number in range(5):
        first.parts[number] = float(number)
        if number < 4:
            assert first.next() == number + 1
    helper.parts[1] = 100.0  # It was only slow.
    assert first.next() is None
    assert [*RunPart.objects.order_by("number").values_list("result", flat=True)] == [0, 1, 2, 3, 4]


@pytest.mark.django_db
def test_a_worker_waits_for_the_parts_of_others(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    first, helper = Worker(run, SharedParts), Worker(run, HelpedParts)
    assert [helper.next(), first.next()] == [0, 1]

    def finish(seconds: float) -> None:
        helper.parts[0] = 0.5

    monkeypatch.setattr(parts, "sleep", finish)
    for number in range(1, 5):
        first.parts[number] = float(number)
        assert first.next() == (number + 1 if number < 4 else None)
    assert first.parts[0] == 0.5


@pytest.mark.django_db
def test_nobody_helps_with_a_run_that_has_ended_or_reads_other_judgments(
    campaign: Campaign, run: Run
) -> None:
    parameters = {"run": str(run.uuid), "helper": 0}
    assert run.job
    of_run = Job.objects.filter(pk=run.job.pk)
    for state, digest in ((JobState.DONE, run.digest), (JobState.RUNNING, "of others")):
        of_run.update(state=state)
        Run.objects.update(digest=digest)
        helping_job = queue(kind=HELP_WITH_ANALYSIS, title="Help", parameters=parameters, owner=None)
        assert after_working(helping_job).state == JobState.DONE
        assert not RunPart.objects.exists()


@pytest.mark.django_db
def test_each_living_worker_is_asked_if_the_run_is_long(
    campaign: Campaign, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = timezone.now()
    for worker, at in (("a", now), ("b", now), ("c", now), ("dead", now - SILENT_FOR)):
        WorkerSign.objects.create(worker=worker, at=at)
    request = request_of(IN_CHUNKS, campaign, ToyParameters())
    version = Version(run.inputs, run.size)
    helping.ask_for_help(run, request, version, "digest")
    helpers = Job.objects.filter(kind=HELP_WITH_ANALYSIS)
    assert duration_of(request, run.size).is_short
    assert not helpers.exists()
    monkeypatch.setattr(type(duration_of(request, run.size)), "is_short", False)
    helping.ask_for_help(run, request, version, "digest")
    assert helpers.count() == 2
    assert run.job
    Job.objects.filter(pk=run.job.pk).update(**PUT_BACK)
    cancel(run.job)
    assert {*helpers.values_list("state", flat=True)} == {JobState.CANCELLED}


@pytest.mark.django_db(transaction=True)
@pytest.mark.slow
def test_two_workers_give_the_result_of_one(tmp_path: Path) -> None:
    campaign = small_campaign(small_corpus())
    request = request_of(IN_CHUNKS, campaign, ToyParameters())
    expected = to_json(current(request, asked_by=None).result)
    forget_results()
    job = compute_anew(request, asked_by=None)
    with held_worker(tmp_path, step="Drawing", after=1) as first:
        toys.computed_here.clear()
        parameters = {"run": str(Run.objects.get().uuid), "helper": 0}
        help_given = queue(kind=HELP_WITH_ANALYSIS, title="Help", parameters=parameters, owner=None)
        assert after_working(help_given).state == JobState.DONE
        computed_here = [*toys.computed_here]
        first.go_on()
        assert wait_for_the_end(job).state == JobState.DONE
    assert computed_here == [2, 3, 4]
    assert to_json(current(request, asked_by=None).result) == expected
    assert not RunPart.objects.exists()
