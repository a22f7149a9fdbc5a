"""Further workers that compute parts of a run."""

from contextlib import suppress
from typing import cast

from analysis.analyses.base import AnyChunks
from analysis.models import Run
from analysis.runs.durations import duration_of
from analysis.runs.job_kinds import HELP_WITH_ANALYSIS
from analysis.runs.requests import Request
from analysis.runs.sources import Version
from jobs.models import UNFINISHED, Job
from jobs.queue import CancelRefusedError, cancel, queue
from jobs.signs import living_workers


def ask_for_help(run: Run, request: Request, version: Version, digest: str) -> None:
    """Queue a job for each other worker to compute parts of the run, unless it is short anyway.

    `digest` is that of the inputs that this worker has read. Others help only if they read the same.
    """
    Run.objects.filter(pk=run.pk).update(digest=digest, size=version.size, inputs=version.state)
    if duration_of(request, version.size).is_short:
        return
    parts = len(cast(AnyChunks, request.analysis.chunks).sizes(request.parameters))
    for number in range(min(living_workers(), parts) - 1):
        queue(
            kind=HELP_WITH_ANALYSIS,
            title=f"{request.title}, on a further worker",
            parameters={"run": str(run.uuid), "helper": number},
            owner=run.asked_by,
        )


def send_helpers_away(run: str) -> None:
    """Cancel the jobs that help with the run of this UUID, which has ended without a result."""
    for job in Job.objects.filter(kind=HELP_WITH_ANALYSIS, state__in=UNFINISHED, parameters__run=run):
        with suppress(CancelRefusedError):
            cancel(job)
