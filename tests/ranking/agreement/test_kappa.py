"""Kappa over pairs of outputs, in GJG15's definition."""

from collections import Counter, defaultdict
from itertools import combinations, combinations_with_replacement, product

import pandas as pd
import pytest
from hypothesis import given

from ranking import agreement, unexpanded_pairs
from tests.ranking.frames import SYSTEMS, few_examples, rename_systems, snapshot, snapshots


def test_two_judges_on_four_pairs() -> None:
    """They agree on A > B and A > C of sentence 0 and on A > B of sentence 1, not on B, C of sentence 0.

    P(A) = 3/4. Of the 8 outcomes 6 are >, 1 is = and 1 is <, so P(E) = (36 + 1 + 1) / 64 = 19/32.
    """
    judged = snapshot(
        ("anna", 0, "A > B = C"), ("ben", 0, "A > C > B"), ("anna", 1, "A > B"), ("ben", 1, "A > B")
    )
    kappa = agreement(judged).between("anna", "ben")
    assert kappa.n == 4
    assert kappa.observed == 3 / 4
    assert kappa.expected == 19 / 32
    assert kappa.value == pytest.approx((3 / 4 - 19 / 32) / (1 - 19 / 32))
    assert kappa.reason is None


def test_every_repeat_is_compared_with_every_judgment_of_the_other() -> None:
    """Anna's >, = and Ben's >, >, < make 6 comparisons, 2 of which agree; P(E) takes each of the 5 once."""
    judged = snapshot(
        ("anna", 0, "A > B"),
        ("anna", 0, "A = B"),
        *[("ben", 0, "A > B")] * 2,
        ("ben", 0, "B > A"),
    )
    kappa = agreement(judged).between("anna", "ben")
    assert kappa.n == 6
    assert kappa.observed == 2 / 6
    assert kappa.expected == pytest.approx((3**2 + 1**2 + 1**2) / 5**2)


def test_a_judge_is_compared_with_themselves_by_all_pairs_of_their_repeats() -> None:
    """>, >, < make three comparisons, one of which agrees; C against A was judged once and does not enter."""
    judged = snapshot(("anna", 0, "A > B"), ("anna", 0, "A > B"), ("anna", 0, "B > A"), ("anna", 1, "A > C"))
    kappa = agreement(judged).between("anna", "anna")
    assert (kappa.n, kappa.observed) == (3, 1 / 3)
    assert kappa.expected == pytest.approx((2**2 + 1**2) / 3**2)


def test_identical_outputs_do_not_raise_agreement() -> None:
    """Systems with one output are one side of one pair: agreement is over unexpanded pairs."""
    judged = snapshot(("anna", 0, "A B C > D"), ("ben", 0, "A B C > D"))
    assert agreement(judged).between("anna", "ben").n == 1


def test_an_output_of_another_sentence_is_another_output() -> None:
    judged = snapshot(("anna", 0, "A > B"), ("ben", 1, "A > B"))
    kappa = agreement(judged).between("anna", "ben")
    assert (kappa.value, kappa.n) == (None, 0)
    assert kappa.reason == "anna and ben share no judged pair of outputs"


def test_the_mean_weighs_pairs_of_judges_by_their_comparisons() -> None:
    """Anna and Ben: 3 comparisons on sentence 0; Anna and Cleo: 2 on sentence 1; Ben and Cleo: none."""
    judged = snapshot(
        ("anna", 0, "A > B > C"),
        ("ben", 0, "A > C > B"),
        ("anna", 1, "A > B"),
        ("cleo", 1, "A > B"),
        ("cleo", 1, "B > A"),
    )
    result = agreement(judged, min_comparisons=1)
    anna_ben, anna_cleo = result.between("anna", "ben"), result.between("anna", "cleo")
    assert (anna_ben.n, anna_cleo.n) == (3, 2)
    assert anna_ben.value is not None
    assert anna_cleo.value is not None
    assert result.inter.value == pytest.approx((3 * anna_ben.value + 2 * anna_cleo.value) / 5)
    assert result.inter.n == 5


def test_pooling_puts_all_comparisons_into_one_kappa() -> None:
    """Anna, Ben: 1 of 3 pairs differs, outcomes 5 > and 1 <. Anna, Cleo: 1 of 2 differs, 2 > and 1 <.

    Together P(A) = 3/5 and P(E) = (7² + 2²) / 9².
    """
    judged = snapshot(
        ("anna", 0, "A > B > C"),
        ("ben", 0, "A > C > B"),
        ("anna", 1, "A > B"),
        ("cleo", 1, "A > B"),
        ("cleo", 1, "B > A"),
    )
    pooled = agreement(judged).inter_pooled
    assert (pooled.n, pooled.observed) == (5, 3 / 5)
    assert pooled.expected == pytest.approx((7**2 + 2**2) / 9**2)


