"""Which judges are flagged for careless work."""

import numpy as np
import pytest
from scipy.stats import binom

from ranking import FlagRule, Flags, Habits, flags
from ranking.annotators.flags import LEVEL

NAN = float("nan")


def flagged(rule: FlagRule = FlagRule(), **changes: list[float]) -> Flags:  # noqa: B008  # it is frozen
    """Flags of three judges who work like others, apart from these changes."""
    figures = {
        "seconds": [30.0, 40.0, 20.0],
        "timed": [50, 50, 50],
        "same_answer": [0.2, 0.3, 0.1],
        "several": [50, 50, 50],
        "agreement": [0.6, 0.7, 0.5],
        "by_chance": [0.4, 0.4, 0.4],
        "compared": [50, 50, 50],
        "reading": [50.0, 60.0, 40.0],
        "read": [50, 50, 50],
        **changes,
    }
    return flags(Habits(**{name: np.array(values) for name, values in figures.items()}), rule)


def test_ordinary_work_is_not_flagged() -> None:
    flags = flagged()
    assert flags.campaign_seconds == 30
    assert flags.beyond_chance == pytest.approx([1 / 3, 1 / 2, 1 / 6])
    for flag in (flags.too_fast, flags.unread, flags.same_answer, flags.below_chance):
        assert flag.tolist() == [False] * 3


def test_pace_is_measured_by_the_median_of_medians() -> None:
    """So that someone with very many screens does not set it."""
    assert flagged(seconds=[30, 9.8, 40], timed=[20, 5000, 20]).too_fast.tolist() == [False, True, False]
    assert flagged(seconds=[30, 9.9, 40]).too_fast.tolist() == [False, False, False]
    assert flagged(FlagRule(pace=0.5), seconds=[30, 14, 40]).too_fast.tolist() == [False, True, False]


def test_nobody_reads_that_fast() -> None:
    assert flagged(reading=[600, 601, 5000], read=[50, 5, 4]).unread.tolist() == [False, True, False]
    assert flagged(FlagRule(reading=300, min_read=4), reading=[301, 300, NAN]).unread.tolist() == [
        *(True, False, False)
    ]


def test_one_pace_is_no_yardstick() -> None:
    flags = flagged(seconds=[30, 1, 1], timed=[20, 19, 0])
    assert np.isnan(flags.campaign_seconds)
    assert not flags.too_fast.any()


def test_nearly_the_same_answer_throughout() -> None:
    assert flagged(same_answer=[0.9, 0.91, NAN]).same_answer.tolist() == [False, True, False]
    assert not flagged(FlagRule(same_answer=1), same_answer=[1, 1, 1]).same_answer.any()


def test_agreement_below_chance() -> None:
    found = flagged(agreement=[0.4, 0.1, NAN], by_chance=[0.4, 0.4, NAN], compared=[50, 50, 0])
    assert found.below_chance.tolist() == [False, True, False]
    strict = FlagRule(beyond_chance=0.2)  # of what is left above 0.4: 0.52
    assert flagged(strict, agreement=[0.6, 0.52, 0.28]).below_chance.tolist() == [False, False, True]


@pytest.mark.parametrize(("agreed", "compared"), [(33, 100), (3, 20), (423, 1000), (0, 9)])
def test_agreement_below_chance_that_may_be_noise_is_not_flagged(agreed: int, compared: int) -> None:
    """By chance, 46 % agree; so few or fewer of 100 come out in more than one of a thousand campaigns."""
    assert binom.cdf(agreed, compared, 0.46) > LEVEL
    found = flagged(agreement=[agreed / compared] * 3, by_chance=[0.46] * 3, compared=[compared] * 3)
    assert not found.below_chance.any()


def test_noise_is_flagged_no_more_often_than_the_level_says() -> None:
    """Of 20,000 judges who toss a coin, whether they have 20 comparisons or 1,000."""
    rng = np.random.default_rng(0)
    for compared in (20, 200, 1000):
        agreement = rng.binomial(compared, 0.5, 20_000) / compared
        habits = Habits(
            seconds=agreement,
            timed=np.zeros(20_000, dtype=np.int64),
            same_answer=agreement,
            several=np.zeros(20_000, dtype=np.int64),
            agreement=agreement,
            by_chance=np.full(20_000, 0.5),
            compared=np.full(20_000, compared),
            reading=agreement,
            read=np.full(20_000, compared),
        )
        assert flags(habits, FlagRule()).below_chance.mean() < 1.5 * LEVEL


def test_opposite_answers_are_flagged_with_few_comparisons() -> None:
    assert flagged(agreement=[0, 0, 0], compared=[14, 13, 0]).below_chance.tolist() == [True, False, False]


def test_chance_that_always_agrees_flags_nobody() -> None:
    assert not flagged(agreement=[1, 1, 1], by_chance=[1, 1, 1]).below_chance.any()


@pytest.mark.parametrize("min_cases", [20, 21])
def test_nobody_is_flagged_for_few_cases(min_cases: int) -> None:
    flags = flagged(
        FlagRule(min_cases=min_cases),
        seconds=[30, 40, 1],
        same_answer=[0, 0, 1],
        timed=[99, 99, 20],
        several=[99, 99, 20],
    )
    for flag in (flags.too_fast, flags.same_answer):
        assert flag.tolist() == [False, False, min_cases == 20]


def test_nobody_judged() -> None:
    none, uncounted = np.empty(0), np.empty(0, dtype=np.int64)
    habits = Habits(
        seconds=none,
        timed=uncounted,
        same_answer=none,
        several=uncounted,
        agreement=none,
        by_chance=none,
        compared=uncounted,
        reading=none,
        read=uncounted,
    )
    assert flags(habits, FlagRule()).too_fast.tolist() == []
