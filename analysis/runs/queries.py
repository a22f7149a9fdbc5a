"""What there is of an analysis: pages, programs and commands ask here."""

from dataclasses import dataclass
from typing import Any, cast

from django.core.cache import cache
from django.db.models import QuerySet

from analysis.analyses.base import Progress, Untold
from analysis.models import Run
from analysis.runs.computing import computed, judgments_of
from analysis.runs.requests import Request
from analysis.runs.results import from_json
from analysis.runs.storing import Answers, keep, queued
from annotate.judgments.kept_snapshots import kept_snapshot
from annotate.judgments.queries import answers_version, snapshot
from annotate.models import User
from jobs.models import Job, JobState

ANSWERS_AT_ONCE = 5000
"""Answers that are read and analysed within a request, in about two seconds; of more, a job does it."""


@dataclass(frozen=True, slots=True)
class Current:
    """What there is to show of a request.

    Attributes:
        result: the newest one; None where there is none yet.
        newer_answers: how many answers have come since.
        job: that computes a newer result, or has tried to; None where there is none.
    """

    result: Any
    newer_answers: int = 0
    job: Job | None = None


def current(request: Request, *, asked_by: User | None, answers: Answers | None = None) -> Current:
    """The newest result of the request. That of few judgments is computed now, unless it is up to date.

    `answers` is the version of the campaign's answers, for those who have asked for it already.

    Raises:
        ParameterError: the judgments do not allow what was asked.
    """
    answers = answers or answers_version(request.campaign)
    if (result := cache.get(_cached(request, answers))) is not None:
        return Current(result)
    done = _runs(request).filter(state=JobState.DONE).first()
    result = None if done is None else _restored(request, done)
    if done is not None and result is not None and _answers(done) == answers:
        return Current(result)
    if request.analysis.at_once and answers[0] <= ANSWERS_AT_ONCE:
        return Current(_computed_now(request, answers, asked_by, Untold()))
    last = _runs(request).first()
    job = None if last is None or last == done else last.job
    newer = answers[0] if done is None or result is None else max(answers[0] - done.answers, 1)
    return Current(result, newer, job)


def in_this_process(request: Request, progress: Progress) -> Any:
    """The result for the judgments as they stand, computed here unless it is kept already.

    Raises:
        ParameterError: the judgments do not allow what was asked.
        SnapshotTooLargeError: as `kept_snapshot`.
    """
    answers = answers_version(request.campaign)
    done = _runs(request).filter(state=JobState.DONE).first()
    if done is not None and _answers(done) == answers and (result := _restored(request, done)) is not None:
        return result
    return _computed_now(request, answers, None, progress)


def _computed_now(request: Request, answers: Answers, asked_by: User | None, progress: Progress) -> Any:
    """Compute and keep the result."""
    is_small = answers[0] <= ANSWERS_AT_ONCE
    frame = snapshot(request.campaign) if is_small else kept_snapshot(request.campaign)
    inputs = judgments_of(request, frame)
    result = computed(request.analysis, inputs, request.parameters, progress, {})
    keep(request, answers, result, inputs.digest, asked_by=asked_by)
    cache.set(_cached(request, answers), result, timeout=None)
    return result


def compute_anew(request: Request, *, asked_by: User | None) -> Job:
    """Have a job compute it from the judgments as they stand; equal requests that wait are one."""
    run = queued(request, answers_version(request.campaign), asked_by=asked_by)
    return cast(Job, run.job)


def _runs(request: Request) -> QuerySet[Run]:
    # The result may be large, and mostly it is in the cache.
    rows = Run.objects.filter(request=request.key).defer("result")
    return rows.select_related("job").order_by("-created_at", "-pk")


def _answers(run: Run) -> Answers:
    return run.answers, run.newest


def _cached(request: Request, answers: Answers) -> str:
    return f"analysis:{request.key}:{answers[0]}:{answers[1]}"


def _restored(request: Request, run: Run) -> Any | None:
    """What came out; None where an earlier release wrote it otherwise."""
    key = _cached(request, _answers(run))
    if (result := cache.get(key)) is not None:
        return result
    try:
        result = from_json(request.analysis.result, run.result)
    except ValueError:
        return None
    cache.set(key, result, timeout=None)
    return result
