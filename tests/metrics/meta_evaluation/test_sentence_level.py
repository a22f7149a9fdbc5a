"""Metrics against people by sentences."""

import numpy as np
import pytest

from metrics.meta_evaluation import (
    HumanScore,
    MetricsAndPeople,
    calibrated_tests,
    judged_pairs,
    people,
    scores_of_sentences,
    scores_of_systems,
    sentence_agreement,
)
from metrics.meta_evaluation.sentence_level import ONE_SENTENCE, compared_items
from ranking import expanded_pairs, pairwise_tau
from tests.memory import peak_of
from tests.metrics.meta_evaluation.samples import (
    both,
    judged_many_times,
    metric_like_people,
    rankings,
    scored_snapshot,
)
from tests.ranking.frames import snapshot

JUDGED = snapshot(("anna", 0, "A B > C"), ("anna", 1, "B > A = C"), ("ben", 1, "C > A > B"), ("cleo", 2, "A"))
SCORES = np.array([[0.5, 0.5, 0.2], [0.1, 0.1, 0.4], [0.9, 0.8, 0.7]])


def small(domains: tuple[str, ...] = ()) -> MetricsAndPeople:
    return MetricsAndPeople(people(JUDGED, 3), (scores_of_sentences("metric", SCORES),), domains)


def test_ties_of_people_and_of_metrics_count_as_documented() -> None:
    """Anna: C below A and B; B above A, which the metric ties, and above C, which it does not; A ties with C.

    Ben: C above A and B, as the metric has it; A above B, which it ties.
    """
    [metric] = sentence_agreement(small(), replicates=0)
    pairs = metric.pairs
    assert pairs is not None
    assert (pairs.concordant, pairs.discordant, pairs.metric_ties) == (4, 1, 2)
    assert (pairs.judge_ties, pairs.both_tie) == (1, 0)
    assert pairs.value == pytest.approx((4 - 1 - 2) / 7)
    assert pairs.without_ties == pytest.approx(3 / 5)
    assert pairs.tau_b == pytest.approx(3 / np.sqrt(7 * 6))
    assert (metric.accuracy.value, metric.accuracy.reason) == (4 / 7, "nothing was resampled")


def test_a_judge_of_one_sentence_and_a_judge_of_nothing_are_explained() -> None:
    [metric] = sentence_agreement(small(), replicates=10)
    anna, ben, cleo = metric.by_judge
    assert (anna.part, anna.sentences, anna.reason) == ("anna", 2, None)
    assert (ben.part, ben.sentences, ben.reason) == ("ben", 1, ONE_SENTENCE)
    assert ben.pairs.value == pytest.approx((2 - 1) / 3)
    assert (cleo.sentences, cleo.pairs.value, cleo.reason) == (0, None, "there are no pairs")


def test_sentences_of_a_domain_stand_alone() -> None:
    [metric] = sentence_agreement(small(("news", "essays", "blogs")), replicates=0)
    by_domain = {part.part: part.pairs for part in metric.by_domain}
    assert by_domain["news"].value == 1
    assert by_domain["essays"].value == pytest.approx((2 - 1 - 2) / 5)
    assert by_domain["blogs"].value is None
    assert sentence_agreement(small(), replicates=0)[0].by_domain == ()


def test_parts_hold_the_pairs_of_their_judge_or_domain_alone() -> None:
    data = small(("news", "essay", "news"))
    [metric] = sentence_agreement(data, replicates=0)
    judged = data.people.judged
    order = np.sign(SCORES[judged.sentence, judged.first] - SCORES[judged.sentence, judged.second])
    news = judged.sentence != 1
    by_number = {part.part: part for part in (*metric.by_judge, *metric.by_domain)}
    for name, chosen in {
        "anna": judged.judge == 0,
        "ben": judged.judge == 1,
        "news": news,
        "essay": ~news,
    }.items():
        level = np.zeros(np.count_nonzero(chosen))
        assert by_number[name].pairs == pairwise_tau(judged.outcome[chosen], order[chosen], level)
        assert by_number[name].sentences == len(np.unique(judged.sentence[chosen]))


def test_tens_of_millions_of_pairs_are_counted_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside the pairs, memory holds a few bytes of each, for the metric's order."""
    monkeypatch.setattr(judged_pairs, "PAIRS_PER_BLOCK", 20_000)
    many = judged_many_times(small(("news", "essay", "news")), 10**6)
    size = len(many.people.judged.outcome)
    reported: list[int] = []
    assert peak_of(lambda: sentence_agreement(many, replicates=10, progress=reported.append)) < 6 * size
    assert len(reported) > size // 20_000


def test_tau_is_that_of_expanded_pairs() -> None:
    data = both()
    pairs = expanded_pairs(rankings())
    for metric, agreed in zip(data.metrics, sentence_agreement(data, replicates=0), strict=True):
        assert metric.sentences is not None
        first, second = (
            metric.sentences[pairs["sentence"], pairs[side].cat.codes] for side in ("first", "second")
        )
        assert agreed.pairs == pairwise_tau(pairs["outcome"], first, second)


