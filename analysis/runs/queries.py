"""Results of analyses, for pages, the API and commands."""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.core.cache import cache
from django.db.models import QuerySet
from django.utils import timezone

from analysis.analyses.base import AnyAnalysis
from analysis.analyses.rules import is_of_older_rule
from analysis.models import COMPUTED, Run
from analysis.runs.computing import computed
from analysis.runs.durations import duration_of
from analysis.runs.requests import Request
from analysis.runs.results import from_json
from analysis.runs.sources import Version, source_of, version_of_request
from analysis.runs.storing import keep, queued
from annotate.models import Campaign, User
from assay import __version__
from core.progress import NoProgress, Progress
from formats.digests import text_digest
from jobs.models import Job

MOST_AT_ONCE = 5000
"""Maximum number of answers or sentences analysed within a request (about 2 s); otherwise by a job."""


@dataclass(frozen=True, slots=True)
class Current:
    """The newest result of a request, and the job that renews it.

    Attributes:
        result: the newest result; None if there is none yet.
        newer: number of answers since then.
        job: the job that computes a newer result, or has tried to; None if there is none.
        inputs_changed: whether the inputs have changed since then, by answers or otherwise.
        is_due: whether it is outdated and the last attempt is older than the analysis allows.
        is_of_older_rule: whether the analysis computes by another rule since.
        computed_at: when it was computed; None unless `stored` gives it.
    """

    result: Any
    newer: int = 0
    job: Job | None = None
    inputs_changed: bool = False
    is_due: bool = False
    is_of_older_rule: bool = False
    computed_at: datetime | None = None

    @property
    def is_outdated(self) -> bool:
        """Whether it was computed from other inputs or by an older rule."""
        return self.inputs_changed or self.is_of_older_rule


def current(request: Request, *, asked_by: User | None, version: Version | None = None) -> Current:
    """The newest result of the request. For small inputs, an outdated result is computed now.

    A result is outdated if the inputs have changed, or if it was computed by an older rule.
    `version` is the state of the inputs, if the caller has it already.

    Raises:
        ParameterError: the inputs do not allow what was asked.
    """
    version = version_of_request(request, version)
    if (result := _from_cache(request, version.state)) is not None:
        return Current(result)
    done = _runs(request).filter(COMPUTED).first()
    result = None if done is None else _restored(request, done)
    is_older = result is not None and _is_of_older_rule(request, result)
    inputs_changed = done is not None and done.inputs != version.state
    if result is not None and not inputs_changed and not is_older:
        return Current(result)
    if _is_computed_at_once(request, version):
        return Current(_computed_now(request, version, asked_by, NoProgress()))
    last = _runs(request).first()
    job = None if last is None or last == done else last.job
    is_outdated = is_older or (last is not None and last.inputs != version.state)
    is_due = last is not None and is_outdated and _is_due(request.analysis, last)
    newer = 0 if done is None else newer_answers(done, version)
    return Current(
        result, newer, job, inputs_changed=inputs_changed, is_due=is_due, is_of_older_rule=is_older
    )


def _is_computed_at_once(request: Request, version: Version) -> bool:
    is_small = request.analysis.at_once and version.size <= MOST_AT_ONCE
    return is_small and duration_of(request, version.size).is_short


def newer_answers(done: Run, version: Version) -> int:
    """How many answers have come since the run."""
    return max(version.size - done.size, 0)


def stored(request: Request, version: Version) -> Current | None:
    """The newest result of the request that is kept; nothing is computed. `version` is that of its inputs."""
    version = version_of_request(request, version)
    done = newest_result(request)
    if done is None or (result := _restored(request, done)) is None:
        return None
    return Current(
        result,
        newer_answers(done, version),
        inputs_changed=done.inputs != version.state,
        is_of_older_rule=_is_of_older_rule(request, result),
        computed_at=done.computed_at,
    )


def stored_of_campaigns(analysis: AnyAnalysis, campaigns: Iterable[Campaign]) -> dict[int, Any]:
    """The newest stored result of the analysis for each campaign, by key, with any parameters."""
    done = Run.objects.filter(
        COMPUTED, analysis=analysis.name, campaign__in=list(campaigns), version=__version__
    ).order_by("created_at", "pk")
    results = {}
    for key, result in done.values_list("campaign", "result"):
        with suppress(ValueError):  # An earlier commit wrote it otherwise.
            results[key] = from_json(analysis.result, result)
    return results


def _is_of_older_rule(request: Request, result: Any) -> bool:
    return is_of_older_rule(request.analysis.name, result.signature)


def _is_due(analysis: AnyAnalysis, last: Run) -> bool:
    if analysis.renewed_after is None or (last.job and not last.job.is_finished):
        return False
    return timezone.now() - last.created_at > timedelta(seconds=analysis.renewed_after)


def kept(request: Request) -> Any | None:
    """The stored result of today's rule for the inputs as they stand; None where there is none.

    Nothing is computed.
    """
    version = version_of_request(request)
    done = _runs(request).filter(COMPUTED).first()
    result = _restored(request, done) if done is not None and done.inputs == version.state else None
    return None if result is None or _is_of_older_rule(request, result) else result


def in_this_process(request: Request, progress: Progress) -> Any:
    """The result for the current inputs, computed here unless it is stored.

    Raises:
        ParameterError: the inputs do not allow what was asked.
        RefusedError: the inputs cannot be read; the message says what to do.
    """
    version = version_of_request(request)
    if (result := kept(request)) is not None:
        return result
    return _computed_now(request, version, None, progress)


def _computed_now(request: Request, version: Version, asked_by: User | None, progress: Progress) -> Any:
    """Compute and store the result."""
    source, is_small = source_of(request.analysis), version.size <= MOST_AT_ONCE
    inputs = source.load(request, version.size, progress, at_once=is_small)
    result = computed(request.analysis, inputs, request.parameters, progress)
    keep(request, version, result, inputs.digest, asked_by=asked_by)
    cache.set(_cached(request, version.state), result, timeout=None)
    return result


def compute_anew(request: Request, *, asked_by: User | None) -> Job:
    """Queue a job that computes it from the current inputs; equal waiting requests share one job."""
    return queued(request, version_of_request(request), asked_by=asked_by)


def newest_result(request: Request) -> Run | None:
    """The newest run of the request that has a result."""
    return _runs(request).filter(COMPUTED).first()


def newest_run(request: Request) -> Run | None:
    """The newest run of the request, in any state."""
    return _runs(request).first()


def _runs(request: Request) -> QuerySet[Run]:
    # The result may be large, and it is usually cached.
    rows = Run.objects.filter(request=request.key).defer("result")
    return rows.select_related("job").order_by("-created_at", "-pk")


def _cached(request: Request, inputs: str) -> str:
    return f"analysis:{request.key}:{text_digest(inputs)}"


def _from_cache(request: Request, inputs: str) -> Any | None:
    """The result of today's rule for these inputs, if it is in the cache."""
    result = cache.get(_cached(request, inputs))
    return None if result is None or _is_of_older_rule(request, result) else result


def _restored(request: Request, run: Run) -> Any | None:
    """The stored result; None if an earlier release stored it in another form."""
    if (result := _from_cache(request, run.inputs)) is not None:
        return result
    try:
        result = from_json(request.analysis.result, run.result)
    except ValueError:
        return None
    cache.set(_cached(request, run.inputs), result, timeout=None)
    return result
