"""Mean ranks of metrics over several sets of judgments."""

import pytest

from metrics.meta_evaluation import mean_ranks
from metrics.meta_evaluation.mean_ranks import NOT_EVERYWHERE, TOO_FEW_METRICS


def test_a_metric_that_misses_from_a_set_is_not_ranked_nor_counted() -> None:
    found = mean_ranks({"a": [0.9, 0.2], "b": [0.5, 0.5], "best": [None, 0.99]})
    assert (found["a"].ranks, found["a"].mean) == ((1, 2), 1.5)
    assert (found["b"].ranks, found["b"].mean) == ((2, 1), 1.5)
    assert (found["best"].mean, found["best"].reason) == (None, NOT_EVERYWHERE)


def test_equal_values_share_the_mean_of_their_ranks() -> None:
    found = mean_ranks({"a": [0.3], "b": [0.1 + 0.2], "c": [0.1]})
    assert {name: each.mean for name, each in found.items()} == {"a": 1.5, "b": 1.5, "c": 3}


@pytest.mark.parametrize("values", [{"a": [1.0, 0.5]}, {"a": [1.0, None], "b": [0.3, 0.2]}, {"a": []}, {}])
def test_one_metric_has_no_rank(values: dict[str, list[float | None]]) -> None:
    assert {each.reason for each in mean_ranks(values).values()} <= {TOO_FEW_METRICS}


def test_rows_of_different_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="different numbers"):
        mean_ranks({"a": [1.0], "b": [1.0, 2.0]})
