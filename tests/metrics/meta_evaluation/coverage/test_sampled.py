"""The score of a perfect corrector by any metric, against references drawn from a pilot."""

from collections.abc import Callable

import numpy as np
import pytest
from scipy.stats import bootstrap

from metrics import metric_from_text, score
from metrics.meta_evaluation.coverage import AnsweredSentence, CoverageError
from metrics.meta_evaluation.coverage.sampled import LUCKY, PERFECT, Draw, corpus_estimate, sampled_test_set
from tests.depth import examples

PILOT = (
    AnsweredSentence("He walk home .", ("He walks home.", "He walked home.", "He is walking home.")),
    AnsweredSentence("I has a dogs .", ("I have a dog.", "I have dogs.", "I had a dog.", "I have a dog.")),
)


def test_a_test_set_of_the_size_asked_for() -> None:
    data, outputs = sampled_test_set(PILOT, 2, sentences=20, correct=5, seed=1).against(2)
    assert (len(data.sources), len(outputs[PERFECT])) == (20, 20)
    assert data.references is not None
    assert {len(texts) for texts in data.references} == {2}
    assert [list(texts) for texts in data.references[15:]] == [[text] * 2 for text in data.sources[15:]]
    assert outputs[PERFECT][15:] == list(data.sources[15:])
    answers = {
        "he walks home",
        "he walked home",
        "he is walking home",
        "i have a dog",
        "i have dogs",
        "i had a dog",
    }
    assert set(outputs[PERFECT][:15]) <= answers


def test_fewer_references_are_the_first_of_more() -> None:
    test_set = sampled_test_set(PILOT, 2, sentences=9, correct=0)
    one, two = test_set.against(1)[0].references, test_set.against(2)[0].references
    assert one == tuple(texts[:1] for texts in two or ())


@pytest.mark.parametrize("references", [1, 2, 3])
def test_a_lucky_corrector_is_always_one_of_the_references(references: int) -> None:
    test_set = sampled_test_set(PILOT, 3, sentences=30, correct=0, draw=Draw.ANSWERS)
    data, outputs = test_set.against(references)
    hits = [texts.index(output) for texts, output in zip(data.references or (), outputs[LUCKY], strict=True)]
    assert len(set(hits)) == references


def test_people_are_drawn_once() -> None:
    """Of the first sentence's three answers, which all differ, none is left to match."""
    data, outputs = sampled_test_set(PILOT[:1], 2, sentences=30, correct=0).against(2)
    for texts, output in zip(data.references or (), outputs[PERFECT], strict=True):
        assert len({*texts, output}) == 3
    with pytest.raises(CoverageError, match=r"sentence 1 \('He walk home .'\) has 3 answers; .* need 4"):
        sampled_test_set(PILOT, 3)


def test_the_same_seed_draws_the_same() -> None:
    assert sampled_test_set(PILOT, 2, seed=4) == sampled_test_set(PILOT, 2, seed=4)
    assert sampled_test_set(PILOT, 2, seed=4) != sampled_test_set(PILOT, 2, seed=5)


def test_edits_lead_from_the_source_to_the_reference() -> None:
    data, _ = sampled_test_set(PILOT, 1, sentences=30, correct=0).against(1)
    assert data.annotations is not None
    assert data.references is not None
    for source, [text], [annotation] in zip(data.sources, data.references, data.annotations, strict=True):
        words = source.split()
        for edit in reversed(annotation.edits):
            words[edit.start : edit.end] = edit.corrections[0].split()
        assert words == text.split()


@pytest.mark.parametrize(
    ("draw", "expected"), [(Draw.ANSWERS, (1 / 3 + 6 / 16) / 2), (Draw.PEOPLE, (0 + 2 / 12) / 2)]
)
def test_exact_match_is_the_probability_of_a_match(draw: Draw, expected: float) -> None:
    """That two answers to a sentence are equal, with and without replacement; three standard errors."""
    data, outputs = sampled_test_set(PILOT, 1, sentences=4000, correct=0, draw=draw, seed=2).against(1)
    scored = score(metric_from_text("exact-match"), data, outputs)
    assert scored.corpus(PERFECT).value == pytest.approx(expected, abs=0.023)


