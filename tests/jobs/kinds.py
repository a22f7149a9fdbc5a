"""Jobs for tests."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from annotate.models import Role, User
from jobs.kinds import JobKind, kinds
from jobs.models import Job, JobState
from jobs.queue import queue
from jobs.running import LEASE, RunningJob
from jobs.worker import run_queued_jobs

Work = Callable[[RunningJob], dict[str, Any] | None]


def kind(
    monkeypatch: pytest.MonkeyPatch,
    work: Work,
    *,
    name: str = "toy",
    when_finished: Callable[[Job], None] = lambda job: None,
    goes_first: bool = False,
    only_computes: bool = False,
) -> None:
    """From now on, jobs of this kind do this."""
    made = JobKind(work, when_finished, goes_first=goes_first, only_computes=only_computes)
    monkeypatch.setitem(kinds(), name, made)


def queued(owner: User | None = None, kind: str = "toy", **parameters: Any) -> Job:
    """A job of this kind."""
    return queue(kind=kind, title="A toy", parameters=parameters, owner=owner)


def user(name: str = "ada", role: Role = Role.ADMIN) -> User:
    """An account."""
    return User.objects.create_user(name, role=role)


def claimed() -> RunningJob:
    """A job that a worker has begun."""
    return begun(queue(kind="toy", title="A toy", parameters={"number": Job.objects.count()}, owner=None))


def begun(job: Job) -> RunningJob:
    """The job after a worker has begun it."""
    Job.objects.filter(pk=job.pk).update(
        state=JobState.RUNNING, claim=uuid4(), attempts=1, leased_until=timezone.now() + LEASE
    )
    job.refresh_from_db()
    return RunningJob(job, lambda: None)


def after_working(job: Job) -> Job:
    """The job after a worker has run all that was queued."""
    run_queued_jobs()
    job.refresh_from_db()
    return job
