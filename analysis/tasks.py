"""The jobs of this app."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import cast

from django.core.exceptions import ObjectDoesNotExist
from django.urls import reverse

from analysis.analyses.base import AnyChunks, analyses
from analysis.models import DataRelease, Publication, Run
from analysis.publishing.publications import PUBLISH, make
from analysis.publishing.stated import BundleError
from analysis.publishing.storing import discard_unless_stored
from analysis.releases.stored import resuming, working
from analysis.releases.stored.requests import CHECK_RELEASE, WRITE_RELEASE
from analysis.results.registered_pages import page_address
from analysis.runs.computing import compute_parts, computed
from analysis.runs.helping import ask_for_help, send_helpers_away
from analysis.runs.job_kinds import HELP_WITH_ANALYSIS, RUN_ANALYSIS, RUN_SHORT_ANALYSIS
from analysis.runs.looking import look_at_campaign
from analysis.runs.parts import HelpedParts, Parts, SharedParts
from analysis.runs.requests import Request, request_of_run
from analysis.runs.sources import source_of, version_of_request
from analysis.runs.storing import assign, finish
from annotate.campaigns.watching import put_off_look
from annotate.models import Campaign
from annotate.models.job_kinds import LOOK_AT_RANKING
from core.parameters import ParameterError
from jobs.kinds import job_kind
from jobs.models import Job, JobState
from jobs.running import JobFailedError, RunningJob
from ranking import SnapshotError

GONE = "The campaign or corpus has been deleted."
REPLACED = "A newer result has replaced this one, or the campaign or corpus has been deleted."
UNKNOWN = "This release of Assay cannot compute a request of another one. Request it again."


def _without_helpers(job: Job) -> None:
    if job.state != JobState.DONE:
        send_helpers_away(job.parameters["run"])


@job_kind(RUN_SHORT_ANALYSIS, when_finished=_without_helpers, goes_first=True, only_computes=True)
@job_kind(RUN_ANALYSIS, when_finished=_without_helpers, only_computes=True)
def run_analysis(job: RunningJob) -> dict[str, object]:
    """Compute a run from the current inputs."""
    run = _run_of(job)
    if run is None:
        raise JobFailedError(REPLACED)
    request = _request(run)
    if not run.has_result:
        assign(run, job)
        _compute(run, request, job)
    return {"url": page_address(request)}


@job_kind(HELP_WITH_ANALYSIS, only_computes=True)
def help_with_analysis(job: RunningJob) -> None:
    """Compute parts of a run that another worker computes, if the inputs are still those that it has read."""
    run = _run_of(job)
    if run is None or not run.is_being_computed:
        return
    request = _request(run)
    with _errors_in_words():
        inputs = source_of(request.analysis).load(request, run.size, job, at_once=False)
        if inputs.digest == run.digest:
            chunks = cast(AnyChunks, request.analysis.chunks)
            parts = HelpedParts(run, inputs.digest, chunks.part, job)
            compute_parts(request.analysis, inputs, request.parameters, job, parts)


def _look_later(job: Job) -> None:
    campaign = Campaign.objects.filter(uuid=job.parameters["campaign"]).first()
    if campaign is not None:
        put_off_look(campaign)


@job_kind(LOOK_AT_RANKING, when_finished=_look_later, goes_first=True)
def look_at_ranking(job: RunningJob) -> dict[str, object]:
    """Look at the ranking of a campaign that stops by itself."""
    campaign = Campaign.objects.select_related("design").filter(uuid=job.parameters["campaign"]).first()
    if campaign is None:
        raise JobFailedError(GONE)
    try:
        summary = look_at_campaign(campaign, job)
    except SnapshotError as error:
        raise JobFailedError(str(error)) from error
    except ObjectDoesNotExist as error:
        raise JobFailedError(GONE) from error
    return {"summary": summary, "url": reverse("manage-campaign", args=[campaign.uuid])}


def _run_of(job: RunningJob) -> Run | None:
    runs = Run.objects.select_related("campaign__corpus", "corpus", "job")
    return runs.filter(uuid=job.parameters["run"]).first()


def _request(run: Run) -> Request:
    try:
        return request_of_run(run, analyses()[run.analysis])
    except (KeyError, ValueError) as error:
        raise JobFailedError(UNKNOWN) from error


def _compute(run: Run, request: Request, job: RunningJob) -> None:
    analysis = request.analysis
    version = version_of_request(request)
    with _errors_in_words():
        inputs = source_of(analysis).load(request, version.size, job, at_once=False)
        parts: Parts | None = None
        if analysis.chunks is not None:
            parts = SharedParts(run, inputs.digest, analysis.chunks.part, job)
            ask_for_help(run, request, version, inputs.digest)
        result = computed(analysis, inputs, request.parameters, job, parts)
    finish(run, job, result, version, inputs.digest)


@contextmanager
def _errors_in_words() -> Iterator[None]:
    try:
        yield
    except (ParameterError, SnapshotError) as error:
        raise JobFailedError(str(error)) from error
    except ObjectDoesNotExist as error:
        raise JobFailedError(GONE) from error


def _discard_unless_stored(job: Job) -> None:
    publication = Publication.objects.filter(uuid=job.parameters["publication"]).first()
    if publication is not None:
        discard_unless_stored(publication)


@job_kind(PUBLISH, when_finished=_discard_unless_stored)
def publish_result(job: RunningJob) -> dict[str, object]:
    """Compute a published result, unless a worker that was killed afterwards has stored it."""
    publications = Publication.objects.select_related("campaign__corpus")
    publication = publications.filter(uuid=job.parameters["publication"]).first()
    if publication is None:
        raise JobFailedError(GONE)
    if publication.content is None:
        try:
            make(publication, job)
        except (BundleError, ParameterError, SnapshotError) as error:
            raise JobFailedError(str(error)) from error
    return {"url": publication.get_absolute_url()}


@job_kind(CHECK_RELEASE, only_computes=True)
def check_data_release(job: RunningJob) -> dict[str, object]:
    """Check a data release, for an admin to confirm."""
    release = _release_of(job)
    if release.checks is None:
        working.check(release, job)
    return {"url": release.get_absolute_url()}


def _discard_unless_written(job: Job) -> None:
    resuming.discard_working_folder(job.uuid)
    release = DataRelease.objects.filter(uuid=job.parameters["release"]).first()
    if release is not None:
        working.discard_unless_written(release)


@job_kind(WRITE_RELEASE, when_finished=_discard_unless_written)
def write_data_release(job: RunningJob) -> dict[str, object]:
    """Write a confirmed data release, unless a worker that was killed afterwards has stored it."""
    release = _release_of(job)
    if not release.is_written:
        working.write(release, job)
    return {"url": release.get_absolute_url()}


def _release_of(job: RunningJob) -> DataRelease:
    releases = DataRelease.objects.select_related("campaign__corpus").prefetch_related("further__corpus")
    release = releases.filter(uuid=job.parameters["release"]).first()
    if release is None:
        raise JobFailedError("The data release or its campaign has been deleted.")
    return release
