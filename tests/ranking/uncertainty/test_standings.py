"""Scores, rank ranges and clusters in one table, by each method."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ranking import (
    PAIRWISE_METHODS,
    Method,
    Ranker,
    Standings,
    Unit,
    count_pairs,
    expected_wins_replicates,
    group_pairs,
    point_scores,
    standings,
)
from tests.ranking.frames import SYSTEMS, few_examples, rename_systems, snapshot, snapshots

CLEAR = snapshot(
    *[
        (judge, sentence, "A > B = C" if sentence % 8 else "B > C > A")
        for judge in ("anna", "ben")
        for sentence in range(40)
    ]
)


def places(result: Standings) -> dict[str, tuple[int | None, int | None, int | None]]:
    return {row.system: (row.rank_low, row.rank_high, row.cluster) for row in result.systems}


@pytest.mark.parametrize("method", PAIRWISE_METHODS)
@pytest.mark.parametrize("unit", [Unit.PAIR, Unit.JUDGMENT, Unit.SENTENCE])
def test_each_method_finds_the_better_system(method: Method, unit: Unit) -> None:
    """A wins seven of eight against B and C, which tie but for ten times that B wins."""
    result = standings(CLEAR, method, unit, replicates=200)
    assert places(result)["A"] == (1, 1, 1)
    assert result.clusters is not None
    assert result.clusters >= 2
    assert result.better[0, 2] == pytest.approx(1, abs=0.03)
    assert result.borders[0].below == 1
    assert result.borders[0].stability > 0.9


def test_a_score_that_is_not_bounded_in_each_replicate_says_why_it_has_no_interval() -> None:
    rankings = [("anna", sentence, "A > B" if sentence > 1 else "B > A") for sentence in range(20)]
    result = standings(snapshot(*rankings), Method.BRADLEY_TERRY, Unit.SENTENCE, replicates=200)
    for row in result.systems:
        assert row.score is not None
        assert (row.spread, row.score_low) == (None, None)
        assert row.reason == "it has no finite score in some replicates, and so no interval"


def test_the_spread_of_a_score_is_that_of_its_replicates() -> None:
    """B is in each pair but one, and so in each replicate; D is missing in some and has no spread."""
    judged = snapshot(("anna", 0, "A > B"), ("anna", 1, "B > A"), ("anna", 2, "A > B > D"))
    result = standings(judged, unit=Unit.PAIR, replicates=50)
    drawn = expected_wins_replicates(group_pairs(judged, Unit.PAIR), range(50), seed=0)
    assert np.isnan(drawn[:, 2]).any()
    assert np.isfinite(drawn[:, 1]).all()
    spreads = {row.system: row.spread for row in result.systems}
    assert spreads["B"] == pytest.approx(drawn[:, 1].std(ddof=1))
    assert spreads["D"] is None


def test_judges_who_agree_leave_no_doubt() -> None:
    """Resampled by judge, two judges with the same answers always give the same ranking."""
    result = standings(CLEAR, unit=Unit.ANNOTATOR, replicates=100)
    assert places(result) == {"A": (1, 1, 1), "B": (2, 2, 2), "C": (3, 3, 3)}
    assert [border.stability for border in result.borders] == [1, 1]


def test_two_systems() -> None:
    judged = snapshot(*[("anna", sentence, "A > B") for sentence in range(5)])
    assert places(standings(judged, replicates=100)) == {"A": (1, 1, 1), "B": (2, 2, 2)}


@pytest.mark.parametrize("method", [Method.EXPECTED_WINS, Method.TRUESKILL])
def test_a_system_never_compared_stands_outside_the_ranks(method: Method) -> None:
    judged = snapshot(("anna", 0, "A"), *[("anna", sentence, "B > C") for sentence in range(1, 6)])
    result = standings(judged, method, replicates=100)
    assert places(result) == {"B": (1, 1, 1), "C": (2, 2, 2), "A": (None, None, None)}
    assert (result.systems[-1].score, result.systems[-1].spread) == (None, None)
    assert result.systems[-1].reason == "it was never compared"


def test_equals_and_systems_without_a_score_stand_in_alphabetical_order() -> None:
    judged = snapshot(("anna", 0, "D"), ("anna", 1, "A"), ("anna", 2, "C = E > F"), ("anna", 3, "B"))
    assert [row.system for row in standings(judged, replicates=0).systems] == ["C", "E", "F", "A", "B", "D"]


def test_only_ties_have_no_expected_wins_and_one_cluster_by_trueskill() -> None:
    judged = snapshot(("anna", 0, "A = B"), ("ben", 1, "A B"))
    wins = standings(judged, replicates=100)
    assert (wins.reason, wins.clusters) == ("no system has a score", None)
    assert [row.reason for row in wins.systems] == ["all its comparisons are ties"] * 2
    skills = standings(judged, Method.TRUESKILL, replicates=100)
    assert places(skills) == {"A": (1, 2, 1), "B": (1, 2, 1)}


@pytest.mark.parametrize(
    ("judged", "unit"),
    [
        (snapshot(("anna", 0, "A > B"), ("anna", 1, "A > B")), Unit.ANNOTATOR),
        (snapshot(("anna", 0, "A > B"), ("ben", 0, "A > B")), Unit.SENTENCE),
        (snapshot(("anna", 0, "A > B > C")), Unit.JUDGMENT),
        (snapshot(("anna", 0, "A > B")), Unit.PAIR),
    ],
)
@pytest.mark.parametrize("method", [Method.EXPECTED_WINS, Method.TRUESKILL])
def test_a_single_unit_cannot_be_resampled(judged: pd.DataFrame, unit: Unit, method: Method) -> None:
    result = standings(judged, method, unit, replicates=100)
    assert result.reason == f"there is only one {unit}, so resampling is impossible"
    assert result.systems[0].score is not None
    assert result.systems[0].rank_low is None


def test_without_replicates_there_are_scores_alone() -> None:
    result = standings(CLEAR, replicates=0)
    assert result.reason == "nothing was resampled"
    assert [row.system for row in result.systems] == ["A", "B", "C"]


@pytest.mark.parametrize("method", PAIRWISE_METHODS)
def test_a_score_depends_on_nothing_that_is_resampled(method: Method) -> None:
    """Neither on the unit, nor on how often, nor on the seed; ranges and intervals do."""
    plain = {row.system: row.score for row in standings(CLEAR, method, replicates=0).systems}
    assert plain == dict(zip("ABC", point_scores(method, count_pairs(CLEAR)), strict=True))
    for unit in Unit:
        ranked = standings(CLEAR, method, unit, replicates=60, seed=3)
        assert {row.system: row.score for row in ranked.systems} == plain


@pytest.mark.parametrize("judged", [snapshot(), snapshot(("anna", 0, "")), snapshot(("anna", 0, "A"))])
@pytest.mark.parametrize("method", PAIRWISE_METHODS)
@pytest.mark.parametrize("unit", Unit)
def test_nothing_to_rank(judged: pd.DataFrame, method: Method, unit: Unit) -> None:
    result = standings(judged, method, unit, replicates=10)
    assert result.reason == "no system has a score"
    assert all(row.score is None and row.reason for row in result.systems)


def test_progress_reaches_the_number_of_replicates() -> None:
    for method in PAIRWISE_METHODS:
        finished: list[int] = []
        standings(CLEAR, method, replicates=45, progress=finished.append)
        assert sum(finished) == 45


@pytest.mark.parametrize("unit", Unit)
@pytest.mark.parametrize("method", PAIRWISE_METHODS)
def test_any_partition_of_the_replicates_gives_equal_standings(method: Method, unit: Unit) -> None:
    whole = standings(CLEAR, method, unit, replicates=130, seed=3)
    ranker = Ranker(CLEAR, method, unit)
    portions = [ranker.draw(part, seed=3) for part in (range(7), range(7, 100), range(100, 130))]
    in_parts = ranker.standings(np.concatenate(portions))
    assert in_parts.systems == whole.systems
    assert in_parts.borders == whole.borders
    assert np.array_equal(in_parts.better, whole.better)
    other = Ranker(CLEAR, method, unit).draw(range(50, 130), seed=3)
    assert np.array_equal(np.concatenate(portions)[50:], other, equal_nan=True)


@few_examples
@given(snapshots(), st.permutations(SYSTEMS), st.sampled_from([Unit.JUDGMENT, Unit.SENTENCE, Unit.ANNOTATOR]))
def test_relabelling_systems_permutes_the_standings(
    judged: pd.DataFrame, names: list[str], unit: Unit
) -> None:
    """Pairs are numbered by their systems, so those would be drawn differently."""
    renamed = dict(zip(SYSTEMS, names, strict=True))
    before = standings(judged, unit=unit, replicates=10)
    after = standings(rename_systems(judged, renamed), unit=unit, replicates=10)
    assert {renamed[system]: place for system, place in places(before).items()} == places(after)
    scores = {row.system: row.score for row in after.systems}
    for row in before.systems:
        same = scores[renamed[row.system]]
        assert same == (None if row.score is None else pytest.approx(row.score))


@few_examples
@given(snapshots(), st.integers(-3, 3), st.sampled_from(PAIRWISE_METHODS), st.sampled_from(Unit))
def test_only_the_order_of_ranks_matters(
    judged: pd.DataFrame, shift: int, method: Method, unit: Unit
) -> None:
    shifted = judged.assign(rank=judged["rank"] * 2 + shift)
    before, after = (standings(frame, method, unit, replicates=10) for frame in (judged, shifted))
    assert before.systems == after.systems
    assert np.array_equal(before.better, after.better)
