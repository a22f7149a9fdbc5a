"""Screens of a follow-up about newcomers, and how often campaigns together ask about outputs."""

from collections import Counter
from itertools import product

import numpy as np
import pytest

from annotate.design.follow_ups import FollowUp, plan_follow_up
from annotate.design.items import Outputs, plan_screens
from annotate.design.newcomers import (
    AboutNewcomers,
    AboutPairs,
    Asking,
    Ordinary,
    Together,
    plan_newcomers,
)
from annotate.design.sampling import SamplingError
from core.arrays import FloatArray
from tests.depth import DEEP

OLD: tuple[Outputs, ...] = (
    {1: ("A",), 2: ("B",), 3: ("C", "D")},
    {11: ("A", "B"), 12: ("C",), 13: ("D",)},
    {21: ("A", "B", "C", "D")},
    {31: ("A",), 32: ("B",), 33: ("C",), 34: ("D",)},
)
ALL: tuple[Outputs, ...] = (
    {1: ("A",), 2: ("B",), 3: ("C", "D", "N", "O")},
    {11: ("A", "B"), 12: ("C", "O"), 13: ("D",), 14: ("N",)},
    {21: ("A", "B", "C", "D"), 22: ("N",), 23: ("O",)},
    {31: ("A",), 32: ("B",), 33: ("C",), 34: ("D",), 35: ("N", "O")},
)
"""N and O are newcomers: they agree with others on the first sentence, and O on the second."""

SHARES = np.array([0.1, 0.2, 0.3, 0.4])
NEWCOMERS = ("N", "O")


def drawn(items: int = 2000, shown: int = 3, seed: int = 0) -> list[tuple[int, tuple[int, ...]]]:
    planned = plan_newcomers(ALL, NEWCOMERS, items=items, shares=SHARES, outputs_per_screen=shown, seed=seed)
    return [(item.sentence, item.outputs) for item in planned]


def test_it_asks_only_where_a_newcomer_wrote_something_of_its_own() -> None:
    places = Counter(place for place, _ in drawn())
    assert set(places) == {1, 2, 3}
    assert [places[place] / 2000 for place in (1, 2, 3)] == pytest.approx([2 / 9, 3 / 9, 4 / 9], abs=0.001)


def test_each_screen_shows_new_outputs_beside_others() -> None:
    new = {14, 22, 23, 35}
    for _, outputs in drawn():
        assert new.intersection(outputs)
        assert set(outputs) - new
        assert len(set(outputs)) == len(outputs) <= 3


def test_a_screen_of_two_shows_one_of_several_new_outputs() -> None:
    screens = Counter(outputs for place, outputs in drawn(shown=2) if place == 2)
    assert set(screens) == {(22, 21), (23, 21)}


def test_the_same_seed_draws_the_same() -> None:
    assert drawn(50) == drawn(50)
    assert drawn(50) != drawn(50, seed=1)


def rates_of(asking: Asking, corpus: tuple[Outputs, ...]) -> dict[tuple[int, int], float]:
    """The rates of all pairs of outputs."""
    found = {}
    for place, outputs in enumerate(corpus):
        keys = list(outputs)
        table = asking.rates(place, keys)
        for (row, one), (column, other) in product(enumerate(keys), repeat=2):
            found[one, other] = float(table[row, column])
    return found


def frequencies(screens: list[tuple[int, ...]]) -> dict[tuple[int, int], float]:
    """How often each pair of outputs was shown, for each screen."""
    counts = Counter((one, other) for outputs in screens for one, other in product(outputs, repeat=2))
    return {pair: number / len(screens) for pair, number in counts.items()}


def agree(asking: Asking, corpus: tuple[Outputs, ...], screens: list[tuple[int, ...]]) -> None:
    found = frequencies(screens)
    for pair, rate in rates_of(asking, corpus).items():
        assert found.get(pair, 0.0) == pytest.approx(rate, abs=2.1 / len(screens) ** 0.5), pair


SCREENS = 20_000 if DEEP else 5_000


@pytest.mark.parametrize("shown", [2, 3, 4])
def test_rates_are_how_often_screens_show_outputs(shown: int) -> None:
    newcomers = AboutNewcomers(ALL, NEWCOMERS, SHARES, shown)
    agree(newcomers, ALL, [outputs for _, outputs in drawn(SCREENS, shown)])
    rng = np.random.default_rng(1)
    places = rng.choice(4, size=SCREENS, p=SHARES).tolist()
    ordinary = plan_screens(OLD, places, outputs_per_screen=shown, seed=2)
    agree(Ordinary(OLD, SHARES, shown), OLD, [item.outputs for item in ordinary])
    pairs = FollowUp((("A", "B"),), 30)
    follow_up = plan_follow_up(OLD, pairs, items=SCREENS, shares=SHARES, outputs_per_screen=shown, seed=3)
    asking = AboutPairs(OLD, pairs, items=SCREENS, shares=SHARES, outputs_per_screen=shown)
    agree(asking, OLD, [item.outputs for item in follow_up])


def test_outputs_that_a_campaign_did_not_have_are_never_asked_about() -> None:
    assert not Ordinary(OLD, SHARES, 3).rates(1, [14]).any()
    assert not AboutNewcomers(ALL, NEWCOMERS, SHARES, 3).rates(0, list(ALL[0])).any()
    pairs = AboutPairs(OLD, FollowUp((("A", "B"),), 30), items=10, shares=SHARES, outputs_per_screen=3)
    table = pairs.rates(1, [11, 14, 12])
    assert not table[1].any()
    assert table[0, 2] > 0


def propensities(first: int, second: int, place: int) -> FloatArray:
    asking = (Ordinary(OLD, SHARES, 3), AboutNewcomers(ALL, NEWCOMERS, SHARES, 3))
    together = Together(list(zip(asking, (first, second), strict=True)), Ordinary(ALL, SHARES, 3))
    return together.propensities(place, list(ALL[place]))


def test_together_every_pair_is_asked_about() -> None:
    assert all((propensities(100, 50, place) > 0).all() for place in range(4))
    alone = propensities(0, 50, 0)
    assert not alone.any(), "The follow-up says nothing about sentences without new outputs."


def test_a_campaign_of_all_systems_has_propensities_of_one() -> None:
    ordinary = Ordinary(ALL, SHARES, 3)
    assert np.allclose(Together([(ordinary, 7), (ordinary, 3)], ordinary).propensities(3, list(ALL[3])), 1)


@pytest.mark.parametrize(
    ("newcomers", "shown", "message"),
    [((), 3, "nothing to ask"), (("Z",), 3, "Z wrote nothing"), (("N",), 1, "show at least 2")],
)
def test_what_cannot_be_asked(newcomers: tuple[str, ...], shown: int, message: str) -> None:
    with pytest.raises(SamplingError, match=message):
        plan_newcomers(ALL, newcomers, items=5, shares=SHARES, outputs_per_screen=shown, seed=0)
