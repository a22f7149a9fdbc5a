"""Pages of the scores of a corpus: overview, computing more, scores of one metric, downloads."""

from collections.abc import Iterable, Sequence
from uuid import UUID

from django.conf import settings
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotate.models import Corpus, ScoreSet, System, SystemRole
from annotate.scores import queries, tables
from annotate.scores.findings import (
    about_clear_scores,
    cited_metrics,
    cited_metrics_first,
    finding_of_scores,
    without_highest_of_the_source,
)
from annotate.scores.forms import MetricsForm, ScoresUpload, SentenceScoreFilter
from annotate.scores.queueing import jobs_of, queue_deletion, queue_scoring, queue_storing
from annotate.web.access import AccountRequest, admin, corpus_or_404, may_cancel, researcher
from annotate.web.downloads import giving_way
from annotate.web.filters import criteria
from annotate.web.images import image_of, layout_of
from annotate.web.paging import page_of
from annotate.web.registered_pages import peoples_ranking
from annotate.web.uploads import is_too_large
from figures.metrics.metric_scores import DrawnScore, metric_scores_figure
from formats import FormatError
from formats.writers.pieces import in_pieces

OUTPUTS_PER_PAGE = 20
OUTDATED = "anew"
"""The button that has outdated scores computed."""

MOST_DETAILS = 5
"""Number of further figures that a table has room for; the API has all."""

DETAILS = (
    "precision",
    "recall",
    "hit",
    "wrong",
    "under-corrected",
    "over-corrected",
    "TP",
    "FP",
    "FN",
    "correct",
    "proposed",
    "gold",
    "WAcc",
    "bleu_references",
    "bleu_source",
)
"""Figures to show if a metric has them, the most informative first."""

COUNTS = frozenset({"TP", "FP", "FN", "correct", "proposed", "gold"})

FILES = {"csv": "text/csv; charset=utf-8", "tex": "application/x-tex; charset=utf-8"}


@researcher
@require_safe
@never_cache
def scores(request: AccountRequest, uuid: UUID) -> HttpResponse:
    corpus = corpus_or_404(uuid)
    return _scores_page(request, corpus, MetricsForm(corpus))


@researcher
@require_POST
def compute(request: AccountRequest, uuid: UUID) -> HttpResponse:
    """Queue a job that scores the corpus by the chosen metrics."""
    corpus = corpus_or_404(uuid)
    metrics = [each.name for each in queries.outdated_sets(corpus)] if OUTDATED in request.POST else []
    if not metrics:
        form = MetricsForm(corpus, request.POST)
        if not form.metrics:
            return _scores_page(request, corpus, form, status=422)
        metrics = form.metrics
    job = queue_scoring(corpus, metrics, by=request.user)
    return redirect(f"{reverse('corpus-scores', args=[uuid])}?job={job.uuid}")


def _scores_page(
    request: AccountRequest, corpus: Corpus, form: MetricsForm, status: int = 200
) -> HttpResponse:
    everything = list(queries.score_sets(corpus).select_related("owner"))
    current = queries.newest(everything)
    sort = request.GET.get("sort", queries.BY_PEOPLE)
    people = peoples_ranking(corpus)
    table = cited_metrics_first(
        queries.score_table(corpus, current, sort=sort, ranked=people.ranks if people else ())
    )
    jobs = jobs_of(corpus, request.GET.get("job", ""))
    context = {
        "corpus": corpus,
        "form": form,
        "table": table,
        "rows": [
            (
                row.system,
                people.ranks.get(row.system.name) if people else None,
                zip(table.columns, row.cells, strict=True),
            )
            for row in without_highest_of_the_source(table).rows
        ],
        "people": people,
        "finding": finding_of_scores(table, people),
        "led": about_clear_scores(table),
        "cited": len(cited_metrics(table)) + bool(people),
        "labels": _labels(row.system for row in table.rows),
        "roles": SystemRole,
        "outdated": [queries.title_of(each) for each in queries.outdated_sets(corpus)],
        "sort": sort,
        "sets": [(each, queries.title_of(each), each in current) for each in everything],
        "jobs": [(job, may_cancel(request.user, job)) for job in jobs],
        "unfinished": not all(job.is_finished for job in jobs),
        "is_choosing": "choose" in request.GET or not table.columns or bool(form.faults),
    }
    return render(request, "annotate/scores/scores.html", context, status=status)


@researcher
@require_safe
def score_set(request: AccountRequest, uuid: UUID, scores: UUID) -> HttpResponse:
    """The scores of one metric: systems with their figures, and sentences."""
    corpus = corpus_or_404(uuid)
    shown_set = queries.score_set_or_404(corpus, scores)
    table = queries.score_table(corpus, [shown_set], sort=f"-{shown_set.uuid}")
    systems = sorted((row.system for row in table.rows), key=lambda system: system.name)
    form = SentenceScoreFilter(systems, request.GET or None)
    asked = criteria(form)
    sort = asked.get("sort", "")
    outputs = queries.output_scores(shown_set, system=asked.get("system", ""), scored_only=bool(sort))
    page = page_of(outputs, request.GET, size=OUTPUTS_PER_PAGE, by=sort or "position", then="pk")
    details = _details(table)
    context = {
        "corpus": corpus,
        "score_set": shown_set,
        "title": queries.title_of(shown_set),
        "details": details,
        "rows": [(row.system, row.cells[0], _figures(row.cells[0], details)) for row in table.rows],
        "labels": _labels(systems),
        "form": form,
        "page": page.with_rows(queries.shown(page)),
    }
    return render(request, "annotate/scores/score_set.html", context)


