"""Predicting held-out pairs from a ranking (GJG15, section 5.3)."""

import pytest

from ranking import Method, ResamplingError, Unit, cross_validate
from tests.ranking.frames import snapshot

ALWAYS = snapshot(*[(judge, sentence, "A > B > C") for judge in ("anna", "ben") for sentence in range(20)])


@pytest.mark.parametrize("method", [Method.EXPECTED_WINS, Method.TRUESKILL])
@pytest.mark.parametrize("unit", Unit)
def test_constant_outcomes_are_predicted(method: Method, unit: Unit) -> None:
    folds = 2 if unit is Unit.ANNOTATOR else 10
    predicted = cross_validate(ALWAYS, method, unit, folds=folds, replicates=40)
    assert predicted.total_order.mean == 1
    assert predicted.total_order.folds == (1.0,) * folds
    assert predicted.clusters.mean == 1


def test_clusters_predict_ties_and_total_orders_do_not_try() -> None:
    """A and B tie and always beat C: two clusters get all right; of decided pairs the order knows all."""
    judged = snapshot(*[("anna", sentence, "A = B > C") for sentence in range(40)])
    predicted = cross_validate(judged, Method.EXPECTED_WINS, folds=10, replicates=40)
    assert predicted.clusters.mean == 1
    assert predicted.total_order.mean == 1


def test_equal_scores_predict_half() -> None:
    """Trained on any nine folds, A and B have the same score: each has won all it decided against C."""
    judged = snapshot(*[("anna", number, "A > C = B") for number in range(20)])
    predicted = cross_validate(judged, Method.EXPECTED_WINS, Unit.SENTENCE, folds=10, replicates=40)
    assert predicted.total_order.mean == 1
    level = snapshot(*[("anna", number, "A > B" if number % 2 else "B > A") for number in range(2)])
    assert cross_validate(level, Method.TRUESKILL, folds=2, replicates=3).total_order.mean == 0


def test_only_ties_have_no_order_to_predict() -> None:
    judged = snapshot(*[("anna", sentence, "A = B") for sentence in range(10)])
    predicted = cross_validate(judged, Method.TRUESKILL, folds=5, replicates=10)
    assert (predicted.total_order.mean, predicted.total_order.folds) == (None, ())
    assert predicted.clusters.mean == 1


def test_the_same_seed_makes_the_same_folds() -> None:
    judged = snapshot(*[("anna", sentence, "A > B" if sentence % 3 else "B > A") for sentence in range(30)])
    first, again, other = (
        cross_validate(judged, Method.EXPECTED_WINS, folds=10, replicates=20, seed=seed) for seed in (1, 1, 2)
    )
    assert first == again
    assert first.total_order.folds != other.total_order.folds


@pytest.mark.parametrize("folds", [1, 241])
def test_folds_need_something_to_hold(folds: int) -> None:
    message = rf"{folds} folds cannot be made of 120 units \(pair\)"
    with pytest.raises(ResamplingError, match=message if folds == 1 else "folds cannot be made"):
        cross_validate(ALWAYS, Method.EXPECTED_WINS, folds=folds)


def test_progress_counts_the_replicates_of_all_folds() -> None:
    finished: list[int] = []
    cross_validate(ALWAYS, Method.EXPECTED_WINS, folds=4, replicates=20, progress=finished.append)
    assert sum(finished) == 80
