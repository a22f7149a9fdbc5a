"""ExpectedWins scores (GJG15, section 5.1)."""

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ranking import count_pairs, expected_wins, mean_shares_won
from tests.ranking.frames import SYSTEMS, Judgment, few_examples, rename_systems, snapshot, snapshots


def scores(*judgments: Judgment) -> dict[str, float | None]:
    return {row.system: row.score for row in expected_wins(count_pairs(snapshot(*judgments))).scores}


def reasons(*judgments: Judgment) -> dict[str, str | None]:
    return {row.system: row.reason for row in expected_wins(count_pairs(snapshot(*judgments))).scores}


def test_the_score_is_the_mean_share_of_wins() -> None:
    """A beats B in 2 of 3 and C in 1 of 1: (2/3 + 1) / 2. B beats A in 1 of 3 and C in 2 of 2."""
    judgments = [("anna", 0, "A > B > C"), ("ben", 0, "B > A = C"), ("ben", 1, "A > B")]
    assert scores(*judgments) == {"A": pytest.approx(5 / 6), "B": pytest.approx(2 / 3), "C": 0}


def test_an_opponent_met_often_weighs_no_more() -> None:
    met_often = [("anna", sentence, "A > B") for sentence in range(9)]
    assert scores(*met_often, ("anna", 9, "C > A"))["A"] == 1 / 2


def test_ties_are_dropped() -> None:
    assert scores(("anna", 0, "A > B"), ("ben", 0, "A = B"), ("ben", 1, "A B")) == {"A": 1, "B": 0}


def test_systems_stand_best_first_and_equals_in_alphabetical_order() -> None:
    assert list(scores(("anna", 0, "C > B > A"), ("ben", 0, "C > A > B"))) == ["C", "A", "B"]


def test_an_opponent_never_met_is_left_out_and_named() -> None:
    judgments = [("anna", 0, "A > B > C"), ("anna", 1, "D > A"), ("anna", 2, "C = D")]
    assert scores(*judgments)["D"] == 1
    assert reasons(*judgments)["D"] == "no decided comparison with B, C"
    assert reasons(*judgments)["A"] is None


def test_a_system_never_compared_has_no_score_and_stands_last() -> None:
    judgments = [("anna", 0, "C > D"), ("anna", 1, "A")]
    assert list(scores(*judgments)) == ["C", "D", "A"]
    assert scores(*judgments)["A"] is None
    assert reasons(*judgments)["A"] == "it was never compared"


def test_only_ties_give_no_score() -> None:
    judgments = [("anna", 0, "A = B"), ("anna", 1, "A B")]
    assert scores(*judgments) == {"A": None, "B": None}
    assert reasons(*judgments)["A"] == "all its comparisons are ties"


def test_a_system_without_another_has_no_score() -> None:
    assert reasons(("anna", 0, "A")) == {"A": "there is no other system"}


def test_the_released_script_loses_opponents_never_beaten() -> None:
    """A beats B in 1 of 2 and never C: 1/2 over B alone, 1/4 over both. C beats A always, B never met C."""
    counts = count_pairs(snapshot(("anna", 0, "A > B"), ("ben", 0, "B > A"), ("anna", 1, "C > A")))
    assert mean_shares_won(counts.wins).tolist() == [0.25, 0.5, 1]
    assert mean_shares_won(counts.wins, "beaten").tolist() == [0.5, 0.5, 1]


def test_an_empty_snapshot_has_no_scores() -> None:
    assert scores() == {}


@few_examples
@given(snapshots())
def test_scores_add_up_to_half_the_systems_where_all_have_met(judged: pd.DataFrame) -> None:
    """Of each pair of systems one wins what the other loses."""
    rows = expected_wins(count_pairs(judged)).scores
    if all(row.reason is None for row in rows):
        assert sum(row.score or 0 for row in rows) == pytest.approx(len(rows) / 2)


@few_examples
@given(snapshots(), st.permutations(SYSTEMS))
def test_relabelling_systems_permutes_the_scores(judged: pd.DataFrame, names: list[str]) -> None:
    renamed = dict(zip(SYSTEMS, names, strict=True))
    after = {row.system: row for row in expected_wins(count_pairs(rename_systems(judged, renamed))).scores}
    for row in expected_wins(count_pairs(judged)).scores:
        same = after[renamed[row.system]]
        assert same.score == (None if row.score is None else pytest.approx(row.score))
        assert (same.opponents, same.decided) == (row.opponents, row.decided)
