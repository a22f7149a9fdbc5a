"""Equal simultaneous requests share one run; its result does not depend on what computes it."""

import json
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import inf, nan
from pathlib import Path
from threading import Barrier
from typing import Any

import numpy as np
import pytest
from django.core.cache import cache
from django.db import connections
from django.test import Client
from django.utils import timezone

from analysis import tasks
from analysis.analyses.annotators.agreement import AGREEMENT, AgreementParameters, annotator_agreement
from analysis.analyses.annotators.agreement_result import Judging
from analysis.analyses.base import (
    Analysis,
    AnyAnalysis,
    Group,
    UnknownAnalysisError,
    analyses,
    analysis_named,
)
from analysis.analyses.judgment_inputs import Judgments, judgments
from analysis.analyses.systems.ranking import RANKING, Ranking, RankingParameters
from analysis.models import Run, RunPart
from analysis.runs import queries, storing
from analysis.runs.computing import computed
from analysis.runs.queries import compute_anew, current
from analysis.runs.requests import Request, request_of
from analysis.runs.results import from_json, to_json, to_plain_json
from analysis.runs.sources.base import Version
from annotate.campaigns.deletion import delete_campaign
from annotate.judgments.pseudonyms import pseudonym
from annotate.judgments.queries import snapshot
from annotate.models import Annotator, Campaign, Corpus, Judgment, Revision
from assay import __version__
from core.arrays import FloatArray
from core.progress import NoProgress
from jobs.models import Job
from jobs.queue import cancel, queue
from jobs.running import RunningJob
from jobs.worker import run_queued_jobs, sweep
from tests.analysis import toys
from tests.analysis.stored import forget_results
from tests.analysis.toys import IN_CHUNKS, TOY, ToyParameters
from tests.annotate.api.asking import ask
from tests.annotate.samples import small_campaign, small_corpus
from tests.jobs.kinds import after_working, user
from tests.jobs.workers import held_worker, run_out


def asked(campaign: Campaign, analysis: AnyAnalysis = TOY, **parameters: Any) -> Request:
    return request_of(analysis, campaign, ToyParameters(**parameters))


def answer_once_more(campaign: Campaign) -> None:
    """A skip by somebody new."""
    judge = Annotator.objects.create(campaign=campaign, name="carl", answers_sent=1, skipped=1)
    item = campaign.items.earliest("pk")
    judgment = Judgment.objects.create(
        campaign=campaign, item=item, annotator=judge, repetition=1, state="skipped"
    )
    Revision.objects.create(judgment=judgment)


def test_registered_analyses_are_found_by_name() -> None:
    assert {"ranking", "agreement", "quality"} <= analyses().keys()
    assert analysis_named("toy") is TOY
    with pytest.raises(UnknownAnalysisError, match=r"no analysis 'moon'; analyses are: .*quality, ranking"):
        analysis_named("moon")


def test_an_analysis_is_computed_in_one_way() -> None:
    with pytest.raises(ValueError, match="either as a whole or in chunks"):
        Analysis("x", "X", Group.SYSTEMS, "X?", "X.", ToyParameters, toys.Counted, Judgments)


def test_few_judgments_are_analysed_at_once_and_kept(campaign: Campaign) -> None:
    ada = user()
    result = current(asked(campaign), asked_by=ada).result
    run = Run.objects.get()
    assert (run.analysis, run.campaign, run.has_result, run.asked_by) == ("toy", campaign, True, ada)
    assert run.parameters == {"times": 2, "share": None, "loud": False, "voice": "low"}
    assert run.version == __version__
    assert result.signature.endswith(f"|snapshot:{run.digest[:16]}|assay:{__version__}")
    assert result.annotators == tuple(sorted(pseudonym(campaign, name) for name in ("anna", "ben")))
    assert not Job.objects.exists()


def test_the_same_again_is_read_and_not_computed(campaign: Campaign, monkeypatch: pytest.MonkeyPatch) -> None:
    result = current(asked(campaign), asked_by=None).result
    monkeypatch.setattr(queries, "computed", None)
    assert current(asked(campaign), asked_by=None).result == result
    cache.clear()
    assert current(asked(campaign), asked_by=None).result == result


def test_a_new_answer_gives_a_new_result_in_place_of_the_old(campaign: Campaign) -> None:
    before = current(asked(campaign), asked_by=None).result
    answer_once_more(campaign)
    assert current(asked(campaign), asked_by=None).result.rows == before.rows + 2
    assert Run.objects.count() == 1


