"""The jobs of this app."""

from typing import Any

import pandas as pd
from django.urls import reverse

from analysis.as_json import from_json, to_json
from analysis.forms import query_of
from analysis.rankings import PARTS_OF_JUDGING, RATED, Choice, Judging, judging, rank, replicates_of
from annotate.models import Campaign
from annotate.pseudonyms import pseudonymised
from annotate.quality import READ, Standing, standings
from annotate.queries import answers_version, roles_of, source_name
from annotate.services.snapshots import SnapshotTooLargeError, kept_snapshot
from jobs.kinds import job_kind
from jobs.running import JobFailedError, RunningJob
from ranking import ResamplingError, Scores
from ranking.resampling import Progress

RANK_CAMPAIGN = "rank-campaign"
QUALITY_OF_CAMPAIGN = "quality-of-campaign"
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


def judging_of(
    campaign: Campaign, frame: pd.DataFrame, choice: Choice, *, progress: Progress | None = None
) -> Judging:
    """How the judging of the campaign's snapshot went; judges by pseudonym, since reasons name them too."""
    source = source_name(campaign.corpus) if isinstance(choice.by, Scores) else None
    counted = pseudonymised(campaign, choice.counted(frame))
    return judging(counted, choice.by, source=source, progress=progress)


@job_kind(QUALITY_OF_CAMPAIGN)
def quality_of_campaign(job: RunningJob) -> dict[str, Any]:
    """How the annotators of a campaign stand, with the version of the answers that this rests on."""
    campaign, version, frame = _read(job)
    frame = frame[list(READ)]
    job.begin("Looking at the annotators")
    return {
        "version": version,
        "standings": to_json(standings_in(campaign, frame)),
        "url": reverse("quality", args=[campaign.uuid]),
    }


def standings_in(campaign: Campaign, frame: pd.DataFrame) -> tuple[Standing, ...]:
    """How the annotators in the campaign's snapshot stand, by the default rule, known by pseudonym."""
    return standings(pseudonymised(campaign, frame), roles_of(campaign))


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
