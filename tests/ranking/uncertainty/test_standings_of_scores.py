"""Ranking of scalar judgments: by mean scores, and by the pairs that the scores imply."""

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ranking import (
    MEAN_UNITS,
    PAIRWISE_METHODS,
    Method,
    Ranker,
    Ranks,
    ResamplingError,
    Scores,
    Standings,
    Unit,
    alpha_over_pairs,
    annotator_correlations,
    annotator_counts,
    annotators_against_rest,
    cross_validate,
    mean_intervals,
    standings,
    system_means,
)
from tests.ranking.frames import few_examples
from tests.ranking.scorings import Scoring, scored, simulated

APART = simulated(sentences=60, systems=3, annotators=4, noise=0.5, seed=1, apart=1.0)


def by_mean(snapshot: pd.DataFrame, unit: Unit = Unit.SENTENCE, replicates: int = 200) -> Standings:
    return standings(snapshot, Method.MEAN_SCORE, unit, replicates=replicates, seed=1)


@pytest.mark.parametrize("unit", MEAN_UNITS)
def test_the_replicates_of_mean_scores_are_drawn_as_a_whole(unit: Unit) -> None:
    ranker = Ranker(APART, Method.MEAN_SCORE, unit)
    assert ranker.standings(ranker.draw(range(200), seed=1)).systems == by_mean(APART, unit).systems
    with pytest.raises(ValueError, match="drawn as a whole"):
        ranker.draw(range(50, 100), seed=1)


@pytest.mark.parametrize("unit", MEAN_UNITS)
def test_mean_scores_have_intervals_ranks_and_clusters(unit: Unit) -> None:
    result = by_mean(APART, unit)
    assert [(row.system, row.cluster) for row in result.systems] == [("S2", 1), ("S1", 2), ("S0", 3)]
    means = {mean.system: mean.score or 0 for mean in system_means(APART)}
    intervals = mean_intervals(APART, unit=unit, resamples=200, seed=1)
    for row in result.systems:
        assert row.score == pytest.approx(means[row.system])
        assert (row.score_low, row.score_high) == (intervals[row.system].low, intervals[row.system].high)
        assert row.score_low is not None
        assert row.score_high is not None
        assert row.score_low < means[row.system] < row.score_high
        assert row.spread == pytest.approx((row.score_high - row.score_low) / 3.92, rel=0.25)


@pytest.mark.parametrize("method", PAIRWISE_METHODS)
def test_a_tie_width_beyond_all_scores_leaves_no_difference(method: Method) -> None:
    apart, level = (
        standings(APART, method, Unit.SENTENCE, by=Scores(width), replicates=50) for width in (0.0, 100.0)
    )
    assert [row.system for row in apart.systems] == ["S2", "S1", "S0"]
    assert level.clusters == (1 if method is Method.TRUESKILL else None)


@few_examples
@given(st.lists(st.tuples(st.sampled_from("ab"), st.integers(0, 1), st.tuples(*[st.integers(0, 3)] * 3))))
def test_functions_of_pairs_take_scores_as_ranks(
    judgments: list[tuple[str, int, tuple[int, ...]]],
) -> None:
    frame = scored(
        *(
            (name, place, dict(zip(["X Y", "Z", "W"], scores, strict=False)))
            for name, place, scores in judgments
        )
    )
    ranked, by = frame.assign(rank=10 - frame["score"].astype("Int64")), Scores()
    assert annotator_counts(frame, by) == annotator_counts(ranked)
    assert alpha_over_pairs(frame, by) == alpha_over_pairs(ranked)
    assert annotator_correlations(frame, by=by).rest == annotator_correlations(ranked).rest
    for one, other in zip(annotators_against_rest(frame, by), annotators_against_rest(ranked), strict=True):
        assert (one.kappa, one.pairs_without) == (other.kappa, other.pairs_without)
    by_score, by_rank = (
        standings(judged, unit=Unit.ANNOTATOR, by=basis, replicates=10).systems
        for judged, basis in ((frame, by), (ranked, Ranks()))
    )
    assert by_score == by_rank


def test_folds_of_scores_are_predicted() -> None:
    shares = cross_validate(APART, Method.EXPECTED_WINS, by=Scores(), folds=5).total_order.folds
    assert min(shares) > 0.7
    with pytest.raises(ResamplingError, match="mean scores are of ratings"):
        cross_validate(APART, Method.MEAN_SCORE, by=Scores(), folds=5)


def test_ties_by_width_are_counted_for_identical_systems_too() -> None:
    tally = annotator_counts(scored(("ann", 0, {"A B": 50, "C": 53, "D": 60})), Scores(tie_width=5)).total
    assert (tally.unexpanded, tally.unexpanded_ties) == (3, 1)
    assert (tally.expanded, tally.expanded_ties) == (6, 3)


@pytest.mark.parametrize("unit", [Unit.PAIR, Unit.JUDGMENT])
def test_a_mean_score_is_resampled_by_sentence_or_judge(unit: Unit) -> None:
    with pytest.raises(ResamplingError, match=f"by sentence or judge, not by {unit}"):
        by_mean(APART, unit)


def test_all_scores_the_same_are_one_cluster() -> None:
    result = by_mean(scored(*((name, place, {"A": 50, "B": 50}) for name in "ab" for place in range(3))))
    assert [(row.rank_low, row.rank_high, row.cluster) for row in result.systems] == [(1, 2, 1)] * 2
    assert [(row.score_low, row.spread) for row in result.systems] == [(50.0, 0.0)] * 2


@pytest.mark.parametrize(
    ("judgments", "unit", "reason"),
    [
        ([], Unit.ANNOTATOR, "no system has a score"),
        ([("ann", 0, {"A": None})], Unit.ANNOTATOR, "no system has a score"),
        ([("ann", 0, {"A": None})], Unit.SENTENCE, "no system has a score"),
        (
            [("ann", 0, {"A": 10}), ("ann", 1, {"A": 20})],
            Unit.ANNOTATOR,
            "there is only one judge, so resampling is impossible",
        ),
        (
            [("ann", 0, {"A": 10}), ("ben", 0, {"A": 20})],
            Unit.SENTENCE,
            "there is only one sentence, so resampling is impossible",
        ),
    ],
)
def test_unknown_values_have_a_reason(judgments: list[Scoring], unit: Unit, reason: str) -> None:
    result = by_mean(scored(*judgments), unit)
    assert result.reason == reason
    assert all(row.rank_low is None and row.score_low is None for row in result.systems)
    assert all(row.score is not None or row.reason for row in result.systems)


def test_a_system_scored_once_has_no_interval_and_one_never_scored_no_rank() -> None:
    frame = scored(*(("ann", place, {"A": place, "D": None}) for place in range(8)), ("ann", 8, {"B": 50}))
    best, other, unscored = by_mean(frame).systems
    assert (best.system, best.score_low, best.reason) == ("B", None, "only one sentence has ratings of it")
    assert (other.system, other.reason) == ("A", None)
    assert (unscored.rank_low, unscored.reason) == (None, "none of its outputs was scored")


def test_one_system_ranks_first() -> None:
    [row] = by_mean(scored(("ann", 0, {"A": 10}), ("ann", 1, {"A": 30}))).systems
    assert (row.rank_low, row.rank_high, row.score_low, row.score_high) == (1, 1, 10.0, 30.0)


def test_without_replicates_there_are_means_alone() -> None:
    result = by_mean(APART, replicates=0)
    assert (result.reason, result.systems[0].score_low) == ("nothing was resampled", None)
