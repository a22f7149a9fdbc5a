"""Results that pages share."""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache as once
from typing import Any, TypeVar, cast

from django.core.cache import cache

from analysis.analyses.ranking import Choice, Judging, Ranking, rank
from analysis.runs.as_json import from_json, to_json
from analysis.runs.computing import judging_of, quality_in
from analysis.runs.job_kinds import QUALITY_OF_CAMPAIGN, RANK_CAMPAIGN
from annotate.judgments.queries import answers_version, rated_by_score, snapshot
from annotate.models import Campaign, SystemRole, User
from jobs.models import Job, JobState
from jobs.queue import jobs_like, queue
from ranking.quality import AnnotatorQuality

Result = TypeVar("Result")

ANSWERS_RANKED_AT_ONCE = 5000
"""Answers that are read and ranked within a request, in about two seconds; more are ranked by a job."""

OF_JUDGING = ("tie_width", "without_systems", "without_annotators")
"""The part of a choice on which it depends how the judging went."""


@dataclass(frozen=True, slots=True)
class CurrentRanking:
    """What there is to show of a campaign's ranking.

    Attributes:
        ranking: the newest one; None where none has been computed yet.
        judging: how the judging went; None where `ranking` is.
        newer_answers: how many answers have come since.
        job: that computes a newer one, or has tried to; None where there is none, and for small campaigns.
    """

    ranking: Ranking | None
    judging: Judging | None
    newer_answers: int = 0
    job: Job | None = None


@dataclass(frozen=True, slots=True)
class CurrentQuality:
    """What there is to show of how carefully a campaign's annotators work.

    Attributes:
        annotators: the newest figures of each, by the default rule and pseudonym; None where there are none.
        newer_answers: how many answers have come since.
        job: that computes newer ones, or has tried to; None where there is none, and for small campaigns.
    """

    annotators: tuple[AnnotatorQuality, ...] | None
    newer_answers: int = 0
    job: Job | None = None


def ranking_of(campaign: Campaign, choice: Choice) -> CurrentRanking:
    """The ranking of a small campaign as its judgments stand, computed anew when an answer was added.

    That of a large campaign is the last that a job has computed.
    """
    choice = _with_names(campaign, choice)
    number, newest = answers_version(campaign)
    if number > ANSWERS_RANKED_AT_ONCE:
        parameters = _parameters(campaign, choice=to_json(choice))
        result, newer, job = _of_job(RANK_CAMPAIGN, parameters, (number, newest), _ranking_in_result)
        ranking, judging = result or (None, None)
        return CurrentRanking(ranking, judging, newer, job)
    frame = once(lambda: snapshot(campaign))
    version = f"{campaign.uuid}:{number}:{newest}"
    judged = replace(Choice(), **{name: getattr(choice, name) for name in OF_JUDGING})
    return CurrentRanking(
        cache.get_or_set(f"ranking:{_key(choice)}:{version}", lambda: rank(frame(), choice), timeout=None),
        cache.get_or_set(
            f"judging:{_key(judged)}:{version}",
            lambda: judging_of(campaign, frame(), judged),
            timeout=None,
        ),
    )


def has_scores(campaign: Campaign) -> bool:
    """Whether the campaign's judgments are scores and no rankings, which its first answer decides."""
    key = f"has-scores:{campaign.uuid}"
    scored = cache.get(key)
    if scored is None and (scored := rated_by_score(campaign)) is not None:
        cache.set(key, scored, timeout=None)
    return bool(scored)


def quality_of(campaign: Campaign) -> CurrentQuality:
    """How carefully the annotators of a campaign work; of a large one, as the last job has computed it."""
    number, newest = answers_version(campaign)
    if number > ANSWERS_RANKED_AT_ONCE:
        parameters = _parameters(campaign)
        return CurrentQuality(*_of_job(QUALITY_OF_CAMPAIGN, parameters, (number, newest), _quality_in_result))
    return CurrentQuality(
        cache.get_or_set(
            f"quality:{campaign.uuid}:{number}:{newest}",
            lambda: quality_in(campaign, snapshot(campaign)),
            timeout=None,
        )
    )


def _with_names(campaign: Campaign, choice: Choice) -> Choice:
    """The choice with the names of what it leaves out in this campaign."""
    controls = campaign.systems.filter(role=SystemRole.CONTROL).order_by("name")
    excluded = campaign.annotators.exclude(excluded_at=None).order_by("name")
    return replace(
        choice,
        without_systems=() if choice.controls else tuple(controls.values_list("name", flat=True)),
        without_annotators=() if choice.excluded else tuple(excluded.values_list("name", flat=True)),
    )


def _key(choice: Choice) -> str:
    return hashlib.sha256(json.dumps(to_json(choice)).encode()).hexdigest()


def queue_ranking(campaign: Campaign, choice: Choice, *, asked_by: User) -> Job:
    """Have a ranking computed from the judgments as they stand."""
    return queue(
        kind=RANK_CAMPAIGN,
        title=f"Ranking of campaign {campaign}",
        parameters=_parameters(campaign, choice=to_json(_with_names(campaign, choice))),
        owner=asked_by,
    )


def queue_quality(campaign: Campaign, *, asked_by: User) -> Job:
    """Have the quality of the annotators computed from the judgments as they are."""
    return queue(
        kind=QUALITY_OF_CAMPAIGN,
        title=f"Quality of campaign {campaign}",
        parameters=_parameters(campaign),
        owner=asked_by,
    )


def _of_job(
    kind: str,
    parameters: Mapping[str, Any],
    version: tuple[int, int],
    restored: Callable[[dict[str, Any]], Result],
) -> tuple[Result | None, int, Job | None]:
    """The last result of such a job, how many answers have come since, and the job of a newer one, if any.

    `version` is that of the answers now; `restored` makes the result from its JSON, or raises KeyError or
    ValueError where an earlier release of the program wrote that.
    """
    jobs = jobs_like(kind=kind, parameters=parameters).defer("result")
    done = jobs.filter(state=JobState.DONE).first()
    last = jobs.first()
    job = None if last == done else last
    stored = done and cache.get_or_set(
        f"{kind}:{done.uuid}", lambda: _result(done.result, restored), timeout=None
    )
    if not stored:
        return None, version[0], job
    then, result = cast(tuple[list[int], Result], stored)
    newer = 0 if then == list(version) else max(version[0] - then[0], 1)
    return result, newer, job


def _result(result: Any, restored: Callable[[dict[str, Any]], Result]) -> tuple[list[int], Result] | None:
    try:
        return result["version"], restored(result)
    except (KeyError, ValueError):
        return None


def _ranking_in_result(result: dict[str, Any]) -> tuple[Ranking, Judging]:
    return from_json(Ranking, result["ranking"]), from_json(Judging, result["judging"])


def _quality_in_result(result: dict[str, Any]) -> tuple[AnnotatorQuality, ...]:
    return tuple(from_json(AnnotatorQuality, quality) for quality in result["standings"])


def _parameters(campaign: Campaign, **further: Any) -> dict[str, Any]:
    return {"campaign": str(campaign.uuid), **further}
