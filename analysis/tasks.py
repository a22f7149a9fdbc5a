"""The jobs of this app."""

from typing import Any

import pandas as pd
from django.urls import reverse

from analysis.analyses.ranking import PARTS_OF_JUDGING, RATED, Choice, rank, replicates_of
from analysis.pages.forms import query_of
from analysis.runs.as_json import from_json, to_json
from analysis.runs.computing import judging_of, quality_in
from analysis.runs.job_kinds import QUALITY_OF_CAMPAIGN, RANK_CAMPAIGN
from annotate.judgments.kept_snapshots import SnapshotTooLargeError, kept_snapshot
from annotate.judgments.queries import answers_version
from annotate.models import Campaign
from jobs.kinds import job_kind
from jobs.running import JobFailedError, RunningJob
from ranking import ResamplingError
from ranking.quality import READ

GONE = "The campaign is not there any more."


@job_kind(RANK_CAMPAIGN)
def rank_campaign(job: RunningJob) -> dict[str, Any]:
    """The ranking of a campaign as it was chosen, with the version of the answers that it rests on."""
    campaign, version, frame = _read(job)
    choice = from_json(Choice, job.parameters["choice"])
    job.begin("Ranking the systems", total=replicates_of(choice))
    try:
        ranking = rank(frame, choice, progress=job.advance)
    except ResamplingError as error:
        raise JobFailedError(str(error)) from error
    frame = frame[list(RATED)]
    job.begin("Comparing systems and judges", total=PARTS_OF_JUDGING)
    return {
        "version": version,
        "ranking": to_json(ranking),
        "judging": to_json(judging_of(campaign, frame, choice, progress=job.advance)),
        "url": f"{reverse('ranking', args=[campaign.uuid])}?{query_of(choice)}",
    }


@job_kind(QUALITY_OF_CAMPAIGN)
def quality_of_campaign(job: RunningJob) -> dict[str, Any]:
    """How carefully the annotators of a campaign work, with the version of the answers that this rests on."""
    campaign, version, frame = _read(job)
    frame = frame[list(READ)]
    job.begin("Looking at the annotators")
    return {
        "version": version,
        "standings": to_json(quality_in(campaign, frame)),
        "url": reverse("quality", args=[campaign.uuid]),
    }


def _read(job: RunningJob) -> tuple[Campaign, tuple[int, int], pd.DataFrame]:
    """The campaign of the job, the version of its answers, and their snapshot."""
    campaign = Campaign.objects.filter(uuid=job.parameters["campaign"]).first()
    if campaign is None:
        raise JobFailedError(GONE)
    version = answers_version(campaign)
    job.begin("Reading the judgments", total=version[0])
    try:
        return campaign, version, kept_snapshot(campaign, progress=job.advance)
    except SnapshotTooLargeError as error:
        raise JobFailedError(str(error)) from error
    except Campaign.DoesNotExist as error:
        raise JobFailedError(GONE) from error
