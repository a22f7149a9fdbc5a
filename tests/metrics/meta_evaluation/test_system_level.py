"""Metrics against people by systems."""

import json
from dataclasses import asdict, replace

import numpy as np
import pytest

from metrics import EvaluationSet, metric_from_text, score
from metrics.base.evaluation_sets import InputError
from metrics.meta_evaluation import (
    HumanScore,
    MetricsAndPeople,
    ResampledScores,
    SystemAgreement,
    bootstrap_of_differences,
    clusters,
    people,
    scored_by_comparisons,
    scores_of_metric,
    scores_of_sentences,
    scores_of_systems,
    soft_tests,
    system_agreement,
    system_scores,
    williams,
)
from metrics.meta_evaluation.estimates import estimated
from metrics.meta_evaluation.metric_scores import NO_COMPARISONS, pairs_of_scores
from ranking import Coefficient, Method, correlation, mean_shares_won
from tests.metrics.meta_evaluation.samples import (
    SENTENCES,
    SYSTEMS,
    both,
    metric_like_people,
    rankings,
    scored_snapshot,
    sentences_of,
)
from tests.ranking.frames import snapshot

EW = HumanScore.EXPECTED_WINS


def agreement(data: MetricsAndPeople, replicates: int = 50) -> tuple[SystemAgreement, ...]:
    return system_agreement(data, system_scores(data, EW, replicates=replicates, seed=1), seed=1)


def test_correlations_are_of_the_scores_shown_with_intervals_around_them() -> None:
    data = both()
    scores = system_scores(data, EW, replicates=200, seed=1)
    careful, careless = system_agreement(data, scores, seed=1)
    for place, metric in enumerate((careful, careless)):
        for coefficient, estimate in metric.correlations.items():
            expected = correlation(scores.human, scores.metrics[place], coefficient).value
            assert estimate.value == pytest.approx(expected)
            assert estimate.low is not None
            assert estimate.low <= (estimate.value or 0) <= (estimate.high or 0)
    assert (careful.correlations[Coefficient.PEARSON].value or 0) > 0.9
    assert careful.accuracy.value == 1
    assert careful.soft_accuracy.value is not None
    assert careful.soft_accuracy.value > (careless.soft_accuracy.value or 0)
    assert set(careful.scores) == set(SYSTEMS)


def test_both_sides_are_scored_on_the_same_resample() -> None:
    """A metric that is the human score of each sentence goes with their mean in every replicate."""
    judged = people(rankings(), SENTENCES)
    data = MetricsAndPeople(judged, (scores_of_sentences("people", judged.scores),))
    scores = system_scores(data, HumanScore.MEAN, replicates=60, seed=3)
    np.testing.assert_allclose(scores.metric_replicates[0], scores.human_replicates)
    assert len(np.unique(scores.human_replicates[:, 0].round(9))) > 10
    [estimate] = [metric.correlations[Coefficient.PEARSON] for metric in system_agreement(data, scores)]
    assert (estimate.value, estimate.low, estimate.high) == pytest.approx((1, 1, 1))


def test_replicates_are_the_same_however_many_are_made() -> None:
    data = both()
    few, many = (system_scores(data, EW, replicates=number, seed=4) for number in (30, 90))
    np.testing.assert_array_equal(few.human_replicates, many.human_replicates[:30])
    np.testing.assert_array_equal(few.metric_replicates, many.metric_replicates[:, :30])


def test_a_metric_is_scored_from_its_statistics_on_a_resample_too() -> None:
    data = EvaluationSet(("a b", "c d", "e f"), (("a x",), ("c y",), ("e z",)))
    outputs = {"A": ["a x", "c d", "e z"], "B": ["a b", "c y", "e f"]}
    scored = score(metric_from_text("gleu"), data, outputs)
    metric = scores_of_metric("gleu", scored, ("A", "B"))
    everything = np.arange(3)
    assert metric.of_systems(everything).tolist() == [scored.corpus("A").value, scored.corpus("B").value]
    twice = score(
        metric_from_text("gleu"),
        EvaluationSet(("a b", "a b"), (("a x",), ("a x",))),
        {"A": ["a x"] * 2, "B": ["a b"] * 2},
    )
    drawn = metric.of_draws(np.array([[0, 0]]))[0]
    assert drawn.tolist() == [twice.corpus("A").value, twice.corpus("B").value]


