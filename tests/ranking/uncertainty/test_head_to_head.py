"""Systems head to head, with the sign test (GJG15, Table 3d)."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.stats import binomtest

from ranking import Comparison, GroupedPairs, Unit, group_pairs, head_to_head, holm_correction
from tests.ranking.frames import SYSTEMS, few_examples, rename_systems, snapshot, snapshots


def a_against_b(wins: int, losses: int, ties: int = 0) -> Comparison:
    """By pair: codes are 1 where A wins, 2 where B does, 5 where they tie."""
    codes = np.repeat([1, 2, 5], [wins, losses, ties]).astype(np.int32)
    return head_to_head(by_pair(codes, "AB")).comparisons["A", "B"]


def by_pair(codes: NDArray[np.int32], systems: str) -> GroupedPairs:
    return GroupedPairs(tuple(systems), Unit.PAIR, np.arange(len(codes) + 1), codes)


def duels_of(judged: pd.DataFrame, unit: Unit = Unit.PAIR) -> Mapping[tuple[str, str], Comparison]:
    return head_to_head(group_pairs(judged, unit)).comparisons


def test_wins_and_losses_are_the_two_sides_of_one_comparison() -> None:
    duels = duels_of(
        snapshot(("anna", 0, "A > B"), ("anna", 1, "A > B"), ("ben", 0, "B > A"), ("ben", 1, "A B"))
    )
    assert (duels["A", "B"].wins, duels["A", "B"].losses, duels["A", "B"].ties) == (2, 1, 1)
    assert (duels["B", "A"].wins, duels["B", "A"].losses, duels["B", "A"].ties) == (1, 2, 1)
    assert duels["A", "B"].share == pytest.approx(2 / 3)
    assert duels["B", "A"].share == pytest.approx(1 / 3)
    assert duels["A", "B"].p_value == duels["B", "A"].p_value == 1


@pytest.mark.parametrize(
    ("wins", "p_value", "mark"),
    [(3, 1 / 4, ""), (4, 1 / 8, ""), (5, 1 / 16, "⋆"), (6, 1 / 32, "†"), (7, 1 / 64, "†"), (8, 1 / 128, "‡")],
)
def test_winning_every_time_is_as_unlikely_as_a_coin(wins: int, p_value: float, mark: str) -> None:
    """n heads in a row, or n tails: 2 / 2^n."""
    assert a_against_b(wins, 0).p_value == pytest.approx(p_value)
    assert a_against_b(0, wins).p_value == pytest.approx(p_value)
    assert a_against_b(wins, 0).mark == mark


def test_ties_do_not_enter_the_test() -> None:
    assert a_against_b(6, 0, ties=100).p_value == a_against_b(6, 0).p_value


@few_examples
@given(st.integers(0, 3000), st.integers(0, 3000))
def test_the_sign_test_is_the_binomial_test_at_even_odds(wins: int, losses: int) -> None:
    if wins + losses:
        oracle = binomtest(wins, wins + losses, 0.5).pvalue
        assert a_against_b(wins, losses).p_value == pytest.approx(oracle, rel=1e-9, abs=1e-300)


def test_only_ties_have_no_share_and_no_test() -> None:
    tied = a_against_b(0, 0, ties=4)
    assert (tied.share, tied.p_value, tied.mark) == (None, None, "")
    assert tied.reason == "all their comparisons are ties"


def test_systems_never_compared_have_no_share_and_no_test() -> None:
    duels = duels_of(snapshot(("anna", 0, "A > B"), ("anna", 1, "C > B")))
    assert duels["A", "C"].share is None
    assert duels["A", "C"].reason == "they were never compared"


def test_every_system_meets_every_other_but_not_itself() -> None:
    duels = duels_of(snapshot(("anna", 0, "A > B > C")))
    assert sorted(duels) == [("A", "B"), ("A", "C"), ("B", "A"), ("B", "C"), ("C", "A"), ("C", "B")]


def test_an_empty_snapshot_has_no_comparisons() -> None:
    assert duels_of(snapshot()) == {}


@few_examples
@given(snapshots(), st.permutations(SYSTEMS))
def test_relabelling_systems_permutes_the_comparisons(judged: pd.DataFrame, names: list[str]) -> None:
    renamed = dict(zip(SYSTEMS, names, strict=True))
    after = duels_of(rename_systems(judged, renamed))
    for (system, opponent), duel in duels_of(judged).items():
        assert after[renamed[system], renamed[opponent]] == duel


def test_holm_multiplies_the_smallest_by_their_number_and_never_turns_back() -> None:
    """.01 * 4, .02 * 3, then .03 * 2 and .04 * 1, which may not fall below .06; the order is kept."""
    corrected = holm_correction([0.04, 0.01, 0.03, 0.02])
    assert corrected.tolist() == pytest.approx([0.06, 0.04, 0.06, 0.06])
    assert holm_correction([0.9, 0.8]).tolist() == [1, 1]
    assert holm_correction([]).tolist() == []


def test_each_two_systems_are_one_test_of_holms() -> None:
    """A against B is decided 10 : 0, p = 2 / 2^10; three tests make it three times as large."""
    codes = np.repeat([1, 2, 5, 6, 7], [10, 3, 3, 3, 3]).astype(np.int32)
    duels = head_to_head(by_pair(codes, "ABC")).comparisons
    first, turned = duels["A", "B"], duels["B", "A"]
    assert first.p_value == pytest.approx(2 / 2**10)
    assert first.holm_p_value == turned.holm_p_value == pytest.approx(6 / 2**10)
    assert (first.mark, first.holm_mark) == ("‡", "‡")
    assert duels["A", "C"].holm_p_value == 1
