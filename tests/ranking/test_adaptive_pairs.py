"""Adaptive pairing: rounds of follow-ups about neighbours in doubt, with thirty systems and known truth."""

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

from core.arrays import FloatArray
from ranking import Method, Unit, group_pairs, standings
from ranking.models.expected_wins import mean_shares_won
from ranking.planning.watching import watch
from tests.depth import examples
from tests.ranking.adaptive_pairs import in_rounds, thirty_systems, undecided
from tests.ranking.follow_ups import two_kinds_of_sentences


def width(frame: pd.DataFrame) -> float:
    """The root mean square of the standard errors of the differences of neighbours, by Bradley-Terry."""
    errors = [pair.standard_error[-1] for pair in watch(frame, Method.BRADLEY_TERRY, looks=1).pairs]
    return float(np.sqrt(np.nanmean(np.square(errors))))


def clusters(frame: pd.DataFrame) -> int:
    ranked = standings(frame, Method.BRADLEY_TERRY, replicates=200).systems
    return len({standing.cluster for standing in ranked})


def test_only_neighbours_in_doubt_are_asked_about() -> None:
    truth = thirty_systems(sentences=60, gap=0.5)
    first, second = in_rounds(truth, (1500, 500), seed=0)
    doubtful = {frozenset(pair) for pair in undecided(first)}
    assert doubtful
    asked = second[second["campaign"] == "round 1"].groupby("judgment", sort=False)["systems"].sum()
    targeted = sum(frozenset(pair) in doubtful for pair in asked)
    assert 0.8 <= targeted / len(asked) < 1
    assert second["propensities"].notna().sum() == 2 * 500


def test_rounds_need_fewer_judgments_than_uniform_pairs_for_the_same_width() -> None:
    truth = thirty_systems(sentences=150, gap=0.25)
    *_, last = in_rounds(truth, (700, 700, 700), seed=0)
    assert width(last) < width(truth.ordinary(2700, seed=0))


def expected_wins(frame: pd.DataFrame, *, weighted: bool) -> FloatArray:
    return mean_shares_won(group_pairs(frame, Unit.JUDGMENT, weighted=weighted).counts.wins)


def test_weighted_estimates_have_hardly_any_bias_although_earlier_answers_chose_the_pairs() -> None:
    """Two systems write the same on easy sentences, so pairs in doubt favour some kinds of sentences."""
    truth = two_kinds_of_sentences(sentences=90, shown=2)
    runs = examples(200)
    frames = [list(in_rounds(truth, (300, 300, 300), seed))[-1] for seed in range(runs)]
    weighted, plain = (
        np.array([expected_wins(frame, weighted=flag) for frame in frames]) - truth.expected_wins
        for flag in (True, False)
    )
    spread = weighted.std(axis=0)
    assert np.all(np.abs(weighted.mean(axis=0)) < (4 / np.sqrt(runs) + 0.25) * spread)
    if runs >= 200:
        assert abs(plain.mean(axis=0)[0]) > 1.5 * abs(weighted.mean(axis=0)[0])


@pytest.mark.deep
@pytest.mark.parametrize("gap", [0.1, 0.25])
def test_judgments_of_thirty_systems(gap: float, record_property: Callable[[str, object], None]) -> None:
    """The figures of the table in `docs/ranking.md`, as properties of the report."""
    truth = thirty_systems(gap=gap)
    uniform = truth.ordinary(15_000, seed=0)
    for number in (7_500, 15_000, 30_000):
        record_property(f"clusters of {number} uniform pairs", clusters(truth.ordinary(number, seed=0)))
    squared = width(uniform) ** 2 * 15_000
    equivalents = []
    for number, frame in enumerate(in_rounds(truth, (1500,) * 5, seed=0), start=1):
        equivalents.append(squared / width(frame) ** 2)
        record_property(f"{1500 * number} in rounds, as so many uniform", round(equivalents[-1]))
        record_property(f"clusters of {1500 * number} in rounds", clusters(frame))
    assert all(one < other for one, other in pairwise(equivalents))
    assert equivalents[-1] > 1.2 * 7500
