"""Pairs from rankings."""

from itertools import combinations
from math import comb

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from ranking import PairCounts, count_pairs, expanded_pairs, ranked_outputs, unexpanded_pairs
from tests.ranking.frames import SYSTEMS, few_examples, rename_systems, snapshot, snapshots

BETTER, TIE, WORSE = 1, 0, -1
WORDS = {BETTER: ">", TIE: "=", WORSE: "<"}


def read(pairs: pd.DataFrame) -> list[str]:
    rows = zip(pairs["first"], pairs["second"], pairs["outcome"], strict=True)
    return [f"{first} {WORDS[outcome]} {second}" for first, second, outcome in rows]


def test_unexpanded_pairs_are_between_outputs() -> None:
    assert read(unexpanded_pairs(snapshot(("anna", 0, "C > A B = D")))) == ["A+B < C", "A+B = D", "C > D"]


def test_expanded_pairs_are_between_systems() -> None:
    """Systems with the same output tie; against others they do as their output did (GJG15, Figure 2)."""
    pairs = expanded_pairs(snapshot(("anna", 0, "C > A B = D")))
    assert read(pairs) == ["A = B", "A < C", "A = D", "B < C", "B = D", "C > D"]


def test_a_pair_knows_whose_judgment_it_is() -> None:
    pairs = expanded_pairs(snapshot(("anna", 3, "A > B"), ("ben", 5, "B > A")))
    assert pairs[["judgment", "annotator", "sentence"]].to_numpy().tolist() == [
        ["judgment 0", "anna", 3],
        ["judgment 1", "ben", 5],
    ]


def test_an_output_of_one_system_alone_has_no_pair() -> None:
    alone = snapshot(("anna", 0, "A"))
    assert len(unexpanded_pairs(alone)) == 0
    assert len(expanded_pairs(alone)) == 0


def test_an_output_of_two_systems_alone_is_a_tie_of_systems() -> None:
    assert read(expanded_pairs(snapshot(("anna", 0, "A B")))) == ["A = B"]


def test_pairs_of_outputs_go_by_the_names_of_their_systems() -> None:
    """The blank puts "A B" before "AB"; the ids of outputs do not matter."""
    judged = snapshot(("anna", 0, "AB > A B")).replace({"output": {"AB": "1", "A+B": "2"}})
    assert read(unexpanded_pairs(judged)) == ["2 < 1"]


def test_an_output_has_one_name_however_many_of_its_systems_a_judgment_names() -> None:
    """Output x is C's in one judgment and A's and C's in another: it stands before B's in both."""
    judged = snapshot(("anna", 0, "C > B"), ("ben", 0, "A C > B")).replace({"output": {"C": "x", "A+C": "x"}})
    assert read(unexpanded_pairs(judged)) == ["x > B", "x > B"]


def test_counts_are_wins_by_row_and_symmetric_ties() -> None:
    counts = count_pairs(snapshot(("anna", 0, "A > B > C"), ("ben", 0, "B > A = C"), ("ben", 1, "A > B")))
    assert counts.systems == ("A", "B", "C")
    assert counts.wins.tolist() == [[0, 2, 1], [1, 0, 2], [0, 0, 0]]
    assert counts.ties.tolist() == [[0, 0, 1], [0, 0, 0], [1, 0, 0]]
    assert counts.decided.tolist() == [[0, 3, 1], [3, 0, 2], [1, 2, 0]]


def test_a_system_that_was_shown_but_not_ranked_is_counted_with_zeros() -> None:
    judged = snapshot(("anna", 0, "A > B > C"))
    judged.loc[judged["output"] == "B", "rank"] = pd.NA
    counts = count_pairs(judged)
    assert counts.systems == ("A", "B", "C")
    assert counts.wins.tolist() == [[0, 0, 1], [0, 0, 0], [0, 0, 0]]


def test_an_empty_snapshot_has_no_pairs() -> None:
    counts = count_pairs(snapshot())
    assert counts.systems == ()
    assert counts.wins.shape == counts.ties.shape == (0, 0)


@few_examples
@given(snapshots())
def test_expanding_conserves_pairs(judged: pd.DataFrame) -> None:
    """n systems make C(n, 2) pairs; ties come from within outputs, and as products between tied outputs."""
    pairs = expanded_pairs(judged)
    for judgment, outputs in ranked_outputs(judged).groupby("judgment", observed=True):
        sizes = outputs["systems"].map(len).tolist()
        ranks = outputs["rank"].tolist()
        within = sum(comb(size, 2) for size in sizes)
        between = sum(
            sizes[i] * sizes[j] for i, j in combinations(range(len(sizes)), 2) if ranks[i] == ranks[j]
        )
        outcomes = pairs.loc[pairs["judgment"] == judgment, "outcome"]
        assert len(outcomes) == comb(sum(sizes), 2)
        assert (outcomes == TIE).sum() == within + between


@few_examples
@given(snapshots())
def test_each_pair_of_systems_has_the_outcome_of_their_ranks(judged: pd.DataFrame) -> None:
    expected = []
    for judgment, outputs in ranked_outputs(judged).groupby("judgment", observed=True):
        ranks = {
            system: rank
            for systems, rank in zip(outputs["systems"], outputs["rank"], strict=True)
            for system in systems
        }
        expected += [
            (judgment, first, second, np.sign(ranks[second] - ranks[first]))
            for first, second in combinations(sorted(ranks), 2)
        ]
    pairs = expanded_pairs(judged)[["judgment", "first", "second", "outcome"]]
    assert list(pairs.itertuples(index=False, name=None)) == expected


@few_examples
@given(snapshots(), st.permutations(SYSTEMS))
def test_relabelling_systems_permutes_the_counts(judged: pd.DataFrame, names: list[str]) -> None:
    renamed = dict(zip(SYSTEMS, names, strict=True))
    before, after = count_pairs(judged), count_pairs(rename_systems(judged, renamed))
    place = [after.systems.index(renamed[system]) for system in before.systems]
    assert np.array_equal(after.wins[np.ix_(place, place)], before.wins)
    assert np.array_equal(after.ties[np.ix_(place, place)], before.ties)


@few_examples
@given(snapshots(), st.integers(0, 2**32 - 1))
def test_the_order_of_judgments_is_irrelevant(judged: pd.DataFrame, seed: int) -> None:
    shuffled = judged.sample(frac=1, random_state=seed)
    assert_equal(count_pairs(shuffled), count_pairs(judged))
    pd.testing.assert_frame_equal(unexpanded_pairs(shuffled), unexpanded_pairs(judged))


@few_examples
@given(snapshots(), st.integers(-5, 5))
def test_only_the_order_of_ranks_matters(judged: pd.DataFrame, shift: int) -> None:
    assert_equal(count_pairs(judged.assign(rank=judged["rank"] * 3 + shift)), count_pairs(judged))


def assert_equal(counts: PairCounts, others: PairCounts) -> None:
    assert counts.systems == others.systems
    assert np.array_equal(counts.wins, others.wins)
    assert np.array_equal(counts.ties, others.ties)
