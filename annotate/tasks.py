"""The jobs of this app. Each calls the same functions as commands and pages, and can be restarted."""

from collections.abc import Callable
from dataclasses import asdict

from django.core.exceptions import ValidationError
from django.urls import reverse

from annotate.campaigns import preview
from annotate.campaigns.deletion import delete_campaign, delete_corpus, parts
from annotate.campaigns.launch_plans import plan_launch
from annotate.campaigns.lifecycle import store_launch
from annotate.corpora.adding_controls import NAMES, make_controls, recognise_source
from annotate.corpora.labelling import label_edits, plan_labelling, summary
from annotate.imports.plans import UploadPlan, faults_in_words, plan_upload
from annotate.models import Campaign, CampaignState, Corpus, ReferenceSet, ScoreSet, Submission
from annotate.models.job_kinds import (
    ACCEPT_SUBMISSION,
    CHECK_UPLOAD,
    DELETE_CAMPAIGN,
    DELETE_CORPUS,
    DELETE_SCORES,
    DRAFT_VALIDITY,
    IMPORT_UPLOAD,
    LABEL_EDITS,
    LAUNCH_CAMPAIGN,
    MAKE_CONTROLS,
    MAKE_REFERENCES,
    PREVIEW_CAMPAIGN,
    REMOVE_REFERENCES,
    SCORE_CORPUS,
    STORE_SCORES,
)
from annotate.references.candidates import draft_validity_campaign
from annotate.references.collecting import (
    make_accepted_references,
    make_references,
    make_system,
    make_valid_references,
    metrics_to_update,
    remove_references,
)
from annotate.references.queueing import AS_ACCEPTED, AS_SYSTEM, AS_VALID
from annotate.scores.corpus_outputs import corpus_outputs
from annotate.scores.deletion import delete_scores
from annotate.scores.metric_setup import english_pipeline
from annotate.scores.queueing import queue_scoring, scores_file
from annotate.scores.scoring import score_corpus
from annotate.scores.styles import metric_and_style
from annotate.scores.uploading import read_scores, store_scores
from annotate.submissions.accepting import accept
from annotate.web.uploads import discard
from annotate.web.wording import validation_in_words
from core.wording import counted
from jobs.kinds import job_kind
from jobs.models import Job, JobState
from jobs.running import JobFailedError, RunningJob
from metrics import AnyMetric, ParameterError, UnknownMetricError, metric_from_text

WARNINGS_KEPT = 100


def _discard_if_cancelled(job: Job) -> None:
    """Files of a failed check are kept for a while, so that only the wrong ones have to be sent again."""
    if job.state == JobState.CANCELLED:
        discard(job.parameters["upload"])


@job_kind(CHECK_UPLOAD, when_finished=_discard_if_cancelled, only_computes=True)
def check_upload(job: RunningJob) -> dict[str, object]:
    """The dry run: the plan of an import, to be confirmed."""
    job.begin("Reading the files")
    with faults_in_words(job.parameters["upload"]):
        plan = plan_upload(job.parameters, uuid=job.uuid, owner=job.owner, progress=job)
    systems = [row.as_json() for row in plan.systems]
    recount = asdict(plan.recount) if plan.recount else None
    found = {"systems": systems, "tokenisation": plan.tokenisation, "recount": recount}
    return {**_summary(plan), "is_stored": plan.is_stored, **found}


def _discard_files(job: Job) -> None:
    discard(job.parameters["upload"])


@job_kind(IMPORT_UPLOAD, when_finished=_discard_files)
def import_upload(job: RunningJob) -> dict[str, object]:
    """Store what was uploaded, under the number of the job, so that a rerun knows its leftovers."""
    job.begin("Reading the files")
    with faults_in_words(job.parameters["upload"]):
        plan = plan_upload(
            job.parameters, uuid=job.uuid, owner=job.owner, progress=job, is_rerun=job.is_rerun
        )
        job.begin("Storing", total=plan.parts)
        stored = plan.store(job.advance)
    return {**_summary(plan), "url": stored.get_absolute_url()}


def _summary(plan: UploadPlan) -> dict[str, object]:
    return {
        "summary": plan.description,
        "warnings": plan.warnings[:WARNINGS_KEPT],
        "warning_count": len(plan.warnings),
    }


