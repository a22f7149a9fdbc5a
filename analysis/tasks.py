"""The jobs of this app."""

from typing import Any

from analysis.analyses.base import Judgments, analyses
from analysis.models import Run
from analysis.pages.registered import page_address
from analysis.runs.computing import computed, judgments_of
from analysis.runs.job_kinds import RUN_ANALYSIS
from analysis.runs.requests import Request, request_of_run
from analysis.runs.storing import StoredParts, begin, end, finish
from annotate.judgments.kept_snapshots import SnapshotTooLargeError, kept_snapshot
from annotate.judgments.queries import answers_version
from annotate.models import Campaign
from jobs.kinds import job_kind
from jobs.models import JobState
from jobs.running import JobFailedError, RunningJob
from metrics.parameters import ParameterError
from ranking import SnapshotError

GONE = "The campaign is not there any more."
UNKNOWN = "This release of Assay cannot compute what was asked of another one. Ask again."
TWICE = "Another job computes the same."


@job_kind(RUN_ANALYSIS, when_finished=end)
def run_analysis(job: RunningJob) -> dict[str, Any]:
    """Compute a run from the judgments as they stand."""
    run = Run.objects.select_related("campaign__corpus").filter(uuid=job.parameters["run"]).first()
    if run is None:
        raise JobFailedError(GONE)
    request = _request(run)
    if run.state != JobState.DONE:
        if not begin(run, job.uuid):
            raise JobFailedError(TWICE)
        _compute(run, request, job)
    return {"url": page_address(request)}


def _request(run: Run) -> Request:
    try:
        return request_of_run(run, analyses()[run.analysis])
    except (KeyError, ValueError) as error:
        raise JobFailedError(UNKNOWN) from error


def _compute(run: Run, request: Request, job: RunningJob) -> None:
    answers = answers_version(run.campaign)
    job.begin("Reading the judgments", total=answers[0])
    try:
        inputs = _inputs(request, job)
        chunks = request.analysis.chunks
        parts = {} if chunks is None else StoredParts(run, inputs.digest, chunks.part)
        result = computed(request.analysis, inputs, request.parameters, job, parts)
    except (ParameterError, SnapshotError, SnapshotTooLargeError) as error:
        raise JobFailedError(str(error)) from error
    except Campaign.DoesNotExist as error:
        raise JobFailedError(GONE) from error
    finish(run, result, answers, inputs.digest)


def _inputs(request: Request, job: RunningJob) -> Judgments:
    # The whole frame goes as soon as the columns that are needed have been taken.
    return judgments_of(request, kept_snapshot(request.campaign, progress=job.advance))