def test_intervals_resample_sentences() -> None:
    careful, careless = sentence_agreement(both(), replicates=100, seed=2)
    for metric in (careful, careless):
        for estimate in (metric.tau, metric.tau_b, metric.accuracy):
            assert estimate.low is not None
            assert estimate.low < (estimate.value or 0) < (estimate.high or 0)
    assert (careful.tau.low or 0) > (careless.tau.high or 0)
    assert careful == sentence_agreement(both(), replicates=100, seed=2)[0]
    drawn = {sentence_agreement(both(), replicates=100, seed=seed)[1].tau.low for seed in range(3)}
    assert len(drawn) > 1


def test_a_sentence_that_one_metric_does_not_score_is_left_out_for_all() -> None:
    scores = SCORES.copy()
    scores[1, 2] = np.nan
    partly, whole, elsewhere = (
        scores_of_sentences("partly", scores),
        scores_of_sentences("whole", SCORES),
        scores_of_systems("elsewhere", np.array([1.0, 2, 3])),
    )
    data = MetricsAndPeople(people(JUDGED, 3), (partly, whole, elsewhere))
    agreed = sentence_agreement(data, replicates=0)
    assert [metric.not_scored for metric in agreed] == [4, 4, 4]
    assert agreed[0].pairs == agreed[1].pairs
    assert (agreed[2].pairs, agreed[2].reason) == (None, "only scores of systems are known")
    assert calibrated_tests(data, permutations=10).metrics == ("partly", "whole")


def test_a_metric_that_scores_no_judged_output_takes_no_pair_from_the_others() -> None:
    elsewhere = np.full((3, 3), np.nan)
    data = MetricsAndPeople(
        people(JUDGED, 3), (scores_of_sentences("whole", SCORES), scores_of_sentences("elsewhere", elsewhere))
    )
    whole, without = sentence_agreement(data, replicates=0)
    [alone] = sentence_agreement(small(), replicates=0)
    assert (whole.pairs, whole.calibrated) == (alone.pairs, alone.calibrated)
    assert (whole.not_scored, whole.unscored, without.unscored) == (0, 0, 8)
    assert (without.pairs, without.reason) == (None, "it scores none of the judged outputs")
    assert calibrated_tests(data, permutations=10).metrics == ("whole",)


def test_scores_that_differ_by_rounding_tie() -> None:
    """The metric has A and B of the second and third sentence equal, but for the last digit."""
    scores = SCORES.copy()
    scores[1:, 1] = scores[1:, 0]
    rounded = scores.copy()
    rounded[1:, 1] += 1e-16 * np.array([1, -1])
    assert (rounded != scores).any()
    exact, almost = (
        sentence_agreement(
            MetricsAndPeople(people(JUDGED, 3), (scores_of_sentences("metric", each),)), replicates=20
        )
        for each in (scores, rounded)
    )
    assert exact == almost


def test_by_z_scores_outputs_are_compared_by_standardised_scores() -> None:
    """Anna scores A, and Ben, who is generous, B: raw scores have B ahead, standardised ones A."""
    judged = scored_snapshot(
        ("anna", 0, "A", 40), ("anna", 1, "A", 20), ("anna", 2, "A", 10),
        ("ben", 0, "B", 60), ("ben", 1, "B", 90), ("ben", 2, "B", 95),
    )  # fmt: skip
    metric = scores_of_sentences("metric", np.array([[2.0, 1.0]] * 3))
    data = MetricsAndPeople(people(judged, 3), (metric,))
    raw, standard = (
        sentence_agreement(data, human, replicates=0)[0].calibrated
        for human in (HumanScore.MEAN, HumanScore.Z)
    )
    assert raw is not None
    assert standard is not None
    assert raw.accuracy == 0
    assert standard.accuracy == pytest.approx(1 / 3)


def test_a_metric_that_orders_nothing_says_so() -> None:
    constant = scores_of_sentences("constant", np.ones((3, 3)))
    [metric] = sentence_agreement(MetricsAndPeople(people(JUDGED, 3), (constant,)), replicates=5)
    assert metric.reason == "the metric orders none of the pairs"
    assert metric.tau.value == -1
    assert (metric.tau_b.value, metric.tau_b.reason) == (None, metric.reason)


def test_calibrated_accuracy_compares_outputs_by_their_human_scores() -> None:
    """Of the first sentence A and B share a text. In the second A won 1 of 3, B 2 of 4, and C 2 of 3."""
    data = small()
    items = compared_items(data)
    assert list(zip(items.sentence.tolist(), items.human.tolist(), strict=True)) == [
        (0, 1),
        (0, 1),
        (1, -1),
        (1, -1),
        (1, -1),
    ]
    calibrated = sentence_agreement(data, replicates=0)[0].calibrated
    assert calibrated is not None
    assert calibrated.accuracy == pytest.approx((1 + 2 / 3) / 2)


def test_careful_metrics_beat_careless_ones() -> None:
    metrics = [metric_like_people(name, noise, 7) for name, noise in (("careless", 2.0), ("careful", 0.05))]
    tests = calibrated_tests(both(*metrics), permutations=200, seed=1)
    assert (tests.p_values[1][0] or 0) < 0.05 < (tests.p_values[0][1] or 0)
