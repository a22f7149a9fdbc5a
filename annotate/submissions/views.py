"""Pages of participants: they need no account, and see nothing but what they sent."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from annotate.models import Submission, SubmissionLink
from annotate.submissions.forms import FileForm, SubmissionForm
from annotate.submissions.links import link_of
from annotate.submissions.submitting import (
    MOST_BYTES,
    UPLOADS_PER_HOUR,
    CheckedFile,
    SubmissionRefusedError,
    check_file,
    confirm,
    confirmed_file,
    pending_file,
    replace_file,
    submission_of,
    submit,
)
from annotate.web.access import anyone
from annotate.web.addresses import address_of
from annotate.web.hourly_limits import too_many
from annotate.web.uploads import is_too_large
from formats import FormatError


@anyone
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def submit_system(request: HttpRequest, token: str) -> HttpResponse:
    """The page of a submission link: the form for a system and its file."""
    link = link_of(token)
    if link is None:
        return render(request, "annotate/submissions/dead_link.html", status=404)
    if not link.is_open:
        return render(request, "annotate/submissions/over.html", {"link": link})
    is_sent = request.method == "POST"
    form = SubmissionForm(
        request.POST if is_sent else None, request.FILES if is_sent else None, label_suffix=""
    )
    token_of_own = _taken(
        request, link, form, lambda checked: submit(link, name=form.cleaned_data["name"], checked=checked)
    )
    if token_of_own:
        return redirect("own-submission", token_of_own)
    context = {"link": link, "form": form, "most": MOST_BYTES // 2**20}
    return render(request, "annotate/submissions/submit.html", context, status=422 if form.errors else 200)


@anyone
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def own_submission(request: HttpRequest, token: str) -> HttpResponse:
    """A participant's own submission: its check, whether it is in, and the form to replace it."""
    submission = submission_of(token)
    if submission is None:
        return render(request, "annotate/submissions/dead_link.html", status=404)
    is_sent = request.method == "POST"
    form = FileForm(request.POST if is_sent else None, request.FILES if is_sent else None, label_suffix="")
    if _taken(request, submission.link, form, lambda checked: replace_file(submission, checked)):
        return redirect("own-submission", token)
    return _own_page(request, submission, token, form)


@anyone
@never_cache
@require_POST
def confirm_submission(request: HttpRequest, token: str) -> HttpResponse:
    """The participant confirms the checked file."""
    submission = submission_of(token)
    if submission is None:
        return render(request, "annotate/submissions/dead_link.html", status=404)
    try:
        confirm(submission)
    except SubmissionRefusedError as error:
        return _own_page(request, submission, token, FileForm(label_suffix=""), str(error))
    return redirect("own-submission", token)


def _own_page(
    request: HttpRequest, submission: Submission, token: str, form: FileForm, fault: str = ""
) -> HttpResponse:
    link = submission.link
    context = {
        "submission": submission,
        "link": link,
        "token": token,
        "pending": pending_file(submission),
        "confirmed": confirmed_file(submission),
        "form": form,
        "fault": fault,
        "most": MOST_BYTES // 2**20,
        "is_open": link.is_open,
        "has_ended": link.ends_at <= timezone.now(),
        "address": request.build_absolute_uri(request.path.removesuffix("confirm/")),
    }
    return render(
        request,
        "annotate/submissions/own.html",
        context,
        status=422 if form.errors or fault else 200,
    )


def _taken(
    request: HttpRequest, link: SubmissionLink, form: FileForm, take: Callable[[CheckedFile], str]
) -> str:
    """Check the file of a form and take it; empty if that failed, and the form says why."""
    if form.is_bound and is_too_large(request):
        form.add_error("file", f"The file is larger than {MOST_BYTES // 2**20} MB.")
    if not form.is_valid():
        return ""
    said = f"{link} has got {UPLOADS_PER_HOUR} files from one address within an hour."
    if too_many(f"submissions:{link.uuid}", address_of(request), UPLOADS_PER_HOUR, said=said):
        form.add_error("file", "Too many files have come from your network. Try again in an hour.")
        return ""
    try:
        return take(check_file(link, form.cleaned_data["file"]))
    except (FormatError, SubmissionRefusedError) as error:
        form.add_error("file", str(error))
        return ""
