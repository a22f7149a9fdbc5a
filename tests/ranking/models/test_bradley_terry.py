"""Bradley-Terry with ties (Davidson 1970)."""

from itertools import combinations
from math import exp, inf, log, sqrt

import evalica
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ranking import (
    BradleyTerry,
    PairCounts,
    Unit,
    bradley_terry,
    bradley_terry_replicates,
    count_pairs,
    group_pairs,
    limiting_strengths,
    rank_ranges,
)
from tests.ranking.frames import Judgment, few_examples, snapshot


def ranked(*judgments: Judgment) -> BradleyTerry:
    return bradley_terry(count_pairs(snapshot(*judgments)))


def strengths(result: BradleyTerry) -> dict[str, float | None]:
    return {row.system: row.strength for row in result.strengths}


def reasons(result: BradleyTerry) -> dict[str, str | None]:
    return {row.system: row.reason for row in result.strengths}


def many(**times: int) -> list[Judgment]:
    """`many(A_B=3)`: three judgments A > B."""
    return [
        ("anna", 0, pair.replace("_", " > ").replace("T", " = "))
        for pair, n in times.items()
        for _ in range(n)
    ]


@st.composite
def counts(draw: st.DrawFn, least: int = 1) -> PairCounts:
    """Up to five systems; each pair has wins on both sides and ties."""
    size = draw(st.integers(2, 5))
    cells = st.lists(st.integers(least, 30), min_size=size * size, max_size=size * size)
    wins, ties = (np.array(draw(cells)).reshape(size, size) for _ in range(2))
    np.fill_diagonal(wins, 0)
    return PairCounts(tuple("ABCDE"[:size]), wins, np.triu(ties, 1) + np.triu(ties, 1).T)


def test_two_systems_have_the_logarithm_of_their_odds() -> None:
    """A wins 3 of 4: log 3 apart, with the variance 1/3 + 1/1 of a log odds ratio."""
    result = ranked(*many(A_B=3, B_A=1))
    assert strengths(result) == {"A": pytest.approx(log(3) / 2), "B": pytest.approx(-log(3) / 2)}
    assert result.tie_parameter == 0
    difference = result.difference("B", "A")
    assert difference.value == pytest.approx(-log(3))
    assert difference.standard_error == pytest.approx(sqrt(4 / 3))


def test_ties_are_their_own_outcome() -> None:
    """4 wins, 2 ties, 1 loss are in the proportion 2 : 1 : 1/2, which the model meets exactly."""
    result = ranked(*many(A_B=4, ATB=2, B_A=1))
    assert result.difference("A", "B").value == pytest.approx(log(4))
    assert result.tie_parameter == pytest.approx(1)


def test_systems_stand_best_first_with_their_comparisons() -> None:
    result = ranked(*many(C_A=2, A_C=1, A_B=2, B_A=1))
    assert [(row.system, row.comparisons) for row in result.strengths] == [("C", 3), ("A", 6), ("B", 3)]
    assert sum(row.strength or 0 for row in result.strengths) == pytest.approx(0)


def test_a_system_that_never_won_is_left_out_and_the_others_are_as_without_it() -> None:
    result = ranked(*many(A_B=3, B_A=1, A_C=5, B_C=5))
    assert strengths(result) == {**strengths(ranked(*many(A_B=3, B_A=1))), "C": None}
    assert reasons(result)["C"] == "it lost all its comparisons, so that its strength has no lower bound"


def test_a_system_never_compared_or_never_beaten_has_no_strength() -> None:
    result = ranked(*many(A_B=3, B_A=1, C_A=5), ("anna", 1, "D"))
    assert reasons(result) == {
        "A": None,
        "B": None,
        "C": "it won all its comparisons, so that its strength has no upper bound",
        "D": "it was never compared",
    }
    assert result.difference("A", "D").reason == "D has no strength: it was never compared"


def test_of_groups_that_never_met_the_largest_is_ranked() -> None:
    result = ranked(*many(A_B=1, B_A=1), *many(C_D=1, D_E=1, E_C=1))
    assert strengths(result) == {"C": 0, "D": 0, "E": 0, "A": None, "B": None}
    assert reasons(result)["A"] == "it is not linked with the other systems by wins or ties both ways"


def test_only_ties_give_no_strength() -> None:
    result = ranked(*many(ATB=2))
    assert reasons(result) == {"A": "all comparisons are ties", "B": "all comparisons are ties"}
    assert result.tie_parameter is None


