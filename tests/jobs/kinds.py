"""Jobs for tests."""

from collections.abc import Callable
from typing import Any

import pytest

from annotate.models import Role, User
from jobs.kinds import JobKind, kinds
from jobs.models import Job
from jobs.queue import queue
from jobs.running import RunningJob
from jobs.worker import run_queued_jobs

Work = Callable[[RunningJob], dict[str, Any] | None]


def kind(
    monkeypatch: pytest.MonkeyPatch, work: Work, *, when_finished: Callable[[Job], None] = lambda job: None
) -> None:
    """From now on, jobs of the kind *toy* do this."""
    monkeypatch.setitem(kinds(), "toy", JobKind(work, when_finished))


def queued(owner: User | None = None, **parameters: Any) -> Job:
    """A job of the kind *toy*."""
    return queue(kind="toy", title="A toy", parameters=parameters, owner=owner)


def user(name: str = "ada", role: Role = Role.ADMIN) -> User:
    """An account."""
    return User.objects.create_user(name, role=role)


def after_working(job: Job) -> Job:
    """The job after a worker has run all that was queued."""
    run_queued_jobs()
    job.refresh_from_db()
    return job
