"""The page of a corpus's submission links and submissions."""

from uuid import UUID

from django.contrib import messages
from django.db.models import Max, Prefetch, Q
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from annotate.models import Corpus, Submission, SubmissionLink, SubmittedFile
from annotate.submissions.forms import LinkForm
from annotate.submissions.links import make_link, revoke_link, token_of
from annotate.submissions.submitting import queue_acceptance
from annotate.web.access import AccountRequest, admin, corpus_or_404


@admin
@require_http_methods(["GET", "HEAD", "POST"])
def submissions(request: AccountRequest, uuid: UUID) -> HttpResponse:
    """The links with their addresses, the submissions, and the form for a new link."""
    corpus = corpus_or_404(uuid)
    form = LinkForm(request.POST if request.method == "POST" else None, label_suffix="")
    if form.is_valid():
        make_link(corpus, **form.cleaned_data, by=request.user)
        messages.success(request, "The link is made. Send its address to the participants.")
        return redirect("submissions", uuid)
    links = list(SubmissionLink.objects.filter(corpus=corpus).select_related("corpus"))
    context = {
        "corpus": corpus,
        "form": form,
        "links": [(link, _address(request, link)) for link in links],
        "submissions": _confirmed(corpus),
        "now": timezone.now(),
    }
    return render(
        request, "annotate/submissions/submissions.html", context, status=422 if form.errors else 200
    )


@admin
@require_POST
def revoke(request: AccountRequest, uuid: UUID, entrance: UUID) -> HttpResponse:
    """Close a link before its date."""
    links = SubmissionLink.objects.filter(corpus=corpus_or_404(uuid)).select_related("corpus")
    revoke_link(get_object_or_404(links, uuid=entrance), by=request.user)
    messages.success(request, "The link is closed. What was submitted by it stays.")
    return redirect("submissions", uuid)


@admin
@require_POST
def accept(request: AccountRequest, uuid: UUID, submission: UUID) -> HttpResponse:
    """Queue the job that adds a submission to the corpus."""
    corpus = corpus_or_404(uuid)
    wanted = get_object_or_404(
        Submission.objects.filter(link__corpus=corpus, files__confirmed_at__isnull=False).distinct(),
        uuid=submission,
    )
    queue_acceptance(wanted, by=request.user)
    messages.success(request, f"{wanted} joins the corpus as soon as a worker has added it.")
    return redirect("submissions", uuid)


def _address(request: AccountRequest, link: SubmissionLink) -> str:
    token = token_of(link)
    return request.build_absolute_uri(reverse("submit-system", args=[token])) if token else ""


def _confirmed(corpus: Corpus) -> list[Submission]:
    """The confirmed submissions, the newest first, with the file that counts as their only one."""
    files = SubmittedFile.objects.exclude(confirmed_at=None).defer("text")
    confirmed_at = Max("files__confirmed_at", filter=Q(files__confirmed_at__isnull=False))
    rows = Submission.objects.filter(link__corpus=corpus).annotate(confirmed_at=confirmed_at)
    return list(
        rows.exclude(confirmed_at=None)
        .select_related("link", "system")
        .prefetch_related(Prefetch("files", files))
        .order_by("-confirmed_at")
    )
