"""Each judge against the rest."""

import pytest

from ranking import agreement, alpha_over_pairs, alpha_over_ranks, annotators_against_rest
from tests.ranking.frames import snapshot

DISSENT = [
    ("anna", 0, "A > B > C"),
    ("ben", 0, "A > B > C"),
    ("cleo", 0, "C > B > A"),
    ("anna", 1, "B > A"),
    ("ben", 1, "B > A"),
]


def test_a_judge_alone_against_two_has_no_agreement_with_them() -> None:
    """Anna agrees with Ben on 4 of 4, with Cleo on 0 of 3."""
    rest = {row.annotator: row for row in annotators_against_rest(snapshot(*DISSENT))}
    assert list(rest) == ["anna", "ben", "cleo"]
    assert (rest["anna"].kappa.n, rest["anna"].kappa.observed) == (7, 4 / 7)
    assert (rest["cleo"].kappa.n, rest["cleo"].kappa.observed) == (6, 0)


def test_the_rest_pools_the_pairs_of_the_judge() -> None:
    judges = agreement(snapshot(*DISSENT))
    assert judges.rest["anna"].n == judges.between("anna", "ben").n + judges.between("anna", "cleo").n


def test_alpha_is_higher_without_the_judge_who_disagrees() -> None:
    judged = snapshot(*DISSENT)
    rest = {row.annotator: row for row in annotators_against_rest(judged)}
    assert rest["cleo"].pairs_without.value == rest["cleo"].ranks_without.value == 1
    for without, all_of_them in (
        (rest["anna"].pairs_without, alpha_over_pairs(judged)),
        (rest["anna"].ranks_without, alpha_over_ranks(judged)),
    ):
        assert (without.value or 0) < (all_of_them.value or 0)


def test_two_judges_leave_one_alone() -> None:
    [anna, _] = annotators_against_rest(snapshot(("anna", 0, "A > B"), ("ben", 0, "A = B")))
    assert anna.kappa.n == 1
    assert anna.pairs_without.reason == "no two annotators judged the same thing"


def test_one_judge_has_no_rest() -> None:
    [anna] = annotators_against_rest(snapshot(("anna", 0, "A > B")))
    assert anna.kappa.reason == "nobody else judged a pair of outputs that anna judged"
    assert anna.kappa.value is None


def test_a_judge_who_gave_one_rating_has_a_reason() -> None:
    rest = annotators_against_rest(snapshot(*DISSENT, ("zoe", 0, "A")))
    assert rest[-1].annotator == "zoe"
    assert rest[-1].kappa.value is None
    assert rest[-1].kappa.reason
    assert rest[-1].pairs_without.value == pytest.approx(alpha_over_pairs(snapshot(*DISSENT)).value)
