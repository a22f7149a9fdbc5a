"""Similarity of the annotators' rankings."""

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ranking import Coefficient, annotator_correlations, correlation, count_pairs, expected_wins
from tests.ranking.frames import SYSTEMS, few_examples, rename_systems, snapshot, snapshots

OPPOSED = [("anna", 0, "A > B > C"), ("ben", 0, "C > B > A"), ("cleo", 0, "A > B > C")]


def test_judges_are_correlated_by_their_own_scores() -> None:
    annotators = annotator_correlations(snapshot(*OPPOSED))
    assert annotators.annotators == ("anna", "ben", "cleo")
    assert annotators.scores["anna"].tolist() == [1, 0.5, 0]
    assert annotators.between["anna", "ben"].spearman.value == pytest.approx(-1)
    assert annotators.between["anna", "cleo"].pearson.value == pytest.approx(1)
    assert len(annotators.between) == 3


def test_the_rest_is_all_others_together() -> None:
    """Against Ben the others agree; against Anna they cancel out, so that all systems score the same."""
    annotators = annotator_correlations(snapshot(*OPPOSED))
    assert annotators.rest["ben"].pearson.value == pytest.approx(-1)
    assert annotators.rest["anna"].pearson.reason == "all second scores are equal"
    assert annotators.mean_pearson.value == pytest.approx(-1)


def test_the_mean_weighs_judges_by_their_expanded_pairs() -> None:
    """Dora, with one pair more than Ben, agrees with the rest."""
    annotators = annotator_correlations(snapshot(*OPPOSED, ("dora", 0, "A > B > C > D")))
    rest = {annotator: both.spearman.value for annotator, both in annotators.rest.items()}
    weights = {"anna": 3, "ben": 3, "cleo": 3, "dora": 6}
    defined = {annotator: value for annotator, value in rest.items() if value is not None}
    total = sum(weights[annotator] for annotator in defined)
    assert annotators.mean_spearman.value == pytest.approx(
        sum(weights[annotator] * value for annotator, value in defined.items()) / total
    )


def test_systems_that_a_judge_did_not_order_are_left_out() -> None:
    annotators = annotator_correlations(snapshot(*OPPOSED, ("dora", 0, "B > A"), ("dora", 1, "C = A")))
    assert annotators.between["anna", "dora"].spearman.n == 2
    assert annotators.between["anna", "dora"].spearman.value == pytest.approx(-1)


def test_one_judge_or_one_rating_gives_reasons() -> None:
    alone = annotator_correlations(snapshot(("anna", 0, "A > B")))
    assert alone.between == {}
    assert alone.rest["anna"].spearman.reason == "a correlation needs at least two systems"
    assert alone.mean_spearman.value is None
    assert alone.mean_pearson.reason == "no annotator has a correlation with the rest"
    one_rating = annotator_correlations(snapshot(*OPPOSED, ("zoe", 0, "A")))
    assert one_rating.rest["zoe"].pearson.reason == "a correlation needs at least two systems"


def test_no_judgments_have_no_judges() -> None:
    assert annotator_correlations(snapshot()).annotators == ()


@few_examples
@given(snapshots())
def test_scores_are_those_of_each_judge_alone(judged: pd.DataFrame) -> None:
    annotators = annotator_correlations(judged)
    for annotator in annotators.annotators:
        alone = expected_wins(count_pairs(judged[judged["annotator"] == annotator]))
        expected = {row.system: row.score for row in alone.scores if row.score is not None}
        scores = dict(zip(annotators.systems, annotators.scores[annotator], strict=True))
        assert {system: score for system, score in scores.items() if score == score} == pytest.approx(
            expected
        )
    for first, second in annotators.between:
        both = annotators.between[first, second]
        pair = [annotators.scores[annotator] for annotator in (first, second)]
        known_by_both = ~(pd.isna(pair[0]) | pd.isna(pair[1]))
        assert both.spearman == correlation(
            pair[0][known_by_both], pair[1][known_by_both], Coefficient.SPEARMAN
        )


@few_examples
@given(snapshots(), st.permutations(SYSTEMS))
def test_relabelling_systems_changes_no_correlation(judged: pd.DataFrame, names: list[str]) -> None:
    renamed = rename_systems(judged, dict(zip(SYSTEMS, names, strict=True)))
    before, after = annotator_correlations(judged), annotator_correlations(renamed)
    for pair, both in before.between.items():
        assert after.between[pair].pearson.value == pytest.approx(both.pearson.value)
        assert after.between[pair].pearson.n == both.pearson.n
