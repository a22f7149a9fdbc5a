"""The preview of a draft on its pages: its items, the work for people, its first screens."""

from collections.abc import Mapping
from typing import Any

from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from annotate.campaigns.estimates import WorkEstimate, work_estimate
from annotate.campaigns.first_screens import PreviewedScreen
from annotate.campaigns.preview import Preview, from_json, is_small, preview
from annotate.design.protocols import PROTOCOLS
from annotate.design.sampling import SamplingError
from annotate.judging.screen import sample_of, sample_of_opinion
from annotate.judging.usual_pace import usual_pace
from annotate.models import Campaign, User
from annotate.models.job_kinds import PREVIEW_CAMPAIGN
from annotate.web.interface_languages import in_language_of
from jobs.models import Job, JobState
from jobs.queue import jobs_like, queue

SAMPLES_SHOWN = 3


def preview_or_job(campaign: Campaign, *, asked_by: User) -> Preview | Job:
    """The preview of a stored draft, or the job that makes it if the draft is large.

    Raises:
        SamplingError: the design asks for more than the corpus has.
    """
    if is_small(campaign):
        return preview(campaign)
    parameters = {"campaign": str(campaign.uuid), "changed": campaign.touched_at.isoformat()}
    job = jobs_like(kind=PREVIEW_CAMPAIGN, parameters=parameters).first()
    if job is None or job.state == JobState.CANCELLED:
        title = f"Preview of campaign {campaign}"
        return queue(kind=PREVIEW_CAMPAIGN, title=title, parameters=parameters, owner=asked_by)
    if job.state == JobState.FAILED:
        raise SamplingError(job.error)
    return from_json(job.result["preview"]) if job.result else job


def estimate_of(campaign: Campaign, draft_preview: Preview, wishes: Mapping[str, str]) -> WorkEstimate:
    """The work of the draft for the number of people and the rate in `wishes`."""
    return work_estimate(
        draft_preview.asked,
        usual_pace(PROTOCOLS[campaign.protocol], campaign.corpus, campaign.design.outputs_per_screen),
        least_people=draft_preview.annotators,
        wishes=wishes,
    )


def samples(campaign: Campaign, draft_preview: Preview) -> list[SafeString]:
    """The first screens as annotators will see them, without buttons that send an answer."""
    template = PROTOCOLS[campaign.protocol].template
    with in_language_of(campaign):
        return [
            render_to_string(template, sample_of(campaign, **_shown(screen)))
            for screen in draft_preview.screens[:SAMPLES_SHOWN]
        ]


def opinion_sample(campaign: Campaign, draft_preview: Preview) -> SafeString | None:
    """The page after the first screen, where the campaign shows a machine's opinion."""
    if not campaign.design.opinion_of or not draft_preview.screens:
        return None
    with in_language_of(campaign):
        context = sample_of_opinion(campaign, **_shown(draft_preview.screens[0]))
        return render_to_string("annotate/judging/sample_opinion.html", context)


def _shown(screen: PreviewedScreen) -> dict[str, Any]:
    return {
        "source": screen.source,
        "texts": screen.texts,
        "prepared": screen.prepared,
        "previous": screen.previous,
        "following": screen.following,
    }
