"""The answers about a campaign from stored results, and keeping these up to date."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import cast

from django.core.cache import cache
from django.db.models import Sum

from analysis.analyses.annotators.agreement import AGREEMENT
from analysis.analyses.base import AnyAnalysis
from analysis.analyses.metrics.metric_advice import METRIC_ADVICE
from analysis.analyses.systems.ranking import RANKING
from analysis.answers.answer import Answer
from analysis.answers.questions import BY_PROTOCOL, RANKED, Known, Question, analyses_for, answers
from analysis.answers.ranked import MOST_REPORTS, Work
from analysis.models import Run
from analysis.runs.queries import (
    compute_anew,
    in_this_process,
    newer_answers,
    newest_result,
    newest_run,
    stored,
)
from analysis.runs.requests import Request, request_beside, request_of
from analysis.runs.results import to_plain_json
from analysis.runs.sources import Version, source_of, version_of
from analysis.runs.sources.judgments import excluded_annotators
from annotate.campaigns.reports import ReportKind, reports_and_skips
from annotate.judgments.queries import roles_and_labels_of
from annotate.models import Campaign, CampaignState
from assay import __version__
from core.names import Naming
from core.parameters import ParameterError
from core.progress import Progress
from formats.digests import text_digest
from jobs.models import Job
from ranking import SnapshotError

JUDGED = (CampaignState.RUNNING, CampaignState.PAUSED, CampaignState.CLOSED, CampaignState.IMPORTED)

GROWTH = 0.1
"""Results are computed again when there are this share more answers."""


@dataclass(frozen=True, slots=True)
class Answered:
    """A question with its answer.

    Attributes:
        question: the question.
        answer: None if there is none yet.
        computed_at: when the oldest of its results was computed; None without a result.
        newer: how many answers of annotators have come since.
        inputs_changed: whether the inputs of a result have changed since.
        fault: why the last attempt to compute it gave no result; empty if there is an answer.
    """

    question: Question
    answer: Answer | None
    computed_at: datetime | None = None
    newer: int = 0
    inputs_changed: bool = False
    fault: str = ""

    @property
    def is_current(self) -> bool:
        """Whether there is an answer, from the inputs as they are now."""
        return self.answer is not None and not self.inputs_changed

    def plain(self) -> dict[str, object]:
        """The answer for programs; the sentence is null as long as there is none."""
        of_answer = (self.answer or Answer(self.question.words, "")).plain()
        return {
            **to_plain_json(of_answer),
            "sentence": of_answer["sentence"] or None,
            "computed_at": self.computed_at,
            "newer_answers": self.newer,
            "is_current": self.is_current,
            "fault": self.fault,
        }


@dataclass(frozen=True, slots=True)
class Answers:
    """The answers about a campaign.

    Attributes:
        answered: the questions with their answers, in order.
        jobs: the unfinished jobs whose results they wait for.
        has_judgments: whether anything has been judged.
    """

    answered: Sequence[Answered]
    jobs: Sequence[Job]
    has_judgments: bool

    @property
    def has_report(self) -> bool:
        """Whether there is an answer from a result, so that there is something to report."""
        return any(each.computed_at for each in self.answered)

    @property
    def is_current(self) -> bool:
        """Whether there is an answer to each question, from the inputs as they are now."""
        return all(each.is_current for each in self.answered)


def questions_of(campaign: Campaign) -> Sequence[Question]:
    """The questions about a campaign, by what it collects."""
    return BY_PROTOCOL.get(campaign.protocol, RANKED)


def requests_of(campaign: Campaign) -> list[Request]:
    """The requests whose results answer the questions, with the parameters that their pages begin with."""
    missing = _missing(campaign)
    analyses = analyses_for(questions_of(campaign))
    return [_usual(analysis, campaign) for analysis in analyses if analysis.name not in missing]


def stored_answers(campaign: Campaign, *, for_admins: bool) -> Answers:
    """The answers from what is stored, however old; nothing is computed.

    `for_admins` says whether results that only admins may see are used.
    """
    requests = requests_of(campaign)
    versions = _versions(campaign, requests)
    done = [
        _Done(request, version, run)
        for request, version in zip(requests, versions, strict=True)
        if (for_admins or not request.analysis.is_for_admins) and (run := newest_result(request)) is not None
    ]
    runs = {each.analysis.name: run for each in requests if (run := newest_run(each)) is not None}
    said = _said(questions_of(campaign), _known(campaign, {}), done)
    read = {each.request.analysis.name: each for each in done if each.request.analysis.name in said.read}
    answered = [
        _answered(question, answer, read, runs)
        for question, answer in zip(questions_of(campaign), said.answers, strict=True)
    ]
    jobs = [run.job for run in runs.values() if run.job and not run.job.is_finished]
    return Answers(answered, jobs, any(version.size for version in versions))


@dataclass(frozen=True, slots=True)
class _Done:
    """A stored result, with the inputs as they are now."""

    request: Request
    version: Version
    run: Run


@dataclass(frozen=True, slots=True)
class _Said:
    """The answers that stored results give.

    Attributes:
        answers: to each question, in order.
        read: the names of the analyses whose results could be read.
    """

    answers: Sequence[Answer | None]
    read: frozenset[str]


def _said(questions: Sequence[Question], known: Known, done: Sequence[_Done]) -> _Said:
    """The answers from these results; in the cache, since a result of many annotators takes long to read."""
    told = [(each.run.pk, each.run.computed_at) for each in done]
    key = f"answers:{text_digest(repr((__version__, [each.key for each in questions], known, told)))}"
    if (said := cache.get(key)) is None:
        results = {
            each.request.analysis.name: found.result
            for each in done
            if (found := stored(each.request, each.version)) is not None
        }
        known = replace(known, results=results)
        said = _Said([question.answer(known) for question in questions], frozenset(results))
        cache.set(key, said)
    return cast(_Said, said)


def computed_answers(campaign: Campaign, progress: Progress) -> dict[str, Answer]:
    """The answers by key, from results for the judgments as they stand, computed here unless stored.

    Raises:
        RefusedError: the judgments or the scores cannot be read; the message says what to do.
    """
    results, missing = {}, {}
    for request in requests_of(campaign):
        try:
            results[request.analysis.name] = in_this_process(request, progress)
        except (ParameterError, SnapshotError) as error:
            missing[request.analysis.name] = not_computed(error)
    return answers(questions_of(campaign), _known(campaign, results, missing))


def not_computed(error: object) -> str:
    """Why there is no answer, in a sentence."""
    return f"Not computed: {error}".removesuffix(".") + "."


def renew_answers() -> None:
    """Queue jobs for the answers about campaigns whose judgments have become many more."""
    for campaign in Campaign.objects.filter(state__in=JUDGED).select_related("corpus", "design", "follows"):
        for request in requests_of(campaign):
            version = version_of(request.analysis, campaign)
            seen = f"answers-seen:{request.key}"
            if cache.get(seen) != version.state:
                if _is_due(request, version):
                    compute_anew(request, asked_by=None)
                cache.set(seen, version.state, timeout=None)


def _is_due(request: Request, version: Version) -> bool:
    newest = newest_run(request)
    if newest is None:
        return version.size > 0
    if newest.inputs == version.state:
        return False
    # With as many answers as before, something else has changed, such as the scores of metrics.
    return version.size == newest.size or version.size >= (1 + GROWTH) * newest.size


def _usual(analysis: AnyAnalysis, campaign: Campaign) -> Request:
    if analysis is AGREEMENT:
        return request_beside(_usual(RANKING, campaign))
    return request_of(analysis, campaign, analysis.parameters())


def _missing(campaign: Campaign) -> dict[str, str]:
    """Why no metric can be compared with these judgments, and what to do, if none can."""
    reason = source_of(METRIC_ADVICE).why_not(campaign, METRIC_ADVICE)
    return {METRIC_ADVICE.name: reason} if reason else {}


def _versions(campaign: Campaign, requests: Sequence[Request]) -> list[Version]:
    """The state of the inputs of each request; those of one kind are looked at once."""
    sources = [source_of(request.analysis) for request in requests]
    known = {source: source.version(campaign) for source in set(sources)}
    return [known[source] for source in sources]


def _known(campaign: Campaign, results: dict[str, object], missing: dict[str, str] | None = None) -> Known:
    roles, labels = roles_and_labels_of(campaign)
    return Known(
        results,
        Naming("", labels, roles, {}),
        _work(campaign),
        excluded_annotators(campaign),
        _missing(campaign) | (missing or {}),
    )


def _answered(
    question: Question, answer: Answer | None, results: dict[str, _Done], runs: dict[str, Run]
) -> Answered:
    names = [analysis.name for analysis in question.analyses]
    known = [results[name] for name in names if name in results]
    if answer is None:
        return Answered(question, None, fault=_fault(runs[name] for name in names[:1] if name in runs))
    return Answered(
        question,
        answer,
        min((each.run.computed_at for each in known if each.run.computed_at), default=None),
        max((newer_answers(each.run, each.version) for each in known), default=0),
        inputs_changed=any(each.run.inputs != each.version.state for each in known),
    )


def _fault(runs: Iterable[Run]) -> str:
    return next((not_computed(run.job.error) for run in runs if run.job and run.job.error), "")


def _work(campaign: Campaign) -> Work:
    states = ("complete", "skipped", "auto", "surplus")
    counted = campaign.annotators.aggregate(**{state: Sum(state, default=0) for state in states})
    reports = reports_and_skips(campaign, kind=ReportKind.REPORT)[:MOST_REPORTS].count()
    return Work(sum(counted.values()), counted["complete"], counted["skipped"], reports)