def test_wins_one_way_and_ties_bound_nothing() -> None:
    """A may be the stronger, and ties the likelier, without end."""
    result = ranked(*many(A_B=5, ATB=5))
    assert strengths(result) == {"A": None, "B": None}
    assert (reasons(result)["A"] or "").startswith("no cycle of systems has more wins than ties")


def test_a_cycle_of_wins_bounds_strengths_and_ties() -> None:
    result = ranked(*many(A_B=2, B_C=2, C_A=2, ATB=1))
    assert all(strength is not None for strength in strengths(result).values())


def test_a_system_that_won_all_is_infinitely_strong() -> None:
    """D beat C, which beat the ranked A and B; E lost to A; F and G met nobody of these."""
    judgments = many(A_B=3, B_A=1, C_A=5, D_C=1, A_E=1, F_G=1)
    limits = limiting_strengths(count_pairs(snapshot(*judgments)))
    assert limits[2:5].tolist() == [inf, inf, -inf]
    assert limits[:2].tolist() == pytest.approx([log(3) / 2, -log(3) / 2])
    assert np.isnan(limits[5:]).all()
    assert np.isnan(limiting_strengths(count_pairs(snapshot(*many(ATB=2))))).all()


def test_a_replicate_without_the_one_defeat_does_not_put_the_best_last() -> None:
    judged = snapshot(*many(A_B=40, A_C=40, B_A=1, B_C=20, C_B=20))
    replicates = bradley_terry_replicates(group_pairs(judged, Unit.PAIR), range(200), seed=1)
    assert np.isinf(replicates[:, 0]).any()
    low, high = rank_ranges(replicates)
    assert (low[0], high[0]) == (1, 1)


@pytest.mark.parametrize(
    ("won", "limits"),
    [({"A_B": 3}, [inf, -inf]), ({"B_A": 3}, [-inf, inf]), ({"B_C": 1}, [np.nan, inf, -inf])],
)
def test_a_winner_of_all_comparisons_of_two_is_the_best(won: dict[str, int], limits: list[float]) -> None:
    judged = count_pairs(snapshot(*many(**won), ("anna", 9, "A")))
    assert limiting_strengths(judged).tolist() == pytest.approx(limits, nan_ok=True)


def test_two_systems_part_although_some_replicates_are_without_the_few_defeats() -> None:
    """ExpectedWins parts them, too. A replicate without strengths for either would put both on both ranks."""
    replicates = bradley_terry_replicates(
        group_pairs(snapshot(*many(A_B=30, B_A=2)), Unit.PAIR), range(200), seed=1
    )
    assert np.isinf(replicates).any()
    low, high = rank_ranges(replicates)
    assert [*zip(low.tolist(), high.tolist(), strict=True)] == [(1, 1), (2, 2)]


def test_two_systems_of_which_one_always_won_have_no_strength() -> None:
    assert set(strengths(ranked(*many(A_B=3))).values()) == {None}


def test_no_judgments_give_no_strengths() -> None:
    assert ranked().strengths == ()


@few_examples
@given(counts())
def test_strengths_are_those_of_evalica(counted: PairCounts) -> None:
    """evalica's `newman` is this model, with half our tie parameter.

    It ends when its scores stand still, even if its tie parameter has yet to move; so it starts from ours.
    """
    pairs = [
        pair
        for first, second in combinations(counted.systems, 2)
        for pair in ((first, second, evalica.Winner.X), (second, first, evalica.Winner.X))
    ]
    pairs += [(first, second, evalica.Winner.Draw) for first, second in combinations(counted.systems, 2)]
    place = counted.systems.index
    weights = [
        float((counted.ties if winner == evalica.Winner.Draw else counted.wins)[place(first), place(second)])
        for first, second, winner in pairs
    ]
    firsts, seconds, winners = zip(*pairs, strict=True)
    result = bradley_terry(counted)
    assert result.tie_parameter is not None
    theirs = evalica.newman(
        firsts,
        seconds,
        winners,
        v_init=result.tie_parameter / 2,
        weights=weights,
        tolerance=1e-12,
        limit=100_000,
    )
    assume(theirs.iterations > 2)  # Two steps can leave scores as they are by chance.
    centre = np.log(theirs.scores).mean()
    for row in result.strengths:
        assert row.strength == pytest.approx(log(theirs.scores[row.system]) - centre, abs=1e-7)
    assert result.tie_parameter == pytest.approx(2 * theirs.v, abs=1e-7)


