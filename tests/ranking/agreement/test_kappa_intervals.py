"""Intervals of mean kappas over sentences."""

import sys

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray
from scipy import sparse, special

from ranking import agreement
from ranking.agreement.kappa import _compared, _is_used
from ranking.agreement.kappa_intervals import Sums, influences, reach, slopes
from tests.ranking.frames import snapshot

SENTENCES, ANNOTATORS, PAIRS = 12, 4, 5


def answers(seed: int) -> list[list[sparse.csr_array]]:
    """How often each annotator gave each outcome for the pairs of outputs of each sentence."""
    rng = np.random.default_rng(seed)
    shape = SENTENCES, 3, ANNOTATORS, PAIRS
    return [[sparse.csr_array(table) for table in of] for of in rng.poisson([[[[0.6]]]], shape)]


def mean_kappa(sums: Sums, used: NDArray[np.bool_]) -> float:
    """The mean of the kappas of each two, weighted by their comparisons, as defined."""
    observed = sums.agreements / sums.comparisons
    expected = ((sums.outcomes / sums.outcomes.sum(axis=0)) ** 2).sum(axis=0)
    return float(np.average((observed - expected) / (1 - expected), weights=sums.comparisons * used))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("is_between", [True, False])
def test_an_influence_is_what_a_little_more_of_a_sentence_adds(
    seed: int, is_between: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.modules[influences.__module__], "CELLS_AT_ONCE", 2 * ANNOTATORS)
    judged = answers(seed)
    of_sentences = [_compared(counts) for counts in judged]
    total = Sums(*(sum(parts) for parts in zip(*of_sentences, strict=True)))
    upper = np.triu(np.ones((ANNOTATORS, ANNOTATORS), dtype=bool), 1)
    used = _is_used(total, 1) & (upper if is_between else np.eye(ANNOTATORS, dtype=bool))
    slope, little = slopes(total, used), 1e-6
    found = [influences(counts, slope).sum() for counts in judged]
    for influence, of_sentence in zip(found, of_sentences, strict=True):
        more = Sums(*(all_of + little * part for all_of, part in zip(total, of_sentence, strict=True)))
        added = (mean_kappa(more, used) - mean_kappa(total, used)) / little
        assert influence == pytest.approx(added, rel=1e-3, abs=1e-6)  # A derivative by a difference.
    assert sum(found) == pytest.approx(0, abs=1e-12), "twice the same sentences give the same kappa"


def test_the_reach_is_that_of_a_sum_over_sentences() -> None:
    rng = np.random.default_rng(0)
    of_sentence = rng.normal(size=20)
    of_sentence -= of_sentence.mean()
    error = of_sentence.std(ddof=1) * np.sqrt(20)
    halves = np.repeat(of_sentence / 2, 2)
    found = reach(np.append(halves, 0), np.append(np.repeat(np.arange(20), 2), 20))
    assert found == pytest.approx(special.stdtrit(19, 0.975) * error)


def judged(sentences: int, orders: tuple[str, str]) -> pd.DataFrame:
    """Three people, of whom one reverses the order in every third sentence."""
    usual, reverse = orders
    return snapshot(
        *(
            (name, number, reverse if name == "cleo" and number % 3 == 0 else usual)
            for number in range(sentences)
            for name in ("anna", "ben", "cleo")
        )
    )


def test_a_mean_has_an_interval_around_it() -> None:
    kappa = agreement(judged(60, ("A > B = C > D", "D > B = C > A"))).inter
    assert kappa.value is not None
    assert kappa.low is not None
    assert kappa.high is not None
    assert kappa.low < kappa.value < kappa.high < 1
    assert kappa.value - kappa.low == pytest.approx(kappa.high - kappa.value)
    fewer = agreement(judged(30, ("A > B = C > D", "D > B = C > A"))).inter
    assert fewer.low is not None
    assert fewer.low < kappa.low


@pytest.mark.parametrize(("sentences", "reverse"), [(9, "D > B = C > A"), (60, "A > B = C > D")])
def test_few_sentences_and_full_agreement_have_none(sentences: int, reverse: str) -> None:
    kappa = agreement(judged(sentences, ("A > B = C > D", reverse)), min_comparisons=1).inter
    assert kappa.value is not None
    assert (kappa.low, kappa.high) == (None, None)