@job_kind(PREVIEW_CAMPAIGN, goes_first=True, only_computes=True)
def preview_campaign(job: RunningJob) -> dict[str, object]:
    """Preview the launch of a large draft."""
    campaign = Campaign.objects.select_related("corpus", "design").get(uuid=job.parameters["campaign"])
    job.begin("Drawing the items")
    draft_preview = preview.preview(campaign)
    return {
        "summary": f"{counted(draft_preview.items, 'item')}, {counted(draft_preview.judgments, 'judgment')}.",
        "preview": preview.to_json(draft_preview),
        "url": reverse("manage-campaign", args=[campaign.uuid]),
    }


@job_kind(LAUNCH_CAMPAIGN)
def launch_campaign(job: RunningJob) -> dict[str, object]:
    """Launch a draft; takes over from a killed attempt at once."""
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
def add_controls(job: RunningJob) -> dict[str, object]:
    """Add controls to a corpus, with source and references on request."""
    corpus = _corpus(job)
    job.begin("Making the controls", total=corpus.sentences.count())
    source = recognise_source(corpus)
    added = make_controls(
        corpus=corpus,
        additions=job.parameters["additions"],
        progress=job.advance,
    )
    names = ", ".join(NAMES[role] for role in added)
    recognised = f"{source} is identical to the source, and now has that role. " if source else ""
    return {
        "summary": recognised + (f"Added: {names}." if added else "All controls were already there."),
        "url": corpus.get_absolute_url(),
    }


@job_kind(ACCEPT_SUBMISSION)
def accept_submission(job: RunningJob) -> dict[str, object]:
    """Add a participant's system to its corpus."""
    submission = (
        Submission.objects.filter(uuid=job.parameters["submission"]).select_related("link__corpus").first()
    )
    if submission is None:
        raise JobFailedError("The submission has been deleted.")
    corpus = submission.link.corpus
    job.begin("Adding the outputs", total=corpus.sentence_count)
    system = accept(submission, by=job.owner, progress=job.advance, takes_over=job.is_rerun)
    done = f"System {system} is in the corpus." if system else "It was accepted already."
    return {"summary": done, "url": corpus.get_absolute_url()}


@job_kind(LABEL_EDITS)
def label_edits_of_corpus(job: RunningJob) -> dict[str, object]:
    """Find edits of outputs and references that have no types yet; what is done is kept if it ends early."""
    corpus = _corpus(job)
    job.begin("Looking for outputs without edit types")
    plan = plan_labelling(corpus, english_pipeline())
    job.begin("Parsing texts and labelling edits", total=plan.parts)
    labels = label_edits(plan, progress=job.advance)
    return {"summary": summary(labels), "url": f"{corpus.get_absolute_url()}#sentences"}


@job_kind(SCORE_CORPUS)
def score(job: RunningJob) -> dict[str, object]:
    """Score a corpus by automatic metrics."""
    corpus = _corpus(job)
    by_style: dict[str, list[AnyMetric]] = {}
    try:
        for text in job.parameters["metrics"]:
            metric, style = metric_and_style(text)
            by_style.setdefault(style, []).append(metric_from_text(metric))
    except (ParameterError, UnknownMetricError) as error:
        raise JobFailedError(f"{error}") from error
    summaries = [
        score_corpus(corpus=corpus, metrics=metrics, by=job.owner, steps=job, style=style).summary
        for style, metrics in by_style.items()
    ]
    return {"summary": " ".join(summaries), "url": reverse("corpus-scores", args=[corpus.uuid])}


@job_kind(STORE_SCORES, when_finished=_discard_files)
def store_uploaded_scores(job: RunningJob) -> dict[str, object]:
    """Store scores that were uploaded."""
    corpus = _corpus(job)
    job.begin("Reading the file")
    upload = job.parameters["upload"]
    with faults_in_words(upload):
        outputs = corpus_outputs(corpus)
        uploaded = read_scores(scores_file(upload), corpus, outputs, upload=job.uuid, progress=job)
    job.begin("Storing", total=sum(len(each.outputs) for each in uploaded))
    stored = store_scores(corpus, uploaded, by=job.owner, upload=job.uuid, progress=job.advance)
    return {
        "summary": f"Scores of {counted(len(stored), 'metric')} are stored.",
        "url": reverse("corpus-scores", args=[corpus.uuid]),
    }


@job_kind(DELETE_SCORES, can_stop=False)
def remove_scores(job: RunningJob) -> dict[str, object]:
    """Delete scores of a corpus."""
    score_set = ScoreSet.objects.filter(uuid=job.parameters["scores"]).first()
    if score_set is not None:
        job.begin("Deleting", total=score_set.output_scores.count())
        delete_scores(score_set, by=job.owner, progress=job.advance)
    return {"summary": "They are deleted completely."}


