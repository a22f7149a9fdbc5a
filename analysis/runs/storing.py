"""Rows of runs: requests with their jobs, and results."""

from contextlib import suppress
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from analysis.models import COMPUTED, WAITING, Run
from analysis.runs.durations import duration_of
from analysis.runs.job_kinds import RUN_ANALYSIS, RUN_SHORT_ANALYSIS
from analysis.runs.requests import Request
from analysis.runs.results import to_json
from analysis.runs.sources import Version
from annotate.models import Corpus, User
from assay import __version__
from jobs.models import Job
from jobs.queue import queue
from jobs.running import RunningJob

KEPT = 200
"""Maximum number of stored results of an analysis of a campaign or corpus; older ones are deleted."""


@transaction.atomic
def queued(request: Request, version: Version, *, asked_by: User | None) -> Job:
    """The unfinished job that computes the request; a new one if there is none."""
    now = {"size": version.size, "inputs": version.state, "asked_by": asked_by}
    run, _ = Run.objects.filter(WAITING).get_or_create(request=request.key, defaults={**_of(request), **now})
    if run.job is not None and not run.job.is_finished:
        return run.job
    kind = RUN_SHORT_ANALYSIS if duration_of(request, version.size).is_short else RUN_ANALYSIS
    job = queue(kind=kind, title=request.title, parameters={"run": str(run.uuid)}, owner=asked_by)
    Run.objects.filter(pk=run.pk).update(job=job, created_at=timezone.now(), **now)
    return job


def keep(request: Request, version: Version, result: object, digest: str, *, asked_by: User | None) -> None:
    """Store the run of a request that was computed at once, unless an equal run was faster."""
    run = Run(
        **_of(request),
        **_computed(result, version, digest),
        request=request.key,
        asked_by=asked_by,
    )
    with suppress(IntegrityError), transaction.atomic():
        _forget_older(run)
        run.save(force_insert=True)


def assign(run: Run, job: RunningJob) -> None:
    """Note that this job computes the run: an admin may have started one that failed again."""
    Run.objects.filter(pk=run.pk).update(job=Job.objects.get(uuid=job.uuid))


def finish(run: Run, job: RunningJob, result: object, version: Version, digest: str) -> None:
    """Store the result of a run, and delete that of an older equal request.

    Raises:
        JobCancelledError, JobLostError, WorkerStopsError: must not be caught by the caller.
    """
    news = _computed(result, version, digest)
    try:
        _finish(run, job, news)
    except IntegrityError:  # A page stored an equal run at this moment, which is now the older one.
        _finish(run, job, news)


@transaction.atomic
def _finish(run: Run, job: RunningJob, news: dict[str, Any]) -> None:
    job.renew()
    _forget_older(run)
    Run.objects.filter(WAITING, pk=run.pk).update(**news)
    run.parts.all().delete()


def _forget_older(run: Run) -> None:
    """Delete the results that this one replaces, and the oldest if there are too many."""
    done = Run.objects.filter(COMPUTED).exclude(pk=run.pk)
    done.filter(request=run.request).delete()
    of_subject = done.filter(campaign=run.campaign_id, corpus=run.corpus_id, analysis=run.analysis)
    older = of_subject.order_by("-created_at", "-pk").values_list("pk", flat=True)[KEPT - 1 :]
    done.filter(pk__in=list(older)).delete()


def _of(request: Request) -> dict[str, Any]:
    """Fields of a run that describe its request."""
    return {
        "analysis": request.analysis.name,
        "corpus" if isinstance(request.subject, Corpus) else "campaign": request.subject,
        "parameters": to_json(request.parameters),
        "left_out": to_json(request.left_out),
        "version": __version__,
    }


def _computed(result: object, version: Version, digest: str) -> dict[str, Any]:
    """Fields of a run that hold its result."""
    return {
        "result": to_json(result),
        "size": version.size,
        "inputs": version.state,
        "digest": digest,
        "computed_at": timezone.now(),
    }