def test_only_judged_sentences_count_unless_the_whole_set_is_asked_for() -> None:
    """The metric is right where people judged and wrong elsewhere."""
    judged = people(rankings(8), SENTENCES)
    scores = sentences_of(np.array([4.0, 3, 2, 1]))
    scores[8:] = -9 * scores[8:]
    data = MetricsAndPeople(judged, (scores_of_sentences("metric", scores),))
    same = system_scores(data, EW, replicates=0)
    whole = system_scores(data, EW, whole_set=True, replicates=0)
    assert (len(same.sentences), len(whole.sentences)) == (8, SENTENCES)
    np.testing.assert_array_equal(same.human, whole.human)
    assert system_agreement(data, same)[0].accuracy.value == 1
    assert system_agreement(data, whole)[0].accuracy.value == 0


def test_the_jackknife_names_the_influential_system() -> None:
    data = both(scores_of_systems("outlier", np.array([9.0, 0.1, 0.3, 0.2])))
    [metric] = agreement(data, replicates=0)
    jackknife = metric.jackknife[Coefficient.PEARSON]
    assert (metric.correlations[Coefficient.PEARSON].value or 0) > 0.7
    assert (jackknife.without["A"] or 0) < 0
    assert min(jackknife.without, key=lambda system: jackknife.without[system] or 0) == "A"
    assert (jackknife.standard_error or 0) > 0.3


def test_scores_of_systems_are_not_resampled_and_have_no_soft_accuracy() -> None:
    [metric] = agreement(both(scores_of_systems("elsewhere", np.array([4.0, 3, 2, 1]))))
    assert not metric.resampled
    assert metric.accuracy.value == 1
    assert metric.soft_accuracy.value is None
    assert "only those of systems are known" in (metric.soft_accuracy.reason or "")


def test_undefined_values_have_a_reason_and_are_never_nan() -> None:
    unscored = sentences_of(np.array([1.0, 2, 3, np.nan]))
    partly = metric_like_people("partly", 0.1, 1)
    assert partly.sentences is not None
    partly.sentences[5:, 2] = np.nan
    data = both(
        scores_of_sentences("constant", sentences_of(np.ones(4))),
        scores_of_sentences("unscored", unscored),
        scores_of_sentences("partly", partly.sentences),
        scores_of_sentences("negative", sentences_of(np.array([-1.0, -2, -3, -4]))),
    )
    scores = system_scores(data, EW, replicates=20, seed=1)
    constant, without, partly_scored, negative = system_agreement(data, scores)
    pearson = [metric.correlations[Coefficient.PEARSON] for metric in (constant, without)]
    assert [each.value for each in pearson] == [None, None]
    assert pearson[0].reason == "the metric gives every system the same score"
    assert pearson[1].reason == "the metric has no score of D: leave it out, or have it judged and scored"
    assert constant.soft_accuracy.reason == "the metric gives all outputs of a sentence the same score"
    assert constant.accuracy.value == 0
    assert partly_scored.correlations[Coefficient.PEARSON].value is not None
    assert partly_scored.soft_accuracy.value is not None
    assert (negative.accuracy.value, negative.soft_accuracy.reason) == (1, None)
    tests = (
        williams(data, scores),
        bootstrap_of_differences(data, scores),
        soft_tests(data, scores, permutations=20),
    )
    assert [test.metrics for test in tests[:2]] == [("partly", "negative")] * 2
    told = json.dumps([[asdict(metric) for metric in system_agreement(data, scores)], *map(repr, tests)])
    assert "NaN" not in told
    assert "nan" not in told.replace('"unscored', "")


