"""Controls of a corpus: admins make them; anyone who may view the corpus can download their table."""

from collections.abc import Iterator, Sequence
from uuid import UUID

from django.db.models import F
from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_POST, require_safe

from annotate.corpora.forms import ControlsForm
from annotate.database.column_reading import Among
from annotate.models import Corpus, InsertedError, Reference, System, SystemRole
from annotate.models.job_kinds import MAKE_CONTROLS
from annotate.web.access import AccountRequest, admin, corpus_or_404, researcher
from annotate.web.downloads import giving_way
from core.formulas import guarded
from core.tables import csv_text
from formats.writers.pieces import in_pieces
from jobs.queue import queue

COLUMNS = ("sentence", "system", "kind", "start", "end", "source_text", "replacement", "output")
READ = (
    "production__sentence",
    "start",
    "pk",
    "end",
    "production__system",
    "kind",
    "replacement",
    "production__output__text",
)
SENTENCES_AT_ONCE = 2500


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
        giving_way(in_pieces(csv_text(COLUMNS, _rows_of_controls(corpus)))),
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": 'attachment; filename="controls.csv"'},
    )


def _rows_of_controls(corpus: Corpus) -> Iterator[tuple[object, ...]]:
    """Rows of the controls, in the order of the sentences. Only outputs of the named controls are read."""
    controls = dict(corpus.systems.filter(role=SystemRole.CONTROL, is_whole=True).values_list("pk", "name"))
    for begin in range(0, corpus.sentence_count, SENTENCES_AT_ONCE):
        positions = (begin, begin + SENTENCES_AT_ONCE - 1)
        read = corpus.sentences.filter(position__range=positions).values_list("pk", "position", "text")
        sentences = {key: (position, text or "") for key, position, text in read}
        errors = InsertedError.objects.filter(
            Among(F("production__sentence"), [*sentences]), production__system__in=controls
        )
        rows = [(*sentences[key], *error) for key, *error in errors.values_list(*READ)]
        for position, source, start, _, end, system, kind, replacement, output in sorted(rows):
            replaced = guarded(source[start:end])
            name, inserted = controls[system], guarded(replacement)
            yield position, name, kind, start, end, replaced, inserted, guarded(output)
