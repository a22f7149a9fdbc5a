"""Imports: upload files, check the plan, confirm."""

from collections.abc import Mapping
from dataclasses import asdict
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.core import signing
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotate.imports.forms import (
    AdditionUpload,
    CorpusUpload,
    JudgmentsOfCorpusUpload,
    JudgmentsUpload,
    UploadForm,
)
from annotate.imports.queueing import Purpose, import_title, queue_check
from annotate.imports.system_table import SystemTable
from annotate.models import Corpus
from annotate.models.corpora import Tokenisation
from annotate.models.job_kinds import CHECK_UPLOAD, IMPORT_UPLOAD
from annotate.web.access import AccountRequest, admin, corpus_or_404, researcher
from annotate.web.job_views import address_to_result
from annotate.web.uploads import files_in, folder_of, is_too_large, keep_files
from jobs.models import Job, JobState
from jobs.queue import queue

KEPT_FILES = "kept-files"
"""Salt of the signature under a form's reference to files that are here already."""

form_page = require_http_methods(["GET", "HEAD", "POST"])


@researcher
@form_page
def upload_corpus(request: AccountRequest) -> HttpResponse:
    return _upload(request, Purpose("corpus", CorpusUpload))


@admin
@form_page
def upload_addition(request: AccountRequest, uuid: UUID) -> HttpResponse:
    """Add systems and references to a corpus."""
    return _upload(request, Purpose("addition", AdditionUpload, corpus_or_404(uuid)))


@researcher
@form_page
def upload_judgments(request: AccountRequest) -> HttpResponse:
    form = JudgmentsUpload if request.user.is_admin else JudgmentsOfCorpusUpload
    return _upload(request, Purpose("judgments", form))


@researcher
@require_safe
@never_cache
def plan(request: AccountRequest, uuid: UUID) -> HttpResponse:
    check = _check_or_404(request, uuid)
    return _plan_page(request, check, _table(check))


@researcher
@require_POST
def confirm(request: AccountRequest, uuid: UUID) -> HttpResponse:
    check = _check_or_404(request, uuid)
    if check.state != JobState.DONE:
        messages.error(request, "There is nothing to confirm yet.")
        return redirect("upload", check.uuid)
    if before := _import_of(check):
        return redirect(address_to_result(before))
    plan = check.result or {}
    options = dict(check.parameters["options"])
    if plan.get("systems"):
        table = _table(check, request.POST)
        if not table.is_valid():
            return _plan_page(request, check, table, status=422)
        options["systems"] = {key: asdict(names) for key, names in table.names().items()}
    if (tokenisation := request.POST.get("tokenisation")) in Tokenisation.values:
        options["tokenisation"] = tokenisation
    if recount := plan.get("recount"):
        options["first_sentence"] = recount["first_sentence"]
    job = queue(
        kind=IMPORT_UPLOAD,
        title=import_title(check.title),
        parameters={**check.parameters, "options": options},
        owner=request.user,
    )
    return redirect(address_to_result(job))


def _check_or_404(request: AccountRequest, uuid: UUID, **criteria: str) -> Job:
    """A check that the account has requested; an admin sees all checks."""
    whose = {} if request.user.is_admin else {"owner": request.user}
    return get_object_or_404(Job, uuid=uuid, kind=CHECK_UPLOAD, **whose, **criteria)


def _table(check: Job, data: Mapping[str, object] | None = None) -> SystemTable:
    return SystemTable((check.result or {}).get("systems", []), data)


def _import_of(check: Job) -> Job | None:
    """The import job of a confirmed check; each check has its own upload."""
    imports = Job.objects.filter(kind=IMPORT_UPLOAD, parameters__upload=check.parameters["upload"])
    return imports.order_by("-pk").first()


def _plan_page(request: AccountRequest, check: Job, table: SystemTable, status: int = 200) -> HttpResponse:
    options, what = check.parameters["options"], check.parameters["what"]
    grows = what == "addition"
    corpus = Corpus.objects.filter(uuid=options["corpus"]).first() if grows else None
    form = reverse(f"upload-{what}", args=[options["corpus"]] if grows else [])
    context = {
        "job": check,
        "corpus": corpus,
        "correct": f"{form}?correct={check.uuid}",
        "import": _import_of(check),
        "is_there": folder_of(check.parameters["upload"]).is_dir(),
        "table": table,
        "tokenisations": Tokenisation.choices,
        "language": corpus.language if corpus else options.get("language", ""),
        "wrong": status != 200,
    }
    return render(request, "annotate/imports/plan.html", context, status=status)


def _upload(request: AccountRequest, purpose: Purpose) -> HttpResponse:
    if request.method != "POST":
        context = _corrected(request, purpose) or {"form": purpose.form(label_suffix="")}
        return _form_page(request, purpose, context)
    earlier = _earlier(request)
    kept = files_in(earlier) if earlier else {}
    form = purpose.form(request.POST, request.FILES, kept=kept, label_suffix="")
    if is_too_large(request):
        form.add_error(None, f"That is more than {settings.UPLOAD_MAX_MB} MB at once.")
    if form.is_valid():
        new = form.uploaded()
        upload = keep_files(new, earlier=earlier, still_wanted=form.still_kept(new))
        return redirect("upload", queue_check(purpose, form, upload, by=request.user).uuid)
    return _form_page(request, purpose, _keep_for_another_attempt(request, form, earlier), status=422)


def _form_page(
    request: AccountRequest, purpose: Purpose, context: dict[str, object], status: int = 200
) -> HttpResponse:
    most_files = f"{settings.DATA_UPLOAD_MAX_NUMBER_FILES:,}"
    context |= {
        "what": purpose.what,
        "corpus": purpose.corpus,
        "most": settings.UPLOAD_MAX_MB,
        "most_files": most_files,
    }
    return render(request, "annotate/imports/form.html", context, status=status)


def _corrected(request: AccountRequest, purpose: Purpose) -> dict[str, object] | None:
    """The form as sent for the check that the address names, and the error that it found."""
    try:
        uuid = UUID(request.GET.get("correct", ""))
    except ValueError:
        return None
    check = _check_or_404(request, uuid, parameters__what=purpose.what)
    kept = files_in(check.parameters["upload"])
    faulty = [
        (field, name)
        for field, names in kept.items()
        for name in names
        if check.error.startswith((f"{field}/{name}:", f"{field}/{name} "))
    ]
    form = purpose.form(initial=check.parameters["options"], kept=kept, faulty=faulty, label_suffix="")
    return {"form": form, "fault": check.error, "earlier": _token(request, check.parameters["upload"])}


def _keep_for_another_attempt(
    request: AccountRequest, form: UploadForm, earlier: str | None
) -> dict[str, object]:
    """The content of the form after an error: the answers, and the files that are valid by themselves."""
    new = form.acceptable()
    still = form.still_kept(new)
    if not new:
        return {"form": form, "earlier": earlier and _token(request, earlier)}
    upload = str(keep_files(new, earlier=earlier, still_wanted=still))
    form.show_as_kept(files_in(upload))
    return {"form": form, "earlier": _token(request, upload)}


def _token(request: AccountRequest, upload: str) -> str:
    """The form's token for files that were already sent; it is of no use to other accounts."""
    return signing.dumps([upload, request.user.pk], salt=KEPT_FILES)


def _earlier(request: AccountRequest) -> str | None:
    """The upload of an earlier attempt, whose files may be kept."""
    try:
        upload, user = signing.loads(request.POST.get("earlier", ""), salt=KEPT_FILES)
    except signing.BadSignature:
        return None
    return str(upload) if user == request.user.pk else None
