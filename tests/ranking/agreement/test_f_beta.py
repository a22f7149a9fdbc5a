"""F-beta and its correlation with human scores over beta."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ranking import f_beta, f_beta_sweep
from tests.ranking.frames import few_examples

RATIO = st.floats(0.01, 1)


def test_f_beta_weighs_recall_by_the_square_of_beta() -> None:
    assert f_beta(0.5, 0.25, 1) == pytest.approx(1 / 3)
    assert f_beta([0.5, 1.0], [0.25, 0.1], 0.5) == pytest.approx([1.25 * 0.125 / 0.375, 1.25 * 0.1 / 0.35])
    assert f_beta(0.4, 0.2, 0) == pytest.approx(0.4)


def test_f_beta_is_zero_without_precision_or_recall() -> None:
    assert f_beta([1.0, 0.0, 0.0], [0.0, 1.0, 0.0], 0.5).tolist() == [0, 0, 0]


@few_examples
@given(RATIO, RATIO, st.floats(0, 3))
def test_f_beta_lies_between_precision_and_recall(precision: float, recall: float, beta: float) -> None:
    low, high = sorted((precision, recall))
    assert low - 1e-12 <= f_beta(precision, recall, beta) <= high + 1e-12


def test_the_sweep_finds_where_judges_look_at_precision() -> None:
    """The judges order by precision, and recall is its reverse."""
    sweep = f_beta_sweep([0.2, 0.5, 0.8], [0.8, 0.5, 0.2], [1, 2, 3], [0.1, 1, 10])
    assert [point.beta for point in sweep] == [0.1, 1, 10]
    assert [point.spearman.value for point in sweep] == [
        pytest.approx(1),
        pytest.approx(0),
        pytest.approx(-1),
    ]


def test_a_sweep_over_scores_that_are_all_zero_says_why() -> None:
    [point] = f_beta_sweep([1, 1], [0, 0], [1, 2], [0.5])
    assert point.spearman.reason == point.pearson.reason == "all first scores are equal"
