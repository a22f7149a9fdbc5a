"""Request to label the edits of a corpus with ERRANT's types."""

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from annotate.corpora.labelling_jobs import queue_labelling
from annotate.web.access import AccountRequest, corpus_or_404, researcher


@researcher
@require_POST
def label(request: AccountRequest, uuid: UUID) -> HttpResponse:
    """Queue a job that labels them."""
    return redirect(queue_labelling(corpus_or_404(uuid), by=request.user))
