"""Tau of a metric over judged pairs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ranking import pairwise_tau
from tests.ranking.frames import few_examples

PAIRS = st.lists(st.tuples(st.integers(-1, 1), st.integers(0, 3), st.integers(0, 3)), max_size=12)


def test_concordant_less_discordant_of_the_pairs_that_judges_ordered() -> None:
    """The metric agrees twice, disagrees once, ties once; the judges tied once."""
    tau = pairwise_tau([1, 1, -1, 1, 0], [3, 2, 1, 5, 9], [1, 1, 0, 5, 1])
    assert (tau.concordant, tau.discordant, tau.metric_ties, tau.judge_ties) == (2, 1, 1, 1)
    assert tau.value == (2 - 1 - 1) / 4
    assert tau.without_ties == pytest.approx((2 - 1) / 3)
    assert tau.reason is None


def test_a_metric_that_never_decides_gains_nothing() -> None:
    tau = pairwise_tau([1, -1], [2, 2], [2, 2])
    assert (tau.value, tau.without_ties) == (-1, None)
    assert tau.reason == "the metric orders none of the pairs"


def test_only_ties_or_no_pairs_say_why() -> None:
    assert pairwise_tau([0, 0], [1, 2], [2, 1]).reason == "the judges ordered no pair"
    assert pairwise_tau([], [], []).reason == "there are no pairs"


def test_shapes_and_scores_are_checked() -> None:
    with pytest.raises(ValueError, match="one shape"):
        pairwise_tau([1, 1], [1], [1, 2])
    with pytest.raises(ValueError, match="not all numbers"):
        pairwise_tau([1], [float("nan")], [1])


@few_examples
@given(PAIRS)
def test_turning_a_pair_round_changes_nothing(pairs: list[tuple[int, int, int]]) -> None:
    outcomes, first, second = ([pair[place] for pair in pairs] for place in range(3))
    turned = pairwise_tau([-outcome for outcome in outcomes], second, first)
    assert turned == pairwise_tau(outcomes, first, second)
