"""Tau of a metric over judged pairs."""

import sys
from itertools import combinations
from math import isnan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau

from ranking import pairwise_tau
from tests.memory import peak_of
from tests.ranking.frames import few_examples

PAIRS = st.lists(st.tuples(st.integers(-1, 1), st.integers(0, 3), st.integers(0, 3)), max_size=12)


def test_concordant_less_discordant_of_the_pairs_that_judges_ordered() -> None:
    """The metric agrees twice, disagrees once, ties once; the judges tied once."""
    tau = pairwise_tau([1, 1, -1, 1, 0], [3, 2, 1, 5, 9], [1, 1, 0, 5, 1])
    assert (tau.concordant, tau.discordant, tau.metric_ties, tau.judge_ties) == (2, 1, 1, 1)
    assert tau.value == (2 - 1 - 1) / 4
    assert tau.without_ties == pytest.approx((2 - 1) / 3)
    assert tau.tau_b == pytest.approx((2 - 1) / (4 * 4) ** 0.5)
    assert tau.accuracy == 2 / 4
    assert tau.both_tie == 0
    assert tau.reason is None


def test_a_metric_that_never_decides_gains_nothing() -> None:
    tau = pairwise_tau([1, -1], [2, 2], [2, 2])
    assert (tau.value, tau.without_ties) == (-1, None)
    assert tau.reason == "the metric orders none of the pairs"


def test_only_ties_or_no_pairs_say_why() -> None:
    assert pairwise_tau([0, 0], [1, 2], [2, 1]).reason == "the annotators ordered no pair"
    assert pairwise_tau([], [], []).reason == "there are no pairs"


def test_shapes_and_scores_are_checked() -> None:
    with pytest.raises(ValueError, match="one shape"):
        pairwise_tau([1, 1], [1], [1, 2])
    with pytest.raises(ValueError, match="some outcomes or scores are not numbers"):
        pairwise_tau([1], [float("nan")], [1])


@few_examples
@given(PAIRS)
def test_turning_a_pair_round_changes_nothing(pairs: list[tuple[int, int, int]]) -> None:
    outcomes, first, second = ([pair[place] for pair in pairs] for place in range(3))
    turned = pairwise_tau([-outcome for outcome in outcomes], second, first)
    assert turned == pairwise_tau(outcomes, first, second)


@few_examples
@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=2, max_size=7))
def test_tau_b_over_all_pairs_of_outputs_is_kendalls(scores: list[tuple[int, int]]) -> None:
    pairs = list(combinations(scores, 2))
    tau = pairwise_tau(
        [(one[0] > other[0]) - (one[0] < other[0]) for one, other in pairs],
        [one[1] for one, _ in pairs],
        [other[1] for _, other in pairs],
    )
    expected = kendalltau(*zip(*scores, strict=True)).statistic
    assert tau.tau_b == (None if isnan(expected) else pytest.approx(expected))
    both = sum(one == other for one, other in pairs)
    assert tau.both_tie == both


def test_memory_does_not_grow_with_the_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pairs are counted in blocks, which give the same numbers; as floats, all together take 72 MB."""
    rng = np.random.default_rng(1)
    outcomes, order = rng.integers(-1, 2, size=(2, 1_000_000)).astype(np.int8)
    level = np.broadcast_to(np.int8(0), len(order))
    whole = pairwise_tau(outcomes, order, level)
    monkeypatch.setattr(sys.modules[pairwise_tau.__module__], "PAIRS_PER_BLOCK", 10_000)
    assert pairwise_tau(outcomes, order, level) == whole
    assert peak_of(lambda: pairwise_tau(outcomes, order, level)) < 2**20
