"""Accuracy over the pairs that people ordered, by what a tie of a metric counts as."""

import numpy as np
import pytest

from metrics.meta_evaluation import MetricsAndPeople, people, scores_of_sentences, scores_of_systems
from metrics.meta_evaluation.tie_rules import NOTHING_ORDERED, TieRule, accuracy_tests, ordered_pairs
from tests.metrics.meta_evaluation.samples import both, metric_like_people
from tests.ranking.frames import snapshot

SCORES = np.array([[0.5, 0.5, 0.2], [0.1, 0.1, 0.4]])


@pytest.mark.parametrize(
    ("judged", "right"),
    [
        (("anna", 1, "B > A = C"), {TieRule.HALF: 0.5, TieRule.ERRORS: 0, TieRule.SEEDA: 1}),
        (("ben", 1, "C > A > B"), {TieRule.HALF: 2.5, TieRule.ERRORS: 2, TieRule.SEEDA: 2}),
    ],
)
def test_a_tie_is_half_of_a_pair_or_an_error_or_the_later_system_wins(
    judged: tuple[str, int, str], right: dict[TieRule, float]
) -> None:
    """The metric ties A with B, of which B is the later system; Anna has B before A, Ben A before B."""
    data = MetricsAndPeople(people(snapshot(judged), 2), (scores_of_sentences("metric", SCORES),))
    for rule, expected in right.items():
        [metric] = ordered_pairs(data, rule, replicates=0)
        assert metric.ties == 1
        assert metric.accuracy.value == pytest.approx(expected / metric.pairs)


def test_intervals_and_tests_resample_sentences() -> None:
    good, poor = metric_like_people("good", 0.1, 1), metric_like_people("poor", 5.0, 2)
    pairs = ordered_pairs(both(good, poor), replicates=200, seed=2)
    for metric in pairs:
        assert metric.accuracy.low is not None
        assert metric.accuracy.high is not None
        assert metric.accuracy.value is not None
        assert metric.accuracy.low < metric.accuracy.value < metric.accuracy.high
        assert metric.drawn.shape == (200,)
    tests = accuracy_tests(pairs)
    better, worse = tests.p_values[0][1], tests.p_values[1][0]
    assert better is not None
    assert worse is not None
    assert better < 0.05 < 0.95 < worse


def test_a_metric_is_no_better_than_itself() -> None:
    metric = metric_like_people("good", 1.0, 1)
    copy = scores_of_sentences("copy", np.array(metric.sentences))
    tests = accuracy_tests(ordered_pairs(both(metric, copy), replicates=100))
    assert tests.p_values[0][1] == pytest.approx(51 / 101)


def test_scores_of_systems_alone_order_no_pair_and_ties_of_people_alone_are_said() -> None:
    data = MetricsAndPeople(
        people(snapshot(("anna", 0, "A B C")), 2),
        (scores_of_sentences("metric", SCORES), scores_of_systems("released", np.array([1.0, 2, 3]))),
    )
    [metric] = ordered_pairs(data, replicates=10)
    assert (metric.metric, metric.pairs, metric.ties) == ("metric", 0, 0)
    assert (metric.accuracy.value, metric.accuracy.reason) == (None, NOTHING_ORDERED)