def test_of_many_results_the_oldest_go(campaign: Campaign, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storing, "KEPT", 2)
    for times in (1, 2, 3):
        current(asked(campaign, times=times), asked_by=None)
    assert sorted(run.parameters["times"] for run in Run.objects.all()) == [2, 3]


@pytest.mark.usefixtures("everything_is_large")
def test_many_judgments_are_analysed_by_a_job_with_the_same_result(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    request = asked(campaign)
    assert current(request, asked_by=None).result is None
    job = compute_anew(request, asked_by=None)
    assert compute_anew(request, asked_by=None) == job
    assert not Run.objects.get().has_result
    run_queued_jobs()
    by_job = current(request, asked_by=None)
    assert (by_job.newer, by_job.inputs_changed, by_job.job) == (0, False, None)
    answer_once_more(campaign)
    outdated = current(request, asked_by=None)
    assert (outdated.newer, outdated.inputs_changed) == (1, True)
    Judgment.objects.latest("pk").delete()
    forget_results()
    monkeypatch.undo()
    assert current(request, asked_by=None).result == by_job.result


@pytest.mark.usefixtures("everything_is_large")
def test_other_inputs_change_without_an_answer(researcher: Client, campaign: Campaign) -> None:
    compute_anew(asked(campaign), asked_by=None)
    run_queued_jobs()
    Corpus.objects.update(described_at=timezone.now())
    outdated = current(asked(Campaign.objects.get()), asked_by=None)
    assert (outdated.newer, outdated.inputs_changed, outdated.is_outdated) == (0, True, True)
    address = f"campaigns/{campaign.uuid}/analyses/toy/"
    shown = researcher.get(f"/{address}").content.decode()
    assert "The inputs have changed since this was computed." in shown
    assert "came after this was computed" not in shown
    told = ask(researcher, address)
    assert (told["newer_answers"], told["is_current"]) == (0, False)


@pytest.mark.usefixtures("everything_is_large")
def test_a_request_that_was_cancelled_is_computed_when_asked_for_again(campaign: Campaign) -> None:
    job = compute_anew(asked(campaign), asked_by=None)
    cancel(job)
    assert current(asked(campaign), asked_by=None).job == job
    before = Run.objects.get()
    answer_once_more(campaign)
    other = compute_anew(asked(campaign), asked_by=None)
    assert other != job
    assert Run.objects.get() == before
    assert Run.objects.get().inputs != before.inputs
    run_queued_jobs()
    assert Run.objects.get().has_result


@pytest.mark.usefixtures("everything_is_large")
def test_a_cancelled_job_can_be_started_again(campaign: Campaign) -> None:
    job = compute_anew(asked(campaign), asked_by=None)
    cancel(job)
    again = queue(kind=job.kind, title=job.title, parameters=job.parameters, owner=None)
    assert compute_anew(asked(campaign), asked_by=None) == again
    assert after_working(again).state == "done"
    run = Run.objects.get()
    assert (run.has_result, run.job) == (True, again)


@pytest.mark.usefixtures("everything_is_large")
def test_a_job_that_is_cancelled_at_its_end_stores_nothing(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = compute_anew(asked(campaign), asked_by=None)

    def compute_and_cancel(*of: Any) -> object:
        result = computed(*of)
        cancel(job)
        return result

    monkeypatch.setattr(tasks, "computed", compute_and_cancel)
    assert after_working(job).state == "cancelled"
    assert not Run.objects.get().has_result


@pytest.mark.usefixtures("everything_is_large")
def test_a_failure_is_told(campaign: Campaign) -> None:
    job = compute_anew(asked(campaign), asked_by=None)
    Run.objects.update(analysis="moon")
    after_working(job)
    assert "This release of Assay cannot compute" in job.error
    assert not Run.objects.get().has_result


def test_runs_go_with_their_campaign(campaign: Campaign) -> None:
    current(asked(campaign), asked_by=None)
    delete_campaign(campaign, by=None, progress=lambda parts: None)
    assert not Run.objects.exists()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("large", [True, False])
def test_two_equal_requests_at_one_moment_are_one_run(large: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    campaign = small_campaign(small_corpus())
    if large:
        monkeypatch.setattr(queries, "MOST_AT_ONCE", 0)
    start = Barrier(4)

    def ask(_: int) -> Any:
        try:
            request = asked(campaign)
            start.wait()
            if large:
                return compute_anew(request, asked_by=None).uuid
            return current(request, asked_by=None).result
        finally:
            connections.close_all()

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(ask, range(4)))
    assert len(set(answers)) == 1
    assert Run.objects.count() == 1
    assert Job.objects.count() == (1 if large else 0)


@pytest.mark.usefixtures("everything_is_large")
def test_parts_of_other_inputs_go_when_the_result_is_there(campaign: Campaign) -> None:
    cancel(compute_anew(asked(campaign, IN_CHUNKS), asked_by=None))
    RunPart.objects.create(run=Run.objects.get(), digest="0" * 64, number=0, result=0.5)
    assert after_working(compute_anew(asked(campaign, IN_CHUNKS), asked_by=None)).state == "done"
    assert not RunPart.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_run_that_is_deleted_while_its_parts_are_computed_fails_its_job(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    campaign = small_campaign(small_corpus())

    def delete_and_advance(job: RunningJob, parts: int) -> None:
        Run.objects.all().delete()

    monkeypatch.setattr(RunningJob, "advance", delete_and_advance)
    job = after_working(compute_anew(asked(campaign, IN_CHUNKS), asked_by=None))
    assert (job.state, job.error) == ("failed", "The campaign or corpus has been deleted.")


@pytest.mark.django_db(transaction=True)
@pytest.mark.slow
def test_parts_of_other_judgments_are_not_mixed_in(tmp_path: Path) -> None:
    campaign = small_campaign(small_corpus())
    job = compute_anew(asked(campaign, IN_CHUNKS), asked_by=None)
    with held_worker(tmp_path, step="Drawing", after=1) as victim:
        victim.kill()
    assert RunPart.objects.filter(result__isnull=False).count() == 1
    answer_once_more(campaign)
    run_out(job)
    sweep()
    toys.computed_here.clear()
    assert after_working(job).state == "done"
    assert toys.computed_here == [0, 1, 2, 3, 4]


@pytest.mark.django_db
def test_a_ranking_comes_back_through_json() -> None:
    frame = snapshot(small_campaign(small_corpus()))
    inputs = judgments(frame, RANKING.columns)
    ranking = computed(RANKING, inputs, RANKING.resolved(RankingParameters(), scored=False), NoProgress())
    again = from_json(Ranking, json.loads(json.dumps(to_json(ranking))))
    assert to_json(again) == to_json(ranking)
    assert again.standings.systems == ranking.standings.systems
    assert np.array_equal(again.standings.better, ranking.standings.better)
    judging = annotator_agreement(inputs, AGREEMENT.resolved(AgreementParameters(), scored=False))
    assert from_json(Judging, json.loads(json.dumps(to_json(judging)))) == judging


@dataclass(frozen=True, slots=True)
class Inner:
    value: float | None


@dataclass(frozen=True, slots=True)
class Outer:
    by_pair: Mapping[tuple[str, int], Inner]
    all: tuple[Inner, ...]
    first: Inner | None


def test_mappings_tuples_and_none_survive_json() -> None:
    result = Outer({("a", 1): Inner(0.1), ("b", 2): Inner(None)}, (Inner(1.0), Inner(2.0)), None)
    assert from_json(Outer, json.loads(json.dumps(to_json(result)))) == result


@dataclass(frozen=True, slots=True, eq=False)
class Unbounded:
    """A type without bounds."""

    score: float
    scores: FloatArray
    by_name: Mapping[str, float]


def test_numbers_that_json_has_not_are_stored_and_are_null_for_programs() -> None:
    """PostgreSQL would refuse them."""
    result = Unbounded(inf, np.array([[1.0, -inf], [nan, 2.0]]), {"b": inf, "a": 0.5})
    stored = json.dumps(to_json(result), allow_nan=False)
    again = from_json(Unbounded, json.loads(stored))
    assert again.score == inf
    assert np.array_equal(again.scores, result.scores, equal_nan=True)
    assert list(again.by_name.items()) == [("b", inf), ("a", 0.5)]
    assert to_plain_json(result) == {
        "score": None,
        "scores": [[1.0, None], [None, 2.0]],
        "by_name": {"b": None, "a": 0.5},
    }


@pytest.mark.parametrize(
    "other", [None, [], {}, {"value": 1.0, "more": 2}, {"by_pair": [], "all": [{}], "first": None}]
)
def test_results_of_an_earlier_release_are_recognised(other: object) -> None:
    with pytest.raises(ValueError, match="not the JSON of Outer"):
        from_json(Outer, other)


def test_the_state_of_many_sets_of_references_can_be_stored() -> None:
    states = [Version("|".join(map(str, range(sets))), 1).state for sets in (9, 99, 100)]
    assert len(set(states)) == 3
    assert max(map(len, states)) <= (Run._meta.get_field("inputs").max_length or 0)