def test_judges_with_few_comparisons_stay_out_of_the_mean_and_have_their_own_kappa() -> None:
    judged = snapshot(("anna", 0, "A > B > C"), ("ben", 0, "A > C > B"))
    assert agreement(judged, min_comparisons=3).inter.n == 3
    result = agreement(judged, min_comparisons=4)
    assert result.between("anna", "ben").value is not None
    assert result.inter.value is None
    assert result.inter.reason == "no two annotators share at least 4 comparisons with a defined kappa"


def test_where_all_outcomes_are_the_same_kappa_is_undefined() -> None:
    kappa = agreement(snapshot(("anna", 0, "A = B"), ("ben", 0, "A = B"))).between("anna", "ben")
    assert (kappa.value, kappa.n, kappa.observed, kappa.expected) == (None, 1, 1.0, 1.0)
    assert kappa.reason is not None
    assert "all outcomes are the same" in kappa.reason


def test_one_judge_alone_has_reasons_instead_of_values() -> None:
    result = agreement(snapshot(("anna", 0, "A > B")))
    assert result.pairs == ()
    assert result.inter_pooled.reason == "no two annotators judged the same pair of outputs"
    assert result.intra_pooled.reason == "no annotator judged a pair of outputs twice"
    assert result.between("anna", "anna").reason == "anna judged no pair of outputs twice"


def test_an_empty_snapshot_has_reasons_instead_of_values() -> None:
    result = agreement(snapshot())
    assert result.judges == ()
    for kappa in (result.inter, result.intra, result.inter_pooled, result.intra_pooled):
        assert (kappa.value, kappa.n) == (None, 0)
        assert kappa.reason


@few_examples
@given(snapshots())
def test_matrix_products_agree_with_the_definition(judged: pd.DataFrame) -> None:
    """The definition spelt out: per judge and pair of outputs a list of outcomes, compared one by one."""
    lists: defaultdict[str, defaultdict[tuple[int, str, str], list[int]]]
    lists = defaultdict(lambda: defaultdict(list))
    pairs = unexpanded_pairs(judged)
    columns = [pairs[column].tolist() for column in ("annotator", "sentence", "first", "second", "outcome")]
    for annotator, sentence, first, second, outcome in zip(*columns, strict=True):
        lists[annotator][sentence, first, second].append(outcome)
    result = agreement(judged)
    for judge, other in combinations_with_replacement(result.judges, 2):
        compared, entered = [], []
        for key in lists[judge].keys() & lists[other].keys():
            outcomes, others = lists[judge][key], lists[other][key]
            comparisons = (
                list(combinations(outcomes, 2)) if judge == other else list(product(outcomes, others))
            )
            compared += comparisons
            entered += (outcomes if judge == other else outcomes + others) if comparisons else []
        kappa = result.between(judge, other)
        assert kappa.n == len(compared)
        if compared:
            assert kappa.observed == pytest.approx(sum(a == b for a, b in compared) / len(compared))
            shares = [count / len(entered) for count in Counter(entered).values()]
            assert kappa.expected == pytest.approx(sum(share**2 for share in shares))


@few_examples
@given(snapshots())
def test_relabelling_systems_in_their_order_changes_nothing(judged: pd.DataFrame) -> None:
    """Another order may change P(E), by turning pairs round; names alone do not."""
    longer = dict(zip(SYSTEMS, ("Ada", "Bert", "Curie", "Dijkstra", "Euler"), strict=True))
    assert agreement(rename_systems(judged, longer)) == agreement(judged)


@few_examples
@given(snapshots())
def test_the_order_of_judges_is_irrelevant(judged: pd.DataFrame) -> None:
    turned = {"anna": "zoe", "ben": "yan", "cleo": "xi"}
    before = agreement(judged, min_comparisons=1)
    after = agreement(judged.iloc[::-1].replace({"annotator": turned}), min_comparisons=1)
    for pair in before.pairs:
        assert after.between(turned[pair.first], turned[pair.second]) == pair.kappa
    assert after.inter_pooled == before.inter_pooled
    assert after.intra.value == (None if before.intra.value is None else pytest.approx(before.intra.value))
