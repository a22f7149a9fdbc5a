"""MAEGE on metrics with a known outcome, and on made-up scores against other programs."""

import numpy as np
import pytest
from scipy.stats import kendalltau, norm, pearsonr, spearmanr

from metrics import EvaluationSet, metric_from_text, score
from metrics.meta_evaluation.maege import (
    CorpusScore,
    LatticeCorpus,
    MaegeParameters,
    PairScorer,
    Quality,
    SeedScores,
    Source,
    Texts,
    Ties,
    draw,
    seed_scores,
    verdict,
)
from metrics.meta_evaluation.maege.levels import (
    chain_quality,
    ordered_pairs,
    p_value_of_tau,
    pearson,
    spearman,
    tau,
    tau_b,
)
from metrics.meta_evaluation.maege.summary import changes_by_type
from tests.metrics.meta_evaluation.maege.samples import OfOutput, OfText, corpus_of, scores_of_seeds

SIZES = ((4, 6), (11,), (12, 3), (12,), (11, 12), (12,)) * 30
"""Long lattices, so that corpora of M = 9 and 10 differ: with seed 0 to 2 means rise with M."""

PARAMETERS = MaegeParameters(seeds=3)


def test_a_metric_that_counts_the_edits_agrees_with_the_order_and_its_negative_does_not() -> None:
    corpus = corpus_of(*SIZES)
    for sign in (1.0, -1.0):
        made = verdict(scores_of_seeds(OfText(sign), corpus, PARAMETERS), corpus, corpus.kinds, PARAMETERS)
        assert (made.tau.value, made.tau_b.value) == (sign, sign)
        assert made.spearman.value == pytest.approx(sign)
        assert made.tied == 0
        assert {kind: change.value for kind, change in made.changes.items()} == {
            "even": pytest.approx(sign),
            "odd": pytest.approx(sign),
        }
        assert sum(change.edits for change in made.changes.values()) == corpus.sizes.sum()


def test_of_a_constant_metric_the_reasons_are_told() -> None:
    corpus = corpus_of(*SIZES)
    made = verdict(scores_of_seeds(OfText(0.0), corpus, PARAMETERS), corpus, corpus.kinds, PARAMETERS)
    assert (made.tau.value, made.spearman.value, made.pearson.value) == (None, None, None)
    assert made.tau.reason == "the metric gives both corrections of each comparable pair the same score"
    assert made.spearman.reason == "the metric gives all corpora the same score, or some none"
    assert made.pearson.reason == "the metric gives all corrections the same score"
    assert made.changes["even"].value == 0


def test_each_pair_is_scored_once() -> None:
    corpus = corpus_of((2, 3), (3,), (1, 1))
    metric = OfText()
    scores_of_seeds(metric, corpus, MaegeParameters(seeds=6))
    assert len(metric.asked) == len(set(metric.asked))
    texts = {text for _, text in metric.asked}
    without_source = OfOutput()
    scores_of_seeds(without_source, corpus, MaegeParameters(seeds=6))
    assert len(without_source.asked) == len(texts)


def test_results_do_not_depend_on_earlier_scores() -> None:
    corpus = corpus_of(*((2, 3), (3, 5), (4, 1)) * 15)  # Enough for the last digit of a sum.
    for name in ("bleu", "gleu", "sari", "green"):
        seeds = []
        for before in ((), (0, 1)):
            texts = Texts(corpus)
            scorer = PairScorer(metric_from_text(name), corpus, texts)
            for seed in (*before, 2):
                scored = seed_scores(
                    scorer, corpus, draw(corpus, texts, seed, Source.UNIFORM), MaegeParameters()
                )
            seeds.append(scored)
        assert np.array_equal(seeds[0].corpora, seeds[1].corpora)
        assert np.array_equal(seeds[0].changes, seeds[1].changes)
        assert seeds[0].correlation == seeds[1].correlation


def test_corpora_score_by_the_metric_or_by_the_mean_of_sentences() -> None:
    corpus = corpus_of((2, 3), (3, 5), (4, 1))
    texts = Texts(corpus)
    scorer = PairScorer(metric_from_text("bleu"), corpus, texts)
    drawn = draw(corpus, texts, 0, Source.UNIFORM)
    own = seed_scores(scorer, corpus, drawn, MaegeParameters())
    mean = seed_scores(scorer, corpus, drawn, MaegeParameters(corpus_score=CorpusScore.MEAN))
    data = EvaluationSet(corpus.sources, corpus.references)
    outputs = {str(m): [texts.texts[number] for number in row] for m, row in enumerate(drawn.corpora)}
    scored = score(metric_from_text("bleu"), data, outputs)
    assert own.corpora == pytest.approx([scored.corpus(name).value for name in outputs])
    assert mean.corpora == pytest.approx([scored.sentences(name).mean() for name in outputs])


