"""Systems head to head by whole sentences: exact tests of sign flips, by simulation at their level."""

from collections.abc import Callable
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from ranking import Design, Unit, group_pairs, head_to_head, simulated_campaign
from ranking.uncertainty.sign_flips import sign_flip_p_value
from tests.depth import examples
from tests.ranking.frames import few_examples, snapshot


def p_value(*differences: int) -> float:
    sizes, numbers = np.unique(np.abs([each for each in differences if each]), return_counts=True)
    return sign_flip_p_value(sizes, numbers, sum(differences))


@few_examples
@given(st.lists(st.integers(-4, 4), max_size=9))
def test_the_test_counts_all_ways_to_flip_the_signs(differences: list[int]) -> None:
    sums = [sum(map(int.__mul__, differences, signs)) for signs in product((-1, 1), repeat=len(differences))]
    as_far = sum(abs(each) >= abs(sum(differences)) for each in sums)
    assert p_value(*differences) == pytest.approx(as_far / len(sums), rel=1e-9)


@pytest.mark.parametrize("lead", [0, 10, 200, 700])
def test_many_sentences_are_tested_to_ten_digits(lead: int) -> None:
    """A sentence decided by 3 is like three judgments that agree; the oracle sums over these sentences."""
    ones, threes = 500, 200
    turned = np.arange(threes + 1)
    needed = (ones - (lead - 3 * (threes - 2 * turned))) / 2
    tail = np.sum(binom.pmf(turned, threes, 0.5) * binom.cdf(np.floor(needed), ones, 0.5))
    ours = sign_flip_p_value(np.array([1, 3]), np.array([ones, threes]), lead)
    assert ours == pytest.approx(min(1, 2 * tail), rel=1e-10)


def test_a_million_sentences_are_no_more_work() -> None:
    """Beside the normal distribution: as far as its correction for continuity goes."""
    ours = sign_flip_p_value(np.array([1, 2, 3]), np.full(3, 333_333), 6_000)
    assert ours == pytest.approx(2 * 2.735e-3, rel=0.01)


def test_judgments_of_one_sentence_are_one_opinion() -> None:
    """Three judges on each of four sentences: 2 / 2^4, not 2 / 2^12."""
    judged = snapshot(*((judge, sentence, "A > B") for judge in "xyz" for sentence in range(4)))
    by_sentence, by_pair = (
        head_to_head(group_pairs(judged, unit)).comparisons["A", "B"] for unit in (Unit.SENTENCE, Unit.PAIR)
    )
    assert by_sentence.p_value == pytest.approx(2 / 2**4)
    assert by_pair.p_value == pytest.approx(2 / 2**12)
    assert (by_sentence.wins, by_sentence.share) == (by_pair.wins, by_pair.share) == (12, 1)


def test_a_sentence_that_is_even_says_nothing() -> None:
    """Sentences 0 to 5 go to A, as three pairs to one each; the others are one all."""
    rankings = [
        *(("xyz"[judge], sentence, "A > B") for sentence in range(6) for judge in range(3)),
        *(("w", sentence, "B > A") for sentence in range(6)),
        *(("x", sentence, "A > B") for sentence in range(6, 20)),
        *(("y", sentence, "B > A") for sentence in range(6, 20)),
    ]
    duel = head_to_head(group_pairs(snapshot(*rankings), Unit.SENTENCE)).comparisons["B", "A"]
    assert duel.p_value == pytest.approx(2 / 2**6)
    assert (duel.wins, duel.losses) == (20, 32)


def test_sentences_judged_once_are_tested_as_pairs() -> None:
    judged = simulated_campaign(Design(5, 4, 1, 0.6, 0.2), sentences=60, seed=1)
    by_sentence, by_pair = (
        head_to_head(group_pairs(judged, unit)).comparisons for unit in (Unit.SENTENCE, Unit.PAIR)
    )
    assert by_sentence == by_pair


@pytest.mark.parametrize(
    ("per_sentence", "sentences", "naive"), [(1, 100, 0.0), (3, 40, 0.02), (3, 150, 0.02), (6, 40, 0.2)]
)
def test_equal_systems_are_marked_in_five_percent_of_campaigns_at_most(
    per_sentence: int, sentences: int, naive: float, record_property: Callable[[str, object], None]
) -> None:
    """At least one of 15 marks by Holm; the bound leaves chance one in a thousand."""
    campaigns = examples(500)
    by_sentence, by_pair = marked(Design(6, 5, per_sentence, 0.5, 0.2), sentences, campaigns)
    errors = {"by sentence": int(by_sentence.any(axis=1).sum()), "by pair": int(by_pair.any(axis=1).sum())}
    record_property("campaigns", campaigns)
    record_property("campaigns with a mark", errors)
    assert errors["by sentence"] <= binom.ppf(0.999, campaigns, 0.05)
    assert errors["by pair"] >= naive * campaigns


def test_different_systems_are_marked(record_property: Callable[[str, object], None]) -> None:
    """Neighbours win 57 % of decided pairs; of 15 pairs of six systems, more than half get marks."""
    by_sentence, by_pair = marked(Design(6, 5, 3, 0.57, 0.2), 100, examples(200))
    record_property("share of pairs with a mark by sentence", float(by_sentence.mean()))
    record_property("share of pairs with a mark by pair", float(by_pair.mean()))
    assert by_sentence.mean() > 0.5


def marked(design: Design, sentences: int, campaigns: int) -> tuple[np.ndarray, np.ndarray]:
    """Whether Holm's mark at .05 stands at each two systems, tested by sentence and by pair."""
    marks: dict[Unit, list[list[bool]]] = {Unit.SENTENCE: [], Unit.PAIR: []}
    for seed in range(campaigns):
        judged = simulated_campaign(design, sentences=sentences, seed=seed)
        for unit, found in marks.items():
            duels = head_to_head(group_pairs(judged, unit)).comparisons
            found.append(
                [(duel.holm_p_value or 0) <= 0.05 for (one, other), duel in duels.items() if one < other]
            )
    return np.array(marks[Unit.SENTENCE]), np.array(marks[Unit.PAIR])
