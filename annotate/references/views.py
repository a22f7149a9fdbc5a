"""The page of a corpus's collected references, and what admins do with corrections and judgments."""

from functools import partial
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.text import slugify
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotate.models import Campaign, Corpus, Origin
from annotate.references.answers import collects_corrections, judges_edits, judges_validity
from annotate.references.exporting import M2, export_accepted_edits, export_corrections
from annotate.references.forms import MakeForm, ValidityForm
from annotate.references.queries import references_of
from annotate.references.queueing import AS_ACCEPTED, AS_VALID, queue_draft, queue_making, queue_removal
from annotate.web.access import AccountRequest, admin, campaign_or_404, corpus_or_404, researcher
from annotate.web.downloads import giving_way
from annotate.web.registered_pages import address_of_analysis
from formats.snapshot.vocabulary import ProtocolName
from formats.writers.corrections import CORRECTIONS_FORMATS

MOST_ANNOTATORS = 50
"""Annotators whose references the page lists."""


@researcher
@require_safe
def references(request: AccountRequest, uuid: UUID) -> HttpResponse:
    """The references of a corpus, those that came from campaigns, and how to get more."""
    return _page(request, corpus_or_404(uuid), ValidityForm(corpus_or_404(uuid)))


@admin
@require_POST
def draft_validity(request: AccountRequest, uuid: UUID) -> HttpResponse:
    """Queue a job that drafts a campaign about outputs that no reference contains."""
    corpus = corpus_or_404(uuid)
    form = ValidityForm(corpus, request.POST)
    if not form.is_valid():
        return _page(request, corpus, form, status=422)
    return redirect(queue_draft(corpus, **form.cleaned_data, by=request.user))


@admin
@require_POST
def make(request: AccountRequest, uuid: UUID) -> HttpResponse:
    """Queue a job that makes references, or a system, of the answers of a campaign."""
    campaign = campaign_or_404(uuid)
    if judges_validity(campaign):
        return redirect(queue_making(campaign, AS_VALID, by=request.user))
    if judges_edits(campaign):
        return redirect(queue_making(campaign, AS_ACCEPTED, by=request.user))
    if not collects_corrections(campaign):
        raise Http404
    form = MakeForm(request.POST, label_suffix="")
    if not form.is_valid():
        for faults in form.errors.values():
            messages.error(request, " ".join(map(str, faults)))
        return redirect(address_of_analysis(campaign, "corrections"))
    what, name = form.cleaned_data["what"], form.cleaned_data["name"]
    return redirect(queue_making(campaign, what, name=name, by=request.user))


@admin
@require_http_methods(["GET", "HEAD", "POST"])
def remove(request: AccountRequest, uuid: UUID, made: UUID) -> HttpResponse:
    """Remove references or a system that came from a campaign, after a confirmation."""
    corpus = corpus_or_404(uuid)
    unwanted = get_object_or_404(corpus.reference_sets.select_related("system"), uuid=made)
    if request.method != "POST":
        return render(request, "annotate/references/remove.html", {"corpus": corpus, "made": unwanted})
    return redirect(queue_removal(unwanted, by=request.user))


@researcher
@require_safe
def corrections_file(request: AccountRequest, uuid: UUID, file: str) -> HttpResponseBase:
    """The corrections of a campaign as a file; of judged edits, those that each annotator accepted, as M2."""
    campaign = campaign_or_404(uuid)
    is_of_edits = file == M2 and judges_edits(campaign)
    if not is_of_edits and (file not in CORRECTIONS_FORMATS or not collects_corrections(campaign)):
        raise Http404
    made = CORRECTIONS_FORMATS[file]
    name = f"{slugify(campaign.name) or campaign.uuid}-corrections{made.suffix}"
    export = export_accepted_edits if is_of_edits else partial(export_corrections, file=file)
    return StreamingHttpResponse(
        giving_way(export(campaign, by=request.user)),
        content_type=made.content_type,
        headers={"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"},
    )


def _page(request: AccountRequest, corpus: Corpus, form: ValidityForm, *, status: int = 200) -> HttpResponse:
    there = references_of(corpus)
    sets = list(corpus.reference_sets.select_related("campaign", "system", "owner").order_by("-pk"))
    asked = (ProtocolName.CORRECTION, ProtocolName.VALIDITY, ProtocolName.EDITS)
    campaigns = Campaign.objects.filter(corpus=corpus, protocol__in=asked).order_by("name")
    context = {
        "corpus": corpus,
        "there": there,
        "shown": there.annotators[:MOST_ANNOTATORS],
        "further": len(there.annotators[MOST_ANNOTATORS:]),
        "sets": sets,
        "has_grown": any(made.origin == Origin.JUDGED for made in sets),
        "campaigns": campaigns.exclude(state__in=("importing", "deleting")),
        "form": form,
    }
    return render(request, "annotate/references/references.html", context, status=status)