@researcher
@require_http_methods(["GET", "HEAD", "POST"])
def upload(request: AccountRequest, uuid: UUID) -> HttpResponse:
    """Upload scores that were computed elsewhere. If a line is wrong, it is named and nothing is stored."""
    corpus = corpus_or_404(uuid)
    is_sent = request.method == "POST"
    form = ScoresUpload(
        request.POST if is_sent else None, request.FILES if is_sent else None, label_suffix=""
    )
    if form.is_bound and is_too_large(request):
        form.add_error(None, f"The file is larger than {settings.UPLOAD_MAX_MB} MB.")
    if form.is_valid():
        try:
            job = queue_storing(corpus, form.cleaned_data["file"], by=request.user)
        except FormatError as error:
            form.add_error("file", str(error))
        else:
            return redirect(f"{reverse('corpus-scores', args=[uuid])}?job={job.uuid}")
    names = list(corpus.systems.filter(is_whole=True).order_by("name").values_list("name", flat=True))
    example = names[0] if names else "SYSTEM"
    context = {
        "corpus": corpus,
        "form": form,
        "most": settings.UPLOAD_MAX_MB,
        "names": names,
        "example": example,
    }
    return render(request, "annotate/scores/upload.html", context, status=422 if form.errors else 200)


@researcher
@require_safe
def table_file(request: AccountRequest, uuid: UUID, file: str) -> HttpResponseBase:
    """The scores of all systems as CSV, or as LaTeX for a paper."""
    corpus = corpus_or_404(uuid)
    if file not in FILES:
        raise Http404
    table = _table(corpus, queries.current_sets(corpus), request.GET.get("sort", ""))
    lines = tables.csv_of(table) if file == "csv" else tables.latex_of(table)
    return _download(lines, FILES[file], f"scores.{file}")


@researcher
@require_safe
def sentences_file(request: AccountRequest, uuid: UUID, scores: UUID) -> HttpResponseBase:
    """The scores of all sentences under one metric, as CSV."""
    shown_set = queries.score_set_or_404(corpus_or_404(uuid), scores)
    return _download(tables.csv_of_sentences(shown_set), FILES["csv"], "sentence-scores.csv")


@researcher
@require_safe
def figure(request: AccountRequest, uuid: UUID, image: str) -> HttpResponse:
    """The scores of all systems with their intervals, a panel for each metric."""
    corpus = corpus_or_404(uuid)
    return _image(request, corpus, queries.current_sets(corpus), image, sort=request.GET.get("sort", ""))


@researcher
@require_safe
def set_figure(request: AccountRequest, uuid: UUID, scores: UUID, image: str) -> HttpResponse:
    """The scores of one metric, the highest first."""
    corpus = corpus_or_404(uuid)
    drawn = queries.score_set_or_404(corpus, scores)
    return _image(request, corpus, [drawn], image, sort=f"-{drawn.uuid}")


@admin
@require_http_methods(["GET", "HEAD", "POST"])
def delete(request: AccountRequest, uuid: UUID, scores: UUID) -> HttpResponse:
    """Delete the scores of one metric, after a confirmation."""
    corpus = corpus_or_404(uuid)
    unwanted = queries.score_set_or_404(corpus, scores)
    if request.method != "POST":
        context = {"corpus": corpus, "score_set": unwanted, "title": queries.title_of(unwanted)}
        return render(request, "annotate/scores/delete.html", context)
    job = queue_deletion(unwanted, by=request.user)
    return redirect(f"{reverse('corpus-scores', args=[uuid])}?job={job.uuid}")


def _table(corpus: Corpus, sets: Sequence[ScoreSet], sort: str) -> queries.ScoreTable:
    people = peoples_ranking(corpus) if sort == queries.BY_PEOPLE else None
    return queries.score_table(corpus, sets, sort=sort, ranked=people.ranks if people else ())


def _labels(systems: Iterable[System]) -> dict[str, str]:
    return {system.name: system.label for system in systems if system.label}


def _details(table: queries.ScoreTable) -> list[str]:
    """The figures shown in the table of one set."""
    there = {name for row in table.rows if (score := row.cells[0].score) for name in score.details}
    return [name for name in DETAILS if name in there][:MOST_DETAILS]


def _figures(cell: queries.ScoreCell, details: Sequence[str]) -> list[str]:
    """The details as text."""
    stored = cell.score.details if cell.score else {}
    values = [stored.get(name) for name in details]
    return [
        "–" if value is None else _in_words(name, value) for name, value in zip(details, values, strict=True)
    ]


def _in_words(name: str, value: float) -> str:
    """Counts as whole numbers, except weighted counts; shares with four decimals."""
    if name not in COUNTS:
        return f"{value:.4f}"
    return f"{value:,.0f}" if value.is_integer() else f"{value:,.2f}"


def _image(
    request: AccountRequest, corpus: Corpus, sets: Sequence[ScoreSet], image: str, *, sort: str
) -> HttpResponse:
    table = _table(corpus, sets, sort)
    panels = []
    for place, column in enumerate(table.columns):
        drawn = [
            DrawnScore(row.system.shown, score.value, score.low, score.high)
            for row in table.rows
            if (score := row.cells[place].score) is not None and score.value is not None
        ]
        uploaded = " (uploaded)" if column.score_set.is_uploaded else ""
        panels.append((column.title + uploaded, drawn))
    order = [row.system.shown for row in table.rows]
    chart = metric_scores_figure(panels, order=order, title=str(corpus), layout=layout_of(request))
    signature = " · ".join(each.signature for each in sets)
    caption = "Score of each system with its 95% interval, a panel for each metric"
    return image_of(chart, request, image, signature=signature, caption=caption)


def _download(lines: Iterable[str], content_type: str, name: str) -> StreamingHttpResponse:
    return StreamingHttpResponse(
        giving_way(in_pieces(lines)),
        content_type=content_type,
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )
