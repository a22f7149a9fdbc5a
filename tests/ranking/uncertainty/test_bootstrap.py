"""Rank ranges, clusters and other results of replicates (GJG15, section 5.2; Koehn 2012)."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.arrays import FloatArray
from ranking import (
    Border,
    GroupedPairs,
    ResamplingError,
    Unit,
    cluster_borders,
    expected_wins_replicates,
    group_pairs,
    rank_clusters,
    rank_ranges,
    win_probabilities,
)
from tests.ranking.frames import SYSTEMS, few_examples, rename_systems, snapshot, snapshots

nan = float("nan")


def ranges(scores: FloatArray | list[list[float]], confidence: float = 0.95) -> list[tuple[int, int]]:
    low, high = rank_ranges(np.array(scores), confidence)
    return list(zip(low.tolist(), high.tolist(), strict=True))


def clusters(*spans: tuple[int, int]) -> list[int]:
    low, high = np.array(spans).T
    return [int(cluster) for cluster in rank_clusters(low, high)]


def test_of_1000_ranks_25_are_dropped_at_either_end() -> None:
    """B is before A in 25 replicates, or in one more."""
    seldom = [[0.0, 1.0]] * 25 + [[1.0, 0.0]] * 975
    assert ranges(seldom) == [(1, 1), (2, 2)]
    assert ranges([[0.0, 1.0], *seldom[:-1]]) == [(1, 2), (1, 2)]


def test_of_100_ranks_3_are_dropped_at_either_end() -> None:
    """ceil(2.5), as WMT's script does."""
    assert ranges([[0.0, 1.0]] * 3 + [[1.0, 0.0]] * 97) == [(1, 1), (2, 2)]


def test_confidence_sets_how_many_are_dropped() -> None:
    scores = [[0.0, 1.0]] * 30 + [[1.0, 0.0]] * 70
    assert ranges(scores, confidence=0.4) == [(1, 1), (2, 2)]
    assert ranges(scores, confidence=0.42) == [(1, 2), (1, 2)]


def test_equal_scores_share_their_places() -> None:
    assert ranges([[0.5, 0.5, 0.1]] * 100) == [(1, 2), (1, 2), (3, 3)]
    assert ranges([[0.1 + 0.2, 0.3]] * 100) == [(1, 2), (1, 2)]


def test_without_a_score_a_system_ranks_last() -> None:
    assert ranges([[nan, 0.0]] * 100) == [(2, 2), (1, 1)]


@pytest.mark.parametrize("confidence", [0, 1, -1, 95])
def test_confidence_is_a_share(confidence: float) -> None:
    with pytest.raises(ResamplingError, match="between 0 and 1"):
        ranges([[1.0, 0.0]] * 100, confidence)


def test_two_replicates_have_no_range() -> None:
    with pytest.raises(ResamplingError, match="2 replicates are too few"):
        ranges([[1.0, 0.0]] * 2)


def test_a_border_stands_where_no_range_crosses_it() -> None:
    assert clusters((1, 1), (2, 3), (2, 4), (3, 5), (4, 5), (6, 8)) == [1, 2, 2, 2, 2, 3]


def test_a_long_range_holds_a_cluster_together() -> None:
    """Comparing the second range with the third alone would part them, though the first covers all."""
    assert clusters((1, 4), (2, 2), (3, 3), (4, 4)) == [1, 1, 1, 1]


def test_clusters_are_numbered_from_the_best_whatever_the_order_of_systems() -> None:
    assert clusters((3, 3), (1, 2), (1, 2)) == [2, 1, 1]


def test_no_systems_make_no_clusters() -> None:
    assert rank_clusters(np.array([], dtype=np.int64), np.array([], dtype=np.int64)).tolist() == []


def test_a_beats_b_as_often_as_it_scores_better_and_half_as_often_as_they_are_equal() -> None:
    probabilities = win_probabilities(np.array([[1.0, 0.0], [1.0, 1.0], [0.0, nan], [0.0, 1.0]]))
    assert probabilities.tolist() == [[0.5, 0.625], [0.375, 0.5]]


