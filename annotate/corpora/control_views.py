"""Controls of a corpus: admins make them; anyone who may view the corpus can download their table."""

from collections.abc import Iterator, Sequence
from uuid import UUID

from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_POST, require_safe

from annotate.corpora.forms import ControlsForm
from annotate.corpora.queries import inserted_errors
from annotate.models import Corpus, Reference, System, SystemRole
from annotate.storage.job_kinds import MAKE_CONTROLS
from annotate.web.access import AccountRequest, admin, corpus_or_404, researcher
from annotate.web.downloads import giving_way
from core.formulas import guarded
from core.tables import csv_lines
from formats.writers.pieces import in_pieces
from jobs.queue import queue

COLUMNS = ("sentence", "system", "kind", "start", "end", "source_text", "replacement", "output")
READ = (
    "production__sentence__position",
    "production__system__name",
    "production__sentence__text",
    "kind",
    "start",
    "end",
    "replacement",
    "production__output__text",
)
SENTENCES_AT_ONCE = 500


def controls_form(corpus: Corpus, systems: Sequence[System]) -> ControlsForm | None:
    """The form for making controls; None if the corpus has controls."""
    roles = {system.role for system in systems if system.is_whole}
    if SystemRole.CONTROL in roles or not corpus.has_texts:
        return None
    missing = set(SystemRole.values) - roles
    if not Reference.objects.filter(sentence__corpus=corpus).exists():
        missing.discard(SystemRole.REFERENCE)
    return ControlsForm(missing)


@admin
@require_POST
def make(request: AccountRequest, uuid: UUID) -> HttpResponse:
    """Queue a job that makes the controls."""
    corpus = corpus_or_404(uuid)
    form = ControlsForm(SystemRole.values, request.POST)
    if not form.is_valid():
        return redirect(f"{corpus.get_absolute_url()}#make-controls")
    parameters = {"corpus": str(corpus.uuid), **form.cleaned_data}
    job = queue(
        kind=MAKE_CONTROLS,
        title=f"Controls of corpus {corpus}",
        parameters=parameters,
        owner=request.user,
    )
    return redirect(job)


@researcher
@require_safe
def table(request: AccountRequest, uuid: UUID) -> HttpResponseBase:
    """The errors inserted into each source, as CSV; character offsets count from 0."""
    corpus = corpus_or_404(uuid)
    return StreamingHttpResponse(
        giving_way(in_pieces(csv_lines(COLUMNS, _rows(corpus)))),
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": 'attachment; filename="controls.csv"'},
    )


def _rows(corpus: Corpus) -> Iterator[tuple[object, ...]]:
    for begin in range(0, corpus.sentence_count, SENTENCES_AT_ONCE):
        positions = (begin, begin + SENTENCES_AT_ONCE - 1)
        errors = inserted_errors(corpus).filter(production__sentence__position__range=positions)
        for position, system, source, kind, start, end, replacement, output in errors.values_list(*READ):
            replaced = guarded((source or "")[start:end])
            yield position, system, kind, start, end, replaced, guarded(replacement), guarded(output)
