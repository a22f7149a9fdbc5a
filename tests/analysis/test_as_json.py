"""What a job has computed comes back as it was."""

import json
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pytest

from analysis.analyses.judging import Judging, judging
from analysis.analyses.ranking import Choice, Ranking, rank
from analysis.runs.as_json import from_json, to_json
from annotate.judgments.queries import snapshot
from tests.annotate.samples import small_campaign, small_corpus


@pytest.mark.django_db
def test_a_ranking_comes_back_through_json() -> None:
    frame = snapshot(small_campaign(small_corpus()))
    ranking = rank(frame, Choice())
    again = from_json(Ranking, json.loads(json.dumps(to_json(ranking))))
    assert to_json(again) == to_json(ranking)
    assert again.standings.systems == ranking.standings.systems
    assert np.array_equal(again.standings.better, ranking.standings.better)
    result = judging(frame)
    assert from_json(Judging, json.loads(json.dumps(to_json(result)))) == result


@dataclass(frozen=True, slots=True)
class Inner:
    value: float | None


@dataclass(frozen=True, slots=True)
class Outer:
    by_pair: Mapping[tuple[str, int], Inner]
    all: tuple[Inner, ...]
    first: Inner | None


def test_mappings_tuples_and_what_is_missing_come_back() -> None:
    result = Outer({("a", 1): Inner(0.1), ("b", 2): Inner(None)}, (Inner(1.0), Inner(2.0)), None)
    assert from_json(Outer, json.loads(json.dumps(to_json(result)))) == result


@pytest.mark.parametrize(
    "other", [None, [], {}, {"value": 1.0, "more": 2}, {"by_pair": [], "all": [{}], "first": None}]
)
def test_what_an_earlier_release_has_stored_is_told_apart(other: object) -> None:
    with pytest.raises(ValueError, match="no JSON of Outer"):
        from_json(Outer, other)
