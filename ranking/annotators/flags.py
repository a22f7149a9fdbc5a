"""Signs of careless work: speed above others' or above any reader's, equal answers, agreement below chance.

The default thresholds are conventions. In survey research, answering in a small share of the median time is
called speeding, and the same answer throughout straightlining; there is no agreed cut-off for either.
Chance is that of `ranking.annotators.peer_agreement`. Agreement of someone who answers at random lands on
either side of it, so agreement counts as below a threshold only if the one-sided binomial test says so. The
comparisons are not independent: those of a screen are related, and an annotator who differs from one other
differs from several. So the level of the test is far stricter than the 5 % or 1 % that are usual.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.arrays import FloatArray, IntArray
from core.later import special
from ranking.annotators.reading import FASTEST

FEWEST_PACES = 2
"""A median of one annotator's time is no yardstick."""

LEVEL = 0.001
"""Probability of flagging an annotator at the threshold of agreement, if comparisons were independent."""


@dataclass(frozen=True, slots=True)
class FlagRule:
    """The thresholds that flag the work of an annotator.

    Attributes:
        pace: shortest median time that passes, as a share of the campaign's median time.
        same_answer: the largest share of screens with the same answer that passes.
        beyond_chance: lowest agreement beyond chance that passes: 0 is chance, 1 full agreement. Lower
            agreement is flagged if it is significant (`LEVEL`).
        min_cases: number of screens from which pace and equal answers can be flagged.
        reading: the largest median reading rate that passes, in words per minute
            (`ranking.annotators.reading`).
        min_read: number of screens from which the reading rate can be flagged.
    """

    pace: float = 0.33
    same_answer: float = 0.9
    beyond_chance: float = 0.0
    min_cases: int = 20
    reading: float = FASTEST
    min_read: int = 5


@dataclass(frozen=True, slots=True, eq=False)
class Habits:
    """Figures of the work of J annotators. A figure without cases is NaN.

    Attributes:
        seconds: shape (J,); median active time on a screen.
        timed: shape (J,); number of screens with a time.
        same_answer: shape (J,); share of screens with the annotator's most frequent answer.
        several: shape (J,); number of screens with several outputs.
        agreement: shape (J,); share of comparisons with others that agree.
        by_chance: shape (J,); share of comparisons that would agree by chance.
        compared: shape (J,); number of these comparisons.
        reading: shape (J,); median reading rate in words per minute.
        read: shape (J,); number of screens with a reading rate.
    """

    seconds: FloatArray
    timed: IntArray
    same_answer: FloatArray
    several: IntArray
    agreement: FloatArray
    by_chance: FloatArray
    compared: IntArray
    reading: FloatArray
    read: IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Flags:
    """Which of J annotators are flagged, and the figures that decide.

    Attributes:
        campaign_seconds: the median of the annotators' median times, over annotators with enough timed
            screens; NaN where there are fewer than two of them.
        pace: shape (J,); each annotator's median time as a share of the campaign's.
        beyond_chance: shape (J,); (agreement - chance) / (1 - chance), as kappa.
        too_fast: shape (J,); too fast for the campaign.
        unread: shape (J,); faster than people can read.
        same_answer: shape (J,); gives one answer too often.
        below_chance: shape (J,); agreement significantly below the threshold.
    """

    campaign_seconds: float
    pace: FloatArray
    beyond_chance: FloatArray
    too_fast: NDArray[np.bool_]
    unread: NDArray[np.bool_]
    same_answer: NDArray[np.bool_]
    below_chance: NDArray[np.bool_]


def flags(habits: Habits, rule: FlagRule) -> Flags:
    """Flag annotators by the rule; an annotator with too few cases for a figure is not flagged for it."""
    timed = (habits.timed >= rule.min_cases) & ~np.isnan(habits.seconds)
    enough = np.count_nonzero(timed) >= FEWEST_PACES
    campaign_seconds = float(np.median(habits.seconds[timed])) if enough else np.nan
    with np.errstate(invalid="ignore", divide="ignore"):
        pace = habits.seconds / campaign_seconds
        beyond_chance = (habits.agreement - habits.by_chance) / (1 - habits.by_chance)
        p_value = _as_little_agreement(habits, rule.beyond_chance)
    return Flags(
        campaign_seconds=campaign_seconds,
        pace=pace,
        beyond_chance=beyond_chance,
        too_fast=timed & (pace < rule.pace),
        unread=(habits.read >= rule.min_read) & (habits.reading > rule.reading),
        same_answer=(habits.several >= rule.min_cases) & (habits.same_answer > rule.same_answer),
        below_chance=p_value < LEVEL,
    )


def _as_little_agreement(habits: Habits, beyond_chance: float) -> FloatArray:
    """Shape (J,): the probability of so few agreements, or fewer, at this agreement beyond chance; or NaN."""
    least = np.clip(habits.by_chance + beyond_chance * (1 - habits.by_chance), 0, 1)
    return np.asarray(special.bdtr(np.rint(habits.agreement * habits.compared), habits.compared, least))