def test_tau_counts_pairs_within_chains_alone() -> None:
    corpus = corpus_of((3,), (5,), (2, 4))
    scores = np.random.default_rng(1).integers(0, 4, corpus.corrections).astype(float)
    pairs, discordant, tied = ordered_pairs(scores, corpus.comparable)
    begin, oracle, ties = 0, 0, 0
    for size in corpus.sizes.tolist():
        chain = scores[begin : begin + size + 1]
        for first in range(len(chain)):
            for second in range(first + 1, len(chain)):
                oracle += chain[second] < chain[first]
                ties += chain[second] == chain[first]
        begin += size + 1
    assert (pairs, discordant, tied) == (6 + 15 + 3 + 10, oracle, ties)
    assert tau(pairs, discordant, tied, Ties.CONCORDANT) == 1 - 2 * oracle / pairs
    assert tau(pairs, discordant, tied, Ties.DISCORDANT) == 1 - 2 * (oracle + ties) / pairs


def test_tau_b_of_one_chain_is_kendalls() -> None:
    corpus = corpus_of((9,))
    scores = np.random.default_rng(2).integers(0, 4, corpus.corrections).astype(float)
    counts = ordered_pairs(scores, corpus.comparable)
    assert tau_b(*counts) == pytest.approx(kendalltau(scores, range(10)).statistic)


def test_p_of_tau_is_that_of_the_paper() -> None:
    discordant, pairs = 8800, 19822
    z = 2 * discordant / np.sqrt(pairs) - np.sqrt(pairs)
    assert p_value_of_tau(1 - 2 * discordant / pairs, pairs) == pytest.approx(2 * norm.sf(abs(z)))


def test_correlations_are_scipys() -> None:
    rng = np.random.default_rng(3)
    corpora = rng.integers(0, 5, 11).astype(float)
    assert spearman(corpora) == pytest.approx(spearmanr(corpora, range(11)).statistic)
    scores, quality = rng.random(30), rng.random(30)
    scores[4] = np.nan
    there = np.isfinite(scores)
    assert pearson(scores, quality) == pytest.approx(pearsonr(scores[there], quality[there]).statistic)


def test_quality_by_tokens_and_by_characters() -> None:
    corpus = corpus_of((2, 4), length=5)
    assert corpus.sources[0] == "aa bb cc dd ee 0"
    tokens, characters = 1 - 2 / 6, 1 - 3 / 16
    assert chain_quality(corpus, Quality.TOKENS) == pytest.approx(
        [*np.linspace(tokens, 1, 3), *np.linspace(tokens, 1, 5)]
    )
    assert chain_quality(corpus, Quality.CHARACTERS) == pytest.approx(
        [*np.linspace(characters, 1, 3), *np.linspace(characters, 1, 5)]
    )


def test_an_interval_over_seeds_is_students() -> None:
    corpus = corpus_of((3, 4), (5,), (2,))
    seeds = scores_of_seeds_by("sari", corpus, 4)
    made = verdict(seeds, corpus, corpus.kinds, MaegeParameters(seeds=4))
    values = [each.correlation for each in seeds]
    assert made.pearson.value == pytest.approx(np.mean(values))
    assert made.pearson.sd == pytest.approx(np.std(values, ddof=1))
    half = 3.182446305284263 * np.std(values, ddof=1) / 2  # t(.975, 3 degrees of freedom)
    assert made.pearson.low == pytest.approx(max(np.mean(values) - half, -1))
    one = verdict(seeds[:1], corpus, corpus.kinds, MaegeParameters(seeds=1))
    assert (one.pearson.sd, one.pearson.reason) == (None, "an interval needs two seeds or more")


def test_the_interval_of_a_type_is_that_of_clusters() -> None:
    """The linearised variance of a ratio, beside the bootstrap over sentences."""
    rng = np.random.default_rng(5)
    corpus = corpus_of(*[(3, 5)] * 80)
    changes = rng.normal(0.3, 1, corpus.sizes.sum()) + rng.normal(0, 1, 80)[corpus.edit_sentences]
    change = changes_by_type(changes[None], corpus, ["x"] * len(changes))["x"]
    of_sentences = changes.reshape(80, -1).mean(axis=1)
    drawn = [rng.choice(of_sentences, 80).mean() for _ in range(2000)]
    low, high = np.percentile(drawn, [2.5, 97.5])
    assert change.value == pytest.approx(changes.mean())
    assert change.low == pytest.approx(low, abs=0.05)  # Three standard errors of a bootstrap bound.
    assert change.high == pytest.approx(high, abs=0.05)


def scores_of_seeds_by(name: str, corpus: LatticeCorpus, seeds: int) -> list[SeedScores]:
    texts = Texts(corpus)
    scorer = PairScorer(metric_from_text(name), corpus, texts)
    parameters = MaegeParameters(seeds=seeds)
    return [
        seed_scores(scorer, corpus, draw(corpus, texts, seed, parameters.source), parameters)
        for seed in range(seeds)
    ]
