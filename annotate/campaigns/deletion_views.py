"""Deletion of a corpus or a campaign: the page lists what will be deleted and asks for the name."""

from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from annotate.campaigns.deletion import in_use
from annotate.campaigns.deletion_forms import DeletionForm
from annotate.models import Campaign, Corpus, listed
from annotate.models.job_kinds import DELETE_CAMPAIGN, DELETE_CORPUS
from annotate.web.access import AccountRequest, admin, campaign_or_404, corpus_or_404, may_delete, researcher
from jobs.queue import queue

page = require_http_methods(["GET", "HEAD", "POST"])


@admin
@page
def delete_corpus(request: AccountRequest, uuid: UUID) -> HttpResponse:
    corpus = corpus_or_404(uuid)
    return _delete(request, corpus, corpus.campaigns.all(), DELETE_CORPUS)


@researcher
@page
def delete_campaign(request: AccountRequest, uuid: UUID) -> HttpResponse:
    campaign = campaign_or_404(uuid)
    if not may_delete(request.user, campaign):
        raise PermissionDenied("Only admins, or the user who imported the judgments, can delete it.")
    return _delete(request, campaign, Campaign.objects.filter(pk=campaign.pk), DELETE_CAMPAIGN)


def _delete(
    request: AccountRequest, row: Corpus | Campaign, campaigns: QuerySet[Campaign], job_kind: str
) -> HttpResponse:
    """Ask for the name; then queue a job, because a large corpus takes long."""
    kind = str(row._meta.verbose_name)
    dependants = list(listed.with_exports(campaigns))
    busy = in_use(dependants)
    form = DeletionForm(request.POST if request.method == "POST" else None, name=row.name)
    if form.is_valid() and not busy:
        return redirect(
            queue(
                kind=job_kind,
                title=f"Deletion of {kind} {row}",
                parameters={kind: str(row.uuid)},
                owner=request.user,
            )
        )
    context = {"row": row, "kind": kind, "campaigns": dependants, "busy": busy, "form": form}
    return render(request, "annotate/campaigns/delete.html", context)
