"""The page on which the description of a corpus is changed."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from annotate.corpora.describing import describe
from annotate.corpora.description_form import DescriptionForm
from annotate.web.access import AccountRequest, admin, corpus_or_404
from annotate.web.refusals import FaultsAt


@admin
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: AccountRequest, uuid: UUID) -> HttpResponse:
    corpus = corpus_or_404(uuid)
    sent = (request.POST, request.FILES) if request.method == "POST" else ()
    form = DescriptionForm(corpus, *sent)
    if form.is_valid():
        with FaultsAt(form, None):
            describe(
                corpus,
                name=form.cleaned_data["name"],
                language=form.cleaned_data["language"],
                tokenisation=form.cleaned_data["tokenisation"],
                holds_essays=form.cleaned_data["holds_essays"],
                systems=form.names(),
                domains=form.cleaned_data["domains"],
                by=request.user,
            )
            messages.success(request, "The changes are saved.")
            return redirect(corpus)
    stored = corpus_or_404(uuid)
    return render(request, "annotate/corpora/edit.html", {"form": form, "corpus": stored})
