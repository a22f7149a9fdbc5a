"""The answers about a campaign, made of stored results, however old."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from analysis.analyses.annotators.agreement import AGREEMENT
from analysis.analyses.metrics.metric_advice import METRIC_ADVICE
from analysis.analyses.planning.when_to_stop import STOPPING
from analysis.answers.questions import Question
from analysis.results.registered_pages import address_of, pages
from analysis.runs.answering import Answered, requests_of, stored_answers
from analysis.runs.queries import compute_anew
from annotate.models import Campaign, User
from annotate.web.access import AccountRequest, campaign_or_404, researcher


@dataclass(frozen=True, slots=True)
class Shown:
    """An answer on the page.

    Attributes:
        of: the question with its answer.
        address: of the page with details.
        advised: where the advice of the answer leads; empty without advice that the user may follow.
    """

    of: Answered
    address: str
    advised: str


@researcher
@require_safe
def answers(request: AccountRequest, uuid: UUID) -> HttpResponse:
    campaign = campaign_or_404(uuid)
    known = stored_answers(campaign, for_admins=request.user.is_admin)
    context = {
        "campaign": campaign,
        "subject": campaign,
        "answers": known,
        "shown": list(_shown(campaign, request.user, known.answered)),
        "job": next(iter(known.jobs), None),
    }
    return render(request, "analysis/answers.html", context)


@researcher
@require_POST
def compute_answers(request: AccountRequest, uuid: UUID) -> HttpResponse:
    """Queue the jobs whose results the answers are made of."""
    campaign = campaign_or_404(uuid)
    for wanted in requests_of(campaign):
        compute_anew(wanted, asked_by=request.user)
    return redirect("campaign-answers", uuid)


def _shown(campaign: Campaign, user: User, answered: Sequence[Answered]) -> Iterator[Shown]:
    for each in answered:
        has_advice = each.answer is not None and each.answer.advice and user.is_admin
        advised = _advised(campaign, each.question) if has_advice else ""
        yield Shown(each, _details(campaign, each), advised)


def _details(campaign: Campaign, each: Answered) -> str:
    """The page that shows the result in full, or what to do where there can be none."""
    necessary = each.question.analyses[0]
    if necessary is AGREEMENT:
        return reverse("ranking", args=[campaign.uuid]) + "#agreement"
    if necessary is METRIC_ADVICE and each.answer and not each.computed_at:
        return reverse("corpus-scores", args=[campaign.corpus.uuid])
    return address_of(campaign, pages()[necessary.name])


def _advised(campaign: Campaign, question: Question) -> str:
    """The address that the advice of an answer links to."""
    return reverse("follow-up" if STOPPING in question.analyses else "quality", args=[campaign.uuid])