def test_a_border_is_as_stable_as_it_is_clean() -> None:
    """The second replicate has the third system among the upper two."""
    scores = np.array([[3.0, 2.0, 1.0], [3.0, 1.0, 2.0], [2.0, 3.0, 1.0], [3.0, 2.0, 0.0]])
    assert cluster_borders(scores, np.array([1, 1, 2])) == (Border(below=1, stability=0.75),)


@pytest.mark.parametrize("unit", Unit)
def test_a_clear_winner_stands_alone(unit: Unit) -> None:
    judged = snapshot(*[(judge, sentence, "A > B") for judge in ("anna", "ben") for sentence in range(5)])
    assert ranges(expected_wins_replicates(group_pairs(judged, unit), range(100), seed=1)) == [(1, 1), (2, 2)]


def test_only_ties_leave_all_places_open() -> None:
    pairs = group_pairs(snapshot(("anna", 0, "A = B"), ("ben", 0, "A B = C")), Unit.PAIR)
    assert ranges(expected_wins_replicates(pairs, range(100), seed=1)) == [(1, 3)] * 3


def spread(wins: int, losses: int, copies: int, unit: Unit) -> float:
    """The standard deviation of A's score, where A won against B, and lost, so often, each copied."""
    a_wins, b_wins = 1, 2
    codes = np.repeat([a_wins] * wins + [b_wins] * losses, copies).astype(np.int32)
    starts = np.arange(0, len(codes) + 1, 1 if unit is Unit.PAIR else copies)
    pairs = GroupedPairs(("A", "B"), unit, starts, codes)
    return float(expected_wins_replicates(pairs, range(1000), seed=1)[:, 0].std())


@few_examples
@given(st.integers(1, 20), st.integers(1, 20))
def test_copies_narrow_intervals_only_where_they_pass_for_new_evidence(wins: int, losses: int) -> None:
    """Four copies of all pairs halve the spread; copies within a sentence leave it as it was."""
    half = pytest.approx(spread(wins, losses, 1, Unit.PAIR) / 2, rel=0.15)
    assert spread(wins, losses, 4, Unit.PAIR) == half
    assert spread(wins, losses, 4, Unit.SENTENCE) == spread(wins, losses, 1, Unit.SENTENCE)


@few_examples
@given(snapshots(), st.permutations(SYSTEMS), st.sampled_from([Unit.JUDGMENT, Unit.SENTENCE, Unit.ANNOTATOR]))
def test_relabelling_systems_permutes_ranges(judged: pd.DataFrame, names: list[str], unit: Unit) -> None:
    renamed = dict(zip(SYSTEMS, names, strict=True))

    def by_system(frame: pd.DataFrame) -> dict[str, tuple[int, int]]:
        pairs = group_pairs(frame, unit)
        spans = ranges(expected_wins_replicates(pairs, range(40), seed=1), confidence=0.8)
        return dict(zip(pairs.systems, spans, strict=True))

    after = by_system(rename_systems(judged, renamed))
    assert {renamed[system]: span for system, span in by_system(judged).items()} == after


@few_examples
@given(snapshots(), st.integers(-3, 3), st.sampled_from(Unit))
def test_only_the_order_of_ranks_matters(judged: pd.DataFrame, shift: int, unit: Unit) -> None:
    shifted = judged.assign(rank=judged["rank"] * 2 + shift)
    before, after = (
        expected_wins_replicates(group_pairs(frame, unit), range(10), seed=1) for frame in (judged, shifted)
    )
    assert np.array_equal(before, after, equal_nan=True)


@few_examples
@given(st.lists(st.tuples(st.integers(1, 6), st.integers(0, 5)), min_size=1, max_size=6))
def test_clusters_are_the_finest_without_overlap(spans: list[tuple[int, int]]) -> None:
    """Koehn's definition: apart if and only if a chain of overlaps does not join them."""
    ends = [(low, low + length) for low, length in spans]
    numbers = clusters(*ends)
    for cluster in range(1, max(numbers)):
        above = max(high for (_, high), number in zip(ends, numbers, strict=True) if number <= cluster)
        below = min(low for (low, _), number in zip(ends, numbers, strict=True) if number > cluster)
        assert above < below
    reach: dict[int, int] = {}
    for (low, high), number in sorted(zip(ends, numbers, strict=True)):
        assert low <= reach.get(number, low)
        reach[number] = max(high, reach.get(number, high))
