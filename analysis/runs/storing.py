"""Rows of runs: creates, updates and finishes them with their results."""

from contextlib import suppress
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone

from analysis.models import Run, RunPart
from analysis.runs.durations import duration_of
from analysis.runs.job_kinds import RUN_ANALYSIS, RUN_SHORT_ANALYSIS
from analysis.runs.requests import Request
from analysis.runs.results import to_json
from analysis.runs.sources import Subject, Version
from annotate.models import Corpus, User
from assay import __version__
from jobs.models import UNFINISHED, Job, JobState
from jobs.queue import queue

KEPT = 200
"""Maximum number of stored results of an analysis of a campaign or corpus; older ones are deleted."""


def queued(request: Request, version: Version, *, asked_by: User | None) -> Run:
    """An unfinished run of the request: the existing one, or a new one with its job."""
    run = _new(request, version, asked_by, state=JobState.QUEUED)
    try:
        with transaction.atomic():
            run.save(force_insert=True)
            _give_to_a_job(run, request, asked_by)
    except IntegrityError:
        waiting = Run.objects.filter(request=run.request, state__in=UNFINISHED).select_related("job").first()
        if waiting is None:
            raise
        run = waiting
        if run.job is None or run.job.is_finished:
            # Its worker died between the end of the job and the end of the run: another job tries again.
            _give_to_a_job(run, request, asked_by)
    return run


def _give_to_a_job(run: Run, request: Request, asked_by: User | None) -> None:
    parameters = {"run": str(run.uuid)}
    kind = RUN_SHORT_ANALYSIS if duration_of(request, run.size).is_short else RUN_ANALYSIS
    run.job = queue(kind=kind, title=request.title, parameters=parameters, owner=asked_by)
    run.save(update_fields=["job"])


def keep(request: Request, version: Version, result: object, digest: str, *, asked_by: User | None) -> None:
    """Store the run of a request that was computed at once, unless an equal run was faster."""
    run = _new(
        request,
        version,
        asked_by,
        state=JobState.DONE,
        result=to_json(result),
        digest=digest,
        finished_at=timezone.now(),
    )
    with suppress(IntegrityError), transaction.atomic():
        _forget_older(run)
        run.save(force_insert=True)


def finish(run: Run, result: object, version: Version, digest: str) -> None:
    """Store the result of a run computed by a job, and replace results of older equal requests.

    A run that has ended meanwhile is not changed.
    """
    try:
        _finish(run, result, version, digest)
    except IntegrityError:  # A page stored an equal run at this moment, which is now the older one.
        _finish(run, result, version, digest)


@transaction.atomic
def _finish(run: Run, result: object, version: Version, digest: str) -> None:
    if not Run.objects.select_for_update().filter(pk=run.pk, state=JobState.RUNNING).exists():
        return
    _forget_older(run)
    Run.objects.filter(pk=run.pk).update(
        state=JobState.DONE,
        result=to_json(result),
        size=version.size,
        inputs=version.state,
        digest=digest,
        error="",
        finished_at=timezone.now(),
    )
    # Including equal requests that were cancelled or have failed.
    RunPart.objects.filter(run__request=run.request).delete()


def begin(run: Run, job: UUID) -> bool:
    """Assign the run to this job; False if an equal run is unfinished."""
    try:
        with transaction.atomic():
            Run.objects.filter(pk=run.pk).update(
                state=JobState.RUNNING, job=Job.objects.get(uuid=job), finished_at=None, error=""
            )
    except IntegrityError:
        return False
    return True


def end(job: Job) -> None:
    """Record how the job of a run ended, if it ended without a result."""
    if job.state in (JobState.FAILED, JobState.CANCELLED):
        Run.objects.filter(uuid=job.parameters["run"], state__in=UNFINISHED).update(
            state=job.state, error=job.error, finished_at=job.finished_at
        )


def _new(request: Request, version: Version, asked_by: User | None, **state: object) -> Run:
    return Run(
        analysis=request.analysis.name,
        **_of(request.subject),
        parameters=to_json(request.parameters),
        left_out=to_json(request.left_out),
        version=__version__,
        request=request.key,
        size=version.size,
        inputs=version.state,
        asked_by=asked_by,
        **state,
    )


def _forget_older(run: Run) -> None:
    """Delete the results that this one replaces, and the oldest if there are too many."""
    done = Run.objects.filter(state=JobState.DONE).exclude(pk=run.pk)
    done.filter(request=run.request).delete()
    of_subject = done.filter(campaign=run.campaign_id, corpus=run.corpus_id, analysis=run.analysis)
    older = of_subject.order_by("-created_at", "-pk").values_list("pk", flat=True)[KEPT - 1 :]
    done.filter(pk__in=list(older)).delete()


def _of(subject: Subject) -> dict[str, Subject]:
    """The row's field for the subject."""
    return {"corpus" if isinstance(subject, Corpus) else "campaign": subject}
