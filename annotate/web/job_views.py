"""What runs beside the server: how far it is, how it ended. Its owner or an admin may cancel it."""

from typing import cast
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from annotate.models import User
from annotate.web.access import admin, check_may_cancel, may_cancel, researcher
from annotate.web.paging import page_of
from jobs import queue
from jobs.kinds import can_be_cancelled
from jobs.models import Job
from jobs.queue import CancelRefusedError

JOBS_PER_PAGE = 25


@researcher
@require_safe
def jobs(request: HttpRequest) -> HttpResponse:
    rows = Job.objects.select_related("owner").defer("result")
    page = page_of(rows, request.GET, size=JOBS_PER_PAGE, by="-pk")
    return render(request, "annotate/jobs/list.html", {"page": page})


@researcher
@require_safe
@never_cache
def job(request: HttpRequest, uuid: UUID) -> HttpResponse:
    shown_job = _job_or_404(uuid)
    user = cast(User, request.user)
    context = {"job": shown_job, "may_cancel": can_be_cancelled(shown_job) and may_cancel(user, shown_job)}
    return render(request, "annotate/jobs/job.html", context)


@researcher
@require_safe
@never_cache
def progress(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """The bar alone, which pages fetch every second; when the job has ended, they are loaded anew."""
    shown_job = _job_or_404(uuid)
    response = render(request, "annotate/jobs/_progress.html", {"job": shown_job})
    if shown_job.is_finished:
        response["HX-Refresh"] = "true"
    return response


@researcher
@require_POST
def cancel(request: HttpRequest, uuid: UUID) -> HttpResponse:
    unwanted = _job_or_404(uuid)
    check_may_cancel(cast(User, request.user), unwanted)
    try:
        queue.cancel(unwanted)
    except CancelRefusedError as error:
        messages.error(request, str(error))
    return redirect(unwanted)


@admin
@require_POST
def again(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """A new job that tries the same."""
    same = _job_or_404(uuid)
    return redirect(
        queue.queue(kind=same.kind, title=same.title, parameters=same.parameters, owner=request.user)
    )


def _job_or_404(uuid: UUID) -> Job:
    return get_object_or_404(Job.objects.select_related("owner"), uuid=uuid)