def test_the_interval_is_that_of_scipy() -> None:
    data, outputs = sampled_test_set(PILOT, 1, sentences=60, correct=10, seed=3).against(1)
    scored = score(metric_from_text("exact-match"), data, outputs)
    told: list[int] = []
    estimate = corpus_estimate(scored, PERFECT, replicates=500, seed=6, progress=told.append)
    by_sentence = scored.sentences(PERFECT)
    scipy = bootstrap(
        (by_sentence,), np.mean, n_resamples=500, method="BCa", rng=np.random.default_rng(6)
    ).confidence_interval
    assert estimate.value == pytest.approx(by_sentence.mean())
    assert (estimate.low, estimate.high) == pytest.approx((scipy.low, scipy.high))
    assert sum(told) == 500 + 60 + 1, "replicates, one corpus without each sentence, and the whole"


def test_there_is_no_interval_of_a_score_that_is_always_the_same() -> None:
    data, outputs = sampled_test_set(PILOT, 1, sentences=8, correct=8).against(1)
    estimate = corpus_estimate(score(metric_from_text("exact-match"), data, outputs), PERFECT, replicates=50)
    assert (estimate.value, estimate.low) == (1, None)
    assert estimate.reason == "the score is the same in every resample of the sentences"


def test_whatever_was_drawn_from_a_sentence_is_resampled_with_it() -> None:
    """By hand for exact match; what needs no correction is in every replicate."""
    test_set = sampled_test_set(PILOTS[0], 1, sentences=80, correct=10, seed=3)
    scored = score(metric_from_text("exact-match"), *test_set.against(1))
    told: list[int] = []
    estimate = corpus_estimate(
        scored, PERFECT, pilot=test_set.pilot, replicates=300, seed=6, progress=told.append
    )
    hits, pilot = scored.sentences(PERFECT), np.array(test_set.pilot)
    assert (pilot[-10:] == -1).all()
    units = np.unique(pilot[:-10])
    sums = np.array([hits[pilot == unit].sum() for unit in units])
    sizes = np.array([np.count_nonzero(pilot == unit) for unit in units])
    by_hand = bootstrap(
        (sums, sizes),
        lambda total, number, axis: (total.sum(axis) + 10) / (number.sum(axis) + 10),
        paired=True,
        n_resamples=300,
        rng=np.random.default_rng(6),
    ).confidence_interval
    assert (estimate.low, estimate.high) == pytest.approx((by_hand.low, by_hand.high))
    assert sum(told) == 300 + len(units) + 1


def test_one_sentence_cannot_be_resampled() -> None:
    test_set = sampled_test_set(PILOT[:1], 1, sentences=9, correct=2)
    scored = score(metric_from_text("exact-match"), *test_set.against(1))
    estimate = corpus_estimate(scored, PERFECT, pilot=test_set.pilot)
    assert (estimate.low, estimate.reason) == (None, "fewer than two sentences can be resampled")


def made_up_pilot(seed: int, sentences: int = 48, answers: int = 11) -> list[AnsweredSentence]:
    """Sentences of a population in which people agree more on some than on others."""
    rng = np.random.default_rng(seed)
    shares = rng.dirichlet(np.full(12, 0.15), sentences)
    return [
        AnsweredSentence(
            f"sentence {number}",
            tuple(f"sentence {number} {each}" for each in rng.choice(12, answers, p=of_sentence)),
        )
        for number, of_sentence in enumerate(shares)
    ]


PILOTS = [made_up_pilot(0)]
AGREEMENT = (0.15 + 1) / (12 * 0.15 + 1)
"""How likely two answers to a sentence are equal: the expected sum of squared shares."""


def test_intervals_hold_for_other_sentences(record_property: Callable[[str, object], None]) -> None:
    """From 48 sentences: intervals over what was drawn hold the score of the population far less often."""
    number = examples(150)
    held = {"pilot": 0, "drawn": 0}
    for seed in range(number):
        test_set = sampled_test_set(made_up_pilot(seed + 1), 1, sentences=400, correct=0, seed=seed)
        scored = score(metric_from_text("exact-match"), *test_set.against(1))
        for name, pilot in (("pilot", test_set.pilot), ("drawn", None)):
            estimate = corpus_estimate(scored, PERFECT, pilot=pilot, replicates=300, seed=seed)
            held[name] += (estimate.low or 0) <= AGREEMENT <= (estimate.high or 0)
    record_property("pilots", number)
    record_property("intervals that hold", {name: int(times) for name, times in held.items()})
    assert held["pilot"] >= 0.92 * number - 2 * np.sqrt(number * 0.92 * 0.08)
    assert held["drawn"] < 0.85 * number
