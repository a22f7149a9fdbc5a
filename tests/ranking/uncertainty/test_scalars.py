"""Mean scores, their intervals and z-scores."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ranking import (
    MEAN_UNITS,
    Interval,
    Scores,
    SnapshotError,
    SystemMean,
    Unit,
    agreement,
    count_pairs,
    expected_wins,
    mean_intervals,
    output_means,
    ranked_outputs,
    standardised,
    system_means,
    unexpanded_pairs,
)
from tests.ranking.frames import few_examples
from tests.ranking.scorings import scored, simulated


def test_an_output_has_the_mean_of_its_ratings() -> None:
    means = output_means(scored(("ann", 0, {"A B": 10, "C": 70}), ("ben", 0, {"A B": 20, "C": None})))
    assert means.values.tolist() == [[0, "A+B", 15.0, 2], [0, "C", 70.0, 1]]


def test_a_system_has_the_mean_of_its_sentences_however_often_they_were_judged() -> None:
    frame = scored(
        ("ann", 0, {"A B": 10, "C": 70}),
        ("ben", 0, {"A B": 20, "C": 50}),
        ("ann", 1, {"A": 95, "B": 45, "D": None}),
    )
    assert system_means(frame) == (
        SystemMean("C", 60.0, sentences=1, ratings=2, reason=None),
        SystemMean("A", 55.0, sentences=2, ratings=3, reason=None),
        SystemMean("B", 30.0, sentences=2, ratings=3, reason=None),
        SystemMean("D", None, sentences=0, ratings=0, reason="none of its outputs was scored"),
    )


def test_scores_imply_pairs() -> None:
    """70 beats 50 and 52; these two tie at a width of 2."""
    frame = scored(("ann", 0, {"A": 50, "B C": 52, "D": 70}))
    exact, wide = count_pairs(frame, by=Scores()), count_pairs(frame, by=Scores(tie_width=2))
    assert exact.wins.sum(axis=1).tolist() == [0, 1, 1, 3]
    assert wide.wins.sum(axis=1).tolist() == [0, 0, 0, 3]
    assert wide.ties[0].tolist() == [0, 1, 1, 0]
    assert expected_wins(wide).scores[0].system == "D"


def test_ties_by_width_are_not_transitive() -> None:
    frame = scored(("ann", 0, {"A": 60, "B": 55, "C": 50}))
    pairs = unexpanded_pairs(frame, by=Scores(tie_width=5))
    assert pairs[["first", "second", "outcome"]].values.tolist() == [
        ["A", "B", 0],
        ["A", "C", 1],
        ["B", "C", 0],
    ]


@few_examples
@given(st.lists(st.tuples(st.sampled_from("ab"), st.lists(st.integers(0, 4), min_size=3, max_size=3))))
def test_scores_and_the_ranks_that_they_imply_give_the_same(judgments: list[tuple[str, list[int]]]) -> None:
    frame = scored(*((name, 0, dict(zip("XYZ", scores, strict=True))) for name, scores in judgments))
    ranked = frame.assign(rank=100 - frame["score"].astype("Int64"))
    assert ranked_outputs(ranked).shape == (3 * len(judgments), 6)
    by_score, by_rank = count_pairs(frame, by=Scores()), count_pairs(ranked)
    assert (by_score.wins == by_rank.wins).all()
    assert (by_score.ties == by_rank.ties).all()
    assert agreement(frame, by=Scores()) == agreement(ranked)


def test_an_impossible_tie_width_is_refused() -> None:
    for width in (-1.0, float("nan")):
        with pytest.raises(ValueError, match="choose 0 or more"):
            Scores(tie_width=width)


def test_z_scores_take_out_how_an_annotator_uses_the_scale() -> None:
    strict, generous = {"A": 10, "B": 20, "C": 30}, {"A": 70, "B": 80, "C": 90}
    z_scores = standardised(scored(("ann", 0, strict), ("ben", 0, generous), ("cleo", 0, {"A": 50, "B": 50})))
    assert z_scores.snapshot["score"].tolist()[:6] == [-1, 0, 1, -1, 0, 1]
    assert z_scores.snapshot["score"].isna().tolist() == [False] * 6 + [True] * 2
    assert z_scores.left_out == {"cleo": "all scores are the same"}
    assert system_means(z_scores.snapshot)[0].system == "C"


def test_one_score_has_no_z_score() -> None:
    assert standardised(scored(("ann", 0, {"A": 10}))).left_out == {"ann": "only one score"}


def test_intervals_over_sentences_are_those_of_a_mean() -> None:
    """The mean of n values of variance v has a standard error of sqrt(v / n)."""
    frame = simulated(sentences=400, systems=2, annotators=1, noise=0.0, seed=1)
    scores = frame.loc[frame["output"] == "output 0", "score"]
    error = 1.96 * scores.std() / np.sqrt(len(scores))
    interval = mean_intervals(frame, unit=Unit.SENTENCE, resamples=4000, seed=1)["S0"]
    assert interval.low == pytest.approx(scores.mean() - error, abs=0.1 * error)
    assert interval.high == pytest.approx(scores.mean() + error, abs=0.1 * error)


def test_intervals_over_annotators_are_those_of_a_mean() -> None:
    """Annotators who differ by how strict they are, and not in what they see."""
    strictness = np.random.default_rng(1).normal(size=200)
    frame = scored(*((f"judge {n}", n % 5, {"A": 50 + strict}) for n, strict in enumerate(strictness)))
    error = 1.96 * strictness.std() / np.sqrt(len(strictness))
    interval = mean_intervals(frame, unit=Unit.ANNOTATOR, resamples=4000, seed=1)["A"]
    assert interval.low == pytest.approx(50 + strictness.mean() - error, abs=0.1 * error)
    assert interval.high == pytest.approx(50 + strictness.mean() + error, abs=0.1 * error)


@pytest.mark.parametrize("unit", MEAN_UNITS)
def test_a_seed_repeats_the_intervals_and_the_order_of_rows_does_not_matter(unit: Unit) -> None:
    frame = simulated(sentences=30, systems=3, annotators=4, noise=1.0, seed=1)
    intervals = mean_intervals(frame, unit=unit, seed=3)
    shuffled = frame.sample(frac=1, random_state=1)
    again = mean_intervals(shuffled, unit=unit, seed=3)
    for system, interval in intervals.items():
        assert again[system].low == pytest.approx(interval.low)
    assert mean_intervals(frame, unit=unit, seed=4) != intervals


def test_an_interval_needs_two_sentences_or_annotators() -> None:
    frame = scored(("ann", 0, {"A": 10, "B": None}), ("ben", 0, {"A": 30}))
    by_sentence = mean_intervals(frame, unit=Unit.SENTENCE, seed=1)
    assert by_sentence["A"] == Interval(None, None, "only one sentence has ratings of it")
    assert by_sentence["B"] == Interval(None, None, "no sentence has ratings of it")
    assert mean_intervals(frame, unit=Unit.ANNOTATOR, seed=1)["A"] == Interval(10.0, 30.0, None)


def test_intervals_out_of_range_are_refused() -> None:
    with pytest.raises(ValueError, match="0 resamples"):
        mean_intervals(scored(("ann", 0, {"A": 1})), unit=Unit.SENTENCE, resamples=0, seed=1)


@pytest.mark.parametrize(
    ("score", "message"), [("high", "scores must be numbers"), (float("inf"), "a score is not finite")]
)
def test_a_score_must_be_a_number(score: str | float, message: str) -> None:
    frame = scored(("ann", 0, {"A": 1})).assign(score=[score])
    with pytest.raises(SnapshotError, match=message):
        system_means(frame)


def test_an_empty_snapshot_has_no_scores() -> None:
    frame = scored()
    assert system_means(frame) == ()
    assert mean_intervals(frame, unit=Unit.SENTENCE, seed=1) == {}
    assert mean_intervals(frame, unit=Unit.ANNOTATOR, seed=1) == {}
    assert standardised(frame).left_out == {}
