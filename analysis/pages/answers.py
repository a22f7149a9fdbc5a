"""The answers about a campaign, made of stored results, however old."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Sum
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from analysis.analyses.metric_advice import METRIC_ADVICE
from analysis.analyses.stopping import STOPPING
from analysis.answers.answer import Answer
from analysis.answers.metrics import WHICH_METRIC, which_metric
from analysis.answers.ranked import (
    CAN_I_TRUST,
    IS_IT_ENOUGH,
    MOST_REPORTS,
    WHO_WINS,
    Work,
    can_i_trust,
    is_it_enough,
    who_wins,
)
from analysis.pages.registered import address_of, pages
from analysis.pages.shared_files import naming_of
from analysis.runs.answering import compares_systems, requests_of, why_no_advice
from analysis.runs.queries import Current, compute_anew, newest_run, stored
from analysis.runs.requests import Request
from analysis.runs.sources import Version, source_of
from analysis.runs.sources.judgments import excluded_annotators
from annotate.campaigns.reports import ReportKind, reports_and_skips
from annotate.models import Campaign, User
from annotate.web.access import AccountRequest, campaign_or_404, researcher
from core.names import Naming


@dataclass(frozen=True, slots=True)
class Shown:
    """A question with its answer.

    Attributes:
        question: as the page asks it.
        answer: None if nothing has been computed yet.
        address: of the page with details.
        advised: where the advice of the answer leads.
        finished_at: when the oldest of its results was computed; None without an answer.
        newer: how many answers of annotators have come since.
    """

    question: str
    answer: Answer | None
    address: str
    advised: str
    finished_at: datetime | None
    newer: int


@researcher
@require_safe
def answers(request: AccountRequest, uuid: UUID) -> HttpResponse:
    campaign = campaign_or_404(uuid)
    requests = requests_of(campaign)
    versions = _versions(campaign, requests)
    shown = list(_answers(campaign, request.user, requests, versions))
    runs = filter(None, map(newest_run, requests))
    jobs = [run.job for run in runs if run.job and not run.job.is_finished]
    context = {
        "campaign": campaign,
        "subject": campaign,
        "shown": shown,
        "job": next(iter(jobs), None),
        "jobs": len(jobs),
        "is_current": all(each.answer is not None and not each.newer for each in shown),
        "has_judgments": any(version.size for version in versions[:1]),
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


def _versions(campaign: Campaign, requests: Sequence[Request]) -> list[Version]:
    """The state of the inputs of each request; those of one kind are looked at once."""
    sources = [source_of(request.analysis) for request in requests]
    known = {source: source.version(campaign) for source in set(sources)}
    return [known[source] for source in sources]


def _answers(
    campaign: Campaign, user: User, requests: Sequence[Request], versions: Sequence[Version]
) -> Iterator[Shown]:
    """The answers from what is stored, in the order of the page; nothing is computed."""
    results = [stored(*each) for each in zip(requests, versions, strict=True)]
    naming = naming_of(campaign)
    if not compares_systems(campaign):
        yield from (_headline(*each, naming) for each in zip(requests, results, strict=True))
        return
    ranking, agreement, fragility, stopping, quality, *advised = results
    carried = fragility.result if fragility else None
    who = who_wins(ranking.result, carried, naming) if ranking else None
    yield _shown(WHO_WINS, who, [ranking, fragility], reverse("ranking", args=[campaign.uuid]))
    address = address_of(campaign, pages()[METRIC_ADVICE.name])
    if advised:
        metric = which_metric(advised[0].result) if advised[0] else None
        yield _shown(WHICH_METRIC, metric, advised, address)
    else:
        scores = reverse("corpus-scores", args=[campaign.corpus.uuid])
        yield _shown(WHICH_METRIC, Answer(WHICH_METRIC, why_no_advice(campaign)), [], scores)
    enough = is_it_enough(stopping.result, naming) if stopping else None
    address = address_of(campaign, pages()[STOPPING.name])
    follow_up = reverse("follow-up", args=[campaign.uuid]) if user.is_admin else ""
    yield _shown(IS_IT_ENOUGH, enough, [stopping], address, follow_up)
    known = quality.result if quality and user.is_admin else None
    trust = (
        can_i_trust(agreement.result, known, _work(campaign), excluded_annotators(campaign))
        if agreement
        else None
    )
    checks = reverse("quality", args=[campaign.uuid]) if user.is_admin else ""
    address = reverse("ranking", args=[campaign.uuid]) + "#agreement"
    yield _shown(CAN_I_TRUST, trust, [agreement, quality], address, checks)


def _headline(request: Request, known: Current | None, naming: Naming) -> Shown:
    """The finding of an analysis as the answer to what it asks."""
    analysis, answer = request.analysis, None
    if known and analysis.headline:
        finding = analysis.headline(analysis.shown(request.parameters, known.result), naming)
        answer = Answer(analysis.title, finding)
    return _shown(analysis.title, answer, [known], address_of(request.campaign, pages()[analysis.name]))


def _shown(
    question: str, answer: Answer | None, results: Sequence[Current | None], address: str, advised: str = ""
) -> Shown:
    known = [each for each in results if each is not None]
    return Shown(
        question,
        answer,
        address,
        advised if answer and answer.advice else "",
        min((each.finished_at for each in known if each.finished_at), default=None) if answer else None,
        max((each.newer for each in known), default=0),
    )


def _work(campaign: Campaign) -> Work:
    counted = campaign.annotators.aggregate(
        done=Sum("complete", default=0), skipped=Sum("skipped", default=0)
    )
    reports = reports_and_skips(campaign, kind=ReportKind.REPORT)[:MOST_REPORTS].count()
    return Work(counted["done"], counted["skipped"], reports)
