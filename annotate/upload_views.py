"""The admin's imports: upload files, look at what they would store, confirm."""

from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotate.access import admin
from annotate.tasks import CHECK_UPLOAD, IMPORT_UPLOAD
from annotate.upload_forms import CorpusUpload, JudgmentsUpload, UploadForm
from annotate.uploads import folder_of, is_too_large, keep
from jobs.models import Job, JobState
from jobs.queue import jobs_like, queue

form_page = require_http_methods(["GET", "HEAD", "POST"])


@admin
@form_page
def corpus(request: HttpRequest) -> HttpResponse:
    return _upload(request, CorpusUpload, "corpus")


@admin
@form_page
def judgments(request: HttpRequest) -> HttpResponse:
    return _upload(request, JudgmentsUpload, "judgments")


@admin
@require_safe
@never_cache
def plan(request: HttpRequest, uuid: UUID) -> HttpResponse:
    check = get_object_or_404(Job, uuid=uuid, kind=CHECK_UPLOAD)
    context = {
        "job": check,
        "what": check.parameters["what"],
        "import": jobs_like(kind=IMPORT_UPLOAD, parameters=check.parameters).first(),
        "is_there": folder_of(check.parameters["upload"]).is_dir(),
    }
    return render(request, "annotate/imports/plan.html", context)


@admin
@require_POST
def confirm(request: HttpRequest, uuid: UUID) -> HttpResponse:
    check = get_object_or_404(Job, uuid=uuid, kind=CHECK_UPLOAD)
    if check.state != JobState.DONE:
        messages.error(request, "There is nothing to confirm yet.")
        return redirect("upload", check.uuid)
    before = jobs_like(kind=IMPORT_UPLOAD, parameters=check.parameters).first()
    return redirect(
        before
        or queue(
            kind=IMPORT_UPLOAD,
            title=check.title.replace("Check of", "Import of", 1),
            parameters=check.parameters,
            owner=request.user,
        )
    )


def _upload(request: HttpRequest, form_class: type[UploadForm], what: str) -> HttpResponse:
    sent = request.method == "POST"
    form = form_class(request.POST, request.FILES, label_suffix="") if sent else form_class(label_suffix="")
    if sent and is_too_large(request):
        form.add_error(None, f"That is more than {settings.UPLOAD_MAX_MB} MB at once.")
    if form.is_valid():
        files = form.uploaded()
        check = queue(
            kind=CHECK_UPLOAD,
            title=f"Check of {what} {form.cleaned_data['name']}",
            parameters={
                "upload": str(keep(files)),
                "what": what,
                "options": form.options(),
                "files": {field: [str(file.name) for file in found] for field, found in files.items()},
            },
            owner=request.user,
        )
        return redirect("upload", check.uuid)
    context = {"form": form, "what": what, "most": settings.UPLOAD_MAX_MB}
    return render(request, "annotate/imports/form.html", context, status=422 if sent else 200)
