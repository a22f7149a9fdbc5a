"""Synthetic systems that mix the outputs of two systems."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import pearsonr, spearmanr

from core.arrays import IntArray
from metrics import AnyMetric, EvaluationSet, metric_from_text, score
from metrics.base.evaluation_sets import InputError
from metrics.base.resampling import sentence_draws
from metrics.meta_evaluation import (
    HumanScore,
    MetricsAndPeople,
    mixed_agreement,
    mixed_bootstrap,
    mixed_scores,
    mixed_systems,
    mixed_williams,
    people,
    scored_by_comparisons,
    scores_of_sentences,
    scores_of_systems,
)
from metrics.meta_evaluation.intervals import Resampled
from metrics.meta_evaluation.output_statistics import (
    NOT_SCORED,
    statistics_of_metric,
    statistics_of_sentences,
)
from metrics.meta_evaluation.sensitivity.hybrids import FIXED
from ranking import Coefficient, Method, williams_test
from tests.metrics.meta_evaluation.samples import (
    SENTENCES,
    SYSTEMS,
    both,
    metric_like_people,
    sentences_of,
)
from tests.metrics.reference_data import CoNLL14, edited_texts
from tests.ranking.frames import snapshot

MEAN = HumanScore.MEAN


def test_six_systems_give_675_synthetic_ones_with_the_shares_of_gmeg() -> None:
    made = mixed_systems(6, np.arange(200), of=200)
    assert len(made) == 675
    assert np.bincount(made.percent)[10:100:10].tolist() == [75] * 9
    for number in range(675):
        first, second = made.first[number], made.second[number]
        assert first < second
        from_first = np.count_nonzero(made.origins[number] == first)
        assert from_first == 2 * made.percent[number]
        assert from_first + np.count_nonzero(made.origins[number] == second) == 200
    assert len(np.unique(made.origins, axis=0)) == 675


def test_shares_are_of_the_judged_sentences_rounded_to_whole_ones() -> None:
    judged = np.array([1, 4, 7, 8, 9])
    made = mixed_systems(2, judged, of=12, percents=(10, 50), draws=1)
    assert [np.count_nonzero(row[judged] == 0) for row in made.origins] == [1, 3]
    assert not made.origins[:, [0, 2, 3, 5, 6, 10, 11]].any()


def test_a_mixture_depends_on_its_seed_alone() -> None:
    sentences = np.arange(50)
    many = mixed_systems(3, sentences, of=50, seed=4)
    few = mixed_systems(3, sentences, of=50, percents=(30,), draws=2, seed=4)
    chosen = (many.percent == 30) & (many.draw < 2)
    np.testing.assert_array_equal(many.origins[chosen], few.origins)
    other = mixed_systems(3, sentences, of=50, seed=5)
    assert (many.origins != other.origins).any(axis=1).all()


def test_the_human_score_is_the_mean_of_the_sentences_and_what_is_missing_does_not_count() -> None:
    judged = people(snapshot(("anna", 0, "A > B > C"), ("anna", 1, "A > C"), ("anna", 2, "B > A > C")), 4)
    data = MetricsAndPeople(judged, (scores_of_sentences("m", np.arange(12.0).reshape(4, 3)),))
    scores = mixed_scores(data, MEAN, percents=(50,), draws=2, replicates=0, seed=1)
    assert scores.sentences.tolist() == [0, 1, 2]
    for number, origins in enumerate(scores.hybrids.origins, start=3):
        of_sentences = [judged.scores[sentence, origins[sentence]] for sentence in range(3)]
        assert scores.human[number] == pytest.approx(np.nanmean(of_sentences))
        assert scores.metrics[0, number] == pytest.approx(
            np.mean([3 * sentence + origins[sentence] for sentence in range(3)])
        )
    assert np.isnan(judged.scores[1, 1])


def test_correlations_are_over_systems_and_synthetic_systems() -> None:
    data = both()
    scores = mixed_scores(data, MEAN, replicates=100, seed=2)
    assert scores.human.shape == (4 + 6 * 9 * 5,)
    for place, agreed in enumerate(mixed_agreement(data, scores)):
        metric, human = scores.metrics[place].round(12), scores.human.round(12)  # so that equal scores tie
        for estimates, size in ((agreed.correlations, None), (agreed.judged, 4)):
            r, rho = pearsonr(metric[:size], human[:size]), spearmanr(metric[:size], human[:size])
            assert estimates[Coefficient.PEARSON].value == pytest.approx(r.statistic)
            assert estimates[Coefficient.SPEARMAN].value == pytest.approx(rho.statistic)
            for estimate in estimates.values():
                assert -1 <= (estimate.low or 0) <= (estimate.high or 0) <= 1
    tests = mixed_williams(data, scores)
    expected = williams_test(scores.human, scores.metrics[0], scores.metrics[1]).p_first_better
    assert tests.p_values[0][1] == pytest.approx(expected)


def test_differences_are_tested_by_the_weighted_means_of_resampled_systems() -> None:
    """Of systems that are not mixed, the test is that of systems alone."""
    data = both()
    scores = mixed_scores(data, MEAN, draws=1, replicates=100, seed=2)
    tests = mixed_bootstrap(data, scores)
    assert tests.metrics == tuple(metric.name for metric in data.metrics)
    assert tests.p_values[0][1] == pytest.approx(1 - (tests.p_values[1][0] or 0))
    alone = Resampled(
        scores.human[:4], scores.metrics[0, :4], scores.human_replicates, scores.metric_replicates[0]
    )
    expected, drawn = alone.corrected()
    r, same = alone.corrected(np.eye(4))
    assert r == expected
    np.testing.assert_array_equal(same, drawn)
    both_halves, _ = alone.corrected(np.full((4, 3), 0.25) + np.eye(4)[:, :3])
    assert both_halves == pytest.approx(alone.corrected(np.eye(4)[:, :3])[0])


def test_replicates_are_the_same_for_any_number_of_threads_and_however_many_there_are() -> None:
    """More replicates are summed in larger blocks, which may differ by rounding."""
    data = both()
    one, two, more = (
        mixed_scores(data, MEAN, draws=1, replicates=replicates, seed=7, threads=threads)
        for replicates, threads in ((60, 1), (60, 2), (100, 2))
    )
    np.testing.assert_array_equal(one.human, two.human)
    np.testing.assert_array_equal(one.metrics, two.metrics)
    for replicates in ("human_replicates", "metric_replicates"):
        values, others, longer = (getattr(each, replicates) for each in (one, two, more))
        np.testing.assert_array_equal(values, others)
        np.testing.assert_allclose(values, longer[..., :60, :], atol=1e-12)


def test_a_replicate_resamples_the_sentences_of_people_and_metrics() -> None:
    data = both()
    scores = mixed_scores(data, MEAN, percents=(40, 60), draws=2, replicates=3, seed=9)
    draws = next(sentence_draws(SENTENCES, range(3), 9))
    assert data.metrics[0].sentences is not None
    for draw, human, metric in zip(draws, scores.human_replicates, scores.metric_replicates[0], strict=True):
        np.testing.assert_allclose(human, np.nanmean(data.people.scores[draw], axis=0))
        np.testing.assert_allclose(metric, data.metrics[0].sentences[draw].mean(axis=0))


def test_the_true_score_of_a_mixture_is_the_weighted_mean_of_its_systems() -> None:
    """With judges and metrics that never err, intervals shrink to the correlation of the weighted means."""
    judged = people(snapshot(*[("anna", number, "A > B > C > D") for number in range(SENTENCES)]), SENTENCES)
    metric = scores_of_sentences("m", sentences_of(np.array([5.0, 4, 1, 0])))
    data = MetricsAndPeople(judged, (metric,))
    scores = mixed_scores(data, MEAN, draws=1, replicates=50, seed=2)
    [agreed] = mixed_agreement(data, scores)
    for estimates in (agreed.correlations, agreed.judged):
        estimate = estimates[Coefficient.PEARSON]
        assert estimate.low == pytest.approx(estimate.value, abs=0.02)  # sentences are mixed in whole numbers
        assert estimate.high == pytest.approx(estimate.value, abs=0.02)


def test_metrics_without_scores_of_sentences_say_why_they_are_not_compared() -> None:
    careful = metric_like_people("careful", 0.1, 1)
    data = both(
        careful,
        scores_of_systems("systems", np.array([4.0, 3, 2, 1])),
        scored_by_comparisons(careful, Method.EXPECTED_WINS, SYSTEMS),
        scores_of_sentences("constant", sentences_of(np.ones(4))),
        scores_of_sentences("unscored", sentences_of(np.array([1.0, 2, 3, np.nan]))),
    )
    scores = mixed_scores(data, MEAN, draws=1, replicates=10)
    reasons = [each.correlations[Coefficient.PEARSON].reason for each in mixed_agreement(data, scores)]
    assert reasons == [
        None,
        FIXED,
        FIXED,
        "the metric gives every system the same score",
        "the metric has no score of D: leave it out, or have it judged and scored",
    ]
    assert mixed_williams(data, scores).metrics == ("careful",)


def test_two_systems_are_too_few_to_mix() -> None:
    judged = people(snapshot(("anna", 0, "A > B"), ("anna", 1, "A > B"), ("anna", 2, "B > A")), 3)
    data = MetricsAndPeople(judged, (scores_of_sentences("m", np.arange(6.0).reshape(3, 2)),))
    scores = mixed_scores(data, MEAN, draws=1, replicates=0)
    assert "at least three" in (
        mixed_agreement(data, scores)[0].correlations[Coefficient.PEARSON].reason or ""
    )


def test_only_means_score_synthetic_systems() -> None:
    with pytest.raises(InputError, match="synthetic systems have no ew"):
        mixed_scores(both(), HumanScore.EXPECTED_WINS)
    with pytest.raises(InputError, match="z-scores need scores"):
        mixed_scores(both(), HumanScore.Z)


def test_systems_that_are_not_scored_have_no_statistics() -> None:
    known = statistics_of_sentences(np.arange(6.0).reshape(3, 2))
    spread = known.of_systems([1, NOT_SCORED, 0])
    origins = np.array([[0, 0, 0], [0, 0, 1], [2, 2, 0]])
    [scores] = spread.scores(origins, np.arange(3)[None])
    assert scores.tolist()[::2] == [pytest.approx(3), pytest.approx((0 + 2 + 5) / 3)]
    assert np.isnan(scores[1])


TEXTS = ("gleu:iterations=50", "chargleu:iterations=5", "chrf", "bleu", "ibleu", "green", "sari", "minld")
EDITS = ("errant", "errant:average=categories", "cleme", "cleme2", "cleme:length-weights=yes")
TEST_SET = 90
"""Sentences, of which the slowest of these metrics takes a second."""


def assert_equal_to_scoring_the_texts(
    metric: AnyMetric, data: EvaluationSet, outputs: Mapping[str, Sequence[str]], drawn: IntArray
) -> None:
    """Each drawn synthetic system, as its texts and as its statistics."""
    systems = tuple(outputs)
    scored = score(metric, data, outputs)
    n = len(data.sources)
    made = mixed_systems(len(systems), np.arange(n), of=n, seed=3)
    ours = statistics_of_metric(scored, systems).scores(made.origins[drawn], np.arange(n)[None])[0]
    for value, origins in zip(ours, made.origins[drawn], strict=True):
        texts = [outputs[systems[origin]][place] for place, origin in enumerate(origins)]
        theirs = score(metric, data, {"mixed": texts}).corpus("mixed").value
        if metric.additive:
            assert value == pytest.approx(theirs, abs=1e-12)
        else:
            assert value == theirs


@pytest.fixture(scope="module")
def conll(reference_data: Path) -> CoNLL14:
    return CoNLL14(reference_data / "conll14")


@pytest.mark.parametrize("name", [*TEXTS, "imeasure"])
def test_20_of_them_score_the_same_as_their_texts(conll: CoNLL14, name: str) -> None:
    """Additive metrics may differ by rounding, since they sum rows in another order; others are equal."""
    references = conll.references("NUCLEA", "NUCLEB")
    assert references.references is not None
    data = EvaluationSet(references.sources[:TEST_SET], references.references[:TEST_SET])
    outputs = {system: conll.outputs(system)[:TEST_SET] for system in ("AMU", "CAMB", "RAC", "UFC")}
    drawn = np.random.default_rng(1).choice(270, size=20, replace=False)
    assert_equal_to_scoring_the_texts(metric_from_text(name), data, outputs, drawn)


@pytest.mark.parametrize("name", ["m2", "m2:beta=0.2", *EDITS])
def test_20_of_them_score_the_same_as_their_edits(conll: CoNLL14, name: str) -> None:
    """Of edits that were extracted before; two systems give 45 synthetic ones."""
    assert conll.gold.annotations is not None
    data = EvaluationSet(conll.gold.sources[:TEST_SET], annotations=conll.gold.annotations[:TEST_SET])
    metric = metric_from_text(name if name.startswith("m2") else f"{name}:gold=given")
    outputs = {
        system: edited_texts(conll.folder / "errant-m2" / f"{system}.m2")[:TEST_SET]
        for system in ("AMU", "CAMB", "UFC")
    }
    drawn = np.random.default_rng(1).choice(135, size=20, replace=False)
    assert_equal_to_scoring_the_texts(metric, data, outputs, drawn)
