"""Results that pages share."""

import hashlib
import json
from dataclasses import dataclass, replace
from functools import cache as once
from typing import Any, cast

from django.core.cache import cache

from analysis.as_json import from_json, to_json
from analysis.rankings import Choice, Judging, Ranking, rank
from analysis.tasks import RANK_CAMPAIGN, judging_of
from annotate.models import Campaign, SystemRole, User
from annotate.quality import ControlRule, Standing, standings
from annotate.queries import answers_version, rated_by_score, roles_of, snapshot
from jobs.models import Job, JobState
from jobs.queue import jobs_like, queue

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


def ranking_of(campaign: Campaign, choice: Choice) -> CurrentRanking:
    """The ranking of a small campaign as its judgments stand, computed anew when an answer was added.

    That of a large campaign is the last that a job has computed.
    """
    choice = _with_names(campaign, choice)
    number, newest = answers_version(campaign)
    if number > ANSWERS_RANKED_AT_ONCE:
        return _ranking_by_job(campaign, choice, number, newest)
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
    known = cache.get(key)
    if known is None and (known := rated_by_score(campaign)) is not None:
        cache.set(key, known, timeout=None)
    return bool(known)


def standings_of(campaign: Campaign, rule: ControlRule) -> tuple[Standing, ...]:
    """How the annotators of a campaign stand as its judgments are, computed anew when an answer was added."""
    number, newest = answers_version(campaign)
    key = f"standings:{campaign.uuid}:{number}:{newest}:{rule.threshold:g}:{rule.min_cases}"
    found = cache.get_or_set(
        key, lambda: standings(snapshot(campaign), roles_of(campaign), rule), timeout=None
    )
    return cast(tuple[Standing, ...], found)


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
        parameters=_parameters(campaign, _with_names(campaign, choice)),
        owner=asked_by,
    )


def _ranking_by_job(campaign: Campaign, choice: Choice, number: int, newest: int) -> CurrentRanking:
    jobs = jobs_like(kind=RANK_CAMPAIGN, parameters=_parameters(campaign, choice)).defer("result")
    done = jobs.filter(state=JobState.DONE).first()
    last = jobs.first()
    job = None if last == done else last
    found = done and cache.get_or_set(f"ranking:{done.uuid}", lambda: _result(done), timeout=None)
    if not found:
        return CurrentRanking(None, None, number, job)
    version, ranking, judging = cast(tuple[list[int], Ranking, Judging], found)
    newer = 0 if version == [number, newest] else max(number - version[0], 1)
    return CurrentRanking(ranking, judging, newer, job)


def _result(job: Job) -> tuple[list[int], Ranking, Judging] | None:
    try:
        result = cast(dict[str, Any], job.result)
        ranking, judging = from_json(Ranking, result["ranking"]), from_json(Judging, result["judging"])
    except (KeyError, ValueError):
        return None  # An earlier release of the program computed it.
    return result["version"], ranking, judging


def _parameters(campaign: Campaign, choice: Choice) -> dict[str, Any]:
    return {"campaign": str(campaign.uuid), "choice": to_json(choice)}
