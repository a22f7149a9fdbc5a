"""Metrics against people in windows of neighbouring systems."""

from functools import partial
from typing import Any

import numpy as np
import pytest
from scipy import stats

from metrics.meta_evaluation import (
    HumanScore,
    MetricsAndPeople,
    in_human_order,
    people,
    scores_of_sentences,
    scores_of_systems,
    system_scores,
    system_windows,
    window_agreement,
)
from metrics.meta_evaluation.intervals import AgreementIntervals, Resampled
from ranking import Coefficient, replicate_coefficients
from tests.metrics.meta_evaluation.samples import both, rankings, sentences_of
from tests.ranking.frames import snapshot

NAMES = ("a", "b", "c", "d", "e", "f")
RANKED = snapshot(
    ("anna", 0, "f > e > d > c > b > a"),
    ("ben", 0, "e > f > d > c > a > b"),
    ("anna", 1, "f > d > e > c > b > a"),
)


def test_systems_are_ordered_by_people_ties_by_name_and_those_without_a_score_are_left_out() -> None:
    assert in_human_order(["x", "b", "a", "c"], np.array([np.nan, 0.5, 0.5, 0.9])) == (3, 2, 1)


def test_windows_are_all_neighbours() -> None:
    windows = system_windows(["best", "good", "fair", "bad", "worst"], 4)
    assert [(each.first, each.last, each.systems) for each in windows] == [
        (1, 4, ("best", "good", "fair", "bad")),
        (2, 5, ("good", "fair", "bad", "worst")),
    ]
    assert system_windows(["one", "two"], 3) == ()
    with pytest.raises(ValueError, match="at least 3 systems"):
        system_windows(["one", "two", "three"], 2)


def test_correlations_are_those_of_scipy_on_the_systems_of_each_window() -> None:
    rng = np.random.default_rng(3)
    given = rng.normal(size=6)
    data = MetricsAndPeople(people(RANKED, 2), (scores_of_systems("given", given),))
    scores = system_scores(data, HumanScore.EXPECTED_WINS, replicates=0)
    order = [NAMES[place] for place in in_human_order(NAMES, scores.human)]
    assert order == ["f", "e", "d", "c", "b", "a"]
    windows = system_windows(order, 4)
    [metric] = window_agreement(data, scores, windows)
    coefficients: dict[Coefficient, Any] = {
        Coefficient.PEARSON: stats.pearsonr,
        Coefficient.SPEARMAN: stats.spearmanr,
        Coefficient.KENDALL: stats.kendalltau,
    }
    for window, agreed in zip(windows, metric.windows, strict=True):
        places = [NAMES.index(system) for system in window.systems]
        for coefficient, by_scipy in coefficients.items():
            expected = by_scipy(given[places], scores.human[places]).statistic
            assert agreed.correlations[coefficient].value == pytest.approx(expected, abs=1e-12)
        lead = np.subtract.outer(given[places], given[places])[np.triu_indices(4, 1)]
        assert agreed.accuracy.value == np.mean(lead > 0)  # The best come first, and people tie none.


def test_intervals_are_those_of_the_same_systems_alone() -> None:
    """Human scores that depend on no other system: the mean of the sentences' scores."""
    data = both()
    scores = system_scores(data, HumanScore.MEAN, replicates=100, seed=4)
    [window, _] = system_windows(["A", "B", "C", "D"], 3)
    for place, metric in enumerate(window_agreement(data, scores, [window], seed=4)):
        resampled = Resampled(
            scores.human[:3],
            scores.metrics[place, :3],
            scores.human_replicates[:, :3],
            scores.metric_replicates[place][:, :3],
        )
        value = stats.pearsonr(scores.human[:3], scores.metrics[place, :3]).statistic
        alone = AgreementIntervals(resampled, confidence=0.95, seed=4).of(
            value, partial(replicate_coefficients, coefficient=Coefficient.PEARSON), by_order=False
        )
        estimate = metric.windows[0].correlations[Coefficient.PEARSON]
        assert estimate.value == pytest.approx(value)
        assert (estimate.low, estimate.high, estimate.reason) == (alone.low, alone.high, alone.reason)


def test_missing_values_have_a_reason_in_words() -> None:
    constant = scores_of_sentences("constant", sentences_of(np.ones(4)))
    partial = scores_of_sentences("partial", sentences_of(np.array([3.0, 2, 1, np.nan])))
    data = MetricsAndPeople(people(rankings(), 24), (constant, partial))
    scores = system_scores(data, HumanScore.EXPECTED_WINS, replicates=10)
    same, missing = window_agreement(data, scores, system_windows("ABCD", 3))
    assert "same score" in (same.windows[0].correlations[Coefficient.PEARSON].reason or "")
    assert same.windows[0].accuracy.value == 0
    assert missing.windows[0].correlations[Coefficient.PEARSON].value is not None
    assert "no score of D" in (missing.windows[1].correlations[Coefficient.PEARSON].reason or "")
    assert "no score of D" in (missing.whole.accuracy.reason or "")


def test_two_systems_have_no_window_and_an_accuracy() -> None:
    data = MetricsAndPeople(
        people(snapshot(("anna", 0, "A > B")), 1), (scores_of_systems("m", np.array([2.0, 1.0])),)
    )
    scores = system_scores(data, HumanScore.EXPECTED_WINS, replicates=5)
    [metric] = window_agreement(data, scores, system_windows("AB", 3))
    assert metric.windows == ()
    assert metric.whole.accuracy.value == 1
    assert "at least three" in (metric.whole.correlations[Coefficient.KENDALL].reason or "")
