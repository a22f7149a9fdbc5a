"""The jobs of this app. Each calls what commands and pages call, and can be begun anew at any point."""

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from django.urls import reverse

from annotate.campaigns import preview
from annotate.campaigns.deletion import delete_campaign, delete_corpus, parts
from annotate.campaigns.launch_plans import plan_launch
from annotate.campaigns.lifecycle import store_launch
from annotate.corpora.adding_controls import NAMES, make_controls, recognise_source
from annotate.design.wording import counted
from annotate.imports.plans import UploadPlan, faults_in_words, plan_upload
from annotate.imports.uploads import discard
from annotate.models import Campaign, CampaignState, Corpus
from annotate.storage.job_kinds import (
    CHECK_UPLOAD,
    DELETE_CAMPAIGN,
    DELETE_CORPUS,
    IMPORT_UPLOAD,
    LAUNCH_CAMPAIGN,
    MAKE_CONTROLS,
    PREVIEW_CAMPAIGN,
)
from jobs.kinds import job_kind
from jobs.models import Job, JobState
from jobs.running import JobFailedError, RunningJob

WARNINGS_KEPT = 100


def _discard_if_cancelled(job: Job) -> None:
    """What a check finds fault with stays for a while, so that only this has to be sent again."""
    if job.state == JobState.CANCELLED:
        discard(job.parameters["upload"])


@job_kind(CHECK_UPLOAD, when_finished=_discard_if_cancelled)
def check_upload(job: RunningJob) -> dict[str, Any]:
    """The dry run: the plan of an import, to be confirmed."""
    job.begin("Reading the files")
    with faults_in_words(job.parameters["upload"]):
        plan = plan_upload(job.parameters, uuid=job.uuid, owner=job.owner)
    systems = [row.as_json() for row in plan.systems]
    recount = asdict(plan.recount) if plan.recount else None
    return {**_summary(plan), "is_stored": plan.is_stored, "systems": systems, "recount": recount}


def _discard_files(job: Job) -> None:
    discard(job.parameters["upload"])


@job_kind(IMPORT_UPLOAD, when_finished=_discard_files)
def import_upload(job: RunningJob) -> dict[str, Any]:
    """Store what was uploaded, under the number of the job, so that a rerun knows its leftovers."""
    job.begin("Reading the files")
    with faults_in_words(job.parameters["upload"]):
        plan = plan_upload(job.parameters, uuid=job.uuid, owner=job.owner)
        job.begin("Storing", total=plan.parts)
        stored = plan.store(job.advance)
    return {**_summary(plan), "url": stored.get_absolute_url()}


def _summary(plan: UploadPlan) -> dict[str, Any]:
    return {
        "summary": plan.description,
        "warnings": plan.warnings[:WARNINGS_KEPT],
        "warning_count": len(plan.warnings),
    }


@job_kind(PREVIEW_CAMPAIGN)
def preview_campaign(job: RunningJob) -> dict[str, Any]:
    """What the launch of a large draft would ask."""
    campaign = Campaign.objects.select_related("corpus", "design").get(uuid=job.parameters["campaign"])
    job.begin("Drawing the items")
    draft_preview = preview.preview(campaign)
    return {
        "summary": f"{counted(draft_preview.items, 'item')}, {counted(draft_preview.judgments, 'judgment')}.",
        "preview": preview.to_json(draft_preview),
        "url": reverse("manage-campaign", args=[campaign.uuid]),
    }


@job_kind(LAUNCH_CAMPAIGN)
def launch_campaign(job: RunningJob) -> dict[str, Any]:
    """Launch a draft; what a killed attempt has left is taken over at once."""
    campaign = Campaign.objects.select_related("corpus", "design").get(uuid=job.parameters["campaign"])
    if not job.is_rerun or campaign.state in (CampaignState.DRAFT, CampaignState.LAUNCHING):
        _launch(campaign, job)
    items, slots = campaign.items.count(), campaign.slots.count()
    return {
        "summary": f"{counted(items, 'item')}, {counted(slots, 'slot')}.",
        "url": reverse("manage-campaign", args=[campaign.uuid]),
    }


def _launch(campaign: Campaign, job: RunningJob) -> None:
    job.begin("Drawing the items")
    plan = plan_launch(campaign)
    job.begin("Storing items and slots", total=plan.rows)
    store_launch(plan, progress=job.advance, takes_over=job.is_rerun, by=job.owner)


@job_kind(MAKE_CONTROLS)
def add_controls(job: RunningJob) -> dict[str, Any]:
    """Add controls to a corpus, with source and references if asked for."""
    corpus = Corpus.objects.filter(uuid=job.parameters["corpus"]).first()
    if corpus is None:
        raise JobFailedError("The corpus is not there any more.")
    job.begin("Making the controls", total=corpus.sentences.count())
    source = recognise_source(corpus)
    added = make_controls(
        corpus=corpus,
        seed=job.parameters["seed"],
        additions=job.parameters["additions"],
        progress=job.advance,
    )
    names = ", ".join(NAMES[role] for role in added)
    recognised = f"{source} is identical to the source, and now has that role. " if source else ""
    return {
        "summary": recognised + (f"Added: {names}." if added else "All were there already."),
        "url": corpus.get_absolute_url(),
    }


@job_kind(DELETE_CORPUS, can_stop=False)
def remove_corpus(job: RunningJob) -> dict[str, Any]:
    """Delete a corpus with its campaigns."""
    return _delete(job, Corpus.objects.filter(uuid=job.parameters["corpus"]).first(), delete_corpus)


@job_kind(DELETE_CAMPAIGN, can_stop=False)
def remove_campaign(job: RunningJob) -> dict[str, Any]:
    """Delete a campaign with its judgments."""
    return _delete(job, Campaign.objects.filter(uuid=job.parameters["campaign"]).first(), delete_campaign)


def _delete(job: RunningJob, row: Corpus | Campaign | None, delete: Callable[..., None]) -> dict[str, Any]:
    """Once begun, it goes on: nobody has a use for half of it. A rerun may find nothing left to do."""
    if row is not None:
        job.begin("Deleting", total=parts(row))
        delete(row, by=job.owner, progress=job.advance)
    return {"summary": "Nothing is left of it."}
