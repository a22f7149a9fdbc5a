"""Results of jobs are restored from JSON unchanged."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from math import inf, nan

import numpy as np
import pytest

from analysis.analyses.agreement import AGREEMENT, AgreementParameters, Judging, judge_agreement
from analysis.analyses.inputs import judgments
from analysis.analyses.ranking import RANKING, Ranking, RankingParameters
from analysis.runs.computing import computed
from analysis.runs.results import from_json, to_json, to_plain_json
from annotate.judgments.queries import snapshot
from core.progress import NoProgress
from ranking.arrays import FloatArray
from tests.annotate.samples import small_campaign, small_corpus


@pytest.mark.django_db
def test_a_ranking_comes_back_through_json() -> None:
    frame = snapshot(small_campaign(small_corpus()))
    inputs = judgments(frame, RANKING.columns)
    ranking = computed(RANKING, inputs, RANKING.resolved(RankingParameters(), scored=False), NoProgress(), {})
    again = from_json(Ranking, json.loads(json.dumps(to_json(ranking))))
    assert to_json(again) == to_json(ranking)
    assert again.standings.systems == ranking.standings.systems
    assert np.array_equal(again.standings.better, ranking.standings.better)
    judging = judge_agreement(inputs, AGREEMENT.resolved(AgreementParameters(), scored=False))
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
