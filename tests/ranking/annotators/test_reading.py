"""Who answers faster than anybody reads is found within twenty screens; honest people are left alone."""

from pathlib import Path

import numpy as np
import pytest

from core.arrays import FloatArray
from formats.snapshot.snapshots import frame_of_file
from ranking import FlagRule, quality_of_annotators, reading_rate
from ranking.annotators.reading import FASTEST, SECONDS_A_KEY, least_seconds

SCREENS = 19
PEOPLE = 500
OUTPUTS = 5
RULE = FlagRule()


def flagged_within(words: FloatArray, seconds: FloatArray) -> float:
    """The share of people, a row each, who are flagged at any look up to the last screen."""
    rates = reading_rate(words, OUTPUTS + 1, seconds)
    looks = [np.median(rates[:, :seen], axis=1) for seen in range(RULE.min_read, SCREENS + 1)]
    return float(np.mean(np.any(np.array(looks) > RULE.reading, axis=0)))


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(0)


@pytest.fixture
def words(rng: np.random.Generator) -> FloatArray:
    """Lengths of learners' sentences, from a few words to eighty."""
    return np.clip(np.rint(rng.lognormal(np.log(20), 0.5, (PEOPLE, SCREENS))), 3, 80)


def test_the_rate_is_what_keys_leave_of_the_time() -> None:
    seconds = least_seconds(20, 6)
    assert seconds == pytest.approx(2 + 6 * SECONDS_A_KEY)
    rates = reading_rate([20, 20, 20, 20], 6, [seconds, 2 * seconds, 0.1, np.nan])
    assert rates[0] == pytest.approx(FASTEST)
    assert rates[1] < FASTEST < rates[2] < np.inf
    assert np.isnan(rates[3])


@pytest.mark.parametrize("median", [0.6, 1.0])
def test_who_presses_keys_alone_is_found_before_twenty_screens(
    rng: np.random.Generator, words: FloatArray, median: float
) -> None:
    seconds = rng.lognormal(np.log(median), 0.4, words.shape)
    seconds[:, 0] = 30  # They looked at the first screen.
    assert flagged_within(words, seconds) >= 8.5 / 9


def test_the_fastest_honest_people_are_not_flagged(rng: np.random.Generator, words: FloatArray) -> None:
    """They read the sentence at the rate of fast readers, decide in a second, and read nothing else."""
    seconds = (60 * words / 300 + 1 + SECONDS_A_KEY * (OUTPUTS + 1)) * rng.lognormal(0, 0.5, words.shape)
    assert flagged_within(words, seconds) <= 0.1


def test_nobody_of_a_published_ranking_is_flagged_at_five_times_their_speed(reference_data: Path) -> None:
    snapshot = frame_of_file(reference_data / "gjg15" / "judgments.xml")
    sources = (reference_data / "conll14" / "outputs" / "INPUT").read_text(encoding="utf-8").splitlines()
    words = {place: len(source.split()) for place, source in enumerate(sources)}
    snapshot["active_ms"] = snapshot["active_ms"] // 5
    rates = [each.reading for each in quality_of_annotators(snapshot, {}, words=words)]
    assert len(rates) == 8
    assert all(rate.value is not None and rate.value < RULE.reading for rate in rates)
