"""Krippendorff's alpha over pairs and over ranks."""

from collections.abc import Callable

import krippendorff
import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ranking import Alpha, Level, alpha_over_pairs, alpha_over_ranks, alpha_over_scores, krippendorff_alpha
from tests.memory import peak_of
from tests.ranking.frames import SYSTEMS, few_examples, rename_systems, snapshot, snapshots
from tests.ranking.scorings import scored, simulated

NOBODY = 0


def test_two_judges_on_three_pairs() -> None:
    """They differ on one of three: < against =. Of the 6 values 4 are >, 1 is < and 1 is =.

    D_o = 1/3; D_e = (6² - 4² - 1² - 1²) / (6 * 5).
    """
    alpha = alpha_over_pairs(
        snapshot(
            *[("anna", 0, "A > B"), ("anna", 1, "B > A"), ("anna", 2, "A > B")],
            *[("ben", 0, "A > B"), ("ben", 1, "A = B"), ("ben", 2, "A > B")],
        )
    )
    assert alpha.value == pytest.approx(1 - (1 / 3) / (18 / 30))
    assert (alpha.units, alpha.n) == (3, 6)


def test_a_judge_who_judged_twice_counts_once() -> None:
    """Each of two values weighs half; the same value twice changes nothing."""
    judges = ["anna", "ben", "anna", "ben", "ben"]
    once = krippendorff_alpha([0, 0, 1, 1], judges[:4], [1, 1, 2, 1], Level.NOMINAL)
    same_again = krippendorff_alpha([0, 0, 1, 1, 1], judges, [1, 1, 2, 1, 1], Level.NOMINAL)
    another = krippendorff_alpha([0, 0, 1, 1, 1], judges, [1, 1, 2, 1, 2], Level.NOMINAL)
    assert same_again == once
    assert another.value == pytest.approx(1 - (1 / 4) / ((4**2 - 2.5**2 - 1.5**2) / (4 * 3)))
    assert another.n == once.n == 4


def test_judges_do_not_agree_with_themselves() -> None:
    alone = krippendorff_alpha([0, 0, 0], ["anna", "anna", "anna"], [1, 1, 2], Level.NOMINAL)
    assert (alone.value, alone.n, alone.reason) == (None, 0, "no two annotators judged the same thing")


def test_ranks_count_only_among_the_same_outputs() -> None:
    judged = snapshot(("anna", 0, "A > B > C"), ("ben", 0, "A > B"), ("cleo", 0, "B > A"))
    assert (alpha_over_ranks(judged).units, alpha_over_ranks(judged).n) == (2, 4)


def test_a_near_miss_of_ranks_weighs_less_than_a_far_one() -> None:
    near = snapshot(("anna", 0, "A > B > C > D"), ("ben", 0, "B > A > C > D"))
    far = snapshot(("anna", 0, "A > B > C > D"), ("ben", 0, "D > B > C > A"))
    assert (alpha_over_ranks(near).value or 0) > (alpha_over_ranks(far).value or 0)


def test_ranks_in_full_agreement_have_alpha_one() -> None:
    assert alpha_over_ranks(snapshot(("anna", 0, "A > B = C"), ("ben", 0, "A > B = C"))).value == 1


def test_an_output_ranked_alone_says_nothing() -> None:
    assert alpha_over_ranks(snapshot(("anna", 0, "A B"), ("ben", 0, "A B"))).units == 0


@pytest.mark.parametrize("alpha", [alpha_over_pairs, alpha_over_ranks])
def test_only_ties_one_judge_or_nothing_give_a_reason(alpha: Callable[[pd.DataFrame], Alpha]) -> None:
    only_ties = alpha(snapshot(("anna", 0, "A = B"), ("ben", 0, "A = B")))
    assert only_ties.reason == "all values are the same, so agreement by chance is complete"
    for judged in (snapshot(("anna", 0, "A > B"), ("anna", 0, "B > A")), snapshot()):
        found = alpha(judged)
        assert (found.value, found.reason) == (None, "no two annotators judged the same thing")


