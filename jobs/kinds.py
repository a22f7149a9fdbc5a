"""The kinds of jobs. The apps above register theirs, each in its module `tasks`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

from django.utils.module_loading import autodiscover_modules

from jobs.models import Job
from jobs.running import RunningJob

Result = Mapping[str, object] | None
Work = Callable[[RunningJob], Result]


def _nothing(job: Job) -> None:
    """Do nothing."""


@dataclass(frozen=True, slots=True)
class JobKind:
    """A kind of job.

    Attributes:
        work: does the work and returns the result as JSON. It may be killed at any point and restarted, and
        must then give the same result.
        when_finished: called with the job when it is done, failed or cancelled, to clean up. It is not called
        if the process dies at that moment.
        can_stop: whether it may be cancelled once it has begun.
        goes_first: whether workers begin it before older jobs of other kinds: it is short.
        only_computes: whether it leaves nothing behind if its process ends midway; a worker that cannot stop
        it otherwise then ends with it.
    """

    work: Work
    when_finished: Callable[[Job], None] = _nothing
    can_stop: bool = True
    goes_first: bool = False
    only_computes: bool = False


_registered: dict[str, JobKind] = {}


@cache
def kinds() -> dict[str, JobKind]:
    """The kinds of jobs by name.

    The modules that register them are loaded by the first call: they import most of the program, and a web
    server can start without them.
    """
    autodiscover_modules("tasks")
    return _registered


def clear_up_behind(job: Job) -> None:
    """Tell the kind that the job has ended, unless it is one that this release does not know."""
    if kind := kinds().get(job.kind):
        kind.when_finished(job)


def can_be_cancelled(job: Job) -> bool:
    """Whether it can be cancelled: it has not ended and, if it has begun, its kind can stop midway."""
    kind = kinds().get(job.kind)
    return not job.is_finished and (job.started_at is None or kind is None or kind.can_stop)


def job_kind(
    name: str,
    *,
    when_finished: Callable[[Job], None] = _nothing,
    can_stop: bool = True,
    goes_first: bool = False,
    only_computes: bool = False,
) -> Callable[[Work], Work]:
    """Register the decorated function as the work of jobs of this kind."""

    def register(work: Work) -> Work:
        _registered[name] = JobKind(work, when_finished, can_stop, goes_first, only_computes)
        return work

    return register
