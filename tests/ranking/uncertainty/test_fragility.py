"""Fragility: the fewest judgments whose removal swaps two systems."""

import math
from collections.abc import Callable, Sequence
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from core.arrays import FloatArray
from formats.snapshot.snapshots import frame_of_file
from ranking import (
    Fragility,
    Method,
    PairCounts,
    Removals,
    ResamplingError,
    Unit,
    bradley_terry,
    count_pairs,
    expected_wins,
)
from ranking.models.bradley_terry import strengths_gradient
from ranking.models.expected_wins import shares_gradient
from tests.ranking.frames import snapshot

METHODS = (Method.EXPECTED_WINS, Method.BRADLEY_TERRY)


def scores(method: Method, counts: PairCounts) -> dict[str, float]:
    """The score of each system; NaN where it has none."""
    if method is Method.EXPECTED_WINS:
        found = {row.system: row.score for row in expected_wins(counts).scores}
    else:
        found = {row.system: row.strength for row in bradley_terry(counts).strengths}
    return {system: math.nan if score is None else score for system, score in found.items()}


def small_set(seed: int) -> pd.DataFrame:
    """Nine judgments of four systems in random order, some of them tied."""
    rng = np.random.default_rng(seed)
    rankings = (
        "".join(
            f"{system}{rng.choice([' > ', ' = '], p=[0.8, 0.2])}" for system in rng.permutation(list("ABCD"))
        )[:-3]
        for _ in range(9)
    )
    return snapshot(*(("anna", sentence, ranking) for sentence, ranking in enumerate(rankings)))


def exhaustive(counts: Sequence[PairCounts], method: Method, above: str, below: str) -> int | None:
    """The size of the smallest set of judgments without which `below` scores better, by trying all."""
    for size in range(1, len(counts)):
        for kept in combinations(counts, len(counts) - size):
            left = PairCounts(
                counts[0].systems,
                np.sum([each.wins for each in kept], axis=0),
                np.sum([each.ties for each in kept], axis=0),
            )
            of = scores(method, left)
            if of[below] > of[above] + 1e-12:
                return size
    return None


@pytest.mark.parametrize("seed", range(30))
def test_small_sets_are_as_fragile_as_an_exhaustive_search_says(seed: int) -> None:
    judged = small_set(seed)
    removals = Removals(judged)
    counts = [count_pairs(judgment) for _, judgment in judged.groupby("judgment")]
    for above, below in removals.neighbours():
        found = removals.fragility(above, below)
        assert found.exact
        assert (len(found.removed) or None) == exhaustive(counts, Method.EXPECTED_WINS, above, below)
        greedy = removals.fragility(above, below, most_subsets=0)
        assert not greedy.removed or len(greedy.removed) >= len(found.removed)


def without(judged: pd.DataFrame, found: Fragility) -> pd.DataFrame:
    return judged[~judged["judgment"].isin(found.removed)]


@pytest.mark.parametrize("method", METHODS)
def test_without_the_removed_judgments_the_two_are_swapped(method: Method) -> None:
    sets = [small_set(seed) for seed in range(1, 9)]
    judged = pd.concat(
        [each.assign(judgment=f"{number} " + each["judgment"]) for number, each in enumerate(sets)]
    )
    removals = Removals(judged, method)
    for above, below in removals.neighbours():
        found = removals.fragility(above, below)
        left = scores(method, count_pairs(without(judged, found)))
        assert left[below] > left[above]
        assert found.difference_without == pytest.approx(left[above] - left[below], abs=1e-9)


@pytest.mark.parametrize(
    ("method", "gradient"),
    [(Method.EXPECTED_WINS, shares_gradient), (Method.BRADLEY_TERRY, strengths_gradient)],
)
def test_gradients_are_finite_differences(method: Method, gradient: Callable[..., FloatArray]) -> None:
    """One more comparison among a million changes a score by its derivative, to a thousandth of it."""
    few = count_pairs(small_set(3))
    counts = PairCounts(few.systems, few.wins * 10**6, few.ties * 10**6)
    derivatives = gradient(counts, 0, 1)
    before = scores(method, counts)
    for kind, first, second in ((0, 0, 1), (0, 1, 0), (0, 0, 2), (0, 3, 1), (1, 0, 1), (1, 0, 3)):
        wins, ties = counts.wins.copy(), counts.ties.copy()
        (wins, ties)[kind][first, second] += 1000
        if kind:
            ties[second, first] += 1000
        after = scores(method, PairCounts(counts.systems, wins, ties))
        change = (after["A"] - after["B"] - (before["A"] - before["B"])) / 1000
        assert change == pytest.approx(derivatives[kind, first, second], rel=2e-3, abs=1e-13)


def test_a_system_that_always_lost_overtakes_nobody() -> None:
    always = snapshot(*(("anna", sentence, "A > B > C") for sentence in range(5)))
    found = Removals(always).fragility("A", "B")
    assert (found.removed, found.exact, found.difference_without) == ((), True, None)
    assert found.reason == "no removal makes B score better than A"


def test_sentences_and_judges_are_removed_whole() -> None:
    judged = snapshot(
        ("anna", 0, "A > B"),
        ("anna", 1, "A > B"),
        ("ben", 1, "A > B"),
        ("ben", 2, "B > A"),
        ("cleo", 3, "B > A"),
    )
    assert Removals(judged, unit=Unit.SENTENCE).fragility("A", "B").removed == ("1",)
    assert Removals(judged, unit=Unit.ANNOTATOR).fragility("A", "B").removed == ("anna",)


def test_impossible_requests_are_refused() -> None:
    judged = small_set(1)
    with pytest.raises(ResamplingError, match="not single pairs"):
        Removals(judged, unit=Unit.PAIR)
    with pytest.raises(ResamplingError, match="by ew or bradley-terry, not by trueskill"):
        Removals(judged, Method.TRUESKILL)
    removals = Removals(judged)
    (above, below), *_ = removals.neighbours()
    with pytest.raises(ValueError, match=f"{below} does not score better than {above}"):
        removals.fragility(below, above)


def test_four_judgments_of_gjg15_keep_ufc_above_pku(reference_data: Path) -> None:
    judged = frame_of_file(reference_data / "gjg15" / "judgments.xml")
    removals = Removals(judged)
    found = {pair: removals.fragility(*pair) for pair in removals.neighbours()}
    few = {pair: len(each.removed) for pair, each in found.items()}
    assert few["UFC", "PKU"] == 4
    assert few["RAC", "CAMB"] == 5
    assert few["POST", "UFC"] == 7
    assert few["AMU", "RAC"] == 61
    left = scores(Method.EXPECTED_WINS, count_pairs(without(judged, found["UFC", "PKU"])))
    assert left["PKU"] > left["UFC"]