def test_two_judges_on_three_scores() -> None:
    """Anna gives 10, 20 and 30, Ben 10, 30 and 50: D_o = (0 + 10² + 20²) / 3."""
    judged = scored(
        *[("anna", sentence, {"A": score}) for sentence, score in enumerate((10, 20, 30))],
        *[("ben", sentence, {"A": score}) for sentence, score in enumerate((10, 30, 50))],
    )
    given = [10, 20, 30, 10, 30, 50]
    expected = sum((one - other) ** 2 for one in given for other in given) / 30
    assert alpha_over_scores(judged).value == pytest.approx(1 - (500 / 3) / expected)
    assert (alpha_over_scores(judged).units, alpha_over_scores(judged).n) == (3, 6)


def test_scores_far_from_zero_lose_no_digits() -> None:
    judges, units = ["anna", "ben"] * 3, [0, 0, 1, 1, 2, 2]
    values = np.array([0.1, 0.2, 0.4, 0.3, 0.9, 0.8])
    near, far = (krippendorff_alpha(units, judges, values + shift, Level.INTERVAL) for shift in (0, 1e6))
    assert far.value == pytest.approx(near.value, abs=1e-6)


def test_many_different_scores_take_no_matrix_of_them() -> None:
    judged = simulated(sentences=2_000, systems=3, annotators=4, noise=1, seed=1)
    assert alpha_over_scores(judged).value == pytest.approx(0.5, abs=0.03)


@few_examples
@given(st.sampled_from(Level), st.data())
def test_alpha_is_that_of_the_package(level: Level, data: st.DataObject) -> None:
    """The package takes one value per judge and unit, in a table; NOBODY judged there."""
    row = st.lists(st.integers(NOBODY, 4), min_size=6, max_size=6)
    table = np.array(data.draw(st.lists(row, min_size=2, max_size=4)))
    judge, unit = np.nonzero(table != NOBODY)
    shared = table[:, np.count_nonzero(table, axis=0) >= 2]
    assume(len(np.unique(shared[shared != NOBODY])) >= 2)
    values = np.where(table == NOBODY, np.nan, table)
    ours = krippendorff_alpha(unit, judge, table[judge, unit], level)
    assert ours.value == pytest.approx(krippendorff.alpha(values, level_of_measurement=level.value))


@few_examples
@given(snapshots(), st.integers(-5, 5))
def test_only_the_order_of_ranks_matters(judged: pd.DataFrame, shift: int) -> None:
    assert alpha_over_ranks(judged.assign(rank=judged["rank"] * 3 + shift)) == alpha_over_ranks(judged)


@few_examples
@given(snapshots())
def test_relabelling_systems_in_their_order_changes_nothing(judged: pd.DataFrame) -> None:
    longer = dict(zip(SYSTEMS, ("Ada", "Bert", "Curie", "Dijkstra", "Euler"), strict=True))
    assert alpha_over_pairs(rename_systems(judged, longer)) == alpha_over_pairs(judged)


def test_ranks_take_little_memory() -> None:
    """Each takes at most 120 bytes, of which the frame of ranks is no part."""
    rng = np.random.default_rng(4)
    row = np.arange(50_000)
    judgment, system = np.divmod(row, 5)
    sentence = judgment % 1000
    ranked = pd.DataFrame(
        {
            "judgment": pd.Categorical([f"{number:05}" for number in judgment]),
            "annotator": pd.Categorical([f"judge {number // 1000}" for number in judgment]),
            "sentence": sentence,
            "output": pd.Categorical([f"{s} of {n}" for s, n in zip(system, sentence, strict=True)]),
            "systems": [(SYSTEMS[number],) for number in system],
            "rank": pd.array(rng.integers(1, 6, len(row)), dtype="Int16"),
        }
    )
    alpha_over_ranks(ranked)  # Loads what it uses.
    assert peak_of(lambda: alpha_over_ranks(ranked)) < 120 * len(ranked)
