"""Causes of the agreement of a metric with people, against direct computations and known truths."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy import stats

from core.arrays import FloatArray
from metrics.base.resampling import sentence_draws
from metrics.meta_evaluation import (
    Cause,
    Causes,
    HumanScore,
    MetricsAndPeople,
    Variant,
    causes,
    people,
    scores_of_sentences,
    scores_of_systems,
)
from metrics.meta_evaluation.sensitivity.causes import (
    corrected_for_range,
    split_half_reliability,
    ties_as_half,
)
from metrics.meta_evaluation.sensitivity.paired_differences import p_of_difference, paired_difference
from metrics.meta_evaluation.true_scores import reliability
from ranking import Coefficient, GroupedPairs, Unit
from ranking.models.expected_wins import mean_shares_won
from tests.metrics.meta_evaluation.samples import both, metric_like_people, scored_snapshot
from tests.ranking.frames import snapshot

NOBODY: Mapping[Cause, str] = {Cause.SOURCE: "no source", Cause.REFERENCES: "no reference"}
R, RHO = Coefficient.PEARSON, Coefficient.SPEARMAN


def found(data: MetricsAndPeople, human: HumanScore = HumanScore.MEAN, **options: Any) -> Causes:
    asked = {"wider": NOBODY, "natural": "no texts", "replicates": 100, "seed": 3, **options}
    return causes(data, human, **asked)


def variant(result: Causes, cause: Cause) -> Variant:
    [made] = [each for each in result.variants if each.cause is cause]
    return made


def scored(human: FloatArray, metric: FloatArray) -> MetricsAndPeople:
    """One person's scores of systems, shape (n, S), and a metric's."""
    names = [f"s{number:02}" for number in range(human.shape[1])]
    ratings = [
        ("anna", sentence, names[system], score)
        for (sentence, system), score in np.ndenumerate(human.round())
    ]
    judged = people(scored_snapshot(*ratings), len(human))
    return MetricsAndPeople(judged, (scores_of_sentences("m", metric),))


@pytest.fixture(scope="module")
def six() -> MetricsAndPeople:
    """Six systems on 30 sentences, the metric between careful and careless."""
    rng = np.random.default_rng(1)
    quality = np.array([80.0, 70, 60, 50, 40, 10])
    human = np.clip(quality + rng.normal(scale=25, size=(30, 6)), 0, 100)
    metric = quality / 100 + rng.normal(scale=0.6, size=(30, 6))
    return scored(human, metric)


def means(data: MetricsAndPeople) -> tuple[FloatArray, FloatArray]:
    [metric] = data.metrics
    assert metric.sentences is not None
    return data.people.scores.mean(axis=0), metric.sentences.mean(axis=0)


def test_as_measured_is_scipy_and_differs_by_nothing(six: MetricsAndPeople) -> None:
    human, metric = means(six)
    measured = found(six).variants[0]
    assert measured.cause is Cause.MEASURED
    assert measured.correlations[R] == pytest.approx(stats.pearsonr(human, metric).statistic)
    assert measured.correlations[RHO] == pytest.approx(stats.spearmanr(human, metric).statistic)
    assert measured.differences[R].value == 0
    assert not measured.is_clear


def test_errors_are_those_of_halves_and_of_resamples(six: MetricsAndPeople) -> None:
    human, metric = means(six)
    result = found(six)
    rng = np.random.default_rng(3)
    orders = rng.permuted(np.tile(np.arange(30), (100, 1)), axis=1)
    halves = [
        stats.pearsonr(*(six.people.scores[half].mean(axis=0) for half in (order[:15], order[15:]))).statistic
        for order in orders
    ]
    of_people = 2 * np.mean(halves) / (1 + np.mean(halves))
    drawn = np.stack(
        [
            six.metrics[0].sentences[draw].mean(axis=0)  # type: ignore[index]
            for block in sentence_draws(30, range(100), 3)
            for draw in block
        ]
    )
    of_metric = reliability(metric, drawn)
    assert (result.people_reliability, result.metric_reliability) == pytest.approx((of_people, of_metric))
    r = stats.pearsonr(human, metric).statistic
    for cause, share in (
        (Cause.PEOPLE, of_people),
        (Cause.METRIC, of_metric),
        (Cause.BOTH, of_people * of_metric),
    ):
        made = variant(result, cause)
        assert made.correlations[R] == pytest.approx(min(1, r / np.sqrt(share)))
        assert made.correlations[RHO] is None
    assert result.spread == pytest.approx(human.std(ddof=1))


def test_systems_left_out_and_halves_are_correlated_alone(six: MetricsAndPeople) -> None:
    human, metric = means(six)
    order = np.argsort(-human)
    result = found(six)
    for cause, kept in ((Cause.BETTER, order[:3]), (Cause.WORSE, order[3:])):
        made = variant(result, cause)
        assert made.correlations[R] == pytest.approx(stats.pearsonr(human[kept], metric[kept]).statistic)
        assert set(made.named) == {six.systems[place] for place in kept}
    changes = {}
    for place, each in zip(order, result.left_out, strict=True):
        assert each.named == (six.systems[place],)
        rest = np.delete(np.arange(6), place)
        expected = stats.pearsonr(human[rest], metric[rest]).statistic
        assert each.correlations[R] == pytest.approx(expected)
        changes[each.named] = abs(expected - stats.pearsonr(human, metric).statistic)
    assert variant(result, Cause.ONE_LEFT_OUT).named == max(changes, key=lambda named: changes[named])


def test_the_interval_of_a_difference_is_paired(six: MetricsAndPeople) -> None:
    [metric] = six.metrics
    assert metric.sentences is not None
    estimate = found(six, confidence=0.9).left_out[0].differences[R]
    differences = []
    for block in sentence_draws(30, range(100), 3):
        for draw in block:
            human, given = six.people.scores[draw].mean(axis=0), metric.sentences[draw].mean(axis=0)
            rest = np.delete(np.arange(6), np.argmax(six.people.scores.mean(axis=0)))
            whole = np.corrcoef(human, given)[0, 1]
            differences.append(np.corrcoef(human[rest], given[rest])[0, 1] - whole)
    assert estimate.value is not None
    expected = stats.norm(estimate.value, 1.11 * np.std(differences, ddof=1)).interval(0.9)
    assert (estimate.low, estimate.high) == pytest.approx(expected)


def test_source_and_natural_text_replace_people_or_metric(six: MetricsAndPeople) -> None:
    rng = np.random.default_rng(8)
    other = scores_of_sentences("m", rng.normal(size=(30, 6)))
    seven = scored(
        np.column_stack([six.people.scores, rng.integers(0, 30, size=30)]),
        np.column_stack([six.metrics[0].sentences, rng.normal(size=30)]),  # type: ignore[list-item]
    )
    wider = {Cause.SOURCE: lambda: seven, Cause.REFERENCES: "no reference"}
    result = found(six, wider=wider, natural=other)
    source = variant(result, Cause.SOURCE)
    assert source.systems == 7
    assert source.named == ("s06",)
    assert source.correlations[R] == pytest.approx(stats.pearsonr(*means(seven)).statistic)
    assert variant(result, Cause.REFERENCES).reason == "no reference"
    natural = stats.pearsonr(means(six)[0], other.sentences.mean(axis=0)).statistic  # type: ignore[union-attr]
    assert variant(result, Cause.NATURAL).correlations[R] == pytest.approx(natural)


def test_ties_count_as_half_a_win() -> None:
    size = 3
    rng = np.random.default_rng(2)
    codes = np.sort(rng.choice([0 * 3 + 1, 1 * 3 + 0, 0 * 3 + 2, 2 * 3 + 1, 9 + 1, 9 + 2, 9 + 5], 60))
    pairs = GroupedPairs(("A", "B", "C"), Unit.SENTENCE, np.array([0, 25, 60]), codes)
    half = ties_as_half(pairs)
    expected = pairs.counts.wins + pairs.counts.ties / 2
    np.testing.assert_allclose(half.counts.wins / 2, expected - np.diag(np.diag(expected)))
    assert not half.counts.ties.any()
    assert half.starts.tolist() == [0, 50, 120]
    np.testing.assert_array_equal(half.counts.wins.shape, (size, size))


def test_rankings_score_with_ties_as_half() -> None:
    judged = snapshot(
        ("anna", 0, "A > B = C > D"), ("ben", 1, "B = A > D > C"), ("anna", 2, "A = D > C > B"), *()
    )
    data = both(metric_like_people("m", 0.1, 1), judged=judged)
    result = found(data, HumanScore.EXPECTED_WINS)
    counts = data.people.pairs.counts
    human = mean_shares_won(counts.wins + counts.ties / 2)
    metric = data.metrics[0].of_systems(data.compared_sentences(whole_set=False))
    made = variant(result, Cause.TIES)
    assert made.correlations[R] == pytest.approx(stats.pearsonr(human, metric).statistic)
    assert "alone" in (variant(found(data), Cause.TIES).reason or "")


def test_ties_by_sentence_are_dropped_or_half_right() -> None:
    judged = snapshot(("anna", 0, "A > B = C"), ("ben", 1, "B > A = C"))
    scores = np.full((24, 3), np.nan)
    scores[:2] = [[3.0, 2, 1], [3.0, 2, 2]]
    data = MetricsAndPeople(people(judged, 24), (scores_of_sentences("m", scores),))
    ties = found(data, HumanScore.EXPECTED_WINS).ties
    assert (ties.pairs, ties.ties) == (6, 2)
    # A > B and A > C are right; of the second sentence, B > A is wrong and B > C a tie of the metric.
    assert ties.dropped == pytest.approx(2 / 4)
    assert ties.half == pytest.approx((2 + 1) / 6)
    assert ties.difference.value == pytest.approx(0)


def test_the_range_is_corrected_by_thorndikes_second_case(six: MetricsAndPeople) -> None:
    assert corrected_for_range(np.array(0.5), 2.0) == pytest.approx(1 / np.sqrt(1.75))
    assert corrected_for_range(np.array(0.5), 1.0) == pytest.approx(0.5)
    human, metric = means(six)
    made = variant(found(six, spread=2 * float(human.std(ddof=1))), Cause.SPREAD)
    r = np.array(stats.pearsonr(human, metric).statistic)
    assert made.correlations[R] == pytest.approx(float(corrected_for_range(r, 2.0)))
    assert Cause.SPREAD not in {each.cause for each in found(six).variants}


def test_systems_of_a_narrow_range_are_corrected_to_the_r_of_all() -> None:
    rng = np.random.default_rng(4)
    quality = rng.normal(size=20_000)
    metric = 0.75 * quality + np.sqrt(1 - 0.75**2) * rng.normal(size=20_000)
    kept = np.abs(quality) < 0.5
    narrow = stats.pearsonr(quality[kept], metric[kept]).statistic
    assert narrow < 0.4
    ratio = float(quality.std() / quality[kept].std())
    assert corrected_for_range(np.array(narrow), ratio) == pytest.approx(0.75, abs=0.02)


def test_errors_of_judgments_and_metric_are_corrected_to_the_true_r() -> None:
    """60 systems whose true scores correlate by about .8, judged and scored with errors."""
    drawn = []
    for seed in range(6):
        rng = np.random.default_rng(seed)
        quality = rng.normal(size=60)
        true = 0.8 * quality + 0.6 * rng.normal(size=60)
        human = 50 + 4 * (quality + rng.normal(scale=6, size=(100, 60)))
        metric = true + rng.normal(scale=5, size=(100, 60))
        result = found(scored(human, metric), seed=seed)
        both_errors = variant(result, Cause.BOTH)
        drawn.append(
            (
                result.variants[0].correlations[R],
                both_errors.correlations[R],
                np.corrcoef(quality, true)[0, 1],
            )
        )
    measured, corrected, truth = np.mean(np.array(drawn, dtype=float), axis=0)
    assert truth - measured > 0.2
    assert corrected == pytest.approx(truth, abs=0.05)


def test_halves_that_order_the_systems_at_random_have_no_reliability() -> None:
    assert split_half_reliability(lambda draws: np.zeros((len(draws), 3)), np.arange(10)) is None
    assert split_half_reliability(lambda draws: np.zeros((len(draws), 3)), np.arange(1)) is None


def test_what_is_missing_has_a_reason(six: MetricsAndPeople) -> None:
    given = replace(six, metrics=(scores_of_systems("given", np.arange(6.0)),))
    result = found(given)
    assert result.metric_reliability is None
    assert "same on any sentences" in (variant(result, Cause.METRIC).reason or "")
    assert result.ties.reason == "only scores of systems are known"
    constant = replace(six, metrics=(scores_of_systems("constant", np.ones(6)),))
    for each in found(constant).variants:
        assert each.correlations == {R: None, RHO: None}
        assert each.reason
        assert not each.is_clear
    three = people(snapshot(("anna", 0, "A > B > C")), 24)
    few = MetricsAndPeople(three, (scores_of_systems("m", np.array([3.0, 1, 2])),))
    result = found(few, HumanScore.EXPECTED_WINS)
    assert all("at least three" in (each.reason or "") for each in result.left_out)
    assert "fewer than 3" in (variant(result, Cause.ONE_LEFT_OUT).reason or "")
    assert "fewer than 3" in (variant(result, Cause.BETTER).reason or "")


def test_without_resamples_there_are_differences_without_intervals(six: MetricsAndPeople) -> None:
    difference = found(six, replicates=0).left_out[0].differences[R]
    assert difference.value is not None
    assert difference.low is None
    assert difference.reason


def test_changes_are_tested_together_with_each_system_left_out(six: MetricsAndPeople) -> None:
    result = found(six, replicates=200)
    untested = {Cause.MEASURED, Cause.PEOPLE, Cause.METRIC, Cause.BOTH}
    for each in result.variants:
        assert (each.p_value is None) == (each.cause in untested or each.reason is not None)
        assert each.is_clear == (each.p_value is not None and each.p_value <= 0.05)
    tested = {(each.cause, each.named): each for each in (*result.variants, *result.left_out) if each.p_value}
    assert len(tested) == 2 + 6
    assert not any(each.p_value for each in found(six, replicates=0).variants)


def test_a_difference_is_tested_by_a_normal_distribution_of_its_resamples() -> None:
    drawn = np.random.default_rng(0).normal(0.1, 0.2, 500)
    expected = 2 * stats.norm.sf(0.3 / (1.11 * drawn.std(ddof=1)))
    assert p_of_difference(-0.3, drawn) == pytest.approx(expected)
    assert p_of_difference(0.3, np.r_[drawn, [np.nan] * 400]) == pytest.approx(expected)
    assert p_of_difference(0.3, np.r_[drawn, [np.nan] * 600]) is None
    assert p_of_difference(0.3, drawn[:9]) is None


@pytest.mark.parametrize("times", [1.9, 2.0])
def test_an_interval_leaves_out_0_just_where_the_test_does(times: float) -> None:
    drawn = np.random.default_rng(0).exponential(0.2, 500)
    difference = times * 1.11 * drawn.std(ddof=1)
    estimate, p = paired_difference(difference, 0.0, drawn, 0.95), p_of_difference(difference, drawn)
    assert estimate.low is not None
    assert p is not None
    assert (estimate.low > 0) == (p < 0.05) == (times == 2.0)
