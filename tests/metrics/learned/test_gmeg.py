"""GMEG-Metric: features of corpora, ridge regression, held-out sentences, ablation."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.linear_model import Ridge
from sklearn.model_selection import GridSearchCV, KFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from core.arrays import IntArray
from metrics import metric_from_text, score
from metrics.base.evaluation_sets import InputError
from metrics.edits.errant_types import CATEGORIES
from metrics.learned.ablation import ablations
from metrics.learned.features import corpus_features, feature_table
from metrics.learned.gmeg import (
    LEARNED,
    Domain,
    Settings,
    corpora,
    divide,
    fitted,
    held_out_scores,
    train,
)
from metrics.learned.ridge import ALPHAS, best_alpha, fit_ridge
from metrics.meta_evaluation.output_statistics import NOT_SCORED
from ranking import Coefficient
from tests.metrics.learned.samples import SYSTEMS, Sample

FEW = Settings(percents=(20, 50, 80), draws=2)


def test_features_are_the_figures_that_metrics_state_of_a_system(small: Sample) -> None:
    for name in ("m2", "imeasure"):
        scored = score(metric_from_text(name), small.data, small.outputs)
        features = corpus_features(scored.metric, scored.rows, scored.picks["good"][None])
        details = scored.corpus("good").details
        compared = 0
        for feature, value in features.items():
            stated = feature.removeprefix(f"{name} ")
            if stated in details and not stated.startswith(("TP", "TN", "FP", "FN")):
                assert value == pytest.approx(details[stated], abs=1e-12)
                compared += 1
        assert compared == {"m2": 2, "imeasure": 8}[name]
    chrf = score(metric_from_text("chrf"), small.data, small.outputs)
    features = corpus_features(chrf.metric, chrf.rows, chrf.picks["good"][None])
    precision, recall = features["chrf precision"][0], features["chrf recall"][0]
    assert 5 * precision * recall / (4 * precision + recall) == pytest.approx(chrf.corpus("good").value)


def test_counts_are_shares_so_a_test_set_may_have_any_size(small: Sample) -> None:
    scored = score(metric_from_text("imeasure"), small.data, small.outputs)
    picks = scored.picks["bad"]
    once = corpus_features(scored.metric, scored.rows, picks[None])
    twice = corpus_features(scored.metric, scored.rows, np.concatenate([picks, picks])[None])
    assert {name: value[0] for name, value in once.items()} == pytest.approx(
        {name: value[0] for name, value in twice.items()}, abs=1e-12
    )


def test_a_system_without_scores_has_no_features(domains: tuple[Domain, Domain]) -> None:
    statistics = [
        replace(each, picks=np.vstack([np.full((1, 60), NOT_SCORED), each.picks[1:]]))
        for each in domains[0].statistics
    ]
    origins = np.repeat(np.arange(4)[:, None], 60, axis=1)
    values = feature_table(statistics, origins, np.arange(60)).values
    assert np.isnan(values[0]).all()
    assert np.isfinite(values[1:]).all()


def test_systems_that_nobody_judged_or_a_metric_did_not_score_are_no_error(
    domains: tuple[Domain, Domain],
) -> None:
    human = domains[0].human.copy()
    human[:, 3] = np.nan
    part = corpora(replace(domains[0], human=human), np.arange(60), FEW, 0)
    assert np.isnan(part.human).tolist() == part.contains[:, 3].tolist()
    [learned, *_] = held_out_scores([replace(domains[0], human=human)], FEW, splits=2)["first"]
    assert learned.mean(Coefficient.PEARSON) > 0
    unscored = tuple(
        replace(each, picks=np.vstack([np.full((1, 60), NOT_SCORED), each.picks[1:]]))
        for each in domains[0].statistics
    )
    [learned, *_] = held_out_scores([replace(domains[0], statistics=unscored)], FEW, splits=2)["first"]
    assert np.isnan(learned.mean(Coefficient.PEARSON))


def test_one_metric_may_not_give_features_twice(small: Sample) -> None:
    domain = small.domain(metrics=("m2", "m2:beta=1"))
    with pytest.raises(InputError, match="two metrics give the feature 'm2 precision': take m2 once"):
        train([domain], FEW)


@pytest.mark.parametrize("standardise", [False, True])
def test_the_regression_is_that_of_scikit_learn(domains: tuple[Domain, Domain], standardise: bool) -> None:
    part = corpora(domains[0], domains[0].judged, FEW, 3)
    model = fit_ridge(part.features, part.values, part.human, alpha=0.01, standardise=standardise)
    steps = [StandardScaler()] if standardise else []
    pipeline = make_pipeline(*steps, Ridge(alpha=0.01)).fit(part.values, part.human)
    # Coefficients are turned back from standardised features, which rounds them.
    assert model.predict(part.values) == pytest.approx(pipeline.predict(part.values), rel=1e-9)


def test_the_penalty_is_the_one_that_scikit_learn_chooses(domains: tuple[Domain, Domain]) -> None:
    part = corpora(domains[0], domains[0].judged, FEW, 3)
    search = GridSearchCV(
        make_pipeline(Ridge()),
        {"ridge__alpha": ALPHAS},
        cv=KFold(10, shuffle=True, random_state=0),
        scoring="neg_mean_squared_error",
    ).fit(part.values, part.human)
    alpha = best_alpha(part.values, part.human)
    assert alpha == search.best_params_["ridge__alpha"]
    chosen = fitted([part], replace(FEW, alpha=None))
    fixed = fitted([part], replace(FEW, alpha=alpha))
    assert chosen.coefficients.tolist() == fixed.coefficients.tolist()
    assert (
        chosen.coefficients.tolist() != fitted([part], replace(FEW, alpha=alpha * 100)).coefficients.tolist()
    )


def test_there_are_as_many_features_as_the_paper_counts(small: Sample) -> None:
    """ERRANT, which needs a parser, gives precision and recall of each category."""
    domain = small.domain(metrics=("chrf", "m2", "imeasure", "gleu", "chargleu"))
    assert len(corpora(domain, domain.judged, FEW, 0).features) + 2 * len(CATEGORIES) == 73


def test_synthetic_systems_score_the_mean_of_their_sentences(domains: tuple[Domain, Domain]) -> None:
    sentences = np.arange(10, 40)
    part = corpora(domains[0], sentences, FEW, 0)
    assert part.values.shape == (4 + 6 * 3 * 2, len(part.features))
    assert part.human[:4] == pytest.approx(domains[0].human[sentences].mean(axis=0))
    assert part.contains[:4].tolist() == np.eye(4, dtype=bool).tolist()
    assert (part.contains[4:].sum(axis=1) == 2).all()
    mixed = part.contains[4:, 0] & part.contains[4:, 3]
    assert part.human[3] < part.human[4:][mixed].min() < part.human[4:][mixed].max() < part.human[0]


def judged_domain(sentences: IntArray) -> Domain:
    human = np.full((110, 2), np.nan)
    human[sentences] = 1
    return Domain("essays", ("A", "B"), human, ())


def test_no_sentence_is_learned_from_and_tested_on() -> None:
    judged = np.arange(5, 105), np.arange(20, 60)
    for split in range(10):
        known, rest = divide([judged_domain(each) for each in judged], 0.5, seed=0, split=split)
        for sentences, learned, tested in zip(judged, known, rest, strict=True):
            assert not set(learned.tolist()) & set(tested.tolist())
            assert sorted([*learned.tolist(), *tested.tolist()]) == sentences.tolist()
            assert len(learned) == len(sentences) / 2
    with pytest.raises(InputError, match=r"at least two judged sentences are needed, .*, not 1 "):
        divide([judged_domain(np.array([3]))], 0.5, seed=0, split=0)


def test_held_out_scores_do_not_depend_on_threads_but_on_the_seed(domains: tuple[Domain, Domain]) -> None:
    one = held_out_scores(domains, FEW, splits=4, seed=1)
    told: list[int] = []
    assert held_out_scores(domains, FEW, splits=4, seed=1, threads=3, progress=told.append) == one
    assert sum(told) == 4
    assert held_out_scores(domains, FEW, splits=4, seed=2) != one
    assert list(one) == ["first", "second"]
    by_name = {each.metric: each for each in one["first"]}
    assert list(by_name) == [LEARNED, "chrf", "m2", "imeasure", "gleu", "chargleu"]
    learned = by_name[LEARNED]
    assert learned.mean(Coefficient.PEARSON) > 0.9
    low, high = learned.interval(Coefficient.PEARSON)
    assert low <= learned.mean(Coefficient.PEARSON) <= high


def test_ablation_names_what_is_left_out_and_where_it_is_tested(domains: tuple[Domain, Domain]) -> None:
    made = ablations(domains, FEW, folds=3, seed=1)
    assert made == ablations(domains, FEW, folds=3, seed=1, threads=2)
    assert [(each.left_out, each.domain) for each in made] == [
        *((system, domain) for system in sorted(SYSTEMS) for domain in ("first", "second")),
        ("first", "first"),
        ("second", "second"),
    ]
    assert all(len(each.seen) == len(each.unseen) == 3 for each in made)
    assert any(each.seen != each.unseen for each in made)
    assert len(ablations(domains[:1], FEW, folds=2)) == 4


def test_domains_have_the_same_features(small: Sample, domains: tuple[Domain, Domain]) -> None:
    with pytest.raises(InputError, match="scored by different metrics"):
        train([domains[0], small.domain(metrics=("chrf",))], FEW)
