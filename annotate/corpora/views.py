"""The page of a corpus."""

from collections.abc import Iterable
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotate.corpora import queries
from annotate.corpora.control_views import controls_form
from annotate.corpora.edit_filter import edit_filter
from annotate.corpora.forms import SentenceFilter
from annotate.corpora.labelling_jobs import unfinished_labelling
from annotate.corpora.sentences import ShownSentence, sentences, shown
from annotate.corpora.withdrawal import WITHDRAWABLE
from annotate.models import EditLabels, SystemRole
from annotate.scores.queries import scores_by_output
from annotate.web.access import AccountRequest, corpus_or_404, researcher
from annotate.web.filters import criteria
from annotate.web.paging import page_of
from metrics.edits.errant_types import PLACES, in_words

SENTENCES_PER_PAGE = 10
ESSAYS_PER_PAGE = 2


@researcher
@require_safe
def corpus(request: AccountRequest, uuid: UUID) -> HttpResponse:
    corpus = corpus_or_404(uuid)
    systems = list(corpus.systems.all())
    labels = EditLabels.objects.filter(corpus=corpus).first()
    form = SentenceFilter(corpus, systems, labels, request.GET or None)
    asked = criteria(form)
    edits = edit_filter(asked)
    size = ESSAYS_PER_PAGE if corpus.holds_essays else SENTENCES_PER_PAGE
    page = page_of(sentences(corpus, **asked), request.GET, size=size, by="position")
    rows = shown(page)
    names = {system.name: system.label for system in systems if system.label}
    context = {
        "corpus": corpus,
        "systems": systems,
        "labels": names,
        "error_counts": queries.inserted_error_counts(corpus),
        "controls_form": controls_form(corpus, systems) if request.user.is_admin else None,
        "roles": SystemRole,
        "withdrawable": [each for each in systems if each.role in WITHDRAWABLE and each.is_whole],
        "waiting": queries.waiting_submissions(corpus) if request.user.is_admin else 0,
        "withdrawn": list(corpus.withdrawn) if request.user.is_admin else [],
        "histogram": queries.distinct_output_histogram(corpus),
        "edit_labels": labels,
        "unlabelled": queries.unlabelled_outputs(corpus, labels),
        "labelling": unfinished_labelling(corpus),
        "edits": edits,
        "edits_in_words": edits.in_words(names.get(edits.system, edits.system)) if edits else "",
        "edit_types": _types(rows),
        "form": form,
        "page": page.with_rows(rows),
        "scores": scores_by_output(corpus, [sentence.position for sentence in page]),
    }
    return render(request, "annotate/corpora/corpus.html", context)


def _types(rows: Iterable[ShownSentence]) -> dict[str, str]:
    """The types of the shown edits with their meanings, in ERRANT's order."""
    outputs = (output.labelled_edits for row in rows for output in row.outputs)
    references = (reference.labelled_edits for row in rows for reference in row.references)
    types = {edit.type for edits in (*outputs, *references) for edit in edits or ()}
    return {kind: in_words(kind) for kind in sorted(types, key=PLACES.__getitem__)}
