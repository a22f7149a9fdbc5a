"""Split halves and intraclass correlation, compared with known values."""

import numpy as np
import pytest

from ranking import intraclass_correlation, split_half
from tests.ranking.scorings import scored, simulated

SHROUT_FLEISS = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
"""Table 2 of Shrout and Fleiss 1979: six targets, four judges."""


@pytest.mark.parametrize(("noise", "group_size"), [(0.5, 4), (2.0, 4), (2.0, 2)])
def test_split_halves_of_known_reliability(noise: float, group_size: int) -> None:
    """One rating has reliability r = 1 / (1 + noise^2), by Spearman and Brown k have k r / (1 + (k - 1) r).

    r of n outputs has a standard error of (1 - r^2) / sqrt(n), which samples of the same ratings share.
    """
    frame = simulated(sentences=1500, systems=4, annotators=2 * group_size, noise=noise, seed=5)
    single = 1 / (1 + noise**2)
    expected = group_size * single / (1 + (group_size - 1) * single)
    halves = split_half(frame, group_size=group_size, samples=20, seed=1).sentence
    assert halves.n == 6000
    assert halves.pearson == pytest.approx(expected, abs=4 * (1 - expected**2) / np.sqrt(6000))
    normal_spearman = 6 / np.pi * np.arcsin(expected / 2)
    assert halves.spearman == pytest.approx(normal_spearman, abs=0.03)


def test_split_halves_of_systems_of_known_reliability() -> None:
    """Over s sentences the truth of both halves has variance 1 / s, the noise of each (noise^2 / k) / s."""
    frame = simulated(sentences=50, systems=300, annotators=8, noise=4.0, seed=2)
    truth, noise = 1 / 50, 16 / 4 / 50
    expected = truth / (truth + noise)
    halves = split_half(frame, samples=100, seed=1).system
    assert halves.n == 300
    assert halves.pearson == pytest.approx(expected, abs=4 * (1 - expected**2) / np.sqrt(300))


def test_outputs_with_too_few_annotators_are_left_out_and_counted() -> None:
    frame = scored(*((f"judge {n}", 0, {"A": n, "B": 10 - n, "C": n if n < 3 else None}) for n in range(4)))
    halves = split_half(frame, group_size=2, samples=5, seed=1)
    assert (halves.sentence.n, halves.left_out) == (2, 1)


def test_the_annotators_of_a_screen_are_split_alike_for_all_its_outputs() -> None:
    """Scores that differ between annotators only: both outputs then have the same means in each group."""
    frame = scored(*((f"judge {n}", 0, {"A": n, "B": n, "C": 100}) for n in range(8)))
    halves = split_half(frame, samples=20, seed=1)
    assert halves.system.pearson == pytest.approx(1)


def test_a_seed_repeats_the_samples() -> None:
    frame = simulated(sentences=20, systems=3, annotators=8, noise=1.0, seed=1)
    assert split_half(frame, samples=5, seed=1) == split_half(frame, samples=5, seed=1)
    assert split_half(frame, samples=5, seed=1) != split_half(frame, samples=5, seed=2)


def test_an_annotator_who_scored_twice_counts_once() -> None:
    frame = scored(
        ("ann", 0, {"A": 10, "B": 0}), ("ann", 0, {"A": 30, "B": 0}), ("ben", 0, {"A": 20, "B": 0})
    )
    halves = split_half(frame, group_size=1, samples=3, seed=1)
    assert halves.sentence.n == 2
    assert halves.sentence.pearson == pytest.approx(1)


@pytest.mark.parametrize(
    ("scores", "reason"),
    [
        ([{"A": 1}], "no output was scored by 2 annotators"),
        ([{"A": 1}, {"A": 2}], "there is only one output"),
        ([{"A": 5, "B": 5}, {"A": 5, "B": 5}], "the scores of all outputs are equal"),
    ],
)
def test_without_split_halves_there_is_a_reason(scores: list[dict[str, float | None]], reason: str) -> None:
    frame = scored(*((f"judge {number}", 0, values) for number, values in enumerate(scores)))
    assert split_half(frame, group_size=1, samples=3, seed=1).sentence.reason == reason


def test_icc_of_the_published_example() -> None:
    """Shrout and Fleiss 1979, Table 4: ICC(1,1) = .17, ICC(1,4) = .44; interval as R's `psych` gives it."""
    frame = scored(
        *(
            (f"judge {judge}", target, {"A": row[judge]})
            for target, row in enumerate(SHROUT_FLEISS)
            for judge in range(4)
        )
    )
    icc = intraclass_correlation(frame)
    assert icc.single == pytest.approx(0.1657, abs=5e-5)
    assert icc.average == pytest.approx(0.4428, abs=5e-5)
    assert icc.low == pytest.approx(-0.133, abs=5e-4)
    assert icc.high == pytest.approx(0.723, abs=5e-4)
    assert (icc.k, icc.outputs, icc.ratings) == (4, 6, 24)


def test_icc_of_known_reliability_with_unequal_numbers_of_ratings() -> None:
    frame = simulated(sentences=1000, systems=2, annotators=6, noise=1.0, seed=3)
    unequal = frame.sample(frac=0.7, random_state=1)
    icc = intraclass_correlation(unequal)
    assert icc.single == pytest.approx(0.5, abs=0.03)
    assert icc.low is not None
    assert icc.high is not None
    assert icc.low < 0.5 < icc.high


@pytest.mark.parametrize(
    ("scores", "reason"),
    [
        ([{"A": 1}, {"A": 2}], "fewer than two outputs were scored"),
        ([{"A": 1, "B": 2}], "no output was scored by two annotators"),
        ([{"A": 5, "B": 5}, {"A": 5, "B": 5}], "all ratings are the same"),
        ([{"A": 4, "B": 4}, {"A": 6, "B": 6}], "the means of all outputs are equal"),
    ],
)
def test_without_icc_there_is_a_reason(scores: list[dict[str, float | None]], reason: str) -> None:
    frame = scored(*((f"judge {number}", 0, values) for number, values in enumerate(scores)))
    icc = intraclass_correlation(frame)
    assert (icc.average, icc.reason) == (None, reason)