def test_of_two_systems_there_is_no_correlation_but_an_order() -> None:
    judged = snapshot(*[("anna", sentence, "A > B") for sentence in range(5)], ("ben", 5, "B > A"))
    metric = scores_of_sentences("metric", np.tile([1.0, 0.0], (SENTENCES, 1)))
    [two] = agreement(MetricsAndPeople(people(judged, SENTENCES), (metric,)))
    for coefficient in Coefficient:
        assert two.correlations[coefficient].value is None
        assert "at least three have to be judged" in (two.correlations[coefficient].reason or "")
    assert two.accuracy.value == 1
    assert two.soft_accuracy.value is not None


def test_people_who_tie_everything_order_nothing() -> None:
    judged = snapshot(
        *[("anna", sentence, "A > B > C") for sentence in range(2)],
        *[("anna", sentence, "C > B > A") for sentence in range(2, 4)],
    )
    metric = scores_of_sentences("metric", np.tile([1.0, 0.5, 0.0], (4, 1)))
    [one] = agreement(MetricsAndPeople(people(judged, 4), (metric,)), replicates=0)
    assert one.correlations[Coefficient.PEARSON].reason == "people give every system the same score"
    assert one.accuracy.reason == "people give every system the same score"


def test_an_interval_is_not_made_of_a_minority_of_the_resamples() -> None:
    """D was judged in one sentence of 24, which is in about two of three resamples."""
    judged = snapshot(
        *[("anna", sentence, "A > B > C") for sentence in range(3)],
        *[("anna", sentence, "C > B > A") for sentence in range(3, 23)],
        ("ben", 23, "A > D"),
    )
    data = MetricsAndPeople(people(judged, SENTENCES), (metric_like_people("metric", 0.1, 1),))
    [metric] = agreement(data, replicates=200)
    assert metric.correlations[Coefficient.PEARSON].low is not None
    drawn = np.array([0.5, np.nan, np.nan, np.nan])
    minority = estimated(0.4, drawn, 0.95)
    assert (minority.value, minority.low) == (0.4, None)
    assert minority.reason == "it is defined in 1 of 4 resamples of the sentences"


def test_soft_accuracy_by_z_scores_compares_standardised_scores() -> None:
    """Ben's wide scale outweighs Anna's in the means; standardised, both judges count alike."""
    rng = np.random.default_rng(8)
    ratings = []
    for sentence in range(SENTENCES):
        judge, scale = (("anna", 3), ("ben", 45))[sentence % 2]
        for system, quality in zip(SYSTEMS, (0.6, 0.2, -0.2, -0.6), strict=True):
            rating = round(50 + scale * (quality + 0.5 * rng.normal()))
            ratings.append((judge, sentence, system, min(max(rating, 0), 100)))
    judged = people(scored_snapshot(*ratings), SENTENCES)
    assert judged.z_scores is not None
    data = MetricsAndPeople(judged, (scores_of_sentences("z", judged.z_scores),))
    by_z = system_scores(data, HumanScore.Z, replicates=0)
    np.testing.assert_array_equal(by_z.human_sentences, judged.z_scores)
    assert system_agreement(data, by_z)[0].soft_accuracy.value == 1
    by_mean = system_scores(data, HumanScore.MEAN, replicates=0)
    assert (system_agreement(data, by_mean)[0].soft_accuracy.value or 0) < 1


def test_replicates_drawn_in_parts_are_those_drawn_at_once() -> None:
    data = both()
    resampled = ResampledScores(data, EW)
    parts = [resampled.draw(range(begin, begin + 50), 4) for begin in (50, 0)]
    scores = resampled.scores(parts[::-1])
    whole = system_scores(data, EW, replicates=100, seed=4)
    np.testing.assert_array_equal(scores.human_replicates, whole.human_replicates)
    np.testing.assert_array_equal(scores.metric_replicates, whole.metric_replicates)


def test_nothing_judged_is_refused() -> None:
    empty = snapshot(("anna", 0, ""), ("anna", 1, "A"), ("anna", 2, "B"))
    data = MetricsAndPeople(people(empty, 3), (scores_of_sentences("metric", np.ones((3, 2))),))
    with pytest.raises(InputError, match="no sentence was judged"):
        system_scores(data, EW)