@few_examples
@given(counts())
def test_as_many_ties_are_expected_as_there_are(counted: PairCounts) -> None:
    """The condition of the maximum likelihood of Davidson's model on the tie parameter."""
    result = bradley_terry(counted)
    tie_parameter = result.tie_parameter
    assert tie_parameter is not None
    expected = 0.0
    for first, second in combinations(result.strengths, 2):
        assert first.strength is not None
        assert second.strength is not None
        pair = counted.systems.index(first.system), counted.systems.index(second.system)
        tie = tie_parameter * exp((first.strength + second.strength) / 2)
        share = tie / (exp(first.strength) + exp(second.strength) + tie)
        expected += share * (counted.wins[pair] + counted.wins[pair[::-1]] + counted.ties[pair])
    assert expected == pytest.approx(counted.ties.sum() / 2, rel=1e-7)


@few_examples
@given(counts())
def test_without_ties_strengths_are_those_of_evalicas_bradley_terry(counted: PairCounts) -> None:
    counted = PairCounts(counted.systems, counted.wins, np.zeros_like(counted.ties))
    pairs = [(first, second) for first in counted.systems for second in counted.systems if first != second]
    weights = [
        float(counted.wins[counted.systems.index(first), counted.systems.index(second)])
        for first, second in pairs
    ]
    firsts, seconds = zip(*pairs, strict=True)
    winners = [evalica.Winner.X] * len(pairs)
    theirs = evalica.bradley_terry(firsts, seconds, winners, weights=weights, tolerance=1e-12, limit=100_000)
    centre = np.log(theirs.scores).mean()
    for row in bradley_terry(counted).strengths:
        assert row.strength == pytest.approx(log(theirs.scores[row.system]) - centre, abs=1e-7)


@few_examples
@given(counts())
def test_the_likelihood_is_stationary_and_falls_as_the_standard_errors_say(counted: PairCounts) -> None:
    """Central differences of the likelihood, spelt out, along the difference of two systems."""
    result = bradley_terry(counted)
    assert result.tie_parameter is not None
    strength = {row.system: row.strength or 0.0 for row in result.strengths}

    def likelihood(shift: float) -> float:
        shifted = strength | {"A": strength["A"] + shift}
        total = 0.0
        for (row, first), (column, second) in combinations(enumerate(counted.systems), 2):
            half = (shifted[first] - shifted[second]) / 2
            shares = [exp(half), exp(-half), result.tie_parameter or 0.0]
            judged = [counted.wins[row, column], counted.wins[column, row], counted.ties[row, column]]
            total += sum(n * log(share / sum(shares)) for n, share in zip(judged, shares, strict=True))
        return total

    slope = (likelihood(1e-4) - likelihood(-1e-4)) / 2e-4
    curvature = (likelihood(1e-3) - 2 * likelihood(0) + likelihood(-1e-3)) / 1e-6
    assert slope == pytest.approx(0, abs=1e-4)
    variance = -1 / curvature
    widest = max(result.difference("A", other).standard_error or 0 for other in counted.systems)
    assert variance <= widest**2 * (1 + 1e-3)


@few_examples
@given(counts(least=0), st.integers(2, 9))
def test_judging_all_again_moves_no_strength_and_narrows_the_errors(counted: PairCounts, times: int) -> None:
    before = bradley_terry(counted)
    after = bradley_terry(PairCounts(counted.systems, counted.wins * times, counted.ties * times))
    again = {row.system: row for row in after.strengths}
    for row in before.strengths:
        if row.strength is None or row.standard_error is None:
            assert again[row.system].reason == row.reason
        else:
            assert again[row.system].strength == pytest.approx(row.strength, abs=1e-5)
            assert again[row.system].standard_error == pytest.approx(
                row.standard_error / sqrt(times), rel=1e-4
            )


@few_examples
@given(counts(), st.permutations(range(5)))
def test_relabelling_systems_permutes_the_strengths(counted: PairCounts, numbers: list[int]) -> None:
    order = [number for number in numbers if number < len(counted.systems)]
    turned = PairCounts(
        counted.systems, counted.wins[np.ix_(order, order)], counted.ties[np.ix_(order, order)]
    )
    after = strengths(bradley_terry(turned))
    for system, strength in strengths(bradley_terry(counted)).items():
        assert after[counted.systems[order.index(counted.systems.index(system))]] == pytest.approx(
            strength, abs=1e-6
        )
