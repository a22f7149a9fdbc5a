"""Screens of a follow-up: what they show, and that propensities are how often pairs are really asked."""

from collections import Counter, defaultdict
from itertools import combinations_with_replacement, permutations
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotate.design.follow_ups import FollowUp, ordinary_shares, plan_follow_up, systematic_draws
from annotate.design.items import Outputs, PlannedItem
from annotate.design.sampling import SamplingError, draw_sentences
from tests.depth import examples

SYSTEMS = "ABCDEF"

CORPUS: tuple[Outputs, ...] = (
    {0: ("A",), 1: ("B",), 2: ("C",), 3: ("D",), 4: ("E",), 5: ("F",)},
    {10: ("A", "B"), 11: ("C", "D"), 12: ("E",), 13: ("F",)},
    {20: ("A",), 21: ("B", "C", "D", "E", "F")},
    {30: ("A", "C"), 31: ("B",), 32: ("D", "E", "F")},
    {40: tuple(SYSTEMS)},
)
SHARES = np.array([0.3, 0.25, 0.1, 0.2, 0.15])


def plan(
    corpus: tuple[Outputs, ...] = CORPUS,
    *,
    pairs: tuple[tuple[str, str], ...] = (("A", "B"), ("B", "C")),
    ordinary: int = 20,
    items: int = 50,
    most: int = 3,
    seed: int = 0,
    shares: np.ndarray = SHARES,
) -> tuple[PlannedItem, ...]:
    """A follow-up of a small corpus."""
    return plan_follow_up(
        corpus, FollowUp(pairs, ordinary), items=items, shares=shares, outputs_per_screen=most, seed=seed
    )


def test_most_screens_show_an_undecided_pair_and_the_others_are_ordinary() -> None:
    planned = plan(pairs=(("A", "B"),), ordinary=20, items=100)
    shows = [{"A", "B"} <= _shown(item) and not _alike(item, "A", "B") for item in planned]
    assert len(planned) == 100
    assert 80 <= sum(shows) < 100
    assert {4, 1} <= {
        item.sentence for item, shows_pair in zip(planned, shows, strict=True) if not shows_pair
    }


def test_the_same_seed_gives_the_same_items() -> None:
    assert plan(seed=3) == plan(seed=3)
    assert plan(seed=3) != plan(seed=4)


def test_ordinary_sampling_alone_has_propensities_of_one() -> None:
    assert {number for item in plan(ordinary=100) for row in item.propensities for number in row} == {1.0}


def test_a_propensity_is_at_least_the_ordinary_share() -> None:
    numbers = [number for item in plan(ordinary=10) for row in item.propensities for number in row]
    assert min(numbers) == pytest.approx(0.1)


@pytest.mark.parametrize("most", [2, 3, 5])
@pytest.mark.parametrize("pairs", [(("A", "B"),), (("A", "B"), ("B", "C"), ("E", "F"))])
def test_propensities_are_the_numbers_of_all_screens_counted_one_by_one(
    most: int, pairs: tuple[tuple[str, str], ...]
) -> None:
    items = 40
    expected = _expected(pairs, ordinary=30, items=items, most=most)
    for item in plan(pairs=pairs, ordinary=30, items=items, most=most):
        for row, one in enumerate(item.outputs):
            for column, other in enumerate(item.outputs):
                shown = min(most, len(CORPUS[item.sentence]))
                usual = items * SHARES[item.sentence] * _both_shown(one, other, shown, CORPUS[item.sentence])
                asked = expected[item.sentence, min(one, other), max(one, other)]
                assert item.propensities[row][column] == pytest.approx(asked / usual)


def test_propensities_are_long_run_frequencies() -> None:
    """Of 400 follow-ups, each pair is asked as often as its propensity says."""
    pairs, items, runs = (("A", "B"), ("C", "E")), 20, examples(400)
    asked: Counter[tuple[int, int, int]] = Counter()
    propensities = {}
    for seed in range(runs):
        for item in plan(pairs=pairs, ordinary=40, items=items, seed=seed):
            for row, one in enumerate(item.outputs):
                for column, other in enumerate(item.outputs):
                    if one <= other:
                        asked[item.sentence, one, other] += 1
                        propensities[item.sentence, one, other] = item.propensities[row][column]
    for (place, one, other), propensity in propensities.items():
        shown = min(3, len(CORPUS[place]))
        mean = items * SHARES[place] * _both_shown(one, other, shown, CORPUS[place]) * propensity
        assert asked[place, one, other] / runs == pytest.approx(mean, abs=5 * np.sqrt(mean / runs))


