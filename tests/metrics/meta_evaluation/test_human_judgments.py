"""Judgments as arrays over sentences and systems."""

import sys
from dataclasses import fields

import numpy as np
import pandas as pd
import pytest
from hypothesis import given

from metrics.meta_evaluation import HumanScore, people, together
from metrics.meta_evaluation.judged_pairs import JudgedPairs
from ranking import (
    Design,
    Method,
    Scores,
    SnapshotError,
    bradley_terry_strengths,
    count_pairs,
    mean_shares_won,
    point_scores,
    simulated_campaign,
    standardised,
    system_means,
    without_systems,
)
from ranking.judgments.grouped_pairs import Unit, group_pairs
from tests.memory import peak_of
from tests.metrics.meta_evaluation.samples import rankings, scored_snapshot
from tests.ranking.frames import few_examples, snapshot, snapshots

RATINGS = (
    ("anna", 0, "A B", 80),
    ("anna", 0, "C", 20),
    ("ben", 0, "A B", 60),
    ("anna", 2, "A", 50),
    ("ben", 2, "C", 90),
)


def test_of_rankings_a_human_score_is_the_share_of_decided_comparisons_won() -> None:
    """A and B share a text, which is no decision; in the second sentence C ties with both others."""
    judged = people(snapshot(("anna", 0, "A B > C"), ("ben", 0, "C > A B"), ("ben", 1, "A = C > B")), 3)
    assert judged.scores[0].tolist() == [0.5, 0.5, 0.5]
    assert judged.scores[1].tolist() == [1, 0, 1]
    assert np.isnan(judged.scores[2]).all()
    assert judged.judged_sentences.tolist() == [0, 1]
    assert judged.texts[0, 0] == judged.texts[0, 1] != judged.texts[0, 2]
    assert judged.texts[2].tolist() == [-1, -1, -1]


def test_of_scores_a_human_score_is_the_mean_and_what_is_missing_is_not_0() -> None:
    judged = people(scored_snapshot(*RATINGS), 4)
    np.testing.assert_array_equal(judged.scores, [[70, 70, 20], [np.nan] * 3, [50, np.nan, 90], [np.nan] * 3])
    assert judged.judged_sentences.tolist() == [0, 2]


def test_pairs_of_one_text_are_counted_but_are_no_comparison() -> None:
    judged = people(snapshot(("anna", 0, "A B > C")), 1)
    pairs = judged.judged
    assert list(zip(pairs.first.tolist(), pairs.second.tolist(), pairs.outcome.tolist(), strict=True)) == [
        (0, 2, 1),
        (1, 2, 1),
    ]
    assert judged.pairs.counts.ties[0, 1] == 1


@pytest.fixture(scope="module")
def many() -> pd.DataFrame:
    """66 pairs in each of 3,000 judgments."""
    design = Design(systems=12, shown=12, per_sentence=2, wins=0.6, ties=0.2)
    return simulated_campaign(design, sentences=1500, seed=0)


def test_pairs_are_grouped_and_counted_in_blocks(many: pd.DataFrame, monkeypatch: pytest.MonkeyPatch) -> None:
    at_once = people(many, 1500)
    monkeypatch.setattr(sys.modules["metrics.meta_evaluation.human_judgments"], "PAIRS_PER_BLOCK", 1000)
    in_blocks = people(many, 1500)
    np.testing.assert_array_equal(in_blocks.scores, at_once.scores)
    np.testing.assert_array_equal(in_blocks.pairs.starts, at_once.pairs.starts)
    np.testing.assert_array_equal(in_blocks.pairs.codes, at_once.pairs.codes)
    for field in fields(JudgedPairs):
        np.testing.assert_array_equal(
            getattr(in_blocks.judged, field.name), getattr(at_once.judged, field.name)
        )
    grouped = group_pairs(many, Unit.SENTENCE)
    np.testing.assert_array_equal(in_blocks.pairs.counts.wins, grouped.counts.wins)


def test_memory_holds_few_copies_of_the_pairs(many: pd.DataFrame, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["metrics.meta_evaluation.human_judgments"], "PAIRS_PER_BLOCK", 1000)
    assert peak_of(lambda: people(many, 1500)) < 40 * 66 * 3000


