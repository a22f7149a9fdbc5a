"""Background jobs: progress and outcome. The owner or an admin may cancel one."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from annotate.web.access import AccountRequest, admin, check_may_cancel, may_cancel, researcher
from annotate.web.paging import page_of
from annotate.web.refusals import refusals_lead_to
from core.wording import counted
from jobs import queue
from jobs.kinds import can_be_cancelled
from jobs.models import Job

JOBS_PER_PAGE = 25
WARNINGS_SHOWN = 3
LEADS_TO_RESULT = "result"
"""The query of a job's page from which one gets to the result."""


@researcher
@require_safe
def jobs(request: AccountRequest) -> HttpResponse:
    rows = Job.objects.select_related("owner").defer("result")
    page = page_of(rows, request.GET, size=JOBS_PER_PAGE, by="-pk")
    return render(request, "annotate/jobs/list.html", {"page": page})


@researcher
@require_safe
@never_cache
def job(request: AccountRequest, uuid: UUID) -> HttpResponse:
    shown_job = _job_or_404(uuid)
    user = request.user
    if LEADS_TO_RESULT in request.GET and (address := (shown_job.result or {}).get("url")):
        _say_what_happened(request, shown_job)
        return redirect(address)
    context = {"job": shown_job, "may_cancel": can_be_cancelled(shown_job) and may_cancel(user, shown_job)}
    return render(request, "annotate/jobs/job.html", context)


@researcher
@require_safe
@never_cache
def progress(request: AccountRequest, uuid: UUID) -> HttpResponse:
    """Only the progress bar, which pages fetch every second; when the job has ended, they reload."""
    shown_job = _job_or_404(uuid)
    response = render(request, "annotate/jobs/_progress.html", {"job": shown_job})
    if shown_job.is_finished:
        response["HX-Refresh"] = "true"
    return response


@researcher
@require_POST
@refusals_lead_to("job", "uuid")
def cancel(request: AccountRequest, uuid: UUID) -> HttpResponse:
    unwanted = _job_or_404(uuid)
    check_may_cancel(request.user, unwanted)
    queue.cancel(unwanted)
    return redirect(unwanted)


@admin
@require_POST
def again(request: AccountRequest, uuid: UUID) -> HttpResponse:
    """Queue a new job with the same parameters."""
    same = _job_or_404(uuid)
    return redirect(
        queue.queue(kind=same.kind, title=same.title, parameters=same.parameters, owner=request.user)
    )


def address_to_result(job: Job) -> str:
    """The page of the job, which leads on to the result as soon as there is one."""
    return f"{job.get_absolute_url()}?{LEADS_TO_RESULT}"


def _say_what_happened(request: AccountRequest, done: Job) -> None:
    """Show the summary and the warnings of a job above its result."""
    result = done.result or {}
    messages.success(request, result.get("summary", ""))
    shown = result.get("warnings", [])[:WARNINGS_SHOWN]
    for warning in shown:
        messages.warning(request, warning)
    if (further := result.get("warning_count", 0) - len(shown)) > 0:
        messages.warning(
            request, f"{counted(further, 'more warning')}: see the job “{done}” on the page Jobs."
        )


def _job_or_404(uuid: UUID) -> Job:
    return get_object_or_404(Job.objects.select_related("owner"), uuid=uuid)