@settings(max_examples=examples(100))
@given(
    st.lists(st.floats(0, 1), min_size=1, max_size=20).filter(lambda shares: sum(shares) > 0.1),
    st.integers(0, 50),
    st.integers(0, 1000),
)
def test_each_sentence_is_drawn_its_expected_number_of_times_rounded(
    weights: list[float], number: int, seed: int
) -> None:
    shares = np.array(weights) / sum(weights)
    drawn = systematic_draws(shares, number, np.random.default_rng(seed))
    times = np.bincount(drawn, minlength=len(shares))
    assert len(drawn) == number
    assert np.all(np.abs(times - number * shares) < 1 + 1e-9)


def test_ordinary_shares_of_sentences_drawn_without_replacement_are_less_uneven() -> None:
    """They agree with the frequencies of many draws, of `draw_sentences` as campaigns make them."""
    corpus = [
        {key: (name,) for key, name in enumerate(SYSTEMS)}
        if place % 3
        else {0: tuple(SYSTEMS[:5]), 1: ("F",)}
        for place in range(30)
    ]

    def shares(drawn: int | None) -> np.ndarray:
        return ordinary_shares(
            corpus, outputs_per_screen=3, sampling="diverse", drawn=drawn, listed_sentences=[]
        )

    once = shares(None)
    runs = examples(2000)
    found = np.zeros(len(corpus))
    for seed in range(runs):
        found[draw_sentences(once.tolist(), 15, seed=seed, replace=False)] += 1 / runs / 15
    assert shares(15).max() / shares(15).min() < once.max() / once.min()
    assert shares(15)[0] == pytest.approx(found[::3].mean(), rel=0.05)
    assert shares(15)[1] == pytest.approx(found[1::3].mean(), rel=0.05)
    assert shares(30) == pytest.approx(np.full(30, 1 / 30))


def test_ordinary_shares_of_a_list_count_its_entries() -> None:
    shares = ordinary_shares(
        CORPUS, outputs_per_screen=3, sampling="listed", drawn=None, listed_sentences=[0, 2, 2, 3]
    )
    assert shares.tolist() == [0.25, 0, 0.5, 0.25, 0]


def test_impossible_settings_are_refused_in_words() -> None:
    with pytest.raises(SamplingError, match="the outputs of E and F differ on no sentence"):
        plan(CORPUS[2:3], pairs=(("A", "B"), ("E", "F")), shares=np.ones(1))
    with pytest.raises(SamplingError, match="choose 5 to 100 %"):
        FollowUp((("A", "B"),), 4)
    with pytest.raises(SamplingError, match="choose one"):
        FollowUp((), 20)
    with pytest.raises(SamplingError, match="two different systems"):
        FollowUp((("A", "A"),), 20)
    with pytest.raises(SamplingError, match="show at least 2"):
        plan(most=1)


def _shown(item: PlannedItem) -> set[str]:
    return {name for key in item.outputs for name in CORPUS[item.sentence][key]}


def _alike(item: PlannedItem, one: str, other: str) -> bool:
    return any({one, other} <= set(names) for names in CORPUS[item.sentence].values())


def _both_shown(one: int, other: int, shown: int, outputs: Outputs) -> float:
    """By counting the choices of an ordinary screen."""
    wanted = len({one, other})
    return comb(len(outputs) - wanted, shown - wanted) / comb(len(outputs), shown)


def _expected(
    pairs: tuple[tuple[str, str], ...], *, ordinary: int, items: int, most: int
) -> dict[tuple[int, int, int], float]:
    """How often each pair of outputs of a sentence is asked about, screen by screen."""
    numbers = FollowUp(pairs, ordinary).screens(items)
    expected: defaultdict[tuple[int, int, int], float] = defaultdict(float)

    def add(place: int, screens: list[set[int]], times: float) -> None:
        for screen in screens:
            for one, other in combinations_with_replacement(sorted(screen), 2):
                expected[place, one, other] += times / len(screens)

    def screens_of(place: int, required: set[int]) -> list[set[int]]:
        shown = min(most, len(CORPUS[place]))
        choices = {frozenset(chosen) for chosen in permutations(CORPUS[place], shown)}
        return [set(chosen) for chosen in choices if required <= chosen]

    for place in range(len(CORPUS)):
        add(place, screens_of(place, set()), numbers[0] * SHARES[place])
    for pair, screens in zip(pairs, numbers[1], strict=True):
        both = {
            place: {key for key, names in outputs.items() if set(pair) & set(names)}
            for place, outputs in enumerate(CORPUS)
        }
        differing = sum(SHARES[place] for place, keys in both.items() if len(keys) == 2)
        for place, keys in both.items():
            if len(keys) == 2:
                add(place, screens_of(place, keys), screens * SHARES[place] / differing)
    return expected
