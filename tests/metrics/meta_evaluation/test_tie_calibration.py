"""Pairwise accuracy with tie calibration."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.arrays import FloatArray
from metrics.meta_evaluation import item_pairs, ordered_as_people, tie_calibration
from metrics.meta_evaluation.tie_calibration import ItemPairs
from tests.ranking.frames import few_examples

HUMAN = np.array([[1.0, 2, 2, 3], [0, 0, 1, 5]])
METRIC = np.array([[0.1, 0.2, 0.25, 0.9], [0.3, 0.31, 0.32, 0.8]])

SCORES = st.lists(
    st.lists(st.sampled_from([0.0, 0.1, 0.2, 0.4, np.nan]), min_size=4, max_size=4), min_size=1, max_size=3
)


def pairs_of(human: FloatArray, metric: FloatArray) -> ItemPairs:
    return item_pairs(human, np.isfinite(metric))


def by_trying(human: FloatArray, metric: FloatArray) -> tuple[float, float]:
    """The best accuracy and its epsilon, each pair looked at for each epsilon."""

    def accuracy(epsilon: float) -> float:
        shares = []
        for people, scores in zip(human, metric, strict=True):
            right = []
            for first in range(len(people)):
                for second in range(first):
                    ahead, lead = people[first] - people[second], scores[first] - scores[second]
                    if not np.isnan(ahead + lead):
                        order = 0 if abs(lead) <= epsilon + 1e-12 else np.sign(lead)
                        right.append(order == np.sign(ahead))
            if right:
                shares.append(np.mean(right))
        return float(np.mean(shares)) if shares else float("nan")

    leads = {0.0, *np.abs(metric[:, :, None] - metric[:, None]).ravel()}
    found = [(accuracy(epsilon), epsilon) for epsilon in sorted(leads) if not np.isnan(epsilon)]
    best = max(value for value, _ in found)
    return next((value, epsilon) for value, epsilon in found if value >= best - 1e-12)


def test_the_example_of_the_definition() -> None:
    calibrated = tie_calibration(pairs_of(HUMAN, METRIC), METRIC)
    assert calibrated.accuracy == pytest.approx(0.8333, abs=5e-5)
    assert calibrated.epsilon == 0
    assert (calibrated.sentences, calibrated.pairs, calibrated.human_ties) == (2, 12, 2)


def test_ties_of_people_are_found_by_the_epsilon_that_ties_them() -> None:
    """The metric sees a difference of .1 where people see none, and of 1 where they do."""
    human, metric = np.array([[1.0, 1, 2]]), np.array([[0.5, 0.6, 1.6]])
    calibrated = tie_calibration(pairs_of(human, metric), metric)
    assert calibrated.accuracy == 1
    assert calibrated.epsilon == pytest.approx(0.1)


@few_examples
@given(SCORES)
def test_the_best_epsilon_is_that_of_trying_all(human: list[list[float]]) -> None:
    people = np.array(human)
    metric = np.random.default_rng(len(human)).choice([0.0, 0.1, 0.15, 0.4, np.nan], size=people.shape)
    pairs = pairs_of(people, metric)
    calibrated = tie_calibration(pairs, metric)
    if calibrated.accuracy is None or calibrated.epsilon is None:
        assert not len(pairs.sentence)
        assert calibrated.reason == "no sentence has two different outputs with scores"
        return
    assert (calibrated.accuracy, calibrated.epsilon) == pytest.approx(by_trying(people, metric))
    right = ordered_as_people(pairs, metric, calibrated.epsilon)
    assert (right * pairs.weight).sum() == pytest.approx(calibrated.accuracy)


def test_each_sentence_weighs_the_same() -> None:
    """Three pairs right in one sentence, the only pair of the other wrong; people tie nothing."""
    human = np.array([[1.0, 2, 3], [1.0, 2, np.nan]])
    metric = np.array([[1.0, 2, 3], [2.0, 1, 3]])
    assert tie_calibration(pairs_of(human, metric), metric).accuracy == pytest.approx(0.5)


def test_two_systems_of_one_text_are_no_pair() -> None:
    texts = np.array([[7, 7, 8]])
    pairs = item_pairs(np.array([[1.0, 1, 2]]), np.ones((1, 3), dtype=bool), texts)
    assert list(zip(pairs.first.tolist(), pairs.second.tolist(), strict=True)) == [(0, 2), (1, 2)]