def test_the_work_can_be_stopped_at_each_block(many: pd.DataFrame, monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks are read once for texts and once for pairs."""
    monkeypatch.setattr(sys.modules["metrics.meta_evaluation.human_judgments"], "PAIRS_PER_BLOCK", 1000)
    steps: list[None] = []
    people(many, 1500, step=lambda: steps.append(None))
    assert len(steps) > 2 * 66 * 3000 / 1000


@few_examples
@given(snapshots())
def test_scores_of_all_sentences_are_those_of_ranking(judged: pd.DataFrame) -> None:
    arrays = people(judged, 2)
    counts = count_pairs(judged)
    np.testing.assert_array_equal(arrays.pairs.counts.wins, counts.wins)
    np.testing.assert_array_equal(arrays.pairs.counts.ties, counts.ties)
    everything = np.arange(2)[None]
    shares = arrays.scores_of_draws(HumanScore.EXPECTED_WINS)(everything)[0]
    np.testing.assert_allclose(shares, mean_shares_won(counts.wins))


def test_each_human_score_is_that_of_ranking() -> None:
    snapshot = rankings()
    judged, everything = people(snapshot, 24), np.arange(24)[None]
    counts = count_pairs(snapshot)
    strengths = judged.scores_of_draws(HumanScore.BRADLEY_TERRY)(everything)[0]
    np.testing.assert_allclose(strengths, bradley_terry_strengths(counts))
    skills = judged.scores_of_draws(HumanScore.TRUESKILL)(everything)[0]
    np.testing.assert_allclose(skills, point_scores(Method.TRUESKILL, counts))
    means = judged.scores_of_draws(HumanScore.MEAN)(everything)[0]
    np.testing.assert_allclose(means, np.nanmean(judged.scores, axis=0))


def test_means_of_scores_and_of_z_scores_are_those_of_ranking() -> None:
    """Ben, who gave C more than the others, is standardised for himself; carla has one score and none."""
    snapshot = scored_snapshot(*RATINGS, ("carla", 3, "C", 10))
    judged, everything = people(snapshot, 4), np.arange(4)[None]
    for human, frame in ((HumanScore.MEAN, snapshot), (HumanScore.Z, standardised(snapshot).snapshot)):
        expected = {mean.system: mean.score for mean in system_means(frame)}
        scores = dict(zip(judged.systems, judged.scores_of_draws(human)(everything)[0], strict=True))
        assert scores == pytest.approx(expected)
    assert dict(judged.without_z_scores) == {"carla": "only one score"}
    np.testing.assert_array_equal(judged.pairs.counts.wins, count_pairs(snapshot, by=Scores()).wins)


def test_a_tie_width_ties_scores() -> None:
    frame = scored_snapshot(("anna", 0, "A", 50), ("anna", 0, "B", 55)).assign(judgment="one")
    assert people(frame, 1).judged.outcome.tolist() == [-1]
    assert people(frame, 1, tie_width=5).judged.outcome.tolist() == [0]


def test_drawn_sentences_count_as_often_as_they_are_drawn() -> None:
    judged = people(snapshot(("anna", 0, "A > B"), ("anna", 1, "B > A")), 3)
    score = judged.scores_of_draws(HumanScore.EXPECTED_WINS)
    np.testing.assert_array_equal(
        score(np.array([[0, 0, 1], [1, 1, 1], [2, 2, 2]])), [[2 / 3, 1 / 3], [0, 1], [np.nan, np.nan]]
    )
    mean = judged.scores_of_draws(HumanScore.MEAN)
    np.testing.assert_allclose(mean(np.array([[0, 0, 1], [2, 2, 2]])), [[2 / 3, 1 / 3], [np.nan, np.nan]])


def test_trueskill_is_the_same_for_any_number_of_threads() -> None:
    judged = people(rankings(), 24)
    draws = np.random.default_rng(1).integers(24, size=(25, 24))
    one, two = (judged.scores_of_draws(HumanScore.TRUESKILL, threads=threads)(draws) for threads in (1, 2))
    np.testing.assert_array_equal(one, two)
    assert len(np.unique(one[:, 0])) > 20


def test_several_sets_of_judgments_keep_their_judges_apart() -> None:
    first, second = snapshot(("anna", 0, "A > B")), snapshot(("anna", 0, "B > A"), ("ben", 1, "A > B"))
    judged = people(together({"first": first, "second": second}), 2)
    assert judged.judges == ("first: anna", "second: anna", "second: ben")
    assert judged.pairs.counts.wins.tolist() == [[0, 2], [1, 0]]


def test_excluded_systems_leave_the_judgments() -> None:
    judged = people(without_systems(snapshot(("anna", 0, "A B > C")), ["B"]), 1)
    assert judged.systems == ("A", "C")
    assert judged.scores.tolist() == [[1, 0]]


def test_invalid_judgments_are_refused_in_words() -> None:
    with pytest.raises(SnapshotError, match="sentence 7 was judged, and there are 3, counted from 0"):
        people(snapshot(("anna", 7, "A > B")), 3)
    mixed = together(
        {"ranks": snapshot(("anna", 0, "A > B")), "scores": scored_snapshot(("ben", 0, "A", 50))}
    )
    with pytest.raises(SnapshotError, match="1 with ranks and 1 with scores"):
        people(mixed, 1)
    with pytest.raises(SnapshotError, match="z-scores need scores"):
        people(snapshot(("anna", 0, "A > B")), 1).scores_of_draws(HumanScore.Z)
