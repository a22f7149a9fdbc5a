"""How many judgments a design needs."""

from dataclasses import replace

import numpy as np
import pytest

from ranking import Design, count_pairs, plan, simulated_campaign, watch
from ranking.models.expected_wins import mean_shares_won
from ranking.planning.simulation import _gap_and_step, _won_and_lost, neighbours_difference
from tests.depth import examples

DESIGN = Design(systems=4, shown=4, per_sentence=1, wins=0.62, ties=0.2)


def test_so_many_judgments_separate_neighbours_in_four_of_five_campaigns() -> None:
    """Of the three pairs of neighbours in each campaign; the standard error of the share is .08 in CI."""
    needed = plan(DESIGN).needed
    number = examples(100)
    separated = 0
    for seed in range(number):
        watched = watch(simulated_campaign(DESIGN, sentences=needed, seed=seed), looks=1)
        order = [*(pair.above for pair in watched.pairs), watched.pairs[-1].below]
        if order == sorted(order):
            separated += sum(
                bool(pair.difference[-1] > watched.ordinary * pair.standard_error[-1])
                for pair in watched.pairs
            )
    assert separated / (3 * number) == pytest.approx(0.8, abs=0.12)


@pytest.mark.parametrize("ties", [0.2, 0.0])
def test_neighbours_win_and_tie_as_often_as_designed(ties: float) -> None:
    """And the mean difference of neighbours is that by the model; all within three standard errors."""
    design = replace(DESIGN, ties=ties)
    counts = count_pairs(simulated_campaign(design, sentences=8000, seed=1))
    neighbours = [(place, place + 1) for place in range(3)]
    won = sum(counts.wins[pair] for pair in neighbours)
    lost = sum(counts.wins[pair[::-1]] for pair in neighbours)
    tied = sum(counts.ties[pair] for pair in neighbours)
    assert won / (won + lost) == pytest.approx(0.62, abs=0.012)
    assert tied / (won + lost + tied) == pytest.approx(ties, abs=0.008)
    shares = mean_shares_won(counts.wins)
    assert (shares[0] - shares[-1]) / 3 == pytest.approx(neighbours_difference(design), abs=0.004)


def test_a_plan_for_close_systems_does_not_depend_on_luck() -> None:
    needed = [plan(Design(8, 5, 1, 0.51, 0.25), seed=seed).needed for seed in range(3)]
    assert max(needed) < 1.1 * min(needed)
    assert plan(Design(2, 2, 1, 0.51, 0.9)).needed > 100_000


@pytest.mark.parametrize("ties", [0.0, 0.01, 0.5, 0.95])
@pytest.mark.parametrize("wins", [0.5001, 0.75, 0.99])
def test_the_model_of_a_design_has_its_shares(wins: float, ties: float) -> None:
    gap, step = _gap_and_step(replace(DESIGN, wins=wins, ties=ties))
    won, lost = _won_and_lost(gap, step)
    assert won / (won + lost) == pytest.approx(wins, abs=1e-9)
    assert 1 - won - lost == pytest.approx(ties, abs=1e-9)


def test_a_share_of_ties_that_no_step_gives_has_no_model() -> None:
    with pytest.raises(ValueError, match="no root between"):
        _gap_and_step(replace(DESIGN, ties=1e-12))


def test_equal_systems_are_never_separated() -> None:
    equal = replace(DESIGN, wins=0.5)
    assert neighbours_difference(equal) == pytest.approx(0)
    with pytest.raises(ValueError, match="has to win more often"):
        plan(equal)


def test_closer_systems_and_repeated_sentences_need_more_judgments() -> None:
    base = plan(DESIGN)
    assert plan(Design(4, 4, 1, 0.55, 0.2)).needed > 2 * base.needed
    assert plan(Design(4, 4, 3, 0.62, 0.2)).needed > base.needed
    assert np.all(np.diff(base.power) >= 0)
    low, median, high = base.watched
    assert base.needed * 0.3 < (low or 0) < (median or 0) < (high or 0)


def test_the_same_seed_gives_the_same_plan() -> None:
    first, again, other = plan(DESIGN, seed=3), plan(DESIGN, seed=3), plan(DESIGN, seed=4)
    assert (first.needed, first.watched) == (again.needed, again.watched)
    assert first.error != other.error