@job_kind(DELETE_CORPUS, can_stop=False)
def remove_corpus(job: RunningJob) -> dict[str, object]:
    """Delete a corpus with its campaigns."""
    return _delete(job, Corpus.objects.filter(uuid=job.parameters["corpus"]).first(), delete_corpus)


@job_kind(DELETE_CAMPAIGN, can_stop=False)
def remove_campaign(job: RunningJob) -> dict[str, object]:
    """Delete a campaign with its judgments."""
    return _delete(job, Campaign.objects.filter(uuid=job.parameters["campaign"]).first(), delete_campaign)


@job_kind(MAKE_REFERENCES)
def make_references_of(job: RunningJob) -> dict[str, object]:
    """Make references or a system of a campaign's answers; the scores of the corpus follow."""
    campaign = Campaign.objects.filter(uuid=job.parameters["campaign"]).select_related("corpus").first()
    if campaign is None:
        raise JobFailedError("The campaign has been deleted.")
    corpus = campaign.corpus
    job.begin("Finding edits")
    if job.parameters["what"] == AS_SYSTEM:
        made = make_system(campaign, name=job.parameters["name"], by=job.owner, progress=job.advance)
        return _references_made(corpus, f"System {job.parameters['name']}: {counted(made.size, 'output')}.")
    outdated = metrics_to_update(corpus)
    makers = {AS_VALID: make_valid_references, AS_ACCEPTED: make_accepted_references}
    make = makers.get(job.parameters["what"], make_references)
    made = make(campaign, by=job.owner, progress=job.advance)
    again = _score_again(corpus, outdated, job)
    return _references_made(corpus, f"{counted(made.size, 'new reference')}. {again}")


@job_kind(REMOVE_REFERENCES, can_stop=False)
def remove_references_of(job: RunningJob) -> dict[str, object]:
    """Remove references or a system that came from a campaign."""
    corpus = _corpus(job)
    made = ReferenceSet.objects.filter(uuid=job.parameters["references"]).select_related("corpus").first()
    if made is None:
        return _references_made(corpus, "They are removed.")
    job.begin("Removing", total=made.size)
    outdated = remove_references(made, by=job.owner, progress=job.advance)
    again = _score_again(corpus, outdated, job)
    return _references_made(corpus, f"They are removed. {again}")


def _score_again(corpus: Corpus, metrics: list[str], job: RunningJob) -> str:
    """Queue the scores that depend on references."""
    if not metrics or job.owner is None:
        return "No scores depend on them."
    queue_scoring(corpus, metrics, by=job.owner)
    return f"The scores by {', '.join(metrics)} are being updated."


def _references_made(corpus: Corpus, summary: str) -> dict[str, object]:
    return {"summary": summary, "url": reverse("references", args=[corpus.uuid])}


@job_kind(DRAFT_VALIDITY)
def draft_validity(job: RunningJob) -> dict[str, object]:
    """Draft a campaign about outputs that no reference contains."""
    corpus = _corpus(job)
    job.begin("Comparing outputs with references")
    parameters = job.parameters
    campaign = Campaign.objects.filter(name=parameters["name"], corpus=corpus).first()
    if not job.is_rerun or campaign is None:
        try:
            campaign = draft_validity_campaign(
                corpus,
                name=parameters["name"],
                most=parameters["most"],
                annotators=parameters["annotators"],
            )
        except ValidationError as error:
            raise JobFailedError(validation_in_words(error)) from error
    return {
        "summary": f"{counted(campaign.design.items, 'output')} to judge. Launch the draft to begin.",
        "url": reverse("manage-campaign", args=[campaign.uuid]),
    }


def _delete(job: RunningJob, row: Corpus | Campaign | None, delete: Callable[..., None]) -> dict[str, object]:
    """Once begun, it cannot be cancelled: half a deletion is of no use. A rerun may find nothing to do."""
    if row is not None:
        job.begin("Deleting", total=parts(row))
        delete(row, by=job.owner, progress=job.advance)
    return {"summary": "It is deleted completely."}


def _corpus(job: RunningJob) -> Corpus:
    corpus = Corpus.objects.filter(uuid=job.parameters["corpus"]).first()
    if corpus is None:
        raise JobFailedError("The corpus has been deleted.")
    return corpus
