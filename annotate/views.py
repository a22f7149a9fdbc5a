from typing import Any, cast
from uuid import UUID

from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from annotate import queries
from annotate.access import account, campaign_or_404, corpus_or_404, may_delete, researcher
from annotate.control_views import controls_form
from annotate.forms import JudgmentFilter, SentenceFilter
from annotate.models import Role, SystemRole, User
from annotate.pages import page_of
from annotate.protocols import PROTOCOLS
from annotate.sentences import sentences, shown

SENTENCES_PER_PAGE = 10
JUDGMENTS_PER_PAGE = 10


@account
def home(request: HttpRequest) -> HttpResponse:
    user = cast(User, request.user)
    if not user.may_research:
        return render(request, "annotate/own_work.html", {"campaigns": queries.campaigns_of(user)})
    return render(
        request, "annotate/home.html", {"corpora": queries.corpora(), "campaigns": queries.campaigns()}
    )


@researcher
def corpus(request: HttpRequest, uuid: UUID) -> HttpResponse:
    corpus = corpus_or_404(uuid)
    form = SentenceFilter(corpus, request.GET or None)
    page = page_of(sentences(corpus, **_criteria(form)), request.GET, size=SENTENCES_PER_PAGE, by="position")
    systems = list(corpus.systems.all())
    context = {
        "corpus": corpus,
        "systems": systems,
        "labels": {system.name: system.label for system in systems if system.label},
        "error_counts": queries.inserted_error_counts(corpus),
        "controls_form": controls_form(corpus, systems) if _is_admin(request) else None,
        "roles": SystemRole,
        "histogram": queries.distinct_output_histogram(corpus),
        "form": form,
        "page": page.with_rows(shown(page)),
    }
    return render(request, "annotate/corpus.html", context)


@researcher
def campaign(request: HttpRequest, uuid: UUID) -> HttpResponse:
    campaign = campaign_or_404(uuid)
    may_see_names = cast(User, request.user).may_see_names
    form = JudgmentFilter(campaign, request.GET or None, may_see_names=may_see_names)
    judgments = queries.judgments(campaign, **_criteria(form))
    context = {
        "campaign": campaign,
        "labels": queries.labels_of(campaign.corpus),
        "may_delete": may_delete(cast(User, request.user), campaign),
        "protocol": PROTOCOLS[campaign.protocol].title,
        "annotators": queries.annotators(campaign),
        "form": form,
        "page": page_of(judgments, request.GET, size=JUDGMENTS_PER_PAGE),
    }
    return render(request, "annotate/campaign.html", context)


def _is_admin(request: HttpRequest) -> bool:
    return cast(User, request.user).role == Role.ADMIN


def _criteria(form: Form) -> dict[str, Any]:
    """What the form asks for; nothing when it was not sent or is wrong, in which case the page says so."""
    return form.cleaned_data if form.is_bound and form.is_valid() else {}
