"""A ranking computed in parts is the same at once, by a job, and by workers that were killed in between."""

from pathlib import Path
from typing import Any

import pytest

from analysis.analyses.annotators.agreement import AGREEMENT
from analysis.analyses.base import AnyAnalysis
from analysis.analyses.judgment_inputs import Judgments, judgments
from analysis.analyses.systems.ranking import RANKING, REPLICATES_PER_PART, RankingParameters, portions
from analysis.models import RunPart
from analysis.runs.computing import computed
from analysis.runs.parts import Parts
from analysis.runs.queries import compute_anew, current
from analysis.runs.requests import Request, request_of
from analysis.runs.results import to_json
from annotate.models import Campaign
from core.arrays import FloatArray
from core.parameters import ParameterError
from core.progress import NoProgress
from jobs.worker import sweep
from ranking import Method, Ranker, Unit
from tests.analysis.stored import KeptParts, forget_results
from tests.annotate.samples import small_campaign, small_corpus
from tests.depth import DEEP
from tests.jobs.kinds import after_working
from tests.jobs.workers import held_worker, run_out
from tests.ranking.frames import snapshot
from tests.ranking.scorings import simulated
from tests.ranking.test_steps import CHECKED

RANKED = snapshot(
    *[
        (judge, sentence, "A > B = C" if sentence % 8 else "B > C > A")
        for judge in ("anna", "ben")
        for sentence in range(20)
    ],
    ("carl", 3, "A > D"),  # In many replicates D has no score, or an infinite one.
)
SCORED = simulated(sentences=30, systems=3, annotators=4, noise=0.5, seed=1, apart=1.0)

KILLS = 2 if DEEP else 1
"""How often a worker is killed in the middle of a run. Starting one takes seconds."""


def ranked(inputs: Judgments, parameters: RankingParameters, parts: Any) -> Any:
    """The result as it is stored."""
    return to_json(computed(RANKING, inputs, parameters, NoProgress(), parts))


@pytest.mark.parametrize("unit", Unit)
@pytest.mark.parametrize("method", Method)
def test_parts_that_were_stored_change_no_number(method: Method, unit: Unit) -> None:
    is_mean = method is Method.MEAN_SCORE
    inputs = judgments(SCORED if is_mean else RANKED, RANKING.columns)
    stated = RankingParameters(method=method, unit=unit, replicates=2 * REPLICATES_PER_PART + 20, seed=3)
    try:
        parameters = RANKING.resolved(stated, scored=is_mean)
    except ParameterError:
        assert is_mean  # Not all units are for mean scores.
        return
    parts = KeptParts(FloatArray)
    whole = ranked(inputs, parameters, Parts())
    assert ranked(inputs, parameters, parts) == whole
    assert len(parts) == len(portions(parameters)) == (1 if is_mean else 6 if unit is Unit.PAIR else 3)
    del parts[0]
    assert ranked(inputs, parameters, parts) == whole


class Stops(NoProgress):
    """Counts the moments within a step at which a job that was cancelled would end."""

    number = 0

    def advance(self, parts: int) -> None:
        self.number += not parts


@pytest.mark.parametrize("analysis", [RANKING, AGREEMENT])
def test_a_job_that_is_cancelled_ends_while_it_counts_pairs(analysis: AnyAnalysis) -> None:
    stops = Stops()
    parameters = analysis.resolved(analysis.parameters(), scored=False)
    computed(analysis, judgments(RANKED.assign(score=None), analysis.all_columns), parameters, stops, Parts())
    assert stops.number > CHECKED


def test_without_replicates_there_are_no_parts_and_still_scores() -> None:
    parameters = RANKING.resolved(RankingParameters(replicates=0), scored=False)
    parts = Parts()
    inputs = judgments(RANKED, RANKING.columns)
    ranking = computed(RANKING, inputs, parameters, NoProgress(), parts)
    assert [row.system for row in ranking.standings.systems] == ["A", "B", "C", "D"]
    assert not parts


def trueskill(campaign: Campaign) -> Request:
    return request_of(RANKING, campaign, RankingParameters(method=Method.TRUESKILL))


@pytest.mark.django_db(transaction=True)
@pytest.mark.slow
def test_a_killed_worker_costs_one_part_and_changes_no_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign = small_campaign(small_corpus())
    request = trueskill(campaign)
    expected = to_json(current(request, asked_by=None).result)
    forget_results()
    job = compute_anew(request, asked_by=None)
    for kills in range(1, KILLS + 1):
        # TrueSkill tells of each replicate after some parts of the preparation, and a worker that goes on of
        # what it found.
        with held_worker(tmp_path, step="Ranking", after=REPLICATES_PER_PART + 30) as victim:
            victim.kill()
        (tmp_path / "held").unlink()
        assert RunPart.objects.filter(result__isnull=False).count() == kills
        run_out(job)
        sweep()
    drawn: list[range] = []
    draw = Ranker.draw

    def noted(self: Ranker, part: range, seed: int, **about: Any) -> FloatArray:
        drawn.append(part)
        return draw(self, part, seed, **about)

    monkeypatch.setattr(Ranker, "draw", noted)
    assert after_working(job).state == "done"
    assert drawn == [part for _, part in portions(request.parameters)][KILLS:]
    assert to_json(current(request, asked_by=None).result) == expected
    assert not RunPart.objects.exists()
