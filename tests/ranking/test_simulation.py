"""How many judgments a design needs."""

import numpy as np
import pytest

from ranking import Design, count_pairs, plan, simulated_campaign, watch
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


def test_neighbours_win_and_tie_as_often_as_designed() -> None:
    """On sentences of their own, luck makes decided comparisons a little more even."""
    counts = count_pairs(simulated_campaign(DESIGN, sentences=4000, seed=1))
    neighbours = [(place, place + 1) for place in range(3)]
    won = sum(counts.wins[pair] for pair in neighbours)
    lost = sum(counts.wins[pair[::-1]] for pair in neighbours)
    tied = sum(counts.ties[pair] for pair in neighbours)
    assert 0.56 < won / (won + lost) < 0.64
    assert tied / (won + lost + tied) == pytest.approx(0.17, abs=0.04)


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
