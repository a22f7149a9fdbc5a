"""The page of a corpus."""

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render

from annotate.corpora import queries
from annotate.corpora.control_views import controls_form
from annotate.corpora.forms import SentenceFilter
from annotate.corpora.sentences import sentences, shown
from annotate.models import SystemRole
from annotate.web.access import AccountRequest, corpus_or_404, researcher
from annotate.web.filters import criteria
from annotate.web.paging import page_of

SENTENCES_PER_PAGE = 10


@researcher
def corpus(request: AccountRequest, uuid: UUID) -> HttpResponse:
    corpus = corpus_or_404(uuid)
    form = SentenceFilter(corpus, request.GET or None)
    page = page_of(sentences(corpus, **criteria(form)), request.GET, size=SENTENCES_PER_PAGE, by="position")
    systems = list(corpus.systems.all())
    context = {
        "corpus": corpus,
        "systems": systems,
        "labels": {system.name: system.label for system in systems if system.label},
        "error_counts": queries.inserted_error_counts(corpus),
        "controls_form": controls_form(corpus, systems) if request.user.is_admin else None,
        "roles": SystemRole,
        "histogram": queries.distinct_output_histogram(corpus),
        "form": form,
        "page": page.with_rows(shown(page)),
    }
    return render(request, "annotate/corpora/corpus.html", context)