def test_inputs_have_to_fit_each_other() -> None:
    judged = people(rankings(), SENTENCES)
    metric = metric_like_people("metric", 0.1, 1)
    with pytest.raises(InputError, match="two metrics have the same name"):
        MetricsAndPeople(judged, (metric, metric))
    with pytest.raises(InputError, match="there are no metrics"):
        MetricsAndPeople(judged, ())
    with pytest.raises(InputError, match="scores of 2 sentences and 4 systems, people judged 24 and 4"):
        MetricsAndPeople(judged, (scores_of_sentences("short", np.ones((2, 4))),))
    with pytest.raises(InputError, match="1 sentences have a domain"):
        MetricsAndPeople(judged, (metric,), ("news",))


@pytest.mark.parametrize("order", [(3, 1, 0, 2), (1, 0, 3, 2)])
def test_the_order_of_metrics_does_not_matter(order: tuple[int, ...]) -> None:
    metrics = [metric_like_people(f"metric {seed}", 0.3 * seed, seed) for seed in range(1, 5)]
    data = both(*(metrics[place] for place in order))
    scores = system_scores(data, EW, replicates=10, seed=1)
    found = {metric.metric: metric for metric in system_agreement(data, scores, seed=1)}
    before = {metric.metric: metric for metric in agreement(both(*metrics), replicates=10)}
    assert found == before


def test_sentence_scores_may_judge_as_people_do() -> None:
    """By ExpectedWins a metric wins where it scores higher, whatever the difference."""
    scores = sentences_of(np.array([0.3, 0.2, 0.1, 0.1]))
    scores[0] = [0.0, 0.0, 99.0, 0.0]
    metric = scores_of_sentences("metric", scores, signature="metric|v")
    by_mean = metric.of_systems(np.arange(SENTENCES))
    judge = scored_by_comparisons(metric, Method.EXPECTED_WINS, SYSTEMS)
    by_wins = judge.of_systems(np.arange(SENTENCES))
    assert by_mean.argmax() == 2
    assert by_wins.argmax() == 0
    assert by_wins.tolist() == pytest.approx(
        mean_shares_won(pairs_of_scores(scores, SYSTEMS).counts.wins).tolist()
    )
    assert (judge.name, judge.signature) == ("metric, by ew", "metric|v|by:ew")
    skills = scored_by_comparisons(metric, Method.TRUESKILL, SYSTEMS).of_systems(np.arange(SENTENCES))
    assert skills.argmax() == 0


def test_scores_of_systems_compare_no_sentences() -> None:
    elsewhere = scored_by_comparisons(scores_of_systems("elsewhere", np.ones(4)), Method.TRUESKILL, SYSTEMS)
    [metric, _] = agreement(both(elsewhere, metric_like_people("careful", 0.1, 1)), replicates=5)
    assert metric.correlations[Coefficient.PEARSON].reason == NO_COMPARISONS
    assert metric.accuracy.reason == NO_COMPARISONS
    assert set(metric.scores.values()) == {None}
    assert (metric.metric, metric.signature) == ("elsewhere, by trueskill", "")


def test_an_output_that_a_metric_does_not_score_is_not_compared() -> None:
    pairs = pairs_of_scores(np.array([[1.0, np.nan, 2.0], [np.nan] * 3, [1.0, 1.0, 0.0]]), ("A", "B", "C"))
    assert np.diff(pairs.starts).tolist() == [1, 0, 3]
    assert pairs.counts.wins.tolist() == [[0, 0, 1], [0, 0, 1], [1, 0, 0]]
    assert pairs.counts.ties[0, 1] == 1


def test_clusters_follow_from_the_tests() -> None:
    data = both()
    scores = system_scores(data, EW, replicates=0)
    tests = soft_tests(data, scores, permutations=100, seed=1)
    values = [metric.soft_accuracy.value or 0 for metric in system_agreement(data, scores, seed=1)]
    numbers = clusters(values, tests.p_values)
    assert numbers[0] == 1
    assert replace(tests, reasons={}) == tests
